/* SPDX-License-Identifier: MIT */
/*
 * Merging of bisimilar states: the quotient by the coarsest equivalence in which equivalent states have, for
 * each letter, edges with the same marks to equivalent states.
 */
#ifndef AUT_BISIMULATION_H
#define AUT_BISIMULATION_H

#include "aut/automaton.h"

/*
 * The result has a state for each class, in the order of the first members, with their names. The condition
 * stays the same. The edges of a state are sorted again whenever a class of its successors is split: in total
 * about O(m log n) for n states with few edges each and m edges.
 */
opac_status aut_merge_bisimilar(const opac_automaton *given, opac_automaton **made,
                                opac_error *error);

#endif
