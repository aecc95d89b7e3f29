/* SPDX-License-Identifier: MIT */
/* Every allocation of an evaluation fails in turn. */
#include "evaluate/evaluating.h"
#include "support/faults.h"

typedef struct scene {
    opac_policy *policy;
    const opac_objective *objective;
    bool exact;
} scene;

static opac_status run(void *context, opac_error *error)
{
    const scene *x = context;
    opac_evaluation *evaluation;
    opac_evaluation_options options = {.exact = x->exact};
    opac_status status = opac_evaluate(x->policy, x->objective, &options, &evaluation, error);
    assert_true((status == OPAC_OK) == (evaluation != NULL));
    opac_evaluation_free(evaluation);
    return status;
}

static void sweep(opac_policy *policy, const opac_objective *objective)
{
    for (int exact = 0; exact <= base_rational_available(); exact++) {
        scene given = {policy, objective, exact};
        assert_true(faults_sweep(run, &given) > 20);
    }
}

/* A component that is eliminated, and a model of several. */
static void test_faults(void **state)
{
    (void)state;
    uint64_t random = 301;
    opac_formula *formula = formula_of("F rich"), *other = formula_of("G F a | X b");
    opac_objective objective = {.formula = formula}, another = {.formula = other};
    opac_model *gamble = gambler(5, 2, 1, 3), *model = random_fractions(&random, 6, 2, 3);
    opac_policy *policy = first_choices(gamble);
    sweep(policy, &objective);
    policy->formula = base_copy_text("F rich", 6);
    sweep(policy, NULL);
    opac_policy_free(policy);
    policy = random_policy(&random, model, 2);
    sweep(policy, &another);
    opac_policy_free(policy);
    opac_model_free(model);
    opac_model_free(gamble);
    opac_formula_free(formula);
    opac_formula_free(other);
}

static void test_own_automaton(void **state)
{
    (void)state;
    uint64_t random = 302;
    random_automaton_shape shape = {.states = 3,
                                    .propositions = 2,
                                    .marks = 1,
                                    .edge_percent = 60,
                                    .mark_percent = 50,
                                    .epsilon_percent = 0};
    for (int round = 0; round < 4; round++) {
        opac_model *model = random_fractions(&random, 4, 2, 2);
        opac_policy *policy = first_choices(model);
        shape.is_deterministic = round % 2 == 0;
        policy->automaton = random_automaton(&random, shape, NULL);
        policy->memory_count = 3;
        scene own = {policy, NULL, false};
        assert_true(faults_sweep(run, &own) > 10);
        opac_policy_free(policy);
        opac_model_free(model);
    }
}

SUITE(faults)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_own_automaton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
