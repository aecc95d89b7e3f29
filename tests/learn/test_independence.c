/* SPDX-License-Identifier: MIT */
/*
 * Learning and estimating with simulators whose episodes are not independent: none gets a guarantee.
 * Deterministic systems are refused unless they are declared deterministic, and a wrong declaration is
 * refuted.
 */
#include <math.h>

#include <omegapac/estimation.h>
#include <omegapac/learning.h>

#include "base/hash.h"
#include "env/env_trial.h"
#include "support/check.h"

typedef enum manner {
    HONEST,
    CONSTANT,      /* all episodes have the same seed */
    FEW,           /* there are 20 seeds */
    TWO,           /* seeds take turns, whatever is asked for */
    SAME_LANES,    /* each lane has the seed of the first one */
    LATER_COPIES,  /* after some steps, all lanes answer as the first one does */
    STAYS,         /* a reset leaves the state as it is */
    POOL,          /* there are `seeds` seeds, and which they are follows from `salt` */
    LATE,          /* random only after some steps (60), which are part of the state */
    DETERMINISTIC, /* no action is random */
    ONE_START,     /* nor is the start, whatever is said of it */
} manner;

enum {
    LANES = 4
};

typedef struct lane {
    uint64_t random;
    int place, time;
    char key[24];
} lane;

typedef struct simulator {
    manner how;
    bool is_chain, is_random_start;
    int late; /* steps, if not 60 */
    uint64_t seeds, salt;
    uint64_t resets, calls;
    uint64_t last; /* the call that fails since `cancel` is asked for; 0: none */
    opac_cancel *cancel;
    uint64_t lane_seed;
    bool is_copying;
    lane one, lanes[LANES];
} simulator;

static uint64_t draw(lane *l)
{
    l->random += UINT64_C(0x9E3779B97F4A7C15);
    return base_hash_word(l->random);
}

/* Steps that are left before anything is random. */
static int early_of(const simulator *s, const lane *l)
{
    int late = s->late > 0 ? s->late : 60;
    return s->how == LATE && l->time < late ? late - l->time : 0;
}

static opac_status see(simulator *s, lane *l, opac_observation *seen, opac_error *error)
{
    bool is_end = s->how != STAYS && (l->place == 3 || l->place == -2);
    if (++s->calls == s->last) {
        opac_cancel_request(s->cancel);
        snprintf(error->message, sizeof error->message, "stopped");
        return OPAC_ERROR_CANCELLED;
    }
    int length = snprintf(l->key, sizeof l->key, "%d after %d", l->place, early_of(s, l));
    *seen = (opac_observation){.key = l->key,
                               .length = (size_t)length,
                               .letter = l->place == 3,
                               .actions = is_end        ? 0
                                          : s->is_chain ? 1
                                                        : 2};
    return OPAC_OK;
}

static opac_status begin(simulator *s, lane *l, uint64_t seed, opac_observation *seen,
                         opac_error *error)
{
    s->resets++;
    l->random = base_hash_word(s->how == CONSTANT ? 5
                               : s->how == FEW    ? seed % 20
                               : s->how == TWO    ? s->resets % 2
                               : s->how == POOL   ? seed % s->seeds + 1000 * s->salt
                                                  : seed);
    l->time = 0;
    if (s->how != STAYS)
        l->place = s->is_random_start && s->how != ONE_START ? (int)(draw(l) % 2) : 0;
    return see(s, l, seen, error);
}

static bool goes_up(simulator *s, lane *l, uint32_t action)
{
    l->time++;
    if (s->how == DETERMINISTIC || s->how == ONE_START)
        return action == 1;
    if (early_of(s, l) > 0)
        return l->time % 2 == 0;
    return draw(l) % 4 < (action == 1 ? 3 : 2);
}

