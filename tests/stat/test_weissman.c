/* SPDX-License-Identifier: MIT */
/*
 * Checks the inequality behind the number of samples of a known pair: for k samples from a distribution p
 * on m points, with frequencies F,
 *
 *     P( TV(F, p) >= x ) <= (2^m - 2) exp(-2 k x²)
 *
 * (Weissman, Ordentlich, Seroussi, Verdú and Weinberger, "Inequalities for the L1 deviation of the empirical
 * distribution", 2003). Computes the exact tails by enumerating all outcomes of the multinomial distribution.
 */
#include <math.h>

#include <omegapac/bound.h>

#include "support/check.h"
#include "support/random.h"

enum {
    MOST_POINTS = 5,
    MOST_OUTCOMES = 6000
};

typedef struct outcome {
    double distance, probability;
} outcome;

typedef struct tails {
    int points, draws;
    double probability[MOST_POINTS];
    int counts[MOST_POINTS];
    size_t outcomes;
    outcome list[MOST_OUTCOMES]; /* farthest first, once sorted */
} tails;

static void add_outcome(tails *t)
{
    double log_probability = lgamma(t->draws + 1.0), distance = 0;
    for (int i = 0; i < t->points; i++) {
        if (t->counts[i] > 0 && t->probability[i] == 0)
            return;
        if (t->counts[i] > 0)
            log_probability += t->counts[i] * log(t->probability[i]) - lgamma(t->counts[i] + 1.0);
        distance += fabs((double)t->counts[i] / t->draws - t->probability[i]) / 2;
    }
    assert_true(t->outcomes < MOST_OUTCOMES);
    t->list[t->outcomes++] = (outcome){distance, exp(log_probability)};
}

static void enumerate(tails *t, int point, int left)
{
    if (point >= t->points - 1 || point >= MOST_POINTS - 1) {
        t->counts[point] = left;
        add_outcome(t);
        return;
    }
    for (int count = 0; count <= left; count++) {
        t->counts[point] = count;
        enumerate(t, point + 1, left - count);
    }
}

static int farther_first(const void *a, const void *b)
{
    double x = ((const outcome *)a)->distance, y = ((const outcome *)b)->distance;
    return (x < y) - (x > y);
}

static void prepare(tails *t)
{
    double sum = 0;
    t->outcomes = 0;
    enumerate(t, 0, t->draws);
    qsort(t->list, t->outcomes, sizeof *t->list, farther_first);
    for (size_t i = 0; i < t->outcomes; i++)
        sum += t->list[i].probability;
    assert_true(fabs(sum - 1) < 1e-9);
}

/* The least of bound / tail, over all distances: at least 1, or the inequality fails. */
static double margin(const tails *t, double constant)
{
    double tail = 0, least = INFINITY;
    for (size_t i = 0; i < t->outcomes; i++) {
        double x = t->list[i].distance;
        tail += t->list[i].probability;
        bool is_last = i + 1 == t->outcomes || t->list[i + 1].distance < x - 1e-12;
        if (is_last && x > 0)
            least = fmin(least, constant * exp(-2 * t->draws * x * x) / tail);
    }
    return least;
}

/* P( TV > x ). */
static double tail_above(const tails *t, double x)
{
    double tail = 0;
    for (size_t i = 0; i < t->outcomes && t->list[i].distance > x + 1e-12; i++)
        tail += t->list[i].probability;
    return tail;
}

/* Uniform, nearly a point, with a point that is never drawn, and at random. */
static void make_law(tails *t, int kind, uint64_t *random)
{
    double sum = 0;
    for (int i = 0; i < t->points; i++) {
        double weight = kind == 0   ? 1
                        : kind == 1 ? (i == 0 ? 50 : 1)
                        : kind == 2 ? (i == 0 ? 0 : 1)
                                    : 1 + random_below(random, 1000);
        t->probability[i] = weight;
        sum += weight;
    }
    for (int i = 0; i < t->points; i++)
        t->probability[i] /= sum;
}

enum {
    KINDS = 8
};

