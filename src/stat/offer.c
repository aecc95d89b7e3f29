/* SPDX-License-Identifier: MIT */
/*
 * What a number of samples buys: the error 2(epsilon + c) of the coupling
 * argument (docs/theory.md), where c falls with the square root of k, and what
 * it costs.
 */
#include <math.h>

#include "base/error.h"
#include "stat/count.h"

/* opac_bound_accuracy for counts of any size: beyond 64 bits from that of one sample. */
static opac_status accuracy_of(const opac_bound_params *params, const opac_count *k,
                               double *accuracy, opac_error *error)
{
    if (k->value != UINT64_MAX)
        return opac_bound_accuracy(params, k->value, accuracy, error);
    opac_status status = opac_bound_accuracy(params, 1, accuracy, error);
    if (status == OPAC_OK)
        *accuracy *= pow(10, -k->log10 / 2);
    return status;
}

opac_status opac_bound_offer_for(const opac_bound_params *params, const opac_count *k,
                                 opac_bound_offer *offer, opac_error *error)
{
    opac_status status;
    offer->k = *k;
    if ((status = accuracy_of(params, k, &offer->accuracy, error)) != OPAC_OK ||
        (status = opac_bound_samples(params, k, &offer->samples, error)) != OPAC_OK ||
        (status = opac_bound_policy_steps(params, k, &offer->policy_steps, error)) != OPAC_OK)
        return status;
    offer->error = 2 * (params->epsilon + offer->accuracy);
    return OPAC_OK;
}

static void write_count(opac_json *json, const char *key, const opac_count *count)
{
    char text[OPAC_COUNT_SIZE];
    opac_json_key(json, key);
    opac_json_number(json, opac_count_text(count, text));
}

void opac_bound_offer_write(const opac_bound_offer *offer, opac_json *json)
{
    write_count(json, "k", &offer->k);
    opac_json_key(json, "c");
    opac_json_double(json, offer->accuracy);
    opac_json_key(json, "error");
    opac_json_double(json, offer->error);
    write_count(json, "samples", &offer->samples);
    write_count(json, "C", &offer->policy_steps);
}

opac_status opac_bound_episodes(const opac_bound_offer *offer, double slack, opac_count *episodes,
                                opac_error *error)
{
    if (!(slack > offer->accuracy && slack < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "slack must be above c and below 1");
    double gap = slack - offer->accuracy;
    double log10_result = offer->samples.log10 - log10(gap);
    if (offer->samples.value == UINT64_MAX || !stat_count_may_fit(log10_result))
        *episodes = stat_count_saturated(log10_result);
    else
        *episodes = stat_count_ceiling(
            stat_dd_divide(stat_dd_of_u64(offer->samples.value), stat_dd_of(gap)));
    return OPAC_OK;
}
