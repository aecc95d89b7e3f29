/* SPDX-License-Identifier: MIT */
/*
 * Merging states that accept the same words.
 *
 * In a deterministic automaton with a Büchi condition or a stronger one, states
 * with the same language cannot simply become one: which cycles are closed
 * matters. Two ways are safe:
 *
 *   - Leading edges to an equivalent state in a component further down. A run
 *     does that only finitely often, so what it sees in the end is what the
 *     automaton sees from an equivalent state.
 *   - Trying: redirect edges to an equivalent state, and compare the result
 *     with the automaton before, exactly (aut/compare.h).
 *
 * The second goes on until no single state can be removed any more.
 */
#ifndef AUT_MERGE_H
#define AUT_MERGE_H

#include "aut/compare.h"

/*
 * The table is reduced in place; all its states are live. work bounds the edges
 * looked at, so that the cost is bounded and the same on every machine. counted: the work that
 * all of it is counted in (base/work.h); NULL: none.
 */
opac_status aut_merge_equivalent(aut_table *table, const aut_condition *condition,
                                 uint32_t mark_count, uint64_t work, base_work *counted,
                                 opac_error *error);

/* The graph of a table, edges that repeat left out; its arrays live in the workspace. */
opac_status aut_table_graph(const aut_table *table, graph_workspace *workspace, aut_graph *graph,
                            opac_error *error);

#endif
