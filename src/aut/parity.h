/* SPDX-License-Identifier: MIT */
/*
 * Conversion to parity automata (max even), by unfolding the components of the automaton along the
 * alternating cycle decomposition (unfold_cycles.h). Runs correspond one to one, so a deterministic automaton
 * stays deterministic, and an automaton that is good for MDPs stays so. No parity automaton whose states
 * refine those of the given automaton has fewer states (Casares, Colcombet, Fijalkow 2021, Theorem 4.31) or
 * fewer priorities.
 */
#ifndef AUT_PARITY_H
#define AUT_PARITY_H

#include "aut/automaton.h"

/*
 * The condition is HOA's canonical one for parity max even; edges without a mark count as a priority below 0.
 * The result is trimmed, and bisimilar states are merged. A state_limit of 0 stands for AUT_STATE_LIMIT.
 */
opac_status aut_to_parity(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                          opac_error *error);

/* The same with at most `most` priorities. *made is NULL if more are necessary. */
opac_status aut_to_parity_at_most(const opac_automaton *given, uint32_t state_limit, uint32_t most,
                                  opac_automaton **made, opac_error *error);

#endif
