/* SPDX-License-Identifier: MIT */
/* The layout of a graph in columns: the items of each column, their order and their vertical positions. */
#ifndef DRAWING_DRAW_LAYOUT_H
#define DRAWING_DRAW_LAYOUT_H

#include "base/work.h"
#include "drawing/draw_graph.h"

/* An item of a column: a box, or an arrow that passes through, possibly with its text. */
typedef struct layout_item {
    uint32_t column;
    double up, down; /* extent above and below y */
    double y;
    double offset; /* distance to the first item of the column; used by layout_heights */
} layout_item;

/* A link between items of neighbouring columns. */
typedef struct layout_link {
    uint32_t left, right;
    double weight; /* the higher, the more level it becomes */
} layout_link;

typedef struct layout_columns {
    base_work *work; /* borrowed; may be NULL */
    layout_item *items;
    uint32_t item_count;
    layout_link *links;
    uint32_t link_count;
    uint32_t column_count;
    uint32_t *begin;    /* by column, and one more: index into `order` */
    uint32_t *order;    /* the items of each column, from top to bottom */
    uint32_t *position; /* by item: its index in `order` */
    uint32_t *right_begin, *right, *left_begin, *left; /* by item: its links on both sides */
} layout_columns;

/* Computes the other members from items, links and their numbers, which the caller has set. */
opac_status layout_columns_init(layout_columns *columns, base_arena *arena, opac_error *error);

/* Orders the columns by the barycentre heuristic, in sweeps in both directions. Keeps the order with the
 * fewest crossings. */
opac_status layout_order(layout_columns *columns, base_arena *arena, opac_error *error);

/*
 * Computes vertical positions such that links are as level as possible and items of a column do not overlap.
 * Each round solves a least squares problem for each column, with the order as a constraint: isotonic
 * regression, by pooling adjacent violators.
 */
opac_status layout_heights(layout_columns *columns, double gap, base_arena *arena,
                           opac_error *error);

#endif
