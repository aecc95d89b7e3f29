/* SPDX-License-Identifier: MIT */
/* Depth first; a step of the tour undoes the decisions that it changes, and no others. */
#include "solve/tour.h"

#include "base/alloc.h"

static void meet(solve_tour *tour, uint32_t state)
{
    if (tour->is_met[state])
        return;
    tour->is_met[state] = tour->open[state] = true;
    tour->met[tour->met_count++] = state;
}

static void decide(solve_tour *tour, uint32_t index)
{
    const graph_process *process = tour->process;
    uint32_t state = tour->met[tour->depth];
    uint32_t choice = solve_distinct_at(&tour->distinct, state, index);
    tour->before[tour->depth] = tour->met_count;
    tour->taken[tour->depth] = index;
    tour->choice[state] = choice;
    tour->open[state] = false;
    tour->depth++;
    if (choice == GRAPH_NONE)
        return;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++)
        meet(tour, process->target[e]);
}

static void undo(solve_tour *tour)
{
    uint32_t state = tour->met[--tour->depth];
    tour->choice[state] = GRAPH_NONE;
    tour->open[state] = true;
    while (tour->met_count > tour->before[tour->depth]) {
        uint32_t last = tour->met[--tour->met_count];
        tour->is_met[last] = tour->open[last] = false;
    }
}

void solve_tour_go(solve_tour *tour)
{
    decide(tour, 0);
}

void solve_tour_begin(solve_tour *tour)
{
    while (tour->depth > 0)
        undo(tour);
}

bool solve_tour_next(solve_tour *tour)
{
    while (tour->depth > 0) {
        uint32_t state = tour->met[tour->depth - 1], index = tour->taken[tour->depth - 1] + 1;
        undo(tour);
        if (index >= solve_distinct_count(&tour->distinct, state))
            continue;
        decide(tour, index);
        return true;
    }
    return false;
}

void solve_tour_visit(solve_tour *tour, const uint32_t *index)
{
    while (tour->depth > 0)
        undo(tour);
    while (tour->depth < tour->met_count && !base_work_spend(tour->work, 1))
        decide(tour, index[tour->met[tour->depth]]);
}

opac_status solve_tour_init(solve_tour *tour, const graph_process *process, uint32_t start,
                            base_work *work, opac_error *error)
{
    uint32_t count = process->state_count;
    *tour = (solve_tour){.process = process, .work = work};
    tour->choice = base_alloc(count, sizeof *tour->choice);
    tour->met = base_alloc(count, sizeof *tour->met);
    tour->taken = base_alloc(count, sizeof *tour->taken);
    tour->before = base_alloc(count, sizeof *tour->before);
    tour->is_met = base_alloc_zeroed(count, sizeof *tour->is_met);
    tour->open = base_alloc_zeroed(count, sizeof *tour->open);
    if (tour->choice == NULL || tour->met == NULL || tour->taken == NULL || tour->before == NULL ||
        tour->is_met == NULL || tour->open == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < count; s++)
        tour->choice[s] = GRAPH_NONE;
    meet(tour, start);
    return solve_distinct_find(process, work, &tour->distinct, error);
}

void solve_tour_fini(solve_tour *tour)
{
    solve_distinct_fini(&tour->distinct);
    base_free(tour->choice);
    base_free(tour->met);
    base_free(tour->taken);
    base_free(tour->before);
    base_free(tour->is_met);
    base_free(tour->open);
}
