/* SPDX-License-Identifier: MIT */
/*
 * A policy that is written is read back unchanged, as a file and as a value within another JSON text; and
 * files are read as specified in docs/formats/policy.md.
 */
#include <omegapac/check.h>

#include "scene.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/temporary.h"

enum {
    ROUNDS = 400
};

typedef void (*policy_printer)(const opac_policy *policy, opac_output *out);

static void echo(const opac_policy *policy, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    opac_policy_write_json(policy, &json);
}

static char *print(const opac_policy *policy, policy_printer printer)
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    printer(policy, out);
    assert_ok(opac_output_commit(out, &error), &error);
    const char *bytes = opac_output_bytes(out, &length);
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length + 1);
    opac_output_free(out);
    return copy;
}

static opac_policy *parse(const char *text, const opac_model *model)
{
    opac_policy *policy = NULL;
    opac_error error;
    assert_ok(opac_policy_parse(text, strlen(text), model, &policy, &error), &error);
    assert_ok(policy_check(policy, &error), &error);
    return policy;
}

static char *hoa(const opac_automaton *automaton)
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_automaton_write_hoa(automaton, out);
    char *copy = strdup(opac_output_bytes(out, &length));
    opac_output_free(out);
    return copy;
}

static void assert_same_automaton(const opac_automaton *a, const opac_automaton *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a == NULL)
        return;
    char *first = hoa(a), *second = hoa(b);
    assert_string_equal(first, second);
    free(first);
    free(second);
    /* The order of edges decides where there is no decision. */
    assert_int_equal(a->state_count, b->state_count);
    for (uint32_t q = 0; q <= a->state_count; q++)
        assert_int_equal(a->edge_begin[q], b->edge_begin[q]);
    for (uint32_t e = 0; e < a->edge_begin[a->state_count]; e++) {
        assert_int_equal(a->edges[e].target, b->edges[e].target);
        assert_true(a->edges[e].marks == b->edges[e].marks);
    }
}

static void assert_same_policy(const opac_policy *a, const opac_policy *b)
{
    uint32_t states = opac_model_states(a->domain.model);
    assert_string_equal(a->objective, b->objective);
    assert_int_equal(a->formula == NULL, b->formula == NULL);
    if (a->formula != NULL)
        assert_string_equal(a->formula, b->formula);
    assert_int_equal(a->complement, b->complement);
    assert_int_equal(a->memory_count, b->memory_count);
    assert_same_automaton(a->automaton, b->automaton);
    for (uint32_t i = 0; i < opac_model_initial_count(a->domain.model); i++)
        assert_int_equal(a->start[i], b->start[i]);
    for (uint32_t s = 0; s <= states; s++)
        assert_int_equal(a->begin[s], b->begin[s]);
    assert_memory_equal(a->decisions, b->decisions, a->begin[states] * sizeof *a->decisions);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static void check_round_trip(const opac_policy *policy)
{
    char *file = print(policy, opac_policy_write), *value = print(policy, echo);
    opac_policy *from_file = parse(file, policy->domain.model),
                *from_value = parse(value, policy->domain.model);
    assert_same_policy(policy, from_file);
    assert_same_policy(policy, from_value);
    char *again = print(from_file, opac_policy_write);
    assert_string_equal(file, again);
    assert_null(strchr(value, '\n'));
    assert_int_equal(strstr(file, "\"values\": ") != NULL,
                     opac_model_variable_count(policy->domain.model) > 0);
    uint64_t decisions = opac_policy_decisions(policy);
    assert_int_equal(count_lines(file), 11 + decisions + (decisions > 0));
    assert_true(opac_policy_is_file(file, strlen(file)));
    assert_true(opac_policy_is_file(value, strlen(value)));
    free(file);
    free(value);
    free(again);
    opac_policy_free(from_file);
    opac_policy_free(from_value);
}

static void test_round_trip(void **state)
{
    (void)state;
    uint64_t random = random_seed(511);
    unsigned made = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scene s;
        if (!scene_make(&random, random_model_draw(&random, 12), scene_automaton(&random), &s))
            continue;
        opac_policy *policy = scene_policy(&s);
        policy->complement = round % 2 == 0;
        check_round_trip(policy);
        opac_policy_free(policy);
        scene_fini(&s);
        made++;
    }
    assert_true(made > ROUNDS / 2);
}

