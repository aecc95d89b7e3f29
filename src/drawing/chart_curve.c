/* SPDX-License-Identifier: MIT */
/*
 * Curves, stairs and bands. Of many points within one column of pixels, the first, the least, the
 * greatest and the last say all that can be seen there: a curve of a million points is a file of a
 * few ten thousand bytes. One that runs to and fro between columns is thinned by leaving out
 * points, where it has more than MOST_SPOTS.
 */
#include <math.h>

#include "drawing/chart_parts.h"

enum {
    FULL = 1000, /* up to so many points are all drawn */
    MOST_SPOTS = 20000
};

typedef struct spot {
    double x, y; /* pixels; NAN: a gap */
} spot;
BASE_VEC(spot_vec, spot);

/* Points in one column of pixels, in the order of the curve. */
typedef struct column {
    size_t count;
    double at;
    spot first, last, least, greatest;
    size_t least_at, greatest_at;
} column;

/* ---- thinning ---- */

static opac_status flush(spot_vec *spots, column *c, opac_error *error)
{
    opac_status status = OPAC_OK;
    bool is_falling = c->least_at > c->greatest_at;
    const spot inner[] = {is_falling ? c->greatest : c->least, is_falling ? c->least : c->greatest};
    size_t at[] = {is_falling ? c->greatest_at : c->least_at,
                   is_falling ? c->least_at : c->greatest_at};
    if (c->count > 0)
        status = spot_vec_push(spots, c->first, error);
    for (int i = 0; i < 2; i++)
        if (status == OPAC_OK && at[i] > (i == 0 ? 0 : at[0]) && at[i] + 1 < c->count)
            status = spot_vec_push(spots, inner[i], error);
    if (status == OPAC_OK && c->count > 1)
        status = spot_vec_push(spots, c->last, error);
    c->count = 0;
    return status;
}

static void gather(column *c, spot point)
{
    if (c->count == 0) {
        *c = (column){.at = floor(point.x), .first = point, .least = point, .greatest = point};
    } else if (point.y < c->least.y) {
        c->least = point;
        c->least_at = c->count;
    } else if (point.y > c->greatest.y) {
        c->greatest = point;
        c->greatest_at = c->count;
    }
    c->last = point;
    c->count++;
}

static void decimate(spot_vec *spots)
{
    size_t step = spots->count / MOST_SPOTS + 1, kept = 0;
    for (size_t i = 0; step > 1 && i < spots->count; i += step)
        spots->items[kept++] = spots->items[i];
    spots->count = step > 1 ? kept : spots->count;
}

/* What is to be seen of the points (x, y) of a series. */
static opac_status find_spots(const drawing_plot *plot, const drawing_series *series,
                              const double *y, spot_vec *spots, opac_error *error)
{
    opac_status status = OPAC_OK;
    column c = {0};
    for (size_t i = 0; i < series->count && status == OPAC_OK; i++) {
        bool is_finite = isfinite(series->x[i]) && isfinite(y[i]);
        spot point = {drawing_ruler_place(&plot->x, series->x[i]),
                      drawing_ruler_place(&plot->y, y[i])};
        bool is_gap = !is_finite || isnan(point.x) || isnan(point.y);
        if (series->count <= FULL || is_gap || floor(point.x) != c.at)
            status = flush(spots, &c, error);
        if (is_gap && status == OPAC_OK)
            status = spot_vec_push(spots, (spot){NAN, NAN}, error);
        else if (!is_gap)
            gather(&c, point);
    }
    if (status == OPAC_OK)
        status = flush(spots, &c, error);
    decimate(spots);
    return status;
}

/* ---- curves and stairs ---- */

bool drawing_has_markers(const drawing_series *series)
{
    bool is_marked = series->kind == DRAWING_POINTS || series->kind == DRAWING_STRIP;
    return is_marked ||
           (series->kind == DRAWING_CURVE && !series->plain && series->count <= DRAWING_FEW);
}

static void write_line(drawing_plot *plot, const spot_vec *spots, bool is_stairs, const char *style)
{
    drawing_pen pen = {.plot = plot};
    opac_output_print(plot->out, "<path class=\"%s\" d=\"", style);
    for (size_t i = 0; i < spots->count; i++) {
        spot to = spots->items[i];
        if (isnan(to.x)) {
            drawing_pen_up(&pen);
            continue;
        }
        if (is_stairs && pen.is_down)
            drawing_pen_move(&pen, to.x, pen.y);
        drawing_pen_move(&pen, to.x, to.y);
    }
    drawing_pen_up(&pen);
    opac_output_text(plot->out, "\"/>\n");
}

opac_status drawing_write_curve(drawing_plot *plot, size_t number, opac_error *error)
{
    const drawing_series *series = &plot->chart->series[number];
    spot_vec spots = {0};
    opac_status status = find_spots(plot, series, series->y, &spots, error);
    if (status == OPAC_OK) {
        write_line(plot, &spots, series->kind == DRAWING_STAIRS, "opac-line");
        if (drawing_has_markers(series))
            status = drawing_write_markers(plot, number, error);
    }
    spot_vec_fini(&spots);
    return status;
}

/* ---- bands ---- */

typedef struct slice {
    double x, top, bottom;
} slice;
BASE_VEC(slice_vec, slice);

