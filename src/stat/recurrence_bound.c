/* SPDX-License-Identifier: MIT */
/*
 * Upper bounds on the recurrence time of a Markov chain with N states whose positive probabilities are at
 * least p.
 *
 * The bound (docs/theory.md, Theorem 4): from any state, and for each state v of a bottom component, "v or
 * another bottom component" is reached within N-1 steps with probability at least z = p^(N-1). So r rounds of
 * N-1 steps all miss v with probability at most (1-z)^r. A union bound over at most N states and both covers
 * gives 2N (1-z)^r <= epsilon. If p = 1 there is only one path: N-1 steps visit all states, and N more visit
 * them again. A single state is covered immediately, and again after one step, which is also 2N-1, for any p.
 *
 * The published bound (Lemma 1 of the paper) assumes walks of N steps that visit every state, which need
 * not exist.
 */
#include <math.h>

#include <omegapac/number.h>

#include "base/error.h"
#include "stat/count.h"

static opac_status check(uint64_t states, double p, double epsilon, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    if (states == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "states must be at least 1, not 0");
    if (!(p > 0 && p <= 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the least probability must be above 0 and at most 1, not %s",
                         opac_number_format(p, text));
    if (!(epsilon > 0 && epsilon < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "epsilon must lie strictly between 0 and 1, not %s",
                         opac_number_format(epsilon, text));
    return OPAC_OK;
}

/* Repeated attempts that succeed with probability p^steps, and all fail with probability e^-log_failure. */
typedef struct attempts {
    double p;
    uint64_t steps;
    base_dd log_failure;
} attempts;

/* log10 of log_failure / -ln(1 - p^steps); for z below 1e-17, -ln(1-z) equals z to double precision. */
static double log10_attempts(const attempts *a)
{
    double log10_success = (double)a->steps * log10(a->p);
    double log10_rate = log10_success;
    if (log10_success > -17)
        log10_rate = log10(-log1p(-fmin(pow(a->p, (double)a->steps), 1 - 0x1p-53)));
    return log10(a->log_failure.high) - log10_rate;
}

static base_dd number_of_attempts(const attempts *a)
{
    base_dd success = base_dd_power(base_dd_of(a->p), a->steps);
    return base_dd_divide(a->log_failure, base_dd_negate(base_dd_log1p(base_dd_negate(success))));
}

/* ln(2 states / epsilon). */
static base_dd log_ratio(double epsilon, uint64_t states)
{
    base_dd twice = base_dd_add(base_dd_log2(), base_dd_log(base_dd_of_u64(states)));
    return base_dd_subtract(twice, base_dd_log(base_dd_of(epsilon)));
}

static opac_count twice(opac_count count, uint64_t states)
{
    opac_count once = opac_count_times(&count, states);
    return opac_count_times(&once, 2);
}

opac_status opac_bound_recurrence(uint64_t states, double p, double epsilon, opac_count *steps,
                                  opac_error *error)
{
    TRY(check(states, p, epsilon, error));
    if (p == 1 || states == 1) {
        base_dd twice_states = base_dd_multiply(base_dd_of(2), base_dd_of_u64(states));
        *steps = stat_count_ceiling(base_dd_subtract(twice_states, base_dd_of(1)));
        return OPAC_OK;
    }
    attempts a = {p, states - 1, log_ratio(epsilon, states)};
    double log10_rounds = log10_attempts(&a);
    opac_count rounds = stat_count_may_fit(log10_rounds)
                            ? stat_count_ceiling(number_of_attempts(&a))
                            : stat_count_saturated(log10_rounds);
    *steps = twice(rounds, states - 1);
    return OPAC_OK;
}

opac_status opac_bound_recurrence_published(uint64_t states, double p, double epsilon,
                                            opac_count *steps, opac_error *error)
{
    TRY(check(states, p, epsilon, error));
    if (p == 1) {
        *steps = twice(opac_count_of(1), states);
        return OPAC_OK;
    }
    attempts a = {p, states, log_ratio(epsilon, 1)};
    double log10_steps = log10_attempts(&a) + log10(2) + log10((double)states);
    if (!stat_count_may_fit(log10_steps)) {
        *steps = stat_count_saturated(log10_steps);
        return OPAC_OK;
    }
    base_dd twice_states = base_dd_multiply(base_dd_of(2), base_dd_of_u64(states));
    *steps = stat_count_ceiling(base_dd_multiply(twice_states, number_of_attempts(&a)));
    return OPAC_OK;
}