/* Any decisions, also those that do not follow the automaton; no automaton; unusual names. */
static void test_any_machine(void **state)
{
    (void)state;
    uint64_t random = random_seed(512);
    for (int round = 0; round < ROUNDS; round++) {
        opac_model *model = random_model(&random, random_model_draw(&random, 20));
        opac_policy *policy;
        policy_entry_vec drafts = {0};
        opac_error error;
        assert_ok(policy_new(model, &policy, &error), &error);
        policy->memory_count = 1 + random_below(&random, round % 3 == 0 ? 1 : 9);
        const char *words = round % 2 ? "\"stay\"\\ \t\n\x7f ü" : "";
        policy->objective = base_copy_text(words, strlen(words));
        policy->start = base_alloc_zeroed(opac_model_initial_count(model), sizeof *policy->start);
        assert_true(policy->objective != NULL);
        assert_true(policy->start != NULL);
        for (uint32_t i = 0; i < opac_model_initial_count(model); i++)
            policy->start[i] = random_below(&random, policy->memory_count);
        for (uint32_t s = 0; s < opac_model_states(model); s++)
            for (uint32_t m = policy->memory_count; m > 0; m--) {
                uint32_t count = opac_model_choice_count(model, s);
                policy_decision decision = {m - 1, random_below(&random, count),
                                            random_below(&random, policy->memory_count)};
                if (random_below(&random, 3) > 0)
                    assert_ok(policy_entry_add(&drafts, s, decision, &error), &error);
            }
        assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
        assert_ok(policy_check(policy, &error), &error);
        check_round_trip(policy);
        policy_entry_vec_fini(&drafts);
        opac_policy_free(policy);
        opac_model_free(model);
    }
}

/* ---- by hand ---- */

static const char coins[] = "mdp\n"
                            "module m\n"
                            "  x : [0..2] init 0;\n"
                            "  done : bool init false;\n"
                            "  [a] x<2 -> 0.5:(x'=x+1) + 0.5:true;\n"
                            "  [b] x<2 -> (x'=x+1);\n"
                            "  [b] x<2 -> (done'=true);\n"
                            "  [] x=2 -> (x'=0);\n"
                            "endmodule\n"
                            "label \"two\" = x=2;\n";

static opac_model *read_model(const char *text)
{
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    return model;
}

static uint32_t find_state(const opac_model *model, int64_t x, bool done)
{
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        if (opac_model_value(model, s, 0) == x && opac_model_value(model, s, 1) == done)
            return s;
    fail_msg("no such state");
    return 0;
}

/* Members in any order, blanks anywhere, choices by name, by number or both; numbers of states are
 * ignored; the automaton follows where there is no decision. */
