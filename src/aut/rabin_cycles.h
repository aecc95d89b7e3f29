/* SPDX-License-Identifier: MIT */
/* Rabin automata by the alternating cycle decomposition; see rabin.h. */
#ifndef AUT_RABIN_CYCLES_H
#define AUT_RABIN_CYCLES_H

#include "aut/automaton.h"

/* The automaton must be trimmed. */
opac_status aut_rabin_by_cycles(const opac_automaton *trimmed, uint32_t state_limit,
                                opac_automaton **made, opac_error *error);

#endif
