/* SPDX-License-Identifier: MIT */
/*
 * The smallest deterministic weak automaton (Löding, "Efficient minimization of
 * deterministic weak ω-automata", 2001).
 *
 * Components are coloured from the bottom up: the least colour that is not
 * below those of its successors and is even if the component accepts, odd if it
 * rejects; one without a cycle takes the largest of its successors. The colour
 * depends on the language of a state alone. So, with acceptance by even colour,
 * minimising is that of automata on finite words.
 */
#ifndef AUT_WEAK_H
#define AUT_WEAK_H

#include "aut/cycles.h"
#include "aut/table.h"

/*
 * Minimises a table all of whose components are either accepting (in
 * `accepting`, by component) or have only rejecting cycles, all states being
 * live. Edges of accepting states then carry mark 0, to be read as Inf(0).
 */
opac_status aut_weak_minimize(aut_table *table, const graph_scc *scc, const base_bitset *accepting,
                              graph_workspace *workspace, opac_error *error);

#endif
