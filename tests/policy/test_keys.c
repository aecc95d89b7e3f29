/* SPDX-License-Identifier: MIT */
/*
 * Policies of simulators, whose states have keys: reading, running, and errors in files.
 */
#include <omegapac/evaluation.h>

#include "scene.h"
#include "support/faults.h"
#include "support/invariants.h"

static const char good[] =
    "{\n"
    "\"schema\": \"omegapac.policy/1\",\n"
    "\"objective\": \"two\",\n"
    "\"formula\": \"F two\",\n"
    "\"direction\": \"max\",\n"
    "\"model\": {\"type\": \"simulator\", \"states\": 4},\n"
    "\"propositions\": [\"two\"],\n"
    "\"automaton\": \"HOA: v1\\ntool: \\\"omegapac\\\" \\\"0.2.0\\\"\\nStates: 2\\nStart: 0\\nAP: "
    "1 "
    "\\\"two\\\"\\nacc-name: Buchi\\nAcceptance: 1 Inf(0)\\nproperties: trans-labels "
    "explicit-labels state-acc complete deterministic no-univ-branch\\n--BODY--\\nState: "
    "0\\n[!0] 0\\n[0] 1\\nState: 1 {0}\\n[t] 1\\n--END--\\n\",\n"
    "\"states\": [\n"
    "  {\"state\": 0, \"key\": \"0,1\", \"labels\": [], \"actions\": [\"up\", \"down\"]},\n"
    "  {\"state\": 1, \"key_hex\": \"00ff\", \"labels\": [\"two\"], \"actions\": 2},\n"
    "  {\"state\": 2, \"key\": \"\", \"labels\": [], \"actions\": 0},\n"
    "  {\"state\": 3, \"key\": \"\xc3\xa9\\n\", \"labels\": [\"two\"], \"actions\": [\"\", \"x\", "
    "\"x\"]}\n"
    "],\n"
    "\"memory\": {\"count\": 2, \"start\": [{\"state\": 0, \"key\": \"0,1\", \"memory\": 0}, "
    "{\"state\": 1, \"key_hex\": \"00ff\", \"memory\": 1}]},\n"
    "\"decisions\": [\n"
    "  {\"memory\": 0, \"state\": 0, \"key\": \"0,1\", \"action\": \"down\", \"choice\": 1, "
    "\"next\": 0},\n"
    "  {\"memory\": 1, \"state\": 1, \"key_hex\": \"00ff\", \"action\": \"\", \"choice\": 1, "
    "\"next\": 0},\n"
    "  {\"memory\": 1, \"state\": 3, \"key\": \"\xc3\xa9\\n\", \"action\": \"x\", \"choice\": 2, "
    "\"next\": 0}\n"
    "]\n"
    "}\n";

static opac_policy *read_good(void)
{
    opac_policy *policy;
    opac_error error = {0};
    assert_ok(opac_policy_parse(good, strlen(good), NULL, &policy, &error), &error);
    assert_ok(policy_check(policy, &error), &error);
    return policy;
}

