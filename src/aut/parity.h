/* SPDX-License-Identifier: MIT */
/*
 * Parity automata, max even, from any automaton: its components are unfolded
 * along their trees of cycles (unfold_cycles.h). Determinism, and being good for
 * decision processes, are kept, since runs correspond one for one. No parity
 * automaton made by following the given one has fewer states (Casares,
 * Colcombet, Fijalkow 2021, Theorem 4.31), nor fewer priorities.
 */
#ifndef AUT_PARITY_H
#define AUT_PARITY_H

#include "aut/automaton.h"

/*
 * The condition is the canonical one of HOA for max even; edges without a mark
 * count as a priority below 0. Trimmed and reduced. state_limit 0: AUT_STATE_LIMIT.
 */
opac_status aut_to_parity(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                          opac_error *error);

/* The same, with at most so many priorities; *made is NULL when more are needed. */
opac_status aut_to_parity_at_most(const opac_automaton *given, uint32_t state_limit, uint32_t most,
                                  opac_automaton **made, opac_error *error);

#endif
