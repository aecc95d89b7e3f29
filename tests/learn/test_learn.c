/* SPDX-License-Identifier: MIT */
/* Complete runs in small environments: the policy, the report, and the ends of runs. */
#include "chain.h"

static void test_chain_is_learned_as_often_as_it_should(void **unused)
{
    (void)unused;
    check_chain(300, 4);
}

static void test_gridworld_is_learned_from_few_samples(void **unused)
{
    table_state states[6];
    (void)unused;
    gridworld_make(states);
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(306, 50);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_int_equal(r->end, OPAC_END_DONE);
    assert_true(r->value == 1);
    assert_false(r->holds);
    assert_true(isnan(r->accuracy));
    assert_true(isnan(r->error));
    assert_true(isnan(r->lower));
    assert_true(isnan(r->k_wanted.log10));
    assert_int_equal(r->states_seen, 6);
    assert_int_equal(r->product_reachable, 11);
    assert_true(r->known >= 22);
    assert_true(r->known <= 24);
    assert_int_equal(r->sampler, OPAC_SAMPLER_STEP);
    assert_int_equal(r->horizon_check, OPAC_HORIZON_UNCHECKED);
    assert_non_null(strstr(opac_learning_statement(l), "no bound on the states"));
    opac_learning_free(l);
    opac_environment_free(env);
}

