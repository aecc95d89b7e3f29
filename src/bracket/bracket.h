/* SPDX-License-Identifier: MIT */
/* The strategy that knows p_min or the graph, and closes a bracket: see bracket.c. */
#ifndef BRACKET_BRACKET_H
#define BRACKET_BRACKET_H

#include "bracket/bracket_model.h"
#include "bracket/support.h"
#include "sample/strategy.h"

extern const sample_strategy bracket_strategy;

/* What is planned beside the round itself (sample_round), by bracket_round.c. */
typedef struct bracket_plan {
    uint64_t policy; /* of the round: bracket_explore_policy */
    uint64_t
        pessimistic_length; /* steps of an episode, in the mean of the last round of the cautious policy;
                          0: there was none */
    uint64_t pessimistic_steps; /* steps of all such rounds */
} bracket_plan;
enum {
    BRACKET_PLAN_WORDS = sizeof(bracket_plan) / sizeof(uint64_t)
};

/* Its sample_run.own. */
typedef struct bracket_state {
    bracket_plan plan;
    bracket_support *support;
    bracket_model *bracket;
    opac_output *last_checkpoint; /* the checkpoint before the last update; NULL: none */
    opac_cancel *stop_handle;     /* ends updates, whatever is proven */
    double solver_deadline;       /* by opac_clock_seconds: so long the solver may work; INFINITY */
    bool is_current;              /* the bracket is of all that was seen */
    bool is_final;                /* the run is over: it goes by nothing else */
    bool has_stop_deadline;       /* the time of the brake was set */
} bracket_state;

/* Makes it the strategy of a run whose world is there. */
opac_status bracket_attach(sample_run *run, const bracket_support_options *support,
                           const bracket_model_options *bracket, opac_error *error);

static inline bracket_support *bracket_support_of(const sample_run *run)
{
    return ((const bracket_state *)run->own)->support;
}

static inline bracket_model *bracket_model_of(const sample_run *run)
{
    return ((const bracket_state *)run->own)->bracket;
}

/* Steps are counted up to here: what follows from counts is exact in doubles. */
#define BRACKET_MOST_STEPS ((uint64_t)1 << 53)

/* The width, rounded up. */
double bracket_gap(bracket_bounds bounds);
/* 1 - p, rounded down. */
double bracket_complement_down(double p);

/* ---- bracket_save.c ---- */

opac_status bracket_state_save(const sample_run *run, base_u64_vec *words, opac_error *error);
opac_status bracket_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error);

/* ---- bracket_report.c ---- */

opac_status bracket_report(opac_learning *learning, opac_error *error);

/* ---- bracket_round.c ---- */

/* The next round: run->round, limit, horizon; and the mood that the bracket follows.
 * *is_open: something can be learned by it. */
opac_status bracket_round_choose(opac_learning *learning, bool *is_open, opac_error *error);
/*
 * Steps that a round has at least, so that solving after it is not most of the work: as many as
 * there are pairs, and where there are many, several times as many.
 */
uint64_t bracket_round_least(const sample_run *run);

/* ---- bracket_draw.c ---- */

typedef enum bracket_draw_outcome {
    BRACKET_DRAW_DONE,
    BRACKET_DRAW_OVER_BUDGET, /* they do not fit into the budget, and were not made */
    BRACKET_DRAW_USELESS      /* none would help */
} bracket_draw_outcome;
/* One round of draws, where they help most. */
opac_status bracket_draw_round(opac_learning *learning, bracket_draw_outcome *outcome,
                               opac_error *error);

#endif
