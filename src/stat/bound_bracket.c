/* SPDX-License-Identifier: MIT */
/*
 * What a bracket from T may cost (docs/theory.md, Theorem 17). The parts of delta are those of sample/budget.h:
 * 7/16 for trials, of which the first candidate has half, and a quarter for unseen mass.
 *
 * The bound of a trial that wins every episode increases with their number, so the least number is found by
 * bisection. Its logarithm is (ln alpha + ln((1+r)/2)) / m with r below 1/2, which decreases in m.
 */
#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "stat/count.h"
#include "stat/success_bound.h"
#include "stat/unseen.h"

static const double trial_share = 7.0 / 16; /* of delta, for all candidates together */
static const double unseen_share = 0.25;    /* of delta, for all pairs together */
static const double open_share = 0.25; /* of the width that samples can reduce, for unseen mass */
static const uint64_t most_trials = UINT64_C(1) << 53; /* of stat_success_lower */
static const double log_2 = 0.69314718055994530942;

static opac_status check_target(const opac_bound_params *params, double target, opac_error *error)
{
    if (!(target > 2 * params->epsilon))
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "target",
            "target must exceed 2 epsilon: the lower and the upper end of the bracket include an "
            "allowance of epsilon each, which no sample reduces");
    if (!(target < 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "target", "target must be below 1");
    return OPAC_OK;
}

/* The least n with (1 - mass)^n at most e^log_level, log_level < 0; from ln(mass), since mass may underflow. */
static opac_count quiet_draws(double log_level, double log_mass)
{
    double mass = exp(log_mass);
    double log_rate = mass > 1e-20 ? log(-log1p(-mass)) : log_mass;
    double log10_count = (log(-log_level) - log_rate) / log(10);
    if (!(log10_count < 18))
        return stat_count_saturated(log10_count);
    double count = ceil(mass > 1e-20 ? log_level / log1p(-mass) : -log_level / mass);
    return opac_count_of((uint64_t)fmax(count, 1));
}

/* ---- the least ---- */

static bool is_enough(const opac_bound_params *params, double target, double log_alpha, uint64_t m)
{
    return stat_success_lower(m, m, log_alpha) - params->epsilon >= 1 - target;
}

/* Beyond the trials that can be computed: r is negligible. */
static opac_count approximate_trials(const opac_bound_params *params, double target,
                                     double log_alpha)
{
    return quiet_draws(log_alpha - log_2, log(target - params->epsilon));
}

static opac_count find_trials(const opac_bound_params *params, double target)
{
    double log_alpha = log(params->delta) + log(trial_share) + stat_unseen_log_share(1);
    uint64_t low = 0, high = 1;
    while (high < most_trials && !is_enough(params, target, log_alpha, high))
        high *= 2;
    if (!is_enough(params, target, log_alpha, high))
        return approximate_trials(params, target, log_alpha);
    for (low = high / 2; low + 1 < high;) {
        uint64_t middle = low + (high - low) / 2;
        if (is_enough(params, target, log_alpha, middle))
            high = middle;
        else
            low = middle;
    }
    return opac_count_of(high);
}

/* ---- an estimate of the most ---- */

/* ln of the level of the last of N K pairs and one reset, after m successors; m is N if it is unknown. */
static double log_level(const opac_bound_params *params)
{
    double rows = (double)params->states * (double)params->actions + 1;
    double share = (1 / (rows * (rows + 1)) + 1 / rows) / 2;
    uint64_t successors = params->branching > 0 ? params->branching : params->states;
    return log(params->delta) + log(unseen_share) + log(share) + stat_unseen_log_share(successors);
}

/* The least n with T (1 - alpha^(1/n)) <= (target - 2 epsilon) / 4. */
static opac_count find_visits(const opac_bound_params *params, double target)
{
    double log_mass =
        log(open_share) + log(target - 2 * params->epsilon) - log((double)params->horizon);
    if (params->branching == 1 || params->states == 1)
        return opac_count_of(1); /* the successor is seen at the first visit */
    return quiet_draws(log_level(params), log_mass);
}

opac_status opac_bound_bracket_for(const opac_bound_params *params, double target,
                                   opac_bound_bracket *offer, opac_error *error)
{
    TRY(opac_bound_check(params, error));
    TRY(check_target(params, target, error));
    if (params->horizon > OPAC_MAX_BRACKET_T)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "horizon",
                                   "a bracket from T needs a T of at most 2^51");
    *offer = (opac_bound_bracket){.target = target,
                                  .episodes = find_trials(params, target),
                                  .visits = find_visits(params, target)};
    offer->least_steps = opac_count_times(&offer->episodes, params->horizon);
    offer->samples = opac_count_times(&offer->visits, params->states);
    offer->samples = opac_count_times(&offer->samples, params->actions);
    offer->most_steps = opac_count_times(&offer->samples, params->horizon);
    return OPAC_OK;
}

static void write_count(opac_json *json, const char *key, const opac_count *count)
{
    char text[OPAC_COUNT_SIZE];
    opac_json_key(json, key);
    opac_json_number(json, opac_count_text(count, text));
}

void opac_bound_bracket_write(const opac_bound_bracket *offer, opac_json *json)
{
    opac_json_key(json, "target");
    opac_json_double(json, offer->target);
    write_count(json, "episodes", &offer->episodes);
    write_count(json, "least_steps", &offer->least_steps);
    write_count(json, "visits", &offer->visits);
    write_count(json, "samples", &offer->samples);
    write_count(json, "most_steps", &offer->most_steps);
}
