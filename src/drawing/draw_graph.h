/* SPDX-License-Identifier: MIT */
/*
 * Pictures of graphs: boxes and arrows with lines of text, laid out in columns from left to right.
 *
 *     column 0     1        2        3
 *              a, b
 *     (0) ───────────►(1)  !a
 *      └──────────────────────────►(2)         Texts have columns of their own, so that
 *                                              no arrow crosses them.
 *
 * All memory belongs to the arena. The caller adds boxes, then arrows, and the lines of each. There is at
 * most one arrow of each style from one box to another.
 */
#ifndef DRAWING_DRAW_GRAPH_H
#define DRAWING_DRAW_GRAPH_H

#include <omegapac/cancel.h>

#include "base/vec.h"
#include "drawing/draw_text.h"

/* A text, followed by acceptance marks, which are shown as badges. */
typedef struct drawing_line {
    const char *text;
    uint64_t marks;
} drawing_line;
BASE_VEC(drawing_line_vec, drawing_line);

typedef struct drawing_box {
    uint32_t line, line_count;
    const char *title; /* the tooltip, also for screen readers */
    const char
        *state_name; /* the attribute data-place; NULL if the box does not represent a state */
    uint32_t memory; /* the attribute data-memory */
    bool is_initial;
    bool is_round; /* with half circles at its sides, else with small round corners */
    /* Set by the layout. */
    double x, y; /* its centre */
    double width, height;
    double up, down;    /* extent above and below y, including its loop and its initial arrow */
    double span;        /* width, including those */
    bool is_from_below; /* its initial arrow comes from below, not from the left */
} drawing_box;
BASE_VEC(drawing_box_vec, drawing_box);

/* The horizontal line of an arrow through a column, from left to right. */
typedef struct drawing_pass {
    double left, right, y;
} drawing_pass;

typedef struct drawing_arrow {
    uint32_t from, to;
    uint32_t line, line_count;
    bool is_dashed;
    /* Set by the layout, except for loops. Passes are in order from left to right. */
    bool is_reversed; /* it points to the left */
    uint32_t pass_count;
    drawing_pass *passes;
    uint32_t label; /* the pass that carries the text */
    double left_x, left_y, right_x, right_y, left_edge,
        right_edge; /* ends, and where their columns end */
} drawing_arrow;
BASE_VEC(drawing_arrow_vec, drawing_arrow);

typedef struct drawing_graph {
    base_arena arena;
    drawing_line_vec lines;
    drawing_box_vec boxes;
    drawing_arrow_vec arrows;
    const char *heading, *remark; /* lines above the picture; may be NULL */
    double width, height;         /* set by the layout */
} drawing_graph;

void drawing_graph_fini(drawing_graph *graph);

/* Adds a line, and increments the line count of its box or arrow. The lines of a box or arrow are added one
 * after the other, before any others. */
opac_status drawing_graph_line(drawing_graph *graph, uint32_t *count, const char *text,
                               uint64_t marks, opac_error *error);

/* The width of lines. */
double drawing_lines_width(const drawing_graph *graph, uint32_t line, uint32_t count);

#define DRAWING_BADGE   17.0
#define DRAWING_LOOP    26.0 /* height of a loop above its box */
#define DRAWING_ARROW   9.0  /* length of a head */
#define DRAWING_INITIAL 26.0
#define DRAWING_MARGIN  12.0
#define DRAWING_HEADING 24.0 /* height of a line above the picture */

/* Computes the layout. `cancel` is polled; it may be NULL. */
opac_status drawing_graph_lay_out(drawing_graph *graph, const opac_cancel *cancel,
                                  opac_error *error);

/* Writes the picture. */
void drawing_graph_write(const drawing_graph *graph, opac_output *out);

/* The style sheet of all pictures. A content security policy may need its digest. */
extern const char drawing_style[];

/* Writes the beginning of a picture: size, title for screen readers, and styles. The caller ends it with
 * "</svg>\n". */
void drawing_open(opac_output *out, double width, double height, const char *title);

#endif
