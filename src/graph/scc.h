/* SPDX-License-Identifier: MIT */
/*
 * Strongly connected components of a part of a process, their states, and their classification. Linear
 * time, with an explicit stack (search.h), so that long paths do not overflow the call stack.
 *
 * Components are in reverse topological order: edges lead to smaller or equal numbers, so that a pass
 * over components 0, 1, … visits the successors of a component before the component itself.
 */
#ifndef GRAPH_SCC_H
#define GRAPH_SCC_H

#include "graph/part.h"

typedef struct graph_scc {
    uint32_t count;
    const uint32_t *component; /* by state; GRAPH_NONE outside the part */
} graph_scc;

/* Ignores edges of choices outside the part and edges to states outside it. */
opac_status graph_scc_find(const graph_process *process, graph_part part,
                           graph_workspace *workspace, graph_scc *scc, opac_error *error);

/* The states of group i, ascending, are state[begin[i]] … state[begin[i+1] - 1]. */
typedef struct graph_groups {
    const uint32_t *begin; /* group_count + 1 items */
    const uint32_t *state;
} graph_groups;

/* Counting sort of the states by group; GRAPH_NONE: in no group. Linear time. */
opac_status graph_group_states(const uint32_t *group, uint32_t state_count, uint32_t group_count,
                               graph_workspace *workspace, graph_groups *groups, opac_error *error);

/*
 * Computes the set of bottom components, which no edge of the part leaves, and the set of trivial
 * components, which have no edge inside (one state without a loop). Linear time.
 */
opac_status graph_scc_classify(const graph_process *process, graph_part part, const graph_scc *scc,
                               graph_workspace *workspace, base_bitset *bottom,
                               base_bitset *trivial, opac_error *error);

#endif
