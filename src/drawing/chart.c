/* SPDX-License-Identifier: MIT */
/*
 * Charts: the whole. The plot is drawn into memory first, because the legend has to know where no
 * ink is; if there is no such place, all is drawn once more, with room below.
 *
 * Every selector begins with .opac-chart, and nothing has an identifier: a page may hold any number
 * of charts and of other pictures. Colours have a contrast of at least 3 to the paper; on light
 * paper neighbours differ in lightness by 20 (of 100) or more; and any two can be told apart by
 * those who do not see red or green (20 apart in CIELAB, as Machado's model has it). Those for
 * light paper are the default, for programs that know no media queries, and for print.
 */
#include "drawing/chart.h"

#include <math.h>
#include <string.h>

#include "drawing/chart_parts.h"

#define LEAST_SIZE 160.0
#define MOST_SIZE  8000.0

static const char style[] =
    "<style>\n"
    ".opac-chart text{font:12px Verdana,\"DejaVu Sans\",Helvetica,Arial,sans-serif;fill:#1d2433;"
    "stroke:none}\n"
    ".opac-chart path,.opac-chart rect{fill:none;stroke:none}\n"
    ".opac-chart .opac-paper{fill:#fff}\n"
    ".opac-chart .opac-heading{font-size:15px;font-weight:bold}\n"
    ".opac-chart .opac-label{font-size:13px}\n"
    ".opac-chart .opac-start{text-anchor:start}\n"
    ".opac-chart .opac-middle{text-anchor:middle}\n"
    ".opac-chart .opac-end{text-anchor:end}\n"
    ".opac-chart .opac-power{font-size:9px}\n"
    ".opac-chart .opac-note{font-style:italic;stroke:#fff;stroke-width:3px;stroke-linejoin:round;"
    "paint-order:stroke}\n"
    ".opac-chart .opac-grid{stroke:#e1e5ec;stroke-width:1}\n"
    ".opac-chart .opac-axis{stroke:#51607a;stroke-width:1}\n"
    ".opac-chart .opac-rule{stroke:#1d2433;stroke-width:1.2;stroke-dasharray:7 4}\n"
    ".opac-chart .opac-legend{fill:#fff;stroke:#c9d0dc;stroke-width:1}\n"
    ".opac-chart .opac-line{stroke:currentColor;stroke-width:1.9;stroke-linejoin:round;"
    "stroke-linecap:round}\n"
    ".opac-chart .opac-edge{stroke:currentColor;stroke-width:1.1;stroke-linejoin:round}\n"
    ".opac-chart .opac-thin,.opac-chart .opac-hatch{stroke:currentColor;stroke-width:1}\n"
    ".opac-chart .opac-median{stroke:currentColor;stroke-width:2.6}\n"
    ".opac-chart .opac-block{fill:currentColor;stroke:currentColor;stroke-width:1.2}\n"
    ".opac-chart .opac-band{fill:currentColor;fill-opacity:.18}\n"
    ".opac-chart .opac-full{fill:currentColor}\n"
    ".opac-chart .opac-hollow{fill:none;stroke:currentColor;stroke-width:1.4}\n"
    ".opac-chart .opac-strip{stroke:#fff;stroke-width:.6}\n"
    ".opac-chart .opac-open{stroke:currentColor;stroke-width:1.8}\n"
    ".opac-chart .opac-c0{color:#0a4b8c}.opac-chart .opac-c1{color:#d06a00}"
    ".opac-chart .opac-c2{color:#4a0628}.opac-chart .opac-c3{color:#389b85}\n"
    ".opac-chart .opac-c4{color:#61505e}.opac-chart .opac-c5{color:#1c90ee}"
    ".opac-chart .opac-c6{color:#952410}.opac-chart .opac-c7{color:#a680c2}\n"
    ".opac-chart .opac-d1 .opac-line{stroke-dasharray:8 4}"
    ".opac-chart .opac-d2 .opac-line{stroke-dasharray:2 4}\n"
    ".opac-chart .opac-d3 .opac-line{stroke-dasharray:9 4 2 4}"
    ".opac-chart .opac-d4 .opac-line{stroke-dasharray:14 5}\n"
    ".opac-chart .opac-d5 .opac-line{stroke-dasharray:5 3}"
    ".opac-chart .opac-d6 .opac-line{stroke-dasharray:9 3 2 3 2 3}\n"
    ".opac-chart .opac-d7 .opac-line{stroke-dasharray:3 6}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".opac-chart text{fill:#e8ecf4}\n"
    ".opac-chart .opac-paper{fill:#151922}\n"
    ".opac-chart .opac-note,.opac-chart .opac-strip{stroke:#151922}\n"
    ".opac-chart .opac-grid{stroke:#2b3242}\n"
    ".opac-chart .opac-axis{stroke:#a9b7d0}\n"
    ".opac-chart .opac-rule{stroke:#e8ecf4}\n"
    ".opac-chart .opac-legend{fill:#151922;stroke:#4a556b}\n"
    ".opac-chart .opac-c0{color:#86b0fb}.opac-chart .opac-c1{color:#ffcf5e}"
    ".opac-chart .opac-c2{color:#c25ca4}.opac-chart .opac-c3{color:#43dba4}\n"
    ".opac-chart .opac-c4{color:#dcf6fa}.opac-chart .opac-c5{color:#2079e6}"
    ".opac-chart .opac-c6{color:#f68756}.opac-chart .opac-c7{color:#f2fa9e}\n"
    "}\n</style>\n";

/* ---- pieces ---- */

static opac_status write_head(drawing_plot *plot, opac_output *out, opac_error *error)
{
    const drawing_chart *chart = plot->chart;
    const char *title = chart->title != NULL ? chart->title : "a chart";
    const char *description = chart->description != NULL ? chart->description : title;
    title = drawing_text_copy(&plot->arena, title, strlen(title), 1000);
    description = drawing_text_copy(&plot->arena, description, strlen(description), 4000);
    if (title == NULL || description == NULL)
        return base_fail_memory(error);
    opac_output_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    drawing_write_attribute(out, "width", plot->width);
    drawing_write_attribute(out, "height", plot->height);
    drawing_write_pair(out, " viewBox=\"0 0 ", plot->width, plot->height);
    opac_output_text(out, "\" class=\"opac-chart\">\n<title>");
    drawing_text_write(out, title);
    opac_output_text(out, "</title>\n<desc>");
    drawing_text_write(out, description);
    opac_output_text(out, "</desc>\n");
    opac_output_text(out, style);
    opac_output_text(out, "<path class=\"opac-paper\" d=\"M0 0H");
    drawing_number_write(out, plot->width);
    opac_output_text(out, "V");
    drawing_number_write(out, plot->height);
    opac_output_text(out, "H0Z\"/>\n");
    return OPAC_OK;
}

opac_status drawing_write_title(drawing_plot *plot, const char *title, opac_error *error)
{
    if (title == NULL)
        return OPAC_OK;
    title = drawing_text_copy(&plot->arena, title, strlen(title), 1000);
    if (title == NULL)
        return base_fail_memory(error);
    opac_output_text(plot->out, "<title>");
    drawing_text_write(plot->out, title);
    opac_output_text(plot->out, "</title>\n");
    return OPAC_OK;
}

static opac_status write_inside(drawing_plot *plot, size_t number, opac_error *error)
{
    switch (plot->chart->series[number].kind) {
    case DRAWING_BAND:
        return drawing_write_band(plot, number, error);
    case DRAWING_BARS:
        return drawing_write_bars(plot, number, error);
    case DRAWING_BOXES:
        return drawing_write_boxes(plot, number, error);
    case DRAWING_STRIP:
        return drawing_write_strip(plot, number, error);
    case DRAWING_POINTS:
        return drawing_write_markers(plot, number, error);
    case DRAWING_CURVE:
    case DRAWING_STAIRS:
        break;
    }
    return drawing_write_curve(plot, number, error);
}

static opac_status write_series(drawing_plot *plot, size_t number, opac_error *error)
{
    opac_output_print(plot->out, "<g class=\"opac-c%zu opac-d%zu\">\n", number % DRAWING_STYLES,
                      number % DRAWING_STYLES);
    opac_status status = drawing_write_title(plot, plot->chart->series[number].name, error);
    if (status == OPAC_OK)
        status = write_inside(plot, number, error);
    opac_output_text(plot->out, "</g>\n");
    return status;
}

/* Areas lie below lines, whatever their order. */
static int layer_of(drawing_series_kind kind)
{
    return kind == DRAWING_BAND ? 0 : kind == DRAWING_BARS || kind == DRAWING_BOXES ? 1 : 2;
}

static opac_status write_layer(drawing_plot *plot, int layer, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < plot->chart->series_count && status == OPAC_OK; i++)
        if (layer_of(plot->chart->series[i].kind) == layer)
            status = write_series(plot, i, error);
    return status;
}

