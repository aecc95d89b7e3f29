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

/* d, breadth first against the edges. */
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

/* The effect of a choice in a state of distance `own`. */
typedef struct outlook {
    double nearer; /* the probability of a smaller distance */
    double mean;   /* the expected distance, over the successors where it is finite */
    bool leaves;   /* some successor cannot reach the target */
} outlook;

static outlook look_from(const solve_least_progress *r, uint32_t own, uint32_t choice)
{
    const graph_process *p = r->process;
    outlook seen = {0};
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++) {
        uint32_t distance = r->distance[p->target[e]];
        if (distance == GRAPH_NONE)
            seen.leaves = true;
        else
            seen.mean += p->prob[e] * distance;
        if (distance < own)
            seen.nearer += p->prob[e];
    }
    return seen;
}

static bool is_slower(const outlook *a, const outlook *b, bool at_target)
{
    if (a->leaves != b->leaves)
        return b->leaves;
    return at_target ? a->mean > b->mean : a->nearer < b->nearer;
}

static uint32_t slowest(const solve_least_progress *r, uint32_t state)
{
    uint32_t own = r->distance[state], best = GRAPH_NONE;
    outlook best_seen = {0};
    for (uint32_t i = 0; i < solve_distinct_count(r->distinct, state); i++) {
        uint32_t choice = solve_distinct_at(r->distinct, state, i);
        if (choice == GRAPH_NONE)
            continue;
        outlook seen = look_from(r, own, choice);
        if (own > 0 && !(seen.nearer > 0))
            continue;
        if (best == GRAPH_NONE || is_slower(&seen, &best_seen, own == 0)) {
            best = i;
            best_seen = seen;
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
                       : slowest(least, s);
}
