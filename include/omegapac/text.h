/* SPDX-License-Identifier: MIT */
/*
 * Text in messages: shows text of unknown origin, suggests similar words, and points at places in a text.
 *
 *     char shown[OPAC_SHOWN_SIZE];
 *     fprintf(stderr, "unknown label '%s'\n", opac_text_show(word, length, shown, sizeof shown));
 *
 * The functions have no state and are thread-safe.
 */
#ifndef OMEGAPAC_TEXT_H
#define OMEGAPAC_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OPAC_SHOWN_SIZE = 128 /* a suitable size for the buffer of opac_text_show */
};

/*
 * Writes bytes in a form that is safe for messages and terminals: control characters, invalid UTF-8 and
 * characters that are invisible or reorder text (zero-width spaces, bidirectional marks, tags) become \xNN.
 * Text that does not fit in size bytes, including the NUL, is truncated after a whole character and ends in
 * "..." (fewer dots for a size below 4). With size 0 nothing is written. Returns the buffer.
 */
OPAC_API const char *opac_text_show(const char *bytes, size_t length, char *buffer, size_t size);

/*
 * The same for a file name, which is truncated at the beginning: "...ject/models/gridworld.prism".
 */
OPAC_API const char *opac_text_show_path(const char *path, char *buffer, size_t size);

/*
 * The candidate that is nearest to the word by edit distance, the first of several; NULL if none is near. A
 * candidate is near if the distance is at most a third of the length of the longer word (at least one edit,
 * and less than the length of the word), or if the word abbreviates it. Returns one of the candidates.
 */
OPAC_API const char *opac_text_nearest(const char *word, const char *const *candidates,
                                       size_t count);

enum {
    OPAC_CARET_SIZE = 640 /* sufficient for a width of 120 */
};

/*
 * Writes a line of a text and a second line with a caret below a column of it, for an error at that place:
 *
 *     G (a & ) U b
 *            ^
 *
 * Line and column are as in opac_error; places beyond the text stand for its end. The line is shown as by
 * opac_text_show, with a tab as one space, and truncated to about width columns around the caret, with
 * "..." at the cuts. There is no line end after the caret. A buffer of 5 · width + 2 bytes is sufficient; a
 * smaller one reduces the width. Returns the buffer.
 */
OPAC_API const char *opac_text_caret(const char *text, size_t length, uint32_t line,
                                     uint32_t column, size_t width, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
