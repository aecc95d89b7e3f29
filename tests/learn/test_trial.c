/* SPDX-License-Identifier: MIT */
/*
 * Observations in the trial of a simulator must not contradict its declarations or the assumptions:
 * otherwise the run has no result, for any seed. Without the trial a short run may not observe the
 * contradiction; to show that these tests can fail, the same runs without a trial make false claims.
 */
#include <math.h>

#include <omegapac/estimation.h>
#include <omegapac/learning.h>

#include "base/hash.h"
#include "support/check.h"

enum {
    SEEDS = 100
};

/* State 0 leads to the goal, 1, with probability 0.3, to 2 with 0.3, else to itself. */
typedef struct simulator {
    bool starts_anywhere;  /* though it declares that its start is fixed */
    bool is_mostly_one;    /* then: it starts in 1 with probability 0.9, else in 2 */
    bool changes_letters;  /* of state 2, from episode to episode */
    bool starts_at_random; /* and says so */
    bool has_one_state;    /* 1, without actions */
    bool can_draw;
    bool draws_alike;           /* whatever the seed of a draw is */
    bool has_graph, lacks_edge; /* the latter: that from 0 to 2 */
    uint64_t random;
    char state;
} simulator;

static double draw(simulator *s)
{
    s->random += UINT64_C(0x9E3779B97F4A7C15);
    return (double)(base_hash_word(s->random) >> 11) * 0x1p-53;
}

static void see(simulator *s, opac_observation *seen)
{
    bool is_odd = s->changes_letters && s->state == 2 && s->random % 2 == 1;
    *seen = (opac_observation){.key = &s->state,
                               .length = 1,
                               .letter = s->state == 1 || is_odd,
                               .actions = !s->has_one_state};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    simulator *s = context;
    (void)error;
    s->random = seed;
    bool is_random = s->starts_anywhere || s->starts_at_random;
    s->state = (char)(s->has_one_state ? 1 : is_random ? (int)(3 * draw(s)) : 0);
    if (s->starts_anywhere && s->is_mostly_one)
        s->state = draw(s) < 0.9 ? 1 : 2;
    see(s, seen);
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    simulator *s = context;
    (void)action;
    (void)error;
    double drawn = draw(s);
    if (s->state == 0)
        s->state = drawn < 0.3 ? 1 : drawn < 0.6 ? 2 : 0;
    see(s, seen);
    return OPAC_OK;
}

static opac_status draw_many(void *context, const void *key, size_t length, uint32_t action,
                             uint64_t n, uint64_t seed, opac_draws *draws, opac_error *error)
{
    const simulator *s = context;
    simulator other = {.random = s->draws_alike ? 3 : seed};
    uint64_t counts[3] = {0};
    (void)length;
    (void)action;
    for (uint64_t i = 0; i < n; i++) {
        opac_observation seen;
        other.state = key != NULL ? *(const char *)key : 0;
        step(&other, 0, &seen, error);
        counts[(int)other.state]++;
    }
    opac_status status = OPAC_OK;
    for (char i = 0; i < 3 && status == OPAC_OK; i++) {
        opac_observation seen;
        other.state = i;
        see(&other, &seen);
        if (counts[(int)i] > 0)
            status = opac_draws_add(draws, &seen, counts[(int)i], error);
    }
    return status;
}

static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    const simulator *s = context;
    char from = key != NULL ? *(const char *)key : 0;
    opac_status status = OPAC_OK;
    (void)length;
    (void)action;
    for (char to = 0; to < 3 && status == OPAC_OK; to++) {
        simulator other = {.state = to};
        opac_observation seen;
        bool is_edge = key == NULL ? to == 0 : from > 0 ? to == from : to < 2 || !s->lacks_edge;
        see(&other, &seen);
        if (is_edge)
            status = opac_draws_add(draws, &seen, 1, error);
    }
    return status;
}

static opac_environment *make(simulator *s)
{
    static const char *const names[] = {"goal"};
    const opac_environment_callbacks callbacks = {.reset = reset,
                                                  .step = step,
                                                  .draw = s->can_draw ? draw_many : NULL,
                                                  .successors = s->has_graph ? successors : NULL,
                                                  .propositions = names,
                                                  .proposition_count = 1,
                                                  .random_start = s->starts_at_random};
    opac_environment *environment;
    opac_error error = {0};
    assert_ok(opac_environment_new(&callbacks, s, &environment, &error), &error);
    return environment;
}

