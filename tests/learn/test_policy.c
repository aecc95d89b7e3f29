/* SPDX-License-Identifier: MIT */
/*
 * The learned policy by keys: compared with opac_learning_act on long runs, after the learning and the
 * environment are freed, and after it was written and read.
 */
#include <omegapac/evaluation.h>
#include <omegapac/policy.h>

#include "aut/hoa_order.h"
#include "policy/policy.h"
#include "seen.h"
#include "support/faults.h"
#include "support/invariants.h"

enum {
    ROUNDS = 150,
    STEPS = 300
};

static opac_policy *make_policy(const opac_learning *learning)
{
    opac_policy *policy;
    opac_error error = {0};
    assert_ok(opac_learning_policy(learning, NULL, &policy, &error), &error);
    assert_ok(policy_check(policy, &error), &error);
    assert_true(opac_policy_has_keys(policy));
    return policy;
}

static opac_output *print(const opac_policy *policy)
{
    opac_output *out;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    assert_ok(opac_output_commit(out, &error), &error);
    return out;
}

static opac_policy *read_back(const opac_policy *policy)
{
    size_t length, other;
    opac_policy *again;
    opac_error error = {0};
    opac_output *first = print(policy), *second;
    const char *text = opac_output_bytes(first, &length);
    assert_true(opac_policy_is_file(text, length));
    assert_ok(opac_policy_parse(text, length, NULL, &again, &error), &error);
    assert_ok(policy_check(again, &error), &error);
    second = print(again);
    const char *repeated = opac_output_bytes(second, &other);
    assert_int_equal(length, other);
    assert_memory_equal(text, repeated, length);
    opac_output_free(first);
    opac_output_free(second);
    return again;
}

/* A run of the simulator: each tells the same action in each state. */
static void compare_runs(toy *t, const opac_learning *learning, const opac_policy *policy,
                         uint64_t seed)
{
    opac_observation seen;
    opac_error error;
    seen_reset(t, seed, &seen, &error);
    uint32_t memory = opac_learning_start(learning, seen.key, seen.length);
    uint32_t own = opac_policy_start_at(policy, seen.key, seen.length);
    for (int i = 0; i < STEPS && seen.actions > 0; i++) {
        uint32_t action = opac_learning_act(learning, seen.key, seen.length, &memory);
        assert_int_equal(opac_policy_act_at(policy, seen.key, seen.length, &own), action);
        assert_true(own < opac_policy_memory(policy));
        assert_true(action < seen.actions);
        seen_step(t, action, &seen, &error);
    }
}

/* In every state with actions and with every memory, added or not; a policy numbers memory differently. */
static void compare_pairs(const toy *t, const opac_learning *learning, const opac_policy *policy)
{
    hoa_order order;
    opac_error error;
    const opac_automaton *automaton = opac_learning_automaton(learning);
    assert_ok(hoa_order_init(&order, automaton, &error), &error);
    for (uint32_t s = 0; s < opac_policy_states(policy); s++) {
        size_t length;
        const void *key = opac_policy_key(policy, s, &length);
        for (uint32_t m = 0; m < automaton->state_count; m++) {
            uint32_t memory = m, own = order.number[m];
            uint32_t action = opac_learning_act(learning, key, length, &memory);
            if (t->actions[seen_state(key, length)] == 0)
                continue;
            assert_int_equal(opac_policy_act_at(policy, key, length, &own), action);
            assert_int_equal(own, order.number[memory]);
        }
    }
    hoa_order_fini(&order);
}

/* In every state with every memory, decided or not. */
static void compare_all(const opac_policy *policy, const opac_policy *again)
{
    assert_int_equal(opac_policy_states(policy), opac_policy_states(again));
    assert_int_equal(opac_policy_memory(policy), opac_policy_memory(again));
    assert_int_equal(opac_policy_decisions(policy), opac_policy_decisions(again));
    for (uint32_t s = 0; s < opac_policy_states(policy); s++) {
        size_t length, other;
        const void *key = opac_policy_key(policy, s, &length);
        const void *same = opac_policy_key(again, s, &other);
        assert_int_equal(length, other);
        assert_memory_equal(key, same, length);
        assert_int_equal(opac_policy_start_at(policy, key, length),
                         opac_policy_start_at(again, key, length));
        for (uint32_t m = 0; m < opac_policy_memory(policy); m++) {
            uint32_t one = m, two = m;
            uint32_t action = opac_policy_act_at(policy, key, length, &one);
            assert_int_equal(action, opac_policy_act_at(again, key, length, &two));
            assert_int_equal(one, two);
            assert_string_equal(opac_policy_action_name(policy, s, action),
                                opac_policy_action_name(again, s, action));
        }
    }
}

