/* SPDX-License-Identifier: MIT */
/*
 * States of an automaton from which every word is accepted, as one sees at
 * once: for some set of marks that satisfies the condition, the loops with
 * exactly these marks cover every letter. Marks that the condition does not
 * name are not looked at, so under the condition t any loops will do.
 *
 * Whoever chooses the moves can then loop for ever, and the run is accepted
 * whatever the letters are; what other edges the state has does not matter.
 */
#ifndef PRODUCT_UNIVERSAL_STATES_H
#define PRODUCT_UNIVERSAL_STATES_H

#include "aut/automaton.h"
#include "base/bitset.h"

/* Adds the universal states to a set; marks[q] of such a state are those of its loops. */
opac_status product_find_universal_states(const opac_automaton *automaton, base_bitset *states,
                                          uint64_t *marks, opac_error *error);

#endif
