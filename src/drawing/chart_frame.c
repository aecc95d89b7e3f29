/* SPDX-License-Identifier: MIT */
/*
 * What is around the plot: room for titles and for the labels of ticks, thin lines across at the
 * ticks, and the texts. The rulers depend on the room that their own labels leave, so the layout
 * is found in three rounds.
 */
#include <math.h>

#include "drawing/chart_parts.h"

#define EDGE    12.0 /* free around everything */
#define TITLE   26.0
#define LABEL   20.0 /* of an axis */
#define TICK    5.0
#define LINE    16.0
#define NAMES   150.0 /* at most for the names along y; slanted ones reach down so far */
#define LEAST   60.0  /* height of the plot */
#define SPACE_X 78.0
#define SPACE_Y 44.0

/* ---- layout ---- */

/* Names are copies that fit: of a place's width, or slanted. */
static opac_status cut_names(drawing_plot *plot, drawing_ruler *ruler, double most,
                             opac_error *error)
{
    for (size_t i = 0; i < ruler->tick_count; i++) {
        drawing_tick *tick = &ruler->ticks[i];
        if (tick->name == NULL)
            continue;
        tick->name = drawing_cut_text(&plot->arena, tick->name, most, DRAWING_SMALL);
        if (tick->name == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

/* A slanted one ends below its place, and begins within the picture. */
static opac_status cut_slanted(drawing_plot *plot, opac_error *error)
{
    for (size_t i = 0; i < plot->x.tick_count; i++) {
        drawing_tick *tick = &plot->x.ticks[i];
        double room = (drawing_ruler_place(&plot->x, tick->value) - 4) / 0.87;
        tick->name = drawing_cut_text(&plot->arena, tick->name, fmin(room, NAMES), DRAWING_SMALL);
        if (tick->name == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

/* Half of what a label takes along its axis. */
static double reach_of(const drawing_tick *tick, bool is_upright)
{
    return is_upright ? 7 : drawing_tick_width(tick) / 2 + 3;
}

/* Whether it would touch one that is kept. */
static bool has_room(const drawing_ruler *ruler, const bool *keeps, size_t i, bool is_upright)
{
    double at = drawing_ruler_place(ruler, ruler->ticks[i].value);
    double reach = reach_of(&ruler->ticks[i], is_upright);
    for (size_t k = 0; k < ruler->tick_count; k++) {
        const drawing_tick *other = &ruler->ticks[k];
        double distance = fabs(at - drawing_ruler_place(ruler, other->value));
        if (keeps[k] && distance <= reach + reach_of(other, is_upright))
            return false;
    }
    return true;
}

/* Labels that would touch others lose to them: first powers of ten stand, then the rest. */
static void thin_labels(drawing_ruler *ruler, bool is_upright)
{
    bool keeps[DRAWING_MOST_TICKS] = {0};
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < ruler->tick_count; i++) {
            double power = log10(fabs(ruler->ticks[i].value));
            bool is_next = turn == 1 || power == round(power);
            if (!ruler->ticks[i].is_minor && !keeps[i] && is_next)
                keeps[i] = has_room(ruler, keeps, i, is_upright);
        }
    for (size_t i = 0; i < ruler->tick_count; i++)
        ruler->ticks[i].is_minor = !keeps[i];
}

static void find_slant(drawing_plot *plot)
{
    double place = (plot->area.right - plot->area.left) / fmax(1, (double)plot->x.tick_count);
    double widest = drawing_ruler_width(&plot->x);
    plot->is_slanted =
        plot->x.tick_count > 0 && plot->x.ticks[0].name != NULL && widest > place - 6;
    plot->slant = plot->is_slanted ? fmin(widest, NAMES) * 0.5 + 8 : 0;
}

/* How far labels along x would leave the picture, on either side. */
static void find_overhang(const drawing_plot *plot, double *left, double *right)
{
    *left = *right = 0;
    for (size_t i = 0; i < plot->x.tick_count && !plot->is_slanted; i++) {
        const drawing_tick *tick = &plot->x.ticks[i];
        double x = drawing_ruler_place(&plot->x, tick->value), reach = drawing_tick_width(tick) / 2;
        *left = fmax(*left, 3 - (x - reach));
        *right = fmax(*right, x + reach + 3 - plot->width);
    }
}

opac_status drawing_plot_lay_out(drawing_plot *plot, double below, opac_error *error)
{
    const drawing_chart *chart = plot->chart;
    opac_status status = OPAC_OK;
    double half = plot->width / 2, left = 0, right = 0, space = SPACE_X;
    plot->slant = 0;
    for (int turn = 0; turn < 3 && status == OPAC_OK; turn++) {
        drawing_area *area = &plot->area;
        area->top = EDGE + (chart->title != NULL ? TITLE : 4);
        area->bottom = plot->height - EDGE - LINE - 2 - (chart->x.label != NULL ? LABEL : 0) -
                       plot->slant - below;
        if (area->bottom < area->top + LEAST) { /* the picture grows */
            plot->height += ceil(area->top + LEAST - area->bottom);
            area->bottom = area->top + LEAST;
        }
        drawing_ruler_fit(&plot->y, &chart->y, &plot->y_range, area->bottom - area->top, SPACE_Y);
        status = cut_names(plot, &plot->y, fmin(NAMES, half / 2), error);
        area->left = EDGE + (chart->y.label != NULL ? LABEL : 0) +
                     fmin(drawing_ruler_width(&plot->y), half) + TICK + 4 + left;
        area->right = fmax(plot->width - EDGE - 8 - right, area->left + 20);
        drawing_ruler_fit(&plot->x, &chart->x, &plot->x_range, area->right - area->left, space);
        if (status == OPAC_OK)
            status = cut_names(plot, &plot->x, fmin(NAMES, half), error);
        find_slant(plot);
        plot->x.from = area->left;
        plot->x.to = area->right;
        plot->y.from = area->bottom;
        plot->y.to = area->top;
        if (turn == 0) {
            find_overhang(plot, &left, &right);
            space = fmax(space, drawing_ruler_width(&plot->x) + 16);
        }
    }
    thin_labels(&plot->y, true);
    if (status == OPAC_OK && plot->is_slanted)
        return cut_slanted(plot, error);
    thin_labels(&plot->x, false);
    return status;
}

/* ---- writing ---- */

void drawing_write_grid(const drawing_plot *plot)
{
    const drawing_area *area = &plot->area;
    opac_output_text(plot->out, "<path class=\"opac-grid\" d=\"");
    for (size_t i = 0; i < plot->y.tick_count; i++)
        if (!plot->y.ticks[i].is_minor) {
            double y = drawing_ruler_place(&plot->y, plot->y.ticks[i].value);
            drawing_write_pair(plot->out, "M", area->left, y);
            opac_output_text(plot->out, "H");
            drawing_number_write(plot->out, area->right);
        }
    for (size_t i = 0; i < plot->x.tick_count; i++)
        if (!plot->x.ticks[i].is_minor && plot->x.ticks[i].name == NULL) {
            double x = drawing_ruler_place(&plot->x, plot->x.ticks[i].value);
            drawing_write_pair(plot->out, "M", x, area->top);
            opac_output_text(plot->out, "V");
            drawing_number_write(plot->out, area->bottom);
        }
    opac_output_text(plot->out, "\"/>\n");
}

static void write_marks(const drawing_plot *plot)
{
    const drawing_area *area = &plot->area;
    opac_output *out = plot->out;
    drawing_write_pair(out, "<path class=\"opac-axis\" d=\"M", area->left, area->top);
    opac_output_text(out, "V");
    drawing_number_write(out, area->bottom);
    opac_output_text(out, "H");
    drawing_number_write(out, area->right);
    for (size_t i = 0; i < plot->y.tick_count; i++) {
        const drawing_tick *tick = &plot->y.ticks[i];
        drawing_write_pair(out, "M", area->left, drawing_ruler_place(&plot->y, tick->value));
        opac_output_text(out, tick->is_minor ? "h-3" : "h-5");
    }
    for (size_t i = 0; i < plot->x.tick_count; i++) {
        const drawing_tick *tick = &plot->x.ticks[i];
        drawing_write_pair(out, "M", drawing_ruler_place(&plot->x, tick->value), area->bottom);
        opac_output_text(out, tick->is_minor ? "v3" : "v5");
    }
    opac_output_text(out, "\"/>\n");
}

static void write_label(const drawing_plot *plot, const drawing_tick *tick, const char *style,
                        double x, double y, bool is_slanted)
{
    opac_output *out = plot->out;
    if (tick->is_minor)
        return;
    opac_output_print(out, "<text class=\"%s\"", style);
    drawing_write_attribute(out, "x", x);
    drawing_write_attribute(out, "y", y);
    if (is_slanted) {
        drawing_write_pair(out, " transform=\"rotate(-30 ", x, y);
        opac_output_text(out, ")\"");
    }
    opac_output_text(out, ">");
    drawing_text_write(out, tick->name != NULL ? tick->name : tick->label);
    if (tick->has_power)
        opac_output_print(out, "<tspan class=\"opac-power\" dy=\"-5\">%s%d</tspan>",
                          tick->power < 0 ? "\xE2\x88\x92" : "",
                          tick->power < 0 ? -tick->power : tick->power);
    opac_output_text(out, "</text>\n");
}

static opac_status write_titles(drawing_plot *plot, opac_error *error)
{
    const drawing_chart *chart = plot->chart;
    const drawing_area *area = &plot->area;
    base_arena *arena = &plot->arena;
    const char *title = chart->title != NULL ? chart->title : "";
    const char *x = chart->x.label != NULL ? chart->x.label : "";
    const char *y = chart->y.label != NULL ? chart->y.label : "";
    double middle = (area->left + area->right) / 2, level = (area->top + area->bottom) / 2;
    title = drawing_cut_text(arena, title, plot->width - 2 * EDGE, 17); /* which is bold */
    x = drawing_cut_text(arena, x, area->right - area->left, DRAWING_FONT);
    y = drawing_cut_text(arena, y, area->bottom - area->top, DRAWING_FONT);
    if (title == NULL || x == NULL || y == NULL)
        return base_fail_memory(error);
    if (*title != '\0')
        drawing_write_text(plot->out, "opac-heading", EDGE, EDGE + 12, title);
    if (*x != '\0')
        drawing_write_text(plot->out, "opac-label opac-middle", middle,
                           area->bottom + TICK + LINE + LABEL - 2 + plot->slant, x);
    if (*y != '\0') {
        drawing_write_pair(plot->out,
                           "<text class=\"opac-label opac-middle\" transform=\"translate(",
                           EDGE + 11, level);
        opac_output_text(plot->out, ") rotate(-90)\">");
        drawing_text_write(plot->out, y);
        opac_output_text(plot->out, "</text>\n");
    }
    return OPAC_OK;
}

opac_status drawing_write_axes(drawing_plot *plot, opac_error *error)
{
    write_marks(plot);
    for (size_t i = 0; i < plot->x.tick_count; i++) {
        const drawing_tick *tick = &plot->x.ticks[i];
        double x = drawing_ruler_place(&plot->x, tick->value);
        write_label(plot, tick, plot->is_slanted ? "opac-end" : "opac-middle", x,
                    plot->area.bottom + TICK + (plot->is_slanted ? 11 : 13), plot->is_slanted);
    }
    for (size_t i = 0; i < plot->y.tick_count; i++)
        write_label(plot, &plot->y.ticks[i], "opac-end", plot->area.left - TICK - 3,
                    drawing_ruler_place(&plot->y, plot->y.ticks[i].value) + 4.3, false);
    return write_titles(plot, error);
}
