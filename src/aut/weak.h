/* SPDX-License-Identifier: MIT */
/*
 * Minimization of deterministic weak automata (Löding, "Efficient minimization of deterministic weak
 * ω-automata", 2001).
 *
 * Components are coloured in reverse topological order. The colour of a component is the least one that is at
 * least the colours of its successors, and even if the component is accepting, odd if it is rejecting. A
 * component without a cycle gets the largest colour of its successors. The colour of a state depends only on
 * its language. So, if a state is called accepting if its colour is even, minimization is the same as for
 * automata on finite words.
 */
#ifndef AUT_WEAK_H
#define AUT_WEAK_H

#include "aut/cycles.h"
#include "aut/table.h"

/*
 * Minimizes a table in which no component has both accepting and rejecting cycles, and all states are live.
 * `accepting` is the set of accepting components. In the result the edges of accepting states carry mark 0,
 * for the condition Inf(0).
 */
opac_status aut_weak_minimize(aut_table *table, const graph_scc *scc, const base_bitset *accepting,
                              graph_workspace *workspace, opac_error *error);

#endif
