/* SPDX-License-Identifier: MIT */
/*
 * Finds the states from which every policy misses the target with positive probability, by a worklist
 * that begins with the states of value 0. A maximal end component is a single node, because its states
 * reach each other almost surely:
 *
 *     risky choice   leaves its node, and some successor is lost or outside the part
 *     lost node      contains no target, and all choices that leave it are risky
 *
 * Claim: the nodes that are not lost are exactly those of value 1. A node that is not lost contains a
 * target or has a choice that leaves it and avoids lost nodes. No policy stays outside of end components
 * forever, so taking such choices reaches a target almost surely. Conversely, a policy that leaves a
 * lost node enters another lost node with positive probability, and finally one of value 0.
 */
#include "graph/almost_sure.h"

#include <assert.h>

#include "graph/attractor.h"
#include "graph/reach.h"

typedef struct search {
    const graph_process *process;
    graph_part part;
    const graph_reverse *reverse;
    const graph_mec *mec;
    graph_max_reached *result;
    uint32_t
        *open; /* by first state of a node: number of leaving choices that are not risky; 0 if the
                       node contains a target, because it is never lost */
    uint32_t *lost; /* lost states, in the order in which their predecessors are examined */
    uint32_t lost_count;
    const graph_workspace *workspace;
} search;

/* The first state of the node that contains state s. */
static inline uint32_t node_of(const search *x, uint32_t s)
{
    uint32_t i = x->mec->component[s];
    return i == GRAPH_NONE ? s : x->mec->state[x->mec->begin[i]];
}

static inline void lose_state(search *x, uint32_t s)
{
    base_bitset_remove(&x->result->one, s);
    x->lost[x->lost_count++] = s;
}

static void lose_node(search *x, uint32_t s)
{
    uint32_t i = x->mec->component[s];
    if (i == GRAPH_NONE) {
        lose_state(x, s);
        return;
    }
    for (uint32_t j = x->mec->begin[i]; j < x->mec->begin[i + 1]; j++)
        lose_state(x, x->mec->state[j]);
}

/* The choice must be in the part, leave its node, and not be risky yet. */
static inline void make_risky(search *x, uint32_t c)
{
    uint32_t node = node_of(x, x->reverse->owner[c]);
    base_bitset_remove(&x->result->safe, c);
    if (x->open[node] > 0 && --x->open[node] == 0)
        lose_node(x, node);
}

/* Computes `zero`, the states without a path to the target, and marks them as lost. */
static opac_status lose_zero(search *x, const base_bitset *target, graph_workspace *workspace,
                             opac_error *error)
{
    graph_max_reached *r = x->result;
    graph_reached reached;
    graph_place place = graph_workspace_mark(workspace);
    TRY(graph_reach_backward(x->process, x->part, x->reverse, target, workspace, &reached, error));
    base_bitset_copy(&r->zero, &r->one);
    base_bitset_subtract(&r->zero, &reached.states);
    graph_workspace_release(workspace, place);
    for (size_t s = base_bitset_next(&r->zero, 0); s < r->zero.size;
         s = base_bitset_next(&r->zero, s + 1))
        lose_state(x, (uint32_t)s);
    return OPAC_OK;
}

/* Counts the choices that leave each node that may still become lost. */
static void count_leaving(search *x, const base_bitset *target)
{
    const uint32_t *choice_begin = x->process->choice_begin;
    for (uint32_t s = 0; s < x->process->state_count; s++)
        x->open[s] = 0;
    for (uint32_t s = 0; s < x->process->state_count; s++) {
        uint32_t *open = &x->open[node_of(x, s)];
        for (uint32_t c = choice_begin[s]; c < choice_begin[s + 1]; c++)
            *open += base_bitset_has(&x->result->safe, c) && !base_bitset_has(&x->mec->choices, c);
    }
    for (size_t s = base_bitset_next(&x->result->zero, 0); s < x->result->zero.size;
         s = base_bitset_next(&x->result->zero, s + 1))
        x->open[node_of(x, (uint32_t)s)] = 0; /* lost already */
    for (size_t s = base_bitset_next(target, 0); s < target->size;
         s = base_bitset_next(target, s + 1))
        x->open[node_of(x, (uint32_t)s)] = 0;
}

