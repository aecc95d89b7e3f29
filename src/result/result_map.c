/* SPDX-License-Identifier: MIT */
/*
 * Draws a policy on a grid. The actions are found by following the policy from the initial states
 * through all branches, so a cell that it does not reach shows no action. States with different values
 * of the other variables are in different layers, each with its own panels. Memory is bounded by the
 * largest grid that is drawn.
 */
#include "result/result_map.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/output.h"

enum {
    MOST_WIDE = 40,
    MOST_HIGH = 20,
    MOST_CELLS = MOST_WIDE * MOST_HIGH,
    MOST_PANELS = 6, /* panels, memory values and layers */
    MOST_SPOTS = MOST_PANELS * MOST_CELLS,
    MOST_COLUMNS = 100, /* columns of the terminal; panels are placed side by side while they fit */
    MARK_SIZE = 32,
    TITLE_SIZE = 49,
    NOWHERE = -1
};

typedef struct panel {
    uint32_t memory, layer;
    char title[TITLE_SIZE]; /* "load=2, memory 1" */
} panel;

typedef struct grid {
    const opac_policy *policy;
    const opac_model *model;
    uint32_t x, y;                 /* variables */
    int64_t left, bottom;          /* their least values */
    uint32_t width, height;        /* in cells */
    uint32_t layers;               /* at most MOST_PANELS */
    uint32_t members[MOST_PANELS]; /* one state of each layer */
    /* A spot is a cell of a layer: layer · MOST_CELLS + cell. */
    int64_t states[MOST_SPOTS]; /* NOWHERE if there is none */
    uint32_t memories;          /* of the policy, at most MOST_PANELS */
    int64_t choices[MOST_PANELS]
                   [MOST_SPOTS]; /* choice by memory and spot; NOWHERE if not reached */
    uint32_t waiting[MOST_PANELS * MOST_SPOTS]; /* product states reached and not yet followed */
    uint32_t waiting_count;
    panel panels[MOST_PANELS]; /* those that are drawn */
    uint32_t panel_count;
    bool in_unicode;
    bool lacks_memory; /* for a title */
    int action_width, mark_width, title_width;
} grid;

/* ---- is it a grid? ---- */

static bool measure(const opac_model *model, uint32_t variable, uint32_t most, int64_t *low,
                    uint32_t *size)
{
    int64_t high;
    opac_model_variable_range(model, variable, low, &high);
    if (high < *low || (uint64_t)high - (uint64_t)*low >= most)
        return false;
    *size = (uint32_t)(high - *low) + 1;
    return true;
}

