/* SPDX-License-Identifier: MIT */
/*
 * Cycles of a graph with marks on its edges, and whether some of them satisfy
 * an acceptance condition.
 *
 * The graph is a process of the room `graph` in which each edge is a choice of
 * its own, so that a part of its edges is a part of the process.
 *
 *     aut_graph graph;
 *     status = aut_graph_of(automaton, &workspace, &graph, error);
 *     status = aut_cycles_scan(&graph, (graph_part){0}, &condition, &workspace, &scan, error);
 *     base_bitset_has(&scan.accepting, scan.scc.component[state])
 *
 * A component accepts when one of its cycles (closed walks, which may visit
 * states more than once) satisfies the condition. Deciding that is NP-hard in
 * the number of marks under Fin; it is linear for each set of marks that has to
 * be avoided, and conditions of practice have few.
 */
#ifndef AUT_CYCLES_H
#define AUT_CYCLES_H

#include "aut/automaton.h"
#include "aut/pieces.h"

typedef struct aut_graph {
    graph_process process; /* choices are edges, in the order of the automaton */
    const uint64_t *marks; /* by edge */
} aut_graph;

/* The graph of an automaton; its arrays live in the workspace. */
opac_status aut_graph_of(const opac_automaton *automaton, graph_workspace *workspace,
                         aut_graph *graph, opac_error *error);

/* A graph over arrays that somebody else keeps: begin has states + 1 entries. */
opac_status aut_graph_borrow(uint32_t states, const uint32_t *begin, const uint32_t *target,
                             const uint64_t *marks, graph_workspace *workspace, aut_graph *graph,
                             opac_error *error);

/* The pieces of the components of a part of the graph. */
opac_status aut_graph_pieces(const aut_graph *graph, graph_part part, const graph_scc *scc,
                             graph_workspace *workspace, aut_pieces *pieces, opac_error *error);

typedef struct aut_scan {
    graph_scc scc;
    base_bitset accepting; /* by component: some cycle in it satisfies the condition */
    uint64_t work;         /* edges looked at, a measure of the cost */
} aut_scan;

/* Results live in the workspace. */
opac_status aut_cycles_scan(const aut_graph *graph, graph_part part, const aut_condition *condition,
                            graph_workspace *workspace, aut_scan *scan, opac_error *error);

/* The states of the part from which an accepting component can be reached, in the workspace. */
opac_status aut_cycles_live(const aut_graph *graph, graph_part part, const aut_scan *scan,
                            graph_workspace *workspace, base_bitset *live, opac_error *error);

#endif
