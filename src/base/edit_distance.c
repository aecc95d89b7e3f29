/* SPDX-License-Identifier: MIT */
/*
 * Computes the edit distance row by row: row[j] is the distance between the first i bytes of left and the
 * first j bytes of right; a swap needs the row before the previous one. Cost: quadratic time, three rows of
 * memory.
 */
#include "base/edit_distance.h"

#include <stdbool.h>
#include <string.h>

#include <omegapac/text.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Computes the row for left[i] from the two rows before it. */
static void fill_row(const char *left, size_t i, const char *right, size_t length,
                     const size_t *two_back, const size_t *one_back, size_t *row)
{
    row[0] = i + 1;
    for (size_t j = 0; j < length; j++) {
        size_t best = one_back[j] + (left[i] != right[j]);
        best = least(best, least(one_back[j + 1], row[j]) + 1);
        if (i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j])
            best = least(best, two_back[j - 1] + 1);
        row[j + 1] = best;
    }
}

size_t base_edit_distance(const char *left, const char *right)
{
    size_t rows[3][BASE_LONGEST_WORD + 1];
    size_t height = strlen(left), width = strlen(right);
    if (height > BASE_LONGEST_WORD || width > BASE_LONGEST_WORD)
        return height > width ? height : width;
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (size_t i = 0; i < height; i++)
        fill_row(left, i, right, width, rows[(i + 2) % 3], rows[i % 3], rows[(i + 1) % 3]);
    return rows[height % 3][width];
}

/* Whether a word is a prefix of the candidate, and so probably an abbreviation. */
static bool abbreviates(const char *word, const char *candidate)
{
    size_t length = strlen(word);
    return length >= 2 && strncmp(word, candidate, length) == 0;
}

const char *opac_text_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t nearest_distance = (size_t)-1;
    for (size_t i = 0; i < count; i++) {
        size_t a = strlen(word), b = strlen(candidates[i]), longer = a > b ? a : b;
        size_t close = longer >= 6 ? longer / 3 : 1;
        size_t distance = base_edit_distance(word, candidates[i]);
        if (distance > close && abbreviates(word, candidates[i]))
            distance = close;
        if (distance <= close && distance < longer && distance < nearest_distance) {
            nearest = candidates[i];
            nearest_distance = distance;
        }
    }
    return nearest;
}
