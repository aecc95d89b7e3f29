/* SPDX-License-Identifier: MIT */
/*
 * Domains of policies: a model and a table of observed states with the same content give the same policy;
 * policies without a model; states without actions.
 */
#include "policy/domain.h"

#include <omegapac/evaluation.h>

#include "scene.h"
#include "support/faults.h"
#include "support/invariants.h"

enum {
    ROUNDS = 60
};

/* ---- two domains that say the same ---- */

/* Its key is the number of the state in the model. */
static opac_status add_state(const opac_model *model, uint32_t state, policy_domain *seen,
                             opac_error *error)
{
    uint32_t number, first = opac_model_choice_begin(model, state);
    bool is_new;
    TRY(policy_domain_add(seen, &state, sizeof state, &number, &is_new, error));
    assert_true(is_new);
    assert_int_equal(number, state);
    for (uint32_t c = 0; c < opac_model_choice_count(model, state); c++)
        TRY(policy_domain_add_action(seen, opac_model_choice_action(model, first + c), error));
    return OPAC_OK;
}

static opac_status copy_model(const opac_model *model, policy_domain *seen, opac_error *error)
{
    base_bitset initial;
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        TRY(add_state(model, s, seen, error));
    TRY(base_bitset_init(&initial, opac_model_states(model), error));
    for (uint32_t i = opac_model_initial_count(model); i > 0; i--)
        base_bitset_add(&initial, opac_model_initial(model, i - 1));
    opac_status status = policy_domain_set_initial(seen, &initial, error);
    base_bitset_fini(&initial);
    return status;
}

static void compare_state(const policy_domain *a, const policy_domain *b, uint32_t state)
{
    uint32_t count = policy_domain_actions(a, state);
    assert_int_equal(policy_domain_actions(b, state), count);
    assert_int_equal(policy_domain_choices(a, state), count);
    assert_int_equal(policy_domain_choices(b, state), count);
    for (uint32_t c = 0; c <= count; c++)
        assert_string_equal(policy_domain_action(a, state, c), policy_domain_action(b, state, c));
    assert_string_equal(policy_domain_action(a, state, count), "");
    assert_int_equal(policy_domain_find_initial(a, state), policy_domain_find_initial(b, state));
}

static void compare_domains(const policy_domain *a, const policy_domain *b)
{
    const base_u32_vec *one = policy_domain_initial(a), *two = policy_domain_initial(b);
    uint32_t states = policy_domain_states(a);
    assert_int_equal(policy_domain_states(b), states);
    assert_int_equal(one->count, two->count);
    assert_memory_equal(one->items, two->items, one->count * sizeof *one->items);
    for (uint32_t s = 0; s < states; s++)
        compare_state(a, b, s);
    assert_string_equal(policy_domain_action(a, states, 0), "");
    assert_string_equal(policy_domain_action(b, states, 0), "");
    assert_int_equal(policy_domain_find_initial(a, states), one->count);
    assert_int_equal(policy_domain_find_initial(b, states), one->count);
}

/* Only one of them has keys. */
static void compare_keys(const policy_domain *model, const policy_domain *seen)
{
    for (uint32_t s = 0; s < policy_domain_states(model); s++) {
        uint32_t found;
        assert_false(policy_domain_find(model, &s, sizeof s, &found));
        assert_true(policy_domain_find(seen, &s, sizeof s, &found));
        assert_int_equal(found, s);
        assert_false(policy_domain_find(seen, &s, sizeof s - 1, &found));
        assert_false(policy_domain_find(seen, NULL, 0, &found));
    }
}

static void test_same_answers(void **state)
{
    uint64_t random = random_seed(641);
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        opac_model *model = random_model(&random, random_model_draw(&random, 20));
        policy_domain of_model, seen;
        opac_error error;
        policy_domain_init(&of_model, model);
        policy_domain_init(&seen, NULL);
        assert_ok(copy_model(model, &seen, &error), &error);
        compare_domains(&of_model, &seen);
        compare_keys(&of_model, &seen);
        policy_domain_fini(&of_model);
        policy_domain_fini(&seen);
        opac_model_free(model);
    }
}

/* Policies with the same decisions over both domains behave in the same way. */
static void test_same_policies(void **unused)
{
    uint64_t random = random_seed(642);
    unsigned made = 0;
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        scene s;
        opac_policy *other;
        opac_error error;
        if (!scene_make(&random, random_model_draw(&random, 8),
                        scene_translate("G F a | F G !b", OPAC_KIND_DETERMINISTIC), &s))
            continue;
        opac_policy *policy = scene_policy(&s);
        policy_objective objective = {.automaton = policy->automaton, .letters = policy->letters};
        policy_entry_vec drafts = {0};
        assert_ok(policy_new(NULL, &other, &error), &error);
        assert_ok(copy_model(s.model, &other->domain, &error), &error);
        for (uint32_t i = 0; i < opac_model_states(s.model); i++)
            for (uint32_t d = policy->begin[i]; d < policy->begin[i + 1]; d++)
                assert_ok(policy_entry_add(&drafts, i, policy->decisions[d], &error), &error);
        assert_ok(policy_fill(other, &objective, &drafts, policy->start, &error), &error);
        assert_ok(policy_check(other, &error), &error);
        for (uint32_t i = 0; i < opac_model_states(s.model); i++)
            for (uint32_t m = 0; m < opac_policy_memory(policy); m++) {
                uint32_t one = m, two = m, first = opac_model_choice_begin(s.model, i);
                uint32_t action = opac_policy_act_at(other, &i, sizeof i, &two);
                assert_int_equal(opac_policy_act(policy, i, &one), first + action);
                assert_int_equal(one, two);
                assert_int_equal(opac_policy_start(policy, i), opac_policy_start(other, i));
            }
        policy_entry_vec_fini(&drafts);
        opac_policy_free(policy);
        opac_policy_free(other);
        scene_fini(&s);
        made++;
    }
    assert_true(made > ROUNDS / 4);
}

