/* SPDX-License-Identifier: MIT */
/*
 * Strongly connected subgraphs of a graph with marks on its edges, extracted and renumbered, so that the
 * analysis of one costs no more than its own size.
 *
 *     state    │ 7 │ 9 │ 12 │            numbers in the whole graph, ascending
 *     begin    │ 0 │ 2 │ 3 │ 5 │         by own number, and one more
 *     target   │ 1 │ 2 │ 0 │ 0 │ 1 │     own numbers
 *     edge     │ . │ . │ . │ . │ . │     numbers in the whole graph, ascending
 *     marks    │ . │ . │ . │ . │ . │
 *
 * A subgraph has at least one edge, and a closed walk through all of its edges.
 */
#ifndef AUT_SUBGRAPHS_H
#define AUT_SUBGRAPHS_H

#include "graph/scc.h"

typedef struct aut_subgraph {
    uint32_t state_count, edge_count;
    const uint32_t *state, *begin, *target, *edge;
    const uint64_t *marks;
    uint64_t all_marks; /* union over its edges */
    uint32_t component; /* number of its strongly connected component */
} aut_subgraph;

typedef struct aut_subgraphs {
    uint32_t count;
    aut_subgraph *items;
} aut_subgraphs;

/*
 * Extracts the subgraph of each component of a graph in compressed rows, in the order of the components.
 * Edges between components are left out. So are edges that are not in `edges`, unless that is NULL.
 * Linear. The result is allocated in the workspace.
 */
opac_status aut_subgraphs_extract(uint32_t states, const uint32_t *begin, const uint32_t *target,
                                  const uint64_t *marks, const base_bitset *edges,
                                  const graph_scc *scc, graph_workspace *workspace,
                                  aut_subgraphs *subgraphs, opac_error *error);

/* Extracts the strongly connected subgraphs that remain without the edges that carry a mark of `without`.
 * Linear. The result is allocated in the workspace. */
opac_status aut_subgraph_split(const aut_subgraph *subgraph, uint64_t without,
                               graph_workspace *workspace, aut_subgraphs *subgraphs,
                               opac_error *error);

#endif
