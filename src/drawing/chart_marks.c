/* SPDX-License-Identifier: MIT */
/*
 * Markers: those of points, of curves and of strips. Series have shapes of their own. Of many
 * points at one place of the picture, one is drawn. In a strip, few values at one place keep
 * clear of each other as long as there is room; many stand side by side in rows, closer the more
 * there are.
 */
#include <math.h>

#include "drawing/chart_parts.h"

#define CELL    2.0  /* pixels: of very many points, one is drawn in each cell */
#define LARGEST 40.0 /* pixels: the radius of a point that stands for very many */

enum {
    MANY = 2000, /* points of a series */
    FEW = 60     /* values at one place */
};

static const char full[] = "opac-full";

static const struct shape {
    const char *style;
    const char *path; /* in tenths of the radius: letters are commands, as in SVG, all relative */
} shapes[DRAWING_STYLES] = {
    {full, "o"}, /* circle */
    {"opac-hollow", "m -9 -9 h 18 v 18 h -18 z"},
    {full, "m 0 -12 l 11 20 h -22 z"},
    {"opac-hollow", "m 0 -13 l 11 13 l -11 13 l -11 -13 z"},
    {"opac-open", "m -9 -9 l 18 18 m 0 -18 l -18 18"},
    {full, "m -9 -9 h 18 v 18 h -18 z"},
    {"opac-hollow", "o"},
    {full, "m 0 12 l 11 -20 h -22 z"},
};

static size_t shape_of(size_t number)
{
    return (number + number / DRAWING_STYLES) % DRAWING_STYLES;
}

const char *drawing_marker_class(size_t number)
{
    return shapes[shape_of(number)].style;
}

/* A circle of two arcs. */
static void write_circle(opac_output *out, double radius)
{
    for (int i = 0; i < 3; i++) {
        opac_output_text(out, i == 0 ? "m" : "a");
        for (int k = 0; i > 0 && k < 2; k++) {
            drawing_number_write(out, radius);
            opac_output_text(out, " ");
        }
        opac_output_text(out, i > 0 ? "0 1 0 " : "");
        drawing_number_write(out, i == 0 ? -radius : i == 1 ? 2 * radius : -2 * radius);
        opac_output_text(out, " 0");
    }
    opac_output_text(out, "z");
}

void drawing_write_marker(opac_output *out, size_t number, double x, double y, double radius)
{
    const char *at = shapes[shape_of(number)].path;
    drawing_write_pair(out, "M", x, y);
    if (*at == 'o') {
        write_circle(out, radius);
        return;
    }
    bool is_first = true;
    while (*at != '\0') {
        if (*at >= 'a') {
            opac_output_write(out, at++, 1);
            is_first = true;
            at += *at == ' ';
            continue;
        }
        int sign = *at == '-' ? -1 : 1, value = 0;
        for (at += *at == '-'; *at >= '0' && *at <= '9'; at++)
            value = 10 * value + (*at - '0');
        at += *at == ' ';
        opac_output_text(out, is_first ? "" : " ");
        drawing_number_write(out, sign * value * radius / 10);
        is_first = false;
    }
}

static void ink_marker(drawing_plot *plot, double x, double y, double radius)
{
    drawing_ink_area(plot, (drawing_area){x - radius, y - radius, x + radius, y + radius});
}

/* ---- points ---- */

/* Of weighed points the area counts. NAN: it is not drawn. */
static double radius_of(const drawing_series *series, size_t i)
{
    if (series->weight != NULL) {
        double radius = DRAWING_UNIT_RADIUS * sqrt(fmax(0, series->weight[i]));
        return radius > 0 ? fmin(radius, LARGEST) : NAN;
    }
    return series->count > MANY ? 1.8 : series->count > 200 ? 2.6 : DRAWING_RADIUS;
}

opac_status drawing_write_markers(drawing_plot *plot, size_t number, opac_error *error)
{
    const drawing_series *series = &plot->chart->series[number];
    bool is_many = series->count > MANY;
    size_t columns = (size_t)(plot->width / CELL) + 1, rows = (size_t)(plot->height / CELL) + 1;
    uint8_t *seen = is_many ? base_alloc_zeroed(columns, rows) : NULL;
    if (is_many && seen == NULL)
        return base_fail_memory(error);
    opac_output_print(plot->out, "<path class=\"%s\" d=\"", drawing_marker_class(number));
    for (size_t i = 0; i < series->count; i++) {
        double x = drawing_ruler_place(&plot->x, series->x[i]);
        double y = drawing_ruler_place(&plot->y, series->y[i]), radius = radius_of(series, i);
        if (!isfinite(series->x[i]) || !isfinite(series->y[i]) || isnan(radius) ||
            !drawing_is_inside(plot, x, y))
            continue;
        size_t cell = is_many ? (size_t)(y / CELL) * columns + (size_t)(x / CELL) : 0;
        if (is_many && seen[cell] != 0)
            continue;
        if (is_many)
            seen[cell] = 1;
        drawing_write_marker(plot->out, number, x, y, radius);
        ink_marker(plot, x, y, radius);
    }
    opac_output_text(plot->out, "\"/>\n");
    base_free(seen);
    return OPAC_OK;
}

