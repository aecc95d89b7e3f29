/* SPDX-License-Identifier: MIT */
/* The pools are grown before anything is added, so that a failure changes nothing. */
#include "env/env_rows.h"

#include <string.h>

#include "env/walk.h"
#include "stat/binomial.h"

void env_rows_fini(env_rows *rows)
{
    base_map_fini(&rows->index);
    env_slot_vec_fini(&rows->slots);
    env_split_vec_fini(&rows->splits);
    base_u32_vec_fini(&rows->targets);
}

bool env_rows_find(const env_rows *rows, uint64_t key, uint32_t *row)
{
    const uint64_t *found = base_map_find(&rows->index, key);
    if (found == NULL)
        return false;
    *row = (uint32_t)*found;
    return true;
}

static opac_status reserve(env_rows *rows, uint32_t width, opac_error *error)
{
    size_t needed = rows->slots.count + width;
    if (needed >= ENV_END)
        return base_fail(error, OPAC_ERROR_LIMIT, "too many branches for the tables of a walk");
    TRY(env_slot_vec_reserve(&rows->slots, needed, error));
    TRY(base_u32_vec_reserve(&rows->targets, needed, error));
    if (rows->has_splits)
        TRY(env_split_vec_reserve(&rows->splits, needed, error));
    return OPAC_OK;
}

opac_status env_rows_add(env_rows *rows, uint64_t key, const double *weights,
                         const uint32_t *targets, uint32_t width, uint32_t *row, opac_error *error)
{
    size_t begin = rows->slots.count;
    uint64_t *value = NULL;
    TRY(reserve(rows, width, error));
    TRY(stat_alias_build(weights, width, &rows->slots.items[begin], error));
    if (rows->has_splits)
        TRY(stat_multinomial_prepare(weights, width, &rows->splits.items[begin], error));
    TRY(base_map_at(&rows->index, key, &value, error));
    memcpy(&rows->targets.items[begin], targets, width * sizeof *targets);
    rows->slots.count += width;
    rows->targets.count += width;
    rows->splits.count += rows->has_splits ? width : 0;
    *value = begin;
    *row = (uint32_t)begin;
    return OPAC_OK;
}

/*
 * As stat_multinomial, but adds to the counts, and does not need the width: the last branch gets all draws
 * that are left, so the loop ends there.
 */
void env_rows_draw(const env_rows *rows, uint32_t row, uint64_t n, stat_rng *rng, uint64_t *counts)
{
    const stat_split *splits = &rows->splits.items[row];
    for (size_t i = 0; n > 0; i++) {
        uint64_t part = stat_binomial(rng, n, splits[i].share);
        uint64_t taken = splits[i].is_of_rest ? n - part : part;
        counts[i] += taken;
        n -= taken;
    }
}