/* The policy, run by keys, visits both forever. */
static void test_policy_runs_by_keys(void **unused)
{
    table_state states[6];
    unsigned visits[6] = {0};
    stat_rng rng;
    (void)unused;
    gridworld_make(states);
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(306, 200);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    stat_rng_init(&rng, 3, 3);
    table t = {.states = states, .rng = rng};
    opac_observation seen;
    uint32_t memory = opac_learning_start(l, &t.at, sizeof t.at);
    for (int i = 0; i < 20000; i++) {
        visits[t.at]++;
        uint32_t action = opac_learning_act(l, &t.at, sizeof t.at, &memory);
        table_step(&t, action, &seen, NULL);
    }
    assert_true(visits[0] > 200);
    assert_true(visits[2] > 200);
    assert_true(visits[4] == 0);
    uint32_t stranger = 99, same = memory;
    assert_int_equal(opac_learning_act(l, &stranger, sizeof stranger, &same), 0);
    assert_int_equal(same, memory);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- the guarantee ---- */

/* A coin that is thrown for good: T = 2 (G F a, two sinks). */
static const table_state coin[] = {
    {.actions = 2, .action = {{.p = {0.5, 0.5}, .to = {1, 2}}, {.p = {0.9, 0.1}, .to = {1, 2}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {1}}}},
    {.letter = 0, .actions = 1, .action = {{.p = {1}, .to = {2}}}}};

static void declare(opac_learn_options *options, uint64_t states, uint64_t actions, uint64_t m)
{
    options->states = states;
    options->actions = actions;
    options->branching = m;
}

static void test_guarantee_that_holds(void **unused)
{
    opac_environment *env = table_environment(coin, 0, false);
    opac_learn_options options = learning_options(2, 0);
    (void)unused;
    declare(&options, 3, 2, 2);
    opac_learning *l = learning_of(env, "G F a", &options);
    const opac_learn_report *r = opac_learning_report(l);
    opac_bound_params params = {3, 2, 2, 0.05, 0.1, 2};
    opac_count k;
    assert_ok(opac_bound_k(&params, OPAC_K_L1, &k, NULL), &(opac_error){0});
    assert_true(r->holds);
    assert_int_equal(r->k, k.value);
    assert_int_equal(r->k_wanted.value, k.value);
    assert_true(r->accuracy <= 0.05 + 1e-12);
    assert_true(r->accuracy > 0.0499);
    assert_true(fabs(r->error - 0.2) < 1e-3);
    assert_true(r->solver >= 0);
    assert_true(r->risk == 0);
    assert_true(fabs(r->value - 0.9) < 0.05);
    assert_true(fabs(r->lower - (r->value - 0.1)) < 1e-3);
    assert_true(r->upper == 1);
    assert_true(r->optimum_upper == 1);
    assert_true(r->confidence == 0.9);
    assert_int_equal(r->horizon_check, OPAC_HORIZON_CONSISTENT);
    assert_int_equal(r->horizon_found, 2);
    assert_int_equal(r->samples, 4 * k.value);
    assert_int_equal(r->theory_states, 3);
    assert_int_equal(r->product_states.value, 3 * r->automaton_states);
    assert_non_null(strstr(opac_learning_statement(l), "with confidence 0.9"));
    size_t assumptions = 0;
    while (opac_learning_assumption(l, assumptions) != NULL)
        assumptions++;
    assert_int_equal(assumptions, 6);
    assert_non_null(strstr(opac_learning_assumption(l, 5), "begins in the same state"));
    assert_non_null(strstr(opac_learning_assumption(l, 0), "T = 2"));
    assert_non_null(strstr(opac_learning_assumption(l, 1), "at most 3 states"));
    assert_non_null(strstr(opac_learning_assumption(l, 2), "at most 2 actions"));
    assert_non_null(strstr(opac_learning_assumption(l, 3), "m = 2"));
    opac_learning_free(l);
    opac_environment_free(env);
}

/* The same run, promised less or more. */
static void test_k_below_theory_and_targets(void **unused)
{
    opac_environment *env = table_environment(coin, 0, false);
    opac_learn_options options = learning_options(2, 1000);
    (void)unused;
    declare(&options, 3, 2, 2);
    opac_learning *l = learning_of(env, "G F a", &options);
    const opac_learn_report *r = opac_learning_report(l);
    double error = r->error;
    assert_false(r->holds);
    assert_true(isnan(r->lower));
    assert_true(isnan(r->upper));
    assert_true(isnan(r->optimum_upper));
    assert_true(error > 0.2);
    assert_true(error < 1);
    assert_non_null(strstr(opac_learning_statement(l), "k = 1000 is below the "));
    assert_non_null(strstr(opac_learning_statement(l), "which can be set as target"));
    opac_learning_free(l);
    options.target = nextafter(error, 1);
    l = learning_of(env, "G F a", &options);
    r = opac_learning_report(l);
    assert_true(r->holds);
    assert_int_equal(r->k, 1000);
    assert_true(r->k_wanted.value <= 1000);
    assert_true(r->k_wanted.value >= 999);
    opac_learning_free(l);
    options.k = 0;
    options.target = 0.3;
    l = learning_of(env, "G F a", &options);
    r = opac_learning_report(l);
    assert_true(r->holds);
    assert_true(r->k == r->k_wanted.value);
    assert_true(r->accuracy <= 0.1 + 1e-12);
    assert_true(fabs(r->error - 0.3) < 1e-3);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* N, K and m as the theorem has them. */
static void test_what_is_counted(void **unused)
{
    opac_environment *env = table_environment(coin, 3, false);
    opac_learn_options options = learning_options(3, 20);
    (void)unused;
    declare(&options, 3, 2, 0);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_int_equal(r->theory_states, 4); /* the reset */
    assert_int_equal(r->theory_actions, 2);
    assert_int_equal(r->branching, 0);
    assert_non_null(strstr(opac_learning_assumption(l, 0), "random reset"));
    assert_non_null(strstr(opac_learning_assumption(l, 3), "m = 3"));
    opac_learning_free(l);
    options.count_pairs = true;
    l = learning_of(env, "G F a & G F b", &options);
    r = opac_learning_report(l);
    assert_int_equal(r->automaton_states, 2);
    assert_int_equal(r->theory_states, 7);
    opac_learning_free(l);
    opac_environment_free(env);
}

static void test_least_probability(void **unused)
{
    opac_error error = {0};
    opac_environment *env = table_environment(coin, 0, false);
    opac_formula *formula = learning_formula("G F a");
    const opac_objective objective = {.formula = formula, .direction = OPAC_DIRECTION_MIN};
    opac_learn_options options = learning_options(3, 0);
    opac_learning *l;
    uint32_t first = 0;
    (void)unused;
    declare(&options, 3, 2, 2);
    assert_ok(opac_learn(env, &objective, &options, &l, &error), &error);
    const opac_learn_report *r = opac_learning_report(l);
    uint32_t memory = opac_learning_start(l, &first, sizeof first);
    assert_int_equal(opac_learning_act(l, &first, sizeof first, &memory), 0);
    assert_true(r->is_least);
    assert_true(r->holds);
    assert_true(fabs(r->value - 0.5) < 0.05);
    assert_true(r->lower < r->value);
    assert_true(r->value < r->upper);
    assert_true(r->optimum_upper <= r->lower + 1e-9);
    opac_learning_free(l);
    opac_formula_free(formula);
    opac_environment_free(env);
}

/* ---- T ---- */

static void test_T_is_refuted(void **unused)
{
    table_state states[6];
    (void)unused;
    gridworld_make(states);
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(5, 0);
    declare(&options, 6, 4, 3);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_int_equal(r->horizon_check, OPAC_HORIZON_REFUTED);
    assert_false(r->holds);
    assert_true(r->horizon_found > 5);
    assert_non_null(strstr(opac_learning_statement(l), "T = 5 is refuted"));
    opac_learning_free(l);
    opac_environment_free(env);
}

/* A ring of 30 is too large to be followed as a whole. Its time is 58; the lower bound, 35, can
 * refute what is shorter, and says nothing of the rest. */
static void test_T_of_a_large_component(void **unused)
{
    table_state states[30] = {0};
    (void)unused;
    for (uint32_t s = 0; s < 30; s++)
        states[s] = (table_state){
            .letter = s == 0, .actions = 1, .action = {{.p = {1}, .to = {(s + 1) % 30}}}};
    for (uint64_t horizon = 32; horizon <= 58; horizon += 26) {
        opac_environment *env = table_environment(states, 0, false);
        opac_learn_options options = learning_options(horizon, 0);
        declare(&options, 30, 1, 1);
        opac_learning *l = learning_of(env, "G F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        bool is_short = horizon < 35;
        assert_int_equal(r->horizon_check,
                         is_short ? OPAC_HORIZON_REFUTED : OPAC_HORIZON_UNCHECKED);
        assert_int_equal(r->horizon_found, is_short ? 35 : 0);
        assert_true(r->horizon_is_bound == is_short);
        assert_true(r->holds == !is_short);
        if (is_short)
            assert_non_null(strstr(opac_learning_statement(l), "under the policy is at least 35"));
        opac_learning_free(l);
        opac_environment_free(env);
    }
}

static void test_T_auto(void **unused)
{
    table_state states[6];
    (void)unused;
    gridworld_make(states);
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(0, 300);
    declare(&options, 6, 4, 3);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l);
    size_t count;
    const opac_trace_entry *trace = opac_learning_trace(l, &count);
    assert_int_equal(r->horizon_check, OPAC_HORIZON_CONSISTENT);
    assert_int_equal(r->end, OPAC_END_DONE);
    assert_false(r->holds);
    assert_true(r->horizon >= 32);
    assert_true((r->horizon & (r->horizon - 1)) == 0);
    assert_true(r->horizon_found <= r->horizon);
    assert_true(r->horizon_found > r->horizon / 4);
    assert_true(r->value == 1);
    assert_non_null(strstr(opac_learning_statement(l), "was searched for"));
    assert_int_equal(count, r->policies);
    assert_int_equal(trace[0].horizon, 1);
    assert_int_equal(trace[count - 1].horizon, r->horizon);
    opac_learning_free(l);
    /* k follows T, and grows with it. */
    options.k = 0;
    options.target = 1.9;
    l = learning_of(env, "G F a & G F b", &options);
    r = opac_learning_report(l);
    assert_int_equal(r->k, r->k_wanted.value);
    assert_false(r->holds);
    opac_learning_free(l);
    opac_environment_free(env);
}

/*
 * A smaller version of docs/theory.md, Example 2: s1 loops with .99 and goes to s2, which leads back with
 * probability p only. With a T for which each state is seen twice, the transition back is not learned,
 * and the worse action is taken.
 */
static void counterexample_make(table_state *states, double p)
{
    states[0] = (table_state){.actions = 2,
                              .action = {{.p = {1}, .to = {1}}, {.p = {0.5, 0.5}, .to = {3, 4}}}};
    states[1] =
        (table_state){.letter = 1, .actions = 1, .action = {{.p = {0.99, 0.01}, .to = {1, 2}}}};
    states[2] = (table_state){.actions = 1, .action = {{.p = {1 - p, p}, .to = {2, 1}}}};
    states[3] = (table_state){.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {3}}}};
    states[4] = (table_state){.actions = 1, .action = {{.p = {1}, .to = {4}}}};
}

