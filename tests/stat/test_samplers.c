/* SPDX-License-Identifier: MIT */
/*
 * The samplers at random parameters, with a million samples each: 60 fits with a false-alarm rate of
 * FIT_FALSE_ALARM each. The quick tests use selected parameters; this one explores others.
 */
#include <math.h>

#include "stat/binomial.h"
#include "stat/hypergeometric.h"
#include "support/check.h"
#include "support/fit.h"
#include "support/random.h"

enum {
    LAWS = 30,
    DRAWS = 1000000
};

typedef struct parameters {
    uint64_t n, good, bad;
    double p;
} parameters;

static uint64_t draw_binomial(stat_rng *rng, const void *context)
{
    const parameters *q = context;
    return stat_binomial(rng, q->n, q->p);
}

static uint64_t draw_hypergeometric(stat_rng *rng, const void *context)
{
    const parameters *q = context;
    return stat_hypergeometric(rng, q->good, q->bad, q->n);
}

/* From 1 to 10^digits, evenly on a logarithmic scale. */
static uint64_t random_size(stat_rng *rng, double digits)
{
    return (uint64_t)pow(10, digits * stat_rng_uniform(rng));
}

static void binomial_anywhere(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(71), 0);
    for (int i = 0; i < LAWS; i++) {
        parameters q = {.n = random_size(&rng, 15)};
        double deviation = pow(10, 3 * stat_rng_uniform(&rng) - 0.5);
        q.p = fmin(0.5, deviation * deviation / (double)q.n);
        q.p = stat_rng_below(&rng, 2) == 0 ? q.p : 1 - q.p;
        fit_distribution expected = fit_binomial(q.n, q.p);
        double p_value = fit_sample(&expected, draw_binomial, &q, DRAWS, 700 + (uint64_t)i);
        if (p_value < FIT_FALSE_ALARM)
            fail_msg("n = %llu, p = %.17g: p-value %g", (unsigned long long)q.n, q.p, p_value);
        fit_distribution_fini(&expected);
    }
}

static void hypergeometric_anywhere(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(72), 0);
    for (int i = 0; i < LAWS; i++) {
        /* One of the margins is small enough to distinguish single values. */
        parameters q = {.good = random_size(&rng, 6), .bad = random_size(&rng, 15)};
        q.n = stat_rng_below(&rng, q.good + q.bad + 1);
        if (stat_rng_below(&rng, 2) == 0)
            q = (parameters){.good = q.bad, .bad = q.good, .n = q.n};
        fit_distribution expected = fit_hypergeometric(q.good, q.bad, q.n);
        double p_value =
            fit_sample(&expected, draw_hypergeometric, &q, DRAWS / 2, 800 + (uint64_t)i);
        if (p_value < FIT_FALSE_ALARM)
            fail_msg("%llu of %llu + %llu: p-value %g", (unsigned long long)q.n,
                     (unsigned long long)q.good, (unsigned long long)q.bad, p_value);
        fit_distribution_fini(&expected);
    }
}

SUITE(samplers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_anywhere),
        cmocka_unit_test(hypergeometric_anywhere),
    };
    return cmocka_run_group_tests_name("stat.samplers", tests, NULL, NULL);
}
