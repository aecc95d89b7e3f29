/* SPDX-License-Identifier: MIT */
/*
 * Laws, ready to be drawn from, in pools:
 *
 *     row                     one law: its branches are `width` neighbours in each pool
 *      │
 *      ▼
 *     slots   │ 0 │ 1 │ 2 ║ 0 │ 1 ║ 0 │ …    alias table (stat/alias.h)
 *     splits  │ 0 │ 1 │ 2 ║ 0 │ 1 ║ 0 │ …    for counts (stat/multinomial.h); may be absent
 *     targets │ s │ s │ s ║ s │ s ║ s │ …    the state behind the branch
 *
 * A row is the position of its first branch, so that a walk finds the slot
 * without a table of rows. Rows are made when they are first asked for; they
 * keep their numbers, but the pools move: nobody reads while somebody adds.
 *
 * Cost: 20 bytes a branch (36 with splits) and some 30 a row.
 */
#ifndef ENV_ROWS_H
#define ENV_ROWS_H

#include "base/map.h"
#include "base/vec.h"
#include "stat/alias.h"
#include "stat/multinomial.h"

BASE_VEC(env_slot_vec, stat_alias_slot);
BASE_VEC(env_split_vec, stat_split);

typedef struct env_rows {
    base_map index; /* name ► row */
    env_slot_vec slots;
    env_split_vec splits;
    base_u32_vec targets;
    bool has_splits;
} env_rows;

/* All zeros, and has_splits as wished, is empty. */
void env_rows_fini(env_rows *rows);

bool env_rows_find(const env_rows *rows, uint64_t name, uint32_t *row);

/* A new law under a new name: width positive weights. On failure nothing has changed. */
opac_status env_rows_add(env_rows *rows, uint64_t name, const double *weights,
                         const uint32_t *targets, uint32_t width, uint32_t *row, opac_error *error);

/* n independent branches, added to counts; has_splits. */
void env_rows_draw(const env_rows *rows, uint32_t row, uint64_t n, stat_rng *rng, uint64_t *counts);

#endif
