/* SPDX-License-Identifier: MIT */
/*
 * The exact binomial test of a guarantee that may fail with probability delta: whether the number of
 * failures in a number of runs is larger than that explains.
 */
#ifndef TESTS_LEARN_EXACT_TEST_H
#define TESTS_LEARN_EXACT_TEST_H

#include "stat/beta.h"
#include "support/check.h"

/* The probability that a correct program fails such a test, over the choice of the seed. */
#define EXACT_FALSE_ALARM 1e-6

/* P( Binomial(runs, delta) >= broken ): small when the promise is broken too often. */
static inline double exact_p_value(unsigned broken, unsigned runs, double delta)
{
    return broken > 0 ? stat_beta_below(delta, broken, runs - broken + 1.0) : 1;
}

static inline bool exact_is_kept(unsigned broken, unsigned runs, double delta)
{
    return exact_p_value(broken, runs, delta) >= EXACT_FALSE_ALARM;
}

#endif
