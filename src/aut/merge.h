/* SPDX-License-Identifier: MIT */
/*
 * Merging of states with the same language.
 *
 * In a deterministic automaton with a Büchi condition or a stronger one, states with the same language cannot
 * always be merged, since merging creates new cycles. Two ways are correct:
 *
 *   - Redirect edges to an equivalent state in a component that comes later in topological order. A run takes
 *     such an edge only finitely often, so from some point on it is a run of the original automaton from an
 *     equivalent state.
 *   - Redirect edges to an equivalent state, compare the result with the previous automaton (aut/compare.h),
 *     and keep it if the languages are equal.
 *
 * The second is repeated until no single state can be removed.
 */
#ifndef AUT_MERGE_H
#define AUT_MERGE_H

#include "aut/compare.h"

/*
 * Reduces the table in place. All of its states must be live. `edge_budget` bounds the number of edges
 * visited in comparisons, so that the cost is bounded and the result is the same on every machine. `counted`
 * is the work that all of it is counted in (base/work.h), or NULL.
 */
opac_status aut_merge_equivalent(aut_table *table, const aut_condition *condition,
                                 uint32_t mark_count, uint64_t edge_budget, base_work *counted,
                                 opac_error *error);

/* The graph of a table, without most repeated edges. Its arrays are allocated in the workspace. */
opac_status aut_table_graph(const aut_table *table, graph_workspace *workspace, aut_graph *graph,
                            opac_error *error);

#endif