static void check_names(const opac_policy *policy)
{
    for (uint32_t s = 0; s < opac_policy_states(policy); s++) {
        size_t length;
        const void *key = opac_policy_key(policy, s, &length);
        for (uint32_t a = 0; a < TOY_ACTIONS; a++) {
            const char *name = opac_policy_action_name(policy, s, a);
            const char *meant = seen_name(NULL, key, length, a);
            if (*name != '\0')
                assert_string_equal(name, meant);
        }
        assert_string_equal(opac_policy_action_name(policy, s, TOY_ACTIONS), "");
    }
    assert_string_equal(opac_policy_action_name(policy, opac_policy_states(policy), 0), "");
}

static void test_it_is_what_was_learned(void **unused)
{
    uint64_t random = 8;
    unsigned undecided = 0, named = 0, several = 0;
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        toy t;
        toy_draw(&random, 2 + random_below(&random, TOY_STATES - 1), round % 2 == 0, &t);
        opac_environment *env = seen_environment(&t);
        opac_learning *learning = seen_learn(env, &random);
        opac_policy *policy = make_policy(learning);
        assert_int_equal(opac_policy_states(policy), opac_learning_report(learning)->states_seen);
        for (int i = 0; i < 5; i++)
            compare_runs(&t, learning, policy, random_u64(&random));
        compare_pairs(&t, learning, policy);
        opac_policy *again = read_back(policy);
        for (int i = 0; i < 5; i++)
            compare_runs(&t, learning, again, random_u64(&random));
        opac_learning_free(learning);
        opac_environment_free(env);
        compare_all(policy, again);
        check_names(again);
        undecided += (uint64_t)opac_policy_states(policy) * opac_policy_memory(policy) >
                     opac_policy_decisions(policy);
        named += opac_policy_states(policy) > 1 && *opac_policy_action_name(policy, 1, 0) != '\0';
        several += policy->domain.initial.count > 1;
        assert_int_equal(policy->domain.initial.count, again->domain.initial.count);
        opac_policy_free(policy);
        opac_policy_free(again);
    }
    assert_true(several > ROUNDS / 10);
    assert_true(undecided > ROUNDS / 10);
    assert_true(named > ROUNDS / 10);
}

static void test_unseen_states(void **unused)
{
    uint64_t random = 9;
    toy t;
    (void)unused;
    toy_draw(&random, 5, false, &t);
    opac_environment *env = seen_environment(&t);
    opac_learning *learning = seen_learn(env, &random);
    opac_policy *policy = make_policy(learning);
    for (uint32_t m = 0; m < opac_policy_memory(policy); m++) {
        uint32_t memory = m;
        assert_int_equal(opac_policy_act_at(policy, "nowhere", 7, &memory), 0);
        assert_int_equal(memory, m);
    }
    assert_int_equal(opac_policy_start_at(policy, "nowhere", 7),
                     opac_policy_start_at(policy, seen_keys[0].bytes, seen_keys[0].length));
    size_t length = 9;
    assert_null(opac_policy_key(policy, opac_policy_states(policy), &length));
    assert_int_equal(length, 0);
    opac_policy_free(policy);
    opac_learning_free(learning);
    opac_environment_free(env);
}

/* Functions that need transitions report that there are none. */
static void test_transitions_are_not_known(void **unused)
{
    uint64_t random = 10;
    toy t;
    opac_model *chain;
    opac_evaluation *evaluation;
    opac_error error;
    (void)unused;
    toy_draw(&random, 4, true, &t);
    opac_environment *env = seen_environment(&t);
    opac_learning *learning = seen_learn(env, &random);
    opac_policy *policy = make_policy(learning);
    assert_status(opac_policy_induce(policy, NULL, &chain, &error), OPAC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "transitions are not known"));
    assert_status(opac_evaluate(policy, NULL, NULL, &evaluation, &error), OPAC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "transitions are not known"));
    opac_policy_free(policy);
    opac_learning_free(learning);
    opac_environment_free(env);
}

static opac_status make_and_read(void *context, opac_error *error)
{
    opac_policy *policy = NULL, *again = NULL;
    opac_output *out = NULL;
    size_t length = 0;
    opac_status status = opac_learning_policy(context, NULL, &policy, error);
    if (status == OPAC_OK)
        status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK) {
        opac_policy_write(policy, out);
        status = opac_output_commit(out, error);
    }
    const char *text = status == OPAC_OK ? opac_output_bytes(out, &length) : NULL;
    if (status == OPAC_OK)
        status = opac_policy_parse(text, length, NULL, &again, error);
    opac_output_free(out);
    opac_policy_free(policy);
    opac_policy_free(again);
    return status;
}

static void test_memory(void **unused)
{
    uint64_t random = 11;
    toy t;
    (void)unused;
    toy_draw(&random, 5, true, &t);
    opac_environment *env = seen_environment(&t);
    opac_learning *learning = seen_learn(env, &random);
    assert_true(faults_sweep(make_and_read, learning) > 50);
    opac_learning_free(learning);
    opac_environment_free(env);
}

SUITE(policy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_what_was_learned),
        cmocka_unit_test(test_unseen_states),
        cmocka_unit_test(test_transitions_are_not_known),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
