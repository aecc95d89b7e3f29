/* SPDX-License-Identifier: MIT */
/*
 * Lines cut at the edges of the plot (by hand: what clips in SVG needs a name, and two pictures in
 * one page must not share any), and the ink: which cells of the picture are covered by data, so
 * that texts find a place where they hide nothing.
 */
#include <math.h>
#include <string.h>

#include "drawing/chart_parts.h"

#define CELL 3.0 /* pixels */

/* ---- ink ---- */

opac_status drawing_ink_begin(drawing_plot *plot, opac_error *error)
{
    plot->ink_columns = (size_t)ceil(plot->width / CELL) + 1;
    plot->ink_rows = (size_t)ceil(plot->height / CELL) + 1;
    plot->ink = base_arena_alloc_zeroed(&plot->arena, plot->ink_columns, plot->ink_rows);
    return plot->ink != NULL ? OPAC_OK : base_fail_memory(error);
}

/* The cell of a coordinate, within the picture. */
static size_t cell(double at, size_t count)
{
    return (size_t)fmax(0, fmin(floor(at / CELL), (double)(count - 1)));
}

void drawing_ink_area(drawing_plot *plot, drawing_area area)
{
    size_t left = cell(area.left, plot->ink_columns), right = cell(area.right, plot->ink_columns);
    size_t top = cell(area.top, plot->ink_rows), bottom = cell(area.bottom, plot->ink_rows);
    for (size_t row = top; row <= bottom; row++)
        memset(plot->ink + row * plot->ink_columns + left, 1, right - left + 1);
}

/* Both ends are within the picture. */
void drawing_ink_line(drawing_plot *plot, double x, double y, double to_x, double to_y)
{
    int steps = (int)(fmax(fabs(to_x - x), fabs(to_y - y)) / CELL) + 1;
    for (int i = 0; i <= steps; i++) {
        double part = (double)i / steps;
        size_t column = cell(x + part * (to_x - x), plot->ink_columns);
        size_t row = cell(y + part * (to_y - y), plot->ink_rows);
        plot->ink[row * plot->ink_columns + column] = 1;
    }
}

size_t drawing_ink_under(const drawing_plot *plot, drawing_area area)
{
    size_t left = cell(area.left, plot->ink_columns), right = cell(area.right, plot->ink_columns);
    size_t top = cell(area.top, plot->ink_rows), bottom = cell(area.bottom, plot->ink_rows);
    size_t count = 0;
    for (size_t row = top; row <= bottom; row++)
        for (size_t column = left; column <= right; column++)
            count += plot->ink[row * plot->ink_columns + column];
    return count;
}

/* ---- lines ---- */

/* One edge of Liang and Barsky's clipping: what is left of the way from *enter to *leave. */
static bool cut(double speed, double distance, double *enter, double *leave)
{
    if (speed == 0)
        return distance >= 0;
    double at = distance / speed;
    if (speed < 0)
        *enter = fmax(*enter, at);
    else
        *leave = fmin(*leave, at);
    return *enter <= *leave;
}

bool drawing_is_inside(const drawing_plot *plot, double x, double y)
{
    const drawing_area *area = &plot->area;
    return x >= area->left - 0.5 && x <= area->right + 0.5 && y >= area->top - 0.5 &&
           y <= area->bottom + 0.5; /* NAN is not */
}

/* A point with nothing beside it is a dot. */
void drawing_pen_up(drawing_pen *pen)
{
    if (pen->is_down && pen->is_alone && drawing_is_inside(pen->plot, pen->x, pen->y)) {
        drawing_write_pair(pen->plot->out, "M", pen->x, pen->y);
        opac_output_text(pen->plot->out, "h0");
        drawing_ink_line(pen->plot, pen->x, pen->y, pen->x, pen->y);
        pen->has_written = false;
    }
    pen->is_down = false;
}

static void write_piece(drawing_pen *pen, double x, double y, double to_x, double to_y)
{
    opac_output *out = pen->plot->out;
    if (!pen->has_written || fabs(pen->written_x - x) > 0.01 || fabs(pen->written_y - y) > 0.01)
        drawing_write_pair(out, "M", x, y);
    drawing_write_pair(out, "L", to_x, to_y);
    drawing_ink_line(pen->plot, x, y, to_x, to_y);
    pen->has_written = true;
    pen->written_x = to_x;
    pen->written_y = to_y;
}

void drawing_pen_move(drawing_pen *pen, double x, double y)
{
    const drawing_area *area = &pen->plot->area;
    double dx = x - pen->x, dy = y - pen->y, enter = 0, leave = 1;
    if (pen->is_down && cut(-dx, pen->x - area->left, &enter, &leave) &&
        cut(dx, area->right - pen->x, &enter, &leave) &&
        cut(-dy, pen->y - area->top, &enter, &leave) &&
        cut(dy, area->bottom - pen->y, &enter, &leave))
        write_piece(pen, pen->x + enter * dx, pen->y + enter * dy,
                    leave < 1 ? pen->x + leave * dx : x, leave < 1 ? pen->y + leave * dy : y);
    pen->is_alone = !pen->is_down;
    pen->is_down = true;
    pen->x = x;
    pen->y = y;
}

/* ---- pieces of SVG ---- */

void drawing_write_pair(opac_output *out, const char *before, double x, double y)
{
    opac_output_text(out, before);
    drawing_number_write(out, x);
    opac_output_text(out, " ");
    drawing_number_write(out, y);
}

void drawing_write_attribute(opac_output *out, const char *name, double value)
{
    opac_output_print(out, " %s=\"", name);
    drawing_number_write(out, value);
    opac_output_text(out, "\"");
}

void drawing_write_text(opac_output *out, const char *style, double x, double y, const char *text)
{
    opac_output_print(out, "<text class=\"%s\"", style);
    drawing_write_attribute(out, "x", x);
    drawing_write_attribute(out, "y", y);
    opac_output_text(out, ">");
    drawing_text_write(out, text);
    opac_output_text(out, "</text>\n");
}

double drawing_text_width_in(const char *text, double font)
{
    return drawing_text_width(text) * font / DRAWING_FONT;
}

const char *drawing_cut_text(base_arena *arena, const char *text, double pixels, double font)
{
    size_t length = strlen(text), most = (size_t)fmax(4, pixels / font * 4);
    const char *shown = drawing_text_copy(arena, text, length, most);
    while (shown != NULL && most > 1 && drawing_text_width_in(shown, font) > pixels) {
        most -= most > 8 ? most / 8 : 1;
        shown = drawing_text_copy(arena, text, length, most);
    }
    return shown;
}
