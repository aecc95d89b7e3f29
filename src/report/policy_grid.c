/* SPDX-License-Identifier: MIT */
/* A policy whose states are places: its decisions as arrows on a grid. */
#include <string.h>

#include "report/policy.h"

enum {
    MOST_CELLS = 5000 /* of all panels of a picture */
};

/* The only action of a state need not be told; "#1" is what one without a name is called in
 * tables. */
static const char *action_of(const report_sheet *s, const report_decision *decision)
{
    return !s->names_matter && strcmp(decision->action, "#1") == 0 ? "" : decision->action;
}

static bool describe(const void *context, uint32_t state, uint32_t memory, drawing_cell *cell)
{
    const report_sheet *s = context;
    const report_state *known = &s->states.items.items[state];
    const report_decision *found = report_policy_find(s, state, memory);
    cell->place = known->place;
    cell->labels = drawing_text_copy(&s->page->arena, known->labels, strlen(known->labels), 7);
    if (found != NULL) {
        const char *action = action_of(s, found);
        cell->action = drawing_text_copy(&s->page->arena, action, strlen(action), 7);
    }
    for (size_t i = 0; i < s->start_count; i++)
        cell->is_initial |= s->starts[i].state == state && s->starts[i].memory == memory;
    return cell->labels != NULL && (found == NULL || cell->action != NULL);
}

/* Whether the first `count` states are places, each its own in its layer. */
static bool measure(const report_sheet *s, size_t count, drawing_grid *grid)
{
    report_page *page = s->page;
    if (report_failed(page) || count == 0 || count > DRAWING_MOST_CELLS ||
        count * s->memories.count > MOST_CELLS)
        return false;
    grid->places = base_arena_alloc(&page->arena, count, sizeof *grid->places);
    if (grid->places == NULL) {
        report_fail(page, base_fail_memory(page->error));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        grid->places[i] = s->states.items.items[i].at;
        if (!s->states.items.items[i].has_place)
            return false;
    }
    grid->count = (uint32_t)count;
    return drawing_grid_measure(grid);
}

static void explain(const report_sheet *s, bool has_layers)
{
    report_raw(s->page,
               "<p>Cells are states, at their x and y; an arrow is the direction that is "
               "taken, and a thick frame is where runs begin. Cells without an arrow are never "
               "entered, or nothing is left to be decided there.</p>\n");
    if (has_layers)
        report_raw(s->page, "<p>Other variables tell states at the same x and y apart: there is a "
                            "panel for each combination of their values");
    if (has_layers && s->memories.count > 1)
        report_raw(s->page, ", and for each value of the policy's memory with which something is "
                            "decided there");
    if (has_layers)
        report_raw(s->page, ".</p>\n");
    else if (s->memories.count > 1)
        report_raw(s->page, "<p>There is a panel for each value of the policy's memory.</p>\n");
}

/* With all states of the model, if the result lists them and they are places; else with those that
 * it speaks of. */
bool report_policy_grid(const report_sheet *s)
{
    static const uint32_t first = 0; /* a panel of places, where nothing is decided at all */
    report_page *page = s->page;
    bool has_decisions = s->memories.count > 0;
    drawing_grid grid = {.heading = report_policy_heading(s),
                         .memories = has_decisions ? s->memories.items : &first,
                         .memory_count = has_decisions ? (uint32_t)s->memories.count : 1,
                         .has_memory = s->uses_memory,
                         .describe = describe,
                         .context = s};
    if (!measure(s, s->states.items.count, &grid) && !measure(s, s->met, &grid))
        return false;
    explain(s, grid.has_layers);
    report_policy_box(page, false);
    report_fail(page, drawing_grid_write(&grid, page->out, page->error));
    report_raw(page, "</div>\n");
    return !report_failed(page);
}