/* ---- strips ---- */

typedef struct swarm {
    drawing_plot *plot;
    size_t number;
    double x, width, radius; /* the place's middle, and how far all together may reach */
    double *shifts;          /* of the values that have one */
} swarm;

static void write_member(const swarm *s, double shift, double value)
{
    double y = drawing_ruler_place(&s->plot->y, value), x = s->x + shift;
    if (!drawing_is_inside(s->plot, x, y))
        return;
    drawing_write_marker(s->plot->out, s->number, x, y, s->radius);
    ink_marker(s->plot, x, y, s->radius);
}

/* 0, 1, -1, 2, -2, … : from the middle outwards. */
static double step_of(size_t i)
{
    size_t distance = (i + 1) / 2;
    return i % 2 == 1 ? (double)distance : -(double)distance;
}

/* How far the nearest of the values before it would be. */
static double clearance(const swarm *s, const drawing_value *values, size_t i, double shift)
{
    double y = drawing_ruler_place(&s->plot->y, values[i].y), nearest = INFINITY;
    for (size_t k = i; k-- > 0;) {
        double up = drawing_ruler_place(&s->plot->y, values[k].y) - y;
        if (up > 2 * s->radius)
            break;
        nearest = fmin(nearest, hypot(up, s->shifts[k] - shift));
    }
    return nearest;
}

/* Each as near to the middle as it touches none below it; or else where it hides least. */
static void write_few(const swarm *s, const drawing_value *values, size_t count)
{
    double step = s->radius / 3, most = fmax(0, s->width / 2 - s->radius);
    for (size_t i = 0; i < count; i++) {
        double best = -1;
        for (size_t k = 0; best < 2 * s->radius && fabs(step_of(k)) * step <= most; k++) {
            double free = clearance(s, values, i, step_of(k) * step);
            if (free > best + 1e-6) {
                best = fmin(free, 2 * s->radius);
                s->shifts[i] = step_of(k) * step;
            }
        }
        write_member(s, s->shifts[i], values[i].y);
    }
}

/* Values of about one height: at most as many as the width can show. */
static void write_row(const swarm *s, const drawing_value *values, size_t count)
{
    double room = fmax(0, s->width - 2 * s->radius);
    double step = fmin(2 * s->radius + 0.4, room / (double)count);
    size_t most = (size_t)fmax(1, s->width / s->radius), stride = (count + most - 1) / most;
    for (size_t i = 0; i < count; i += stride)
        write_member(s, step_of(i / stride) * step * (double)stride, values[i].y);
}

/* In rows as high as a marker. */
static void write_many(const swarm *s, const drawing_value *values, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        double low = drawing_ruler_place(&s->plot->y, values[i].y);
        for (end = i + 1; end < count; end++)
            if (low - drawing_ruler_place(&s->plot->y, values[end].y) > 1.6 * s->radius)
                break;
        write_row(s, values + i, end - i);
    }
}

/* One place: values from the least. */
static void write_place(drawing_plot *plot, size_t number, const drawing_value *values,
                        size_t count)
{
    double shift, width, shifts[FEW] = {0};
    drawing_find_slot(plot, number, &shift, &width);
    double radius = count > 400 ? 1.6 : count > FEW ? 2.2 : 3;
    swarm s = {plot,
               number,
               drawing_ruler_place(&plot->x, values[0].x) + shift,
               width,
               fmin(radius, fmax(1.2, width / 4)),
               shifts};
    opac_output_print(plot->out, "<path class=\"%s%s\" d=\"", drawing_marker_class(number),
                      shapes[shape_of(number)].style == full && count <= FEW ? " opac-strip" : "");
    if (count <= FEW)
        write_few(&s, values, count);
    else
        write_many(&s, values, count);
    opac_output_text(plot->out, "\"/>\n");
}

opac_status drawing_write_strip(drawing_plot *plot, size_t number, opac_error *error)
{
    const drawing_series *series = &plot->chart->series[number];
    drawing_value *values;
    size_t count;
    opac_status status = drawing_sort_values(plot, series, &values, &count, error);
    if (status != OPAC_OK)
        return status;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && values[end].x == values[i].x; end++)
            ;
        write_place(plot, number, values + i, end - i);
    }
    base_free(values);
    return OPAC_OK;
}