/* Choices with an edge out of the part are risky; choices of states outside the part do not exist. */
static void avoid_leaving_part(search *x)
{
    if (x->part.states == NULL)
        return;
    base_bitset *safe = &x->result->safe;
    for (size_t c = base_bitset_next(safe, 0); c < safe->size; c = base_bitset_next(safe, c + 1)) {
        if (!base_bitset_has(x->part.states, x->reverse->owner[c]))
            base_bitset_remove(safe, c);
        else if (!graph_part_keeps(x->process, x->part, (uint32_t)c))
            make_risky(x, (uint32_t)c);
    }
}

static void follow_lost(search *x)
{
    const graph_reverse *reverse = x->reverse;
    for (uint32_t i = 0; i < x->lost_count; i++) {
        uint32_t t = x->lost[i];
        if (graph_spend(x->workspace, (uint64_t)1 + reverse->begin[t + 1] - reverse->begin[t]))
            return;
        for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++) {
            uint32_t c = reverse->choice[j];
            if (base_bitset_has(&x->result->safe, c) && !base_bitset_has(&x->mec->choices, c))
                make_risky(x, c);
        }
    }
}

/* The worklist skips choices inside end components; removes those of lost components from `safe`. */
static void drop_lost_choices(search *x)
{
    const uint32_t *choice_begin = x->process->choice_begin;
    for (uint32_t i = 0; i < x->lost_count; i++)
        for (uint32_t c = choice_begin[x->lost[i]]; c < choice_begin[x->lost[i] + 1]; c++)
            base_bitset_remove(&x->result->safe, c);
}

/* Fills zero, one and safe. Leaves its scratch to the caller to release. */
static opac_status find_lost(search *x, const base_bitset *target, graph_workspace *workspace,
                             opac_error *error)
{
    x->open = graph_take_u32(workspace, x->process->state_count);
    x->lost = graph_take_u32(workspace, x->process->state_count);
    if (x->open == NULL || x->lost == NULL)
        return base_fail_memory(error);
    TRY(lose_zero(x, target, workspace, error));
    x->result->undecided = x->lost_count;
    count_leaving(x, target);
    avoid_leaving_part(x);
    follow_lost(x);
    drop_lost_choices(x);
    x->result->undecided = x->lost_count - x->result->undecided;
    return graph_workspace_check(workspace, error);
}

/* Initialises the sets of the result as if no state were lost. */
static opac_status take_sets(const graph_process *process, graph_part part,
                             graph_workspace *workspace, graph_max_reached *result,
                             opac_error *error)
{
    TRY(graph_take_set(workspace, process->state_count, &result->zero, error));
    TRY(graph_part_states(process, part, workspace, &result->one, error));
    TRY(graph_take_set(workspace, process->choice_count, &result->safe, error));
    if (part.choices != NULL)
        base_bitset_copy(&result->safe, part.choices);
    else
        base_bitset_fill(&result->safe);
    return OPAC_OK;
}

opac_status graph_max_reach(const graph_process *process, graph_part part,
                            const graph_reverse *reverse, const graph_mec *mec,
                            const base_bitset *target, graph_workspace *workspace,
                            graph_max_reached *result, opac_error *error)
{
    assert(graph_part_fits(process, part) && graph_set_fits(process, target));
    search x = {.process = process,
                .part = part,
                .reverse = reverse,
                .mec = mec,
                .result = result,
                .workspace = workspace};
    graph_attractor attractor;
    graph_part kept = {.states = &result->one, .choices = &result->safe};
    graph_place scratch, start = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, take_sets(process, part, workspace, result, error));
    scratch = graph_workspace_mark(workspace);
    TRY_OR(done, find_lost(&x, target, workspace, error));
    graph_workspace_release(workspace, scratch);
    /* The attractor of the target by safe choices is all of `one`. */
    TRY_OR(done, graph_attract_some(process, kept, reverse, target, workspace, &attractor, error));
    result->rank = attractor.rank;
    result->choice = attractor.choice;
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
