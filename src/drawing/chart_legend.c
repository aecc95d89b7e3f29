/* SPDX-License-Identifier: MIT */
/*
 * The legend: a frame inside the plot where no ink is, else rows below everything.
 */
#include <math.h>

#include "drawing/chart_parts.h"

#define SAMPLE 28.0 /* the width of a sample of the series */
#define ROW    18.0
#define INSET  8.0
#define EDGE   12.0
#define MOST   320.0 /* pixels of a name */

static bool is_entry(const drawing_series *series)
{
    return series->name != NULL && series->name[0] != '\0';
}

size_t drawing_legend_count(const drawing_plot *plot)
{
    size_t count = 0;
    for (size_t i = 0; i < plot->chart->series_count; i++)
        count += is_entry(&plot->chart->series[i]);
    return count;
}

static double name_width(const drawing_series *series)
{
    return fmin(drawing_text_width_in(series->name, DRAWING_SMALL), MOST);
}

bool drawing_legend_find(drawing_plot *plot)
{
    const drawing_area *area = &plot->area;
    double width = 0, height = ROW * (double)drawing_legend_count(plot) + 6;
    for (size_t i = 0; i < plot->chart->series_count; i++)
        if (is_entry(&plot->chart->series[i]))
            width = fmax(width, SAMPLE + 8 + name_width(&plot->chart->series[i]) + 8);
    double left = area->left + INSET, right = area->right - INSET - width;
    double top = area->top + INSET, bottom = area->bottom - INSET - height;
    double middle = (left + right) / 2, level = (top + bottom) / 2;
    const double places[][2] = {{right, top},   {left, top},      {right, bottom},
                                {left, bottom}, {right, level},   {left, level},
                                {middle, top},  {middle, bottom}, {middle, level}};
    if (width > 0.6 * (area->right - area->left) || height > 0.7 * (area->bottom - area->top))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        double x = places[i][0], y = places[i][1];
        plot->legend = (drawing_area){x, y, x + width, y + height};
        if (drawing_ink_under(plot, (drawing_area){x - 4, y - 4, x + width + 4, y + height + 4}) ==
            0)
            return true;
    }
    return false;
}

/* ---- below ---- */

static double room(const drawing_plot *plot)
{
    return plot->width - 2 * EDGE;
}

static double entry_width(const drawing_plot *plot, const drawing_series *series)
{
    return fmin(SAMPLE + 6 + name_width(series) + 18, room(plot));
}

double drawing_legend_height(const drawing_plot *plot)
{
    double x = 0, rows = 1;
    for (size_t i = 0; i < plot->chart->series_count; i++) {
        const drawing_series *series = &plot->chart->series[i];
        if (!is_entry(series))
            continue;
        double width = entry_width(plot, series);
        if (x > 0 && x + width > room(plot)) {
            rows++;
            x = 0;
        }
        x += width;
    }
    return rows * ROW + 6;
}

/* ---- writing ---- */

static void write_sample(const drawing_plot *plot, size_t number, double x, double y)
{
    const drawing_series *series = &plot->chart->series[number];
    opac_output *out = plot->out;
    drawing_area block = {x + 2, y - 5.5, x + SAMPLE - 4, y + 5.5};
    opac_output_print(out, "<g class=\"opac-c%zu opac-d%zu\">", number % DRAWING_STYLES,
                      number % DRAWING_STYLES);
    if (series->kind == DRAWING_BOXES || series->kind == DRAWING_BARS)
        drawing_write_block(plot, number, block, series->kind == DRAWING_BOXES);
    if (series->kind == DRAWING_BAND) {
        drawing_write_pair(out, "<path class=\"opac-band\" d=\"M", block.left, block.top);
        drawing_write_pair(out, "L", block.right, block.top);
        drawing_write_pair(out, "L", block.right, block.bottom);
        drawing_write_pair(out, "L", block.left, block.bottom);
        opac_output_text(out, "Z\"/>");
    }
    if (series->kind == DRAWING_CURVE || series->kind == DRAWING_STAIRS) {
        drawing_write_pair(out, "<path class=\"opac-line\" d=\"M", x, y);
        drawing_write_pair(out, "L", x + SAMPLE, y);
        opac_output_text(out, "\"/>");
    }
    if (drawing_has_markers(series)) {
        opac_output_print(out, "<path class=\"%s\" d=\"", drawing_marker_class(number));
        drawing_write_marker(out, number, x + SAMPLE / 2, y,
                             series->weight != NULL ? DRAWING_UNIT_RADIUS : DRAWING_RADIUS);
        opac_output_text(out, "\"/>");
    }
    opac_output_text(out, "</g>\n");
}

static void write_frame(const drawing_plot *plot)
{
    const drawing_area *legend = &plot->legend;
    opac_output_text(plot->out, "<rect class=\"opac-legend\"");
    drawing_write_attribute(plot->out, "x", legend->left);
    drawing_write_attribute(plot->out, "y", legend->top);
    drawing_write_attribute(plot->out, "width", legend->right - legend->left);
    drawing_write_attribute(plot->out, "height", legend->bottom - legend->top);
    opac_output_text(plot->out, " rx=\"3\"/>\n");
}

opac_status drawing_write_legend(drawing_plot *plot, opac_error *error)
{
    bool is_below = plot->legend_is_below;
    double top = plot->height - drawing_legend_height(plot) - EDGE / 2;
    double x = is_below ? EDGE : plot->legend.left + 7;
    double y = (is_below ? top : plot->legend.top + 3) + ROW / 2;
    if (drawing_legend_count(plot) == 0)
        return OPAC_OK;
    if (!is_below)
        write_frame(plot);
    for (size_t i = 0; i < plot->chart->series_count; i++) {
        const drawing_series *series = &plot->chart->series[i];
        if (!is_entry(series))
            continue;
        double width = entry_width(plot, series);
        if (is_below && x > EDGE && x + width > EDGE + room(plot)) {
            x = EDGE;
            y += ROW;
        }
        const char *name = drawing_cut_text(&plot->arena, series->name,
                                            fmin(MOST, width - SAMPLE - 6), DRAWING_SMALL);
        if (name == NULL)
            return base_fail_memory(error);
        write_sample(plot, i, x, y);
        drawing_write_text(plot->out, "opac-start", x + SAMPLE + 6, y + 4, name);
        x += is_below ? width : 0;
        y += is_below ? 0 : ROW;
    }
    return OPAC_OK;
}
