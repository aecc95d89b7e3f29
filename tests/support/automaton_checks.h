/* SPDX-License-Identifier: MIT */
/* What tests ask of automata that the library made. */
#ifndef SUPPORT_AUTOMATON_CHECKS_H
#define SUPPORT_AUTOMATON_CHECKS_H

#include "aut/automaton.h"

/*
 * What simpler conditions the language of a deterministic automaton allows, by
 * the trees of its cycles. For one that is not deterministic: what conditions
 * this automaton could have.
 */
typedef struct aut_language {
    bool is_buchi;   /* recognised by a deterministic Büchi automaton */
    bool is_cobuchi; /* likewise co-Büchi */
    bool is_weak;    /* both */
} aut_language;

opac_status aut_language_of(const opac_automaton *automaton, aut_language *language,
                            opac_error *error);

/* Whether all edges of a state carry the same marks, of every state. */
bool aut_is_state_based(const opac_automaton *automaton);

#endif
