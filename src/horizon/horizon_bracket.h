/* SPDX-License-Identifier: MIT */
/*
 * The learner that knows T and maintains a bracket [L, U] (sample/strategy.h; docs/theory.md, Theorem 17).
 *
 *     first reset ─► refresh ─► row sets ─► U_T + ε, best policy, R_T ─► narrow? ──no──► round of episodes ─┐
 *                       ▲                                                  │ yes                            │
 *                       │                                            tests of T ─► end                      │
 *                       └───────────────────────────────────────────────────────────────────────────────────┘
 */
#ifndef HORIZON_HORIZON_BRACKET_H
#define HORIZON_HORIZON_BRACKET_H

#include "horizon/horizon_model.h"
#include "sample/candidate.h"
#include "sample/strategy.h"

extern const sample_strategy horizon_strategy;

/* What the episodes of a round are for. */
typedef enum horizon_purpose {
    HORIZON_EXPLORE =
        0, /* reduce U: follow the policy that attains U_T, by the number of steps left */
    HORIZON_REHEARSE = 1, /* try a policy before it becomes a candidate; not counted for L */
    HORIZON_TRY = 2       /* a trial of the current candidate */
} horizon_purpose;
enum {
    HORIZON_PURPOSES = 3
};

/* State of horizon_round.c that is saved in checkpoints as words, beside the round itself (sample_round). */
typedef struct horizon_plan {
    uint64_t purpose; /* of the round: a horizon_purpose */
    uint64_t horizon; /* T in the round; its episodes may be shorter */
    uint64_t through; /* exploration continues in Ŵ, by the best policy */
    uint64_t is_long; /* a trial with 2 T transitions for each episode */
    uint64_t tried;   /* number of candidates so far */
    uint64_t has_rehearsed;
    uint64_t rehearsals;              /* if T is searched for: rounds to support this T */
    uint64_t tested_steps;            /* steps of the run at the last test of T by covering */
    uint64_t steps[HORIZON_PURPOSES]; /* of all rounds with this purpose */
    uint64_t explored_steps, explored_episodes; /* of the last round that explored */
} horizon_plan;
enum {
    HORIZON_PLAN_WORDS = sizeof(horizon_plan) / sizeof(uint64_t)
};

/* Where L comes from. */
typedef enum horizon_source {
    HORIZON_NO_SOURCE,       /* L is 0 */
    HORIZON_FROM_CURRENT,    /* the trial of the current candidate */
    HORIZON_FROM_BEST,       /* the trial of the best earlier candidate */
    HORIZON_FROM_FREQUENCIES /* the model, for the best policy of the frequencies_model */
} horizon_source;

/* The strategy's sample_run.own. */
typedef struct horizon_state {
    horizon_plan plan;
    sample_row_sets *sets;
    frequencies_model *frequencies;
    horizon_model *model;
    sample_candidate current, best; /* best: the earlier one with the greatest bound */
    sample_positional rehearsed;    /* of the last rehearsal */
    sample_positional inside;       /* of exploration in Ŵ */
    horizon_timed_policy timed;     /* of exploration */
    sample_judge judge;
    /* ---- of the last update ---- */
    double lower, upper; /* L and U */
    double reach;        /* U_T; not a bound if T is not known */
    horizon_bound risk;  /* of the best policy */
    horizon_source source;
    bool is_crossed; /* L exceeded U */
    bool is_best;    /* if nothing is known: by the frequencies the policy of L is as good as any */
    bool is_current; /* they are those of all counts */
    /* ---- */
    const sample_positional *returned; /* the policy of the result; NULL during the run */
    sample_positional last_policy;     /* its copy */
    opac_cancel *stop_handle;          /* cancels updates */
    opac_output *last_checkpoint;      /* the checkpoint before the last update; may be NULL */
    double target;                     /* the wanted width */
    uint64_t resumed_horizon;          /* T of the checkpoint */
    double allowance;                  /* what both ends include: ε; 0 if nothing is known */
    bool is_searching;                 /* T is searched for, without a guarantee */
    bool is_free;                      /* nothing is known: T is only the length of episodes */
    bool trusts_new;                   /* of sample_tuning */
} horizon_state;

static inline horizon_state *horizon_state_of(const sample_run *run)
{
    return run->own;
}

/* The wanted width: options.target, or 4 epsilon. */
double horizon_target(const opac_learn_options *options);
/* By how much a candidate's value may miss the best value: a part of the width that samples can change. */
double horizon_tolerance(const opac_learning *learning);

/* ---- horizon_update.c ---- */

/* Recomputes L and U from all counts. A sample_refutation of the row sets is stored in the learning. */
opac_status horizon_update(opac_learning *learning, opac_error *error);
/* Recomputes L, and where it comes from: after the last update, or when candidates have changed. */
void horizon_find_lower(opac_learning *learning);
/*
 * Tests of T (docs/theory.md, Theorem 18): by the bounds, which may cross, and by the judgements of long
 * episodes; and by covering. *is_refuted is set, and the learning has what refutes T.
 */
opac_status horizon_test_bounds(opac_learning *learning, bool *is_refuted);
opac_status horizon_test_cover(opac_learning *learning, bool *is_refuted, opac_error *error);
/* The policy to return: the one that L is for, or the best by the frequencies. */
const sample_positional *horizon_policy_to_return(const horizon_state *state);
/* U - L, rounded up. */
double horizon_gap(const horizon_state *state);

/* ---- horizon_round.c ---- */

/* Chooses the next round: run->round, limit and horizon, and what to follow. */
opac_status horizon_round_choose(opac_learning *learning, opac_error *error);
/* The next round follows the policy to return, and is not counted for L. */
opac_status horizon_round_rehearse(opac_learning *learning, opac_error *error);

/* ---- horizon_free.c ---- */

/* If nothing is known: whether L is, with confidence, as close as wanted to the probability that its policy wins an
 * episode of the trial, and no policy is better by the frequencies. horizon_free_compare finds the latter. */
opac_status horizon_free_compare(opac_learning *learning, opac_error *error);
bool horizon_free_is_done(const opac_learning *learning);
/* Whether neither a universal memory nor anything unseen can be reached. */
bool horizon_free_is_hopeless(const opac_learning *learning);
/* Doubles the length of episodes that explore, if they are too short. */
opac_status horizon_free_lengthen(opac_learning *learning, opac_error *error);
/* Sets the length of the candidate's episodes, the least one, doubled from 1 on, within which the policy reaches
 * about what it reaches within T; and where they end. */
opac_status horizon_free_prepare(opac_learning *learning, const sample_positional *policy,
                                 sample_candidate *candidate, opac_error *error);

/* ---- horizon_search.c ---- */

typedef enum horizon_search_outcome {
    HORIZON_SEARCH_ACCEPT, /* T is long enough for the policy, by the frequencies_model */
    HORIZON_SEARCH_DOUBLE, /* T is too short, or cannot be supported */
    HORIZON_SEARCH_SAMPLE  /* more episodes of the policy are needed */
} horizon_search_outcome;
/* The bracket is narrow, and T was searched for. */
opac_status horizon_search(opac_learning *learning, horizon_search_outcome *outcome,
                           opac_error *error);

/* ---- horizon_save.c ---- */

opac_status horizon_state_save(const sample_run *run, base_u64_vec *words, opac_error *error);
opac_status horizon_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error);

/* ---- horizon_certificate.c ---- */

opac_status horizon_put_certificate(struct sample_certificate *writer, opac_error *error);

/* ---- horizon_report.c ---- */

opac_status horizon_report(opac_learning *learning, opac_error *error);

#endif
