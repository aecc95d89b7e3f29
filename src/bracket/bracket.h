/* SPDX-License-Identifier: MIT */
/*
 * The learner for a known p_min or graph (sample/strategy.h): it samples until the bracket [L, U] around the
 * greatest probability is narrower than epsilon. See bracket.c.
 */
#ifndef BRACKET_BRACKET_H
#define BRACKET_BRACKET_H

#include "bracket/bracket_model.h"
#include "bracket/support.h"
#include "sample/strategy.h"

extern const sample_strategy bracket_strategy;

/* State of bracket_round.c that is saved in checkpoints, beside the round itself (sample_round). */
typedef struct bracket_plan {
    uint64_t policy;             /* of the round: a bracket_explore_policy */
    uint64_t pessimistic_length; /* mean length of an episode in the last round that followed the
                                    pessimistic policy; 0 if there was none */
    uint64_t pessimistic_steps;  /* steps of all such rounds */
} bracket_plan;
enum {
    BRACKET_PLAN_WORDS = sizeof(bracket_plan) / sizeof(uint64_t)
};

/* The strategy's sample_run.own. */
typedef struct bracket_state {
    bracket_plan plan;
    bracket_support *support;
    bracket_model *bracket;
    opac_output *last_checkpoint; /* the checkpoint before the last update; may be NULL */
    opac_cancel *stop_handle;     /* cancels updates */
    double solver_deadline;       /* by opac_clock_seconds, when the solver must stop; INFINITY */
    bool is_current;              /* the bracket is computed from all counts */
    bool is_final;                /* the run has ended: only solver_deadline stops updates */
    bool has_stop_deadline;       /* the deadline of stop_handle was set */
} bracket_state;

/* Makes this the strategy of a run whose statistics are initialised. */
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

/* U - L, rounded up. */
double bracket_gap(bracket_bounds bounds);

/* ---- bracket_save.c ---- */

opac_status bracket_state_save(const sample_run *run, base_u64_vec *words, opac_error *error);
opac_status bracket_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error);

/* ---- bracket_report.c ---- */

opac_status bracket_report(opac_learning *learning, opac_error *error);

/* ---- bracket_certificate.c ---- */

struct sample_certificate;
opac_status bracket_put_certificate(struct sample_certificate *writer, opac_error *error);

/* ---- bracket_round.c ---- */

/*
 * Chooses the next round: run->round, limit and horizon, and the policy to follow. *is_open: whether its
 * samples can change the bracket.
 */
opac_status bracket_round_choose(opac_learning *learning, bool *is_open, opac_error *error);
/*
 * Least number of steps of a round, so that most of the time is not spent on solving: the number of product
 * states, or several times that if there are many.
 */
uint64_t bracket_round_least(const sample_run *run);

/* ---- bracket_draw.c ---- */

typedef enum bracket_draw_outcome {
    BRACKET_DRAW_DONE,
    BRACKET_DRAW_OVER_BUDGET, /* max_steps does not allow them; none were made */
    BRACKET_DRAW_USELESS      /* no sample can change the bracket */
} bracket_draw_outcome;
/* Samples a round of successors of the rows that reduce the gap most. */
opac_status bracket_draw_round(opac_learning *learning, bracket_draw_outcome *outcome,
                               opac_error *error);

#endif
