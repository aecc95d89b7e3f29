/* SPDX-License-Identifier: MIT */
/*
 * The numbers of samples that the theorems of the paper and of docs/theory.md require.
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
 * Counts are exact for the given doubles: ceilings are correct to the last digit, also above 2^53. Three
 * results are rounded: an accuracy up, an error to the nearest double, and a number of episodes up by at
 * most one; those of opac_bound_bracket are described there. Counts that do not fit into 64 bits are not
 * an error; they are given by their logarithm. Zero members that are not used: later versions may add
 * members whose zero stands for the old behaviour.
 *
 * The functions have no state and are thread-safe. They take microseconds. They fail with
 * OPAC_ERROR_ARGUMENT if a parameter is out of range.
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
    uint64_t value;     /* the number; UINT64_MAX if it does not fit */
    double approximate; /* nearest double; may be infinity */
    double log10;       /* its logarithm; always finite */
} opac_count;

/* A count with this value. UINT64_MAX stands for 2^64; the log10 of 0 is set to 0. */
OPAC_API opac_count opac_count_of(uint64_t value);
/* The product count · factor, for factor >= 1. */
OPAC_API opac_count opac_count_times(const opac_count *count, uint64_t factor);

enum {
    OPAC_COUNT_SIZE = 32 /* of a buffer for opac_count_text */
};

/*
 * Writes the digits ("71394132") or, if the count does not fit into 64 bits, three digits rounded up
 * ("1.63e1003"), into a buffer of OPAC_COUNT_SIZE characters. Returns the buffer.
 */
OPAC_API char *opac_count_text(const opac_count *count, char *buffer);

/* Rules for k, the number of observations after which a state-action pair is known. */
typedef enum opac_k_rule {
    OPAC_K_NONE = -1, /* no rule: in opac_learn, a bracket from T in place of ω-PAC (learning.h) */
    OPAC_K_PAPER = 0, /* Theorem 1 of the paper */
    OPAC_K_SOUND = 1, /* Theorem 1 with a union bound over the successors of a pair */
    OPAC_K_L1 = 2 /* bound on the total variation (Weissman et al. 2003); gives a much smaller k */
} opac_k_rule;
enum {
    OPAC_K_RULES = 3 /* number of rules */
};

/* The names "paper", "sound", "l1"; "unknown" for other numbers. The parser accepts the same names. */
OPAC_API const char *opac_k_rule_name(opac_k_rule rule);
OPAC_API opac_status opac_k_rule_parse(const char *text, opac_k_rule *rule, opac_error *error);

/* The parameters of the theorems; the sizes are those of the product of model and automaton. */
typedef struct opac_bound_params {
    uint64_t states;  /* N >= 1 */
    uint64_t actions; /* K >= 1: the largest number of actions of a state */
    uint64_t horizon; /* T >= 1: the recurrence time, in transitions */
    double epsilon;   /* in (0, 1): fraction of runs that may take longer than T */
    double delta;     /* in (0, 1): probability that the guarantee fails */
    /* m <= N: maximum number of successors of a pair; 0 if unknown, then N is used */
    uint64_t branching;
} opac_bound_params;

/* Checks that all members are in their range. All functions below call it first. */
OPAC_API opac_status opac_bound_check(const opac_bound_params *params, opac_error *error);

/*
 * Computes k by a rule (docs/theory.md, Definition 9):
 *     paper  ceil( ln(2 N K / delta) / (2 (epsilon / (N T))²) )
 *     sound  ceil( ln(2 m N K / delta) / (2 (epsilon / (N T))²) )
 *     l1     ceil( T² / (2 epsilon²) · ln((2^m - 2) N K / delta) ), and 1 if m = 1
 */
OPAC_API opac_status opac_bound_k(const opac_bound_params *params, opac_k_rule rule, opac_count *k,
                                  opac_error *error);

/* Computes k by rule l1 with an accuracy in place of epsilon, 0 < accuracy < infinity. */
OPAC_API opac_status opac_bound_k_for_accuracy(const opac_bound_params *params, double accuracy,
                                               opac_count *k, opac_error *error);

/* Computes the accuracy c of k samples by rule l1: T sqrt( ln((2^m - 2) N K / delta) / (2k) ), rounded up;
 * 0 if m = 1. */
OPAC_API opac_status opac_bound_accuracy(const opac_bound_params *params, uint64_t k,
                                         double *accuracy, opac_error *error);

/* Computes the number of samples of all pairs, k N K. */
OPAC_API opac_status opac_bound_samples(const opac_bound_params *params, const opac_count *k,
                                        opac_count *samples, opac_error *error);

/* Computes C of Theorem 2 as published: T · ceil( max(k N K / epsilon, (k N K - ln delta) / (2 epsilon²))
 * ). The published proof has a gap; see opac_bound_bad_steps. */
OPAC_API opac_status opac_bound_policy_steps(const opac_bound_params *params, const opac_count *k,
                                             opac_count *steps, opac_error *error);

