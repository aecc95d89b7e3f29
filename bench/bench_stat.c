/* SPDX-License-Identifier: MIT */
/*
 * Costs of the samplers, relative to one random word of the generator. The binomial and hypergeometric
 * costs should be constant from a mean of 1000 on.
 */
#include <stdint.h>
#include <stdio.h>

#include "bench.h"
#include "stat/alias.h"
#include "stat/binomial.h"
#include "stat/hypergeometric.h"
#include "stat/interval.h"
#include "stat/multinomial.h"

enum {
    CATEGORIES = 16
};

static stat_rng rng;
static uint64_t sink; /* printed at the end, so that no loop is idle */
static stat_alias_slot slots[CATEGORIES];
static stat_split splits[CATEGORIES];

/* A measured operation: performs it `times` times with its own parameters. */
typedef void (*operation)(uint64_t times, const double *parameters);

static void raw(uint64_t times, const double *parameters)
{
    (void)parameters;
    for (uint64_t i = 0; i < times; i++)
        sink += stat_rng_next(&rng);
}

static void alias(uint64_t times, const double *parameters)
{
    (void)parameters;
    for (uint64_t i = 0; i < times; i++)
        sink += stat_alias_draw(slots, CATEGORIES, &rng);
}

static void below(uint64_t times, const double *parameters)
{
    for (uint64_t i = 0; i < times; i++)
        sink += stat_rng_below(&rng, (uint64_t)parameters[0]);
}

static void binomial(uint64_t times, const double *parameters)
{
    for (uint64_t i = 0; i < times; i++)
        sink += stat_binomial(&rng, (uint64_t)parameters[0], parameters[1]);
}

static void hypergeometric(uint64_t times, const double *parameters)
{
    for (uint64_t i = 0; i < times; i++)
        sink += stat_hypergeometric(&rng, (uint64_t)parameters[0], (uint64_t)parameters[1],
                                    (uint64_t)parameters[2]);
}

/* Counts one category as one time. */
static void multinomial(uint64_t times, const double *parameters)
{
    uint64_t counts[CATEGORIES];
    for (uint64_t i = 0; i < times; i += CATEGORIES) {
        stat_multinomial(&rng, (uint64_t)parameters[0], splits, CATEGORIES, counts);
        sink += counts[0];
    }
}

static void interval(uint64_t times, const double *parameters)
{
    for (uint64_t i = 0; i < times; i++) {
        stat_interval found =
            stat_clopper_pearson((uint64_t)parameters[0], (uint64_t)parameters[1], 0.05);
        sink += found.lower < found.upper;
    }
}

/* Seconds an operation: the best of three runs. */
static double cost(operation op, uint64_t times, const double *parameters)
{
    double best = 1e9;
    times = bench_times(times);
    for (int run = 0; run < 3; run++) {
        double start = bench_seconds();
        op(times, parameters);
        double taken = (bench_seconds() - start) / (double)times;
        best = taken < best ? taken : best;
    }
    return best;
}

int main(void)
{
    double weights[CATEGORIES], none[1] = {0};
    for (int i = 0; i < CATEGORIES; i++)
        weights[i] = 1 + i;
    stat_rng_init(&rng, 1, 0);
    if (stat_alias_build(weights, CATEGORIES, slots, NULL) != OPAC_OK ||
        stat_multinomial_prepare(weights, CATEGORIES, splits, NULL) != OPAC_OK)
        return 1;

    static const struct {
        const char *what;
        operation op;
        uint64_t times;
        double parameters[3];
    } lines[] = {
        {"bounded integer", below, 20000000, {1000003}},
        {"alias draw, 16 outcomes", alias, 20000000, {0}},
        {"binomial, mean 1", binomial, 500000, {100, 0.01}},
        {"binomial, mean 9.9", binomial, 500000, {33, 0.3}},
        {"binomial, mean 10", binomial, 500000, {34, 0.3}},
        {"binomial, mean 1e3", binomial, 500000, {3334, 0.3}},
        {"binomial, mean 1e6", binomial, 500000, {3333334, 0.3}},
        {"binomial, mean 1e12", binomial, 500000, {3333333333334, 0.3}},
        {"binomial, n = 1e15, p = 1e-9", binomial, 500000, {1e15, 1e-9}},
        {"hypergeometric, mean 1", hypergeometric, 200000, {10, 90, 10}},
        {"hypergeometric, mean 10", hypergeometric, 200000, {40, 60, 25}},
        {"hypergeometric, mean 1e3", hypergeometric, 200000, {4000, 6000, 2500}},
        {"hypergeometric, mean 1e6", hypergeometric, 200000, {4e6, 6e6, 2.5e6}},
        {"hypergeometric, mean 1e12", hypergeometric, 200000, {4e12, 6e12, 2.5e12}},
        {"multinomial, 16 categories, n = 1e2, a category", multinomial, 320000, {1e2}},
        {"multinomial, 16 categories, n = 1e12, a category", multinomial, 320000, {1e12}},
        {"exact interval, 300 of 1000", interval, 300, {300, 1000}},
        {"exact interval, 3e14 of 1e15", interval, 100, {3e14, 1e15}},
    };
    double reference = cost(raw, 50000000, none);
    printf("relative to one random word of 64 bits\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        bench_ratio(lines[i].what, "random word",
                    cost(lines[i].op, lines[i].times, lines[i].parameters), reference);
    printf("(%llu)\n", (unsigned long long)sink % 10);
    return 0;
}
