/* SPDX-License-Identifier: MIT */
/*
 * Text in pictures: estimates of its width, since the font is not known, and escaping for XML.
 */
#ifndef DRAWING_DRAW_TEXT_H
#define DRAWING_DRAW_TEXT_H

#include <omegapac/output.h>

#include "base/arena.h"

#define DRAWING_FONT 13.0 /* pixels */
#define DRAWING_LINE 17.0 /* from one line to the next */

enum {
    DRAWING_MOST_TEXT = 48 /* bytes of a text in a picture; "..." replaces the rest */
};

/* The width in pixels in a font of size DRAWING_FONT, rather over- than underestimated. */
double drawing_text_width(const char *text);

/* A copy in which unprintable bytes and characters that reorder text are escaped, truncated to `most` bytes.
 * NULL if memory is exhausted. */
const char *drawing_text_copy(base_arena *arena, const char *bytes, size_t length, size_t most);

/* Compares texts by the values of numbers in them: "n=9" is before "n=10", and "n=-2" before "n=-1". */
int drawing_text_compare(const char *a, const char *b);

/* Writes a text, escaped for element content and attribute values. */
void drawing_text_write(opac_output *out, const char *text);

/* Writes a coordinate, rounded to a tenth of a pixel, independent of the locale. */
void drawing_number_write(opac_output *out, double value);

#endif
