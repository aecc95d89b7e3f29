/* SPDX-License-Identifier: MIT */
/*
 * How often the chain is learned well, exactly.
 *
 * When the learner stops, each of the six states was tried k times, with Bs ~ Binomial(k, 2^-s)
 * successes, all independent, and `go` is known to be certain. So the learned model is worth the
 * greatest Bs / k, the first state with that many is the one from which the least is still to go,
 * and a policy that can win nothing goes on. Hence
 *
 *     P(tries in s) = sum over i >= 1 of P(Bs = i) · prod_{r < s} P(Br < i) · prod_{r > s} P(Br <= i).
 *
 * Only s = 1, worth 1/2, is within 6 epsilon = 1/10 of the best. Its complement is summed by itself,
 * since it falls as .933^k: by Chernoff, P(Bs >= B1) <= P(B2 >= B1) and
 *
 *     P(B2 >= B1) <= min over t of (E e^(t (b2 - b1)))^k = (1/2 + sqrt(3)/4)^k.
 *
 * Costs some 5 k tail probabilities, of microseconds, for a k up to ten thousand (the law: 30 k); none beyond.
 */
#include "experiment/chain.h"

#include <math.h>

#include "stat/beta.h"

enum {
    LARGEST = 10000 /* from here on 6 · .933^k is below 1e-300 */
};

static const double chernoff = 0.93301270189221932; /* 1/2 + sqrt(3)/4 */

/* P(Binomial(k, 2^-s) > i), for any i. */
static double above(uint64_t k, int s, double i)
{
    if (i < 0)
        return 1;
    return i >= (double)k ? 0 : stat_beta_below(ldexp(1, -s), i + 1, (double)k - i);
}

/* ln P(Binomial(k, 2^-s) = i). */
static double log_density(uint64_t k, int s, double i)
{
    double n = (double)k, p = ldexp(1, -s);
    return lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p);
}

/* ln of the probability that with i successes in state s no other state is preferred. */
static double log_first(uint64_t k, int s, double i)
{
    double sum = 0;
    for (int r = 1; r <= EXPERIMENT_CHAIN_STATES; r++)
        if (r != s)
            sum += log1p(-above(k, r, r < s ? i - 1 : i));
    return sum;
}

double experiment_chain_failure(uint64_t k)
{
    double sum = 0;
    if (k >= LARGEST)
        return 0;
    for (uint64_t i = 0; i <= k; i++) {
        double lost = i == 0 ? 1 : -expm1(log_first(k, 1, (double)i));
        sum += exp(log_density(k, 1, (double)i)) * lost;
    }
    return sum;
}

static double tries_in(uint64_t k, int s)
{
    double sum = 0;
    for (uint64_t i = 1; i <= k; i++)
        sum += exp(log_density(k, s, (double)i) + log_first(k, s, (double)i));
    return sum;
}

void experiment_chain_law(uint64_t k, double law[EXPERIMENT_CHAIN_STATES + 1])
{
    law[0] = 1;
    for (int s = 1; s <= EXPERIMENT_CHAIN_STATES; s++) {
        law[0] *= exp((double)k * log1p(-ldexp(1, -s))); /* no success anywhere */
        law[s] = k < LARGEST ? tries_in(k, s) : s == 1;
    }
}

double experiment_chain_failure_log10(uint64_t k)
{
    double bound = log10(EXPERIMENT_CHAIN_STATES) + (double)k * log10(chernoff);
    double exact = experiment_chain_failure(k);
    return exact > 0 ? log10(exact) : bound;
}

/* The bound takes over once it is below delta. */
uint64_t experiment_chain_enough(double delta)
{
    uint64_t enough = 1;
    double most = (log10(delta) - log10(EXPERIMENT_CHAIN_STATES)) / log10(chernoff);
    for (uint64_t k = 1; (double)k <= most; k++)
        if (experiment_chain_failure(k) > delta)
            enough = k + 1;
    return enough;
}
