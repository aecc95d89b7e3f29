/* SPDX-License-Identifier: MIT */
/*
 * The hat of the hypergeometric sampler is nowhere below the density, as for the binomial one
 * (test_binomial_hat.c); and mirrored tables have the same distribution.
 */
#define stat_hypergeometric      white_box_hypergeometric
#define stat_hypergeometric_many white_box_hypergeometric_many
#include "stat/hypergeometric.c"

#include "support/check.h"

/* f(x) / f(mode) <= min(1, (width / distance)²) for all real numbers that round down to x. */
static void assert_hat_fits(const table *t)
{
    double width = hat_width(t), mode = mode_of(t), mode_weight = log_weight(t, mode);
    double step = fmax(1, floor(width / 33));
    for (double i = -400; i <= 400; i++) {
        double x = mode + i * step;
        if (x < 0 || x > fmin(t->good, t->draws))
            continue;
        double ratio = exp(log_weight(t, x) - mode_weight);
        double middle = (x - t->mean) - t->mean_error, distance = fabs(middle) + 0.5;
        /* Rounding of the mode may take a neighbour that is higher in the last digits. */
        if (ratio > 1 + 1e-13 || ratio * distance * distance > width * width)
            fail_msg("%g of %g + %g: %g at %g", t->draws, t->good, t->bad, ratio, x);
    }
}

static void hat_encloses_the_density(void **state)
{
    (void)state;
    for (double good = 20; good < 1e14; good = floor(good * 2.7))
        for (double more = 1; more * good < 9e14; more *= more < 2 ? 1.1 : 30)
            for (double fraction = 0.5; fraction > 1e-12; fraction *= 0.6) {
                double bad = floor(good * more), draws = floor((good + bad) * fraction);
                table t = make_table(good, bad, draws);
                if (draws >= 1 && t.mean >= rejection_from)
                    assert_hat_fits(&t);
            }
}

/* Good and bad, drawn and left, may be exchanged: the same number up to rounding. */
static void mirrored_tables_agree(void **state)
{
    (void)state;
    const double good = 3e14, bad = 6e14, draws = 2e14;
    table t = make_table(good, bad, draws), exchanged = make_table(bad, good, draws);
    table left = make_table(good, bad, good + bad - draws);
    for (double i = -20; i <= 20; i++) {
        double x = floor(t.mean) + i * 1e6;
        assert_true(fabs(log_weight(&t, x) - log_weight(&exchanged, draws - x)) < 1e-12);
        assert_true(fabs(log_weight(&t, x) - log_weight(&left, good - x)) < 1e-12);
    }
}

/* ln of the probability, in all, for urns that can be counted by hand. */
static void probabilities_are_complete(void **state)
{
    (void)state;
    table t = make_table(4, 6, 5); /* C(4,x) C(6,5-x) / C(10,5) */
    static const double ways[] = {6, 60, 120, 60, 6};
    for (int x = 0; x <= 4; x++)
        assert_true(fabs(exp(log_weight(&t, x) + log_constant(&t)) - ways[x] / 252) < 1e-15);
}

SUITE(hypergeometric_hat)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hat_encloses_the_density),
        cmocka_unit_test(mirrored_tables_agree),
        cmocka_unit_test(probabilities_are_complete),
    };
    return cmocka_run_group_tests_name("stat.hypergeometric_hat", tests, NULL, NULL);
}