static const int most_draws[MOST_POINTS + 1] = {0, 0, 60, 24, 14, 10};

static void tails_are_bounded(void **state)
{
    (void)state;
    static tails t;
    uint64_t random = random_seed(1);
    for (t.points = 2; t.points <= MOST_POINTS; t.points++)
        for (t.draws = 1; t.draws <= most_draws[t.points]; t.draws++)
            for (int kind = 0; kind < KINDS; kind++) {
                make_law(&t, kind, &random);
                prepare(&t);
                assert_true(margin(&t, pow(2, t.points) - 2) >= 1 - 1e-9);
            }
}

/* The inequality fails with the number of points (or 1) in place of the number of subsets. */
static void smaller_constants_are_detected(void **state)
{
    (void)state;
    static tails t;
    uint64_t random = random_seed(2);
    int caught = 0;
    for (t.points = 2; t.points <= MOST_POINTS; t.points++)
        for (t.draws = 1; t.draws <= most_draws[t.points]; t.draws++) {
            make_law(&t, 0, &random);
            prepare(&t);
            caught += margin(&t, 1) < 1;
        }
    assert_true(caught > 0);
}

/* N states, K actions: the guarantee for each state-action pair of the learner. */
static double accuracy_of(const tails *t, const opac_bound_params *params)
{
    opac_error error;
    double accuracy;
    assert_ok(opac_bound_accuracy(params, (uint64_t)t->draws, &accuracy, &error), &error);
    return accuracy;
}

/* The largest tail beyond a share of c/T, over delta/(NK), of all distributions of a kind. */
static double worst_ratio(tails *t, const opac_bound_params *params, double share, uint64_t *random)
{
    double worst = 0;
    double allowed = params->delta / (double)(params->states * params->actions);
    for (int kind = 0; kind < KINDS; kind++) {
        make_law(t, kind, random);
        prepare(t);
        double x = share * accuracy_of(t, params) / (double)params->horizon;
        worst = fmax(worst, tail_above(t, x) / allowed);
    }
    return worst;
}

static void accuracy_is_kept(void **state)
{
    (void)state;
    static tails t;
    static const int draws[] = {0, 0, 3000, 90, 28, 17};
    uint64_t random = random_seed(3);
    for (t.points = 2; t.points <= MOST_POINTS; t.points++) {
        opac_bound_params params = {.states = (uint64_t)t.points,
                                    .actions = 1,
                                    .horizon = 7,
                                    .epsilon = 0.1,
                                    .branching = (uint64_t)t.points};
        t.draws = draws[t.points];
        for (params.delta = 0.9; params.delta > 1e-3; params.delta /= 5) {
            assert_true(accuracy_of(&t, &params) / 7 < 1); /* it says something */
            assert_true(worst_ratio(&t, &params, 1, &random) <= 1 + 1e-9);
            /* a third of it would be too little */
            assert_true(worst_ratio(&t, &params, 1.0 / 3, &random) > 1);
        }
    }
}

/* The k of rule l1 is the least whose accuracy is epsilon. */
static void rule_and_accuracy_agree(void **state)
{
    (void)state;
    opac_error error;
    opac_count k;
    double accuracy;
    for (uint64_t m = 2; m <= 5; m++) {
        opac_bound_params params = {
            .states = 5, .actions = 2, .horizon = 3, .epsilon = 0.2, .delta = 0.1, .branching = m};
        assert_ok(opac_bound_k(&params, OPAC_K_L1, &k, &error), &error);
        assert_ok(opac_bound_accuracy(&params, k.value, &accuracy, &error), &error);
        assert_true(accuracy <= params.epsilon);
        assert_ok(opac_bound_accuracy(&params, k.value - 1, &accuracy, &error), &error);
        assert_true(accuracy > params.epsilon);
    }
}

SUITE(weissman)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_are_bounded),
        cmocka_unit_test(smaller_constants_are_detected),
        cmocka_unit_test(accuracy_is_kept),
        cmocka_unit_test(rule_and_accuracy_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
