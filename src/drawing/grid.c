/* SPDX-License-Identifier: MIT */
/*
 * A policy on a grid: states are places, x to the right and y upwards (or, where they
 * are numbered along rows, rows downwards), with a panel for each memory value that it
 * decides under. Actions that are directions are arrows; others stand there by name.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "drawing/graph.h"
#include "drawing/policy.h"

#define CELL  54.0
#define AXIS  24.0 /* for the numbers of columns and rows */
#define GAP   22.0
#define PANEL 1000.0 /* panels stand side by side up to this width */

enum {
    MOST_CELLS = 10000, /* of a grid; and it may be empty for the most part, but not beyond this: */
    MOST_EMPTY = 16
};

typedef struct place {
    int64_t x, y;
    uint32_t state;
} place;

typedef struct grid {
    const opac_policy *policy;
    base_arena *arena;
    opac_output *out;
    place *places; /* of all states, by y and x */
    uint32_t count;
    int64_t left, right, bottom, top;
    uint32_t x, y;    /* variables of a model */
    uint32_t columns; /* of numbered places, whose rows are 0, -1, ... upwards; 0: others */
} grid;

/* ---- where states are ---- */

static bool find_variable(const opac_model *model, const char *name, uint32_t *found)
{
    for (uint32_t i = 0; i < opac_model_variable_count(model); i++)
        if (strcmp(opac_model_variable(model, i), name) == 0 &&
            opac_model_variable_type(model, i) == OPAC_VALUE_INT) {
            *found = i;
            return true;
        }
    return false;
}

/* A whole number of at most six digits. */
static bool parse_number(const char **at, const char *end, int64_t *number)
{
    const char *p = *at;
    bool is_negative = p < end && *p == '-';
    size_t digits = 0;
    *number = 0;
    for (p += is_negative; p < end && *p >= '0' && *p <= '9' && digits < 7; p++, digits++)
        *number = 10 * *number + (*p - '0');
    if (is_negative)
        *number = -*number;
    *at = p;
    return digits > 0 && digits < 7;
}

/* "3,1", "3, 1" or "(3, 1)". */
static bool parse_key(const char *at, size_t length, place *found)
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

/* The first number in "7", "(7, ('fall',))" or "cell 7", counted along rows. */
static bool parse_index(const char *at, size_t length, uint32_t columns, place *found)
{
    const char *end = at + length;
    int64_t number;
    while (at < end && (*at < '0' || *at > '9'))
        at++;
    if (!parse_number(&at, end, &number))
        return false;
    found->x = number % columns;
    found->y = -(number / columns);
    return true;
}

/* Where an episode has ended, in Python's environments, is a state of its own. */
static void strip_terminal(const char **key, size_t *length)
{
    static const char before[] = "terminal(";
    size_t skip = sizeof before - 1;
    if (*length > skip && memcmp(*key, before, skip) == 0 && (*key)[*length - 1] == ')') {
        *key += skip;
        *length -= skip + 1;
    }
}

static bool locate(const grid *g, uint32_t state, place *found)
{
    size_t length;
    found->state = state;
    if (opac_policy_has_keys(g->policy)) {
        const char *key = opac_policy_key(g->policy, state, &length);
        strip_terminal(&key, &length);
        return g->columns > 0 ? parse_index(key, length, g->columns, found)
                              : parse_key(key, length, found);
    }
    found->x = opac_model_value(g->policy->model, state, g->x);
    found->y = opac_model_value(g->policy->model, state, g->y);
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

/* All states are somewhere, no two in one place, and the grid is not too large. */
static bool measure(grid *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        place *p = &g->places[i];
        if (!locate(g, i, p))
            return false;
        g->left = i == 0 || p->x < g->left ? p->x : g->left;
        g->right = i == 0 || p->x > g->right ? p->x : g->right;
        g->bottom = i == 0 || p->y < g->bottom ? p->y : g->bottom;
        g->top = i == 0 || p->y > g->top ? p->y : g->top;
    }
    double cells =
        ((double)g->right - (double)g->left + 1) * ((double)g->top - (double)g->bottom + 1);
    if (cells > MOST_CELLS || cells > (double)MOST_EMPTY * g->count)
        return false;
    qsort(g->places, g->count, sizeof *g->places, compare_places);
    for (uint32_t i = 1; i < g->count; i++)
        if (compare_places(&g->places[i - 1], &g->places[i]) == 0)
            return false;
    return true;
}

