/* SPDX-License-Identifier: MIT */
/*
 * What the data need of the axes: the least and the greatest value, with those of rules, and how
 * far apart the places are at which boxes, bars and strips stand.
 */
#include <math.h>
#include <stdlib.h>

#include "drawing/chart_parts.h"

static bool is_wide(drawing_series_kind kind)
{
    return kind == DRAWING_STRIP || kind == DRAWING_BOXES || kind == DRAWING_BARS;
}

static bool is_line(drawing_series_kind kind)
{
    return kind == DRAWING_CURVE || kind == DRAWING_STAIRS || kind == DRAWING_BAND;
}

static void include(drawing_range *range, drawing_scale scale, double value)
{
    if (!isfinite(drawing_scale_value(scale, value)))
        return;
    range->least = fmin(range->least, value); /* fmin and fmax pass by NAN */
    range->greatest = fmax(range->greatest, value);
}

static void include_series(drawing_plot *plot, const drawing_series *series)
{
    drawing_scale x = plot->chart->x.scale, y = plot->chart->y.scale;
    bool has_other = series->kind == DRAWING_BAND && series->y2 != NULL;
    for (size_t i = 0; i < series->count; i++) {
        if (!isfinite(drawing_scale_value(x, series->x[i])))
            continue;
        bool is_seen = isfinite(drawing_scale_value(y, series->y[i]));
        include(&plot->y_range, y, series->y[i]);
        if (has_other) {
            is_seen = is_seen || isfinite(drawing_scale_value(y, series->y2[i]));
            include(&plot->y_range, y, series->y2[i]);
        }
        if (is_seen)
            include(&plot->x_range, x, series->x[i]);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* The least distance of two that differ by more than rounding; INFINITY: all are one. */
static double least_gap(double *places, size_t count)
{
    double gap = INFINITY;
    if (count == 0)
        return 0;
    qsort(places, count, sizeof *places, compare_doubles);
    double dust = 1e-9 * (places[count - 1] - places[0]);
    for (size_t i = 1; i < count; i++)
        if (places[i] - places[i - 1] > dust)
            gap = fmin(gap, places[i] - places[i - 1]);
    return gap;
}

static opac_status find_gap(drawing_plot *plot, opac_error *error)
{
    base_double_vec places = {0};
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < plot->chart->series_count; i++) {
        const drawing_series *series = &plot->chart->series[i];
        for (size_t k = 0; is_wide(series->kind) && k < series->count && status == OPAC_OK; k++) {
            double at = drawing_scale_value(plot->chart->x.scale, series->x[k]);
            bool is_new = k == 0 || series->x[k] != series->x[k - 1];
            if (is_new && isfinite(at))
                status = base_double_vec_push(&places, at, error);
        }
    }
    if (status == OPAC_OK)
        plot->x_range.gap = least_gap(places.items, places.count);
    base_double_vec_fini(&places);
    return status;
}

opac_status drawing_plot_measure(drawing_plot *plot, opac_error *error)
{
    const drawing_chart *chart = plot->chart;
    plot->x_range = (drawing_range){.least = NAN, .greatest = NAN, .is_tight = true};
    plot->y_range = (drawing_range){.least = NAN, .greatest = NAN, .is_upright = true};
    for (size_t i = 0; i < chart->series_count; i++) {
        const drawing_series *series = &chart->series[i];
        include_series(plot, series);
        if (series->kind == DRAWING_BARS)
            plot->y_range.has_bars = true;
        if (!is_line(series->kind) || drawing_has_markers(series))
            plot->x_range.is_tight = false;
    }
    for (size_t i = 0; i < chart->rule_count; i++) {
        const drawing_rule *rule = &chart->rules[i];
        include(rule->vertical ? &plot->x_range : &plot->y_range,
                rule->vertical ? chart->x.scale : chart->y.scale, rule->at);
    }
    return find_gap(plot, error);
}
