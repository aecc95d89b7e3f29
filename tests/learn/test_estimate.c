/* SPDX-License-Identifier: MIT */
/*
 * Estimates in chains whose probabilities and recurrence times are known by
 * hand. That intervals hold is tested by repetition, with the exact binomial
 * test at the level of exact_test.h; each such test is also made with a T that
 * is too short, and must then fail.
 */
#include <math.h>

#include <omegapac/omegapac.h>

#include "check/scene.h"
#include "learn/exact_test.h"
#include "learn/small_chain.h"
#include "support/check.h"
#include "support/faults.h"

/*
 * Stays at the start with 0.9, else falls into a or b, with 0.6 and 0.4. All is
 * seen as soon as the sink's loop is: P(not by T) = 0.9^(T-1), so for epsilon =
 * 0.05 the recurrence time is 1 + ceil(ln 0.05 / ln 0.9) = 30, and the start's
 * own loop, which was seen before, wins nothing.
 */
static const small_chain slow = {
    .states = 3, .to = {{0.9, 0.06, 0.04}, {0, 1, 0}, {0, 0, 1}}, .letter = {0, 1, 2}};
enum {
    SLOW_TIME = 30
};

/* The same without waiting: at T = 2 nothing is missed. */
static const small_chain fast = {
    .states = 3, .to = {{0, 0.25, 0.75}, {0, 1, 0}, {0, 0, 1}}, .letter = {0, 1, 2}};

static opac_estimation estimate(const small_chain *chain, const char *text,
                                const opac_estimate_options *options)
{
    opac_environment *environment = small_environment(chain);
    opac_formula *formula = scene_formula(text);
    opac_objective objective = {.formula = formula};
    opac_estimation found;
    opac_error error;
    assert_ok(opac_estimate(environment, &objective, options, &found, &error), &error);
    opac_formula_free(formula);
    opac_environment_free(environment);
    return found;
}

/* Of `runs` estimates, how many miss the truth. */
static unsigned count_misses(const small_chain *chain, const char *text, double truth,
                             opac_estimate_options options, unsigned runs)
{
    unsigned misses = 0;
    for (unsigned i = 0; i < runs; i++) {
        options.seed = i;
        opac_estimation found = estimate(chain, text, &options);
        misses += truth < found.lower || truth > found.upper;
    }
    return misses;
}

/* ---- the promise ---- */

static void intervals_hold(void **state)
{
    (void)state;
    enum {
        RUNS = 80
    };
    opac_estimate_options options = {
        .horizon = SLOW_TIME, .epsilon = 0.05, .delta = 0.2, .threads = 1};
    unsigned misses = count_misses(&slow, "F G a", 0.6, options, RUNS);
    assert_true(exact_is_kept(misses, RUNS, options.delta));
    options.horizon = SLOW_TIME / 3; /* 0.9^9 of the runs have not left yet */
    misses = count_misses(&slow, "F G a", 0.6, options, RUNS);
    assert_false(exact_is_kept(misses, RUNS, options.delta));
}

static void sequential_intervals_hold(void **state)
{
    (void)state;
    enum {
        RUNS = 80
    };
    opac_estimate_options options = {
        .horizon = SLOW_TIME, .epsilon = 0.05, .delta = 0.2, .width = 0.12, .threads = 1};
    unsigned misses = count_misses(&slow, "G F b", 0.4, options, RUNS);
    assert_true(exact_is_kept(misses, RUNS, options.delta));
    options.horizon = SLOW_TIME / 5;
    misses = count_misses(&slow, "G F b", 0.4, options, RUNS);
    assert_false(exact_is_kept(misses, RUNS, options.delta));
}

/* Ended early, in the middle of what was planned. */
static void early_intervals_hold(void **state)
{
    (void)state;
    enum {
        RUNS = 80
    };
    opac_estimate_options options = {.horizon = SLOW_TIME,
                                     .epsilon = 0.05,
                                     .delta = 0.2,
                                     .threads = 1,
                                     .max_steps = SLOW_TIME * 100};
    unsigned misses = count_misses(&slow, "F G a", 0.6, options, RUNS);
    assert_true(exact_is_kept(misses, RUNS, options.delta));
    options.width = 0.07;
    misses = count_misses(&slow, "F G a", 0.6, options, RUNS);
    assert_true(exact_is_kept(misses, RUNS, options.delta));
}