/* Beyond the plot is on its edge; below all, where a logarithm does not reach. */
static double edge_of(const drawing_plot *plot, double y)
{
    double at = y <= 0 && plot->y.scale == DRAWING_LOG ? plot->area.bottom
                                                       : drawing_ruler_place(&plot->y, y);
    return isnan(at) ? NAN : fmax(plot->area.top, fmin(plot->area.bottom, at));
}

static opac_status add_slice(drawing_plot *plot, slice_vec *slices, slice next, bool may_merge,
                             opac_error *error)
{
    slice *last = slices->count > 0 ? &slices->items[slices->count - 1] : NULL;
    if (may_merge && last != NULL && !isnan(last->x) && floor(last->x) == floor(next.x)) {
        last->top = fmin(last->top, next.top);
        last->bottom = fmax(last->bottom, next.bottom);
        return OPAC_OK;
    }
    if (next.x < plot->area.left - 1e5 || next.x > plot->area.right + 1e5)
        next.x = NAN;
    return slice_vec_push(slices, next, error);
}

static opac_status find_slices(drawing_plot *plot, const drawing_series *series, slice_vec *slices,
                               opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < series->count && status == OPAC_OK; i++) {
        double x = drawing_ruler_place(&plot->x, series->x[i]);
        double y = edge_of(plot, series->y[i]), y2 = edge_of(plot, series->y2[i]);
        slice next = {x, fmin(y, y2), fmax(y, y2)};
        if (isnan(y) || isnan(y2) || !isfinite(series->x[i]))
            next = (slice){NAN, NAN, NAN};
        status = add_slice(plot, slices, next, series->count > FULL, error);
    }
    return status;
}

/* The part of the way from one slice to another that is between the edges of the plot. */
static bool cut_slices(const drawing_area *area, slice *from, slice *to)
{
    slice a = *from, b = *to;
    double length = b.x - a.x;
    if (isnan(length) || fmax(a.x, b.x) < area->left || fmin(a.x, b.x) > area->right)
        return false;
    for (int i = 0; i < 2; i++) {
        slice *end = i == 0 ? from : to;
        double x = fmax(area->left, fmin(area->right, end->x));
        double part = length != 0 ? (x - a.x) / length : i;
        *end = (slice){x, a.top + part * (b.top - a.top), a.bottom + part * (b.bottom - a.bottom)};
    }
    return true;
}

/* There along the top, back along the bottom, from `first` up to `last`. */
static void write_piece(drawing_plot *plot, const slice *slices, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++)
        drawing_write_pair(plot->out, i == first ? "M" : "L", slices[i].x, slices[i].top);
    for (size_t i = last + 1; i-- > first;)
        drawing_write_pair(plot->out, "L", slices[i].x, slices[i].bottom);
    opac_output_text(plot->out, "Z");
    for (size_t i = first; i < last; i++) {
        drawing_ink_line(plot, slices[i].x, slices[i].top, slices[i + 1].x, slices[i + 1].top);
        drawing_ink_line(plot, slices[i].x, slices[i].bottom, slices[i + 1].x,
                         slices[i + 1].bottom);
    }
}

/* Whole stretches between gaps; their ends may lie beyond the plot, and are cut. */
static void write_pieces(drawing_plot *plot, slice_vec *slices)
{
    size_t first = 0;
    bool is_open = false;
    for (size_t i = 0; i + 1 < slices->count; i++) {
        slice from = slices->items[i], to = slices->items[i + 1];
        bool was_cut = from.x < plot->area.left || to.x > plot->area.right ||
                       from.x > plot->area.right || to.x < plot->area.left;
        if (!cut_slices(&plot->area, &from, &to)) {
            if (is_open)
                write_piece(plot, slices->items, first, i);
            is_open = false;
            continue;
        }
        if (was_cut) { /* a stretch of its own */
            const slice pair[] = {from, to};
            if (is_open)
                write_piece(plot, slices->items, first, i);
            is_open = false;
            write_piece(plot, pair, 0, 1);
        } else if (!is_open) {
            first = i;
            is_open = true;
        }
    }
    if (is_open)
        write_piece(plot, slices->items, first, slices->count - 1);
}

static opac_status write_edges(drawing_plot *plot, const drawing_series *series, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (int i = 0; i < 2 && status == OPAC_OK; i++) {
        spot_vec spots = {0};
        status = find_spots(plot, series, i == 0 ? series->y : series->y2, &spots, error);
        if (status == OPAC_OK)
            write_line(plot, &spots, false, "opac-edge");
        spot_vec_fini(&spots);
    }
    return status;
}

opac_status drawing_write_band(drawing_plot *plot, size_t number, opac_error *error)
{
    const drawing_series *series = &plot->chart->series[number];
    slice_vec slices = {0};
    if (series->y2 == NULL)
        return drawing_write_curve(plot, number, error);
    opac_status status = find_slices(plot, series, &slices, error);
    if (status == OPAC_OK) {
        opac_output_text(plot->out, "<path class=\"opac-band\" d=\"");
        write_pieces(plot, &slices);
        opac_output_text(plot->out, "\"/>\n");
        status = write_edges(plot, series, error);
    }
    slice_vec_fini(&slices);
    return status;
}
