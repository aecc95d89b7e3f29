/* SPDX-License-Identifier: MIT */
/* Depth first; a step of the enumeration undoes the decisions that it changes, and no others. */
#include "solve/policy_enumeration.h"

#include "base/alloc.h"

static void meet(solve_enumeration *enumeration, uint32_t state)
{
    if (enumeration->is_met[state])
        return;
    enumeration->is_met[state] = enumeration->open[state] = true;
    enumeration->met[enumeration->met_count++] = state;
}

static void decide(solve_enumeration *enumeration, uint32_t index)
{
    const graph_process *process = enumeration->process;
    uint32_t state = enumeration->met[enumeration->depth];
    uint32_t choice = solve_distinct_at(&enumeration->distinct, state, index);
    enumeration->before[enumeration->depth] = enumeration->met_count;
    enumeration->taken[enumeration->depth] = index;
    enumeration->choice[state] = choice;
    enumeration->open[state] = false;
    enumeration->depth++;
    if (choice == GRAPH_NONE)
        return;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++)
        meet(enumeration, process->target[e]);
}

static void undo(solve_enumeration *enumeration)
{
    uint32_t state = enumeration->met[--enumeration->depth];
    enumeration->choice[state] = GRAPH_NONE;
    enumeration->open[state] = true;
    while (enumeration->met_count > enumeration->before[enumeration->depth]) {
        uint32_t last = enumeration->met[--enumeration->met_count];
        enumeration->is_met[last] = enumeration->open[last] = false;
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
        uint32_t state = enumeration->met[enumeration->depth - 1],
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
    while (enumeration->depth < enumeration->met_count && !base_work_spend(enumeration->work, 1))
        decide(enumeration, index[enumeration->met[enumeration->depth]]);
}

opac_status solve_enumeration_init(solve_enumeration *enumeration, const graph_process *process,
                                   uint32_t start, base_work *work, opac_error *error)
{
    uint32_t count = process->state_count;
    *enumeration = (solve_enumeration){.process = process, .work = work};
    enumeration->choice = base_alloc(count, sizeof *enumeration->choice);
    enumeration->met = base_alloc(count, sizeof *enumeration->met);
    enumeration->taken = base_alloc(count, sizeof *enumeration->taken);
    enumeration->before = base_alloc(count, sizeof *enumeration->before);
    enumeration->is_met = base_alloc_zeroed(count, sizeof *enumeration->is_met);
    enumeration->open = base_alloc_zeroed(count, sizeof *enumeration->open);
    if (enumeration->choice == NULL || enumeration->met == NULL || enumeration->taken == NULL ||
        enumeration->before == NULL || enumeration->is_met == NULL || enumeration->open == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < count; s++)
        enumeration->choice[s] = GRAPH_NONE;
    meet(enumeration, start);
    return solve_distinct_find(process, work, &enumeration->distinct, error);
}

void solve_enumeration_fini(solve_enumeration *enumeration)
{
    solve_distinct_fini(&enumeration->distinct);
    base_free(enumeration->choice);
    base_free(enumeration->met);
    base_free(enumeration->taken);
    base_free(enumeration->before);
    base_free(enumeration->is_met);
    base_free(enumeration->open);
}
