/* SPDX-License-Identifier: MIT */
/*
 * A sample is a 2×2 table with given margins, which is determined by one cell, x:
 *
 *                drawn          left
 *     good         x          good - x       | good
 *     bad      draws - x   bad - draws + x   | bad
 *             ─────────────────────────────
 *               draws           rest           total
 *
 * The logarithm of its probability consists of four residues and four deviances (stat/density.h) from the
 * expected cells, row · column / total. The four differences are equal up to their sign; the common value is
 * computed once, in two doubles.
 *
 * By symmetry, good <= bad and draws <= rest. For a mean below 10, inversion from 0; for larger means,
 * ratio of uniforms: Stadlober, "The ratio of uniforms approach for generating discrete random variates"
 * (1990), whose bound f(x) / f(mode) <= min(1, (width / (x - centre))²) holds for the Poisson, binomial and
 * hypergeometric distributions.
 */
#include "stat/hypergeometric.h"

#include <assert.h>
#include <math.h>

#include "stat/density.h"

static const double rejection_from = 10; /* least mean for which rejection is faster */

typedef struct table {
    double good, bad, draws, rest, total;
    double mean, mean_error; /* good · draws / total is their sum */
} table;

static table make_table(double good, double bad, double draws)
{
    table t = {.good = good, .bad = bad, .draws = draws, .total = good + bad};
    t.rest = t.total - draws;
    double product = good * draws, product_error = fma(good, draws, -product);
    t.mean = product / t.total;
    t.mean_error = (fma(-t.mean, t.total, product) + product_error) / t.total;
    return t;
}

/* ln of the probability of x, up to a constant. */
static double log_weight(const table *t, double x)
{
    double difference = (x - t->mean) - t->mean_error;
    double cell[2][2] = {{x, t->good - x}, {t->draws - x, t->bad - t->draws + x}};
    double row[2] = {t->good / t->total, t->bad / t->total}, column[2] = {t->draws, t->rest};
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            sum += stat_residue(cell[i][j]);
            sum += stat_deviance(cell[i][j], row[i] * column[j], i == j ? difference : -difference);
        }
    return -sum;
}

/* The constant that log_weight omits. */
static double log_constant(const table *t)
{
    return stat_residue(t->good) + stat_residue(t->bad) + stat_residue(t->draws) +
           stat_residue(t->rest) - stat_residue(t->total);
}

/*
 * For a mean below 10, and good <= bad, draws <= rest, the probability of 0 is above 1e-12. If, because of
 * rounding, u exceeds the sum of the probabilities, a new u is sampled.
 */
static uint64_t invert(stat_rng *rng, const table *t)
{
    double none = exp(log_weight(t, 0) + log_constant(t));
    double last = fmin(fmin(t->good, t->draws), 110);
    for (;;) {
        double u = stat_rng_uniform(rng), probability = none;
        for (double x = 0; x <= last; x++) {
            if (u < probability)
                return (uint64_t)x;
            u -= probability;
            probability *=
                ((t->good - x) / (x + 1)) * ((t->draws - x) / (t->bad - t->draws + x + 1));
        }
    }
}

/* Stadlober's width of the hat. */
static double hat_width(const table *t)
{
    static const double root_two_over_e = 0.85776388496070679648;
    static const double offset = 0.44945808102944937041; /* 3/2 - sqrt(3/e) */
    double variance = t->mean * (t->bad / t->total) * (t->rest / (t->total - 1));
    return root_two_over_e * sqrt(variance + 0.5) + offset;
}

static double mode_of(const table *t)
{
    return floor((t->draws + 1) * ((t->good + 1) / (t->total + 2)));
}

static uint64_t reject(stat_rng *rng, const table *t)
{
    double width = hat_width(t), mode_weight = log_weight(t, mode_of(t));
    double whole = floor(t->mean), part = (t->mean - whole) + t->mean_error + 0.5;
    double last = fmin(t->good, t->draws);
    for (;;) {
        double u = stat_rng_open(rng), v = stat_rng_open(rng) - 0.5;
        double x = whole + floor(2 * width * v / u + part);
        if (x >= 0 && x <= last && 2 * log(u) <= log_weight(t, x) - mode_weight)
            return (uint64_t)x;
    }
}

uint64_t stat_hypergeometric(stat_rng *rng, uint64_t good, uint64_t bad, uint64_t draws)
{
    assert(good <= UINT64_C(1) << 53 && bad <= (UINT64_C(1) << 53) - good && draws <= good + bad);
    if (good == 0 || draws == 0)
        return 0;
    if (bad == 0)
        return draws;
    if (draws > good + bad - draws)
        return good - stat_hypergeometric(rng, good, bad, good + bad - draws);
    if (good > bad)
        return draws - stat_hypergeometric(rng, bad, good, draws);
    table t = make_table((double)good, (double)bad, (double)draws);
    return t.mean < rejection_from ? invert(rng, &t) : reject(rng, &t);
}

void stat_hypergeometric_many(stat_rng *rng, const uint64_t *sizes, size_t count, uint64_t draws,
                              uint64_t *counts)
{
    uint64_t others = 0;
    for (size_t i = 0; i < count; i++)
        others += sizes[i];
    for (size_t i = 0; i < count; i++) {
        others -= sizes[i];
        counts[i] = stat_hypergeometric(rng, sizes[i], others, draws);
        draws -= counts[i];
    }
    assert(draws == 0);
}
