/* SPDX-License-Identifier: MIT */
/*
 * Default options of all functions: they are as documented, and behave as all zeros where the headers say
 * so.
 */
#include <omegapac/omegapac.h>

#include "support/check.h"

static const char text[] = "mdp\n"
                           "module m\n"
                           "  x : [0..3] init 0;\n"
                           "  [a] x<2 -> 0.9 : (x'=x+1) + 0.1 : (x'=3);\n"
                           "  [b] x<2 -> 0.5 : (x'=x+1) + 0.5 : true;\n"
                           "  [] x>=2 -> true;\n"
                           "endmodule\n"
                           "label \"done\" = x=2;\n";

static void values(void **state)
{
    (void)state;
    assert_int_equal(opac_automaton_defaults().state_limit, 1000000);
    assert_true(opac_check_defaults().precision == 1e-6);
    assert_int_equal(opac_check_defaults().max_states, 50000000);
    assert_int_equal(opac_evaluation_defaults().max_states, 50000000);
    assert_int_equal(opac_model_defaults().max_states, 50000000);
    assert_int_equal(opac_estimate_defaults().seed, 1);
    assert_null(opac_formula_defaults().notice);
    assert_null(opac_property_defaults().listener);
    opac_recurrence_options recurrence = opac_recurrence_defaults();
    assert_int_equal(recurrence.max_component, 20);
    assert_int_equal(recurrence.samples, 100000);
    assert_true(recurrence.delta == 0.01);
    assert_true(recurrence.epsilon == 0);
    assert_int_equal(recurrence.max_states, 50000000);
}

typedef struct results {
    uint32_t states, edges;
    opac_interval best, under;
    opac_recurrence recurrence;
} results;

/* Everything with defaults, or with zeros. */
static void run(bool zeros, results *to)
{
    opac_model_options reading = opac_model_defaults();
    opac_formula_options parsing = opac_formula_defaults();
    opac_property_options asking = opac_property_defaults();
    opac_automaton_options translating = opac_automaton_defaults();
    opac_check_options checking = opac_check_defaults();
    opac_evaluation_options evaluating = opac_evaluation_defaults();
    opac_recurrence_options recurring = opac_recurrence_defaults();
    if (zeros) {
        reading = (opac_model_options){0};
        parsing = (opac_formula_options){0};
        asking = (opac_property_options){0};
        translating = (opac_automaton_options){0};
        checking = (opac_check_options){0};
        evaluating = (opac_evaluation_options){0};
        recurring = (opac_recurrence_options){0};
    }
    opac_error error;
    opac_model *model;
    opac_formula *formula;
    opac_properties *properties;
    opac_automaton *automaton;
    opac_solution *solution;
    opac_policy *policy;
    opac_evaluation *evaluation;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &reading, &model, &error),
              &error);
    assert_ok(opac_formula_parse("F done", &parsing, &formula, &error), &error);
    assert_ok(opac_properties_parse("Pmax=? [ F \"done\" ]", model, &asking, &properties, &error),
              &error);
    assert_ok(opac_automaton_translate(formula, &translating, &automaton, &error), &error);
    opac_objective objective = opac_objective_of(properties, 0);
    checking.policy = true;
    assert_ok(opac_check(model, &objective, &checking, &solution, &error), &error);
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    assert_ok(opac_evaluate(policy, NULL, &evaluating, &evaluation, &error), &error);
    recurring.epsilon = 0.05;
    assert_ok(opac_recurrence_time(model, &objective, &recurring, &to->recurrence, &error), &error);
    to->states = opac_model_states(model);
    to->edges = (uint32_t)opac_automaton_edges(automaton);
    to->best = opac_solution_interval(solution, 0);
    to->under = opac_evaluation_interval(evaluation, 0);
    opac_evaluation_free(evaluation);
    opac_policy_free(policy);
    opac_solution_free(solution);
    opac_automaton_free(automaton);
    opac_properties_free(properties);
    opac_formula_free(formula);
    opac_model_free(model);
}

static void as_zeros(void **state)
{
    results one, other;
    (void)state;
    run(false, &one);
    run(true, &other);
    assert_int_equal(one.states, 4);
    assert_int_equal(one.states, other.states);
    assert_int_equal(one.edges, other.edges);
    assert_true(one.best.value == 1);
    assert_true(one.under.value == 1);
    assert_memory_equal(&one.best, &other.best, sizeof one.best);
    assert_memory_equal(&one.under, &other.under, sizeof one.under);
    assert_int_equal(one.recurrence.kind, OPAC_RECURRENCE_EXACT);
    assert_int_equal(one.recurrence.steps.value, other.recurrence.steps.value);
}

/* The least that has to be given. */
static void estimates(void **state)
{
    static const char chain[] = "dtmc\n"
                                "module m\n"
                                "  x : [0..2] init 0;\n"
                                "  [] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=2);\n"
                                "  [] x>0 -> true;\n"
                                "endmodule\n"
                                "label \"won\" = x=1;\n";
    opac_estimate_options options = opac_estimate_defaults();
    opac_estimation estimation;
    opac_environment *environment;
    opac_formula *formula;
    opac_model *model;
    opac_error error;
    (void)state;
    options.horizon = 3;
    options.epsilon = 0.1;
    options.delta = 0.1;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, chain, strlen(chain), NULL, &model, &error),
              &error);
    assert_ok(opac_formula_parse("F won", NULL, &formula, &error), &error);
    assert_ok(opac_environment_of_model(model, NULL, &environment, &error), &error);
    const opac_objective objective = {.formula = formula};
    assert_ok(opac_estimate(environment, &objective, &options, &estimation, &error), &error);
    assert_true(estimation.lower <= 0.5);
    assert_true(estimation.upper >= 0.5);
    assert_true(estimation.holds);
    opac_environment_free(environment);
    opac_formula_free(formula);
    opac_model_free(model);
}

SUITE(defaults)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(as_zeros),
                                       cmocka_unit_test(estimates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
