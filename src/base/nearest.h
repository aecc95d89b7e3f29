/* SPDX-License-Identifier: MIT */
/* Which known word was meant: edit distance, for "did you mean". */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

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

/*
 * The closest candidate, the first of several; NULL when none is close. Close
 * is at most a third of the longer word (at least one edit, and never as many
 * as the word has letters). Candidates are borrowed.
 */
const char *base_nearest(const char *word, const char *const *candidates, size_t count);

#endif
