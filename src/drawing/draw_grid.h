/* SPDX-License-Identifier: MIT */
/*
 * Decisions on a grid: places, x to the right and y upwards (or, where they are numbered along
 * rows, rows downwards), with a panel for each memory value. Where several are in one place, they are
 * told apart by layers, with panels of their own. Actions that are directions are arrows; others
 * stand there by name.
 *
 * Whose decisions they are is not known here: who draws says what stands in each cell.
 */
#ifndef DRAWING_DRAW_GRID_H
#define DRAWING_DRAW_GRID_H

#include <omegapac/error.h>

#include "drawing/draw_text.h"

enum {
    DRAWING_MOST_CELLS = 10000, /* of a grid, in all its layers */
    DRAWING_MOST_LAYERS = 12,
    DRAWING_MOST_PLACE = 400 /* bytes of a state's name, for data-place */
};

typedef struct drawing_place {
    int64_t x, y;
    uint32_t item; /* whose place it is */
    const char
        *layer; /* what else there is to say of it, as it is: "full=true, n=3"; "": nothing */
} drawing_place;

/* What stands in a cell; texts are short, and shown as they are. */
typedef struct drawing_cell {
    const char *place;  /* the state */
    const char *labels; /* "": none */
    const char *action; /* NULL: nothing is decided there; "": an action without a name */
    bool is_initial;
} drawing_cell;

/* Of an item, under a memory value. False: no memory. */
typedef bool (*drawing_describe)(const void *context, uint32_t item, uint32_t memory,
                                 drawing_cell *cell);

typedef struct drawing_grid {
    const char *heading;
    drawing_place *places;
    uint32_t count;
    const uint32_t *memories; /* a panel for each */
    uint32_t memory_count;
    bool has_memory; /* panels say whose they are */
    bool rows_down;  /* rows are numbered 0, -1, ... upwards, and shown as 0, 1, ... downwards */
    drawing_describe describe;
    const void *context;
    int64_t left, right, bottom, top; /* by drawing_grid_measure, */
    bool has_layers;                  /* and so are these: places are in several, whose names */
    size_t layer_skip;                /* begin alike, and tell nothing so far */
} drawing_grid;

/* "3,1", "3, 1" or "(3, 1)". */
bool drawing_grid_parse(const char *text, size_t length, drawing_place *place);

/* Sorts the places by layer, y and x; one layer is enough if no two are in one place. False: it is no
 * grid, since two are in one place of a layer, or it would be too large, or empty for the most part. */
bool drawing_grid_measure(drawing_grid *grid);

/* Behind a measure that was true. */
opac_status drawing_grid_write(const drawing_grid *grid, opac_output *out, opac_error *error);

#endif
