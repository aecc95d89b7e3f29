/* SPDX-License-Identifier: MIT */
/* Conversion of an automaton to the requested kind. */
#ifndef AUT_CONVERT_H
#define AUT_CONVERT_H

#include "aut/automaton.h"

/*
 * Makes a reduced automaton of the requested kind with the same language, which shares the label store. See
 * opac_automaton_convert.
 */
opac_status aut_convert(const opac_automaton *given, const opac_automaton_options *options,
                        opac_automaton **automaton, opac_error *error);

/* A copy of the result of a conversion with a label store of its own, which borrows no work. */
opac_status aut_detach(const opac_automaton *made, opac_automaton **automaton, opac_error *error);

/* The limit on states: that of the options, or the default. */
uint32_t aut_state_limit(const opac_automaton_options *options);

/* Keeps in *best the automaton with fewer states, then marks, then edges. *best may be NULL. Consumes
 * `other`. */
void aut_keep_smaller(opac_automaton **best, opac_automaton *other);

#endif