/* Exactly as many trajectories as the theorem asks for, and its 2 epsilon. */
static void hoeffding(void **state)
{
    (void)state;
    opac_estimate_options options = {.horizon = 2, .epsilon = 0.05, .delta = 0.1, .seed = 1};
    opac_estimation found = estimate(&fast, "F a", &options);
    assert_int_equal(found.trajectories, 600); /* ln 20 / 0.005 = 599.1 */
    assert_int_equal(found.wanted.value, 600);
    assert_true(found.value == (double)found.won / 600);
    assert_true(found.lower < found.value - 0.1);
    assert_true(found.upper > found.value + 0.1);
    assert_true(found.lower > found.value - 0.1 - 1e-15);
    assert_true(found.upper < found.value + 0.1 + 1e-15);
    assert_true(found.confidence == 0.9);
    assert_true(found.holds);
    assert_false(found.is_cancelled);
    assert_true(fabs(found.value - 0.25) < 0.1);
    assert_int_equal(found.states_seen, 3);
    assert_true(found.automaton_states > 0);
}

/* A limit costs a sixteenth of delta, even if it is not reached. */
static void limits_have_their_price(void **state)
{
    (void)state;
    opac_estimate_options options = {
        .horizon = 2, .epsilon = 0.05, .delta = 0.1, .seed = 1, .max_steps = 1000000};
    opac_estimation found = estimate(&fast, "F a", &options);
    assert_int_equal(found.trajectories, 613); /* ln (20 · 16/15) / 0.005 = 612.05 */
    assert_int_equal(found.wanted.value, 613);
    assert_true(found.holds);
    assert_true(found.upper - found.lower < 0.2 + 1e-12);
    options.max_steps = 1200; /* most of them: near Hoeffding's */
    found = estimate(&fast, "F G a", &options);
    double n = (double)found.trajectories, half = 0.025 * (1 + 612.05 / n) + 0.05;
    assert_false(found.holds);
    assert_true(n >= 590);
    assert_true(n < 613);
    assert_true(found.upper - found.value < half + 1e-6);
    assert_true(found.value - found.lower < half + 1e-6);
}

/* A certain result needs no second trajectory, but the interval does. */
static void certain(void **state)
{
    (void)state;
    opac_estimate_options options = {.horizon = 40, .epsilon = 0.1, .delta = 0.1};
    opac_estimation found = estimate(&fast, "F (a | b)", &options);
    assert_true(found.won == found.trajectories);
    assert_true(found.value == 1);
    assert_true(found.upper == 1);
    assert_int_equal(found.steps, found.trajectories); /* decided after a step, not after 40 */
    found = estimate(&fast, "G !a & G !b", &options);
    assert_true(found.won == 0);
    assert_true(found.value == 0);
    assert_true(found.lower == 0);
    found = estimate(&fast, "false", &options);
    assert_true(found.won == 0);
    assert_true(found.trajectories == found.wanted.value);
}

static void sequential_width(void **state)
{
    (void)state;
    opac_estimate_options options = {
        .horizon = 2, .epsilon = 0.01, .delta = 0.05, .width = 0.05, .seed = 3};
    opac_estimation middle = estimate(&fast, "F a", &options);
    opac_estimation edge = estimate(&fast, "F (a | b)", &options);
    assert_true(middle.holds);
    assert_true(edge.holds);
    assert_true(middle.upper - middle.value <= 0.05);
    assert_true(middle.value - middle.lower <= 0.05);
    assert_true(middle.upper - middle.value > 0.048 || middle.value - middle.lower > 0.048);
    assert_true(edge.trajectories * 4 < middle.trajectories); /* it follows the variance */
    assert_true(middle.trajectories < middle.wanted.value / 4);
}

/* ---- the end ---- */

static void budget(void **state)
{
    (void)state;
    opac_estimate_options options = {
        .horizon = 10, .epsilon = 0.01, .delta = 0.05, .max_steps = 1005};
    opac_estimation found = estimate(&slow, "F G a", &options);
    assert_false(found.holds);
    assert_false(found.is_cancelled);
    assert_true(found.steps <= 1005);
    assert_true(found.steps + 10 > 1005);
    assert_true(found.trajectories >= 100);
    assert_true(found.upper - found.lower > 0.04);
    options.max_steps = 9; /* not even one */
    found = estimate(&slow, "F G a", &options);
    assert_false(found.holds);
    assert_true(found.trajectories == 0);
    assert_true(found.steps == 0);
    assert_true(isnan(found.value));
    assert_true(found.lower == 0);
    assert_true(found.upper == 1);
    options.width = 0.02;
    found = estimate(&slow, "F G a", &options);
    assert_false(found.holds);
    assert_true(isnan(found.value));
    assert_true(found.lower == 0);
    assert_true(found.upper == 1);
}

