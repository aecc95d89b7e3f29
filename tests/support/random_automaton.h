/* SPDX-License-Identifier: MIT */
/* Random conditions and automata for property tests: the same seed gives the same ones. */
#ifndef SUPPORT_RANDOM_AUTOMATON_H
#define SUPPORT_RANDOM_AUTOMATON_H

#include "aut/automaton.h"
#include "support/random.h"

/* A random tree with so many gates over the marks 0 … marks-1, most in turn; constants are rare. */
aut_condition random_condition(uint64_t *random, uint32_t marks, uint32_t gates);

/* A condition in HOA's syntax, written without mistakes. */
aut_condition random_condition_parse(const char *text);

typedef struct random_automaton_shape {
    uint32_t states, propositions;
    uint32_t marks; /* few, unless it is deterministic: word_accepts tries all sets of them */
    uint32_t gates; /* of the condition */
    uint32_t edge_percent;    /* deterministic: a letter has an edge; else: a target has one */
    uint32_t mark_percent;    /* an edge has a given mark */
    bool is_deterministic;    /* and without epsilon */
    uint32_t epsilon_percent; /* not deterministic: an edge is an epsilon edge */
} random_automaton_shape;

/*
 * State 0 is initial; if not deterministic, others may be as well. The condition
 * NULL: a random one. Fails the test when it cannot be built.
 */
opac_automaton *random_automaton(uint64_t *random, random_automaton_shape shape,
                                 const aut_condition *condition);

/* A shape with 1 … states, 1 … propositions, 0 … marks of everything else drawn at random. */
random_automaton_shape random_automaton_draw(uint64_t *random, uint32_t states,
                                             uint32_t propositions, uint32_t marks);

#endif
