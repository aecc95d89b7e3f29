/* SPDX-License-Identifier: MIT */
/*
 * The graph of the policy for the population sampler: the product states that the policy is known to reach,
 * each with its choice.
 *
 *     nodes    ┌───────────────────────┐
 *              │ product state, choice │
 *              │ edge, width           │──► targets[edge … edge+width-1]: the node of each branch,
 *              │ tally                 │                                 POPULATION_GAP: not seen yet
 *              └──────────┬────────────┘
 *                         ▼
 *     tallies  counters that are not known: the observations that they still accept
 *
 * A branch is a gap until a counted episode has taken it or has reached its product state. So the graph is
 * a function of the statistics and the policy, not of what was drawn. Node 0 is the start; nodes are
 * numbered breadth first.
 */
#ifndef SAMPLE_POPULATION_GRAPH_H
#define SAMPLE_POPULATION_GRAPH_H

#include "sample/run.h"

#define POPULATION_GAP      UINT32_MAX       /* in targets */
#define POPULATION_ABSORBED (UINT32_MAX - 1) /* in targets: the episode ends there */

typedef struct population_node {
    uint32_t product_state, choice;
    uint32_t row;         /* SAMPLE_NONE if the choice is free */
    uint32_t edge, width; /* a free choice has width 1 */
    uint32_t tally;       /* SAMPLE_NONE if the choice is free or known */
} population_node;
BASE_VEC(population_node_vec, population_node);

typedef struct population_tally {
    uint32_t counter;
    uint64_t remaining; /* at least 1 */
} population_tally;
BASE_VEC(population_tally_vec, population_tally);

/* All zeros is an empty graph. */
typedef struct population_graph {
    population_node_vec nodes; /* none: episodes are over where they begin */
    base_u32_vec targets;
    population_tally_vec tallies;
    base_u32_vec node_of;  /* by product state; SAMPLE_NONE if not in the graph */
    base_u32_vec tally_of; /* by counter; likewise */
} population_graph;

void population_graph_fini(population_graph *graph);
/* Must come after the first reset. Adds no product states and no links to the statistics. */
opac_status population_graph_build(population_graph *graph, sample_run *run, opac_error *error);

#endif
