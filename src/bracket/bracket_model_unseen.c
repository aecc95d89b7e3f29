/* SPDX-License-Identifier: MIT */
/*
 * Choices with unseen outcomes. All unseen successors of an open row together are one outcome of its choices, with
 * a probability in [0, M], worth 1 for the upper bound and 0 for the lower bound (docs/theory.md, Lemma 23).
 *
 * Which open rows must become complete: a choice of an open row that stays in an end component of the seen graph
 * (Definition 14) gives the whole component the value 1 for the upper bound, since staying there forever meets the
 * unseen outcome, however small M is. Such choices take turns, as choices that were never tried do. An open row
 * outside of end components adds about M for each visit, and need never be complete. It takes turns only until M is
 * below one half: otherwise rows that episodes rarely come to would remain almost unknown for long. (Without this,
 * coin4 with K = 2 takes 18 times the steps.) With rows alike, all open rows take turns: only own draws show their
 * outcomes, while intervals need few.
 */
#include "bracket/bracket_model_form.h"
#include "bracket/support_form.h"
#include "graph/mec.h"

opac_status bracket_model_find_unseen(bracket_model *b, const graph_process *p, double *unseen,
                                      opac_error *error)
{
    b->unseen = 0;
    for (uint32_t c = 0; c < p->choice_count; c++) {
        uint32_t row = bracket_model_row(b, b->process.number.items[c]);
        bracket_row_set set;
        unseen[c] = 0;
        if (row == SAMPLE_NONE || b->stats->counters.items[row].complete)
            continue;
        if (!b->stats->counters.items[row].known) {
            unseen[c] = 1;
            continue;
        }
        TRY(bracket_support_get(b->support, row, &set, error));
        unseen[c] = set.unseen;
        if (row == b->stats->reset_row)
            b->unseen = set.unseen;
    }
    return OPAC_OK;
}

/* ---- rows that take turns ---- */

static const double mostly_unseen = 0.5;

/* Adds the choices of rows that take turns to `wanted`. A choice outside of end components may be of such a row. */
static void mark_wanted(bracket_model *b, const graph_process *p, const graph_mec *mec,
                        const double *unseen, base_bitset *wanted)
{
    for (uint32_t c = 0; c < p->choice_count; c++) {
        uint32_t row = bracket_model_row(b, b->process.number.items[c]);
        if (row == SAMPLE_NONE || !(unseen[c] > 0))
            continue;
        bool is_known = b->stats->counters.items[row].known;
        bool is_wanted = bracket_support_is_alike(b->support, row) ||
                         (unseen[c] >= mostly_unseen && !bracket_support_is_start(b->support, row));
        if (is_known && !is_wanted && !base_bitset_has(&mec->choices, c))
            continue;
        base_bitset_add(wanted, c);
        b->stats->counters.items[row].wanted = is_known;
    }
}

opac_status bracket_model_find_wanted(bracket_model *b, const graph_process *p,
                                      const double *unseen, base_bitset *wanted, opac_error *error)
{
    base_bitset seen;
    graph_mec mec;
    for (size_t i = 0; i < b->stats->counters.count; i++)
        b->stats->counters.items[i].wanted = false;
    TRY(graph_take_set(&b->workspace, p->choice_count, wanted, error));
    graph_place place = graph_workspace_mark(&b->workspace);
    TRY(graph_take_set(&b->workspace, p->choice_count, &seen, error));
    base_bitset_fill(&seen);
    for (size_t i = 0; i < b->process.unknown.count; i++)
        base_bitset_remove(&seen, b->process.unknown.items[i]);
    const graph_part part = {.choices = &seen};
    TRY(graph_mec_find(p, part, &b->workspace, &mec, error));
    mark_wanted(b, p, &mec, unseen, wanted);
    graph_workspace_release(&b->workspace, place);
    return OPAC_OK;
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
                            double unseen, bool is_upper, const bracket_edges *edges,
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
    if (unseen > 0) {
        row->lower[count] = 0;
        row->upper[count] = unseen;
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
