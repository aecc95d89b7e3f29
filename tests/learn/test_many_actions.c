/* SPDX-License-Identifier: MIT */
/*
 * A state with very many actions, few of which a run takes: each solve examines all of them, so there
 * must be few solves, although there are only two states.
 */
#include <omegapac/learning.h>

#include "support/check.h"

enum {
    ACTIONS = 200000,
    STEPS = 4000
};

typedef struct lottery {
    uint64_t random;
    uint32_t at; /* 0: draws; 1: has won; 2: has lost */
} lottery;

static void show(const lottery *l, opac_observation *seen)
{
    *seen = (opac_observation){.key = &l->at,
                               .length = sizeof l->at,
                               .letter = l->at == 1,
                               .actions = l->at == 0 ? ACTIONS : 1};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    lottery *l = context;
    (void)error;
    *l = (lottery){.random = seed};
    show(l, seen);
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    lottery *l = context;
    (void)action;
    (void)error;
    l->random = l->random * UINT64_C(6364136223846793005) + 1;
    if (l->at == 0)
        l->at = l->random >> 62 < 3 ? (uint32_t)(l->random >> 62) : 0;
    show(l, seen);
    return OPAC_OK;
}

static opac_learn_report learn(double pmin)
{
    static const char *const names[] = {"won"};
    const opac_environment_callbacks callbacks = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
    opac_environment *env;
    opac_formula *formula;
    opac_learning *learning;
    opac_error error = {0};
    lottery simulator = {0};
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = options.delta = 0.1;
    options.max_steps = STEPS;
    options.threads = 1;
    options.pmin = pmin;
    options.k = pmin > 0 ? 0 : 3;
    options.horizon = 20;
    assert_ok(opac_environment_new(&callbacks, &simulator, &env, &error), &error);
    assert_ok(opac_formula_parse("F won", NULL, &formula, &error), &error);
    const opac_objective objective = {.formula = formula};
    assert_ok(opac_learn(env, &objective, &options, &learning, &error), &error);
    opac_learn_report report = *opac_learning_report(learning);
    opac_learning_free(learning);
    opac_formula_free(formula);
    opac_environment_free(env);
    return report;
}

/* Each action that becomes known leaves many that are not: nothing is to be solved. */
static void test_counted(void **unused)
{
    (void)unused;
    opac_learn_report report = learn(0);
    assert_true(report.known > 50);
    assert_true(report.solves < 10);
}

/* A round has some more steps. */
static void test_bracketed(void **unused)
{
    (void)unused;
    opac_learn_report report = learn(0.25);
    assert_true(report.complete > 25); /* trials take a part of the steps */
    assert_true(report.policies < 40);
    assert_true(report.lower > 0);
    assert_true(report.lower < 0.5);
    assert_true(report.optimum_upper == 1);
}

SUITE(many_actions)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_bracketed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
