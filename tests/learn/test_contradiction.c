/* SPDX-License-Identifier: MIT */
/* opac_learn_contradicts: values of a model against the guarantee of a run. */
#include <omegapac/learning.h>

#include <math.h>

#include "support/check.h"

static void promises_meet_the_truth(void **state)
{
    (void)state;
    static const struct {
        double policy, optimum;
        bool is_least, is_guess, contradicts;
    } cases[] = {
        /* 1e-6 may be the error of what is computed, 3e-6 is more. */
        {0.5, 0.6, false, false, false},
        {0.4 - 1e-6, 0.7 + 1e-6, false, false, false},
        {0.4 - 3e-6, 0.6, false, false, true},
        {0.5, 0.7 + 3e-6, false, false, true},
        {0.6 + 3e-6, 0.7, false, false, true},
        {0.4 - 3e-6, 0.6, false, true, false}, /* a policy that may be better than that */
        {0.6 + 3e-6, 0.6, false, true, true},
        {NAN, NAN, false, false, false},
        {NAN, 0.8, false, false, true},
        {0.3, NAN, false, false, true},
        {0.5, 0.7 - 3e-6, true, false, true}, /* no policy has less than 0.7 */
        {0.5, 0.8, true, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_learn_report report = {.lower = 0.4,
                                    .upper = 0.6,
                                    .optimum_upper = 0.7,
                                    .is_least = cases[i].is_least,
                                    .is_guess = cases[i].is_guess};
        assert_int_equal(opac_learn_contradicts(&report, cases[i].policy, cases[i].optimum),
                         cases[i].contradicts);
        /* Without a guarantee there is no contradiction. */
        report.lower = report.upper = report.optimum_upper = NAN;
        assert_false(opac_learn_contradicts(&report, cases[i].policy, cases[i].optimum));
    }
}

SUITE(contradiction)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(promises_meet_the_truth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
