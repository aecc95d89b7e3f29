/* SPDX-License-Identifier: MIT */
/*
 * Text in pictures: how wide it will be, without knowing the font, and how it is
 * written so that XML and people get what was meant.
 */
#ifndef DRAWING_DRAW_TEXT_H
#define DRAWING_DRAW_TEXT_H

#include <omegapac/output.h>

#include "base/arena.h"

#define DRAWING_FONT 13.0 /* pixels */
#define DRAWING_LINE 17.0 /* from one line to the next */

enum {
    DRAWING_MOST_TEXT = 48 /* columns or so of a text in a picture; "..." stands for more */
};

/* In pixels of a font of DRAWING_FONT; rather too wide than too narrow. */
double drawing_text_width(const char *text);

/* A copy that can be shown: unprintable bytes and those that reorder text escaped, cut behind
 * `most` bytes. NULL: no memory. */
const char *drawing_text_copy(base_arena *arena, const char *bytes, size_t length, size_t most);

/* The order of people: "n=9" comes before "n=10", and "n=-2" before "n=-1". */
int drawing_text_compare(const char *a, const char *b);

/* As text or as the value of an attribute. */
void drawing_text_write(opac_output *out, const char *text);

/* A coordinate: a tenth of a pixel is fine enough, and there is no locale in it. */
void drawing_number_write(opac_output *out, double value);

#endif
