/* SPDX-License-Identifier: MIT */
/*
 * Sample sizes (docs/theory.md, Definition 9). Most of them are a Hoeffding bound, ln(events / delta) ·
 * (scale / accuracy)² / 2, with different events, scales and accuracies: Theorem 1 of the paper; the same
 * with an event for each successor of a state-action pair; and total variation (Weissman, Ordentlich,
 * Seroussi, Verdu and Weinberger, "Inequalities for the L1 deviation of the empirical distribution", 2003),
 * whose events are the 2^m - 2 non-trivial sets of successors. Logarithms of products are computed as sums,
 * to avoid overflow.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/error.h"
#include "stat/count.h"

static const char *const rule_names[] = {
    [OPAC_K_PAPER] = "paper", [OPAC_K_SOUND] = "sound", [OPAC_K_L1] = "l1"};
static_assert(sizeof rule_names / sizeof rule_names[0] == OPAC_K_RULES, "each rule has a name");

const char *opac_k_rule_name(opac_k_rule rule)
{
    return (unsigned)rule < OPAC_K_RULES ? rule_names[rule] : "unknown";
}

opac_status opac_k_rule_parse(const char *text, opac_k_rule *rule, opac_error *error)
{
    for (unsigned i = 0; i < OPAC_K_RULES; i++)
        if (strcmp(text, rule_names[i]) == 0) {
            *rule = (opac_k_rule)i;
            return OPAC_OK;
        }
    char shown[OPAC_SHOWN_SIZE];
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "the rule for k must be paper, sound or l1, not '%s'",
                     opac_text_show(text, strlen(text), shown, sizeof shown));
}

static opac_status check_positive(const char *name, uint64_t value, opac_error *error)
{
    if (value >= 1)
        return OPAC_OK;
    return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, name, "%s must be at least 1, not 0",
                               name);
}

opac_status opac_bound_check(const opac_bound_params *params, opac_error *error)
{
    TRY(check_positive("states", params->states, error));
    TRY(check_positive("actions", params->actions, error));
    TRY(check_positive("horizon", params->horizon, error));
    TRY(base_check_fraction("epsilon", params->epsilon, error));
    TRY(base_check_fraction("delta", params->delta, error));
    if (params->branching > params->states)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "branching",
                                   "branching must be at most the number of states, %llu, not %llu",
                                   (unsigned long long)params->states,
                                   (unsigned long long)params->branching);
    return OPAC_OK;
}

static base_dd log_u64(uint64_t x)
{
    return base_dd_log(base_dd_of_u64(x));
}

static uint64_t branching_of(const opac_bound_params *params)
{
    return params->branching == 0 ? params->states : params->branching;
}

/* ln(N K / delta). */
static base_dd log_pairs_over_delta(const opac_bound_params *params)
{
    base_dd pairs = base_dd_add(log_u64(params->states), log_u64(params->actions));
    return base_dd_subtract(pairs, base_dd_log(base_dd_of(params->delta)));
}

/* ln(2^m - 2) = m ln 2 + ln(1 - 2^(1-m)); m >= 2. */
static base_dd log_sets(uint64_t m)
{
    base_dd all = base_dd_multiply(base_dd_of_u64(m), base_dd_log2());
    if (m > 200)
        return all;
    return base_dd_add(all, base_dd_log1p(base_dd_of(-ldexp(1, 1 - (int)m))));
}

/* ln((2^m - 2) N K / delta); m >= 2. */
static base_dd log_l1_events(const opac_bound_params *params)
{
    return base_dd_add(log_sets(branching_of(params)), log_pairs_over_delta(params));
}

/* ceil(log_events · (scale / accuracy)² / 2), at least 1; log_events > 1/2. */
static opac_count hoeffding(base_dd log_events, base_dd scale, double accuracy)
{
    double log10_ratio = log10(scale.high) - log10(accuracy);
    double log10_count = log10(log_events.high / 2) + 2 * log10_ratio;
    if (!stat_count_may_fit(log10_count))
        return stat_count_saturated(log10_count);
    if (log10_count < -1)
        return opac_count_of(1);
    base_dd ratio = base_dd_divide(scale, base_dd_of(accuracy));
    base_dd half = base_dd_multiply(log_events, base_dd_of(0.5));
    return stat_count_ceiling(base_dd_multiply(half, base_dd_multiply(ratio, ratio)));
}

/* Rules paper (successors = 1) and sound (m). */
static opac_count k_of_theorem_1(const opac_bound_params *params, uint64_t successors)
{
    base_dd events = base_dd_add(base_dd_log2(), log_u64(successors));
    base_dd scale =
        base_dd_multiply(base_dd_of_u64(params->states), base_dd_of_u64(params->horizon));
    return hoeffding(base_dd_add(events, log_pairs_over_delta(params)), scale, params->epsilon);
}