static void check_text(opac_output *out, const char *expected)
{
    opac_error error = {0};
    size_t length;
    assert_ok(opac_output_commit(out, &error), &error);
    const char *text = opac_output_bytes(out, &length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
    opac_output_free(out);
}

static void test_a_file(void **unused)
{
    opac_policy *policy = read_good();
    opac_output *out;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    check_text(out, good);
    assert_true(opac_policy_is_file(good, strlen(good)));
    assert_true(opac_policy_has_keys(policy));
    assert_int_equal(opac_policy_states(policy), 4);
    assert_int_equal(opac_policy_decisions(policy), 3);
    assert_string_equal(opac_policy_action_name(policy, 0, 1), "down");
    assert_string_equal(opac_policy_action_name(policy, 3, 0), "");
    opac_policy_free(policy);
}

static uint32_t act(const opac_policy *policy, const char *key, size_t length, uint32_t *memory)
{
    return opac_policy_act_at(policy, key, length, memory);
}

static void test_running(void **unused)
{
    opac_policy *policy = read_good();
    uint32_t memory = 0;
    (void)unused;
    assert_int_equal(opac_policy_start_at(policy, "0,1", 3), 0);
    assert_int_equal(opac_policy_start_at(policy, "\0\xff", 2), 1);
    assert_int_equal(opac_policy_start_at(policy, "", 0), 0); /* is none: as the first */
    assert_int_equal(act(policy, "0,1", 3, &memory), 1);
    assert_int_equal(memory, 0);
    /* No decision: the automaton reads what holds there. */
    assert_int_equal(act(policy, "\0\xff", 2, &memory), 0);
    assert_int_equal(memory, 1);
    assert_int_equal(act(policy, "0,1", 3, &memory), 0);
    assert_int_equal(memory, 1);
    assert_int_equal(act(policy, "\0\xff", 2, &memory), 1);
    assert_int_equal(memory, 0);
    memory = 1;
    assert_int_equal(act(policy, "\xc3\xa9\n", 3, &memory), 2);
    assert_int_equal(memory, 0);
    assert_int_equal(act(policy, NULL, 0, &memory), 0);
    assert_int_equal(act(policy, "nowhere", 7, &memory), 0);
    assert_int_equal(memory, 0);
    opac_policy_free(policy);
}

static void test_a_picture(void **unused)
{
    opac_policy *policy = read_good();
    opac_output *out;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_policy_write_dot(policy, 2, out, &error), OPAC_ERROR_LIMIT);
    assert_ok(opac_policy_write_dot(policy, 3, out, &error), &error);
    check_text(out, "digraph policy {\n"
                    "  rankdir=LR\n"
                    "  labelloc=t\n"
                    "  label=\"two\"\n"
                    "  node [shape=box, style=rounded]\n"
                    "  start0 [label=\"\", shape=point, width=0.05]\n"
                    "  start0 -> 0\n"
                    "  start1 [label=\"\", shape=point, width=0.05]\n"
                    "  start1 -> 1\n"
                    "  0 [label=\"0,1\\nmemory 0\\ndown\"]\n"
                    "  1 [label=\"\\\\x00\\\\xFF\\nmemory 1\\n#2, then memory 0\"]\n"
                    "  2 [label=\"\xc3\xa9\\\\x0A\\nmemory 1\\nx, then memory 0\"]\n"
                    "}\n");
    opac_policy_free(policy);
}

typedef struct mistake {
    const char *from, *to; /* the first of these, replaced */
    uint32_t line, column; /* 0: said in words */
    opac_status status;
    const char *message;
} mistake;

