/* SPDX-License-Identifier: MIT */
/*
 * Tables for sampling from the distributions of state-action pairs, stored back to back in pools:
 *
 *     row                     one distribution: its branches are `width` neighbours in each pool
 *      │
 *      ▼
 *     slots   │ 0 │ 1 │ 2 ║ 0 │ 1 ║ 0 │ …    alias table (stat/alias.h)
 *     splits  │ 0 │ 1 │ 2 ║ 0 │ 1 ║ 0 │ …    for counts (stat/multinomial.h); optional
 *     targets │ s │ s │ s ║ s │ s ║ s │ …    the successor state of the branch
 *
 * A row is identified by the position of its first branch, so a walk needs no table of rows. Rows are
 * built on first use. They keep their positions, but adding one may move the pools: no thread may read
 * during an addition.
 *
 * Cost: 20 bytes a branch (36 with splits) and about 30 a row.
 */
#ifndef ENV_ROWS_H
#define ENV_ROWS_H

#include "base/map.h"
#include "base/vec.h"
#include "stat/alias.h"
#include "stat/multinomial.h"

BASE_VEC(env_slot_vec, stat_alias_slot);
BASE_VEC(env_split_vec, stat_split);

/* Initialised by zeroing, with has_splits set if env_rows_draw is needed. */
typedef struct env_rows {
    base_map index; /* key ► row */
    env_slot_vec slots;
    env_split_vec splits;
    base_u32_vec targets;
    bool has_splits;
} env_rows;

void env_rows_fini(env_rows *rows);

bool env_rows_find(const env_rows *rows, uint64_t key, uint32_t *row);

/* Adds a distribution of `width` positive weights under a new key. On failure nothing is changed. */
opac_status env_rows_add(env_rows *rows, uint64_t key, const double *weights,
                         const uint32_t *targets, uint32_t width, uint32_t *row, opac_error *error);

/* Draws n independent branches and adds the numbers of each to counts. Requires has_splits. */
void env_rows_draw(const env_rows *rows, uint32_t row, uint64_t n, stat_rng *rng, uint64_t *counts);

#endif
