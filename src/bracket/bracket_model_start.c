/* SPDX-License-Identifier: MIT */
/*
 * A reset whose successors are not all known (support_start.c). All unseen successors together are one
 * outcome of the start's choices, with a probability in [0, unseen], worth 1 for the upper bound and 0 for
 * the lower bound (docs/theory.md, Lemma 23).
 */
#include "bracket/bracket_model_form.h"

/* Whether a choice takes the row of such a reset. */
static bool takes_start_row(const bracket_model *b, uint32_t choice)
{
    const sample_choice *c = &b->stats->choices.items[choice];
    return !sample_choice_is_free(c) &&
           bracket_support_is_start(b->support, b->stats->counters.items[c->counter].row);
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
    return b->unseen > 0 && takes_start_row(b, choice);
}

void bracket_model_fill_unseen(const bracket_model *b, const graph_process *p, double *unseen)
{
    uint32_t first = b->stats->product_states.items[b->stats->start].choice;
    for (uint32_t c = p->choice_begin[0]; c < p->choice_begin[1]; c++)
        if (bracket_model_has_unseen(b, first + (c - p->choice_begin[0])))
            unseen[c] = b->unseen;
}

/* ---- one step ---- */

opac_status bracket_model_alloc_row(bracket_model *b, const graph_process *p, bracket_row_step *row,
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
        const bracket_values *values =
            &b->values.items[b->process.product_state.items[p->target[begin + i]]];
        row->lower[i] = edges->lower[begin + i];
        row->upper[i] = edges->upper[begin + i];
        row->values[i] = is_upper ? values->upper : values->lower;
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