typedef struct outcome {
    opac_status status;
    opac_error error;
    opac_learn_report report;
    char statement[600], tested[200];
} outcome;

static opac_learn_options options_of(uint64_t seed)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = options.delta = 0.1;
    options.pmin = 0.3;
    options.seed = seed;
    options.threads = 1;
    return options;
}

static outcome learn(simulator *s, const opac_learn_options *asked)
{
    outcome o = {0};
    opac_environment *environment = make(s);
    opac_learn_options options = *asked;
    if (s->has_graph) {
        options.pmin = 0;
        options.graph = environment;
    }
    opac_formula *formula;
    opac_learning *learning = NULL;
    assert_ok(opac_formula_parse("F goal", NULL, &formula, &o.error), &o.error);
    const opac_objective objective = {.formula = formula};
    o.status = opac_learn(environment, &objective, &options, &learning, &o.error);
    if (o.status == OPAC_OK) {
        const char *tested = opac_learning_tested(learning);
        o.report = *opac_learning_report(learning);
        snprintf(o.statement, sizeof o.statement, "%s", opac_learning_statement(learning));
        snprintf(o.tested, sizeof o.tested, "%s", tested != NULL ? tested : "");
    }
    opac_learning_free(learning);
    opac_formula_free(formula);
    opac_environment_free(environment);
    return o;
}

static bool is_false_claim_of(const outcome *o, double truth)
{
    return o->status == OPAC_OK && o->report.holds &&
           !(o->report.lower <= truth && o->report.upper >= truth);
}

/* The truth is 1/2, whether it starts in 0 or anywhere. */
static bool is_false_claim(const outcome *o)
{
    return is_false_claim_of(o, 0.5);
}

static void test_a_start_that_is_not_fixed(void **unused)
{
    unsigned untested = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        simulator s = {.starts_anywhere = true, .is_mostly_one = seed % 2 == 1};
        opac_learn_options options = options_of(seed);
        outcome o = learn(&s, &options);
        assert_status(o.status, OPAC_ERROR_SIMULATOR);
        assert_non_null(strstr(o.error.message, "resets are not random"));
        options.untested = true;
        o = learn(&s, &options);
        untested += is_false_claim_of(&o, s.is_mostly_one ? 0.9 : 0.5);
    }
    assert_true(untested > SEEDS / 4); /* of SEEDS / 2 that mostly start in 1 */
}

static void test_letters_that_change(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        simulator s = {.changes_letters = true};
        opac_learn_options options = options_of(seed);
        outcome o = learn(&s, &options);
        assert_status(o.status, OPAC_ERROR_SIMULATOR);
        assert_non_null(strstr(o.error.message, "was observed with"));
    }
}

/* Each with one declaration that three successors of state 0 contradict. */
static void test_declared_sizes(void **unused)
{
    unsigned untested = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        for (int which = 0; which < 3; which++) {
            simulator s = {0};
            opac_learn_options options = options_of(seed);
            options.branching = which == 0 ? 2 : 0;
            options.pmin = which == 1 ? 0.5 : 0.3;
            options.states = which == 2 ? 2 : 0;
            outcome o = learn(&s, &options);
            assert_ok(o.status, &o.error);
            assert_false(o.report.holds);
            assert_true(isnan(o.report.lower));
            assert_int_equal(o.report.end, which == 1 ? OPAC_END_REFUTED : OPAC_END_EXCEEDED);
            assert_non_null(strstr(o.statement, which == 1 ? "led to 3 different states" : "more"));
            options.untested = true;
            o = learn(&s, &options);
            untested += is_false_claim(&o);
        }
    }
    assert_true(untested > SEEDS / 4);
}

/* Three starts, of which each is declared to have a probability of at least 1/2. */
static void test_declared_starts(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        simulator s = {.starts_at_random = true};
        opac_learn_options options = options_of(seed);
        options.pmin_start = 0.5;
        outcome o = learn(&s, &options);
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_REFUTED);
        assert_non_null(strstr(o.statement, "the reset led to 3 different states"));
    }
}

/* Sizes also bound the runs with T. */
static void test_declared_sizes_with_a_horizon(void **unused)
{
    (void)unused;
    simulator s = {0};
    opac_learn_options options = options_of(1);
    options.pmin = 0;
    options.horizon = 20;
    options.states = 3;
    options.actions = 1;
    options.branching = 2;
    options.k = 5;
    outcome o = learn(&s, &options);
    assert_ok(o.status, &o.error);
    assert_int_equal(o.report.end, OPAC_END_EXCEEDED);
}

