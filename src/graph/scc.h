/* SPDX-License-Identifier: MIT */
/*
 * Strongly connected components of a part of a process, and what is asked of
 * them next. Linear time and an explicit stack (search.h); a path of ten
 * million states is as good as any other graph.
 *
 * Components are numbered so that edges lead to smaller or equal numbers:
 * bottom components come first, and a pass over components 0, 1, … meets the
 * successors of a component before the component itself.
 */
#ifndef GRAPH_SCC_H
#define GRAPH_SCC_H

#include "graph/part.h"

typedef struct graph_scc {
    uint32_t count;
    const uint32_t *component; /* by state; GRAPH_NONE outside the part */
} graph_scc;

/* Edges of choices outside the part, and edges to states outside, are not there. */
opac_status graph_scc_find(const graph_process *process, graph_part part,
                           graph_workspace *workspace, graph_scc *scc, opac_error *error);

/* The states of group i, ascending, are state[begin[i]] … state[begin[i+1] - 1]. */
typedef struct graph_groups {
    const uint32_t *begin; /* group_count + 1 */
    const uint32_t *state;
} graph_groups;

/* Groups states by number (GRAPH_NONE: in no group), by counting. Linear. */
opac_status graph_group_states(const uint32_t *group, uint32_t state_count, uint32_t group_count,
                               graph_workspace *workspace, graph_groups *groups, opac_error *error);

/*
 * Of each component: does no edge of the part leave it (bottom), and has it no
 * edge at all inside (trivial: one state without a loop)? Linear.
 */
opac_status graph_scc_classify(const graph_process *process, graph_part part, const graph_scc *scc,
                               graph_workspace *workspace, base_bitset *bottom,
                               base_bitset *trivial, opac_error *error);

#endif
