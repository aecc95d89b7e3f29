/* SPDX-License-Identifier: MIT */
/*
 * Words in messages: showing text of unknown origin, and guessing what was
 * meant by a word that nobody knows.
 *
 *     char shown[OPAC_SHOWN_SIZE];
 *     fprintf(stderr, "unknown label '%s'\n", opac_text_show(word, length, shown, sizeof shown));
 *
 * Buffers are the caller's. Nothing is kept between calls: any number of threads may make them.
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
    OPAC_SHOWN_SIZE = 128 /* a usual size for what opac_text_show writes */
};

/*
 * Writes bytes so that they can go into a message and onto a terminal: control
 * characters, invalid UTF-8 and characters that cannot be seen or that reorder text
 * (zero-width spaces, bidirectional marks, tags) become \xNN, all else stays. What does not fit in size bytes, NUL included, is cut at a whole
 * character and ends in "...", of which a size below 4 leaves the dots that
 * fit. With size 0 nothing is written, not even the NUL. Returns buffer.
 */
OPAC_API const char *opac_text_show(const char *bytes, size_t length, char *buffer, size_t size);

/*
 * Likewise for the name of a file: what does not fit is cut in front, since a
 * path says at its end which file it is: "...ject/models/gridworld.prism".
 */
OPAC_API const char *opac_text_show_path(const char *path, char *buffer, size_t size);

/*
 * The candidate closest to the word by edit distance, the first of several;
 * NULL when none is close. Close is at most a third of the longer word (at
 * least one edit, and never as many as the word has letters), or a candidate
 * that the word abbreviates. Candidates are borrowed.
 */
OPAC_API const char *opac_text_nearest(const char *word, const char *const *candidates,
                                       size_t count);

enum {
    OPAC_CARET_SIZE = 640 /* enough for a width of 120 */
};

/*
 * The line of a text, and a second one with a caret below a column of it, for
 * an error at that place:
 *
 *     G (a & ) U b
 *            ^
 *
 * Line and column count from 1, columns in characters, as in opac_error; those
 * beyond the text mean its end. The line is shown as by opac_text_show, but a
 * tab as one space, and is cut to about width columns around the caret, with
 * "..." where something is missing. There is no line end behind the caret. A
 * buffer of 5 · width + 2 bytes holds it; a smaller one narrows the width.
 * Returns buffer.
 */
OPAC_API const char *opac_text_caret(const char *text, size_t length, uint32_t line,
                                     uint32_t column, size_t width, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
