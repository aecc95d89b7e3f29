/* SPDX-License-Identifier: MIT */
/*
 * The picture of a policy on a grid. What the policy does is found by following
 * it from the initial states through all branches: a place that it does not
 * reach shows no action. Memory is bounded by the largest grid that is drawn.
 */
#include "cli/grid.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/text.h>

enum {
    MOST_WIDE = 40,
    MOST_HIGH = 20,
    MOST_CELLS = MOST_WIDE * MOST_HIGH,
    MOST_PANELS = 6,
    MOST_COLUMNS = 100, /* of the terminal: panels stand side by side as long as they fit */
    MARK_SIZE = 32,
    NOWHERE = -1
};

typedef struct grid {
    const opac_policy *policy;
    const opac_model *model;
    uint32_t x, y;                              /* variables */
    int64_t left, bottom;                       /* their least values */
    uint32_t width, height;                     /* in places */
    int64_t states[MOST_CELLS];                 /* by place; NOWHERE: there is none */
    uint32_t memories;                          /* of the policy, at most MOST_PANELS */
    int64_t choices[MOST_PANELS][MOST_CELLS];   /* by memory and place; NOWHERE: not reached */
    uint32_t waiting[MOST_PANELS * MOST_CELLS]; /* pairs reached and not yet followed */
    uint32_t waiting_count;
    bool in_unicode;
    int action_width, mark_width;
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

static uint32_t place_of(const grid *g, uint32_t state)
{
    int64_t x = opac_model_value(g->model, state, g->x) - g->left;
    int64_t y = opac_model_value(g->model, state, g->y) - g->bottom;
    return (uint32_t)y * g->width + (uint32_t)x;
}

/* Two states in one place cannot both be drawn. */
static bool place_states(grid *g)
{
    for (uint32_t i = 0; i < MOST_CELLS; i++)
        g->states[i] = NOWHERE;
    for (uint32_t s = 0; s < opac_model_states(g->model); s++) {
        uint32_t place = place_of(g, s);
        if (g->states[place] != NOWHERE)
            return false;
        g->states[place] = s;
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
           opac_model_states(model) <= MOST_CELLS && place_states(g);
}

/* ---- where the policy gets ---- */

static void reach(grid *g, uint32_t memory, uint32_t state)
{
    uint32_t place = place_of(g, state);
    if (memory >= g->memories || g->choices[memory][place] != NOWHERE)
        return;
    uint32_t after = memory;
    g->choices[memory][place] = opac_policy_act(g->policy, state, &after);
    g->waiting[g->waiting_count++] = memory * MOST_CELLS + place;
}

static void follow(grid *g)
{
    uint32_t pair = g->waiting[--g->waiting_count];
    uint32_t memory = pair / MOST_CELLS;
    uint32_t state = (uint32_t)g->states[pair % MOST_CELLS];
    uint32_t choice = opac_policy_act(g->policy, state, &memory);
    uint32_t begin = opac_model_branch_begin(g->model, choice);
    for (uint32_t i = 0; i < opac_model_branch_count(g->model, choice); i++)
        reach(g, memory, opac_model_branch_target(g->model, begin + i));
}

static void follow_all(grid *g)
{
    for (uint32_t m = 0; m < MOST_PANELS; m++)
        for (uint32_t i = 0; i < MOST_CELLS; i++)
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

/* What stands for a choice, in at most two columns; `text` has room for them. */
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

/* Those that tell something: not where runs begin, nor where they end for want of a choice. */
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

/* ---- drawing ---- */

static void measure_cells(grid *g)
{
    for (uint32_t i = 0; i < g->width * g->height; i++) {
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

static void write_cell(const grid *g, uint32_t memory, uint32_t place, opac_output *out)
{
    char action[MARK_SIZE] = "", mark[MARK_SIZE] = "";
    int columns = show_choice(g, NOWHERE, action, sizeof action);
    if (g->states[place] != NOWHERE) {
        columns = show_choice(g, g->choices[memory][place], action, sizeof action);
        show_labels(g, (uint32_t)g->states[place], mark);
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

static bool is_reached(const grid *g, uint32_t memory)
{
    for (uint32_t i = 0; i < g->width * g->height; i++)
        if (g->choices[memory][i] != NOWHERE)
            return true;
    return false;
}

static void write_line(const grid *g, const uint32_t *panels, uint32_t count, uint32_t line,
                       opac_output *out)
{
    for (uint32_t p = 0; p < count; p++) {
        opac_output_text(out, p > 0 ? "    " : "");
        if (line == 0) {
            char title[MARK_SIZE];
            snprintf(title, sizeof title, "memory %" PRIu32, panels[p]);
            opac_output_print(out, "%-*s", p + 1 < count ? panel_width(g) : 0, title);
        } else if (line % 2 == 1) {
            write_border(g, out);
        } else {
            uint32_t y = g->height - line / 2;
            opac_output_text(out, "|");
            for (uint32_t x = 0; x < g->width; x++)
                write_cell(g, panels[p], y * g->width + x, out);
        }
    }
    opac_output_text(out, "\n");
}

static void write_panels(const grid *g, opac_output *out)
{
    uint32_t panels[MOST_PANELS], count = 0;
    for (uint32_t m = 0; m < g->memories; m++)
        if (is_reached(g, m))
            panels[count++] = m;
    uint32_t beside = (uint32_t)(MOST_COLUMNS / (panel_width(g) + 4));
    beside = beside > 0 ? beside : 1;
    for (uint32_t first = 0; first < count; first += beside) {
        uint32_t row = count - first < beside ? count - first : beside;
        opac_output_text(out, "\n");
        for (uint32_t line = 0; line < 2 * g->height + 2; line++)
            write_line(g, panels + first, row, line, out);
    }
}

void cli_grid_write(const opac_policy *policy, const opac_model *model, opac_output *out)
{
    grid *g = calloc(1, sizeof *g); /* without memory there is no picture, and nothing is lost */
    if (g == NULL)
        return;
    g->policy = policy;
    g->model = model;
    g->in_unicode = is_unicode();
    if (is_grid(g)) {
        follow_all(g);
        measure_cells(g);
        write_panels(g, out);
    }
    free(g);
}