static void cancelled(void **state)
{
    (void)state;
    opac_cancel *cancel;
    opac_error error;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_estimate_options options = {
        .horizon = 1000000, .epsilon = 0.001, .delta = 0.05, .cancel = cancel};
    opac_cancel_request(cancel);
    /* Preparation may be cancelled too: then there is no result. */
    opac_environment *environment = small_environment(&slow);
    opac_automaton *automaton =
        scene_automaton("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)\n--BODY--\n"
                        "State: 0 [0] 0 {0} [!0] 0 --END--");
    opac_objective objective = {.automaton = automaton};
    opac_estimation found;
    opac_status status = opac_estimate(environment, &objective, &options, &found, &error);
    assert_true(status == OPAC_OK || status == OPAC_ERROR_CANCELLED);
    if (status == OPAC_OK) {
        assert_true(found.is_cancelled);
        assert_false(found.holds);
        assert_true(found.lower == 0);
        assert_true(found.upper == 1);
    }
    opac_automaton_free(automaton);
    opac_environment_free(environment);
    opac_cancel_free(cancel);
}

static void time_limit(void **state)
{
    (void)state;
    /* One trajectory of this length takes hours. */
    opac_estimate_options options = {
        .horizon = UINT64_C(1) << 40, .epsilon = 0.1, .delta = 0.1, .max_seconds = 0.01};
    opac_estimation found = estimate(&slow, "G F a", &options);
    assert_false(found.holds);
    assert_false(found.is_cancelled);
    assert_true(found.trajectories == 0);
}

/* ---- threads ---- */

static void assert_same(const opac_estimation *a, const opac_estimation *b)
{
    assert_true(a->value == b->value);
    assert_true(a->lower == b->lower);
    assert_true(a->upper == b->upper);
    assert_int_equal(a->won, b->won);
    assert_int_equal(a->trajectories, b->trajectories);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->states_seen, b->states_seen);
    assert_true(a->holds == b->holds);
}

static void threads_agree(void **state)
{
    (void)state;
    opac_estimate_options variants[] = {
        {.horizon = 30, .epsilon = 0.02, .delta = 0.1, .seed = 5},
        {.horizon = 30, .epsilon = 0.02, .delta = 0.1, .seed = 6, .width = 0.05},
        {.horizon = 30, .epsilon = 0.02, .delta = 0.1, .seed = 7, .max_steps = 12345},
    };
    for (size_t i = 0; i < 3; i++) {
        small_chain chain = slow;
        variants[i].threads = 1;
        opac_estimation one = estimate(&chain, "F G a", &variants[i]);
        for (unsigned threads = 2; threads <= 7; threads += 5) {
            variants[i].threads = threads;
            opac_estimation many = estimate(&chain, "F G a", &variants[i]);
            assert_same(&one, &many);
        }
        chain.no_fork = true;
        opac_estimation alone = estimate(&chain, "F G a", &variants[i]);
        assert_same(&one, &alone);
    }
}

static void count_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    (void)line;
    (void)column;
    assert_non_null(strstr(text, "not a function of the seed"));
    ++*(unsigned *)context;
}

/* Forks that begin with the same numbers for every seed: their trajectories are not independent. */
static void seeds_that_are_not_followed(void **state)
{
    (void)state;
    unsigned told = 0;
    opac_estimate_options options = {.horizon = 30,
                                     .epsilon = 0.05,
                                     .delta = 0.1,
                                     .threads = 3,
                                     .notice = count_notice,
                                     .notice_context = &told};
    small_chain chain = slow;
    estimate(&chain, "F G a", &options);
    assert_int_equal(told, 0);
    chain.is_unseeded = true;
    stat_rng_init(&chain.rng, 1, 7);
    estimate(&chain, "F G a", &options);
    assert_int_equal(told, 1);
    options.threads = 1; /* then it does not matter */
    estimate(&chain, "F G a", &options);
    assert_int_equal(told, 1);
}

/* ---- models ---- */

static const char die[] = "dtmc module die s : [0..2] init 0;"
                          "[] s=0 -> 1/3:(s'=1) + 2/3:(s'=2); [] s>0 -> true; endmodule "
                          "label \"a\" = s=1;";

static opac_status estimate_model(const opac_model *model, const opac_objective *objective,
                                  const opac_estimate_options *options, opac_estimation *found,
                                  opac_error *error)
{
    opac_environment *environment;
    opac_status status = opac_environment_of_model(model, NULL, &environment, error);
    if (status != OPAC_OK)
        return status;
    status = opac_estimate(environment, objective, options, found, error);
    opac_environment_free(environment);
    return status;
}

static void models(void **state)
{
    (void)state;
    opac_model *model = scene_model(die, false);
    opac_formula *formula = scene_formula("G F a");
    opac_objective objective = {.formula = formula, .direction = OPAC_DIRECTION_MIN};
    opac_estimate_options options = {.horizon = 2, .epsilon = 0.01, .delta = 0.01, .threads = 1};
    opac_estimation found, again;
    opac_error error;
    assert_ok(estimate_model(model, &objective, &options, &found, &error), &error);
    assert_true(found.holds);
    assert_true(found.lower < 1.0 / 3);
    assert_true(1.0 / 3 < found.upper);
    options.threads = 3;
    assert_ok(estimate_model(model, &objective, &options, &again, &error), &error);
    assert_same(&found, &again);
    opac_formula_free(formula);
    opac_model_free(model);
}

