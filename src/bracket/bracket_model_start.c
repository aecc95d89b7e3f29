/* SPDX-License-Identifier: MIT */
/*
 * The start's bounds where the reset has an outcome *unseen* (support_start.c). It is worth 1 for the
 * upper bound and 0 for the lower one. Nothing leads back to the place before the reset: so the
 * solver takes its choices for unknown, and the start is one step from the values behind it. With q
 * over the intervals of the successors and [0, mass] of what is unseen,
 *
 *     upper   the greatest q(unseen) + Σ q·upper        lower   the greatest, over choices, of the
 *             over choices and q                                least Σ q·lower over q
 */
#include "bracket/bracket_model_form.h"

/* The choices of the start that are drawn by the reset. */
static bool is_drawn(const bracket_model *b, uint32_t choice)
{
    const sample_choice *c = &b->world->choices.items[choice];
    return !sample_choice_is_free(c) &&
           bracket_support_is_start(b->support, b->world->counters.items[c->counter].row);
}

opac_status bracket_model_find_unseen(bracket_model *b, opac_error *error)
{
    bracket_start start;
    TRY(bracket_support_get_start(b->support, &start, error));
    b->unseen = start.width > 0 ? start.unseen : 0;
    return OPAC_OK;
}

bool bracket_model_has_unseen(const bracket_model *b, uint32_t choice)
{
    return b->unseen > 0 && is_drawn(b, choice);
}

void bracket_model_hide_start(const bracket_model *b, const graph_process *p, double *unseen)
{
    uint32_t first = b->world->pairs.items[b->world->start].choice;
    for (uint32_t c = p->choice_begin[0]; c < p->choice_begin[1]; c++)
        if (bracket_model_has_unseen(b, first + (c - p->choice_begin[0])))
            unseen[c] = 1;
}

/* ---- one step ---- */

opac_status bracket_model_take_row(bracket_model *b, const graph_process *p, bracket_row_step *row,
                                   opac_error *error)
{
    uint32_t widest = 0;
    for (uint32_t c = 0; c < p->choice_count; c++)
        if (p->edge_begin[c + 1] - p->edge_begin[c] > widest)
            widest = p->edge_begin[c + 1] - p->edge_begin[c];
    row->lower = graph_take(&b->workspace, widest + 1, sizeof *row->lower);
    row->upper = graph_take(&b->workspace, widest + 1, sizeof *row->upper);
    row->values = graph_take(&b->workspace, widest + 1, sizeof *row->values);
    row->order = graph_take_u32(&b->workspace, widest + 1);
    if (row->lower == NULL || row->upper == NULL || row->values == NULL || row->order == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

void bracket_model_fill_row(const bracket_model *b, const graph_process *p, uint32_t choice,
                            bool has_unseen, bool is_upper, const bracket_edges *edges,
                            bracket_row_step *row)
{
    uint32_t begin = p->edge_begin[choice], count = p->edge_begin[choice + 1] - begin;
    for (uint32_t i = 0; i < count; i++) {
        const bracket_view *view = &b->views.items[b->draft.pair.items[p->target[begin + i]]];
        row->lower[i] = edges->lower[begin + i];
        row->upper[i] = edges->upper[begin + i];
        row->values[i] = is_upper ? view->upper : view->lower;
    }
    if (has_unseen) {
        row->lower[count] = 0;
        row->upper[count] = b->unseen;
        row->values[count] = is_upper ? 1 : 0;
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        row->order[i] = i;
    row->count = count;
}

double bracket_model_step_row(const bracket_row_step *row, bool greatest)
{
    return solve_interval_step(row->lower, row->upper, row->values, row->order, row->count,
                               greatest);
}

/* ---- the start ---- */

/* One more than the least rank behind a choice. */
static uint32_t find_rank(const bracket_model *b, const graph_process *p, uint32_t choice)
{
    uint32_t least = GRAPH_NONE;
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++) {
        uint32_t rank = b->views.items[b->draft.pair.items[p->target[e]]].rank;
        least = rank < least ? rank : least;
    }
    return least != GRAPH_NONE ? least + 1 : GRAPH_NONE;
}

opac_status bracket_model_value_start(bracket_model *b, const graph_process *p,
                                      const bracket_edges *edges, opac_error *error)
{
    bracket_view *start = &b->views.items[b->world->start];
    uint32_t first = b->world->pairs.items[b->world->start].choice;
    bracket_row_step row;
    TRY(bracket_model_take_row(b, p, &row, error));
    *start = bracket_model_blank();
    start->node = 0;
    start->upper = -1;
    for (uint32_t c = p->choice_begin[0]; c < p->choice_begin[1]; c++) {
        uint32_t choice = first + (c - p->choice_begin[0]);
        bool has_unseen = bracket_model_has_unseen(b, choice);
        bracket_model_fill_row(b, p, c, has_unseen, true, edges, &row);
        double upper = bracket_model_step_row(&row, true);
        bracket_model_fill_row(b, p, c, has_unseen, false, edges, &row);
        double lower = bracket_model_step_row(&row, false);
        if (upper > start->upper) {
            start->upper = upper;
            start->choice[BRACKET_HOPEFUL] = choice;
        }
        if (lower > start->lower || start->choice[BRACKET_CAUTIOUS] == SAMPLE_NONE) {
            start->lower = lower;
            start->choice[BRACKET_CAUTIOUS] = choice;
            start->rank = lower > 0 ? find_rank(b, p, c) : GRAPH_NONE;
        }
    }
    b->bounds = (bracket_bounds){start->lower, start->upper};
    return OPAC_OK;
}