static opac_status find_grid(grid *g, bool *is_grid, opac_error *error)
{
    const opac_model *model = g->policy->model;
    *is_grid = false;
    g->count = opac_policy_states(g->policy);
    if (!opac_policy_has_keys(g->policy) &&
        !(find_variable(model, "x", &g->x) && find_variable(model, "y", &g->y)))
        return OPAC_OK;
    if (g->count == 0 || g->count > MOST_CELLS)
        return OPAC_OK;
    g->places = base_arena_alloc_zeroed(g->arena, g->count, sizeof *g->places);
    if (g->places == NULL)
        return base_fail_memory(error);
    *is_grid = measure(g);
    return OPAC_OK;
}

/* ---- cells ---- */

/* The direction of an action, x to the right and y down, as SVG has it; false: it is none. */
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

static bool is_initial(const opac_policy *policy, uint32_t state, uint32_t memory)
{
    const opac_model *model = policy->model;
    for (uint32_t i = 0; i < opac_model_initial_count(model); i++)
        if (opac_model_initial(model, i) == state && policy->start[i] == memory)
            return true;
    return false;
}

static void write_rectangle(const grid *g, const char *style, double x, double y)
{
    opac_output_print(g->out, "<rect class=\"%s\" x=\"", style);
    drawing_number_write(g->out, x);
    opac_output_text(g->out, "\" y=\"");
    drawing_number_write(g->out, y);
    opac_output_print(g->out, "\" width=\"%d\" height=\"%d\"/>\n", (int)CELL, (int)CELL);
}

/* A place: the labels at its lower end, the action above them. */
static opac_status write_cell(const grid *g, uint32_t state, uint32_t memory, double x, double y,
                              opac_error *error)
{
    const policy_decision *decision = policy_find(g->policy, state, memory);
    const char *name = drawing_policy_state(g->policy, state, 200, g->arena);
    const char *labels = drawing_policy_labels(g->policy, state, 7, g->arena);
    const char *action =
        decision == NULL ? ""
                         : drawing_policy_action(g->policy, state, decision->choice, 7, g->arena);
    double dx, dy, middle = y + CELL / 2 - (labels != NULL && *labels != '\0' ? 7 : 0);
    if (name == NULL || labels == NULL || action == NULL)
        return base_fail_memory(error);
    opac_output_text(g->out, "<g><title>");
    drawing_text_write(g->out, name);
    opac_output_print(g->out, "%s", *action != '\0' ? ": " : "");
    drawing_text_write(g->out, action);
    opac_output_text(g->out, "</title>\n");
    bool is_first = is_initial(g->policy, state, memory);
    write_rectangle(g,
                    decision == NULL ? "opac-cell opac-empty"
                    : is_first       ? "opac-cell opac-first"
                                     : "opac-cell",
                    x, y);
    if (find_direction(action, &dx, &dy))
        write_direction(g->out, x + CELL / 2, middle, dx, dy);
    else if (*action != '\0')
        write_text(g->out, "opac-name", x + CELL / 2, middle + 4.5, action);
    if (*labels != '\0')
        write_text(g->out, "opac-remark opac-middle", x + CELL / 2, y + CELL - 7, labels);
    opac_output_text(g->out, "</g>\n");
    return OPAC_OK;
}

/* ---- panels ---- */

