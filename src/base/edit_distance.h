/* SPDX-License-Identifier: MIT */
/* The edit distance by which opac_text_nearest selects its suggestion. */
#ifndef BASE_EDIT_DISTANCE_H
#define BASE_EDIT_DISTANCE_H

#include <stddef.h>

enum {
    BASE_LONGEST_WORD = 64
};

/*
 * The optimal string alignment distance: the least number of insertions, deletions and replacements of a
 * byte, and swaps of two adjacent bytes, that transform one word into the other, where no part is edited
 * twice. If a word has more than BASE_LONGEST_WORD bytes, the length of the longer word.
 */
size_t base_edit_distance(const char *left, const char *right);

#endif
