/* SPDX-License-Identifier: MIT */
/*
 * Rows: where actions led to.
 *
 *     targets   │ row 3: a b c · │ row 0: c │ … │ row 3 of old, given up │ …
 *
 * A row that outgrows its place moves to the end with twice the room, so that
 * all places together are at most four times what is in use.
 *
 * Branches are numbered by first sight. In a tabulated environment they are
 * numbered as there from the first on, which is how walks count them
 * (env/walk.h). What is computed from them depends on neither: see world_order.c.
 */
#include <string.h>

#include "graph/process.h"
#include "sample/world_form.h"

opac_status sample_world_add_row(sample_world *world, uint32_t state, uint32_t action,
                                 opac_error *error)
{
    uint32_t number = (uint32_t)world->rows.count;
    sample_row row = {.state = state, .action = action, .env_row = SAMPLE_NONE};
    TRY(sample_row_vec_push(&world->rows, row, error));
    if (!world->count_pairs || state == SAMPLE_NONE)
        TRY(sample_counter_vec_push(&world->counters, (sample_counter){.row = number}, error));
    return OPAC_OK;
}

/* ---- who takes a row ---- */

uint32_t sample_world_pair_of_row(const sample_world *world, uint32_t row)
{
    uint32_t state = world->rows.items[row].state;
    return state == SAMPLE_NONE ? world->start : world->states.items[state].pair;
}

uint32_t sample_world_choices_of_row(const sample_world *world, uint32_t pair, uint32_t row,
                                     uint32_t *count)
{
    const sample_pair *p = &world->pairs.items[pair];
    const sample_row *r = &world->rows.items[row];
    if (r->state == SAMPLE_NONE) {
        *count = p->choices;
        return p->choice;
    }
    product_reader_moves(world->reader, p->memory, world->states.items[p->state].class, count);
    return p->choice + r->action * *count;
}

/* ---- room ---- */

/* Room for so many branches; new ones lead nowhere yet. */
static opac_status widen(sample_world *world, uint32_t number, uint32_t capacity, opac_error *error)
{
    sample_row *row = &world->rows.items[number];
    size_t begin = world->targets.count;
    if (begin + capacity > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions seen",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&world->targets, begin + capacity, error));
    uint32_t *targets = world->targets.items;
    for (uint32_t b = 0; b < capacity; b++)
        targets[begin + b] = b < row->width ? targets[row->begin + b] : SAMPLE_NONE;
    world->targets.count += capacity;
    row->begin = (uint32_t)begin;
    row->capacity = capacity;
    return OPAC_OK;
}

/* ---- the environment's own numbers ---- */

opac_status sample_world_adopt(sample_world *world, uint32_t number, opac_error *error)
{
    sample_row *row = &world->rows.items[number];
    const void *key = NULL;
    size_t length = 0;
    uint32_t there, width;
    if (row->env_row != SAMPLE_NONE)
        return OPAC_OK;
    if (row->state != SAMPLE_NONE)
        key = base_intern_key(&world->keys, row->state, &length);
    TRY(env_row(world->env, key, length, row->state != SAMPLE_NONE ? row->action : 0, &there,
                &width, error));
    TRY(widen(world, number, width, error));
    row->width = width;
    row->env_row = there;
    return OPAC_OK;
}

/* ---- branches ---- */

static opac_status is_branch(sample_world *world, uint32_t there, uint32_t branch, uint32_t state,
                             bool *is, opac_error *error)
{
    opac_observation seen;
    size_t length;
    TRY(env_branch(world->env, there, branch, &seen, error));
    const unsigned char *key = base_intern_key(&world->keys, state, &length);
    *is = seen.length == length && (length == 0 || memcmp(seen.key, key, length) == 0);
    return OPAC_OK;
}

/* Which of the branches that nobody has taken yet leads to a state that was seen behind them. */
static opac_status find_gap(sample_world *world, uint32_t number, uint32_t state, uint32_t *branch,
                            opac_error *error)
{
    const sample_row *row = &world->rows.items[number];
    for (uint32_t b = 0; b < row->width; b++) {
        bool is;
        if (world->targets.items[row->begin + b] != SAMPLE_NONE)
            continue;
        TRY(is_branch(world, row->env_row, b, state, &is, error));
        *branch = b;
        if (is)
            return OPAC_OK;
    }
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "a transition was seen that the environment does not have");
}

static opac_status add_branch(sample_world *world, uint32_t number, uint32_t state,
                              uint32_t *branch, opac_error *error)
{
    sample_row *row = &world->rows.items[number];
    *branch = row->width;
    if (row->env_row != SAMPLE_NONE)
        TRY(find_gap(world, number, state, branch, error));
    else if (row->width == row->capacity)
        TRY(widen(world, number, row->capacity > 0 ? 2 * row->capacity : 1, error));
    world->targets.items[row->begin + *branch] = state;
    row->width += row->env_row == SAMPLE_NONE;
    row->seen++;
    if (row->seen > world->most.branching)
        world->most.branching = row->seen;
    return OPAC_OK;
}

opac_status sample_world_branch(sample_world *world, uint32_t row, uint32_t state, uint32_t *branch,
                                opac_error *error)
{
    if (world->is_tabulated)
        TRY(sample_world_adopt(world, row, error));
    const sample_row *r = &world->rows.items[row];
    for (uint32_t b = 0; b < r->width; b++)
        if (world->targets.items[r->begin + b] == state) {
            *branch = b;
            return OPAC_OK;
        }
    return add_branch(world, row, state, branch, error);
}