static void write_axes(const grid *g, double x, double y)
{
    int64_t columns = g->right - g->left + 1, rows = g->top - g->bottom + 1;
    char number[32];
    for (int64_t i = 0; i < columns; i++) {
        snprintf(number, sizeof number, "%" PRId64, g->left + i);
        write_text(g->out, "opac-remark opac-middle", x + ((double)i + 0.5) * CELL,
                   y + (double)rows * CELL + 17, number);
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = g->columns > 0 ? i - g->top : g->top - i;
        snprintf(number, sizeof number, "%" PRId64, row);
        write_text(g->out, "opac-remark opac-middle", x - AXIS / 2,
                   y + ((double)i + 0.5) * CELL + 4.5, number);
    }
}

static opac_status write_panel(const grid *g, uint32_t memory, bool is_only, double x, double y,
                               opac_error *error)
{
    char title[48];
    opac_status status = OPAC_OK;
    snprintf(title, sizeof title, "memory %u", (unsigned)memory);
    if (!is_only)
        write_text(g->out, "opac-name opac-left", x + AXIS, y + 13, title);
    x += AXIS;
    y += is_only ? 0 : DRAWING_HEADING;
    write_axes(g, x, y);
    for (uint32_t i = 0; i < g->count && status == OPAC_OK; i++) {
        const place *p = &g->places[i];
        status = write_cell(g, p->state, memory, x + (double)(p->x - g->left) * CELL,
                            y + (double)(g->top - p->y) * CELL, error);
    }
    return status;
}

/* The memory values that have decisions. */
static opac_status find_panels(const grid *g, uint32_t **memories, uint32_t *count,
                               opac_error *error)
{
    const opac_policy *policy = g->policy;
    uint32_t all = policy->begin[g->count];
    bool *used = base_arena_alloc_zeroed(g->arena, (size_t)policy->memory_count + 1, sizeof *used);
    *memories = base_arena_alloc(g->arena, (size_t)policy->memory_count + 1, sizeof **memories);
    if (used == NULL || *memories == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < all; i++)
        used[policy->decisions[i].memory] = true;
    *count = 0;
    for (uint32_t i = 0; i < policy->memory_count; i++)
        if (used[i])
            (*memories)[(*count)++] = i;
    if (*count == 0)
        (*memories)[(*count)++] = 0;
    return OPAC_OK;
}

static opac_status write_panels(const grid *g, const char *heading, opac_error *error)
{
    uint32_t *memories, count, across = 1;
    opac_status status = find_panels(g, &memories, &count, error);
    if (status != OPAC_OK)
        return status;
    double wide = AXIS + (double)(g->right - g->left + 1) * CELL + GAP;
    double high = (double)(g->top - g->bottom + 1) * CELL + AXIS + GAP;
    bool is_only = count == 1 && g->policy->memory_count == 1;
    high += is_only ? 0 : DRAWING_HEADING;
    while (across < count && (across + 1) * wide <= PANEL)
        across++;
    uint32_t rows = (count + across - 1) / across;
    double width = fmax(across * wide, drawing_text_width(heading) * 1.1) + 2 * DRAWING_MARGIN;
    drawing_open(g->out, width, rows * high + DRAWING_HEADING + 2 * DRAWING_MARGIN, heading);
    write_text(g->out, "opac-heading", DRAWING_MARGIN, DRAWING_MARGIN + 12, heading);
    for (uint32_t i = 0; i < count && status == OPAC_OK; i++) {
        uint32_t column = i % across, row = i / across;
        status = write_panel(g, memories[i], is_only, DRAWING_MARGIN + column * wide,
                             DRAWING_MARGIN + DRAWING_HEADING + row * high, error);
    }
    opac_output_text(g->out, "</svg>\n");
    return status;
}

opac_status drawing_policy_grid(const opac_policy *policy, uint32_t columns, base_arena *arena,
                                opac_output *out, bool *is_drawn, opac_error *error)
{
    grid g = {.policy = policy, .arena = arena, .out = out, .columns = columns};
    opac_status status = find_grid(&g, is_drawn, error);
    if (status != OPAC_OK || !*is_drawn)
        return status;
    const char *heading = drawing_policy_heading(policy, arena);
    return heading != NULL ? write_panels(&g, heading, error) : base_fail_memory(error);
}