static opac_status go(simulator *s, lane *l, uint32_t action, opac_observation *seen,
                      opac_error *error)
{
    l->place += goes_up(s, l, action) ? 1 : -1;
    if (s->how == STAYS)
        l->place = (l->place + 8) % 8;
    return see(s, l, seen, error);
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    simulator *s = context;
    return begin(s, &s->one, seed, seen, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    simulator *s = context;
    return go(s, &s->one, action, seen, error);
}

static opac_status step_many(void *context, const opac_lane_request *orders, opac_observation *seen,
                             opac_error *error)
{
    simulator *s = context;
    opac_status status = OPAC_OK;
    bool are_resets = true;
    for (uint32_t i = 0; i < LANES && status == OPAC_OK; i++) {
        lane *l = &s->lanes[i];
        if (i == 0 && orders[0].is_reset)
            s->lane_seed = orders[0].seed;
        uint64_t seed = s->how == SAME_LANES ? s->lane_seed : orders[i].seed;
        status = orders[i].is_reset ? begin(s, l, seed, &seen[i], error)
                                    : go(s, l, orders[i].action, &seen[i], error);
        are_resets = are_resets && orders[i].is_reset;
    }
    s->is_copying = s->is_copying || (s->how == LATER_COPIES && are_resets && s->calls > 2000);
    for (uint32_t i = 1; i < LANES && s->is_copying; i++) {
        s->lanes[i] = s->lanes[0];
        seen[i] = seen[0];
    }
    return status;
}

static opac_environment *make(simulator *s, bool has_lanes)
{
    static const char *const names[] = {"goal"};
    const opac_environment_callbacks callbacks = {.reset = reset,
                                                  .step = step,
                                                  .step_many = has_lanes ? step_many : NULL,
                                                  .lanes = has_lanes ? LANES : 0,
                                                  .propositions = names,
                                                  .proposition_count = 1,
                                                  .random_start =
                                                      s->is_random_start || s->how == STAYS};
    opac_environment *environment;
    opac_error error = {0};
    assert_ok(opac_environment_new(&callbacks, s, &environment, &error), &error);
    return environment;
}

typedef struct outcome {
    opac_status status;
    opac_error error;
    opac_learn_report report;
    char statement[600], assumptions[2000], tested[200];
} outcome;

static void keep_words(const opac_learning *learning, outcome *o)
{
    const char *item, *tested = opac_learning_tested(learning);
    snprintf(o->statement, sizeof o->statement, "%s", opac_learning_statement(learning));
    snprintf(o->tested, sizeof o->tested, "%s", tested != NULL ? tested : "");
    for (size_t i = 0; (item = opac_learning_assumption(learning, i)) != NULL; i++) {
        size_t used = strlen(o->assumptions);
        snprintf(o->assumptions + used, sizeof o->assumptions - used, "%s\n", item);
    }
}

static opac_learn_options options_of(bool is_bracket)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = is_bracket ? 0.05 : 0.2;
    options.delta = 0.1;
    options.pmin = is_bracket ? 0.25 : 0;
    options.horizon = 40;
    options.k = 200;
    options.states = 8;
    options.actions = 2;
    options.threads = 1;
    options.max_steps = 400000;
    return options;
}

static outcome learn(simulator *s, bool has_lanes, const opac_learn_options *options,
                     const char *text)
{
    outcome o = {0};
    opac_environment *environment = make(s, has_lanes);
    opac_formula *formula;
    opac_learning *learning;
    assert_ok(opac_formula_parse(text, NULL, &formula, &o.error), &o.error);
    const opac_objective objective = {.formula = formula};
    o.status = opac_learn(environment, &objective, options, &learning, &o.error);
    if (o.status == OPAC_OK) {
        o.report = *opac_learning_report(learning);
        keep_words(learning, &o);
        opac_learning_free(learning);
    }
    opac_formula_free(formula);
    opac_environment_free(environment);
    return o;
}

static void assert_says(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", text, words);
}

/* ---- learning ---- */

static void test_honest_ones_are_learned_on(void **unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++) {
        simulator s = {.how = HONEST, .is_random_start = i % 4 >= 2};
        opac_learn_options options = options_of(i % 2 == 1);
        outcome o = learn(&s, i >= 4, &options, "F goal");
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_DONE);
        assert_says(o.tested, "different seeds");
        assert_says(o.tested, "repeat each other");
    }
}

static void test_copies_are_refused(void **unused)
{
    static const manner manners[] = {CONSTANT, FEW, TWO, STAYS, DETERMINISTIC};
    (void)unused;
    for (size_t m = 0; m < sizeof manners / sizeof *manners; m++)
        for (int i = 0; i < 2; i++) {
            simulator s = {.how = manners[m]};
            opac_learn_options options = options_of(i == 1);
            outcome o = learn(&s, false, &options, manners[m] == STAYS ? "F[0,3] goal" : "F goal");
            if (o.status == OPAC_OK && o.report.end == OPAC_END_REFUTED)
                continue; /* before that: pmin was */
            if (o.status != OPAC_ERROR_SIMULATOR)
                fail_msg("manner %d, bracket %d: no error", (int)manners[m], i);
            assert_says(o.error.message, manners[m] == CONSTANT || manners[m] == DETERMINISTIC
                                             ? "ignores its seeds"
                                             : "not independent");
        }
}