/* Also where the start alone decides everything, so that nothing is sampled. */
static void test_a_claim_without_steps(void **unused)
{
    (void)unused;
    for (int has_horizon = 0; has_horizon < 2; has_horizon++) {
        simulator s = {.has_one_state = true};
        opac_learn_options options = options_of(1);
        if (has_horizon) {
            options.pmin = 0;
            options.horizon = 3;
            options.states = options.actions = 1;
            options.k = 1;
        }
        outcome o = learn(&s, &options);
        assert_status(o.status, OPAC_ERROR_SIMULATOR);
        assert_non_null(strstr(o.error.message, "ignores its seeds"));
        options.deterministic = true;
        o = learn(&s, &options);
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.steps, 0);
    }
    simulator lucky = {.starts_at_random = true};
    opac_learn_options options = options_of(1);
    options.max_steps = 1;
    outcome o = learn(&lucky, &options);
    assert_ok(o.status, &o.error);
    assert_string_equal(o.tested, "different seeds give different episodes");
}

/* Without the edge to 2 the goal is certain, and no step is needed to know it. */
static void test_a_graph_that_lacks_an_edge(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        simulator whole = {.has_graph = true}, wrong = {.has_graph = true, .lacks_edge = true};
        opac_learn_options options = options_of(seed);
        outcome o = learn(&whole, &options);
        assert_ok(o.status, &o.error);
        assert_true(o.report.holds);
        assert_false(is_false_claim(&o));
        o = learn(&wrong, &options);
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_REFUTED);
        assert_int_equal(o.report.steps, 0);
        assert_non_null(strstr(o.statement, "where the graph has no edge"));
        options.untested = true;
        o = learn(&wrong, &options);
        assert_true(is_false_claim(&o));
    }
}

/* Draws are tried where they are used. */
static void test_draws_of_one_seed(void **unused)
{
    unsigned untested = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        simulator honest = {.can_draw = true}, alike = {.can_draw = true, .draws_alike = true};
        opac_learn_options options = options_of(seed);
        outcome o = learn(&alike, &options); /* by episodes */
        assert_ok(o.status, &o.error);
        options.explore = OPAC_EXPLORE_GENERATIVE;
        o = learn(&honest, &options);
        assert_ok(o.status, &o.error);
        assert_true(o.report.holds);
        o = learn(&alike, &options);
        assert_status(o.status, OPAC_ERROR_SIMULATOR);
        assert_non_null(strstr(o.error.message, "draws do not depend on the seed"));
        options.untested = true;
        o = learn(&alike, &options);
        untested += is_false_claim(&o);
    }
    assert_true(untested > SEEDS / 2);
}

static void test_a_trial_that_compares_nothing(void **unused)
{
    (void)unused;
    for (uint64_t steps = 1; steps <= 2; steps++) {
        simulator s = {0};
        opac_learn_options options = options_of(1);
        options.trial_steps = steps;
        outcome o = learn(&s, &options);
        assert_status(o.status, OPAC_ERROR_ARGUMENT);
        assert_non_null(strstr(o.error.message, "too short to compare"));
    }
}

static void test_estimates(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        simulator s = {.starts_anywhere = true};
        opac_environment *environment = make(&s);
        opac_formula *formula;
        opac_estimation found;
        opac_error error = {0};
        assert_ok(opac_formula_parse("F goal", NULL, &formula, &error), &error);
        const opac_objective objective = {.formula = formula};
        const opac_estimate_options options = {
            .epsilon = 0.1, .delta = 0.1, .horizon = 30, .seed = seed, .threads = 1};
        assert_status(opac_estimate(environment, &objective, &options, &found, &error),
                      OPAC_ERROR_SIMULATOR);
        opac_formula_free(formula);
        opac_environment_free(environment);
    }
}

SUITE(trial)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_start_that_is_not_fixed),
        cmocka_unit_test(test_letters_that_change),
        cmocka_unit_test(test_declared_sizes),
        cmocka_unit_test(test_declared_starts),
        cmocka_unit_test(test_declared_sizes_with_a_horizon),
        cmocka_unit_test(test_a_claim_without_steps),
        cmocka_unit_test(test_a_graph_that_lacks_an_edge),
        cmocka_unit_test(test_draws_of_one_seed),
        cmocka_unit_test(test_a_trial_that_compares_nothing),
        cmocka_unit_test(test_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
