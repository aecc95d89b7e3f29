/* SPDX-License-Identifier: MIT */
/*
 * What the files of the chart writer share: rulers, which say where values are, and the plot, on
 * which series are drawn.
 *
 *     chart.c         the whole: sizes, order, style
 *     chart_range.c   what the data need of the axes
 *     chart_axis.c    rulers: ends, ticks and their labels
 *     chart_frame.c   the room for everything around the plot; the grid and its labels
 *     chart_pen.c     lines cut at the plot's edges, and what is covered by ink
 *     chart_curve.c   curves, stairs and bands
 *     chart_marks.c   markers: points and strips
 *     chart_boxes.c   boxes and bars
 *     chart_rules.c   lines across
 *     chart_legend.c  the legend, and where it hides nothing
 */
#ifndef DRAWING_CHART_PARTS_H
#define DRAWING_CHART_PARTS_H

#include <stdint.h>

#include "base/vec.h"
#include "drawing/chart.h"
#include "drawing/text.h"

#define DRAWING_SMALL 12.0 /* pixels of the font of all but titles and labels of axes */

typedef struct drawing_area {
    double left, top, right, bottom;
} drawing_area;

/* ---- rulers ---- */

enum {
    DRAWING_MOST_TICKS = 160,
    DRAWING_LABEL_SIZE = 48
};

typedef struct drawing_tick {
    double value;
    bool is_minor;    /* a shorter mark without a label */
    const char *name; /* of a place; NULL: label */
    char label[DRAWING_LABEL_SIZE];
    bool has_power; /* behind the label: a raised number */
    int power;
} drawing_tick;

/* What the data need of an axis. */
typedef struct drawing_range {
    double least, greatest; /* values; NAN: there are none */
    double gap;      /* the least distance of places that boxes and bars stand at, on the scale;
                               0: there are none; INFINITY: one place */
    bool is_upright; /* the axis */
    bool has_bars;   /* zero is seen, if the axis is linear */
    bool is_tight;   /* the axis ends where the data do */
} drawing_range;

/* low < high: the ends, on the scale (their decimal logarithms, on a logarithmic one). */
typedef struct drawing_ruler {
    drawing_scale scale;
    double low, high;
    double from, to; /* pixels of the ends */
    size_t tick_count;
    drawing_tick ticks[DRAWING_MOST_TICKS];
} drawing_ruler;

/* The value on the scale; NAN for one that is not there. Infinities stay. */
double drawing_scale_value(drawing_scale scale, double value);
/* Ends and ticks, of which about one stands in `spacing` of `size` pixels. */
void drawing_ruler_fit(drawing_ruler *ruler, const drawing_axis *axis, const drawing_range *range,
                       double size, double spacing);
/* In pixels, at most a million of them beyond an end; NAN for a value that is not there. */
double drawing_ruler_place(const drawing_ruler *ruler, double value);
double drawing_tick_width(const drawing_tick *tick);
/* Of the labels of all. */
double drawing_ruler_width(const drawing_ruler *ruler);

/* ---- the plot ---- */

typedef struct drawing_plot {
    const drawing_chart *chart;
    base_arena arena;
    opac_output *out;
    double width, height; /* of the picture */
    drawing_area area;    /* where data are drawn */
    drawing_range x_range, y_range;
    drawing_ruler x, y;
    bool is_slanted; /* the names along x */
    double slant;    /* how far they reach down */
    uint8_t *ink;    /* cells of the picture, row by row, that something covers */
    size_t ink_columns, ink_rows;
    drawing_area *labels; /* where rules have theirs: they keep clear of each other */
    size_t label_count;
    drawing_area legend; /* inside the plot, or below it */
    bool legend_is_below;
} drawing_plot;

/* Fills x_range and y_range. */
opac_status drawing_plot_measure(drawing_plot *plot, opac_error *error);
/* Fills area, x and y; so much is left free at the bottom. */
opac_status drawing_plot_lay_out(drawing_plot *plot, double below, opac_error *error);
void drawing_write_grid(const drawing_plot *plot);
opac_status drawing_write_axes(drawing_plot *plot, opac_error *error);

/* ---- the pen ---- */

