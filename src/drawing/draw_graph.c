/* SPDX-License-Identifier: MIT */
/*
 * Writes graphs as SVG. There are no identifiers: arrow heads are paths, and styles are classes with the
 * prefix "opac-". So a page can contain several pictures.
 */
#include "drawing/draw_graph.h"

#include <math.h>

#include "base/bits.h"

void drawing_graph_fini(drawing_graph *graph)
{
    base_arena_fini(&graph->arena);
    drawing_line_vec_fini(&graph->lines);
    drawing_box_vec_fini(&graph->boxes);
    drawing_arrow_vec_fini(&graph->arrows);
}

opac_status drawing_graph_line(drawing_graph *graph, uint32_t *count, const char *text,
                               uint64_t marks, opac_error *error)
{
    *count += 1;
    return drawing_line_vec_push(&graph->lines, (drawing_line){text, marks}, error);
}

static double line_width(const drawing_line *line)
{
    double width = drawing_text_width(line->text);
    for (uint64_t left = line->marks; left != 0; left &= left - 1)
        width += DRAWING_BADGE + 2;
    return width;
}

double drawing_lines_width(const drawing_graph *graph, uint32_t line, uint32_t count)
{
    double width = 0;
    for (uint32_t i = 0; i < count; i++)
        width = fmax(width, line_width(&graph->lines.items[line + i]));
    return width;
}

/* ---- basic elements ---- */

/* Writes numbers separated by blanks. */
static void numbers(opac_output *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        opac_output_text(out, i > 0 ? " " : "");
        drawing_number_write(out, values[i]);
    }
}

static void attribute(opac_output *out, const char *name, double value)
{
    opac_output_print(out, " %s=\"", name);
    drawing_number_write(out, value);
    opac_output_text(out, "\"");
}

static void write_text(opac_output *out, const char *style, double x, double y, const char *text)
{
    opac_output_print(out, "<text class=\"%s\"", style);
    attribute(out, "x", x);
    attribute(out, "y", y);
    opac_output_text(out, ">");
    drawing_text_write(out, text);
    opac_output_text(out, "</text>\n");
}

/* Writes a mark: a number in a shape and a colour that also depend on the number. */
static void write_badge(opac_output *out, unsigned mark, double x, double y)
{
    static const char *const shapes[] = {
        "M0 -7.5A7.5 7.5 0 1 1 0 7.5A7.5 7.5 0 1 1 0 -7.5Z", /* a disc, a square, */
        "M-7 -7H7V7H-7Z", "M0 -9L9 0L0 9L-9 0Z",             /* a diamond, a hexagon */
        "M-4 -7.5H4L8 0L4 7.5H-4L-8 0Z"};
    opac_output_print(out, "<g class=\"opac-mark opac-m%u\" transform=\"translate(", mark % 8);
    numbers(out, (double[]){x, y}, 2);
    opac_output_print(out, ")\"><path d=\"%s\"/><text y=\"3.6\">%u</text></g>\n", shapes[mark % 4],
                      mark);
}

/* Writes lines of text, centred at x. The baseline of the last one is y. */
static void write_lines(const drawing_graph *graph, uint32_t line, uint32_t count, double x,
                        double y, const char *style, opac_output *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const drawing_line *item = &graph->lines.items[line + i];
        double text = drawing_text_width(item->text), all = line_width(item);
        double base = y - (count - 1 - i) * DRAWING_LINE, at = x - all / 2 + text;
        write_text(out, style, x - all / 2 + text / 2, base, item->text);
        for (uint64_t left = item->marks; left != 0; left &= left - 1) {
            write_badge(out, base_lowest_bit(left), at + 2 + DRAWING_BADGE / 2, base - 4.5);
            at += DRAWING_BADGE + 2;
        }
    }
}

/* Writes an arrow head with its tip at (x, y) in direction (dx, dy). */
static void write_head(opac_output *out, double x, double y, double dx, double dy)
{
    double back = DRAWING_ARROW, side = 3.6;
    opac_output_text(out, "<path class=\"opac-head\" d=\"M");
    numbers(out, (double[]){x, y}, 2);
    opac_output_text(out, "L");
    numbers(out, (double[]){x - back * dx - side * dy, y - back * dy + side * dx}, 2);
    opac_output_text(out, "L");
    numbers(out, (double[]){x - back * dx + side * dy, y - back * dy - side * dx}, 2);
    opac_output_text(out, "Z\"/>\n");
}

/* ---- boxes ---- */

static void write_initial(const drawing_box *box, opac_output *out)
{
    double x = box->x - box->width / 2, y = box->y + box->height / 2;
    opac_output_text(out, "<path class=\"opac-edge\" d=\"M");
    if (box->is_from_below)
        numbers(out, (double[]){box->x, y + DRAWING_INITIAL - 2}, 2);
    else
        numbers(out, (double[]){x - DRAWING_INITIAL, box->y}, 2);
    opac_output_text(out, "L");
    if (box->is_from_below)
        numbers(out, (double[]){box->x, y + 6}, 2);
    else
        numbers(out, (double[]){x - 6, box->y}, 2);
    opac_output_text(out, "\"/>\n");
    if (box->is_from_below)
        write_head(out, box->x, y, 0, -1);
    else
        write_head(out, x, box->y, 1, 0);
}

