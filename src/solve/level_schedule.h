/* SPDX-License-Identifier: MIT */
/*
 * Visits the blocks of a quotient, each after all that its edges lead to.
 * Blocks of one level do not depend on each other, so that with a pool the
 * large levels are shared out, in chunks of about equal cost. What a visit
 * computes from its block alone does not depend on the number of threads.
 */
#ifndef SOLVE_LEVEL_SCHEDULE_H
#define SOLVE_LEVEL_SCHEDULE_H

#include "base/pool.h"
#include "solve/quotient.h"

/* worker: below base_pool_threads; of two visits at the same time they differ. */
typedef opac_status (*solve_visit)(void *context, uint32_t block, unsigned worker,
                                   opac_error *error);

/* Is there enough to do for several threads? pool may be NULL. Linear in the blocks. */
bool solve_levels_parallel(const solve_quotient *quotient, const base_pool *pool);

/* The first error in the order of levels is that of the whole. 8 bytes a block of scratch. */
opac_status solve_levels_visit(const solve_quotient *quotient, base_pool *pool,
                               const opac_cancel *cancel, solve_visit visit, void *context,
                               graph_workspace *workspace, opac_error *error);

#endif