typedef struct drawing_pen {
    drawing_plot *plot;
    bool is_down, is_alone; /* alone: moved to one point since it is down */
    double x, y;            /* where it was moved to */
    double written_x, written_y;
    bool has_written;
} drawing_pen;

opac_status drawing_ink_begin(drawing_plot *plot, opac_error *error);
void drawing_ink_area(drawing_plot *plot, drawing_area area);
void drawing_ink_line(drawing_plot *plot, double x, double y, double to_x, double to_y);
size_t drawing_ink_under(const drawing_plot *plot, drawing_area area);

/* In the plot, or on its edge. */
bool drawing_is_inside(const drawing_plot *plot, double x, double y);

/* Pieces of a path's data, cut at the edges of the plot. */
void drawing_pen_up(drawing_pen *pen);                       /* also at the end */
void drawing_pen_move(drawing_pen *pen, double x, double y); /* draws if it is down; then it is */

void drawing_write_pair(opac_output *out, const char *before, double x, double y);
void drawing_write_attribute(opac_output *out, const char *name, double value);
void drawing_write_text(opac_output *out, const char *style, double x, double y, const char *text);
/* A copy, cut to so many pixels of a font of that size; NULL: no memory. */
const char *drawing_cut_text(base_arena *arena, const char *text, double pixels, double font);
double drawing_text_width_in(const char *text, double font);

/* ---- series ---- */

#define DRAWING_RADIUS      3.4 /* of a marker */
#define DRAWING_UNIT_RADIUS 2.3 /* of one that stands for one of many */

enum {
    DRAWING_STYLES = 8,
    DRAWING_FEW = 60 /* a curve of at most so many points has markers */
};

/* For those who point at what is around it; NULL: none. */
opac_status drawing_write_title(drawing_plot *plot, const char *title, opac_error *error);

/* Inside the group of a series; its number, counted over all kinds, is its style. */
opac_status drawing_write_curve(drawing_plot *plot, size_t number, opac_error *error);
opac_status drawing_write_band(drawing_plot *plot, size_t number, opac_error *error);
opac_status drawing_write_strip(drawing_plot *plot, size_t number, opac_error *error);
opac_status drawing_write_boxes(drawing_plot *plot, size_t number, opac_error *error);
opac_status drawing_write_bars(drawing_plot *plot, size_t number, opac_error *error);
bool drawing_has_markers(const drawing_series *series);
/* Those of all points, as a path. */
opac_status drawing_write_markers(drawing_plot *plot, size_t number, opac_error *error);
/* One marker as a piece of a path's data, in the shape of the series. */
void drawing_write_marker(opac_output *out, size_t number, double x, double y, double radius);
const char *drawing_marker_class(size_t number);
/* A filled rectangle, with the hatching of the series; that of a box is lighter than a bar's. */
void drawing_write_block(const drawing_plot *plot, size_t number, drawing_area block, bool is_box);

/* Finite values of a series in the order of their places, and of values at one place. */
typedef struct drawing_value {
    double x, y;
} drawing_value;
/* In base_alloc's memory. */
opac_status drawing_sort_values(const drawing_plot *plot, const drawing_series *series,
                                drawing_value **values, size_t *count, opac_error *error);
/* Of values in their order, interpolated between neighbours: part is 0.25, 0.5, 0.75. */
double drawing_quantile(const drawing_value *values, size_t count, double part);
/* Where a series of that kind stands beside its sisters: the middle's distance from the place,
 * and the width. */
void drawing_find_slot(const drawing_plot *plot, size_t number, double *shift, double *width);

/* ---- rules and the legend ---- */

opac_status drawing_write_rules(drawing_plot *plot, opac_error *error);
opac_status drawing_write_rule_labels(drawing_plot *plot, opac_error *error);
size_t drawing_legend_count(const drawing_plot *plot);
/* Where it is to stand inside the plot; false: wherever it stands, it would hide something. */
bool drawing_legend_find(drawing_plot *plot);
/* The height of one below the plot. */
double drawing_legend_height(const drawing_plot *plot);
opac_status drawing_write_legend(drawing_plot *plot, opac_error *error);

#endif
