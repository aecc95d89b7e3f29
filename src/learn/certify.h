/* SPDX-License-Identifier: MIT */
/* The strategy that knows p_min or the graph, and closes a bracket: see certify.c. */
#ifndef LEARN_CERTIFY_H
#define LEARN_CERTIFY_H

#include "learn/bracket.h"
#include "learn/strategy.h"
#include "learn/support.h"

extern const learn_strategy learn_with_bracket;

/* Its learn_run.own. */
typedef struct learn_bracket_state {
    learn_support *support;
    learn_bracket *bracket;
    opac_learning *learning;
    opac_output *kept;  /* the checkpoint before the last update; NULL: none */
    opac_cancel *brake; /* ends updates, whatever is proven */
    double until;       /* by opac_clock_seconds: so long the solver may work; INFINITY */
    bool is_fresh;      /* the bracket is of all that was seen */
    bool is_last;       /* the run is over: it goes by nothing else */
    bool is_braking;    /* the time of the brake was set */
} learn_bracket_state;

/* Makes it the strategy of a run whose world is there. */
opac_status learn_attach_bracket(learn_run *run, const learn_support_options *support,
                                 const learn_bracket_options *bracket, opac_error *error);

static inline learn_support *learn_run_support(const learn_run *run)
{
    return ((const learn_bracket_state *)run->own)->support;
}

static inline learn_bracket *learn_run_bracket(const learn_run *run)
{
    return ((const learn_bracket_state *)run->own)->bracket;
}

/* Steps are counted up to here: what follows from counts is exact in doubles. */
#define LEARN_MOST_STEPS ((uint64_t)1 << 53)

/* The width, rounded up. */
double learn_certify_gap(learn_bounds bounds);
/* 1 - p, rounded down. */
double learn_certify_complement_down(double p);

/* ---- certify_save.c ---- */

opac_status learn_bracket_state_save(const learn_run *run, base_u64_vec *words, opac_error *error);
opac_status learn_bracket_state_restore(learn_run *run, const uint64_t *words, size_t count,
                                        opac_error *error);

/* ---- certify_report.c ---- */

opac_status learn_bracket_report(opac_learning *learning, opac_error *error);

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
