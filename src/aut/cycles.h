/* SPDX-License-Identifier: MIT */
/*
 * Which strongly connected components of a graph with marks on its edges contain a cycle that satisfies an
 * acceptance condition.
 *
 * The graph is a graph_process (graph/process.h) in which each edge is a choice of its own, so that a subset
 * of the edges is a part of the process.
 *
 *     aut_graph graph;
 *     status = aut_graph_of(automaton, &workspace, &graph, error);
 *     status = aut_find_accepting_sccs(&graph, (graph_part){0}, &condition, &workspace, &info, error);
 *     base_bitset_has(&info.accepting, info.scc.component[state])
 *
 * A component is accepting if one of its cycles satisfies the condition. A cycle is a closed walk, which may
 * visit states more than once. Deciding this is NP-hard in the number of marks under Fin. The algorithm is
 * linear for each set of marks that has to be avoided, and conditions that occur in practice have few.
 */
#ifndef AUT_CYCLES_H
#define AUT_CYCLES_H

#include "aut/automaton.h"
#include "aut/subgraphs.h"

typedef struct aut_graph {
    graph_process process; /* choices are edges, in the order of the automaton */
    const uint64_t *marks; /* by edge */
} aut_graph;

/* The graph of an automaton. Its arrays are allocated in the workspace. */
opac_status aut_graph_of(const opac_automaton *automaton, graph_workspace *workspace,
                         aut_graph *graph, opac_error *error);

/* A graph over arrays of the caller, which must outlive it. `begin` has states + 1 entries. */
opac_status aut_graph_borrow(uint32_t states, const uint32_t *begin, const uint32_t *target,
                             const uint64_t *marks, graph_workspace *workspace, aut_graph *graph,
                             opac_error *error);

/* The subgraphs of the components of a part of the graph. */
opac_status aut_graph_subgraphs(const aut_graph *graph, graph_part part, const graph_scc *scc,
                                graph_workspace *workspace, aut_subgraphs *subgraphs,
                                opac_error *error);

typedef struct aut_scc_info {
    graph_scc scc;
    base_bitset accepting;  /* by component: some cycle in it satisfies the condition */
    uint64_t edges_visited; /* a measure of the cost */
} aut_scc_info;

/* Finds the components of the part, and which of them are accepting. The result is allocated in the
 * workspace. */
opac_status aut_find_accepting_sccs(const aut_graph *graph, graph_part part,
                                    const aut_condition *condition, graph_workspace *workspace,
                                    aut_scc_info *info, opac_error *error);

/* The states of the part from which an accepting component can be reached. Allocated in the workspace. */
opac_status aut_find_live_states(const aut_graph *graph, graph_part part, const aut_scc_info *info,
                                 graph_workspace *workspace, base_bitset *live, opac_error *error);

#endif
