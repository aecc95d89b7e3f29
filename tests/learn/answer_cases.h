/* SPDX-License-Identifier: MIT */
/*
 * Runs that answer whether some policy satisfies the objective with probability P or more (sample/at_least.h), in
 * random small models with known optima. P is next to the optimum, on either side of it or equal to it, so that
 * wrong answers are likely if anything is wrong. An answer is wrong if it is
 *
 *     yes    and the policy has a probability below P
 *     no     and the optimum is at least P
 *
 * The frequency of wrong answers is compared with delta by the exact binomial test (exact_test.h).
 */
#ifndef TESTS_LEARN_ANSWER_CASES_H
#define TESTS_LEARN_ANSWER_CASES_H

#include "learn/horizon_cases.h"

/* Size of the test: `models`, `runs` of each, and most steps of a run. */
typedef struct answer_size {
    uint64_t seed;
    unsigned models, runs;
    uint64_t steps;
} answer_size;

typedef struct answer_run {
    double delta;
    double distance; /* of P from the optimum, at most */
    bool has_horizon, lines, graph;
    uint64_t divisor; /* of T; 0: 1 */
    double epsilon;   /* of T; without T no width is requested */
    sample_tuning tuning;
} answer_run;

typedef struct answer_share {
    unsigned runs, yes, no, wrong;
} answer_share;

/* Greatest probabilities only. */
static inline void answer_draw(uint64_t *random, const answer_run *run, horizon_case *x)
{
    const horizon_run shape = {.epsilon = run->epsilon, .lines = run->lines, .longest = 200};
    for (;; coverage_fini(&x->c)) {
        if (run->has_horizon)
            horizon_draw_case(random, &shape, x);
        else {
            *x = (horizon_case){.kind = OPAC_KIND_DETERMINISTIC};
            bracket_draw(random, 0, &x->c);
        }
        if (x->c.objective.direction != OPAC_DIRECTION_MIN && x->c.best > 0)
            return;
    }
}

/* Below, above or at the optimum, which is known up to the rounding of the true values. */
static inline double answer_draw_question(uint64_t *random, const answer_run *run, double best)
{
    double shift = run->distance * (random_below(random, 5) - 2.0) / 2;
    return fmin(fmax(best + shift, 1e-3), 1);
}

static inline opac_learn_options answer_options(const horizon_case *x, const answer_run *run)
{
    opac_learn_options options = opac_learn_defaults();
    uint64_t divisor = run->divisor > 0 ? run->divisor : 1;
    options.delta = run->delta;
    options.kind = x->kind;
    options.threads = 1;
    if (run->has_horizon) {
        options.horizon = (x->horizon + divisor - 1) / divisor;
        options.epsilon = run->epsilon;
        options.target = 3 * run->epsilon;
        options.recurrence_work = divisor > 1 ? 1 : 300000;
    } else if (!run->graph)
        options.pmin = bracket_pmin;
    return options;
}

static inline void answer_count_one(const horizon_case *x, const opac_learning *learning,
                                    answer_share *share)
{
    const opac_learn_report *report = opac_learning_report(learning);
    double asked = report->at_least;
    bool is_yes = report->answer == OPAC_ANSWER_YES, is_no = report->answer == OPAC_ANSWER_NO;
    assert_int_equal(report->holds, is_yes || is_no);
    if (is_yes)
        share->wrong += bracket_truth(&x->c, learning) < asked - bracket_rounding;
    else if (is_no)
        share->wrong += x->c.best >= asked + bracket_rounding;
    share->yes += is_yes;
    share->no += is_no;
    share->runs++;
}

static inline void answer_once(const horizon_case *x, const answer_run *run, uint64_t steps,
                               uint64_t *random, answer_share *share)
{
    opac_learn_options options = answer_options(x, run);
    opac_environment *environment;
    opac_learning *learning;
    opac_error error;
    assert_ok(opac_environment_of_model(x->c.model, NULL, &environment, &error), &error);
    options.graph = run->graph ? environment : NULL;
    options.at_least = answer_draw_question(random, run, x->c.best);
    options.max_steps = steps;
    options.seed = random_u64(random);
    assert_ok(learn_tuned(environment, &x->c.objective, &options, &run->tuning, &learning, &error),
              &error);
    answer_count_one(x, learning, share);
    opac_learning_free(learning);
    opac_environment_free(environment);
}

static inline answer_share answer_count(const answer_size *size, uint64_t number,
                                        const answer_run *run)
{
    uint64_t random = random_seed(size->seed + number);
    answer_share share = {0};
    for (unsigned i = 0; i < size->models; i++) {
        horizon_case x;
        answer_draw(&random, run, &x);
        for (unsigned j = 0; j < size->runs; j++)
            answer_once(&x, run, size->steps, &random, &share);
        coverage_fini(&x.c);
    }
    print_message("%u runs: %u yes, %u no, %u of these wrong (%.3g), delta %g\n", share.runs,
                  share.yes, share.no, share.wrong, (double)share.wrong / share.runs, run->delta);
    return share;
}

/* Wrong answers are as rare as promised, and enough runs answer. */
static inline void answer_assert_kept(const answer_size *size, uint64_t number,
                                      const answer_run *run)
{
    answer_share share = answer_count(size, number, run);
    assert_true(exact_is_kept(share.wrong, share.runs, run->delta));
    assert_true(5 * share.yes >= share.runs);
    assert_true(5 * share.no >= share.runs);
}

/* With something wrong, the test notices. */
static inline void answer_assert_broken(const answer_size *size, uint64_t number,
                                        const answer_run *run)
{
    answer_share share = answer_count(size, number, run);
    assert_false(exact_is_kept(share.wrong, share.runs, run->delta));
}

/* ---- the tests ---- */

static void supports(void **state)
{
    answer_run run = {.delta = 0.5, .distance = 0.1, .tuning = {.patience = 1e6}};
    answer_assert_kept(*state, 201, &run);
    run.graph = true;
    answer_assert_kept(*state, 202, &run);
}

static void horizons(void **state)
{
    answer_run run = {.delta = 0.5,
                      .distance = 0.3,
                      .has_horizon = true,
                      .epsilon = 0.02,
                      .tuning = {.patience = 1e6}};
    answer_assert_kept(*state, 203, &run);
    run.lines = true;
    answer_assert_kept(*state, 204, &run);
}

static void narrow_intervals_are_noticed(void **state)
{
    const answer_run run = {.delta = 0.01,
                            .distance = 0.02,
                            .tuning = {.patience = 1e6, .interval_scale = 0.2, .skip_check = true}};
    answer_assert_broken(*state, 205, &run);
}

static void short_times_are_noticed(void **state)
{
    const answer_run run = {.delta = 0.1,
                            .distance = 0.1,
                            .has_horizon = true,
                            .lines = true,
                            .divisor = 4,
                            .epsilon = 0.02,
                            .tuning = {.patience = 1e6}};
    answer_assert_broken(*state, 206, &run);
}

static int answer_cover(answer_size size)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(supports, &size),
        cmocka_unit_test_prestate(horizons, &size),
        cmocka_unit_test_prestate(narrow_intervals_are_noticed, &size),
        cmocka_unit_test_prestate(short_times_are_noticed, &size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
