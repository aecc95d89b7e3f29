/* SPDX-License-Identifier: MIT */
/*
 * Graphs as pictures: boxes and arrows with lines of text, laid out in columns
 * from left to right.
 *
 *     column 0     1        2        3
 *              a, b
 *     (0) ───────────►(1)  !a
 *      └──────────────────────────►(2)         texts have columns of their own, so that
 *                                              nothing ever runs through them
 *
 * All memory is the arena's. Whoever fills a graph adds nodes, then arrows, at
 * most one from one node to another (of each style), and lines to both.
 */
#ifndef DRAWING_DRAW_GRAPH_H
#define DRAWING_DRAW_GRAPH_H

#include <omegapac/cancel.h>

#include "base/vec.h"
#include "drawing/draw_text.h"

/* A text, and the numbers of acceptance marks behind it, as badges. */
typedef struct drawing_line {
    const char *text;
    uint64_t marks;
} drawing_line;
BASE_VEC(drawing_line_vec, drawing_line);

typedef struct drawing_box {
    uint32_t line, line_count;
    const char *title; /* for who points at it, or cannot see it */
    const char *place; /* of a state, for data-place; NULL: it is none */
    uint32_t memory;   /* for data-memory */
    bool is_initial;
    bool is_round; /* as round as its text allows; else with small corners */
    double x, y;   /* its middle, by the layout */
    double width, height;
    double up, down;    /* what it takes from its middle on, with its loop and its initial arrow */
    double span;        /* width, with those */
    bool is_from_below; /* its initial arrow */
} drawing_box;
BASE_VEC(drawing_box_vec, drawing_box);

/* Where an arrow passes a column: a horizontal line from left to right. */
typedef struct drawing_pass {
    double left, right, y;
} drawing_pass;

typedef struct drawing_arrow {
    uint32_t from, to;
    uint32_t line, line_count;
    bool is_dashed;
    /* By the layout, of all but loops: from the left end to the right one. */
    bool is_reversed;
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
    const char *heading, *remark; /* above the picture; NULL: none */
    double width, height;         /* by the layout */
} drawing_graph;

void drawing_graph_fini(drawing_graph *graph);

/* A line of what was added last: lines of a box or an arrow come at once. */
opac_status drawing_graph_line(drawing_graph *graph, uint32_t *count, const char *text,
                               uint64_t marks, opac_error *error);

/* The room that lines take. */
double drawing_lines_width(const drawing_graph *graph, uint32_t line, uint32_t count);

#define DRAWING_BADGE   17.0
#define DRAWING_LOOP    26.0 /* height of a loop above its box */
#define DRAWING_ARROW   9.0  /* length of a head */
#define DRAWING_INITIAL 26.0
#define DRAWING_MARGIN  12.0
#define DRAWING_HEADING 24.0 /* height of a line above the picture */

/* Fills what is the layout's. cancel: polled; NULL: not. */
opac_status drawing_graph_lay_out(drawing_graph *graph, const opac_cancel *cancel,
                                  opac_error *error);

/* The whole picture. */
void drawing_graph_write(const drawing_graph *graph, opac_output *out);

/* The style sheet of every picture, whose digest a content security policy may need. */
extern const char drawing_style[];

/* What every picture begins with: size, title for those who cannot see it, and styles; ends with
 * "</svg>\n". */
void drawing_open(opac_output *out, double width, double height, const char *title);

#endif
