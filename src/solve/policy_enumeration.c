/* SPDX-License-Identifier: MIT */
/* Backtracking undoes only the choices that change. */
#include "solve/policy_enumeration.h"

#include "base/alloc.h"

/* Adds a state to the reached ones. */
static void reach(solve_enumeration *enumeration, uint32_t state)
{
    if (enumeration->is_reached[state])
        return;
    enumeration->is_reached[state] = enumeration->undecided[state] = true;
    enumeration->reached[enumeration->reached_count++] = state;
}

static void decide(solve_enumeration *enumeration, uint32_t index)
{
    const graph_process *process = enumeration->process;
    uint32_t state = enumeration->reached[enumeration->depth];
    uint32_t choice = solve_distinct_at(&enumeration->distinct, state, index);
    enumeration->before[enumeration->depth] = enumeration->reached_count;
    enumeration->taken[enumeration->depth] = index;
    enumeration->choice[state] = choice;
    enumeration->undecided[state] = false;
    enumeration->depth++;
    if (choice == GRAPH_NONE)
        return;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++)
        reach(enumeration, process->target[e]);
}

static void undo(solve_enumeration *enumeration)
{
    uint32_t state = enumeration->reached[--enumeration->depth];
    enumeration->choice[state] = GRAPH_NONE;
    enumeration->undecided[state] = true;
    while (enumeration->reached_count > enumeration->before[enumeration->depth]) {
        uint32_t last = enumeration->reached[--enumeration->reached_count];
        enumeration->is_reached[last] = enumeration->undecided[last] = false;
    }
}

void solve_enumeration_extend(solve_enumeration *enumeration)
{
    decide(enumeration, 0);
}

void solve_enumeration_reset(solve_enumeration *enumeration)
{
    while (enumeration->depth > 0)
        undo(enumeration);
}

bool solve_enumeration_next(solve_enumeration *enumeration)
{
    while (enumeration->depth > 0) {
        uint32_t state = enumeration->reached[enumeration->depth - 1],
                 index = enumeration->taken[enumeration->depth - 1] + 1;
        undo(enumeration);
        if (index >= solve_distinct_count(&enumeration->distinct, state))
            continue;
        decide(enumeration, index);
        return true;
    }
    return false;
}

void solve_enumeration_set(solve_enumeration *enumeration, const uint32_t *index)
{
    while (enumeration->depth > 0)
        undo(enumeration);
    while (enumeration->depth < enumeration->reached_count &&
           !base_work_spend(enumeration->work, 1))
        decide(enumeration, index[enumeration->reached[enumeration->depth]]);
}

opac_status solve_enumeration_init(solve_enumeration *enumeration, const graph_process *process,
                                   uint32_t start, base_work *work, opac_error *error)
{
    uint32_t count = process->state_count;
    *enumeration = (solve_enumeration){.process = process, .work = work};
    enumeration->choice = base_alloc(count, sizeof *enumeration->choice);
    enumeration->reached = base_alloc(count, sizeof *enumeration->reached);
    enumeration->taken = base_alloc(count, sizeof *enumeration->taken);
    enumeration->before = base_alloc(count, sizeof *enumeration->before);
    enumeration->is_reached = base_alloc_zeroed(count, sizeof *enumeration->is_reached);
    enumeration->undecided = base_alloc_zeroed(count, sizeof *enumeration->undecided);
    if (enumeration->choice == NULL || enumeration->reached == NULL || enumeration->taken == NULL ||
        enumeration->before == NULL || enumeration->is_reached == NULL ||
        enumeration->undecided == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < count; s++)
        enumeration->choice[s] = GRAPH_NONE;
    reach(enumeration, start);
    return solve_distinct_find(process, work, &enumeration->distinct, error);
}

void solve_enumeration_fini(solve_enumeration *enumeration)
{
    solve_distinct_fini(&enumeration->distinct);
    base_free(enumeration->choice);
    base_free(enumeration->reached);
    base_free(enumeration->taken);
    base_free(enumeration->before);
    base_free(enumeration->is_reached);
    base_free(enumeration->undecided);
}
