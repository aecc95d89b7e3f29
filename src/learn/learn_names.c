/* SPDX-License-Identifier: MIT */
/* Words for the values of enumerations, in options and in results. */
#include <string.h>

#include "sample/learning.h"

enum {
    MOST_WORDS = 8
};

static const char *const table[][MOST_WORDS + 1] = {
    [OPAC_WORDS_STOP] = {"policy", "all-actions"},
    [OPAC_WORDS_SAMPLER] = {"auto", "population", "step"},
    [OPAC_WORDS_EXPLORE] = {"episodes", "generative"},
    [OPAC_WORDS_COUNTS] = {"model", "product"},
    [OPAC_WORDS_END] = {"done", "max-steps", "max-seconds", "stopped", "exceeded", "livelock",
                        "refuted", "max-memory"},
    [OPAC_WORDS_REFUTATION] = {"none", "frequency", "support", "edge", "width", "sum"},
    [OPAC_WORDS_CHECK] = {"unchecked", "consistent", "refuted"},
};

const char *opac_learn_word(opac_learn_words words, unsigned value)
{
    bool is_known = (unsigned)words < sizeof table / sizeof *table && value < MOST_WORDS;
    return is_known ? table[words][value] : NULL;
}

bool opac_learn_word_find(opac_learn_words words, const char *word, unsigned *value)
{
    const char *known;
    for (unsigned i = 0; (known = opac_learn_word(words, i)) != NULL; i++)
        if (strcmp(known, word) == 0) {
            *value = i;
            return true;
        }
    return false;
}