/* Few different episodes, some of which begin alike, so that the evidence grows slowly. A run that is not
 * refused has seen another system, or too little of this one. */
static void test_small_pools_are_refused(void **unused)
{
    unsigned refused = 0, runs = 0;
    (void)unused;
    for (uint64_t seeds = 2; seeds <= 4; seeds++)
        for (uint64_t salt = 1; salt <= 40; salt++, runs++) {
            simulator s = {.how = POOL, .seeds = seeds, .salt = salt};
            opac_learn_options options = options_of(true);
            options.seed = salt;
            outcome o = learn(&s, false, &options, "F goal");
            refused += o.status == OPAC_ERROR_SIMULATOR ||
                       (o.status == OPAC_OK && o.report.end == OPAC_END_REFUTED);
        }
    print_message("%u of %u small pools are refused\n", refused, runs);
    assert_true(refused >= 119);
}

/* They are not used; the simulator is. */
static void test_lanes_that_copy_each_other(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        simulator s = {.how = SAME_LANES};
        opac_learn_options options = options_of(i == 1);
        outcome o = learn(&s, true, &options, "F goal");
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_DONE);
    }
}

/* ---- without knowledge: whole episodes ---- */

static opac_learn_options options_without_knowledge(uint64_t seed)
{
    opac_learn_options options = opac_learn_defaults();
    options.nothing_known = true;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.threads = 1;
    options.seed = seed;
    options.max_steps = 400000;
    return options;
}

/* Only equal episodes prove something here. */
static void test_copies_of_whole_episodes_are_refused(void **unused)
{
    static const simulator simulators[] = {
        {.how = LATER_COPIES}, {.how = FEW}, {.how = POOL, .seeds = 100, .salt = 3}, {.how = TWO}};
    (void)unused;
    for (size_t m = 0; m < sizeof simulators / sizeof *simulators; m++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            simulator s = simulators[m];
            opac_learn_options options = options_without_knowledge(seed);
            outcome o = learn(&s, s.how == LATER_COPIES, &options, "F goal");
            if (o.status != OPAC_ERROR_SIMULATOR)
                fail_msg("manner %d, seed %u: no error", (int)s.how, (unsigned)seed);
            assert_says(o.error.message, "not independent");
        }
}

static void test_whole_episodes_are_tested(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        simulator s = {.how = HONEST, .is_random_start = i % 2 == 1};
        opac_learn_options options = options_without_knowledge(1);
        outcome o = learn(&s, i >= 2, &options, "F goal");
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_DONE);
        assert_says(o.tested, "whole episodes");
    }
}

static void test_late_randomness_is_found(void **unused)
{
    simulator s = {.how = LATE};
    opac_learn_options options = options_of(true);
    (void)unused;
    options.max_steps = 2000;
    outcome o = learn(&s, false, &options, "F goal");
    assert_ok(o.status, &o.error);
}

/* A longer trial has longer episodes. */
static void test_very_late_randomness_takes_a_long_trial(void **unused)
{
    opac_learn_options options = options_of(true);
    (void)unused;
    options.max_steps = 2000;
    for (int i = 0; i < 2; i++) {
        simulator s = {.how = LATE, .late = 3000};
        options.trial_steps = i == 0 ? 0 : 100000;
        outcome o = learn(&s, false, &options, "F goal");
        if (i == 0)
            assert_status(o.status, OPAC_ERROR_SIMULATOR);
        else
            assert_ok(o.status, &o.error);
    }
}

static void test_without_tests(void **unused)
{
    simulator s = {.how = CONSTANT};
    opac_learn_options options = options_of(true);
    (void)unused;
    options.untested = true;
    outcome o = learn(&s, false, &options, "F goal");
    assert_ok(o.status, &o.error);
    assert_says(o.tested, "were disabled");
}

/* ---- deterministic systems ---- */

