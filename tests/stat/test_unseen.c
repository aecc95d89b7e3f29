/* SPDX-License-Identifier: MIT */
/*
 * Checks the bound on the unseen mass exactly: for a distribution on few outcomes, the probability that the
 * bound fails at some time within n samples is summed over the set of observed outcomes and the number of
 * samples since the last new one. Deliberately wrong bounds fail more often than alpha permits.
 */
#include <math.h>

#include "stat/unseen.h"
#include "support/check.h"

enum {
    MOST = 8,   /* outcomes */
    DRAWS = 400 /* at most */
};

typedef enum fault {
    NONE,
    ONE_ALPHA, /* alpha itself for each k */
    EARLY      /* the discovering draw is taken for one that showed nothing new */
} fault;

typedef struct setting {
    unsigned outcomes;
    double p[MOST];
    unsigned draws;
} setting;

static double mass_outside(const setting *s, unsigned seen)
{
    double mass = 0;
    for (unsigned i = 0; i < s->outcomes; i++)
        mass += seen >> i & 1 ? 0 : s->p[i];
    return mass;
}

static bool is_wrong(const setting *s, unsigned seen, unsigned quiet, double log_alpha, fault f)
{
    unsigned k = (unsigned)__builtin_popcount(seen);
    double bound = stat_unseen_mass(
        k, quiet + (f == EARLY), f == ONE_ALPHA ? log_alpha - stat_unseen_log_share(k) : log_alpha);
    return mass_outside(s, seen) > bound;
}

/* now[seen][quiet]: the probability of it, as long as the bound was right. */
static double find_wrong(const setting *s, double log_alpha, fault f)
{
    static double now[1 << MOST][DRAWS + 1], next[1 << MOST][DRAWS + 1];
    double wrong = 0;
    memset(now, 0, sizeof now);
    now[0][0] = 1;
    for (unsigned n = 0; n < s->draws; n++) {
        memset(next, 0, sizeof next);
        for (unsigned seen = 0; seen < 1u << s->outcomes; seen++)
            for (unsigned quiet = 0; quiet <= n; quiet++)
                for (unsigned i = 0; i < s->outcomes && now[seen][quiet] > 0; i++) {
                    unsigned then = seen | 1u << i, waited = then == seen ? quiet + 1 : 0;
                    double p = now[seen][quiet] * s->p[i];
                    if (is_wrong(s, then, waited, log_alpha, f))
                        wrong += p;
                    else
                        next[then][waited] += p;
                }
        memcpy(now, next, sizeof now);
    }
    return wrong;
}

static const setting settings[] = {
    {1, {1}, 50},
    {2, {.5, .5}, 50},
    {2, {.99, .01}, 300},
    {2, {.1, .9}, 100},
    {3, {.8, .19, .01}, 200},
    {4, {.25, .25, .25, .25}, 60},
    {5, {.9, .09, .009, .0009, .0001}, 100},
    {6, {.5, .25, .125, .0625, .03125, .03125}, 60},
    {7, {.7, .05, .05, .05, .05, .05, .05}, 40},
};

static void test_exact(void **state)
{
    static const double alphas[] = {.5, .1, .01};
    double largest = 0;
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (size_t a = 0; a < 3; a++) {
            double wrong = find_wrong(&settings[i], log(alphas[a]), NONE);
            assert_true(wrong <= alphas[a]);
            largest = fmax(largest, wrong / alphas[a]);
        }
    assert_true(largest >
                .5); /* it is not wide without need: the first outcome has half of alpha */
}

static void test_faults(void **state)
{
    (void)state;
    for (fault f = ONE_ALPHA; f <= EARLY; f++) {
        bool is_found = false;
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
            is_found |= find_wrong(&settings[i], log(.5), f) > .5;
        assert_true(is_found);
    }
}

static void test_values(void **state)
{
    (void)state;
    assert_true(stat_unseen_mass(1, 0, -3) == 1);
    for (uint64_t k = 1; k < 1000; k = 3 * k + 1)
        for (uint64_t quiet = 1; quiet < UINT64_C(1) << 50; quiet = 7 * quiet + 2) {
            long double log_alpha = -2.25L - logl((long double)k) - log1pl((long double)k);
            long double exact = -expm1l(log_alpha / (long double)quiet);
            double found = stat_unseen_mass(k, quiet, -2.25);
            assert_true(found >= exact);
            assert_true(found <= exact * (1 + 1e-12L));
        }
}

SUITE(unseen)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
