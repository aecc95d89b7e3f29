/* SPDX-License-Identifier: MIT */
/*
 * Rejection is exact only if the hat is nowhere below the density, and the squeeze nowhere above it. A
 * goodness-of-fit test would not detect a violation of one in ten thousand. Here both are checked over the
 * whole range of candidates, with the constants of the sampler; therefore its source is included.
 */
#define stat_binomial white_box_binomial
#include "stat/binomial.c"

#include "support/check.h"

/* The relative density over the point u of the square, where the hat is 1. */
static double height(const distribution *l, const hat *h, double mode_weight, double u)
{
    double edge = 0.5 - fabs(u);
    double x = h->whole + floor((2 * h->a / edge + h->b) * u + h->part);
    if (x < 0 || x > l->n)
        return 0;
    return exp(log_weight(l, x) - mode_weight) * (h->a / (edge * edge) + h->b) / h->area;
}

static void assert_hat_fits(double n, double p)
{
    enum {
        POINTS = 4001
    };
    distribution l = make_distribution(n, p);
    hat h = make_hat(&l, p);
    double mode_weight = log_weight(&l, floor((n + 1) * p));
    for (int i = 1; i < POINTS; i++) {
        double u = (double)i / POINTS - 0.5, found = height(&l, &h, mode_weight, u);
        bool squeezed = 0.5 - fabs(u) >= 0.07;
        if (found > 1 || (squeezed && found < h.squeeze))
            fail_msg("n = %g, p = %g, u = %g: %g", n, p, u, found);
    }
}

static void hat_and_squeeze_enclose_the_density(void **state)
{
    (void)state;
    for (double mean = 10; mean < 1e13; mean *= mean < 100 ? 1.07 : 10)
        for (double p = 0.5; p > 1e-10; p *= p > 0.1 ? 0.9 : 0.1) {
            double n = ceil(mean / p);
            if (n <= 1e15) {
                assert_hat_fits(n, p);
                assert_hat_fits(n, fmin(mean / n * (1 + 1e-12), 0.5));
            }
        }
}

SUITE(binomial_hat)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hat_and_squeeze_enclose_the_density),
    };
    return cmocka_run_group_tests_name("stat.binomial_hat", tests, NULL, NULL);
}