static void test_deterministic_ones_are_declared(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        simulator s = {.how = DETERMINISTIC};
        opac_learn_options options = options_of(i % 2 == 1);
        options.deterministic = i < 2;
        options.branching = i == 2 ? 1 : 0;
        if (i == 3)
            options.pmin = 1;
        outcome o = learn(&s, false, &options, "F goal");
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_DONE);
        assert_true(o.report.value == 1);
        if (i < 2)
            assert_says(o.assumptions, "the system is deterministic");
        assert_says(o.tested, "no action led to two different states");
    }
}

static void test_wrong_declarations_are_refuted(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        simulator s = {.how = HONEST, .is_random_start = i >= 2};
        opac_learn_options options = options_of(i % 2 == 1);
        options.deterministic = true;
        outcome o = learn(&s, false, &options, "F goal");
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_EXCEEDED);
        assert_false(o.report.holds);
        assert_true(isnan(o.report.lower));
        assert_says(o.statement, "declared deterministic and is not");
        assert_says(o.statement, "led to state '");
        assert_says(o.statement, "and to state '");
        assert_string_equal(o.tested, "");
    }
}

static void test_what_is_implied_by_pmin(void **unused)
{
    simulator s = {.how = DETERMINISTIC, .is_random_start = false};
    opac_learn_options options = options_of(true);
    (void)unused;
    options.pmin = 1;
    outcome o = learn(&s, false, &options, "F goal");
    assert_ok(o.status, &o.error);
    /* The start may be random, for all that is said: nothing was seen of that. */
    simulator other = {.how = CONSTANT, .is_random_start = true};
    o = learn(&other, false, &options, "F goal");
    assert_status(o.status, OPAC_ERROR_SIMULATOR);
    simulator fixed = {.how = ONE_START, .is_random_start = true};
    o = learn(&fixed, false, &options, "F goal");
    assert_status(o.status, OPAC_ERROR_SIMULATOR);
}

/* A random start has a bound of its own: both bounds together make the system deterministic. */
static void test_what_is_implied_by_both_bounds(void **unused)
{
    opac_learn_options options = options_of(true);
    (void)unused;
    options.pmin = 1;
    options.pmin_start = 1;
    simulator fixed = {.how = ONE_START, .is_random_start = true};
    outcome o = learn(&fixed, false, &options, "F goal");
    assert_ok(o.status, &o.error);
    assert_int_equal(o.report.end, OPAC_END_DONE);
    assert_true(o.report.lower == 1);
    assert_says(o.tested, "no action led to two different states");
    simulator wrong = {.how = DETERMINISTIC, .is_random_start = true};
    o = learn(&wrong, false, &options, "F goal");
    assert_ok(o.status, &o.error);
    assert_int_equal(o.report.end, OPAC_END_REFUTED);
    assert_true(isnan(o.report.lower));
    /* Without a bound on them, starts that differ are seen to differ. */
    simulator random = {.how = DETERMINISTIC, .is_random_start = true};
    options.pmin_start = 0;
    o = learn(&random, false, &options, "F goal");
    assert_ok(o.status, &o.error);
    assert_int_equal(o.report.end, OPAC_END_DONE);
    assert_says(o.tested, "different seeds");
    /* A bound on starts alone says nothing about actions. */
    options.pmin = 0.25;
    options.pmin_start = 1;
    simulator copy = {.how = CONSTANT, .is_random_start = true};
    o = learn(&copy, false, &options, "F goal");
    assert_status(o.status, OPAC_ERROR_SIMULATOR);
}

/* ---- requests ---- */

/* Whenever it is cancelled, within the trial or later: that is how the run ends. */
static void test_cancelled_at_any_call(void **unused)
{
    (void)unused;
    for (uint64_t last = 2; last < 400; last += 7) {
        simulator s = {.how = LATE, .last = last};
        opac_learn_options options = options_of(last % 2 == 0);
        opac_error error = {0};
        assert_ok(opac_cancel_new(&s.cancel, &error), &error);
        options.cancel = s.cancel;
        options.states = 1000;
        outcome o = learn(&s, false, &options, "F goal");
        assert_ok(o.status, &o.error);
        assert_int_equal(o.report.end, OPAC_END_CANCELLED);
        opac_cancel_free(s.cancel);
    }
}

/* ---- estimates ---- */

