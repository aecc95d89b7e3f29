/* SPDX-License-Identifier: MIT */
/*
 * The learner for a known p_min or graph (sample/strategy.h): it samples until the bracket [L, U] around the
 * greatest probability is narrower than epsilon. See bracket.c.
 */
#ifndef BRACKET_BRACKET_H
#define BRACKET_BRACKET_H

#include "bracket/bracket_model.h"
#include "bracket/support.h"
#include "frequencies/frequencies.h"
#include "sample/candidate.h"
#include "sample/strategy.h"

extern const sample_strategy bracket_strategy;

/* What the episodes of a round are for. */
typedef enum bracket_purpose {
    BRACKET_FOLLOW_UPPER = 0,  /* the optimistic policy, which attains U */
    BRACKET_REDUCE_GAP = 1,    /* the policy that reduces U - L fastest */
    BRACKET_FOLLOW_SAMPLE = 2, /* the best policy of a posterior sample */
    BRACKET_TRY = 3            /* a trial of the current candidate */
} bracket_purpose;
enum {
    BRACKET_PURPOSES = 4
};

/* State of bracket_round.c that is saved in checkpoints, beside the round itself (sample_round). */
typedef struct bracket_plan {
    uint64_t purpose;    /* of the round: a bracket_purpose */
    uint64_t length;     /* the maximal length of episodes, other than those of trials */
    uint64_t tried;      /* number of candidates so far */
    uint64_t has_next;   /* `next` may become a candidate */
    uint64_t next_steps; /* steps of the run when it was chosen */
    uint64_t steps[BRACKET_PURPOSES]; /* of all rounds with this purpose */
    uint64_t mean[BRACKET_PURPOSES];  /* mean length of the episodes of the last one; 0: none */
} bracket_plan;
enum {
    BRACKET_PLAN_WORDS = sizeof(bracket_plan) / sizeof(uint64_t)
};

/* Where L comes from. */
typedef enum bracket_source {
    BRACKET_FROM_MODEL = 0,   /* the pessimistic policy */
    BRACKET_FROM_CURRENT = 1, /* the trial of the current candidate */
    BRACKET_FROM_BEST = 2     /* the trial of the best earlier candidate */
} bracket_source;

/* What the frequencies say about policies. */
typedef struct bracket_outlook {
    const sample_positional *best; /* NULL before there are any */
    double best_value, value;      /* of the best policy, and of the current candidate */
    bool has_candidate;            /* the current candidate is as good as the best policy */
} bracket_outlook;

/* The strategy's sample_run.own. */
typedef struct bracket_state {
    bracket_plan plan;
    bracket_support *support;
    bracket_model *bracket;
    frequencies_model *frequencies;
    sample_candidate current, best; /* best: the earlier one with the greatest bound */
    sample_positional next;    /* the best policy before the last round that followed a sample */
    sample_positional sampled; /* of the last posterior sample */
    sample_judge judge;
    sample_budget budget;
    bracket_outlook outlook; /* of the last update */
    double lower, upper;     /* L and U */
    bracket_source source;
    bool is_crossed;                   /* L exceeded U */
    bool drops_cut;                    /* of sample_tuning */
    const sample_positional *returned; /* the candidate's policy, after the run; or NULL */
    opac_output *last_checkpoint;      /* the checkpoint before the last update; may be NULL */
    opac_cancel *stop_handle;          /* cancels updates */
    double solver_deadline; /* by opac_clock_seconds, when the solver must stop; INFINITY */
    bool is_current;        /* the bracket is computed from all counts */
    bool is_final;          /* the run has ended: only solver_deadline stops updates */
    bool has_stop_deadline; /* the deadline of stop_handle was set */
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
/* L and U of the run: L by the model or by a trial. */
bracket_bounds bracket_of(const bracket_state *own);
/* The candidate whose trial L comes from; NULL if it comes from the model. */
const sample_candidate *bracket_candidate(const bracket_state *own);

/* ---- bracket_trial.c: lower bounds by whole episodes ---- */

/* After the bracket of the model was updated: solves the frequencies, keeps, recalls or replaces the current
 * candidate, and recomputes L, U and their source. */
opac_status bracket_trial_prepare(opac_learning *learning, opac_error *error);
/* Recomputes L, U and their source from the model and the trials. */
void bracket_find_bounds(const sample_run *run);
/* Of each value by the frequencies: what does not matter. */
double bracket_tolerance(const opac_learning *learning);

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
/* Least number of steps of a round, so that most of the time is not spent on solving. */
double bracket_round_least(const sample_run *run);

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