static void write_box(const drawing_graph *graph, const drawing_box *box, opac_output *out)
{
    opac_output_text(out, "<g class=\"opac-node");
    if (box->state_name != NULL) {
        opac_output_print(out, " opac-place\" data-memory=\"%u\" data-place=\"",
                          (unsigned)box->memory);
        drawing_text_write(out, box->state_name);
    }
    opac_output_text(out, "\"><title>");
    drawing_text_write(out, box->title != NULL ? box->title : "");
    opac_output_text(out, "</title><rect");
    attribute(out, "x", box->x - box->width / 2);
    attribute(out, "y", box->y - box->height / 2);
    attribute(out, "width", box->width);
    attribute(out, "height", box->height);
    attribute(out, "rx", box->is_round ? box->height / 2 : 8);
    opac_output_text(out, "/>\n");
    write_lines(graph, box->line, box->line_count, box->x,
                box->y + 4.5 + (box->line_count - 1) * DRAWING_LINE / 2, "opac-name", out);
    opac_output_text(out, "</g>\n");
    if (box->is_initial)
        write_initial(box, out);
}

/* ---- arrows ---- */

static const char *edge_style(const drawing_arrow *arrow)
{
    return arrow->is_dashed ? "opac-edge opac-dashed" : "opac-edge";
}

static void write_loop(const drawing_graph *graph, const drawing_arrow *arrow, opac_output *out)
{
    const drawing_box *box = &graph->boxes.items[arrow->from];
    double top = box->y - box->height / 2, high = top - DRAWING_LOOP - 6;
    opac_output_print(out, "<path class=\"%s\" d=\"M", edge_style(arrow));
    numbers(out, (double[]){box->x - 7, top + 1}, 2);
    opac_output_text(out, "C");
    numbers(out, (double[]){box->x - 22, high, box->x + 22, high, box->x + 8.5, top - 6}, 6);
    opac_output_text(out, "\"/>\n");
    write_head(out, box->x + 6, top + 0.5, -0.34, 0.94);
    write_lines(graph, arrow->line, arrow->line_count, box->x, top - DRAWING_LOOP - 2, "opac-label",
                out);
}

/* Writes a curve between two points that is horizontal at both. */
static void write_curve(opac_output *out, double x, double y, double to_x, double to_y)
{
    double middle = (x + to_x) / 2;
    if (fabs(y - to_y) < 0.05) {
        opac_output_text(out, "L");
        numbers(out, (double[]){to_x, to_y}, 2);
    } else {
        opac_output_text(out, "C");
        numbers(out, (double[]){middle, y, middle, to_y, to_x, to_y}, 6);
    }
}

static void write_arrow(const drawing_graph *graph, const drawing_arrow *arrow, opac_output *out)
{
    double x = arrow->left_x, y = arrow->left_y;
    opac_output_print(out, "<path class=\"%s\" d=\"M", edge_style(arrow));
    numbers(out, (double[]){x + (arrow->is_reversed ? 6 : 0), y}, 2);
    opac_output_text(out, "H");
    drawing_number_write(out, arrow->left_edge + 1);
    x = arrow->left_edge + 1;
    for (uint32_t i = 0; i < arrow->pass_count; i++) {
        const drawing_pass *pass = &arrow->passes[i];
        write_curve(out, x, y, pass->left, pass->y);
        opac_output_text(out, "H");
        drawing_number_write(out, pass->right);
        x = pass->right;
        y = pass->y;
    }
    double edge = fmin(arrow->right_edge, arrow->right_x - DRAWING_ARROW);
    write_curve(out, x, y, edge, arrow->right_y);
    opac_output_text(out, "H");
    drawing_number_write(out, arrow->right_x - (arrow->is_reversed ? 0 : 6));
    opac_output_text(out, "\"/>\n");
    if (arrow->is_reversed)
        write_head(out, arrow->left_x, arrow->left_y, -1, 0);
    else
        write_head(out, arrow->right_x, arrow->right_y, 1, 0);
    const drawing_pass *label = &arrow->passes[arrow->label];
    write_lines(graph, arrow->line, arrow->line_count, (label->left + label->right) / 2,
                label->y - 5, "opac-label", out);
}

/* Writes the tooltip of an arrow: "0 to 1: a & b, !a & b". */
static void write_title(const drawing_graph *graph, const drawing_arrow *arrow, opac_output *out)
{
    const uint32_t ends[] = {arrow->from, arrow->to};
    opac_output_text(out, "<g><title>");
    for (int i = 0; i < 2; i++) {
        const drawing_box *box = &graph->boxes.items[ends[i]];
        opac_output_text(out, i == 0 ? "" : " to ");
        if (box->line_count > 0)
            drawing_text_write(out, graph->lines.items[box->line].text);
    }
    for (uint32_t i = 0; i < arrow->line_count; i++) {
        opac_output_text(out, i == 0 ? ": " : ", ");
        drawing_text_write(out, graph->lines.items[arrow->line + i].text);
    }
    opac_output_text(out, "</title>\n");
}