static opac_status write_body(drawing_plot *plot, opac_error *error)
{
    opac_status status = drawing_ink_begin(plot, error);
    if (status != OPAC_OK)
        return status;
    drawing_write_grid(plot);
    for (int layer = 0; layer < 3 && status == OPAC_OK; layer++) {
        if (layer == 2)
            status = drawing_write_rules(plot, error);
        if (status == OPAC_OK)
            status = write_layer(plot, layer, error);
    }
    if (status == OPAC_OK)
        status = drawing_write_rule_labels(plot, error);
    return status == OPAC_OK ? drawing_write_axes(plot, error) : status;
}

/* ---- the whole ---- */

static opac_status draw(drawing_plot *plot, double below, opac_error *error)
{
    plot->out = NULL;
    opac_status status = opac_output_open_memory(&plot->out, error);
    if (status == OPAC_OK)
        status = drawing_plot_lay_out(plot, below, error);
    return status == OPAC_OK ? write_body(plot, error) : status;
}

/* With the legend inside, or else, in a second drawing, below. */
static opac_status draw_all(drawing_plot *plot, opac_error *error)
{
    opac_status status = draw(plot, 0, error);
    if (status == OPAC_OK && drawing_legend_count(plot) > 0 && !drawing_legend_find(plot)) {
        double below = drawing_legend_height(plot);
        status =
            opac_output_commit(plot->out, error); /* a failure is one, also of what is dropped */
        opac_output_free(plot->out);
        plot->out = NULL;
        plot->legend_is_below = true;
        plot->height += ceil(fmax(0, below - 0.25 * plot->height));
        if (status == OPAC_OK)
            status = draw(plot, below, error);
    }
    return status == OPAC_OK ? drawing_write_legend(plot, error) : status;
}

