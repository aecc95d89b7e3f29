/* SPDX-License-Identifier: MIT */
/*
 * Whether an automaton accepts an ultimately periodic word: the oracle for all functions that build or
 * change automata. It follows the definition and shares no code with src/aut: it searches the product of
 * automaton and word for a reachable closed walk that reads letters and whose marks satisfy the condition,
 * by trying all sets of marks that the walk may avoid.
 */
#ifndef SUPPORT_WORD_AUTOMATON_H
#define SUPPORT_WORD_AUTOMATON_H

#include "aut/automaton.h"
#include "support/lasso.h"

/* Letters have bit i for proposition i of the automaton. Any automaton, epsilon edges too. */
bool word_accepts(const opac_automaton *automaton, const ltl_lasso *word);

enum {
    WORD_MOST_LETTERS = 12
};

/* A word with letters of its own. */
typedef struct word_sample {
    uint64_t letters[WORD_MOST_LETTERS];
    ltl_lasso word;
} word_sample;

/*
 * The words u·v^ω with u and v of at most `most` letters together, over so many
 * propositions, one after the other: start with index 0; false when there are
 * no more. The word stays valid while the sample lives where it is.
 */
bool word_enumerate(uint32_t propositions, uint32_t most, uint64_t index, word_sample *sample);

/* A random one, of 1 … most letters. */
void word_draw(uint64_t *random, uint32_t propositions, uint32_t most, word_sample *sample);

/*
 * Fails the test when two automata over the same propositions differ on a word
 * of the usual selection: all words up to 4 letters when they are at most
 * `words`, else that many random ones of up to 8 letters.
 */
void word_assert_same(const opac_automaton *a, const opac_automaton *b, uint64_t *random,
                      uint32_t words);

#endif