/* ---- the whole picture ---- */

/* The content of <style>. */
const char drawing_style[] =
    "\n"
    ".opac-drawing text{font:13px Verdana,\"DejaVu Sans\",Helvetica,Arial,sans-serif;"
    "text-anchor:middle;fill:#1d2433}\n"
    ".opac-drawing path,.opac-drawing rect{stroke:none}\n" /* overrides styles of the page */
    ".opac-drawing .opac-paper{fill:#fff}\n"
    ".opac-drawing .opac-heading{font-weight:bold;text-anchor:start}\n"
    ".opac-drawing .opac-remark{text-anchor:start;fill:#5a6478}\n"
    ".opac-drawing .opac-left{text-anchor:start}\n"
    ".opac-drawing .opac-middle{text-anchor:middle;font-size:11px}\n"
    ".opac-drawing .opac-node rect,.opac-drawing .opac-cell{fill:#eef2fa;stroke:#51607a;"
    "stroke-width:1.4}\n"
    ".opac-drawing .opac-empty{fill:none;stroke:#b9c2d3}\n"
    ".opac-drawing .opac-first{stroke-width:3}\n"
    ".opac-drawing .opac-edge{fill:none;stroke:#51607a;stroke-width:1.3}\n"
    ".opac-drawing .opac-dashed{stroke-dasharray:5 4}\n"
    ".opac-drawing .opac-head{fill:#51607a}\n"
    ".opac-drawing .opac-way{fill:none;stroke:#1d2433;stroke-width:2;stroke-linecap:round;"
    "stroke-linejoin:round}\n"
    ".opac-drawing .opac-mark text{font-size:10px;font-weight:bold;fill:#fff}\n"
    ".opac-m0 path{fill:#1f5fbf}.opac-m1 path{fill:#b3261e}.opac-m2 path{fill:#1d7a3c}"
    ".opac-m3 path{fill:#7a3fb0}\n"
    ".opac-m4 path{fill:#9a5b00}.opac-m5 path{fill:#0f7480}.opac-m6 path{fill:#a02573}"
    ".opac-m7 path{fill:#4d5563}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".opac-drawing .opac-paper{fill:#151922}\n"
    ".opac-drawing text{fill:#e8ecf4}\n"
    ".opac-drawing .opac-remark{fill:#a9b4c8}\n"
    ".opac-drawing .opac-node rect,.opac-drawing .opac-cell{fill:#2b3242;stroke:#a9b7d0}\n"
    ".opac-drawing .opac-empty{fill:none;stroke:#4a556b}\n"
    ".opac-drawing .opac-edge{stroke:#a9b7d0}\n"
    ".opac-drawing .opac-head{fill:#a9b7d0}\n"
    ".opac-drawing .opac-mark text{fill:#fff}\n"
    ".opac-drawing .opac-way{stroke:#e8ecf4}\n"
    "}\n";

void drawing_open(opac_output *out, double width, double height, const char *title)
{
    opac_output_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"");
    drawing_number_write(out, ceil(width));
    opac_output_text(out, "\" height=\"");
    drawing_number_write(out, ceil(height));
    opac_output_text(out, "\" viewBox=\"0 0 ");
    numbers(out, (double[]){ceil(width), ceil(height)}, 2);
    opac_output_text(out, "\" class=\"opac-drawing\">\n<title>");
    drawing_text_write(out, title);
    opac_output_text(out, "</title>\n<style>");
    opac_output_text(out, drawing_style);
    opac_output_text(out, "</style>\n<path class=\"opac-paper\" d=\"M0 0H");
    drawing_number_write(out, ceil(width));
    opac_output_text(out, "V");
    drawing_number_write(out, ceil(height));
    opac_output_text(out, "H0Z\"/>\n");
}

void drawing_graph_write(const drawing_graph *graph, opac_output *out)
{
    double y = DRAWING_MARGIN + 12;
    drawing_open(out, graph->width, graph->height,
                 graph->heading != NULL ? graph->heading : "a graph");
    if (graph->heading != NULL) {
        write_text(out, "opac-heading", DRAWING_MARGIN, y, graph->heading);
        y += DRAWING_HEADING;
    }
    if (graph->remark != NULL)
        write_text(out, "opac-remark", DRAWING_MARGIN, y, graph->remark);
    for (size_t i = 0; i < graph->arrows.count; i++) {
        const drawing_arrow *arrow = &graph->arrows.items[i];
        write_title(graph, arrow, out);
        if (arrow->from == arrow->to)
            write_loop(graph, arrow, out);
        else
            write_arrow(graph, arrow, out);
        opac_output_text(out, "</g>\n");
    }
    for (size_t i = 0; i < graph->boxes.count; i++)
        write_box(graph, &graph->boxes.items[i], out);
    opac_output_text(out, "</svg>\n");
}
