/* SPDX-License-Identifier: MIT */
/*
 * Enclosures of the solution of a quotient, block by block in the order of the
 * blocks: Gauss-Seidel sweeps from below, then a guess from above that one more
 * sweep proves (Hartmanns and Kaminski, "Optimistic value iteration", 2020),
 * else sweeps from above as well (interval iteration); where sweeps are slow,
 * policy iteration with elimination. A block has a budget: when that is spent, or
 * margins exceed what was asked for, the enclosure is what was proven, and `met` is false.
 *
 * What is proven holds for numbers, not only for doubles: every sum is rounded
 * outward by a margin that covers its own rounding and that of each
 * probability, whose double may be off by a relative SOLVE_PROBABILITY_MARGIN.
 */
#ifndef SOLVE_VALUES_H
#define SOLVE_VALUES_H

#include <omegapac/cancel.h>
#include <omegapac/progress.h>

#include "base/pool.h"
#include "solve/quotient.h"

#define SOLVE_PROBABILITY_MARGIN 0x1p-50 /* relative */

typedef struct solve_value_options {
    double precision;    /* relative width wanted at every node, above 0 */
    const double *upper; /* by node: at least the solution; NULL: nothing is known */
    base_pool *pool;     /* NULL: this thread alone; the values are the same */
    const opac_cancel *cancel;
    opac_progress *progress;
} solve_value_options;

typedef struct solve_values {
    double *lower, *upper; /* by node */
    /*
     * By node: the choice with which `lower` (complement: `upper`) is attained.
     * GRAPH_NONE: any choice will do that keeps the bound, rounded against it,
     * as solve_backup_below and solve_backup_above of backup.h tell; there is one. Where a
     * choice is named it must be taken, and for all nodes of a block one is, or for none.
     * NULL: GRAPH_NONE everywhere.
     */
    const uint32_t *choice;
    bool met;        /* upper - lower <= precision * lower everywhere */
    uint64_t sweeps; /* node updates, divided by the nodes, rounded up */
} solve_values;

opac_status solve_values_find(const solve_quotient *quotient, const solve_value_options *options,
                              graph_workspace *workspace, solve_values *values, opac_error *error);

#endif
