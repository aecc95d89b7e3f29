/* SPDX-License-Identifier: MIT */
/* Properties of automata for tests. */
#ifndef SUPPORT_AUTOMATON_CHECKS_H
#define SUPPORT_AUTOMATON_CHECKS_H

#include "aut/automaton.h"

/*
 * The simpler acceptance conditions that suffice for the language of a deterministic automaton, by its
 * alternating cycle decomposition. For a nondeterministic automaton: conditions that are equivalent on this
 * automaton.
 */
typedef struct aut_language {
    bool is_buchi;   /* recognised by a deterministic Büchi automaton */
    bool is_cobuchi; /* likewise co-Büchi */
    bool is_weak;    /* both */
} aut_language;

opac_status aut_language_of(const opac_automaton *automaton, aut_language *language,
                            opac_error *error);

/* Whether in every state all edges have the same marks. */
bool aut_is_state_based(const opac_automaton *automaton);

#endif