static double size_of(double asked, double otherwise)
{
    bool is_none = !isfinite(asked) || asked <= 0;
    return is_none ? otherwise : ceil(fmax(LEAST_SIZE, fmin(MOST_SIZE, asked)));
}

/* From memory to where it is wanted. */
static opac_status hand_over(drawing_plot *plot, opac_output *out, opac_error *error)
{
    size_t length;
    opac_status status = opac_output_commit(plot->out, error);
    if (status != OPAC_OK)
        return status;
    const char *bytes = opac_output_bytes(plot->out, &length);
    status = write_head(plot, out, error);
    if (status == OPAC_OK) {
        opac_output_write(out, bytes, length);
        opac_output_text(out, "</svg>\n");
    }
    return status;
}

opac_status drawing_chart_write(const drawing_chart *chart, opac_output *out, opac_error *error)
{
    drawing_plot *plot = base_alloc_zeroed(1, sizeof *plot);
    if (plot == NULL)
        return base_fail_memory(error);
    plot->chart = chart;
    plot->width = size_of(chart->width, 640);
    plot->height = size_of(chart->height, 400);
    opac_status status = drawing_plot_measure(plot, error);
    if (status == OPAC_OK)
        status = draw_all(plot, error);
    if (status == OPAC_OK)
        status = hand_over(plot, out, error);
    opac_output_free(plot->out);
    base_arena_fini(&plot->arena);
    base_free(plot);
    return status;
}
