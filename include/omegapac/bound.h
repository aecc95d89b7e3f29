/* SPDX-License-Identifier: MIT */
/*
 * Computes the numbers of samples that the theorems require, before a run.
 *
 *     opac_bound_params params = {
 *         .states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1, .branching = 6};
 *     opac_count k;
 *     opac_error error;
 *     if (opac_bound_k(&params, OPAC_K_L1, &k, &error) != OPAC_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *     else
 *         printf("%" PRIu64 " samples a state-action pair\n", k.value);    // 743727
 *
 * The counts are exact for the given doubles: ceilings are correct in all digits, also above 2^53. Three
 * results are rounded: an accuracy is rounded up, an error to the nearest double, and a number of episodes
 * may be one too large. Counts that do not fit 64 bits are reported by their logarithm; this is not an
 * error. Unused members of structs must be zero, because later versions may add members, for which zero
 * keeps the old behaviour.
 *
 * The functions have no state and are thread-safe.
 */
#ifndef OMEGAPAC_BOUND_H
#define OMEGAPAC_BOUND_H

#include <stdint.h>

#include <omegapac/error.h>
#include <omegapac/export.h>
#include <omegapac/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number of samples or steps, at least 1, of any size. */
typedef struct opac_count {
    uint64_t value;     /* UINT64_MAX: the number does not fit 64 bits (it is saturated) */
    double approximate; /* may be infinity */
    double log10;       /* always finite */
} opac_count;

/* A count with this value. UINT64_MAX counts as saturated; for 0, log10 is set to 0. */
OPAC_API opac_count opac_count_of(uint64_t value);
/* count · factor; factor >= 1. */
OPAC_API opac_count opac_count_times(const opac_count *count, uint64_t factor);

enum {
    OPAC_COUNT_SIZE = 32 /* size of a buffer for opac_count_text */
};

/*
 * Writes all digits ("71394132") or, if the count is saturated, three digits, rounded up ("1.63e1003"), to
 * a buffer of OPAC_COUNT_SIZE characters. Returns the buffer.
 */
OPAC_API char *opac_count_text(const opac_count *count, char *buffer);

/* The number of observations k after which a state-action pair counts as known. */
typedef enum opac_k_rule {
    OPAC_K_PAPER = 0, /* Theorem 1 of the paper */
    OPAC_K_SOUND = 1, /* the same, with a union bound over the successors of a pair as well */
    OPAC_K_L1 = 2     /* total variation (Weissman et al. 2003): much smaller, for any support */
} opac_k_rule;

/* "paper", "sound", "l1"; "unknown" for any other number. */
OPAC_API const char *opac_k_rule_name(opac_k_rule rule);
OPAC_API opac_status opac_k_rule_parse(const char *text, opac_k_rule *rule, opac_error *error);

/* The parameters of the theorems. */
typedef struct opac_bound_params {
    uint64_t states;    /* N >= 1 */
    uint64_t actions;   /* K >= 1: the largest number of actions of a state */
    uint64_t horizon;   /* T >= 1: the recurrence time, in transitions */
    double epsilon;     /* in (0, 1): the share of runs that may take longer than T */
    double delta;       /* in (0, 1): the probability that a guarantee fails */
    uint64_t branching; /* m <= N: the largest number of successors of a pair; 0: unknown, then N */
} opac_bound_params;

/* Fails if a parameter is out of its range. All functions below call it first. */
OPAC_API opac_status opac_bound_check(const opac_bound_params *params, opac_error *error);

/*
 * k by rule:
 *     paper  ceil( ln(2 N K / delta) / (2 (epsilon / (N T))²) )
 *     sound  ceil( ln(2 m N K / delta) / (2 (epsilon / (N T))²) )
 *     l1     ceil( T² / (2 epsilon²) · ln((2^m - 2) N K / delta) ), and 1 if m = 1
 */
OPAC_API opac_status opac_bound_k(const opac_bound_params *params, opac_k_rule rule, opac_count *k,
                                  opac_error *error);

