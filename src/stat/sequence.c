/* SPDX-License-Identifier: MIT */
#include "stat/sequence.h"

#include <math.h>
#include <stdbool.h>

#include "base/double_double.h"
#include "stat/beta.h"

/* Exceeds the error of the densities, so that the intervals are never too narrow. */
static const double tolerance = 1e-9;

typedef struct evidence {
    double successes, failures;
    double limit; /* of ln M */
} evidence;

/* Whether ln M(p) reaches the limit. It is convex in p, with its minimum at the share of successes. */
static bool is_excluded(const evidence *e, double p)
{
    double log_martingale =
        log(p) + log1p(-p) - stat_log_beta_weight(p, e->successes + 1, e->failures + 1);
    return log_martingale >= e->limit;
}

/*
 * Bisection between an excluded number (or 0 or 1) and one that is not excluded: returns the excluded one
 * of two adjacent doubles.
 */
static double boundary(const evidence *e, double excluded, double included)
{
    for (;;) {
        double middle = excluded + (included - excluded) / 2;
        if (middle == excluded || middle == included)
            return excluded;
        if (is_excluded(e, middle))
            excluded = middle;
        else
            included = middle;
    }
}

stat_interval stat_sequence_mixture(uint64_t successes, uint64_t trials, double alpha)
{
    if (trials == 0)
        return (stat_interval){0, 1};
    evidence e = {.successes = (double)successes,
                  .failures = (double)(trials - successes),
                  .limit = tolerance - log(alpha)};
    double share = e.successes / (double)trials;
    return (stat_interval){.lower = successes > 0 ? boundary(&e, 0, share) : 0,
                           .upper = successes < trials ? boundary(&e, 1, share) : 1};
}

/* ---- the line ---- */

stat_interval stat_sequence_line(uint64_t successes, uint64_t trials, double e, double alpha)
{
    if (trials == 0)
        return (stat_interval){0, 1};
    double planned = (log(2 / alpha) + tolerance) / (2 * e * e), n = (double)trials;
    double share = (double)successes / n, half = e;
    if (n < planned)
        half = e / 2 * (1 + planned / n) * (1 + tolerance);
    return (stat_interval){.lower = nextafter(nextafter(share, -1) - half, -INFINITY),
                           .upper = nextafter(nextafter(share, 2) + half, INFINITY)};
}

/* ---- Hoeffding, by a union bound ---- */

stat_interval stat_sequence_hoeffding(uint64_t successes, uint64_t trials, double log_alpha)
{
    if (trials == 0)
        return (stat_interval){0, 1};
    double n = (double)trials, share = (double)successes / n;
    double half = sqrt((log(2) + log(n) + log1p(n) - log_alpha) / (2 * n)) * (1 + tolerance);
    return (stat_interval){.lower = fmax(nextafter(nextafter(share, -1) - half, -1), 0),
                           .upper = fmin(nextafter(nextafter(share, 2) + half, 2), 1)};
}

/* ---- supports ---- */

/* Computes in double-doubles and adds a relative 10^-27, which is a thousand times the rounding error. */
uint64_t stat_support_visits(double pmin, double successors, double log_alpha)
{
    if (pmin >= 1)
        return 1;
    base_dd needed = base_dd_subtract(base_dd_log(base_dd_of(successors)), base_dd_of(log_alpha));
    if (needed.high <= 0)
        return 1;
    if (needed.high / pmin > 0x1p70)
        return UINT64_MAX;
    base_dd each = base_dd_negate(base_dd_log1p(base_dd_of(-pmin)));
    base_dd visits = base_dd_divide(needed, each);
    visits = base_dd_add(visits, base_dd_multiply(visits, base_dd_of(1e-27)));
    uint64_t result;
    return base_dd_ceiling(visits, &result) ? result : UINT64_MAX;
}

uint64_t stat_support_size(double pmin)
{
    double most = floor((1 + tolerance) / pmin);
    return most < 0x1p63 ? (uint64_t)most : UINT64_MAX;
}