/* The guarantee of k samples of each pair, and its cost. */
typedef struct opac_bound_guarantee {
    opac_count k;       /* samples of each pair */
    double accuracy;    /* c: bound on the error in the probability of an event within T steps */
    double error;       /* 2 (epsilon + c): the policy is within this of the optimum */
    opac_count samples; /* k N K: maximum number of samples that are counted */
    opac_count policy_steps; /* C of Theorem 2, as published */
} opac_bound_guarantee;

/*
 * Computes the guarantee of k samples of each pair (docs/theory.md, Theorem 5). It holds with probability
 * 1 - delta if T bounds the recurrence time. An error of 1 or more is no guarantee.
 */
OPAC_API opac_status opac_bound_guarantee_for(const opac_bound_params *params, const opac_count *k,
                                              opac_bound_guarantee *offer, opac_error *error);

/* Writes the members k, c, error, samples and C into the open JSON object. */
OPAC_API void opac_bound_guarantee_write(const opac_bound_guarantee *offer, opac_json *json);

/* The largest T of a bracket: some episodes have 2 T steps, and a run counts up to 2^53. */
#define OPAC_MAX_BRACKET_T (UINT64_C(1) << 51)

/*
 * What a bracket from T may cost (docs/theory.md, Theorem 17): a range, since it depends on the system. All
 * members are for the parts of delta that opac_learn uses.
 */
typedef struct opac_bound_bracket {
    double target; /* the width of the bracket */
    /*
     * The least: episodes of T steps of the first candidate, if the optimum is 1 and all episodes win. It
     * is the least number for which the lower bound of the trial is at least 1 - target.
     */
    opac_count episodes;
    opac_count least_steps; /* their steps, T of each */
    /*
     * An estimate of the most: visits after which T times the bound on the unseen mass of a pair with m
     * successors is at most (target - 2 epsilon) / 4; 1 if m = 1.
     */
    opac_count visits;
    opac_count samples;    /* visits N K: if all pairs matter */
    opac_count most_steps; /* samples T: if every visit takes an episode. Neither is a bound */
} opac_bound_bracket;

/*
 * Computes these numbers for a width, 2 epsilon < target < 1. Episodes beyond 2^53, and all visits, have
 * the relative error of a few roundings. T is at most OPAC_MAX_BRACKET_T. A bracket counts pairs of the model: N, K and m may be those of
 * the model in place of the product.
 */
OPAC_API opac_status opac_bound_bracket_for(const opac_bound_params *params, double target,
                                            opac_bound_bracket *offer, opac_error *error);

/* Writes the members target, episodes, least_steps, visits, samples and most_steps into the open JSON
 * object. */
OPAC_API void opac_bound_bracket_write(const opac_bound_bracket *offer, opac_json *json);

/*
 * Computes the expected number of episodes with slack h, accuracy < h < 1: the run also stops when its
 * policy meets an unknown pair with probability at most h. This adds h to the error. The number of episodes
 * of T steps is then at most k N K / (h - c) in expectation, on the event of probability 1 - delta that all
 * known pairs are accurate (docs/theory.md, Theorem 6).
 */
OPAC_API opac_status opac_bound_episodes(const opac_bound_guarantee *offer, double slack,
                                         opac_count *episodes, opac_error *error);

/*
 * Computes the bound that is proven in place of Theorem 2 (docs/theory.md, Theorem 8): with probability
 * 1 - 2 delta, fewer steps than this follow a policy that is further than `distance` (plus the error of the
 * solver) from the optimum, for 2 epsilon + 3 c < distance < 1. It is T times
 * (A + L + sqrt(L² + 2 A L)) / (distance - 2 epsilon - 3 c), rounded up, where A = k N K and L = ln(1 / delta).
 */
OPAC_API opac_status opac_bound_bad_steps(const opac_bound_params *params,
                                          const opac_bound_guarantee *offer, double distance,
                                          opac_count *steps, opac_error *error);

/* Computes the number of trajectories of a Markov chain by Hoeffding's inequality (docs/theory.md,
 * Theorem 7): the least integer >= ln(2 / delta) / (2 epsilon²). */
OPAC_API opac_status opac_bound_estimator(double epsilon, double delta, opac_count *trajectories,
                                          opac_error *error);

/*
 * Computes an upper bound on the recurrence time from a lower bound p on the positive transition
 * probabilities, 0 < p <= 1 (docs/theory.md, Theorem 4):
 *     2 (N-1) · ceil( ln(epsilon / (2N)) / ln(1 - p^(N-1)) ), and 2N-1 if p = 1 or N = 1.
 */
OPAC_API opac_status opac_bound_recurrence(uint64_t states, double p, double epsilon,
                                           opac_count *steps, opac_error *error);

/*
 * Computes Lemma 1 of the paper as published, rounded up: 2N · ln(epsilon / 2) / ln(1 - p^N). For p = 1,
 * where this is 0, it returns 2N, the length of the single attempt in its proof.
 */
OPAC_API opac_status opac_bound_recurrence_published(uint64_t states, double p, double epsilon,
                                                     opac_count *steps, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
