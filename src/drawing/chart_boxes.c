/* SPDX-License-Identifier: MIT */
/*
 * Boxes and bars, side by side where several series have them. Fills differ in lightness and
 * hatching, which is drawn line by line: a pattern would need a name in the page.
 *
 * Quartiles are interpolated between neighbours: the p-quantile of n sorted values is at
 * p (n - 1), counted from 0 (Hyndman and Fan's definition 7).
 */
#include <math.h>
#include <stdlib.h>

#include "drawing/chart_parts.h"

#define HATCH 6.0 /* pixels between lines */

/* ---- values in order ---- */

static int compare_values(const void *a, const void *b)
{
    const drawing_value *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

opac_status drawing_sort_values(const drawing_plot *plot, const drawing_series *series,
                                drawing_value **values, size_t *count, opac_error *error)
{
    *count = 0;
    *values = base_alloc(series->count, sizeof **values);
    if (*values == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < series->count; i++)
        if (isfinite(drawing_scale_value(plot->x.scale, series->x[i])) &&
            isfinite(drawing_scale_value(plot->y.scale, series->y[i])))
            (*values)[(*count)++] = (drawing_value){series->x[i], series->y[i]};
    if (*count > 0)
        qsort(*values, *count, sizeof **values, compare_values);
    return OPAC_OK;
}

double drawing_quantile(const drawing_value *values, size_t count, double part)
{
    double at = part * (double)(count - 1);
    size_t below = (size_t)at;
    double rest = at - (double)below;
    if (below + 1 >= count)
        return values[count - 1].y;
    return (1 - rest) * values[below].y + rest * values[below + 1].y;
}

void drawing_find_slot(const drawing_plot *plot, size_t number, double *shift, double *width)
{
    const drawing_chart *chart = plot->chart;
    drawing_series_kind kind = chart->series[number].kind;
    size_t sisters = 0, before = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        sisters += chart->series[i].kind == kind;
        before += chart->series[i].kind == kind && i < number;
    }
    double all = plot->area.right - plot->area.left;
    double gap = isfinite(plot->x_range.gap) && plot->x_range.gap > 0
                     ? plot->x_range.gap / (plot->x.high - plot->x.low) * all
                     : all / 3;
    double slot = fmin(gap * (kind == DRAWING_STRIP ? 0.9 : 0.8), 80.0 * (double)sisters);
    *width = slot / (double)sisters * (sisters > 1 ? 0.92 : 1);
    *shift = ((double)before - ((double)sisters - 1) / 2) * slot / (double)sisters;
}

/* ---- blocks ---- */

/* Lines x + y = c (direction 1) or x - y = c (direction -1), within the block. */
static void write_slanted(opac_output *out, drawing_area b, int direction)
{
    double top = direction > 0 ? b.top : -b.bottom, bottom = direction > 0 ? b.bottom : -b.top;
    for (double c = ceil((b.left + top) / HATCH) * HATCH; c < b.right + bottom; c += HATCH) {
        double x = fmax(b.left, c - bottom), to = fmin(b.right, c - top);
        drawing_write_pair(out, "M", x, direction * (c - x));
        drawing_write_pair(out, "L", to, direction * (c - to));
    }
}

static void write_level(opac_output *out, drawing_area b)
{
    for (double y = ceil(b.top / HATCH) * HATCH; y < b.bottom; y += HATCH) {
        drawing_write_pair(out, "M", b.left, y);
        opac_output_text(out, "H");
        drawing_number_write(out, b.right);
    }
}

void drawing_write_block(const drawing_plot *plot, size_t number, drawing_area b, bool is_box)
{
    static const char *const bars[] = {"0.85", "0.1", "0.4", "0.1", "0.65", "0.1", "0.25", "0.1"};
    static const char *const boxes[] = {"0.2", "0.04", "0.4", "0.04", "0.3", "0.04", "0.1", "0.04"};
    size_t style = number % DRAWING_STYLES;
    opac_output *out = plot->out;
    opac_output_print(out, "<path class=\"opac-block\" fill-opacity=\"%s\"",
                      (is_box ? boxes : bars)[style]);
    drawing_write_pair(out, " d=\"M", b.left, b.top);
    opac_output_text(out, "H");
    drawing_number_write(out, b.right);
    opac_output_text(out, "V");
    drawing_number_write(out, b.bottom);
    opac_output_text(out, "H");
    drawing_number_write(out, b.left);
    opac_output_text(out, "Z\"/>\n");
    if (style % 2 == 0)
        return;
    opac_output_text(out, "<path class=\"opac-hatch\" d=\"");
    if (style == 1 || style == 5)
        write_slanted(out, b, 1);
    if (style == 3 || style == 5)
        write_slanted(out, b, -1);
    if (style == 7)
        write_level(out, b);
    opac_output_text(out, "\"/>\n");
}

