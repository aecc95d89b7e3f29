/* SPDX-License-Identifier: MIT */
/*
 * Words in messages: showing text of unknown origin, and guessing what was
 * meant by a word that nobody knows.
 *
 *     char shown[OPAC_SHOWN_SIZE];
 *     fprintf(stderr, "unknown label '%s'\n", opac_text_show(word, length, shown, sizeof shown));
 */
#ifndef OMEGAPAC_TEXT_H
#define OMEGAPAC_TEXT_H

#include <stddef.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OPAC_SHOWN_SIZE = 128
};

/*
 * Writes bytes so that they can go into a message and onto a terminal: control
 * characters, invalid UTF-8 and characters that reorder text become \xNN, all
 * else stays. What does not fit in size bytes, NUL included, is cut at a whole
 * character and ends in "...", of which a size below 4 leaves the dots that
 * fit. With size 0 nothing is written, not even the NUL. Returns buffer.
 */
OPAC_API const char *opac_text_show(const char *bytes, size_t length, char *buffer, size_t size);

/*
 * The candidate closest to the word by edit distance, the first of several;
 * NULL when none is close. Close is at most a third of the longer word (at
 * least one edit, and never as many as the word has letters), or a candidate
 * that the word abbreviates. Candidates are borrowed.
 */
OPAC_API const char *opac_text_nearest(const char *word, const char *const *candidates,
                                       size_t count);

#ifdef __cplusplus
}
#endif

#endif
