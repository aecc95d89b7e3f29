/* SPDX-License-Identifier: MIT */
/*
 * Checks the bound on steps with a bad policy by its definition: a binomial number with this number of
 * trials is at most k N K with probability at most delta.
 */
#include <math.h>

#include <omegapac/bound.h>

#include "support/check.h"

/* P(Bin(n, q) <= most), term by term. */
static double binomial_tail(uint64_t n, double q, uint64_t most)
{
    double sum = 0;
    for (uint64_t i = 0; i <= most && i <= n; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                   (double)i * log(q) + (double)(n - i) * log1p(-q));
    return sum;
}

static void enough_trials_exceed_all_visits(void **state)
{
    (void)state;
    const double deltas[] = {0.5, 0.1, 1e-3, 1e-9}, shares[] = {0.01, 0.2, 0.7};
    for (size_t d = 0; d < 4; d++)
        for (size_t s = 0; s < 3; s++)
            for (uint64_t samples = 1; samples < 3000; samples = samples * 3 + 1) {
                opac_bound_params params = {
                    .states = 1, .actions = 1, .horizon = 1, .epsilon = 0.05, .delta = deltas[d]};
                opac_bound_guarantee offer = {.samples = opac_count_of(samples), .error = 0.1};
                opac_count steps;
                opac_error error = {0};
                assert_ok(opac_bound_bad_steps(&params, &offer, 0.1 + shares[s], &steps, &error),
                          &error);
                assert_true(binomial_tail(steps.value, shares[s], samples) <= deltas[d]);
                /* Nor is it wasteful: the mean number of visits is not beyond what Chernoff
                 * asks. */
                double l = -log(deltas[d]), a = (double)samples;
                double mean = a + l + sqrt(l * l + 2 * a * l);
                assert_true((double)steps.value < mean / shares[s] + 1.001);
            }
}

/* With the paper's k and its distance 9 epsilon, compared with its C. */
static void examples_of_the_paper(void **state)
{
    (void)state;
    static const struct {
        opac_bound_params params;
        double bad, published;
    } cases[] = {
        {{.states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1},
         1.96219656534e11,
         1.3022289685559e13},
        {{.states = 8, .actions = 2, .horizon = 8, .epsilon = 1.0 / 60, .delta = 0.1},
         5.0320335977e10,
         9.798607444360e12},
    };
    for (size_t i = 0; i < 2; i++) {
        opac_count k, steps;
        opac_bound_guarantee offer;
        const opac_bound_params *params = &cases[i].params;
        assert_status(opac_bound_k(params, OPAC_K_PAPER, &k, NULL), OPAC_OK);
        assert_status(opac_bound_guarantee_for(params, &k, &offer, NULL), OPAC_OK);
        assert_status(opac_bound_bad_steps(params, &offer, 9 * params->epsilon, &steps, NULL),
                      OPAC_OK);
        assert_true(fabs((double)steps.value / cases[i].bad - 1) < 1e-9);
        assert_true(fabs((double)offer.policy_steps.value / cases[i].published - 1) < 1e-9);
    }
}

static void numbers_of_any_size(void **state)
{
    (void)state;
    const opac_bound_params params = {
        .states = 12, .actions = 4, .horizon = 1000, .epsilon = 0.05, .delta = 0.1};
    const double logs[] = {19.5, 30, 400};
    for (size_t i = 0; i < 3; i++) {
        opac_bound_guarantee offer = {.samples = {UINT64_MAX, pow(10, logs[i]), logs[i]},
                                      .error = 0.1};
        opac_count steps;
        assert_status(opac_bound_bad_steps(&params, &offer, 0.2, &steps, NULL), OPAC_OK);
        assert_true(steps.value == UINT64_MAX);
        assert_true(steps.log10 >= logs[i] + 4);
        assert_true(steps.log10 < logs[i] + 4 + 1e-8);
    }
}

static void invalid_distances_are_refused(void **state)
{
    (void)state;
    opac_bound_params params = {
        .states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1};
    opac_bound_guarantee offer = {.samples = opac_count_of(1000), .accuracy = 0.01, .error = 0.12};
    opac_count steps;
    opac_error error = {0};
    const double bad[] = {0, 0.12, 0.13, 1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_status(opac_bound_bad_steps(&params, &offer, bad[i], &steps, &error),
                      OPAC_ERROR_ARGUMENT);
        assert_string_equal(error.message,
                            "the distance must be above 2 epsilon + 3 c, and below 1");
    }
    params.delta = 2;
    assert_status(opac_bound_bad_steps(&params, &offer, 0.2, &steps, &error), OPAC_ERROR_ARGUMENT);
}

SUITE(bad_steps)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enough_trials_exceed_all_visits),
        cmocka_unit_test(examples_of_the_paper),
        cmocka_unit_test(numbers_of_any_size),
        cmocka_unit_test(invalid_distances_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
