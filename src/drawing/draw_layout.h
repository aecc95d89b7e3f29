/* SPDX-License-Identifier: MIT */
/* The parts of a layout in columns: what stands in them, in which order, and how high. */
#ifndef DRAWING_DRAW_LAYOUT_H
#define DRAWING_DRAW_LAYOUT_H

#include "base/work.h"
#include "drawing/draw_graph.h"

/* What stands in a column: a box, or an arrow that passes, perhaps with its text. */
typedef struct layout_item {
    uint32_t column;
    double up, down; /* from its height on */
    double y;
    double rank; /* what the order follows from */
} layout_item;

/* From an item to one of the next column. */
typedef struct layout_link {
    uint32_t left, right;
    double weight; /* how straight it shall be */
} layout_link;

typedef struct layout_columns {
    base_work *work; /* borrowed; NULL: not counted */
    layout_item *items;
    uint32_t item_count;
    layout_link *links;
    uint32_t link_count;
    uint32_t column_count;
    uint32_t *begin; /* by column, and one more: its part of `order` */
    uint32_t *order; /* items, from the top of a column to its bottom */
    uint32_t *place; /* by item: its place in `order` */
    uint32_t *right_begin, *right, *left_begin, *left; /* by item: its links, on both sides */
} layout_columns;

/* Items, links and their numbers are filled; all else is made here. */
opac_status layout_columns_init(layout_columns *columns, base_arena *arena, opac_error *error);

/* Barycentres, there and back, as long as there are fewer crossings; the best order is kept. */
opac_status layout_order(layout_columns *columns, base_arena *arena, opac_error *error);

/*
 * Heights, such that links are as level as they can be while nothing in a column
 * overlaps: each round solves, for a column, the least squares problem with the order as its
 * constraint (isotonic regression, by pooling adjacent violators).
 */
opac_status layout_heights(layout_columns *columns, double gap, base_arena *arena,
                           opac_error *error);

#endif
