/* SPDX-License-Identifier: MIT */
/*
 * The names of enumerators, in options and in results. The name of a value is at its index, so a new
 * enumerator needs a line here and nowhere else in the library. The rules for k have their names beside
 * their formulas, in stat/bounds.c (opac_k_rule_name).
 */
#include <string.h>

#include "sample/learning.h"

enum {
    MOST_WORDS = 13
};

static const char *const table[][MOST_WORDS + 1] = {
    [OPAC_ENUM_STOP] = {"policy", "all-actions"},
    [OPAC_ENUM_SAMPLER] = {"auto", "population", "step"},
    [OPAC_ENUM_EXPLORE] = {"episodes", "generative"},
    [OPAC_ENUM_COUNTS] = {"model", "product"},
    [OPAC_ENUM_END] = {"done", "max-steps", "max-seconds", "stopped", "exceeded", "livelock",
                       "refuted", "max-memory"},
    [OPAC_ENUM_REFUTATION] = {"none", "frequency", "support", "edge", "width", "sum", "recurrence",
                              "verdict", "crossing", "class", "outcome", "alike", "new-outcome"},
    [OPAC_ENUM_CHECK] = {"unchecked", "consistent", "refuted"},
    [OPAC_ENUM_ANSWER] = {"none", "yes", "no", "undecided"},
};

const char *opac_learn_enum_name(opac_learn_enum words, unsigned value)
{
    bool is_known = (unsigned)words < sizeof table / sizeof *table && value < MOST_WORDS;
    return is_known ? table[words][value] : NULL;
}

bool opac_learn_enum_find(opac_learn_enum words, const char *word, unsigned *value)
{
    const char *known;
    for (unsigned i = 0; (known = opac_learn_enum_name(words, i)) != NULL; i++)
        if (strcmp(known, word) == 0) {
            *value = i;
            return true;
        }
    return false;
}
