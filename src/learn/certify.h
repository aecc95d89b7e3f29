/* SPDX-License-Identifier: MIT */
/* The inside of a run that closes a bracket: see certify.c. */
#ifndef LEARN_CERTIFY_H
#define LEARN_CERTIFY_H

#include "learn/frame.h"

/* Steps are counted up to here: what follows from counts is exact in doubles. */
#define LEARN_MOST_STEPS ((uint64_t)1 << 53)

/* The width, rounded up. */
double learn_certify_gap(learn_bounds bounds);
/* 1 - p, rounded down. */
double learn_certify_complement_down(double p);

/* ---- certify_batch.c ---- */

/* The next batch of episodes: run->batch, limit, horizon; and the mood that the bracket follows.
 * *is_open: something can be learned by it. */
opac_status learn_batch_choose(opac_learning *learning, bool *is_open, opac_error *error);

/* ---- certify_draw.c ---- */

typedef enum learn_draw_outcome {
    LEARN_DRAW_DONE,
    LEARN_DRAW_SPENT,  /* they do not fit into the budget, and were not made */
    LEARN_DRAW_NOTHING /* none would help */
} learn_draw_outcome;
/* One round of draws, where they help most. */
opac_status learn_draw_round(opac_learning *learning, learn_draw_outcome *outcome,
                             opac_error *error);

#endif
