/* SPDX-License-Identifier: MIT */
/* The arrays of a policy: policy_set_decisions, and their invariants. */
#include "scene.h"
#include "support/faults.h"
#include "support/invariants.h"

/* States 0 … 3 with 1, 2, 1 and 2 choices; 1 and 3 are initial. */
static opac_model *four_states(void)
{
    opac_builder *builder;
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < 4; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t c = 0; c <= s % 2; c++) {
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            assert_ok(opac_builder_branch(builder, (s + c) % 4, 1, &error), &error);
        }
    }
    assert_ok(opac_builder_initial(builder, 3, &error), &error);
    assert_ok(opac_builder_initial(builder, 1, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static const policy_entry given[] = {
    {3, 0, {2, 1, 0}}, {1, 0, {1, 1, 2}}, {3, 0, {0, 0, 1}}, {0, 0, {2, 0, 2}}, {1, 0, {0, 0, 0}},
};

enum {
    GIVEN = sizeof given / sizeof *given
};

static opac_status settle(opac_policy *policy, size_t count, uint32_t *twice, opac_error *error)
{
    policy_entry_vec drafts = {0};
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < count && status == OPAC_OK; i++)
        status =
            policy_entry_add(&drafts, given[i % GIVEN].state, given[i % GIVEN].decision, error);
    if (status == OPAC_OK)
        status = policy_set_decisions(policy, &drafts, twice, error);
    policy_entry_vec_fini(&drafts);
    return status;
}

static opac_status make(const opac_model *model, size_t count, opac_policy **policy,
                        opac_error *error)
{
    opac_status status = policy_new(model, policy, error);
    if (status != OPAC_OK)
        return status;
    (*policy)->memory_count = 3;
    (*policy)->objective = base_copy_text("", 0);
    (*policy)->start = base_alloc_zeroed(2, sizeof *(*policy)->start);
    status = (*policy)->objective != NULL && (*policy)->start != NULL
                 ? settle(*policy, count, NULL, error)
                 : base_fail_memory(error);
    if (status != OPAC_OK)
        opac_policy_free(*policy);
    return status;
}

static void test_set_decisions(void **state)
{
    (void)state;
    static const uint32_t begin[] = {0, 1, 3, 3, 5};
    static const policy_decision sorted[] = {{2, 0, 2}, {0, 0, 0}, {1, 1, 2}, {0, 0, 1}, {2, 1, 0}};
    opac_model *model = four_states();
    opac_policy *policy;
    opac_error error;
    uint32_t twice = 0;
    assert_ok(make(model, GIVEN, &policy, &error), &error);
    assert_memory_equal(policy->begin, begin, sizeof begin);
    assert_memory_equal(policy->decisions, sorted, sizeof sorted);
    assert_ok(policy_check(policy, &error), &error);
    assert_int_equal(opac_policy_decisions(policy), 5);
    for (uint32_t s = 0; s < 4; s++)
        for (uint32_t m = 0; m < 4; m++) {
            const policy_decision *found = policy_find_decision(policy, s, m), *expected = NULL;
            for (uint32_t i = begin[s]; i < begin[s + 1]; i++)
                if (sorted[i].memory == m)
                    expected = &policy->decisions[i];
            assert_ptr_equal(found, expected);
        }
    opac_policy_free(policy);
    assert_ok(policy_new(model, &policy, &error), &error);
    assert_status(settle(policy, GIVEN + 3, &twice, &error), OPAC_ERROR_ARGUMENT);
    assert_int_equal(twice, GIVEN + 1); /* that of the first state */
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_initial(void **state)
{
    (void)state;
    opac_model *model = four_states();
    opac_policy *policy;
    opac_error error;
    assert_ok(make(model, 0, &policy, &error), &error);
    policy->start[0] = 2;
    policy->start[1] = 1;
    assert_int_equal(opac_policy_start(policy, 1), 2);
    assert_int_equal(opac_policy_start(policy, 3), 1);
    assert_int_equal(opac_policy_start(policy, 0), 0);
    assert_int_equal(opac_policy_start(policy, 2), 0);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* Each violation separately. */
static void test_check(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "a decision of state 1: the memory goes from 3 to 2, of 3 values",
        "a decision of state 1: the memory goes from 0 to 3, of 3 values",
        "a decision of state 1: there is no action 2",
        "a decision of state 1: there is no action 4294967295",
        "the decisions of state 1 are not in order",
        "it starts with memory 3, of 3 values",
        "0 memory values for 0 automaton states",
        "the decisions do not begin at 0",
        "the decisions of state 1 end early",
        "a part of the policy is missing",
        "3 memory values for 1 automaton states",
    };
    opac_model *model = four_states();
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        opac_policy *policy;
        opac_error error;
        assert_ok(make(model, GIVEN, &policy, &error), &error);
        policy->decisions[2].memory = i == 0 ? 3 : i == 4 ? 0 : 1;
        policy->decisions[1].next = i == 1 ? 3 : 0;
        policy->decisions[1].action = i == 2 ? 2 : i == 3 ? UINT32_MAX : 1;
        policy->start[1] = i == 5 ? 3 : 0;
        if (i == 6)
            policy->memory_count = 0;
        policy->begin[0] = i == 7 ? 1 : 0;
        if (i == 8)
            policy->begin[2] = 0;
        if (i == 9) {
            base_free(policy->objective);
            policy->objective = NULL;
        }
        if (i == 10)
            policy->automaton = scene_translate("G F a", OPAC_KIND_DETERMINISTIC);
        if (i == 6)
            policy->begin[4] = policy->begin[3] = policy->begin[2] = policy->begin[1] = 0;
        assert_status(policy_check(policy, &error), OPAC_ERROR_INTERNAL);
        assert_string_equal(error.message, messages[i]);
        opac_policy_free(policy);
    }
    opac_model_free(model);
}

static opac_status make_and_free(void *context, opac_error *error)
{
    opac_policy *policy;
    opac_status status = make(context, GIVEN, &policy, error);
    if (status == OPAC_OK)
        opac_policy_free(policy);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    opac_model *model = four_states();
    assert_true(faults_sweep(make_and_free, model) > 4);
    opac_model_free(model);
    opac_policy_free(NULL);
}

SUITE(machine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_decisions),
        cmocka_unit_test(test_initial),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
