/* SPDX-License-Identifier: MIT */
/*
 * Charts, as SVG that stands alone: curves, stairs, points, strips, boxes, bands and bars over two
 * axes, for a paper or a page.
 *
 *     const double x[] = {1, 10, 100}, y[] = {0.5, 0.9, 0.99};
 *     drawing_series series = {.name = "learned", .kind = DRAWING_CURVE, .x = x, .y = y, .count = 3};
 *     drawing_rule best = {.at = 1, .label = "optimum"};
 *     drawing_chart chart = {.title = "How good the policies are",
 *                            .x = {.label = "k", .scale = DRAWING_LOG},
 *                            .y = {.label = "probability", .low = 0, .high = 1},
 *                            .series = &series, .series_count = 1,
 *                            .rules = &best, .rule_count = 1};
 *     drawing_chart_write(&chart, out, error);
 *
 * The same chart gives the same bytes. Series differ in colour, in shape and in dashes, so that
 * they can be told apart in black and white; light and dark paper are both served, as by all
 * pictures of this room. All is borrowed until the function returns.
 */
#ifndef DRAWING_CHART_H
#define DRAWING_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include <omegapac/error.h>
#include <omegapac/output.h>

typedef enum drawing_scale {
    DRAWING_LINEAR = 0,
    DRAWING_LOG = 1 /* values that are not positive are left out */
} drawing_scale;

/* low = high = 0, or one of them NAN: as the data need it, with sensible ends. */
typedef struct drawing_axis {
    const char *label; /* with its unit; NULL: none */
    drawing_scale scale;
    double low, high;
    const char *const *names; /* of the places 0, 1, 2 …, in place of numbers; NULL: numbers */
    size_t name_count;
} drawing_axis;

typedef enum drawing_series_kind {
    DRAWING_CURVE = 0,  /* straight from point to point; markers while there are few */
    DRAWING_STAIRS = 1, /* a value holds until the next one */
    DRAWING_POINTS = 2, /* markers alone */
    DRAWING_STRIP = 3,  /* many values at few places: markers, moved aside so that all are seen */
    DRAWING_BOXES = 4,  /* the same: quartiles as a box, a bar at the median, whiskers to the least
                           and the greatest; several series stand side by side */
    DRAWING_BAND = 5,   /* all between y and y2; an infinite end is the plot's */
    DRAWING_BARS = 6    /* from the axis to y; several series stand side by side */
} drawing_series_kind;

typedef struct drawing_series {
    const char *name; /* in the legend; NULL: not there */
    drawing_series_kind kind;
    bool plain;               /* a curve without markers */
    const double *x, *y, *y2; /* y2: of a band. A NAN breaks a curve */
    const double *weight; /* of points: how many each one stands for, which is its area; NULL: none
                             has one. What has no positive one is not drawn */
    size_t count;
} drawing_series;

/* A line across, for a value to compare with. */
typedef struct drawing_rule {
    bool vertical;
    double at;
    const char *label; /* beside it, if there is room among others'; NULL: none */
} drawing_rule;

typedef struct drawing_chart {
    const char *title;       /* NULL: none is drawn */
    const char *description; /* for those who do not see it; NULL: the title */
    drawing_axis x, y;
    const drawing_series *series;
    size_t series_count;
    const drawing_rule *rules;
    size_t rule_count;
    double width,
        height; /* in pixels, from 160 to 8000; 0: 640 and 400. A long legend adds to it */
} drawing_chart;

/* An empty chart, one without a finite value, and one with a million points are drawn as well. The
 * output is not committed. */
opac_status drawing_chart_write(const drawing_chart *chart, opac_output *out, opac_error *error);

#endif
