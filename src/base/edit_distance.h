/* SPDX-License-Identifier: MIT */
/* Edit distance, which decides what opac_text_nearest takes for meant. */
#ifndef BASE_EDIT_DISTANCE_H
#define BASE_EDIT_DISTANCE_H

#include <stddef.h>

enum {
    BASE_LONGEST_WORD = 64
};

/*
 * The least number of insertions, deletions and replacements of a byte and
 * swaps of two adjacent ones that turn one word into the other, no part being
 * edited twice (optimal string alignment). A word beyond BASE_LONGEST_WORD
 * bytes is taken to be as far from all others as the longer of the two is long.
 */
size_t base_edit_distance(const char *left, const char *right);

#endif
