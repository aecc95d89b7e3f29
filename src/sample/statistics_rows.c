/* SPDX-License-Identifier: MIT */
/*
 * Rows: the successors of actions.
 *
 *     targets   │ row 3: a b c · │ row 0: c │ … │ former place of row 3, unused │ …
 *
 * A row that grows beyond its capacity moves to the end with twice the capacity, so `targets` has at most
 * four times the size that is in use.
 *
 * Branches are numbered in the order of discovery, but in a tabulated environment as there, because walks
 * count them by these numbers (env/walk.h). Results do not depend on the numbers: see statistics_order.c.
 */
#include <string.h>

#include "graph/process.h"
#include "sample/statistics_form.h"

opac_status sample_statistics_add_row(sample_statistics *stats, uint32_t state, uint32_t action,
                                      opac_error *error)
{
    uint32_t number = (uint32_t)stats->rows.count;
    sample_row row = {.state = state, .action = action, .env_row = SAMPLE_NONE};
    TRY(sample_row_vec_push(&stats->rows, row, error));
    if (!stats->count_pairs || state == SAMPLE_NONE)
        TRY(sample_counter_vec_push(&stats->counters, (sample_counter){.row = number}, error));
    return OPAC_OK;
}

/* ---- choices of a row ---- */

uint32_t sample_statistics_product_state_of_row(const sample_statistics *stats, uint32_t row)
{
    uint32_t state = stats->rows.items[row].state;
    return state == SAMPLE_NONE ? stats->start : stats->states.items[state].product_state;
}

uint32_t sample_statistics_choices_of_row(const sample_statistics *stats, uint32_t product_state,
                                          uint32_t row, uint32_t *count)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    const sample_row *r = &stats->rows.items[row];
    if (r->state == SAMPLE_NONE) {
        *count = p->choices;
        return p->choice;
    }
    product_move_table_moves(stats->move_table, p->memory, stats->states.items[p->state].class,
                             count);
    return p->choice + r->action * *count;
}

/* ---- capacity ---- */

/* Sets the capacity of a row; new branches have no target yet. */
static opac_status widen(sample_statistics *stats, uint32_t number, uint32_t capacity,
                         opac_error *error)
{
    sample_row *row = &stats->rows.items[number];
    size_t begin = stats->targets.count;
    if (begin + capacity > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions seen",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&stats->targets, begin + capacity, error));
    uint32_t *targets = stats->targets.items;
    for (uint32_t b = 0; b < capacity; b++)
        targets[begin + b] = b < row->width ? targets[row->begin + b] : SAMPLE_NONE;
    stats->targets.count += capacity;
    row->begin = (uint32_t)begin;
    row->capacity = capacity;
    return OPAC_OK;
}

/* ---- the environment's numbers ---- */

opac_status sample_statistics_adopt_env_row(sample_statistics *stats, uint32_t number,
                                            opac_error *error)
{
    sample_row *row = &stats->rows.items[number];
    const void *key = NULL;
    size_t length = 0;
    uint32_t there, width;
    if (row->env_row != SAMPLE_NONE)
        return OPAC_OK;
    if (row->state != SAMPLE_NONE)
        key = base_intern_key(&stats->keys, row->state, &length);
    TRY(env_row(stats->env, key, length, row->state != SAMPLE_NONE ? row->action : 0, &there,
                &width, error));
    TRY(widen(stats, number, width, error));
    row->width = width;
    row->env_row = there;
    return OPAC_OK;
}

/* ---- branches ---- */

static opac_status is_branch(sample_statistics *stats, uint32_t there, uint32_t branch,
                             uint32_t state, bool *is, opac_error *error)
{
    opac_observation seen;
    size_t length;
    TRY(env_branch(stats->env, there, branch, &seen, error));
    const unsigned char *key = base_intern_key(&stats->keys, state, &length);
    *is = seen.length == length && (length == 0 || memcmp(seen.key, key, length) == 0);
    return OPAC_OK;
}

/* The branch of the environment, unseen so far, that leads to a state. */
static opac_status find_unseen(sample_statistics *stats, uint32_t number, uint32_t state,
                               uint32_t *branch, opac_error *error)
{
    const sample_row *row = &stats->rows.items[number];
    for (uint32_t b = 0; b < row->width; b++) {
        bool is;
        if (stats->targets.items[row->begin + b] != SAMPLE_NONE)
            continue;
        TRY(is_branch(stats, row->env_row, b, state, &is, error));
        *branch = b;
        if (is)
            return OPAC_OK;
    }
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "a transition was observed that the environment does not have");
}

static opac_status add_branch(sample_statistics *stats, uint32_t number, uint32_t state,
                              uint32_t *branch, opac_error *error)
{
    sample_row *row = &stats->rows.items[number];
    *branch = row->width;
    if (row->env_row != SAMPLE_NONE)
        TRY(find_unseen(stats, number, state, branch, error));
    else if (row->width == row->capacity)
        TRY(widen(stats, number, row->capacity > 0 ? 2 * row->capacity : 1, error));
    stats->targets.items[row->begin + *branch] = state;
    row->width += row->env_row == SAMPLE_NONE;
    row->seen++;
    if (row->seen > stats->most.branching)
        stats->most.branching = row->seen;
    return OPAC_OK;
}

opac_status sample_statistics_branch(sample_statistics *stats, uint32_t row, uint32_t state,
                                     uint32_t *branch, opac_error *error)
{
    if (stats->is_tabulated)
        TRY(sample_statistics_adopt_env_row(stats, row, error));
    const sample_row *r = &stats->rows.items[row];
    for (uint32_t b = 0; b < r->width; b++)
        if (stats->targets.items[r->begin + b] == state) {
            *branch = b;
            return OPAC_OK;
        }
    return add_branch(stats, row, state, branch, error);
}
