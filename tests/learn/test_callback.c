/* SPDX-License-Identifier: MIT */
/*
 * The learner with a simulator that consists of callbacks: public headers only, keys of several lengths,
 * no model.
 */
#include <omegapac/learning.h>

#include "support/check.h"

/* A lift: floors 0 to 3, up and down, each of which fails with one in four. Keys are words. */
typedef struct lift {
    uint64_t random;
    int floor;
} lift;

static const char *const floors[] = {"ground", "first", "second", "roof"};
static unsigned released;

static uint64_t draw(lift *l)
{
    l->random += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t word = l->random;
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

static void show(const lift *l, opac_observation *seen)
{
    *seen = (opac_observation){.key = floors[l->floor],
                               .length = strlen(floors[l->floor]),
                               .letter = (l->floor == 0 ? 1u : 0) | (l->floor == 3 ? 2u : 0),
                               .actions = 2};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    lift *l = context;
    (void)error;
    l->random = seed;
    l->floor = 0;
    show(l, seen);
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    lift *l = context;
    (void)error;
    if (draw(l) % 4 > 0) {
        l->floor += action == 0 ? 1 : -1;
        l->floor = l->floor < 0 ? 0 : l->floor > 3 ? 3 : l->floor;
    }
    show(l, seen);
    return OPAC_OK;
}

static void release(void *context)
{
    (void)context;
    released++;
}

static void test_a_lift(void **unused)
{
    static const char *const names[] = {"ground", "roof"};
    lift simulator = {0};
    const opac_environment_callbacks callbacks = {.reset = reset,
                                                  .step = step,
                                                  .release = release,
                                                  .propositions = names,
                                                  .proposition_count = 2};
    opac_environment *environment;
    opac_formula *formula;
    opac_learning *learning;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_environment_new(&callbacks, &simulator, &environment, &error), &error);
    assert_ok(opac_formula_parse("G F ground & G F roof", NULL, &formula, &error), &error);
    const opac_objective objective = {.formula = formula};
    opac_learn_options options = opac_learn_defaults();
    options.horizon = 60;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.k_rule = OPAC_K_L1;
    options.target = 0.9;
    options.states = 4;
    options.actions = 2;
    options.branching = 2;
    assert_ok(opac_learn(environment, &objective, &options, &learning, &error), &error);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_int_equal(report->end, OPAC_END_DONE);
    assert_true(report->holds);
    assert_true(report->value == 1);
    assert_true(report->upper == 1);
    assert_true(report->lower > 0.5);
    assert_int_equal(report->states_seen, 4);
    assert_int_equal(opac_automaton_states(opac_learning_automaton(learning)), 2);
    /* Run it: the lift goes from one end to the other, again and again. */
    opac_observation seen;
    unsigned ends = 0;
    int last = 0;
    reset(&simulator, 7, &seen, &error);
    uint32_t memory = opac_learning_start(learning, seen.key, seen.length);
    for (int i = 0; i < 4000; i++) {
        uint32_t action = opac_learning_act(learning, seen.key, seen.length, &memory);
        step(&simulator, action, &seen, &error);
        if ((simulator.floor == 0 || simulator.floor == 3) && simulator.floor != last) {
            last = simulator.floor;
            ends++;
        }
    }
    assert_true(ends > 500);
    opac_learning_free(learning);
    opac_formula_free(formula);
    opac_environment_free(environment);
    assert_int_equal(released, 1);
}

/* Errors of the simulator are errors of the run. */
static opac_status fail_step(void *context, uint32_t action, opac_observation *seen,
                             opac_error *error)
{
    lift *l = context;
    if (l->floor < 2)
        return step(context, action, seen, error);
    snprintf(error->message, sizeof error->message, "the cable is torn");
    return OPAC_ERROR_IO;
}

static void test_a_torn_cable(void **unused)
{
    static const char *const names[] = {"ground", "roof"};
    lift simulator = {0};
    const opac_environment_callbacks callbacks = {
        .reset = reset, .step = fail_step, .propositions = names, .proposition_count = 2};
    opac_environment *environment;
    opac_formula *formula;
    opac_learning *learning;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_environment_new(&callbacks, &simulator, &environment, &error), &error);
    assert_ok(opac_formula_parse("G F roof", NULL, &formula, &error), &error);
    const opac_objective objective = {.formula = formula};
    opac_learn_options options = opac_learn_defaults();
    options.horizon = 60;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.k = 100;
    assert_status(opac_learn(environment, &objective, &options, &learning, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_non_null(strstr(error.message, "the cable is torn"));
    assert_null(learning);
    opac_formula_free(formula);
    opac_environment_free(environment);
}

SUITE(callback)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lift),
        cmocka_unit_test(test_a_torn_cable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
