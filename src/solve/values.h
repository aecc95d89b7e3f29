/* SPDX-License-Identifier: MIT */
/*
 * Encloses the solution of a quotient, block by block: Gauss-Seidel sweeps from below, then a guess from
 * above that one more sweep proves (Hartmanns and Kaminski, "Optimistic value iteration", 2020); if guesses
 * fail, sweeps from above as well (interval iteration); where sweeps converge slowly, policy iteration with
 * elimination. Each block has a budget. If it is exhausted, or rounding margins exceed the wanted
 * precision, the enclosure is what was proven, and `met` is false.
 *
 * With intervals only one side is a bound: `lower` of a pessimistic quantity, `upper` of an optimistic one.
 * Widths are absolute, and the blocks on a path share the precision. The other side only measures the
 * precision; once a block is done it is set to the bound, so that later blocks use a single value.
 *
 * The bounds hold for real numbers, not only for doubles: every sum is rounded outward by a margin that
 * covers its rounding error and those of the probabilities, whose doubles may have a relative error of
 * SOLVE_PROBABILITY_MARGIN.
 */
#ifndef SOLVE_VALUES_H
#define SOLVE_VALUES_H

#include <omegapac/cancel.h>
#include <omegapac/progress.h>

#include "base/pool.h"
#include "solve/quotient.h"

#define SOLVE_PROBABILITY_MARGIN 0x1p-50 /* relative */

/* A callback that decides whether to stop with the bounds proven so far. Not called again after true. */
typedef struct solve_stop {
    bool (*ask)(const void *context); /* NULL: never stop */
    const void *context;
    bool stopped; /* whether the callback has returned true */
} solve_stop;

static inline bool solve_should_stop(solve_stop *stop)
{
    if (stop != NULL && !stop->stopped && stop->ask != NULL)
        stop->stopped = stop->ask(stop->context);
    return stop != NULL && stop->stopped;
}

typedef struct solve_value_options {
    double
        precision; /* wanted width at every node, above 0; relative, or absolute with intervals */
    const double *upper; /* by node: known upper bounds; NULL: none */
    /* With intervals, by node: vectors to begin with, used if sweeps prove them; NULL: none. */
    const double *guess_lower, *guess_upper;
    solve_stop *stop; /* with intervals; NULL: none */
    base_pool
        *pool; /* NULL: one thread. The values do not depend on it. Must be NULL with intervals */
    const opac_cancel *cancel;
    opac_progress *progress;
} solve_value_options;

typedef struct solve_values {
    double *lower, *upper; /* by node */
    /*
     * By node: the choice that attains `lower` (complement: `upper`). GRAPH_NONE: every choice attains it
     * that satisfies the bound by solve_backup_below (solve_backup_above) of backup.h; there is at least
     * one. A choice is given for all nodes of a block or for none; if it is given, no other choice may be
     * taken. NULL: GRAPH_NONE everywhere.
     */
    const uint32_t *choice;
    bool met; /* whether upper - lower <= precision * lower everywhere; unused with intervals */
    uint64_t sweeps; /* node updates divided by the number of nodes, rounded up */
} solve_values;

opac_status solve_values_find(const solve_quotient *quotient, const solve_value_options *options,
                              graph_workspace *workspace, solve_values *values, opac_error *error);

#endif