/* ---- boxes ---- */

static double clamp(double value, double low, double high)
{
    return fmax(low, fmin(high, value));
}

/* From one height to another, if any of it is in sight; heights in pixels. */
static void write_whisker(drawing_plot *plot, double x, double cap, double from, double to)
{
    const drawing_area *area = &plot->area;
    if (fmin(from, to) > area->bottom || fmax(from, to) < area->top)
        return;
    double end = clamp(to, area->top, area->bottom);
    drawing_write_pair(plot->out, "M", x, clamp(from, area->top, area->bottom));
    opac_output_text(plot->out, "V");
    drawing_number_write(plot->out, end);
    drawing_ink_line(plot, x, clamp(from, area->top, area->bottom), x, end);
    if (end == to) {
        double left = fmax(area->left, x - cap), right = fmin(area->right, x + cap);
        drawing_write_pair(plot->out, "M", left, to);
        opac_output_text(plot->out, "H");
        drawing_number_write(plot->out, right);
        drawing_ink_line(plot, left, to, right, to);
    }
}

static void write_box(drawing_plot *plot, size_t number, const drawing_value *values, size_t count)
{
    double shift, width, at[5];
    const drawing_area *area = &plot->area;
    for (int i = 0; i < 5; i++)
        at[i] = drawing_ruler_place(&plot->y, drawing_quantile(values, count, 0.25 * i));
    drawing_find_slot(plot, number, &shift, &width);
    width = fmin(width, 46);
    double x = drawing_ruler_place(&plot->x, values[0].x) + shift;
    if (x < area->left || x > area->right)
        return;
    drawing_area box = {fmax(area->left, x - width / 2), clamp(at[3], area->top, area->bottom),
                        fmin(area->right, x + width / 2), clamp(at[1], area->top, area->bottom)};
    opac_output_text(plot->out, "<path class=\"opac-thin\" d=\"");
    write_whisker(plot, x, width / 4, at[1], at[0]);
    write_whisker(plot, x, width / 4, at[3], at[4]);
    opac_output_text(plot->out, "\"/>\n");
    if (at[1] >= area->top && at[3] <= area->bottom) {
        drawing_write_block(plot, number, box, true);
        drawing_ink_area(plot, box);
    }
    if (drawing_is_inside(plot, x, at[2])) {
        drawing_write_pair(plot->out, "<path class=\"opac-median\" d=\"M", box.left, at[2]);
        opac_output_text(plot->out, "H");
        drawing_number_write(plot->out, box.right);
        opac_output_text(plot->out, "\"/>\n");
    }
}

opac_status drawing_write_boxes(drawing_plot *plot, size_t number, opac_error *error)
{
    drawing_value *values;
    size_t count;
    opac_status status =
        drawing_sort_values(plot, &plot->chart->series[number], &values, &count, error);
    if (status != OPAC_OK)
        return status;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && values[end].x == values[i].x; end++)
            ;
        write_box(plot, number, values + i, end - i);
    }
    base_free(values);
    return OPAC_OK;
}

/* ---- bars ---- */

opac_status drawing_write_bars(drawing_plot *plot, size_t number, opac_error *error)
{
    const drawing_area *area = &plot->area;
    double shift, width;
    drawing_value *values;
    size_t count;
    opac_status status =
        drawing_sort_values(plot, &plot->chart->series[number], &values, &count, error);
    if (status != OPAC_OK)
        return status;
    double zero = plot->y.scale == DRAWING_LOG ? area->bottom : drawing_ruler_place(&plot->y, 0);
    zero = clamp(zero, area->top, area->bottom);
    drawing_find_slot(plot, number, &shift, &width);
    for (size_t i = 0; i < count; i++) {
        double x = drawing_ruler_place(&plot->x, values[i].x) + shift;
        double y = clamp(drawing_ruler_place(&plot->y, values[i].y), area->top, area->bottom);
        drawing_area bar = {fmax(area->left, x - width / 2), fmin(y, zero),
                            fmin(area->right, x + width / 2), fmax(y, zero)};
        if (bar.left > bar.right)
            continue;
        drawing_write_block(plot, number, bar, false);
        drawing_ink_area(plot, bar);
    }
    base_free(values);
    return OPAC_OK;
}