static const mistake mistakes[] = {
    {"\"simulator\"", "\"mdp\"", 0, 0, OPAC_ERROR_ARGUMENT,
     "this is the policy of a model: it cannot be used with a simulator or without its model"},
    {"\"states\": 4", "\"states\": 5", 0, 0, OPAC_ERROR_ARGUMENT,
     "model.states: found 5, but the list has 4 states"},
    {"\"states\": 4", "\"variables\": []", 0, 0, OPAC_ERROR_SYNTAX,
     "model: unknown member 'variables'"},
    {"\"states\": [", "\"st\\u0061tes\": [", 0, 0, OPAC_ERROR_UNSUPPORTED,
     "states: the name of this member must be written without escapes"},
    {"\"state\": 1, \"key_hex\"", "\"state\": 2, \"key_hex\"", 11, 3, OPAC_ERROR_ARGUMENT,
     "states[1]: state: found 2, but the index in the list is 1"},
    {"\"key\": \"0,1\", \"labels\"", "\"labels\"", 10, 3, OPAC_ERROR_SYNTAX,
     "states[0]: member 'key' is missing"},
    {"\"key\": \"\"", "\"key\": \"0,1\"", 12, 3, OPAC_ERROR_ARGUMENT,
     "states[2]: key: '0,1' is the key of states[0] already"},
    {"\"key\": \"\"", "\"key\": \"\", \"key_hex\": \"\"", 12, 3, OPAC_ERROR_SYNTAX,
     "states[2]: expected 'key' or 'key_hex', found both"},
    {"\"00ff\", \"labels\"", "\"0ff\", \"labels\"", 11, 3, OPAC_ERROR_SYNTAX,
     "states[1]: key_hex: expected two hexadecimal digits for each byte"},
    {"\"00ff\", \"labels\"", "\"0g\", \"labels\"", 11, 3, OPAC_ERROR_SYNTAX,
     "states[1]: key_hex: expected two hexadecimal digits for each byte"},
    {"[\"two\"], \"actions\": 2", "[\"three\"], \"actions\": 2", 11, 3, OPAC_ERROR_ARGUMENT,
     "states[1]: labels: 'three' is not a proposition of the automaton"},
    {"\"actions\": 2", "\"actions\": 1025", 11, 3, OPAC_ERROR_ARGUMENT,
     "states[1]: actions: expected a whole number from 0 to 1024"},
    {"\"actions\": 2", "\"actions\": \"up\"", 11, 3, OPAC_ERROR_SYNTAX,
     "states[1]: actions: expected an array, found a string"},
    {", \"actions\": 2", "", 11, 3, OPAC_ERROR_SYNTAX, "states[1]: member 'actions' is missing"},
    {"\"labels\": [], \"actions\": 0", "\"label\": [], \"actions\": 0", 12, 3, OPAC_ERROR_SYNTAX,
     "states[2]: unknown member 'label'; did you mean 'labels'?"},
    {"\"actions\": 0}", "\"actions\": 0", 13, 3, OPAC_ERROR_SYNTAX,
     "expected a key in double quotes, found '{'"},
    {"\"state\": 0, \"key\": \"0,1\", \"memory\": 0}", "\"key\": \"0,2\", \"memory\": 0}", 0, 0,
     OPAC_ERROR_ARGUMENT, "memory.start[0]: key: no state of the policy has the key '0,2'"},
    {"\"state\": 0, \"key\": \"0,1\", \"memory\": 0}", "\"memory\": 0}", 0, 0, OPAC_ERROR_SYNTAX,
     "memory.start[0]: member 'key' is missing"},
    {"\"state\": 0, \"key\": \"0,1\", \"memory\": 0}", "\"state\": 1, \"memory\": 0}", 0, 0,
     OPAC_ERROR_ARGUMENT, "memory.start[1]: state 1 has an entry already"},
    {"\"state\": 0, \"key\": \"0,1\", \"memory\": 0}", "\"state\": 4, \"memory\": 0}", 0, 0,
     OPAC_ERROR_ARGUMENT, "memory.start[0]: state: no state 4, the policy has 4"},
    {"\"start\": [{\"state\": 0, \"key\": \"0,1\", \"memory\": 0}, {\"state\": 1, \"key_hex\": "
     "\"00ff\", \"memory\": 1}]",
     "\"start\": []", 0, 0, OPAC_ERROR_SYNTAX, "memory.start: expected at least one entry"},
    {"\"state\": 0, \"key\": \"0,1\", \"action\"", "\"state\": 3, \"key\": \"0,1\", \"action\"", 17,
     3, OPAC_ERROR_ARGUMENT, "decisions[0]: state: found 3, but '0,1' is the key of state 0"},
    {"\"state\": 0, \"key\": \"0,1\", \"action\"", "\"key\": \"no\\u0001\", \"action\"", 17, 3,
     OPAC_ERROR_ARGUMENT, "decisions[0]: key: no state of the policy has the key 'no\\x01'"},
    {"\"state\": 0, \"key\": \"0,1\", \"action\"", "\"state\": 0, \"values\": {}, \"action\"", 17,
     3, OPAC_ERROR_SYNTAX, "decisions[0]: unknown member 'values'"},
    {"\"action\": \"down\"", "\"action\": \"left\"", 17, 3, OPAC_ERROR_ARGUMENT,
     "decisions[0]: action: the state has no action 'left', it has 'up', 'down'"},
    {"\"state\": 0, \"key\": \"0,1\", \"action\": \"down\"", "\"state\": 2, \"action\": \"down\"",
     17, 3, OPAC_ERROR_ARGUMENT, "decisions[0]: action: the state has no action 'down', it has ''"},
    {"\"state\": 0, \"key\": \"0,1\", \"action\": \"down\"", "\"state\": 2", 17, 3,
     OPAC_ERROR_ARGUMENT, "decisions[0]: choice: expected a whole number from 0 to 0"},
    {"\"action\": \"x\", \"choice\": 2", "\"action\": \"x\"", 19, 3, OPAC_ERROR_ARGUMENT,
     "decisions[2]: action: the state has 2 actions 'x'; add 'choice' to select one"},
};