/* Rule l1 with another accuracy, 0 < accuracy < infinity, in place of epsilon. */
OPAC_API opac_status opac_bound_k_for_accuracy(const opac_bound_params *params, double accuracy,
                                               opac_count *k, opac_error *error);

/* The inverse: the accuracy for k, T sqrt( ln((2^m - 2) N K / delta) / (2k) ), rounded up; 0 if m = 1. */
OPAC_API opac_status opac_bound_accuracy(const opac_bound_params *params, uint64_t k,
                                         double *accuracy, opac_error *error);

/* The number of samples in total, k N K. */
OPAC_API opac_status opac_bound_samples(const opac_bound_params *params, const opac_count *k,
                                        opac_count *samples, opac_error *error);

/* Theorem 2 as published: T · ceil( max(k N K / epsilon, (k N K - ln delta) / (2 epsilon²)) ). */
OPAC_API opac_status opac_bound_policy_steps(const opac_bound_params *params, const opac_count *k,
                                             opac_count *steps, opac_error *error);

/* The guarantee for k samples of each state-action pair, and its cost. */
typedef struct opac_bound_guarantee {
    opac_count k;            /* samples of each pair */
    double accuracy;         /* c of the theorem: probabilities over T steps are known up to c */
    double error;            /* 2 (epsilon + c): distance of the policy from the optimum */
    opac_count samples;      /* k N K: maximum number of observations of unknown pairs */
    opac_count policy_steps; /* C of Theorem 2, as published */
} opac_bound_guarantee;

/*
 * The guarantee holds with probability 1 - delta if T bounds the recurrence time. An error of 1 or more is
 * trivial.
 */
OPAC_API opac_status opac_bound_guarantee_for(const opac_bound_params *params, const opac_count *k,
                                              opac_bound_guarantee *offer, opac_error *error);

/* Writes the members k, c, error, samples and C into the open object. */
OPAC_API void opac_bound_guarantee_write(const opac_bound_guarantee *offer, opac_json *json);

/*
 * With slack h, accuracy < h < 1, a run also stops if an episode reaches an unknown pair with probability
 * at most h. This increases the error by h. The expected number of episodes (of T steps) is at most k N K /
 * (h - c), restricted to the event that all known pairs are accurate, which has probability at least 1 -
 * delta.
 */
OPAC_API opac_status opac_bound_episodes(const opac_bound_guarantee *offer, double slack,
                                         opac_count *episodes, opac_error *error);

/*
 * The bound proven in place of Theorem 2 of the paper: with probability 1 - 2 delta, fewer steps than this
 * follow a policy that is further than `distance` from the optimum, where 2 epsilon + 3 c < distance < 1
 * (plus the error of the solver). It is T times (A + L + sqrt(L² + 2 A L)) / (distance - 2 epsilon - 3 c),
 * rounded up, where A = k N K and L = ln(1 / delta).
 */
OPAC_API opac_status opac_bound_bad_steps(const opac_bound_params *params,
                                          const opac_bound_guarantee *offer, double distance,
                                          opac_count *steps, opac_error *error);

/* For Markov chains: the least number of trajectories >= ln(2 / delta) / (2 epsilon²). */
OPAC_API opac_status opac_bound_estimator(double epsilon, double delta, opac_count *trajectories,
                                          opac_error *error);

/*
 * An upper bound on the recurrence time from the least positive transition
 * probability p, 0 < p <= 1:
 *     2 (N-1) · ceil( ln(epsilon / (2N)) / ln(1 - p^(N-1)) ), and 2N-1 if p = 1 or N = 1.
 */
OPAC_API opac_status opac_bound_recurrence(uint64_t states, double p, double epsilon,
                                           opac_count *steps, opac_error *error);

/*
 * Lemma 1 of the paper as published, rounded up: 2N · ln(epsilon / 2) / ln(1 - p^N). For p = 1, where this
 * is 0, the result is 2N, the steps of the single attempt in its proof.
 */
OPAC_API opac_status opac_bound_recurrence_published(uint64_t states, double p, double epsilon,
                                                     opac_count *steps, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
