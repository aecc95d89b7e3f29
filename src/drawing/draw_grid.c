/* SPDX-License-Identifier: MIT */
/*
 * Writes decisions on a grid as SVG. Each cell has the attributes data-memory and data-place, so that scripts
 * of a page can find it.
 */
#include "drawing/draw_grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "base/error.h"
#include "base/vec.h"
#include "drawing/draw_graph.h"

#define CELL  54.0
#define AXIS  24.0 /* space for the numbers of columns and rows */
#define GAP   22.0
#define PANEL 1000.0 /* panels are side by side up to this width */

enum {
    TITLE_SIZE = 96, /* of a panel */
    MOST_EMPTY = 16, /* cells for each one that is used */
    LEAST_ITEMS = 4  /* average number of items of a layer; with fewer, a grid is not useful */
};

/* ---- positions ---- */

/* Parses an integer of at most six digits. */
static bool parse_number(const char **at, const char *end, int64_t *number)
{
    const char *p = *at;
    bool is_negative = p < end && *p == '-';
    size_t digits = 0;
    *number = 0;
    for (p += is_negative; p < end && base_is_digit(*p) && digits < 7; p++, digits++)
        *number = 10 * *number + (*p - '0');
    if (is_negative)
        *number = -*number;
    *at = p;
    return digits > 0 && digits < 7;
}

bool drawing_grid_parse(const char *at, size_t length, drawing_position *found)
{
    const char *end = at + length;
    bool has_bracket = at < end && *at == '(';
    at += has_bracket;
    if (!parse_number(&at, end, &found->x) || at == end || *at++ != ',')
        return false;
    at += at < end && *at == ' ';
    if (!parse_number(&at, end, &found->y))
        return false;
    if (has_bracket && (at == end || *at++ != ')'))
        return false;
    return at == end;
}

