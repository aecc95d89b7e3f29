/* SPDX-License-Identifier: MIT */
/*
 * Universal states of an automaton, recognised by their self-loops: a state is universal if, for some set
 * of marks that satisfies the acceptance condition, the labels of its self-loops with exactly these marks
 * cover every letter. Marks that the condition does not mention are ignored, so under the condition t any
 * marks satisfy it.
 *
 * From such a state every word is accepted: a policy that always chooses one of these loops never leaves the
 * state, and the run sees exactly these marks infinitely often. Other edges of the state do not matter
 * (docs/theory.md, Lemma 1). The criterion is sufficient, not necessary.
 */
#ifndef PRODUCT_UNIVERSAL_STATES_H
#define PRODUCT_UNIVERSAL_STATES_H

#include "aut/automaton.h"
#include "base/bitset.h"

/* Adds the universal states to a set. For a universal state q, marks[q] are the marks of its loops. */
opac_status product_find_universal_states(const opac_automaton *automaton, base_bitset *states,
                                          uint64_t *marks, opac_error *error);

#endif
