/* SPDX-License-Identifier: MIT */
/*
 * Pictures of the decisions of a policy on a grid, with a panel for each memory value. The x axis points to
 * the right and the y axis upwards; if cells are numbered row by row, rows are numbered downwards. If several
 * items have the same coordinates, they are in different layers, each with panels of its own. Actions that
 * are directions are drawn as arrows, other actions by name.
 *
 * The module does not know the policy: a callback describes the content of each cell.
 */
#ifndef DRAWING_DRAW_GRID_H
#define DRAWING_DRAW_GRID_H

#include <omegapac/error.h>

#include "drawing/draw_text.h"

enum {
    DRAWING_MOST_CELLS = 10000, /* of a grid, in all its layers */
    DRAWING_MOST_LAYERS = 12,
    DRAWING_MOST_STATE_NAME = 400 /* bytes of the attribute data-place */
};

typedef struct drawing_position {
    int64_t x, y;
    uint32_t item;     /* number of the item at this position */
    const char *layer; /* unescaped description of its layer: "full=true, n=3"; may be "" */
} drawing_position;

/* The content of a cell. Texts are short, and written without truncation. */
typedef struct drawing_cell {
    const char *state_name;
    const char *labels; /* may be "" */
    const char *action; /* NULL if there is no decision; "" for an action without a name */
    bool is_initial;
} drawing_cell;

/* Describes the cell of an item for a memory value. Returns false if memory is exhausted. */
typedef bool (*drawing_describe)(const void *context, uint32_t item, uint32_t memory,
                                 drawing_cell *cell);

typedef struct drawing_grid {
    const char *heading;
    drawing_position *positions;
    uint32_t count;
    const uint32_t *memories; /* a panel for each */
    uint32_t memory_count;
    bool has_memory; /* titles of panels contain the memory value */
    bool rows_down;  /* y is 0, -1, ... from the top row on, which is shown as 0, 1, ... */
    drawing_describe describe;
    const void *context;
    /* Set by drawing_grid_measure. */
    int64_t left, right, bottom, top;
    bool has_layers;   /* there are several */
    size_t layer_skip; /* length of the common prefix of their descriptions, which is not shown */
} drawing_grid;

/* Parses coordinates: "3,1", "3, 1" or "(3, 1)". */
bool drawing_grid_parse(const char *text, size_t length, drawing_position *position);

/* Sorts the positions by layer, y and x. There is a single layer if no two items have the same coordinates.
 * Returns false if the items are not on a grid: two have the same coordinates in a layer, or the grid would
 * be too large or mostly empty. */
bool drawing_grid_measure(drawing_grid *grid);

/* Writes the picture. drawing_grid_measure must have returned true. */
opac_status drawing_grid_write(const drawing_grid *grid, opac_output *out, opac_error *error);

#endif
