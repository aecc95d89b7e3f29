/* SPDX-License-Identifier: MIT */
/*
 * Level scheduling: visits the blocks of a quotient, each after all blocks that its edges lead to. Blocks
 * of the same level do not depend on each other, so with a thread pool the large levels are divided into
 * chunks of about equal cost. If a visit depends only on its block and earlier ones, the results do not
 * depend on the number of threads.
 */
#ifndef SOLVE_LEVEL_SCHEDULE_H
#define SOLVE_LEVEL_SCHEDULE_H

#include "base/pool.h"
#include "solve/quotient.h"

/* worker is less than base_pool_threads; concurrent visits have different workers. */
typedef opac_status (*solve_visit)(void *context, uint32_t block, unsigned worker,
                                   opac_error *error);

/* Whether there is enough work for several threads. pool may be NULL. Linear in the blocks. */
bool solve_levels_parallel(const solve_quotient *quotient, const base_pool *pool);

/* Returns the first error in the order of levels. 8 bytes of scratch for each block. */
opac_status solve_levels_visit(const solve_quotient *quotient, base_pool *pool,
                               const opac_cancel *cancel, solve_visit visit, void *context,
                               graph_workspace *workspace, opac_error *error);

#endif