static char *replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    size_t before = (size_t)(at - text), length = strlen(text) - strlen(from) + strlen(to);
    char *made = malloc(length + 1);
    assert_non_null(made);
    memcpy(made, text, before);
    strcpy(made + before, to);
    strcat(made, at + strlen(from));
    return made;
}

static void test_mistakes(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        opac_policy *policy;
        opac_error error = {0};
        char *text = replace(good, m->from, m->to);
        assert_status(opac_policy_parse(text, strlen(text), NULL, &policy, &error), m->status);
        assert_string_equal(error.message, m->message);
        assert_int_equal(error.line, m->line);
        assert_int_equal(error.column, m->column);
        free(text);
    }
}

/* In a state without actions, a decision can still change the memory. */
static void test_waiting(void **unused)
{
    opac_policy *policy;
    opac_error error = {0};
    uint32_t memory = 0;
    char *text = replace(
        good, "\"state\": 0, \"key\": \"0,1\", \"action\": \"down\", \"choice\": 1, \"next\": 0",
        "\"state\": 2, \"next\": 1");
    (void)unused;
    assert_ok(opac_policy_parse(text, strlen(text), NULL, &policy, &error), &error);
    assert_ok(policy_check(policy, &error), &error);
    assert_int_equal(act(policy, "", 0, &memory), 0);
    assert_int_equal(memory, 1);
    opac_policy_free(policy);
    free(text);
}

/* Initial memory values are in the order of states, independently of their order in the file. */
static void test_starts(void **unused)
{
    opac_policy *policy;
    opac_output *out;
    opac_error error = {0};
    char *text =
        replace(good,
                "{\"state\": 0, \"key\": \"0,1\", \"memory\": 0}, {\"state\": 1, \"key_hex\": "
                "\"00ff\", \"memory\": 1}",
                "{\"key_hex\": \"00FF\", \"memory\": 1}, {\"key\": \"0,1\", \"memory\": 0}");
    (void)unused;
    assert_ok(opac_policy_parse(text, strlen(text), NULL, &policy, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    check_text(out, good);
    opac_policy_free(policy);
    free(text);
}

/* A policy of a simulator cannot be used with a model, nor a policy of a model without its model. */
static void test_the_other_kind(void **unused)
{
    uint64_t random = 3;
    scene s;
    opac_policy *policy = NULL, *other = NULL;
    opac_output *out;
    opac_error error = {0};
    size_t length;
    (void)unused;
    assert_true(scene_make(&random,
                           (random_model_shape){.states = 4, .most_choices = 2, .most_branches = 2},
                           scene_translate("F a", OPAC_KIND_DETERMINISTIC), &s));
    assert_status(opac_policy_parse(good, strlen(good), s.model, &other, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "this is the policy of a simulator, whose states have keys: "
                                       "it cannot be used with a model");
    policy = scene_policy(&s);
    assert_false(opac_policy_has_keys(policy));
    assert_null(opac_policy_key(policy, 0, &length));
    assert_int_equal(opac_policy_states(policy), opac_model_states(s.model));
    assert_string_equal(opac_policy_action_name(policy, 0, 0),
                        opac_model_choice_action(s.model, 0));
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    const char *text = opac_output_bytes(out, &length);
    assert_status(opac_policy_parse(text, length, NULL, &other, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "this is the policy of a model: it cannot be used with a "
                                       "simulator or without its model");
    opac_output_free(out);
    opac_policy_free(policy);
    scene_fini(&s);
}

static opac_status read_and_draw(void *context, opac_error *error)
{
    opac_policy *policy;
    opac_output *out = NULL;
    (void)context;
    opac_status status = opac_policy_parse(good, strlen(good), NULL, &policy, error);
    if (status != OPAC_OK)
        return status;
    status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK)
        status = opac_policy_write_dot(policy, 9, out, error);
    if (status == OPAC_OK) {
        opac_policy_write(policy, out);
        status = opac_output_commit(out, error);
    }
    opac_output_free(out);
    opac_policy_free(policy);
    return status;
}

static void test_memory(void **unused)
{
    (void)unused;
    assert_true(faults_sweep(read_and_draw, NULL) > 30);
}

SUITE(keys)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file),         cmocka_unit_test(test_running),
        cmocka_unit_test(test_a_picture),      cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_waiting),        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_the_other_kind), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