/* ---- mistakes ---- */

static void assert_fails(const small_chain *chain, const opac_objective *objective,
                         opac_estimate_options options, opac_status expected, const char *words)
{
    opac_environment *environment = small_environment(chain);
    opac_estimation found;
    opac_error error = {0};
    assert_status(opac_estimate(environment, objective, &options, &found, &error), expected);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
    opac_environment_free(environment);
}

static void mistakes_in_options(void **state)
{
    (void)state;
    opac_formula *formula = scene_formula("F a");
    opac_objective objective = {.formula = formula};
    const opac_estimate_options good = {.horizon = 2, .epsilon = 0.1, .delta = 0.1};
    opac_estimate_options bad = good;
    bad.horizon = 0;
    assert_fails(&fast, &objective, bad, OPAC_ERROR_ARGUMENT, "horizon");
    bad = good;
    bad.epsilon = 0;
    assert_fails(&fast, &objective, bad, OPAC_ERROR_ARGUMENT, "epsilon");
    bad = good;
    bad.delta = 1;
    assert_fails(&fast, &objective, bad, OPAC_ERROR_ARGUMENT, "delta");
    const double widths[] = {0.1, -1, 1.5, NAN};
    for (size_t i = 0; i < 4; i++) {
        bad = good;
        bad.width = widths[i];
        assert_fails(&fast, &objective, bad, OPAC_ERROR_ARGUMENT, "width");
    }
    bad = good;
    bad.max_seconds = NAN;
    assert_fails(&fast, &objective, bad, OPAC_ERROR_ARGUMENT, "seconds");
    objective.formula = NULL;
    assert_fails(&fast, &objective, good, OPAC_ERROR_ARGUMENT, "formula or an automaton");
    opac_formula_free(formula);
}

static void mistakes_elsewhere(void **state)
{
    (void)state;
    opac_formula *formula = scene_formula("G F a"), *unknown = scene_formula("G F c");
    opac_automaton *guessing =
        scene_automaton("HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)\n--BODY--\n"
                        "State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--");
    opac_objective objective = {.formula = formula};
    const opac_estimate_options options = {
        .horizon = 20, .epsilon = 0.1, .delta = 0.1, .threads = 1, .untested = true};
    small_chain chain = fast;
    chain.most_actions = 2;
    assert_fails(&chain, &objective, options, OPAC_ERROR_ARGUMENT, "not a Markov chain");
    chain = fast;
    chain.fail_at = 100;
    assert_fails(&chain, &objective, options, OPAC_ERROR_SIMULATOR, "on fire");
    chain = fast;
    chain.lie_at = 100;
    assert_fails(&chain, &objective, options, OPAC_ERROR_SIMULATOR, "other labels");
    chain = fast;
    chain.end_at = 100;
    assert_fails(&chain, &objective, options, OPAC_ERROR_SIMULATOR, "actions");
    objective.formula = unknown;
    assert_fails(&fast, &objective, options, OPAC_ERROR_ARGUMENT, "c");
    objective = (opac_objective){.automaton = guessing};
    assert_fails(&fast, &objective, options, OPAC_ERROR_UNSUPPORTED, "deterministic");
    opac_formula_free(formula);
    opac_formula_free(unknown);
    opac_automaton_free(guessing);
}

typedef struct question {
    opac_model *model;
    opac_objective objective;
    opac_estimate_options options;
} question;

static opac_status ask(void *context, opac_error *error)
{
    const question *q = context;
    opac_estimation found;
    return estimate_model(q->model, &q->objective, &q->options, &found, error);
}

static void out_of_memory(void **state)
{
    (void)state;
    opac_formula *formula = scene_formula("G F a");
    question q = {.model = scene_model(die, false),
                  .objective = {.formula = formula},
                  .options = {.horizon = 3, .epsilon = 0.3, .delta = 0.5, .threads = 2}};
    assert_true(faults_sweep(ask, &q) > 20);
    opac_formula_free(formula);
    opac_model_free(q.model);
}

SUITE(estimate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold),
        cmocka_unit_test(sequential_intervals_hold),
        cmocka_unit_test(early_intervals_hold),
        cmocka_unit_test(hoeffding),
        cmocka_unit_test(limits_have_their_price),
        cmocka_unit_test(certain),
        cmocka_unit_test(sequential_width),
        cmocka_unit_test(budget),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(time_limit),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(seeds_that_are_not_followed),
        cmocka_unit_test(models),
        cmocka_unit_test(mistakes_in_options),
        cmocka_unit_test(mistakes_elsewhere),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
