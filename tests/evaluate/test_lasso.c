/* SPDX-License-Identifier: MIT */
/*
 * Deterministic models: the run is a lasso, on which a formula is evaluated by the definition of LTL.
 */
#include "evaluate/evaluating.h"
#include "support/formula_text.h"
#include "support/lasso.h"
#include "support/random_formula.h"

enum {
    MOST_STATES = 8
};

static const char *const names[] = {"p0", "p1"};

/* A choice leads to one state. */
static opac_model *random_map(uint64_t *random, uint32_t states)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (int label = 0; label < 2; label++)
        assert_ok(opac_builder_declare_label(builder, names[label], &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (int c = 0; c < 2; c++) {
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            assert_ok(opac_builder_branch(builder, random_below(random, states), 1, &error),
                      &error);
        }
        for (int label = 0; label < 2; label++)
            if (random_below(random, 2) == 0)
                assert_ok(opac_builder_label(builder, names[label], s, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* The letters that the run sees, until a pair of state and memory comes again. */
static ltl_lasso run_of(const opac_policy *policy, uint64_t *letters)
{
    uint32_t seen[MOST_STATES][2], state = 0, memory = opac_policy_start(policy, 0);
    size_t length = 0;
    memset(seen, 0xff, sizeof seen);
    while (seen[state][memory] == UINT32_MAX) {
        uint64_t letter = 0;
        for (uint32_t label = 0; label < 2; label++) {
            uint32_t number = model_label_find(policy->domain.model, names[label], 2);
            if (opac_model_has_label(policy->domain.model, state, number))
                letter |= UINT64_C(1) << label;
        }
        seen[state][memory] = (uint32_t)length;
        letters[length++] = letter;
        uint32_t choice = opac_policy_act(policy, state, &memory);
        state = opac_model_branch_target(policy->domain.model,
                                         opac_model_branch_begin(policy->domain.model, choice));
    }
    return (ltl_lasso){.letters = letters, .prefix = seen[state][memory], .length = length};
}

static void compare(uint64_t *random, bool exact)
{
    uint64_t letters[2 * MOST_STATES];
    char text[1024];
    opac_error error;
    ltl_store *store;
    bool holds;
    assert_ok(ltl_store_new(&store, &error), &error);
    random_formula_shape shape = {.operators = 1 + random_below(random, 6),
                                  .propositions = 2,
                                  .allowed = OPERATORS_OF_NORMAL_FORM};
    ltl_formula drawn = random_formula(store, random, &shape);
    opac_model *model = random_map(random, 1 + random_below(random, MOST_STATES));
    opac_policy *policy = random_policy(random, model, 2);
    ltl_lasso word = run_of(policy, letters);
    assert_ok(ltl_lasso_holds(store, drawn, &word, &holds, &error), &error);
    opac_formula *formula = formula_of(formula_show(store, drawn, text, sizeof text));
    opac_objective objective = {.formula = formula};
    opac_evaluation *evaluation = evaluate(policy, &objective, exact);
    opac_interval interval = opac_evaluation_interval(evaluation, 0);
    if (interval.lower != holds || interval.upper != holds || interval.value != holds)
        fail_msg("%s is %d, not in %g .. %g", text, holds, interval.lower, interval.upper);
    opac_evaluation_free(evaluation);
    opac_formula_free(formula);
    opac_policy_free(policy);
    opac_model_free(model);
    ltl_store_free(store);
}

static void test_lassos(void **state)
{
    (void)state;
    uint64_t random = random_seed(201);
    for (int round = 0; round < 1500; round++)
        compare(&random, false);
}

SUITE(lasso)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lassos)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
