/* SPDX-License-Identifier: MIT */
/*
 * Pictures of policies on a grid. The position of a state is given by the variables x and y of a model, or by
 * its key in a simulator.
 */
#include <string.h>

#include "base/characters.h"
#include "base/error.h"
#include "drawing/draw_grid.h"
#include "drawing/draw_policy.h"

typedef struct policy_grid {
    drawing_grid grid;
    const opac_policy *policy;
    base_arena *arena;
    uint32_t x, y;    /* the variables x and y of the model */
    uint32_t columns; /* if keys are numbers of cells, row by row; else 0 */
} policy_grid;

/* ---- positions of states ---- */

/* Finds the position of a cell by its number: the first number in "7", "(7, ('fall',))" or "cell 7". */
static bool parse_index(const char *at, size_t length, uint32_t columns, drawing_position *found)
{
    const char *end = at + length;
    int64_t number = 0;
    size_t digits = 0;
    while (at < end && (*at < '0' || *at > '9'))
        at++;
    for (; at < end && base_is_digit(*at) && digits < 7; at++, digits++)
        number = 10 * number + (*at - '0');
    if (digits == 0 || digits == 7)
        return false;
    found->x = number % columns;
    found->y = -(number / columns);
    return true;
}

/* Strips "terminal(…)", with which the Python package marks states in which an episode has ended. */
static void strip_terminal(const char **key, size_t *length)
{
    static const char before[] = "terminal(";
    size_t skip = sizeof before - 1;
    if (*length > skip && memcmp(*key, before, skip) == 0 && (*key)[*length - 1] == ')') {
        *key += skip;
        *length -= skip + 1;
    }
}

static bool locate(const policy_grid *g, uint32_t state, drawing_position *found)
{
    size_t length;
    found->item = state;
    found->layer = "";
    if (opac_policy_has_keys(g->policy)) {
        const char *key = opac_policy_key(g->policy, state, &length);
        strip_terminal(&key, &length);
        return g->columns > 0 ? parse_index(key, length, g->columns, found)
                              : drawing_grid_parse(key, length, found);
    }
    found->x = opac_model_value(g->policy->domain.model, state, g->x);
    found->y = opac_model_value(g->policy->domain.model, state, g->y);
    return true;
}

/* The values of the variables other than x and y. NULL if memory is exhausted. */
static const char *describe_layer(const policy_grid *g, uint32_t state)
{
    const opac_model *model = g->policy->domain.model;
    opac_output *out;
    bool is_first = true;
    if (opac_output_open_memory(&out, NULL) != OPAC_OK)
        return NULL;
    for (uint32_t v = 0; v < opac_model_variable_count(model); v++)
        if (v != g->x && v != g->y) {
            opac_output_text(out, is_first ? "" : ", ");
            opac_model_write_value(model, state, v, out);
            is_first = false;
        }
    size_t length = 0;
    const char *bytes = opac_output_bytes(out, &length);
    const char *layer = bytes != NULL ? base_arena_copy_text(g->arena, bytes, length) : NULL;
    opac_output_free(out);
    return layer;
}

/* *is_grid: whether all states have positions that form a grid. */
static opac_status find_grid(policy_grid *g, bool *is_grid, opac_error *error)
{
    const opac_model *model = g->policy->domain.model;
    uint32_t count = opac_policy_states(g->policy);
    *is_grid = false;
    if (!opac_policy_has_keys(g->policy) &&
        !(opac_model_find_variable(model, "x", OPAC_VALUE_INT, &g->x) &&
          opac_model_find_variable(model, "y", OPAC_VALUE_INT, &g->y)))
        return OPAC_OK;
    if (count == 0 || count > DRAWING_MOST_CELLS)
        return OPAC_OK;
    g->grid.count = count;
    g->grid.positions = base_arena_alloc_zeroed(g->arena, count, sizeof *g->grid.positions);
    if (g->grid.positions == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        if (!locate(g, i, &g->grid.positions[i]))
            return OPAC_OK;
    for (uint32_t i = 0; i < count && !opac_policy_has_keys(g->policy); i++)
        if ((g->grid.positions[i].layer = describe_layer(g, i)) == NULL)
            return base_fail_memory(error);
    *is_grid = drawing_grid_measure(&g->grid);
    return OPAC_OK;
}

/* ---- cells ---- */

static bool is_initial(const opac_policy *policy, uint32_t state, uint32_t memory)
{
    size_t index = policy_domain_find_initial(&policy->domain, state);
    return index < policy_domain_initial(&policy->domain)->count && policy->start[index] == memory;
}

static bool describe(const void *context, uint32_t state, uint32_t memory, drawing_cell *cell)
{
    const policy_grid *g = context;
    const policy_decision *decision = policy_find_decision(g->policy, state, memory);
    cell->state_name = drawing_policy_state(g->policy, state, DRAWING_MOST_STATE_NAME, g->arena);
    cell->labels = drawing_policy_labels(g->policy, state, 7, g->arena);
    cell->is_initial = is_initial(g->policy, state, memory);
    if (decision != NULL)
        cell->action = drawing_policy_action(g->policy, state, decision->action, 7, g->arena);
    return cell->state_name != NULL && cell->labels != NULL &&
           (decision == NULL || cell->action != NULL);
}

/* Finds the memory values that have decisions. */
static opac_status find_panels(const policy_grid *g, uint32_t **memories, uint32_t *count,
                               opac_error *error)
{
    const opac_policy *policy = g->policy;
    uint32_t all = policy->begin[g->grid.count];
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

opac_status drawing_policy_grid(const opac_policy *policy, uint32_t columns, base_arena *arena,
                                opac_output *out, bool *is_drawn, opac_error *error)
{
    policy_grid g = {.policy = policy, .arena = arena, .columns = columns};
    uint32_t *memories = NULL;
    TRY(find_grid(&g, is_drawn, error));
    if (!*is_drawn)
        return OPAC_OK;
    g.grid.heading = drawing_policy_heading(policy, arena);
    if (g.grid.heading == NULL)
        return base_fail_memory(error);
    TRY(find_panels(&g, &memories, &g.grid.memory_count, error));
    g.grid.memories = memories;
    g.grid.has_memory = g.grid.memory_count != 1 || policy->memory_count != 1;
    g.grid.rows_down = columns > 0;
    g.grid.describe = describe;
    g.grid.context = &g;
    return drawing_grid_write(&g.grid, out, error);
}
