/* SPDX-License-Identifier: MIT */
#include "solve/horizon.h"

#include <math.h>

#include "base/vec.h"
#include "solve/backup.h"
#include "solve/robust.h"
#include "solve/rows.h"

enum {
    FEW_SWEEPS =
        16 /* as few as these are made rather than bounded, and a quarter of those made so far */
};
#define EQUAL 1e-13 /* choices whose backups differ by no more are equally good */

typedef struct sweeping {
    solve_rows rows;
    bool numbers; /* whether probabilities are numbers, without unseen mass */
    bool above;
    double negligible;
    const base_bitset *target;
    double *before, *after; /* by state, including the state of unseen outcomes */
    uint32_t *choice;       /* by state, of the last sweep; NULL: no policy is wanted */
    uint32_t *order;        /* by edge */
    double *scratch;        /* for one row */
} sweeping;

static opac_status take_sweeping(sweeping *w, bool policy, graph_workspace *workspace,
                                 opac_error *error)
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
    if (!policy)
        return OPAC_OK;
    w->choice = graph_take_u32(workspace, process->state_count);
    for (uint32_t s = 0; w->choice != NULL && s < process->state_count; s++)
        w->choice[s] = GRAPH_NONE;
    return w->choice != NULL ? OPAC_OK : base_fail_memory(error);
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

/*
 * The greatest backup of a state, and its choice: that of the last sweep if it is as good, otherwise the first
 * of the best. So a choice is one that attained the value with the fewest steps left: a policy that can wait
 * without a loss does not wait.
 */
static double sweep_state(const sweeping *w, uint32_t s)
{
    const graph_process *process = &w->rows.process;
    uint32_t last = w->choice != NULL ? w->choice[s] : GRAPH_NONE, choice = GRAPH_NONE;
    double best = 0, value_of_last = -1;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
        double value = backup(w, c);
        if (c == last)
            value_of_last = value;
        if (choice == GRAPH_NONE || value > best) {
            best = value;
            choice = c;
        }
    }
    if (w->choice != NULL)
        w->choice[s] = best <= w->negligible           ? GRAPH_NONE
                       : value_of_last >= best - EQUAL ? last
                                                       : choice;
    return best;
}

/* One sweep; returns the greatest increase of a value, rounded up. */
static double sweep(const sweeping *w)
{
    double rate = 0;
    for (uint32_t s = 0; s < w->rows.process.state_count; s++) {
        bool is_settled = s == w->rows.unseen || base_bitset_has(w->target, s);
        w->after[s] = is_settled ? w->before[s] : sweep_state(w, s);
        if (w->after[s] - w->before[s] > rate)
            rate = w->after[s] - w->before[s];
    }
    return rate > 0 ? nextafter(rate, INFINITY) : 0;
}

/* The choices of all stored sweeps, one after the other. */
typedef struct storage {
    uint32_t *choice;
    uint64_t count, capacity, stride;
    size_t states;
} storage;

/* Stores the choices of sweep t, if they are among those that are stored. */
static void store(storage *stored, uint64_t t, const uint32_t *choice)
{
    if (choice == NULL || t % stored->stride != 0 || stored->count == stored->capacity)
        return;
    uint32_t *place = stored->choice + stored->states * stored->count++;
    for (size_t s = 0; s < stored->states; s++)
        place[s] = choice[s];
}

static opac_status next_sweep(sweeping *w, storage *stored, uint64_t t, graph_workspace *workspace,
                              double *rate, opac_error *error)
{
    graph_spend(workspace, (uint64_t)w->rows.process.state_count + w->rows.process.edge_count);
    TRY(graph_workspace_check(workspace, error));
    *rate = sweep(w);
    store(stored, t, w->choice);
    double *swap = w->before;
    w->before = w->after;
    w->after = swap;
    return OPAC_OK;
}

/* Leaves the values in `before`. If sweeps end early, the choices of the last one are stored for all larger
 * numbers of steps left. */
static opac_status sweep_all(sweeping *w, const solve_horizon *horizon, uint64_t most,
                             storage *stored, graph_workspace *workspace,
                             solve_horizon_result *result, opac_error *error)
{
    bool is_short = false;
    result->rate = 1;
    for (result->sweeps = 0; result->sweeps < most && !is_short; result->sweeps++) {
        TRY(next_sweep(w, stored, result->sweeps, workspace, &result->rate, error));
        uint64_t left = horizon->steps - result->sweeps - 1;
        is_short =
            left > result->sweeps / 4 + FEW_SWEEPS && (double)left * result->rate <= horizon->slack;
    }
    if (is_short && (result->sweeps - 1) % stored->stride > 0) {
        uint64_t next =
            result->sweeps + (stored->stride - result->sweeps % stored->stride) % stored->stride;
        TRY(next_sweep(w, stored, next, workspace, &result->rate, error));
        result->sweeps++;
    }
    return OPAC_OK;
}

static opac_status take_storage(const solve_horizon *horizon, uint64_t most, size_t states,
                                graph_workspace *workspace, storage *stored, opac_error *error)
{
    *stored = (storage){.stride = horizon->stride > 0 ? horizon->stride : 1, .states = states};
    if (!horizon->policy)
        return OPAC_OK;
    stored->capacity = most / stored->stride + (most % stored->stride > 0);
    if (states > 0 && stored->capacity > SIZE_MAX / sizeof *stored->choice / states)
        return base_fail_memory(error);
    stored->choice =
        graph_take(workspace, states, (size_t)stored->capacity * sizeof *stored->choice);
    return stored->choice != NULL ? OPAC_OK : base_fail_memory(error);
}

opac_status solve_horizon_find(const solve_problem *problem, const solve_horizon *horizon,
                               graph_workspace *workspace, solve_horizon_result *result,
                               opac_error *error)
{
    const size_t states = problem->process->state_count;
    sweeping w = {.above = horizon->optimistic,
                  .target = horizon->target,
                  .negligible =
                      horizon->policy && horizon->negligible > 0 ? horizon->negligible : -1};
    storage stored;
    bool is_cut = horizon->most_sweeps > 0 && horizon->most_sweeps < horizon->steps;
    uint64_t most = is_cut ? horizon->most_sweeps : horizon->steps;
    TRY(take_storage(horizon, most, states, workspace, &stored, error));
    TRY(solve_rows_complete(problem, workspace, &w.rows, error));
    w.numbers = problem->lower == NULL && w.rows.unseen == GRAPH_NONE;
    TRY(take_sweeping(&w, horizon->policy, workspace, error));
    TRY(sweep_all(&w, horizon, most, &stored, workspace, result, error));
    result->value = w.before;
    result->choice = stored.choice;
    result->stored = stored.count;
    result->stride = stored.stride;
    result->states = (uint32_t)states;
    return OPAC_OK;
}
