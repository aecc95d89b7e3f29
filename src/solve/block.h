/* SPDX-License-Identifier: MIT */
/*
 * The enclosure of one block whose earlier blocks are done.
 *
 * From below: sweeps from 0, whose relative steps shrink by a factor that is
 * estimated on the way. When what is left seems small enough, the values times
 * 1 + width are guessed to be above the solution, and a sweep that raises none
 * of them proves it (Hartmanns and Kaminski, "Optimistic value iteration",
 * 2020). A guess that is not proven makes the next one wait for smaller steps.
 *
 * From above: the same with the roles exchanged, from known upper bounds, which
 * every sweep keeps valid. It goes first when such bounds are given, and takes
 * turns with the other when guesses keep failing (interval iteration, Haddad
 * and Monmege 2018). The turns double, so whichever side is quick decides.
 *
 * With intervals the same, and: vectors that are guessed are proven first (values.h). From above
 * nothing is swept in a pessimistic quantity, because a model that stays where lower ends are 0 would
 * hold any value there; guesses from above may so fail for ever, and the block ends when steps are
 * negligible. It also ends, at any time, when it is stopped.
 *
 * Where steps shrink so slowly that more is to be done than was done, policy
 * iteration is tried with as much work (slow_block.h), and at the very end with all
 * that is allowed. The budget bounds the work of a block; what is proven by then
 * is the result.
 */
#ifndef SOLVE_BLOCK_H
#define SOLVE_BLOCK_H

#include "solve/sweep.h"

typedef struct solve_block_task {
    solve_block block;
    double width;                            /* that is wanted; relative, absolute with intervals */
    bool warm;                               /* upper holds valid bounds that may be close */
    double *lower, *upper;                   /* by node; those of earlier blocks are done */
    uint32_t *choice;                        /* by node, see solve_values; GRAPH_NONE at first */
    double *saved;                           /* by node of the block, from its first: scratch */
    const double *guess_lower, *guess_upper; /* by node, see values.h */
    solve_stop *stop;
    graph_workspace *workspace;
    const opac_cancel *cancel;
    uint64_t sweeps, spent; /* so far; the cost of sweeps and elimination */
    uint64_t polled;        /* what was spent when cancel was looked at */
    bool cancelled;
} solve_block_task;

/* lower and upper of the block are set, whether the width is met or not. */
opac_status solve_block_enclose(solve_block_task *task, opac_error *error);

#endif
