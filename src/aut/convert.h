/* SPDX-License-Identifier: MIT */
/* From any automaton to the kind that was asked for. */
#ifndef AUT_CONVERT_H
#define AUT_CONVERT_H

#include "aut/automaton.h"

/*
 * An automaton with the same language, reduced, of the kind that the options
 * ask for; labels are shared. See opac_automaton_convert.
 */
opac_status aut_convert(const opac_automaton *given, const opac_automaton_options *options,
                        opac_automaton **automaton, opac_error *error);

/* A copy with labels of its own, which borrow no work, of what a conversion made. */
opac_status aut_hand_out(const opac_automaton *made, opac_automaton **automaton, opac_error *error);

/* The limit on states that the options ask for. */
uint32_t aut_state_limit(const opac_automaton_options *options);

/* The one with fewer states, then marks, then edges stays in *best (NULL: none yet); takes both. */
void aut_keep_smaller(opac_automaton **best, opac_automaton *other);

#endif
