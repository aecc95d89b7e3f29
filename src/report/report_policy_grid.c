/* SPDX-License-Identifier: MIT */
/* Draws the decisions of a policy as arrows on a grid, if its states have coordinates. */
#include <string.h>

#include "report/report_policy.h"

enum {
    MOST_CELLS = 5000 /* in all panels of a picture */
};

static bool describe(const void *context, uint32_t state, uint32_t memory, drawing_cell *cell)
{
    report_policy *p = *(report_policy *const *)context;
    const report_state *known = &p->states.items.items[state];
    const report_decision *found = report_policy_find(p, state, memory);
    base_arena *arena = &p->states.arena;
    cell->state_name = known->name;
    cell->labels = drawing_text_copy(arena, known->labels, strlen(known->labels), 7);
    if (found != NULL) { /* "#1" is omitted if no state has another action */
        bool is_only = !p->names_matter && strcmp(found->action, "#1") == 0;
        cell->action = drawing_text_copy(arena, is_only ? "" : found->action,
                                         is_only ? 0 : strlen(found->action), 7);
    }
    for (size_t i = 0; i < p->starts.count; i++)
        cell->is_initial |=
            p->starts.items[i].state == state && p->starts.items[i].memory == memory;
    return cell->labels != NULL && (found == NULL || cell->action != NULL);
}

/* Whether the first `count` states have coordinates that are distinct within each layer. */
static opac_status measure(report_policy *p, size_t count, drawing_grid *grid, bool *fits,
                           opac_error *error)
{
    *fits = false;
    if (count == 0 || count > DRAWING_MOST_CELLS || count * p->memories.count > MOST_CELLS)
        return OPAC_OK;
    grid->positions = base_arena_alloc(&p->states.arena, count, sizeof *grid->positions);
    if (grid->positions == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        grid->positions[i] = p->states.items.items[i].at;
        if (!p->states.items.items[i].has_place)
            return OPAC_OK;
    }
    grid->count = (uint32_t)count;
    *fits = drawing_grid_measure(grid);
    return OPAC_OK;
}

/* Uses all states of the model if the result lists them and they have coordinates, else those of the policy, the
 * chain and the sample. */
opac_status report_policy_grid(report_policy *p, opac_output *out, bool *is_drawn,
                               opac_error *error)
{
    static const uint32_t first = 0; /* memory of the only panel if there are no decisions */
    bool has_decisions = p->memories.count > 0;
    drawing_grid grid = {.memories = has_decisions ? p->memories.items : &first,
                         .memory_count = has_decisions ? (uint32_t)p->memories.count : 1,
                         .has_memory = p->uses_memory,
                         .describe = describe,
                         .context = &p};
    TRY(report_policy_heading(p, &grid.heading, error));
    TRY(measure(p, p->states.items.count, &grid, is_drawn, error));
    if (!*is_drawn)
        TRY(measure(p, p->occurring, &grid, is_drawn, error));
    if (!*is_drawn)
        return OPAC_OK;
    p->kind = grid.has_layers ? "layers" : "grid";
    return drawing_grid_write(&grid, out, error);
}