static void test_by_hand(void **state)
{
    (void)state;
    static const char text[] =
        " {\"decisions\" :[ {\"next\": 1, \"choice\": 2, \"action\": \"b\", \"values\": {\"done\": "
        "false, \"x\": 0}, \"state\": 77, \"memory\": 0}\n"
        ",\t{\"memory\": 1, \"values\": {\"x\": 1, \"done\": false}, \"action\": \"a\", \"next\": "
        "0},"
        "{\"memory\": 1, \"values\": {\"x\": 0, \"done\": false}, \"choice\": 1, \"next\": 1},"
        "{\"memory\": 1, \"values\": {\"x\": 2, \"done\": true}, \"next\": 0}],"
        "\"memory\": {\"start\": [{\"values\": {\"x\": 0, \"done\": false}, \"memory\": 1}], "
        "\"count\": 2},\n"
        "\"automaton\": \"HOA: v1 States: 2 Start: 1 AP: 1 \\\"two\\\" Acceptance: 1 Inf(0) "
        "--BODY-- State: 0 [t] 0 State: 1 [!0] 1 [0] 0 {0} --END--\","
        "\"model\": {\"states\": 99}, \"schema\": \"omegapac.policy/1\"} ";
    opac_model *model = read_model(coins);
    opac_policy *policy = parse(text, model);
    uint32_t zero = find_state(model, 0, false), one = find_state(model, 1, false);
    uint32_t two = find_state(model, 2, false), last = find_state(model, 2, true), memory = 0;
    assert_int_equal(opac_policy_decisions(policy), 4);
    assert_int_equal(opac_policy_start(policy, zero), 1);
    assert_int_equal(opac_policy_start(policy, one), 1); /* the automaton's */
    assert_int_equal(opac_policy_act(policy, zero, &memory),
                     opac_model_choice_begin(model, zero) + 2);
    assert_int_equal(memory, 1);
    assert_int_equal(opac_policy_act(policy, zero, &memory),
                     opac_model_choice_begin(model, zero) + 1);
    assert_int_equal(memory, 1);
    assert_int_equal(opac_policy_act(policy, one, &memory), opac_model_choice_begin(model, one));
    assert_int_equal(memory, 0);
    memory = 1;
    assert_int_equal(opac_policy_act(policy, last, &memory), opac_model_choice_begin(model, last));
    assert_int_equal(memory, 0);
    /* no decision: the letter of "two" leads to 0, and from there no letter leads away */
    memory = 1;
    assert_int_equal(opac_policy_act(policy, two, &memory), opac_model_choice_begin(model, two));
    assert_int_equal(memory, 0);
    assert_int_equal(opac_policy_act(policy, one, &memory), opac_model_choice_begin(model, one));
    assert_int_equal(memory, 0);
    memory = 1;
    assert_int_equal(opac_policy_act(policy, find_state(model, 1, true), &memory),
                     opac_model_choice_begin(model, find_state(model, 1, true)));
    assert_int_equal(memory, 1);
    /* HOA numbers its initial state 0: so does the memory, when it is written */
    char *file = print(policy, opac_policy_write);
    opac_policy *again = parse(file, model);
    memory = 0;
    assert_int_equal(opac_policy_start(again, zero), 0);
    assert_int_equal(opac_policy_act(again, one, &memory), opac_model_choice_begin(model, one));
    assert_int_equal(memory, 1);
    opac_policy_free(again);
    free(file);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* Brackets, commas and quotes in names do not end a decision. */
static void test_odd_names(void **state)
{
    (void)state;
    static const char tra[] = "1 2 2\n0 0 0 1 a],{\"\\\n0 1 0 1 b}\n";
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_TRA, tra, strlen(tra), NULL, &model, &error),
              &error);
    static const char text[] =
        "{\"objective\": \"] } \\\" , \\\\\", \"schema\": \"omegapac.policy/1\", \"memory\": "
        "{\"count\": 2, \"start\": [{\"state\": 0, \"memory\": 0}]}, \"decisions\": [{\"memory\": "
        "0, \"state\": 0, \"action\": \"a],{\\\"\\\\\", \"next\": 1}, {\"memory\": 1, \"state\": "
        "0, \"action\": \"b}\", \"next\": 0}]}";
    opac_policy *policy = parse(text, model);
    uint32_t memory = 0;
    assert_int_equal(opac_policy_act(policy, 0, &memory), 0);
    assert_int_equal(opac_policy_act(policy, 0, &memory), 1);
    assert_int_equal(memory, 0);
    check_round_trip(policy);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* An automaton without states leaves one memory value. */
