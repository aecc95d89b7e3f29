/* SPDX-License-Identifier: MIT */
/* The limit on memory, in environments with ever new states; and the limit on actions of a state. */
#include <omegapac/estimation.h>
#include <omegapac/learning.h>

#include "base/hash.h"
#include "base/memory.h"
#include "support/check.h"

typedef struct grower {
    uint64_t random;
    bool is_chain;
    uint32_t actions;
    char key[1024];
} grower;

static opac_status see(grower *g, opac_observation *seen)
{
    memcpy(g->key, &g->random, sizeof g->random);
    *seen = (opac_observation){
        .key = g->key, .length = sizeof g->key, .actions = g->is_chain ? 1 : g->actions};
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    grower *g = context;
    (void)error;
    g->random = seed;
    return see(g, seen);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    grower *g = context;
    (void)error;
    g->random = base_hash_word(g->random + action + 1);
    return see(g, seen);
}

static opac_environment *make(grower *g)
{
    static const char *const names[] = {"goal"};
    const opac_environment_callbacks callbacks = {.reset = reset,
                                                  .step = step,
                                                  .propositions = names,
                                                  .proposition_count = 1,
                                                  .random_start = true};
    opac_environment *environment;
    opac_error error = {0};
    assert_ok(opac_environment_new(&callbacks, g, &environment, &error), &error);
    return environment;
}

static opac_formula *parse(const char *text)
{
    opac_formula *formula;
    opac_error error = {0};
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    return formula;
}

static void test_learning_ends(void **unused)
{
    opac_formula *formula = parse("F goal");
    const opac_objective objective = {.formula = formula};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        grower g = {.actions = 2};
        opac_environment *environment = make(&g);
        opac_learn_options options = opac_learn_defaults();
        opac_learning *learning;
        opac_error error = {0};
        options.epsilon = options.delta = 0.1;
        options.pmin = i == 0 ? 1e-9 : 0;
        options.horizon = 1000;
        options.k = 10;
        options.max_memory = 8 << 20;
        options.max_steps = 10000000;
        uint64_t before = base_memory_used();
        assert_ok(opac_learn(environment, &objective, &options, &learning, &error), &error);
        assert_int_equal(opac_learning_report(learning)->end, OPAC_END_MEMORY);
        assert_non_null(strstr(opac_learning_statement(learning), "memory"));
        assert_true(base_memory_used() < before + (64 << 20));
        opac_learning_free(learning);
        opac_environment_free(environment);
    }
    opac_formula_free(formula);
}

static void test_estimates_end(void **unused)
{
    opac_formula *formula = parse("F goal");
    const opac_objective objective = {.formula = formula};
    grower g = {.is_chain = true};
    opac_environment *environment = make(&g);
    const opac_estimate_options options = {
        .horizon = 1000, .epsilon = 0.01, .delta = 0.1, .threads = 1, .max_memory = 8 << 20};
    opac_estimation found;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_estimate(environment, &objective, &options, &found, &error), &error);
    assert_true(found.is_full);
    assert_false(found.holds);
    opac_environment_free(environment);
    opac_formula_free(formula);
}

static void test_many_actions_are_refused(void **unused)
{
    opac_error error = {0};
    opac_observation seen;
    (void)unused;
    for (uint32_t actions = OPAC_MAX_ACTIONS; actions <= 10000000; actions += 8951424) {
        grower g = {.actions = actions};
        opac_environment *environment = make(&g);
        opac_status status = opac_environment_reset(environment, 1, &seen, &error);
        assert_status(status, actions > OPAC_MAX_ACTIONS ? OPAC_ERROR_SIMULATOR : OPAC_OK);
        opac_environment_free(environment);
    }
    assert_non_null(strstr(error.message, "10000000 actions, but may have at most 1048576"));
}

SUITE(memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learning_ends),
        cmocka_unit_test(test_estimates_end),
        cmocka_unit_test(test_many_actions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
