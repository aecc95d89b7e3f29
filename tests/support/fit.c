/* SPDX-License-Identifier: MIT */
#include "support/fit.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"

/* P(Gamma(a) > x): its series below the mean, else its continued fraction (DLMF 8.7.1, 8.9.2). */
static double gamma_above(double a, double x)
{
    double front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int i = 1; term > 1e-17 * sum; i++)
            sum += term *= x / (a + i);
        return 1 - front * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
    for (int i = 1; i < 100000; i++) {
        double step = i * (a - i);
        b += 2;
        d = 1 / (b + step * d);
        c = b + step / c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return front * value;
}

double fit_chi_square(const uint64_t *observed, const double *probability, size_t cells,
                      uint64_t draws)
{
    double statistic = 0, expected = 0, seen = 0, all = 0;
    double last_expected = 0, last_seen = 0, n = (double)draws;
    int pools = 0;
    for (size_t i = 0; i < cells; i++) {
        if (observed[i] > 0 && probability[i] == 0)
            return 0;
        expected += n * probability[i];
        seen += (double)observed[i];
        all += n * probability[i];
        /* A remainder at the end is added to the last pool. */
        if (expected < 10 || (n - all < 10 && i + 1 < cells))
            continue;
        statistic += (seen - expected) * (seen - expected) / expected;
        pools++;
        last_expected = expected;
        last_seen = seen;
        expected = seen = 0;
    }
    if (expected > 0 && pools > 0) {
        statistic -= (last_seen - last_expected) * (last_seen - last_expected) / last_expected;
        double e = last_expected + expected, s = last_seen + seen;
        statistic += (s - e) * (s - e) / e;
    }
    return pools < 2 || statistic == 0 ? 1 : gamma_above((pools - 1) / 2.0, statistic / 2);
}

double fit_two_samples(const uint64_t *one, const uint64_t *other, size_t cells)
{
    double statistic = 0, a = 0, b = 0;
    int pools = 0;
    for (size_t i = 0; i < cells; i++) {
        a += (double)one[i];
        b += (double)other[i];
        if (a + b < 20)
            continue;
        statistic += (a - b) * (a - b) / (a + b);
        pools++;
        a = b = 0;
    }
    return pools < 2 || statistic == 0 ? 1 : gamma_above((pools - 1) / 2.0, statistic / 2);
}

double fit_normal(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

/* f(x+1) / f(x). */
typedef long double (*ratio)(const uint64_t *parameters, long double odds, uint64_t x);

static long double binomial_ratio(const uint64_t *parameters, long double odds, uint64_t x)
{
    return (long double)(parameters[0] - x) / (long double)(x + 1) * odds;
}

static long double hypergeometric_ratio(const uint64_t *parameters, long double odds, uint64_t x)
{
    uint64_t good = parameters[0], bad = parameters[1], draws = parameters[2];
    return odds * (long double)(good - x) / (long double)(x + 1) * (long double)(draws - x) /
           (long double)(bad + x + 1 - draws);
}

/* From the mode in both directions until the terms vanish, then scaled to a sum of 1. */
static fit_distribution from_ratios(ratio next, const uint64_t *parameters, long double odds,
                                    uint64_t mode, uint64_t least, uint64_t largest)
{
    const long double negligible = 1e-26L;
    uint64_t low = mode, high = mode;
    long double weight = 1, sum = 0;
    while (low > least && weight > negligible)
        weight /= next(parameters, odds, --low);
    for (weight = 1; high < largest && weight > negligible; high++)
        weight *= next(parameters, odds, high);
    fit_distribution expected = {low, (size_t)(high - low + 1), NULL};
    long double *weights = malloc(expected.count * sizeof *weights);
    expected.probability = malloc(expected.count * sizeof *expected.probability);
    assert_true(weights != NULL);
    assert_true(expected.probability != NULL);
    weights[mode - low] = 1;
    for (uint64_t x = mode; x > low; x--)
        weights[x - 1 - low] = weights[x - low] / next(parameters, odds, x - 1);
    for (uint64_t x = mode; x < high; x++)
        weights[x + 1 - low] = weights[x - low] * next(parameters, odds, x);
    for (size_t i = 0; i < expected.count; i++)
        sum += weights[i];
    for (size_t i = 0; i < expected.count; i++)
        expected.probability[i] = (double)(weights[i] / sum);
    free(weights);
    return expected;
}

fit_distribution fit_binomial(uint64_t n, double p)
{
    long double odds = (long double)p / (1 - (long double)p);
    uint64_t mode = (uint64_t)((long double)n * p);
    return from_ratios(binomial_ratio, &n, odds, mode, 0, n);
}

fit_distribution fit_hypergeometric(uint64_t good, uint64_t bad, uint64_t draws)
{
    uint64_t parameters[] = {good, bad, draws};
    uint64_t least = draws > bad ? draws - bad : 0, largest = draws < good ? draws : good;
    uint64_t mode =
        (uint64_t)((long double)draws * ((long double)good / (long double)(good + bad)));
    mode = mode < least ? least : mode > largest ? largest : mode;
    return from_ratios(hypergeometric_ratio, parameters, 1, mode, least, largest);
}

void fit_distribution_fini(fit_distribution *expected)
{
    free(expected->probability);
    *expected = (fit_distribution){0};
}

double fit_sample(const fit_distribution *expected, fit_sampler sampler, const void *context,
                  uint64_t draws, uint64_t seed)
{
    uint64_t *observed = calloc(expected->count, sizeof *observed);
    stat_rng rng;
    bool outside = false;
    assert_non_null(observed);
    stat_rng_init(&rng, random_seed(seed), 0);
    for (uint64_t i = 0; i < draws; i++) {
        uint64_t x = sampler(&rng, context);
        if (x < expected->first || x - expected->first >= expected->count)
            outside = true;
        else
            observed[x - expected->first]++;
    }
    double p_value =
        outside ? 0 : fit_chi_square(observed, expected->probability, expected->count, draws);
    free(observed);
    return p_value;
}
