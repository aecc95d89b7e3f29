/* SPDX-License-Identifier: MIT */
/* The public functions for binomial probabilities and tails, based on the beta distribution. */
#include <math.h>

#include <omegapac/binomial.h>

#include "stat/beta.h"
#include "stat/interval.h"

double opac_binomial_log_probability(uint64_t trials, double p, uint64_t successes)
{
    double n = (double)trials, i = (double)successes;
    if (successes > trials || (p == 0 && successes > 0) || (p == 1 && successes < trials))
        return -INFINITY;
    if (p == 0 || p == 1)
        return 0;
    return lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p);
}

double opac_binomial_above(uint64_t trials, double p, uint64_t successes)
{
    if (successes >= trials)
        return 0;
    return stat_beta_below(p, (double)successes + 1, (double)trials - (double)successes);
}

double opac_binomial_at_most(uint64_t trials, double p, uint64_t successes)
{
    if (successes >= trials)
        return 1;
    return stat_beta_above(p, (double)successes + 1, (double)trials - (double)successes);
}

void opac_clopper_pearson(uint64_t successes, uint64_t trials, double alpha, double *lower,
                          double *upper)
{
    stat_interval found = stat_clopper_pearson(successes, trials, alpha);
    *lower = found.lower;
    *upper = found.upper;
}