static opac_status estimate(simulator *s, const opac_estimate_options *options,
                            opac_estimation *found, opac_error *error)
{
    opac_environment *environment;
    opac_formula *formula;
    s->is_chain = true;
    environment = make(s, false);
    assert_ok(opac_formula_parse(s->how == STAYS ? "G F goal" : "F goal", NULL, &formula, error),
              error);
    const opac_objective objective = {.formula = formula};
    opac_status status = opac_estimate(environment, &objective, options, found, error);
    opac_formula_free(formula);
    opac_environment_free(environment);
    return status;
}

static void test_estimates(void **unused)
{
    static const manner manners[] = {CONSTANT, FEW, TWO, STAYS, DETERMINISTIC};
    opac_estimate_options options = {.horizon = 40, .epsilon = 0.05, .delta = 0.1, .threads = 2};
    opac_estimation found;
    opac_error error = {0};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        simulator s = {.how = HONEST, .is_random_start = i == 1};
        assert_ok(estimate(&s, &options, &found, &error), &error);
        assert_true(found.holds);
        assert_false(found.is_refuted);
        assert_says(found.tested, "different seeds");
    }
    for (size_t m = 0; m < sizeof manners / sizeof *manners; m++) {
        simulator s = {.how = manners[m]};
        if (estimate(&s, &options, &found, &error) != OPAC_ERROR_SIMULATOR)
            fail_msg("manner %d: no error", (int)manners[m]);
    }
    simulator told = {.how = DETERMINISTIC};
    options.deterministic = true;
    assert_ok(estimate(&told, &options, &found, &error), &error);
    assert_true(found.holds);
    assert_true(found.value == 0);
    assert_says(found.tested, "no action");
    simulator wrong = {.how = HONEST};
    assert_ok(estimate(&wrong, &options, &found, &error), &error);
    assert_true(found.is_refuted);
    assert_false(found.holds);
    assert_true(isnan(found.value));
    assert_true(found.lower == 0);
    assert_true(found.upper == 1);
    assert_says(found.refutation, "led to state '");
    assert_null(found.tested);
}

/* ---- the trial ---- */

static bool never(void *context)
{
    (void)context;
    return false;
}

static void test_trials(void **unused)
{
    opac_error error = {0};
    (void)unused;
    for (uint64_t most = 1; most < 3000; most = 2 * most + 1) {
        simulator s = {.how = DETERMINISTIC};
        opac_environment *environment = make(&s, false);
        env_trial trial = {.seed = most, .max_requests = most, .halt = never};
        assert_ok(env_trial_run(environment, &trial, &error), &error);
        assert_false(trial.differs);
        assert_false(trial.is_halted);
        assert_int_equal(trial.steps, s.calls);
        assert_int_equal(trial.episodes, s.resets);
        assert_true(trial.steps >= most);
        assert_true(trial.steps <= most + 1);
        assert_status(env_trial_fail(&trial, &error),
                      trial.compared > 0 ? OPAC_ERROR_SIMULATOR : OPAC_ERROR_ARGUMENT);
        assert_int_equal(trial.compared, trial.episodes / 2);
        opac_environment_free(environment);
    }
    /* One that differs is done at once. */
    simulator s = {.how = HONEST};
    opac_environment *environment = make(&s, false);
    env_trial trial = {.seed = 1, .max_requests = ENV_TRIAL_STEPS};
    assert_ok(env_trial_run(environment, &trial, &error), &error);
    assert_true(trial.differs);
    assert_true(trial.steps < 100);
    opac_environment_free(environment);
}

SUITE(independence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest_ones_are_learned_on),
        cmocka_unit_test(test_copies_are_refused),
        cmocka_unit_test(test_small_pools_are_refused),
        cmocka_unit_test(test_lanes_that_copy_each_other),
        cmocka_unit_test(test_copies_of_whole_episodes_are_refused),
        cmocka_unit_test(test_whole_episodes_are_tested),
        cmocka_unit_test(test_late_randomness_is_found),
        cmocka_unit_test(test_very_late_randomness_takes_a_long_trial),
        cmocka_unit_test(test_without_tests),
        cmocka_unit_test(test_deterministic_ones_are_declared),
        cmocka_unit_test(test_wrong_declarations_are_refuted),
        cmocka_unit_test(test_what_is_implied_by_pmin),
        cmocka_unit_test(test_what_is_implied_by_both_bounds),
        cmocka_unit_test(test_cancelled_at_any_call),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
