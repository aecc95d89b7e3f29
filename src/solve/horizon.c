/* SPDX-License-Identifier: MIT */
#include "solve/horizon.h"

#include <string.h>

#include "solve/backup.h"
#include "solve/robust.h"
#include "solve/rows.h"

typedef struct sweeping {
    solve_rows rows;
    bool numbers; /* whether probabilities are numbers, without unseen mass */
    bool above;
    const base_bitset *target;
    double *before, *after; /* by state, including the state of unseen outcomes */
    uint32_t *choice;       /* by state, of the current sweep; NULL: not wanted */
    uint32_t *order;        /* by edge */
    double *scratch;        /* for one row */
} sweeping;

static opac_status take_sweeping(sweeping *w, graph_workspace *workspace, opac_error *error)
{
    const graph_process *process = &w->rows.process;
    w->before = graph_take(workspace, process->state_count, sizeof *w->before);
    w->after = graph_take(workspace, process->state_count, sizeof *w->after);
    w->order = graph_take_u32(workspace, process->edge_count);
    w->scratch = graph_take(workspace, w->rows.longest, sizeof *w->scratch);
    if (w->before == NULL || w->after == NULL || w->order == NULL || w->scratch == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < process->choice_count; c++)
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            w->order[e] = e - process->edge_begin[c];
    for (uint32_t s = 0; s < process->state_count; s++)
        w->before[s] = s == w->rows.unseen ? w->above : base_bitset_has(w->target, s);
    return OPAC_OK;
}

/* The backup of a row of numbers, rounded outward but at most the greatest value; 0 stays 0. */
static double backup_numbers(const sweeping *w, uint32_t c)
{
    const graph_process *process = &w->rows.process;
    uint32_t begin = process->edge_begin[c], end = process->edge_begin[c + 1];
    double sum = 0, most = 0;
    for (uint32_t e = begin; e < end; e++) {
        double x = w->before[process->target[e]];
        sum += process->prob[e] * x;
        most = x > most ? x : most;
    }
    if (!w->above)
        return solve_round_below(sum, solve_margin(end - begin));
    sum = solve_round_above(sum, solve_margin(end - begin));
    return sum < most ? sum : most; /* no model exceeds it */
}

static double backup(const sweeping *w, uint32_t c)
{
    const graph_process *process = &w->rows.process;
    uint32_t begin = process->edge_begin[c], count = process->edge_begin[c + 1] - begin;
    if (w->numbers)
        return backup_numbers(w, c);
    for (uint32_t e = 0; e < count; e++)
        w->scratch[e] = w->before[process->target[begin + e]];
    return solve_interval_step(w->rows.lower + begin, w->rows.upper + begin, w->scratch,
                               w->order + begin, count, w->above);
}

/* One sweep; returns whether a value changed. */
static bool sweep(const sweeping *w)
{
    const graph_process *process = &w->rows.process;
    bool changed = false;
    for (uint32_t s = 0; s < process->state_count; s++) {
        double best = 0;
        uint32_t choice = GRAPH_NONE;
        bool is_settled = s == w->rows.unseen || base_bitset_has(w->target, s);
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            double value = is_settled ? 0 : backup(w, c);
            if (choice == GRAPH_NONE || value > best) {
                best = value;
                choice = c;
            }
        }
        w->after[s] = is_settled ? w->before[s] : best;
        changed |= w->after[s] != w->before[s];
        if (w->choice != NULL && s != w->rows.unseen)
            w->choice[s] = is_settled ? GRAPH_NONE : choice;
    }
    return changed;
}

/* Leaves the values in `before`. choices, by step and state, may be NULL. */
static opac_status sweep_all(sweeping *w, uint32_t steps, uint32_t *choices, size_t states,
                             graph_workspace *workspace, opac_error *error)
{
    const uint64_t cost = (uint64_t)w->rows.process.state_count + w->rows.process.edge_count;
    bool changed = true;
    for (uint32_t t = 0; t < steps && (changed || choices != NULL); t++) {
        w->choice = choices != NULL ? choices + t * states : NULL;
        if (changed) {
            graph_spend(workspace, cost);
            TRY(graph_workspace_check(workspace, error));
            changed = sweep(w);
            double *swap = w->before;
            w->before = w->after;
            w->after = swap;
        } else {
            memcpy(w->choice, w->choice - states, states * sizeof *w->choice);
        }
    }
    return OPAC_OK;
}

opac_status solve_horizon_find(const solve_problem *problem, const solve_horizon *horizon,
                               graph_workspace *workspace, solve_horizon_result *result,
                               opac_error *error)
{
    const size_t states = problem->process->state_count;
    sweeping w = {.above = horizon->optimistic, .target = horizon->target};
    uint32_t *choices = NULL;
    if (horizon->policy) {
        choices = graph_take(workspace, states, (size_t)horizon->steps * sizeof *choices);
        if (choices == NULL)
            return base_fail_memory(error);
    }
    TRY(solve_rows_complete(problem, workspace, &w.rows, error));
    w.numbers = problem->lower == NULL && w.rows.unseen == GRAPH_NONE;
    TRY(take_sweeping(&w, workspace, error));
    TRY(sweep_all(&w, horizon->steps, choices, states, workspace, error));
    result->value = w.before;
    result->choice = choices;
    return OPAC_OK;
}
