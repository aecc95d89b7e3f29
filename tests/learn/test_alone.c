/* SPDX-License-Identifier: MIT */
/*
 * The learner linked with the callback environment only: no models, no readers, no model checker. That
 * this program links is the test; that it learns and estimates shows that nothing is missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <omegapac/omegapac.h>

/* Action 0 of state 0 wins with probability 1/2, action 1 never; 1 and 2 cannot be left. */
typedef struct coin {
    uint64_t random;
    unsigned char state;
    uint32_t actions; /* of state 0 */
} coin;

static void show(const coin *c, opac_observation *seen)
{
    *seen = (opac_observation){.key = &c->state,
                               .length = 1,
                               .letter = c->state == 1,
                               .actions = c->state == 0 ? c->actions : 0};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    coin *c = context;
    (void)error;
    c->random = seed;
    c->state = 0;
    show(c, seen);
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    coin *c = context;
    (void)error;
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    c->state = action == 0 && c->random >> 63 == 0 ? 1 : 2;
    show(c, seen);
    return OPAC_OK;
}

static opac_environment *environment(coin *c)
{
    static const char *const names[] = {"won"};
    const opac_environment_callbacks calls = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
    opac_environment *env;
    opac_error error;
    assert_int_equal(opac_environment_new(&calls, c, &env, &error), OPAC_OK);
    return env;
}

static opac_formula *formula(void)
{
    opac_formula *made;
    opac_error error;
    assert_int_equal(opac_formula_parse("F won", NULL, &made, &error), OPAC_OK);
    return made;
}

static void test_learn(void **unused)
{
    coin c = {.actions = 2};
    opac_environment *env = environment(&c);
    opac_formula *f = formula();
    const opac_objective objective = {.formula = f};
    opac_learn_options options = opac_learn_defaults();
    opac_learning *l;
    opac_error error;
    unsigned char start = 0;
    (void)unused;
    options.epsilon = options.delta = 0.1;
    options.horizon = 4;
    options.k_rule = OPAC_K_L1;
    options.states = 3;
    options.actions = 2;
    assert_int_equal(opac_learn(env, &objective, &options, &l, &error), OPAC_OK);
    const opac_learn_report *r = opac_learning_report(l);
    assert_true(r->holds);
    assert_true(r->lower <= 0.5);
    assert_true(r->upper >= 0.5);
    uint32_t memory = opac_learning_start(l, &start, 1);
    assert_int_equal(opac_learning_act(l, &start, 1, &memory), 0);
    opac_learning_free(l);
    opac_formula_free(f);
    opac_environment_free(env);
}

static void test_estimate(void **unused)
{
    coin c = {.actions = 1};
    opac_environment *env = environment(&c);
    opac_formula *f = formula();
    const opac_objective objective = {.formula = f};
    opac_estimate_options options = {.seed = 1};
    opac_estimation e;
    opac_error error;
    (void)unused;
    options.epsilon = options.delta = 0.1;
    options.horizon = 4;
    assert_int_equal(opac_estimate(env, &objective, &options, &e, &error), OPAC_OK);
    assert_true(e.lower <= 0.5);
    assert_true(e.upper >= 0.5);
    opac_formula_free(f);
    opac_environment_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learn),
                                       cmocka_unit_test(test_estimate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