static int compare_positions(const void *a, const void *b)
{
    const drawing_position *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static int compare_layers(const drawing_position *p, const drawing_position *q)
{
    return drawing_text_compare(p->layer, q->layer);
}

static int compare_layered(const void *a, const void *b)
{
    int order = compare_layers(a, b);
    return order != 0 ? order : compare_positions(a, b);
}

typedef int (*comparison)(const void *a, const void *b);

/* Sorts the positions. Returns whether all are different. */
static bool sort(drawing_grid *g, comparison compare)
{
    qsort(g->positions, g->count, sizeof *g->positions, compare);
    for (uint32_t i = 1; i < g->count; i++)
        if (compare(&g->positions[i - 1], &g->positions[i]) == 0)
            return false;
    return true;
}

/* The end of the layer that begins at `begin`. */
static uint32_t layer_end(const drawing_grid *g, uint32_t begin)
{
    uint32_t end = begin + 1;
    while (end < g->count &&
           (!g->has_layers || compare_layers(&g->positions[begin], &g->positions[end]) == 0))
        end++;
    return end;
}

static uint32_t count_layers(const drawing_grid *g)
{
    uint32_t layers = 0;
    for (uint32_t i = 0; i < g->count; i = layer_end(g, i))
        layers++;
    return layers;
}

/* Finds the leading variables that have the same values in all layers. */
static void find_skip(drawing_grid *g)
{
    const char *first = g->positions[0].layer;
    size_t common = strlen(first);
    for (uint32_t i = layer_end(g, 0); i < g->count; i = layer_end(g, i)) {
        size_t same = 0;
        while (same < common && g->positions[i].layer[same] == first[same])
            same++;
        common = same;
    }
    while (common > 0 && (common < 2 || memcmp(first + common - 2, ", ", 2) != 0))
        common--;
    g->layer_skip = common;
}

bool drawing_grid_measure(drawing_grid *g)
{
    if (g->count == 0 || g->count > DRAWING_MOST_CELLS)
        return false;
    for (uint32_t i = 0; i < g->count; i++) {
        const drawing_position *p = &g->positions[i];
        g->left = i == 0 || p->x < g->left ? p->x : g->left;
        g->right = i == 0 || p->x > g->right ? p->x : g->right;
        g->bottom = i == 0 || p->y < g->bottom ? p->y : g->bottom;
        g->top = i == 0 || p->y > g->top ? p->y : g->top;
    }
    double cells =
        ((double)g->right - (double)g->left + 1) * ((double)g->top - (double)g->bottom + 1);
    if (cells > DRAWING_MOST_CELLS || cells > (double)MOST_EMPTY * g->count)
        return false;
    g->has_layers = !sort(g, compare_positions);
    if (!g->has_layers)
        return true;
    if (!sort(g, compare_layered))
        return false;
    find_skip(g);
    uint32_t layers = count_layers(g);
    return layers <= DRAWING_MOST_LAYERS && g->count >= LEAST_ITEMS * layers &&
           cells * layers <= DRAWING_MOST_CELLS && cells * layers <= (double)MOST_EMPTY * g->count;
}

/* ---- cells ---- */

/* Finds the direction of an action in SVG coordinates: x to the right and y down. Returns false if there is
 * none. */
static bool find_direction(const char *action, double *dx, double *dy)
{
    static const struct {
        const char *name;
        signed char dx, dy;
    } directions[] = {
        {"n", 0, -1},         {"e", 1, 0},         {"s", 0, 1},          {"w", -1, 0},
        {"ne", 1, -1},        {"se", 1, 1},        {"sw", -1, 1},        {"nw", -1, -1},
        {"north", 0, -1},     {"east", 1, 0},      {"south", 0, 1},      {"west", -1, 0},
        {"northeast", 1, -1}, {"southeast", 1, 1}, {"southwest", -1, 1}, {"northwest", -1, -1},
        {"up", 0, -1},        {"down", 0, 1},      {"right", 1, 0},      {"left", -1, 0}};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (strcmp(directions[i].name, action) == 0) {
            double length = directions[i].dx != 0 && directions[i].dy != 0 ? sqrt(2.0) : 1;
            *dx = directions[i].dx / length;
            *dy = directions[i].dy / length;
            return true;
        }
    return false;
}

static void point(opac_output *out, const char *letter, double x, double y)
{
    opac_output_text(out, letter);
    drawing_number_write(out, x);
    opac_output_text(out, " ");
    drawing_number_write(out, y);
}

static void write_direction(opac_output *out, double x, double y, double dx, double dy)
{
    double long_ = 12, back = 6;
    double tip_x = x + long_ * dx, tip_y = y + long_ * dy;
    opac_output_text(out, "<path class=\"opac-way\" d=\"");
    point(out, "M", x - long_ * dx, y - long_ * dy);
    point(out, "L", tip_x, tip_y);
    point(out, "M", tip_x - back * (dx - dy), tip_y - back * (dy + dx));
    point(out, "L", tip_x, tip_y);
    point(out, "L", tip_x - back * (dx + dy), tip_y - back * (dy - dx));
    opac_output_text(out, "\"/>\n");
}

static void write_text(opac_output *out, const char *style, double x, double y, const char *text)
{
    opac_output_print(out, "<text class=\"%s\" x=\"", style);
    drawing_number_write(out, x);
    opac_output_text(out, "\" y=\"");
    drawing_number_write(out, y);
    opac_output_text(out, "\">");
    drawing_text_write(out, text);
    opac_output_text(out, "</text>\n");
}

static void write_rectangle(opac_output *out, const char *style, double x, double y)
{
    opac_output_print(out, "<rect class=\"%s\" x=\"", style);
    drawing_number_write(out, x);
    opac_output_text(out, "\" y=\"");
    drawing_number_write(out, y);
    opac_output_print(out, "\" width=\"%d\" height=\"%d\"/>\n", (int)CELL, (int)CELL);
}

/* Begins a cell: its attributes and its tooltip. */
static void open_cell(const drawing_cell *cell, uint32_t memory, opac_output *out)
{
    opac_output_print(out, "<g class=\"opac-place\" data-memory=\"%u\" data-place=\"",
                      (unsigned)memory);
    drawing_text_write(out, cell->state_name);
    opac_output_text(out, "\"><title>");
    drawing_text_write(out, cell->state_name);
    if (cell->action != NULL && *cell->action != '\0') {
        opac_output_text(out, ": ");
        drawing_text_write(out, cell->action);
    }
    opac_output_text(out, "</title>\n");
}

/* Writes a cell: the labels at the bottom, the action above them. */
static void write_cell(const drawing_cell *cell, uint32_t memory, double x, double y,
                       opac_output *out)
{
    const char *action = cell->action != NULL ? cell->action : "";
    double dx, dy, middle = y + CELL / 2 - (*cell->labels != '\0' ? 7 : 0);
    open_cell(cell, memory, out);
    write_rectangle(out,
                    cell->action == NULL ? "opac-cell opac-empty"
                    : cell->is_initial   ? "opac-cell opac-first"
                                         : "opac-cell",
                    x, y);
    if (find_direction(action, &dx, &dy))
        write_direction(out, x + CELL / 2, middle, dx, dy);
    else if (*action != '\0')
        write_text(out, "opac-name", x + CELL / 2, middle + 4.5, action);
    if (*cell->labels != '\0')
        write_text(out, "opac-remark opac-middle", x + CELL / 2, y + CELL - 7, cell->labels);
    opac_output_text(out, "</g>\n");
}

/* ---- panels ---- */

static void write_axes(const drawing_grid *g, double x, double y, opac_output *out)
{
    int64_t columns = g->right - g->left + 1, rows = g->top - g->bottom + 1;
    char number[32];
    for (int64_t i = 0; i < columns; i++) {
        snprintf(number, sizeof number, "%" PRId64, g->left + i);
        write_text(out, "opac-remark opac-middle", x + ((double)i + 0.5) * CELL,
                   y + (double)rows * CELL + 17, number);
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = g->rows_down ? i - g->top : g->top - i;
        snprintf(number, sizeof number, "%" PRId64, row);
        write_text(out, "opac-remark opac-middle", x - AXIS / 2, y + ((double)i + 0.5) * CELL + 4.5,
                   number);
    }
}

/* A layer for a memory value. */
typedef struct panel {
    uint32_t begin, end; /* of its positions */
    uint32_t memory;
} panel;
BASE_VEC(panel_vec, panel);

/* The title of a panel: "full=true, memory 1". Long ones are truncated. */
static void format_title(const drawing_grid *g, const panel *p, char title[static TITLE_SIZE])
{
    char layer[DRAWING_MOST_TEXT + 4] = "", memory[32] = "";
    if (g->has_layers) {
        const char *text = g->positions[p->begin].layer + g->layer_skip;
        opac_text_show(text, strlen(text), layer, sizeof layer);
    }
    if (g->has_memory)
        snprintf(memory, sizeof memory, "%smemory %u", *layer != '\0' ? ", " : "",
                 (unsigned)p->memory);
    snprintf(title, TITLE_SIZE, "%s%s", layer, memory);
}

static bool has_titles(const drawing_grid *g)
{
    return g->has_memory || g->has_layers;
}

static opac_status write_panel(const drawing_grid *g, const panel *shown, double x, double y,
                               opac_output *out, opac_error *error)
{
    char title[TITLE_SIZE];
    format_title(g, shown, title);
    if (has_titles(g)) {
        opac_output_print(out, "<g class=\"opac-panel\" data-memory=\"%u\">\n",
                          (unsigned)shown->memory);
        write_text(out, "opac-name opac-left", x + AXIS, y + 13, title);
    }
    x += AXIS;
    y += has_titles(g) ? DRAWING_HEADING : 0;
    write_axes(g, x, y, out);
    for (uint32_t i = shown->begin; i < shown->end; i++) {
        const drawing_position *p = &g->positions[i];
        drawing_cell cell = {0};
        if (!g->describe(g->context, p->item, shown->memory, &cell))
            return base_fail_memory(error);
        write_cell(&cell, shown->memory, x + (double)(p->x - g->left) * CELL,
                   y + (double)(g->top - p->y) * CELL, out);
    }
    opac_output_text(out, has_titles(g) ? "</g>\n" : "");
    return OPAC_OK;
}

/* ---- choice of panels ---- */

/* *any: whether a cell of the panel has a decision. */
static opac_status has_decision(const drawing_grid *g, const panel *p, bool *any, opac_error *error)
{
    *any = false;
    for (uint32_t i = p->begin; i < p->end && !*any; i++) {
        drawing_cell cell = {0};
        if (!g->describe(g->context, g->positions[i].item, p->memory, &cell))
            return base_fail_memory(error);
        *any = cell.action != NULL;
    }
    return OPAC_OK;
}

/* Adds the panels of a layer. If there are several layers, panels without decisions are left out, except the
 * first one of a layer without any. */
static opac_status add_layer(const drawing_grid *g, uint32_t begin, panel_vec *panels,
                             opac_error *error)
{
    panel p = {begin, layer_end(g, begin), 0};
    size_t before = panels->count;
    for (uint32_t i = 0; i < g->memory_count; i++) {
        bool is_shown = true;
        p.memory = g->memories[i];
        if (g->has_layers)
            TRY(has_decision(g, &p, &is_shown, error));
        if (is_shown)
            TRY(panel_vec_push(panels, p, error));
    }
    p.memory = g->memories[0];
    return panels->count == before ? panel_vec_push(panels, p, error) : OPAC_OK;
}

static opac_status write_panels(const drawing_grid *g, const panel_vec *panels, opac_output *out,
                                opac_error *error)
{
    char title[TITLE_SIZE];
    size_t across = 1, count = panels->count;
    double panel_width = AXIS + (double)(g->right - g->left + 1) * CELL + GAP;
    double panel_height = (double)(g->top - g->bottom + 1) * CELL + AXIS + GAP;
    panel_height += has_titles(g) ? DRAWING_HEADING : 0;
    for (size_t i = 0; i < count; i++) {
        format_title(g, &panels->items[i], title);
        panel_width = fmax(panel_width, AXIS + drawing_text_width(title) + GAP);
    }
    while (across < count && (double)(across + 1) * panel_width <= PANEL)
        across++;
    size_t rows = (count + across - 1) / across;
    double width = fmax((double)across * panel_width, drawing_text_width(g->heading) * 1.1) +
                   2 * DRAWING_MARGIN;
    drawing_open(out, width, (double)rows * panel_height + DRAWING_HEADING + 2 * DRAWING_MARGIN,
                 g->heading);
    write_text(out, "opac-heading", DRAWING_MARGIN, DRAWING_MARGIN + 12, g->heading);
    for (size_t i = 0; i < count; i++) {
        size_t column = i % across, row = i / across;
        TRY(write_panel(g, &panels->items[i], DRAWING_MARGIN + (double)column * panel_width,
                        DRAWING_MARGIN + DRAWING_HEADING + (double)row * panel_height, out, error));
    }
    opac_output_text(out, "</svg>\n");
    return OPAC_OK;
}

opac_status drawing_grid_write(const drawing_grid *g, opac_output *out, opac_error *error)
{
    panel_vec panels = {0};
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < g->count; i = layer_end(g, i))
        TRY_OR(done, add_layer(g, i, &panels, error));
    status = write_panels(g, &panels, out, error);
done:
    panel_vec_fini(&panels);
    return status;
}