static uint32_t counterexample_choice(double p, uint64_t horizon, uint64_t k)
{
    table_state states[5];
    uint32_t first = 0;
    counterexample_make(states, p);
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(horizon, k);
    opac_learning *l = learning_of(env, "G F a", &options);
    uint32_t memory = opac_learning_start(l, &first, sizeof first);
    uint32_t action = opac_learning_act(l, &first, sizeof first, &memory);
    opac_learning_free(l);
    opac_environment_free(env);
    return action;
}

static void test_literal_T_is_too_short(void **unused)
{
    (void)unused;
    assert_int_equal(counterexample_choice(1e-12, 323, 3000), 1);
    assert_int_equal(counterexample_choice(0.01, 900, 3000), 0);
}

SUITE(learn)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_is_learned_as_often_as_it_should),
        cmocka_unit_test(test_gridworld_is_learned_from_few_samples),
        cmocka_unit_test(test_policy_runs_by_keys),
        cmocka_unit_test(test_guarantee_that_holds),
        cmocka_unit_test(test_k_below_theory_and_targets),
        cmocka_unit_test(test_what_is_counted),
        cmocka_unit_test(test_least_probability),
        cmocka_unit_test(test_T_is_refuted),
        cmocka_unit_test(test_T_of_a_large_component),
        cmocka_unit_test(test_T_auto),
        cmocka_unit_test(test_literal_T_is_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
