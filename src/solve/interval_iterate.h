/* SPDX-License-Identifier: MIT */
/* One block of a net while it is being solved: what interval_iterate.c and interval_policy.c share. */
#ifndef SOLVE_INTERVAL_ITERATE_H
#define SOLVE_INTERVAL_ITERATE_H

#include "solve/interval_parts.h"

enum {
    SOLVE_INTERVAL_SMALL = 2048 /* nodes of a block for which policies are tried */
};

typedef struct solve_interval_work {
    solve_interval_iteration *iteration;
    graph_workspace *workspace;
    const uint32_t *node; /* of the block, count many */
    uint32_t count;
    uint32_t *place; /* by node: its position in the block; elsewhere GRAPH_NONE */
    /* By node; all are the result in blocks that are done. */
    double *below, *above, *trial;
    double share;  /* of the precision, for this block */
    bool is_tried; /* policies, without success */
    uint32_t sweeps;
    uint64_t total_sweeps; /* times nodes */
} solve_interval_work;

/* The greatest worth of a choice of the node, and the first choice that has it; -1: no choice. */
double solve_interval_best(const solve_interval_work *w, uint32_t node, const double *value,
                           uint32_t *choice);

/* Lowers y until it is inductive; false: it is not within so many sweeps. */
bool solve_interval_prove_above(solve_interval_work *w, double *y, uint32_t most_sweeps);

/* Lowers x until x <= Φ(x), and notes the choices; false: it is not within so many sweeps. */
bool solve_interval_prove_below(solve_interval_work *w, double *x, uint32_t most_sweeps);

/* Policy iteration; done: the block's values and choices are settled. Not when it is cut. */
opac_status solve_interval_try_policies(solve_interval_work *w, bool *done, opac_error *error);

#endif
