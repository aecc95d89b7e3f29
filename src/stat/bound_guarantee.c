/* SPDX-License-Identifier: MIT */
/*
 * The guarantee for a number of samples: the error 2(epsilon + c) (docs/theory.md, Theorem 5), where c
 * decreases with the square root of k; and its cost.
 */
#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "stat/count.h"

/*
 * opac_bound_accuracy for counts of any size. Beyond 64 bits, it is computed from the accuracy of one
 * sample by pow, which may underflow or have a relative error of 1e-13 from the rounding of its exponent.
 * The result is rounded up by more than this error.
 */
static opac_status accuracy_of(const opac_bound_params *params, const opac_count *k,
                               double *accuracy, opac_error *error)
{
    if (k->value != UINT64_MAX)
        return opac_bound_accuracy(params, k->value, accuracy, error);
    TRY(opac_bound_accuracy(params, 1, accuracy, error));
    if (*accuracy > 0)
        *accuracy = nextafter(*accuracy * pow(10, -k->log10 / 2) * (1 + 1e-12), INFINITY);
    return OPAC_OK;
}

opac_status opac_bound_guarantee_for(const opac_bound_params *params, const opac_count *k,
                                     opac_bound_guarantee *offer, opac_error *error)
{
    offer->k = *k;
    TRY(accuracy_of(params, k, &offer->accuracy, error));
    TRY(opac_bound_samples(params, k, &offer->samples, error));
    TRY(opac_bound_policy_steps(params, k, &offer->policy_steps, error));
    offer->error = 2 * (params->epsilon + offer->accuracy);
    return OPAC_OK;
}

static void write_count(opac_json *json, const char *key, const opac_count *count)
{
    char text[OPAC_COUNT_SIZE];
    opac_json_key(json, key);
    opac_json_number(json, opac_count_text(count, text));
}

void opac_bound_guarantee_write(const opac_bound_guarantee *offer, opac_json *json)
{
    write_count(json, "k", &offer->k);
    opac_json_key(json, "c");
    opac_json_double(json, offer->accuracy);
    opac_json_key(json, "error");
    opac_json_double(json, offer->error);
    write_count(json, "samples", &offer->samples);
    write_count(json, "C", &offer->policy_steps);
}

/* Whether all three are doubles, and the first is exactly the quotient of the others. */
static bool is_exact(base_dd quotient, base_dd a, base_dd b)
{
    return quotient.low == 0 && a.low == 0 && b.low == 0 &&
           fma(quotient.high, b.high, -a.high) == 0;
}

/*
 * samples / gap, rounded up. Unless the division is exact, the quotient is raised by more than its error.
 * So the result may be one too large if the quotient is an integer and a number has more than 53 bits.
 */
static opac_count divide_up(uint64_t samples, base_dd gap)
{
    base_dd dividend = base_dd_of_u64(samples), quotient = base_dd_divide(dividend, gap);
    if (!is_exact(quotient, dividend, gap))
        quotient = base_dd_multiply(quotient, (base_dd){1, 0x1p-100});
    return stat_count_ceiling(quotient);
}

opac_status opac_bound_episodes(const opac_bound_guarantee *offer, double slack,
                                opac_count *episodes, opac_error *error)
{
    if (!(slack > offer->accuracy && slack < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "slack must be above c and below 1");
    /* Exact, because the rounding error of a difference of two doubles is a double. */
    base_dd gap = base_dd_subtract(base_dd_of(slack), base_dd_of(offer->accuracy));
    double log10_result = offer->samples.log10 - log10(gap.high);
    if (offer->samples.value == UINT64_MAX || !stat_count_may_fit(log10_result))
        *episodes = stat_count_saturated(log10_result * (1 + 0x1p-50)); /* both terms are >= 0 */
    else
        *episodes = divide_up(offer->samples.value, gap);
    return OPAC_OK;
}