/* ---- without a model ---- */

/* State 0, "here", has two actions; state 1, whose key is empty, has none, and runs begin there. */
static opac_status make_small(const opac_automaton *automaton, opac_policy **policy,
                              opac_error *error)
{
    policy_objective objective = {.automaton = automaton, .text = "F a"};
    policy_entry_vec drafts = {0};
    base_bitset initial = {0};
    opac_policy *made = NULL;
    bool is_new;
    uint32_t state, start = PRODUCT_NONE;
    opac_status status;
    TRY_OR(done, policy_new(NULL, &made, error));
    TRY_OR(done, policy_domain_add(&made->domain, "here", 4, &state, &is_new, error));
    TRY_OR(done, policy_domain_add_action(&made->domain, "", error));
    TRY_OR(done, policy_domain_add_action(&made->domain, "on", error));
    TRY_OR(done, policy_domain_add(&made->domain, NULL, 0, &state, &is_new, error));
    TRY_OR(done, base_bitset_init(&initial, 2, error));
    base_bitset_add(&initial, 1);
    TRY_OR(done, policy_domain_set_initial(&made->domain, &initial, error));
    TRY_OR(done, policy_entry_add(&drafts, 0, (policy_decision){0, 1, 0}, error));
    status = policy_fill(made, &objective, &drafts, &start, error);
done:
    base_bitset_fini(&initial);
    policy_entry_vec_fini(&drafts);
    if (status == OPAC_OK)
        *policy = made;
    else
        opac_policy_free(made);
    return status;
}

static void test_no_model(void **unused)
{
    opac_policy *policy;
    opac_model *chain;
    opac_evaluation *evaluation;
    opac_error error;
    uint32_t memory = 0;
    (void)unused;
    opac_automaton *automaton = scene_translate("F a", OPAC_KIND_DETERMINISTIC);
    assert_ok(make_small(automaton, &policy, &error), &error);
    opac_automaton_free(automaton);
    assert_ok(policy_check(policy, &error), &error);
    assert_null(policy->domain.model);
    assert_int_equal(opac_policy_act_at(policy, "here", 4, &memory), 1);
    assert_int_equal(opac_policy_act(policy, 0, &memory), 1);
    assert_int_equal(opac_policy_act(policy, 1, &memory), 0);
    assert_string_equal(opac_policy_action_name(policy, 0, 1), "on");
    assert_status(opac_policy_induce(policy, NULL, &chain, &error), OPAC_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "its Markov chain: this is the policy of a simulator, whose "
                                       "transitions are not known");
    assert_status(opac_evaluate(policy, NULL, NULL, &evaluation, &error), OPAC_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "its probability: this is the policy of a simulator, whose "
                                       "transitions are not known");
    opac_policy_free(policy);
}

static void test_no_actions(void **unused)
{
    opac_policy *policy;
    opac_error error;
    uint32_t memory = 0;
    (void)unused;
    assert_ok(make_small(NULL, &policy, &error), &error);
    assert_ok(policy_check(policy, &error), &error);
    assert_int_equal(policy_domain_actions(&policy->domain, 0), 2);
    assert_int_equal(policy_domain_actions(&policy->domain, 1), 0);
    assert_int_equal(policy_domain_choices(&policy->domain, 1), 1);
    assert_string_equal(opac_policy_action_name(policy, 1, 0), "");
    assert_int_equal(opac_policy_act_at(policy, "", 0, &memory), 0);
    assert_int_equal(policy_domain_find_initial(&policy->domain, 1), 0);
    assert_int_equal(policy_domain_find_initial(&policy->domain, 0), 1);
    opac_policy_free(policy);
}

static opac_status make_and_free(void *context, opac_error *error)
{
    opac_policy *policy;
    opac_status status = make_small(context, &policy, error);
    if (status == OPAC_OK)
        opac_policy_free(policy);
    return status;
}

/* Limits are enforced, and existing keys are found. */
static void test_limits(void **unused)
{
    policy_domain seen;
    opac_error error;
    uint32_t state = 9;
    bool is_new;
    (void)unused;
    policy_domain_init(&seen, NULL);
    assert_int_equal(policy_domain_states(&seen), 0);
    assert_int_equal(policy_domain_find_initial(&seen, 0), 0);
    assert_ok(policy_domain_add(&seen, "k", 1, &state, &is_new, &error), &error);
    assert_ok(policy_domain_add(&seen, "k", 1, &state, &is_new, &error), &error);
    assert_false(is_new);
    assert_int_equal(state, 0);
    assert_int_equal(policy_domain_states(&seen), 1);
    size_t count = seen.actions.count;
    seen.actions.count = GRAPH_LARGEST;
    assert_status(policy_domain_add_action(&seen, "x", &error), OPAC_ERROR_LIMIT);
    seen.actions.count = count;
    seen.keys.limit = 1;
    assert_status(policy_domain_add(&seen, "l", 1, &state, &is_new, &error), OPAC_ERROR_LIMIT);
    policy_domain_fini(&seen);
    opac_automaton *automaton = scene_translate("F a", OPAC_KIND_DETERMINISTIC);
    assert_true(faults_sweep(make_and_free, automaton) > 10);
    opac_automaton_free(automaton);
}

SUITE(domain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_answers), cmocka_unit_test(test_same_policies),
        cmocka_unit_test(test_no_model),     cmocka_unit_test(test_no_actions),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
