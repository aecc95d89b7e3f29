/* SPDX-License-Identifier: MIT */
/*
 * A lower bound on the policy's probability from whole episodes (docs/theory.md, Theorem 16, Corollary 7 and Corollary
 * 8).
 *
 * Of m episodes under a policy that was fixed before them, K were won. With a bound T on the recurrence time, an
 * episode has T transitions, and is won if its last strongly connected component satisfies the condition. This has
 * probability at most p + epsilon, where p is the probability of the policy, since with probability at least 1 -
 * epsilon the last component is the bottom component of the run. So a lower bound on the probability of winning an
 * episode, less epsilon, is one on p. Without T, an episode is won if it comes to a winning node
 * (verify_winning.c) or to a universal memory, and epsilon is 0: from there on the policy is accepted almost
 * surely.
 *
 * That lower bound is for all numbers of episodes at once. With x the probability of winning an episode,
 *
 *     1/2 · B(K+1/2, m-K+1/2) / B(1/2, 1/2) / (x^K (1-x)^(m-K))  +  1/2 · [K = m] x^(-m)
 *
 * is a martingale with initial value 1: the first term is that of intervals.c, and the second one bets that
 * all episodes win. By Ville's inequality it reaches 1/alpha with probability at most alpha. If K < m, the
 * bound is the lower end of the interval at alpha / 2. If K = m, both terms are a multiple of x^(-m), and with
 * r = B(m+1/2, 1/2) / B(1/2, 1/2) the bound is (alpha (1+r) / 2)^(1/m).
 *
 * Several policies may have been tried. The j-th one has alpha = delta.episodes / (j(j+1)); these sum to at
 * most delta.episodes.
 */
#include <math.h>

#include "verify/verify.h"

/* A lower bound on the probability of winning an episode. */
static double bound_wins(const verify_certificate *c, double log_alpha)
{
    double low, high;
    if (c->wins < c->episodes) {
        verify_sequence(c->wins, c->episodes, log_alpha - log(2.0), &low, &high);
        return low;
    }
    double r = exp(-verify_sequence_radius(c->episodes, c->episodes, 0));
    double log_product = log_alpha + log1p(r) - log(2.0);
    log_product -= VERIFY_LOG_MARGIN * (1 + fabs(log_product));
    return exp(log_product / (double)c->episodes) * (1 - VERIFY_LOG_MARGIN);
}

void verify_trial(verify_certificate *c)
{
    c->trial_lower = 0;
    if (c->trial == 0)
        return;
    if (c->wins > 0 && !verify_can_win(c, c->horizon > 0 ? c->horizon : c->trial_steps))
        verify_refuse(c, "trial", VERIFY_NONE,
                      "it has wins, but no episode of so many transitions can be won");
    double log_alpha = log(c->episodes_delta) + verify_log_part(c->trial);
    log_alpha -= VERIFY_LOG_MARGIN * (1 + fabs(log_alpha));
    double low = bound_wins(c, log_alpha) - c->epsilon;
    c->trial_lower = fmax(0, nextafter(low, -1));
}
