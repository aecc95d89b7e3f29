/* SPDX-License-Identifier: MIT */
/*
 * Bounds the number of steps during which omega-PAC follows policies that are worse than guaranteed
 * (docs/theory.md, Theorem 8, which replaces Theorem 2 of the paper). With A = k N K and L = ln(1/delta),
 * there are fewer than (A + L + sqrt(L² + 2 A L)) / (h - c) such episodes.
 */
#include <math.h>

#include "base/error.h"
#include "stat/count.h"

/* Covers all rounding errors of the doubles below. */
static const double outward = 1 + 0x1p-46;

/* (A + L + sqrt(L² + 2AL)) / A, rounded up, for A of any size. */
static double excess(const opac_count *samples, double log_inverse)
{
    double a = fmin(samples->approximate, 1e300); /* sound, because the quotient decreases with A */
    return (1 + (log_inverse + sqrt(log_inverse * (log_inverse + 2 * a))) / a) * outward;
}

opac_status opac_bound_bad_steps(const opac_bound_params *params, const opac_bound_guarantee *offer,
                                 double distance, opac_count *steps, opac_error *error)
{
    TRY(opac_bound_check(params, error));
    /* h - c, minus a bound on the rounding errors of the differences. */
    double share = distance - offer->error - offer->accuracy - 0x1p-51;
    if (!(share > 0 && distance < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the distance must be above 2 epsilon + 3 c, and below 1");
    double log_inverse = -log(params->delta) * outward;
    double factor = excess(&offer->samples, log_inverse) / (share / outward);
    double log10_episodes = offer->samples.log10 + log10(factor);
    opac_count episodes;
    if (offer->samples.value == UINT64_MAX || !stat_count_may_fit(log10_episodes))
        episodes = stat_count_saturated(log10_episodes * outward);
    else
        episodes = stat_count_ceiling(
            base_dd_multiply(base_dd_of_u64(offer->samples.value), base_dd_of(factor * outward)));
    *steps = opac_count_times(&episodes, params->horizon);
    return OPAC_OK;
}
