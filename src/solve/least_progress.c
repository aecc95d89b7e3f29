/* SPDX-License-Identifier: MIT */
#include "solve/least_progress.h"

opac_status solve_least_progress_init(solve_least_progress *least, const graph_process *process,
                                      const solve_distinct *distinct, graph_workspace *workspace,
                                      opac_error *error)
{
    *least =
        (solve_least_progress){.process = process, .distinct = distinct, .workspace = workspace};
    TRY(graph_reverse_build(process, (graph_part){0}, workspace, &least->reverse, error));
    least->distance = graph_take_u32(workspace, process->state_count);
    least->queue = graph_take_u32(workspace, process->state_count);
    return least->distance == NULL || least->queue == NULL ? base_fail_memory(error) : OPAC_OK;
}

/* Computes d by backward breadth-first search. */
static void find_distances(solve_least_progress *r, uint32_t target)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < r->process->state_count; s++)
        r->distance[s] = GRAPH_NONE;
    r->distance[target] = 0;
    r->queue[count++] = target;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t state = r->queue[i];
        if (graph_spend(r->workspace, 1 + r->reverse.begin[state + 1] - r->reverse.begin[state]))
            return;
        for (uint32_t k = r->reverse.begin[state]; k < r->reverse.begin[state + 1]; k++) {
            uint32_t owner = r->reverse.owner[r->reverse.choice[k]];
            if (r->distance[owner] != GRAPH_NONE)
                continue;
            r->distance[owner] = r->distance[state] + 1;
            r->queue[count++] = owner;
        }
    }
}

/* The progress that a choice makes towards the target. */
typedef struct progress {
    double nearer; /* probability of a smaller distance */
    double mean;   /* expected distance, over the successors with a finite distance */
    bool leaves;   /* whether some successor cannot reach the target */
} progress;

/* The progress of a choice in a state with distance `own`. */
static progress progress_of(const solve_least_progress *r, uint32_t own, uint32_t choice)
{
    const graph_process *p = r->process;
    progress result = {0};
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++) {
        uint32_t distance = r->distance[p->target[e]];
        if (distance == GRAPH_NONE)
            result.leaves = true;
        else
            result.mean += p->prob[e] * distance;
        if (distance < own)
            result.nearer += p->prob[e];
    }
    return result;
}

static bool is_slower(const progress *a, const progress *b, bool at_target)
{
    if (a->leaves != b->leaves)
        return b->leaves;
    return at_target ? a->mean > b->mean : a->nearer < b->nearer;
}

/* The index of the slowest choice of a state; 0 if no choice makes progress. */
static uint32_t slowest_choice(const solve_least_progress *r, uint32_t state)
{
    uint32_t own = r->distance[state], best = GRAPH_NONE;
    progress best_progress = {0};
    for (uint32_t i = 0; i < solve_distinct_count(r->distinct, state); i++) {
        uint32_t choice = solve_distinct_at(r->distinct, state, i);
        if (choice == GRAPH_NONE)
            continue;
        progress own_progress = progress_of(r, own, choice);
        if (own > 0 && !(own_progress.nearer > 0))
            continue;
        if (best == GRAPH_NONE || is_slower(&own_progress, &best_progress, own == 0)) {
            best = i;
            best_progress = own_progress;
        }
    }
    return best == GRAPH_NONE ? 0 : best;
}

void solve_least_progress_policy(solve_least_progress *least, uint32_t target, uint32_t *index)
{
    find_distances(least, target);
    for (uint32_t s = 0; s < least->process->state_count; s++)
        index[s] = least->distance[s] == GRAPH_NONE || graph_spend(least->workspace, 1)
                       ? 0
                       : slowest_choice(least, s);
}