static void test_no_states(void **state)
{
    (void)state;
    uint64_t random = random_seed(514);
    scene s;
    assert_true(scene_make(&random, random_model_draw(&random, 5),
                           scene_hoa("HOA: v1 States: 0 AP: 1 \"a\" Acceptance: 0 f --BODY-- "
                                     "--END--"),
                           &s));
    opac_policy *policy = scene_policy(&s);
    check_round_trip(policy);
    opac_policy_free(policy);
    scene_fini(&s);
}

/* Propositions that only a property file knows: it loads, and the memory stays where it is. */
static void test_unknown_propositions(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"automaton\": \"HOA: v1 States: 2 Start: 0 AP: 1 "
        "\\\"elsewhere\\\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 State: 1 [t] 0 --END--\", "
        "\"memory\": {\"count\": 2, \"start\": [{\"values\": {\"x\": 0, \"done\": false}, "
        "\"memory\": 0}]}, \"decisions\": []}";
    opac_model *model = read_model(coins);
    opac_policy *policy = parse(text, model);
    uint32_t memory = 0;
    assert_null(policy->letters);
    assert_int_equal(opac_policy_act(policy, 0, &memory), 0);
    assert_int_equal(memory, 0);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* With definitions, the memory follows the automaton; the definitions are written again. */
static void test_definitions(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"automaton\": \"HOA: v1 States: 2 Start: 0 AP: 2 "
        "\\\"elsewhere\\\" \\\"two\\\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 1 [!0] 0 State: "
        "1 "
        "[1] 0 [!1] 1 --END--\", \"meanings\": {\"elsewhere\": \"x=1&!done\", \"two\": \"done\"}, "
        "\"memory\": {\"count\": 2, \"start\": [{\"values\": {\"x\": 0, \"done\": false}, "
        "\"memory\": 0}]}, \"decisions\": []}";
    opac_model *model = read_model(coins);
    opac_policy *policy = parse(text, model);
    for (uint32_t s = 0; s < opac_model_states(model); s++) {
        uint32_t memory = 0, other = 1;
        bool done = opac_model_value(model, s, 1) != 0;
        opac_policy_act(policy, s, &memory);
        opac_policy_act(policy, s, &other);
        assert_int_equal(memory, opac_model_value(model, s, 0) == 1 && !done);
        assert_int_equal(other, !done); /* the definition overrides the label "two" of the model */
    }
    char *file = print(policy, opac_policy_write);
    assert_non_null(strstr(file, "\n\"meanings\": {\"elsewhere\": \"x=1&!done\", \"two\": "
                                 "\"done\"},\n"));
    opac_policy *again = parse(file, model);
    assert_int_equal(again->definitions.count, 2);
    opac_policy_free(again);
    free(file);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_text(void **state)
{
    (void)state;
    static const char expected[] =
        "{\n"
        "\"schema\": \"omegapac.policy/1\",\n"
        "\"objective\": \"reach it\",\n"
        "\"formula\": \"F two\",\n"
        "\"direction\": \"min\",\n"
        "\"model\": {\"type\": \"mdp\", \"states\": 6, \"variables\": [\"x\", \"done\"]},\n"
        "\"propositions\": [],\n"
        "\"automaton\": null,\n"
        "\"memory\": {\"count\": 3, \"start\": [{\"state\": 0, \"values\": {\"x\": 0, \"done\": "
        "false}, \"memory\": 2}]},\n"
        "\"decisions\": [\n"
        "  {\"memory\": 1, \"state\": 0, \"values\": {\"x\": 0, \"done\": false}, \"action\": "
        "\"b\", \"choice\": 2, \"next\": 0},\n"
        "  {\"memory\": 2, \"state\": 0, \"values\": {\"x\": 0, \"done\": false}, \"action\": "
        "\"a\", \"choice\": 0, \"next\": 1}\n"
        "]\n"
        "}\n";
    opac_model *model = read_model(coins);
    opac_policy *policy = parse(expected, model);
    char *file = print(policy, opac_policy_write);
    assert_string_equal(file, expected);
    assert_string_equal(opac_policy_objective(policy), "reach it");
    assert_true(policy->complement);
    free(file);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_files(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"memory\": {\"count\": 1, \"start\": [{\"values\": "
        "{\"x\": 0, \"done\": false}, \"memory\": 0}]}, \"decisions\": [ ]}";
    char folder[256], path[300];
    opac_model *model = read_model(coins);
    opac_policy *policy;
    opac_error error;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/policy.json", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    assert_ok(opac_policy_read(path, model, &policy, &error), &error);
    assert_int_equal(opac_policy_decisions(policy), 0);
    opac_policy_free(policy);
    remove(path);
    remove(folder);
    assert_status(opac_policy_read(path, model, &policy, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "policy.json"));
    opac_model_free(model);
}

static void test_is_file(void **state)
{
    (void)state;
    static const char *const yes[] = {"{\"schema\": \"omegapac.policy/1\"",
                                      " \r\n\t{ \"schema\"\n:\"omegapac.policy/29\", ..."};
    static const char *const no[] = {"",
                                     "{",
                                     "{}",
                                     "[{\"schema\": \"omegapac.policy/1\"}]",
                                     "{\"schema\": \"omegapac.result/1\"}",
                                     "{\"schema\": omegapac.policy/1",
                                     "{\"schema\" \"omegapac.policy/1\"}",
                                     "{\"schema\": \"omegapac.policy",
                                     "{\"other\": 1, \"schema\": \"omegapac.policy/1\"}",
                                     "mdp\nmodule m\nendmodule\n"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(opac_policy_is_file(yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(opac_policy_is_file(no[i], strlen(no[i])));
    assert_false(opac_policy_is_file("{\0 \"schema\": \"omegapac.policy/1\"", 30));
}

/* ---- what cannot be written ---- */

static void test_no_utf8(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "the action 'a\\xFF' cannot be written to a policy file: it is not UTF-8",
        "the variable 'v\\xFF' cannot be written to a policy file: it is not UTF-8"};
    for (int i = 0; i < 2; i++) {
        opac_builder *builder;
        opac_model *model = NULL;
        opac_policy *policy;
        opac_output *out;
        opac_error error;
        policy_entry_vec drafts = {0};
        assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
        if (i == 1)
            assert_ok(opac_builder_variable(builder, "v\xff", OPAC_VALUE_INT, 0, 1, &error),
                      &error);
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, i == 0 ? "a\xff" : "a", &error), &error);
        assert_ok(opac_builder_branch(builder, 0, 1, &error), &error);
        assert_ok(opac_builder_initial(builder, 0, &error), &error);
        assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
        opac_builder_free(builder);
        assert_ok(policy_new(model, &policy, &error), &error);
        policy->objective = base_copy_text("", 0);
        policy->start = base_alloc_zeroed(1, sizeof *policy->start);
        assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
        assert_ok(opac_output_open_memory(&out, &error), &error);
        opac_policy_write(policy, out);
        assert_status(opac_output_commit(out, &error), OPAC_ERROR_UNSUPPORTED);
        assert_string_equal(error.message, messages[i]);
        opac_output_free(out);
        opac_policy_free(policy);
        opac_model_free(model);
    }
}

/* ---- out of memory ---- */

typedef struct round_trip {
    scene s;
    opac_policy *policy;
    char *text;
} round_trip;

/* ---- the chain ---- */

static opac_status echo_chain(const opac_policy *policy, uint32_t most, opac_output **out,
                              opac_error *error)
{
    opac_json json;
    opac_status status = opac_output_open_memory(out, error);
    if (status != OPAC_OK)
        return status;
    opac_json_init(&json, *out);
    opac_json_begin_object(&json);
    opac_policy_write_chain_json(policy, most, &json);
    opac_json_end_object(&json);
    return opac_output_commit(*out, error);
}

static size_t count_words(const char *text, const char *word)
{
    size_t found = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        found++;
    return found;
}

/* As many nodes and edges as the induced chain has states and transitions; nothing is written if the limit
 * is exceeded by one node. */
static void test_chain(void **state)
{
    (void)state;
    uint64_t random = random_seed(512);
    for (int i = 0; i < 30; i++) {
        scene s;
        opac_model *chain;
        opac_output *out;
        opac_error error = {0};
        size_t length;
        if (!scene_make(&random, random_model_draw(&random, 8), scene_hoa(scene_odd), &s))
            continue;
        opac_policy *policy = scene_policy(&s);
        assert_ok(opac_policy_induce(policy, NULL, &chain, &error), &error);
        uint32_t nodes = opac_model_states(chain), last = opac_model_choice_begin(chain, nodes - 1);
        size_t edges = opac_model_branch_begin(chain, last) + opac_model_branch_count(chain, last);
        assert_ok(echo_chain(policy, nodes, &out, &error), &error);
        const char *text = opac_output_bytes(out, &length);
        assert_int_equal(count_words(text, "\"action\": "), nodes);
        assert_int_equal(count_words(text, "\"probability\": "), edges);
        opac_output_free(out);
        assert_ok(echo_chain(policy, nodes - 1, &out, &error), &error);
        assert_string_equal(opac_output_bytes(out, &length), "{}");
        opac_output_free(out);
        opac_model_free(chain);
        opac_policy_free(policy);
        scene_fini(&s);
    }
}

/* The same, written directly. */
static bool is_word(const char *label)
{
    return strspn(label, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(label);
}

/* All states with their values and labels; nothing is written if the limit is exceeded by one state. */
static void test_states(void **state)
{
    (void)state;
    uint64_t random = random_seed(513);
    for (int i = 0; i < 20; i++) {
        scene s;
        opac_json json;
        opac_error error = {0};
        size_t length;
        if (!scene_make(&random, random_model_draw(&random, 8), scene_hoa(scene_odd), &s))
            continue;
        opac_policy *policy = scene_policy(&s);
        uint32_t count = opac_model_states(s.model);
        size_t labels = 0;
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t l = 0; l < opac_model_label_count(s.model); l++)
                labels +=
                    is_word(opac_model_label(s.model, l)) && opac_model_has_label(s.model, k, l);
        for (uint32_t most = count - 1; most <= count; most++) {
            opac_output *out;
            assert_ok(opac_output_open_memory(&out, &error), &error);
            opac_json_init(&json, out);
            opac_json_begin_object(&json);
            opac_policy_write_states_json(policy, most, &json);
            opac_json_end_object(&json);
            const char *text = opac_output_bytes(out, &length);
            assert_int_equal(count_words(text, "\"state\": "), most < count ? 0 : count);
            size_t listed = 0;
            for (uint32_t l = 0; l < opac_model_label_count(s.model); l++) {
                char word[80];
                snprintf(word, sizeof word, "\"%.60s\"", opac_model_label(s.model, l));
                listed += is_word(opac_model_label(s.model, l)) ? count_words(text, word) : 0;
            }
            assert_int_equal(listed, most < count ? 0 : labels);
            assert_int_equal(strcmp(text, "{}") == 0, most < count);
            opac_output_free(out);
        }
        opac_policy_free(policy);
        scene_fini(&s);
    }
}

/* The exact text: an initial node, values of both types, labels, actions and memory. */
static void test_chain_text(void **state)
{
    (void)state;
    static const char lamp[] = "mdp module m x : [-1..1] init 0; on : bool init false; "
                               "[go] x=0 -> 1/4 : (x'=1) + 3/4 : (x'=-1) & (on'=true); "
                               "[] x!=0 -> true; endmodule label \"lit\" = on;";
    static const char expected[] =
        "{\"chain\": {\"initial\": [0], \"nodes\": ["
        "{\"state\": 0, \"values\": {\"x\": 0, \"on\": false}, \"labels\": [\"init\"], "
        "\"memory\": 0, \"action\": \"go\"}, "
        "{\"state\": 1, \"values\": {\"x\": 1, \"on\": false}, \"labels\": [], "
        "\"memory\": 0, \"action\": \"\"}, "
        "{\"state\": 2, \"values\": {\"x\": -1, \"on\": true}, \"labels\": [\"lit\"], "
        "\"memory\": 0, \"action\": \"\"}, "
        "{\"state\": 2, \"values\": {\"x\": -1, \"on\": true}, \"labels\": [\"lit\"], "
        "\"memory\": 1, \"action\": \"\"}], \"edges\": ["
        "{\"from\": 0, \"to\": 1, \"probability\": 0.25}, "
        "{\"from\": 0, \"to\": 2, \"probability\": 0.75}, "
        "{\"from\": 1, \"to\": 1, \"probability\": 1}, "
        "{\"from\": 2, \"to\": 3, \"probability\": 1}, "
        "{\"from\": 3, \"to\": 3, \"probability\": 1}]}}";
    opac_error error;
    opac_model *model;
    opac_formula *formula;
    opac_solution *solution;
    opac_policy *policy;
    opac_output *out;
    size_t length;
    opac_check_options options = opac_check_defaults();
    options.policy = true;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, lamp, strlen(lamp), NULL, &model, &error),
              &error);
    assert_ok(opac_formula_parse("F lit", NULL, &formula, &error), &error);
    assert_ok(opac_check(model, &(opac_objective){.formula = formula}, &options, &solution, &error),
              &error);
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    assert_ok(echo_chain(policy, 4, &out, &error), &error);
    assert_string_equal(opac_output_bytes(out, &length), expected);
    opac_output_free(out);
    opac_policy_free(policy);
    opac_solution_free(solution);
    opac_formula_free(formula);
    opac_model_free(model);
}

static opac_status echo_it(void *context, opac_error *error)
{
    round_trip *r = context;
    opac_output *out = NULL;
    opac_status status = echo_chain(r->policy, UINT32_MAX, &out, error);
    opac_output_free(out);
    return status;
}

static opac_status write_it(void *context, opac_error *error)
{
    round_trip *r = context;
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    opac_policy_write(r->policy, out);
    status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static opac_status read_it(void *context, opac_error *error)
{
    round_trip *r = context;
    opac_policy *policy;
    opac_status status = opac_policy_parse(r->text, strlen(r->text), r->s.model, &policy, error);
    if (status == OPAC_OK)
        opac_policy_free(policy);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    uint64_t random = random_seed(513);
    for (int i = 0; i < 2; i++) {
        round_trip r = {0};
        random_model_shape shape = random_model_draw(&random, 6);
        shape.variables = i == 0 ? 0 : 3;
        assert_true(scene_make(&random, shape, scene_hoa(scene_odd), &r.s));
        r.policy = scene_policy(&r.s);
        r.text = print(r.policy, opac_policy_write);
        assert_true(faults_sweep(write_it, &r) > 3);
        assert_true(faults_sweep(echo_it, &r) > 3);
        assert_true(faults_sweep(read_it, &r) > 10);
        free(r.text);
        opac_policy_free(r.policy);
        scene_fini(&r.s);
    }
}

SUITE(file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_any_machine),
        cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_unknown_propositions),
        cmocka_unit_test(test_definitions), cmocka_unit_test(test_text),
        cmocka_unit_test(test_odd_names),   cmocka_unit_test(test_no_states),
        cmocka_unit_test(test_files),       cmocka_unit_test(test_is_file),
        cmocka_unit_test(test_no_utf8),     cmocka_unit_test(test_chain),
        cmocka_unit_test(test_chain_text),  cmocka_unit_test(test_states),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
