/* SPDX-License-Identifier: MIT */
/*
 * Encloses the values of one block, given the values of the earlier blocks.
 *
 * From below: Gauss-Seidel sweeps from 0. The relative steps shrink by a factor, which is estimated from
 * the last steps. Once the estimated distance to the solution is small enough, the values times
 * 1 + width are a candidate for an upper bound; a sweep that raises none of them proves it (Hartmanns
 * and Kaminski, "Optimistic value iteration", 2020). After a candidate that was not proven, the next one
 * waits for smaller steps.
 *
 * From above: the same with the sides exchanged, beginning from known upper bounds, which every sweep
 * keeps valid. This side goes first if the caller gives such bounds, and alternates with the other one
 * if candidates keep failing (interval iteration, Haddad and Monmege 2018). The number of sweeps in a
 * turn doubles, so that the faster side determines the time.
 *
 * With intervals, the caller's guesses are proven first (values.h). A pessimistic quantity is not swept
 * from above, because a model that never leaves a set whose exits have lower end 0 would keep any value
 * there. Candidates from above may therefore fail forever, so the block also ends when steps become
 * negligible, or when the caller stops it.
 *
 * Where the steps shrink so slowly that the remaining sweeps are more than those done so far, the block
 * tries policy iteration with a similar amount of work (slow_block.h), and at the end with all the work
 * allowed. The budget bounds the work of a block; the result is what was proven within it.
 */
#ifndef SOLVE_BLOCK_H
#define SOLVE_BLOCK_H

#include "solve/sweep.h"

typedef struct solve_block_task {
    solve_block block;
    double width;                            /* wanted; relative, or absolute with intervals */
    bool warm;                               /* whether `upper` holds valid bounds to begin with */
    double *lower, *upper;                   /* by node; final for earlier blocks */
    uint32_t *choice;                        /* by node, see solve_values; initially GRAPH_NONE */
    double *saved;                           /* by node of the block, from its first: scratch */
    const double *guess_lower, *guess_upper; /* by node, see values.h */
    solve_stop *stop;
    graph_workspace *workspace;
    const opac_cancel *cancel;
    uint64_t sweeps; /* so far */
    uint64_t spent;  /* cost of sweeps and elimination so far */
    uint64_t polled; /* `spent` when `cancel` was last polled */
    bool cancelled;
} solve_block_task;

/* Sets lower and upper of the block, even if it does not reach the width. */
opac_status solve_block_enclose(solve_block_task *task, opac_error *error);

#endif
