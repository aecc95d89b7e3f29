/* SPDX-License-Identifier: MIT */
/* The table of reserved words, with binary search. */
#include "prism/reserved_words.h"

#include <string.h>

#include <omegapac/text.h>

static const char *const words[PRISM_WORD_COUNT] = {
    "",
    "A",
    "C",
    "E",
    "F",
    "G",
    "I",
    "P",
    "Pmax",
    "Pmin",
    "R",
    "Rmax",
    "Rmin",
    "S",
    "U",
    "W",
    "X",
    "bool",
    "clock",
    "const",
    "ctmc",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endobservables",
    "endrewards",
    "endsystem",
    "false",
    "filter",
    "formula",
    "func",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "max",
    "mdp",
    "min",
    "module",
    "nondeterministic",
    "observable",
    "observables",
    "pomdp",
    "popta",
    "prob",
    "probabilistic",
    "pta",
    "rate",
    "rewards",
    "stochastic",
    "system",
    "true",
};

enum {
    LONGEST_WORD = 16 /* nondeterministic */
};

/* As strcmp(text, word), for a text that is not NUL-terminated. */
static int compare(const char *text, size_t length, const char *word)
{
    int order = strncmp(text, word, length);
    return order != 0 ? order : -(word[length] != '\0');
}

prism_word prism_word_find(const char *text, size_t length)
{
    size_t low = 1, high = PRISM_WORD_COUNT;
    if (length > LONGEST_WORD || length == 0)
        return PRISM_WORD_NONE;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(text, length, words[middle]);
        if (order == 0)
            return (prism_word)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return PRISM_WORD_NONE;
}

const char *prism_word_text(prism_word word)
{
    return words[word];
}

bool prism_word_opens(prism_word word)
{
    switch (word) {
    case PRISM_WORD_CONST:
    case PRISM_WORD_CTMC:
    case PRISM_WORD_DTMC:
    case PRISM_WORD_FORMULA:
    case PRISM_WORD_GLOBAL:
    case PRISM_WORD_INIT:
    case PRISM_WORD_INVARIANT:
    case PRISM_WORD_LABEL:
    case PRISM_WORD_MDP:
    case PRISM_WORD_MODULE:
    case PRISM_WORD_NONDETERMINISTIC:
    case PRISM_WORD_OBSERVABLE:
    case PRISM_WORD_OBSERVABLES:
    case PRISM_WORD_POMDP:
    case PRISM_WORD_POPTA:
    case PRISM_WORD_PROB:
    case PRISM_WORD_PROBABILISTIC:
    case PRISM_WORD_PTA:
    case PRISM_WORD_RATE:
    case PRISM_WORD_REWARDS:
    case PRISM_WORD_STOCHASTIC:
    case PRISM_WORD_SYSTEM:
        return true;
    default:
        return false;
    }
}

bool prism_word_closes(prism_word word)
{
    return word >= PRISM_WORD_ENDINIT && word <= PRISM_WORD_ENDSYSTEM;
}

prism_word prism_word_nearest(const char *text, size_t length)
{
    const char *candidates[PRISM_WORD_COUNT];
    char word[2 * LONGEST_WORD];
    size_t count = 0;
    if (length >= sizeof word)
        return PRISM_WORD_NONE;
    memcpy(word, text, length);
    word[length] = '\0';
    for (prism_word i = PRISM_WORD_NONE + 1; i < PRISM_WORD_COUNT; i++)
        if (prism_word_opens(i) || prism_word_closes(i))
            candidates[count++] = words[i];
    const char *found = opac_text_nearest(word, candidates, count);
    return found != NULL ? prism_word_find(found, strlen(found)) : PRISM_WORD_NONE;
}