/* Compares two states by the other variables, as strcmp. */
static int compare_layers(const grid *g, uint32_t one, uint32_t other)
{
    for (uint32_t v = 0; v < opac_model_variable_count(g->model); v++) {
        int64_t a = opac_model_value(g->model, one, v), b = opac_model_value(g->model, other, v);
        if (v != g->x && v != g->y && a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

/* The layer of a state, or the position at which a new layer for it is inserted. */
static uint32_t layer_of(const grid *g, uint32_t state)
{
    uint32_t layer = 0;
    while (layer < g->layers && compare_layers(g, g->members[layer], state) < 0)
        layer++;
    return layer;
}

/* False if there are too many. */
static bool find_layers(grid *g)
{
    for (uint32_t s = 0; s < opac_model_states(g->model); s++) {
        uint32_t layer = layer_of(g, s);
        if (layer < g->layers && compare_layers(g, g->members[layer], s) == 0)
            continue;
        if (g->layers == MOST_PANELS)
            return false;
        memmove(g->members + layer + 1, g->members + layer,
                (g->layers - layer) * sizeof *g->members);
        g->members[layer] = s;
        g->layers++;
    }
    return true;
}

static uint32_t spot_of(const grid *g, uint32_t state)
{
    int64_t x = opac_model_value(g->model, state, g->x) - g->left;
    int64_t y = opac_model_value(g->model, state, g->y) - g->bottom;
    return layer_of(g, state) * MOST_CELLS + (uint32_t)y * g->width + (uint32_t)x;
}

/* Two states in one spot cannot both be drawn. */
static bool place_states(grid *g)
{
    for (uint32_t i = 0; i < MOST_SPOTS; i++)
        g->states[i] = NOWHERE;
    for (uint32_t s = 0; s < opac_model_states(g->model); s++) {
        uint32_t spot = spot_of(g, s);
        if (g->states[spot] != NOWHERE)
            return false;
        g->states[spot] = s;
    }
    return true;
}

static bool is_grid(grid *g)
{
    const opac_model *model = g->model;
    g->memories = opac_policy_memory(g->policy);
    return opac_model_find_variable(model, "x", OPAC_VALUE_INT, &g->x) &&
           opac_model_find_variable(model, "y", OPAC_VALUE_INT, &g->y) &&
           measure(model, g->x, MOST_WIDE, &g->left, &g->width) &&
           measure(model, g->y, MOST_HIGH, &g->bottom, &g->height) && g->memories <= MOST_PANELS &&
           opac_model_states(model) <= MOST_SPOTS && find_layers(g) && place_states(g);
}

/* ---- states that the policy reaches ---- */

static void reach(grid *g, uint32_t memory, uint32_t state)
{
    uint32_t spot = spot_of(g, state);
    if (memory >= g->memories || g->choices[memory][spot] != NOWHERE)
        return;
    uint32_t after = memory;
    g->choices[memory][spot] = opac_policy_act(g->policy, state, &after);
    g->waiting[g->waiting_count++] = memory * MOST_SPOTS + spot;
}

static void follow(grid *g)
{
    uint32_t pair = g->waiting[--g->waiting_count];
    uint32_t memory = pair / MOST_SPOTS;
    uint32_t state = (uint32_t)g->states[pair % MOST_SPOTS];
    uint32_t choice = opac_policy_act(g->policy, state, &memory);
    uint32_t begin = opac_model_branch_begin(g->model, choice);
    for (uint32_t i = 0; i < opac_model_branch_count(g->model, choice); i++)
        reach(g, memory, opac_model_branch_target(g->model, begin + i));
}

static void follow_all(grid *g)
{
    for (uint32_t m = 0; m < MOST_PANELS; m++)
        for (uint32_t i = 0; i < MOST_SPOTS; i++)
            g->choices[m][i] = NOWHERE;
    for (uint32_t i = 0; i < opac_model_initial_count(g->model); i++) {
        uint32_t state = opac_model_initial(g->model, i);
        reach(g, opac_policy_start(g->policy, state), state);
    }
    while (g->waiting_count > 0)
        follow(g);
}

/* ---- actions ---- */

static bool is_unicode(void)
{
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && *value != '\0')
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
    }
    return false;
}

static const char *arrow_of(const char *action)
{
    static const char *const arrows[][2] = {
        {"n", "↑"},         {"e", "→"},    {"s", "↓"},         {"w", "←"},
        {"ne", "↗"},        {"se", "↘"},   {"sw", "↙"},        {"nw", "↖"},
        {"north", "↑"},     {"east", "→"}, {"south", "↓"},     {"west", "←"},
        {"northeast", "↗"}, {"up", "↑"},   {"southeast", "↘"}, {"right", "→"},
        {"southwest", "↙"}, {"down", "↓"}, {"northwest", "↖"}, {"left", "←"},
    };
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (strcmp(arrows[i][0], action) == 0)
            return arrows[i][1];
    return NULL;
}

/* The symbol of a choice, in at most two columns. */
static int show_choice(const grid *g, int64_t choice, char *text, size_t size)
{
    if (choice == NOWHERE)
        return snprintf(text, size, " ");
    const char *action = opac_model_choice_action(g->model, (uint32_t)choice);
    const char *arrow = g->in_unicode ? arrow_of(action) : NULL;
    if (arrow != NULL) {
        snprintf(text, size, "%s", arrow);
        return 1;
    }
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(action, strlen(action), shown, sizeof shown);
    bool is_plain =
        strspn(shown, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
        strlen(shown);
    return snprintf(text, size, "%.2s", *shown == '\0' || !is_plain ? "*" : shown);
}

/* ---- labels ---- */

/* All labels except init and deadlock. */
static void show_labels(const grid *g, uint32_t state, char *mark)
{
    size_t length = 0;
    mark[0] = '\0';
    for (uint32_t i = 0; i < opac_model_label_count(g->model); i++) {
        const char *label = opac_model_label(g->model, i);
        bool is_own = strcmp(label, "init") != 0 && strcmp(label, "deadlock") != 0;
        size_t own = strlen(label);
        if (!is_own || !opac_model_has_label(g->model, state, i) || length + own + 2 > 8)
            continue;
        length += (size_t)snprintf(mark + length, MARK_SIZE - length, "%s%s", length > 0 ? "," : "",
                                   label);
    }
}

/* ---- panels ---- */

static bool is_reached(const grid *g, uint32_t memory, uint32_t layer)
{
    for (uint32_t i = 0; i < g->width * g->height; i++)
        if (g->choices[memory][layer * MOST_CELLS + i] != NOWHERE)
            return true;
    return false;
}

/* Whether all layers have the same value, which a title then omits. */
static bool is_constant(const grid *g, uint32_t variable)
{
    int64_t first = opac_model_value(g->model, g->members[0], variable);
    for (uint32_t i = 1; i < g->layers; i++)
        if (opac_model_value(g->model, g->members[i], variable) != first)
            return false;
    return true;
}

/* A title that does not fit is truncated. */
static void set_title(grid *g, panel *p)
{
    opac_output *text;
    opac_error error;
    size_t length;
    snprintf(p->title, sizeof p->title, "memory %" PRIu32, p->memory);
    if (g->layers == 1)
        return;
    if (opac_output_open_memory(&text, &error) != OPAC_OK) {
        g->lacks_memory = true;
        return;
    }
    for (uint32_t v = 0; v < opac_model_variable_count(g->model); v++)
        if (v != g->x && v != g->y && !is_constant(g, v)) {
            opac_model_write_value(g->model, g->members[p->layer], v, text);
            opac_output_text(text, ", ");
        }
    opac_output_text(text, p->title);
    const char *bytes = opac_output_bytes(text, &length);
    if (bytes != NULL)
        opac_text_show(bytes, length, p->title, sizeof p->title);
    else
        g->lacks_memory = true;
    opac_output_free(text);
}

/* False if there are too many. */
static bool find_panels(grid *g)
{
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t m = 0; m < g->memories; m++) {
            if (!is_reached(g, m, l))
                continue;
            if (g->panel_count == MOST_PANELS)
                return false;
            panel *p = &g->panels[g->panel_count++];
            *p = (panel){.memory = m, .layer = l};
            set_title(g, p);
            if ((int)strlen(p->title) > g->title_width)
                g->title_width = (int)strlen(p->title);
        }
    return true;
}

/* ---- drawing ---- */

static void measure_cells(grid *g)
{
    for (uint32_t i = 0; i < MOST_SPOTS; i++) {
        char text[MARK_SIZE];
        if (g->states[i] == NOWHERE)
            continue;
        show_labels(g, (uint32_t)g->states[i], text);
        if ((int)strlen(text) > g->mark_width)
            g->mark_width = (int)strlen(text);
        for (uint32_t m = 0; m < g->memories; m++) {
            int columns = show_choice(g, g->choices[m][i], text, sizeof text);
            if (columns > g->action_width)
                g->action_width = columns;
        }
    }
}

static int panel_width(const grid *g)
{
    int cell = g->action_width + (g->mark_width > 0 ? 1 + g->mark_width : 0) + 2;
    return (int)g->width * (cell + 1) + 1;
}

static void write_cell(const grid *g, uint32_t memory, uint32_t spot, opac_output *out)
{
    char action[MARK_SIZE] = "", mark[MARK_SIZE] = "";
    int columns = show_choice(g, NOWHERE, action, sizeof action);
    if (g->states[spot] != NOWHERE) {
        columns = show_choice(g, g->choices[memory][spot], action, sizeof action);
        show_labels(g, (uint32_t)g->states[spot], mark);
    }
    opac_output_print(out, " %s%*s", action, g->action_width - columns, "");
    if (g->mark_width > 0)
        opac_output_print(out, " %-*s", g->mark_width, mark);
    opac_output_text(out, " |");
}

static void write_border(const grid *g, opac_output *out)
{
    int cell = (panel_width(g) - 1) / (int)g->width - 1;
    for (uint32_t x = 0; x < g->width; x++) {
        opac_output_text(out, "+");
        for (int i = 0; i < cell; i++)
            opac_output_text(out, "-");
    }
    opac_output_text(out, "+");
}

static int column_width(const grid *g)
{
    return panel_width(g) > g->title_width ? panel_width(g) : g->title_width;
}

static void write_line(const grid *g, const panel *panels, uint32_t count, uint32_t line,
                       opac_output *out)
{
    for (uint32_t p = 0; p < count; p++) {
        bool is_last = p + 1 == count;
        if (line == 0) {
            opac_output_print(out, "%-*s", is_last ? 0 : column_width(g) + 4, panels[p].title);
            continue;
        }
        if (line % 2 == 1) {
            write_border(g, out);
        } else {
            uint32_t y = g->height - line / 2;
            opac_output_text(out, "|");
            for (uint32_t x = 0; x < g->width; x++)
                write_cell(g, panels[p].memory, panels[p].layer * MOST_CELLS + y * g->width + x,
                           out);
        }
        opac_output_print(out, "%*s", is_last ? 0 : column_width(g) + 4 - panel_width(g), "");
    }
    opac_output_text(out, "\n");
}

static void write_panels(const grid *g, opac_output *out)
{
    uint32_t beside = (uint32_t)(MOST_COLUMNS / (column_width(g) + 4));
    beside = beside > 0 ? beside : 1;
    for (uint32_t first = 0; first < g->panel_count; first += beside) {
        uint32_t left = g->panel_count - first, row = left < beside ? left : beside;
        opac_output_text(out, "\n");
        for (uint32_t line = 0; line < 2 * g->height + 2; line++)
            write_line(g, g->panels + first, row, line, out);
    }
}

static bool draw(grid *g, opac_output *out)
{
    if (!is_grid(g))
        return true;
    follow_all(g);
    measure_cells(g);
    if (find_panels(g) && !g->lacks_memory)
        write_panels(g, out);
    return !g->lacks_memory;
}

void result_write_map(const opac_policy *policy, const opac_model *model, opac_output *out)
{
    grid *g = base_alloc_zeroed(1, sizeof *g);
    if (g != NULL) {
        g->policy = policy;
        g->model = model;
        g->in_unicode = is_unicode();
    }
    if (g == NULL || !draw(g, out))
        base_output_fail(out, OPAC_ERROR_MEMORY, "out of memory");
    base_free(g);
}