/* With one successor there is nothing to estimate, but it must be observed once. */
static opac_count k_of_l1(const opac_bound_params *params, double accuracy)
{
    if (branching_of(params) == 1)
        return opac_count_of(1);
    return hoeffding(log_l1_events(params), base_dd_of_u64(params->horizon), accuracy);
}

opac_status opac_bound_k(const opac_bound_params *params, opac_k_rule rule, opac_count *k,
                         opac_error *error)
{
    TRY(opac_bound_check(params, error));
    switch (rule) {
    case OPAC_K_PAPER:
        *k = k_of_theorem_1(params, 1);
        return OPAC_OK;
    case OPAC_K_SOUND:
        *k = k_of_theorem_1(params, branching_of(params));
        return OPAC_OK;
    case OPAC_K_L1:
        *k = k_of_l1(params, params->epsilon);
        return OPAC_OK;
    case OPAC_K_NONE:
        break;
    }
    return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown rule for k: number %d", (int)rule);
}

opac_status opac_bound_k_for_accuracy(const opac_bound_params *params, double accuracy,
                                      opac_count *k, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    TRY(opac_bound_check(params, error));
    if (!(accuracy > 0 && accuracy < INFINITY))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "accuracy must be positive and finite, not %s",
                         opac_number_format(accuracy, text));
    *k = k_of_l1(params, accuracy);
    return OPAC_OK;
}

opac_status opac_bound_accuracy(const opac_bound_params *params, uint64_t k, double *accuracy,
                                opac_error *error)
{
    TRY(opac_bound_check(params, error));
    TRY(check_positive("k", k, error));
    if (branching_of(params) == 1) {
        *accuracy = 0;
        return OPAC_OK;
    }
    base_dd twice_k = base_dd_multiply(base_dd_of_u64(k), base_dd_of(2));
    base_dd root = base_dd_sqrt(base_dd_divide(log_l1_events(params), twice_k));
    *accuracy = base_dd_round_up(base_dd_multiply(base_dd_of_u64(params->horizon), root));
    return OPAC_OK;
}

opac_status opac_bound_samples(const opac_bound_params *params, const opac_count *k,
                               opac_count *samples, opac_error *error)
{
    TRY(opac_bound_check(params, error));
    TRY(check_positive("k", k->value, error));
    opac_count of_an_action = opac_count_times(k, params->states);
    *samples = opac_count_times(&of_an_action, params->actions);
    return OPAC_OK;
}

/* log10 of max(samples / epsilon, (samples - ln delta) / (2 epsilon²)). */
static double log10_episodes(const opac_bound_params *params, double log10_samples)
{
    double log10_epsilon = log10(params->epsilon);
    double with_delta =
        log10_samples + log1p(-log(params->delta) * pow(10, -log10_samples)) / log(10);
    return fmax(log10_samples - log10_epsilon, with_delta - log10(2) - 2 * log10_epsilon);
}

/* ceil(max(samples / epsilon, (samples - ln delta) / (2 epsilon²))). */
static opac_count episodes_of_theorem_2(const opac_bound_params *params, const opac_count *samples)
{
    double log10_result = log10_episodes(params, samples->log10);
    if (samples->value == UINT64_MAX || !stat_count_may_fit(log10_result))
        return stat_count_saturated(log10_result);
    base_dd count = base_dd_of_u64(samples->value), epsilon = base_dd_of(params->epsilon);
    base_dd by_visits = base_dd_divide(count, epsilon);
    base_dd events = base_dd_subtract(count, base_dd_log(base_dd_of(params->delta)));
    base_dd twice_square = base_dd_multiply(base_dd_of(2), base_dd_multiply(epsilon, epsilon));
    base_dd by_deviation = base_dd_divide(events, twice_square);
    return stat_count_ceiling(base_dd_less(by_visits, by_deviation) ? by_deviation : by_visits);
}

opac_status opac_bound_policy_steps(const opac_bound_params *params, const opac_count *k,
                                    opac_count *steps, opac_error *error)
{
    opac_count samples;
    TRY(opac_bound_samples(params, k, &samples, error));
    opac_count episodes = episodes_of_theorem_2(params, &samples);
    *steps = opac_count_times(&episodes, params->horizon);
    return OPAC_OK;
}

opac_status opac_bound_estimator(double epsilon, double delta, opac_count *trajectories,
                                 opac_error *error)
{
    TRY(base_check_fraction("epsilon", epsilon, error));
    TRY(base_check_fraction("delta", delta, error));
    base_dd log_events = base_dd_subtract(base_dd_log2(), base_dd_log(base_dd_of(delta)));
    *trajectories = hoeffding(log_events, base_dd_of(1), epsilon);
    return OPAC_OK;
}
