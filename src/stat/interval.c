/* SPDX-License-Identifier: MIT */
/*
 * Two quantiles of beta laws: 124 tail probabilities. Some 15 to 250
 * microseconds up to a million trials; beyond, where the density is integrated,
 * up to 600, and for alpha = 1e-300 a millisecond.
 */
#include "stat/interval.h"

#include <assert.h>
#include <math.h>

#include "stat/beta.h"

/*
 * P(at least `successes`) is that of a beta law and grows with the probability;
 * the lower end is where it reaches alpha/2. The target is lowered by a
 * relative 1e-9, a hundred times the error of stat_beta_below, and by the last
 * digit: among subnormal numbers that is more, and alpha/2 may be rounded up.
 */
static double lower_end(uint64_t successes, uint64_t trials, double alpha)
{
    if (successes == 0)
        return 0;
    double target = nextafter(alpha / 2 * (1 - 1e-9), 0);
    double x = stat_beta_quantile(target, (double)successes, (double)(trials - successes + 1));
    return nextafter(x, 0);
}

/* The upper end is the lower end for the failures, seen from 1. */
stat_interval stat_clopper_pearson(uint64_t successes, uint64_t trials, double alpha)
{
    assert(trials >= 1 && successes <= trials && alpha > 0 && alpha < 1);
    double lower = lower_end(successes, trials, alpha);
    double failure = lower_end(trials - successes, trials, alpha);
    double upper = failure == 0 ? 1 : fmin(nextafter(1 - failure, 2), 1);
    return (stat_interval){lower, upper};
}
