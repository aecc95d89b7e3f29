/* SPDX-License-Identifier: MIT */
/*
 * The reserved words of the PRISM language: those of models, and the operators of properties (A, F, Pmax, …),
 * which are not allowed as names in models either.
 */
#ifndef PRISM_RESERVED_WORDS_H
#define PRISM_RESERVED_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* In ASCII order, as the table in reserved_words.c. */
typedef enum prism_word {
    PRISM_WORD_NONE,
    PRISM_WORD_A,
    PRISM_WORD_C,
    PRISM_WORD_E,
    PRISM_WORD_F,
    PRISM_WORD_G,
    PRISM_WORD_I,
    PRISM_WORD_P,
    PRISM_WORD_PMAX,
    PRISM_WORD_PMIN,
    PRISM_WORD_R,
    PRISM_WORD_RMAX,
    PRISM_WORD_RMIN,
    PRISM_WORD_S,
    PRISM_WORD_U,
    PRISM_WORD_W,
    PRISM_WORD_X,
    PRISM_WORD_BOOL,
    PRISM_WORD_CLOCK,
    PRISM_WORD_CONST,
    PRISM_WORD_CTMC,
    PRISM_WORD_DOUBLE,
    PRISM_WORD_DTMC,
    PRISM_WORD_ENDINIT,
    PRISM_WORD_ENDINVARIANT,
    PRISM_WORD_ENDMODULE,
    PRISM_WORD_ENDOBSERVABLES,
    PRISM_WORD_ENDREWARDS,
    PRISM_WORD_ENDSYSTEM,
    PRISM_WORD_FALSE,
    PRISM_WORD_FILTER,
    PRISM_WORD_FORMULA,
    PRISM_WORD_FUNC,
    PRISM_WORD_GLOBAL,
    PRISM_WORD_INIT,
    PRISM_WORD_INT,
    PRISM_WORD_INVARIANT,
    PRISM_WORD_LABEL,
    PRISM_WORD_MAX,
    PRISM_WORD_MDP,
    PRISM_WORD_MIN,
    PRISM_WORD_MODULE,
    PRISM_WORD_NONDETERMINISTIC,
    PRISM_WORD_OBSERVABLE,
    PRISM_WORD_OBSERVABLES,
    PRISM_WORD_POMDP,
    PRISM_WORD_POPTA,
    PRISM_WORD_PROB,
    PRISM_WORD_PROBABILISTIC,
    PRISM_WORD_PTA,
    PRISM_WORD_RATE,
    PRISM_WORD_REWARDS,
    PRISM_WORD_STOCHASTIC,
    PRISM_WORD_SYSTEM,
    PRISM_WORD_TRUE,
    PRISM_WORD_COUNT
} prism_word;

/* PRISM_WORD_NONE if it is not reserved. */
prism_word prism_word_find(const char *text, size_t length);
const char *prism_word_text(prism_word word);

/* Whether the word opens a section of a model (module, const, dtmc, …). */
bool prism_word_opens(prism_word word);
/* Whether the word closes a section (endmodule, …). */
bool prism_word_closes(prism_word word);

/*
 * The opening or closing word that is most similar to a misspelt one; PRISM_WORD_NONE if none is similar.
 */
prism_word prism_word_nearest(const char *text, size_t length);

#endif
