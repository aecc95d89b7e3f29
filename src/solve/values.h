/* SPDX-License-Identifier: MIT */
/*
 * Enclosures of the solution of a quotient, block by block in the order of the
 * blocks: Gauss-Seidel sweeps from below, then a guess from above that one more
 * sweep proves (Hartmanns and Kaminski, "Optimistic value iteration", 2020),
 * else sweeps from above as well (interval iteration); where sweeps are slow,
 * policy iteration with elimination. A block has a budget: when that is spent, or
 * margins exceed what was asked for, the enclosure is what was proven, and `met` is false.
 *
 * With intervals only one side is a bound: `lower` of a pessimistic quantity, `upper` of an optimistic
 * one. Widths are absolute, and blocks on a path share the precision. The other side proves that the
 * bound is near, and is set to the bound when a block is done, so that later blocks see one value.
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

/* A question whether to stop with what is proven; once it is answered yes it is not asked again. */
typedef struct solve_stop {
    bool (*ask)(const void *context); /* NULL: never */
    const void *context;
    bool cut; /* the answer was yes */
} solve_stop;

static inline bool solve_stopped(solve_stop *stop)
{
    if (stop != NULL && !stop->cut && stop->ask != NULL)
        stop->cut = stop->ask(stop->context);
    return stop != NULL && stop->cut;
}

typedef struct solve_value_options {
    double precision; /* width wanted at every node, above 0; relative, absolute with intervals */
    const double *upper; /* by node: at least the solution; NULL: nothing is known */
    /* With intervals, by node: vectors to begin with, if sweeps prove them; NULL: none. */
    const double *guess_lower, *guess_upper;
    solve_stop *stop; /* with intervals; NULL: none */
    base_pool *pool;  /* NULL: this thread alone; the values are the same. None with intervals */
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
    bool met;        /* upper - lower <= precision * lower everywhere; not with intervals */
    uint64_t sweeps; /* node updates, divided by the nodes, rounded up */
} solve_values;

opac_status solve_values_find(const solve_quotient *quotient, const solve_value_options *options,
                              graph_workspace *workspace, solve_values *values, opac_error *error);

#endif
