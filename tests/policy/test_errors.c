/* SPDX-License-Identifier: MIT */
/*
 * Errors in policy files: a valid file with one change, and the message. Errors in decisions have their line.
 */
#include "scene.h"
#include "support/faults.h"

static const char model_text[] = "mdp\n"
                                 "module m\n"
                                 "  x : [0..2] init 0;\n"
                                 "  done : bool init false;\n"
                                 "  [a] x<2 & !done -> 0.5:(x'=x+1) + 0.5:true;\n"
                                 "  [b] x<2 & !done -> (x'=x+1);\n"
                                 "  [b] x<2 & !done -> (done'=true);\n"
                                 "  [] x=2 | done -> true;\n"
                                 "endmodule\n"
                                 "label \"two\" = x=2;\n";

static const char good[] =
    "{\"schema\": \"omegapac.policy/1\", \"objective\": \"two\",\n"
    " \"formula\": \"F two\", \"direction\": \"max\",\n"
    " \"model\": {\"type\": \"mdp\", \"states\": 5, \"variables\": [\"x\", \"done\"]},\n"
    " \"propositions\": [\"two\"],\n"
    " \"automaton\": \"HOA: v1 States: 2 Start: 0 AP: 1 \\\"two\\\" Acceptance: 1 Inf(0)\\n"
    "--BODY-- State: 0 [!0] 0 [0] 1 State: 1 [t] 1 {0} --END--\",\n"
    " \"memory\": {\"count\": 2, \"start\": [{\"state\": 0, \"values\": {\"x\": 0, \"done\": "
    "false}, \"memory\": 0}]},\n"
    " \"decisions\": [\n"
    "   {\"memory\": 0, \"state\": 0, \"values\": {\"x\": 0, \"done\": false}, \"action\": \"a\", "
    "\"choice\": 0, \"next\": 0},\n"
    "   {\"memory\": 0, \"state\": 1, \"values\": {\"x\": 1, \"done\": false}, \"action\": \"b\", "
    "\"choice\": 1, \"next\": 1}\n"
    " ]}\n";

typedef struct mistake {
    const char *from, *to; /* the first of these, replaced */
    uint32_t line, column; /* 0: said in words */
    opac_status status;
    const char *message;
} mistake;

static const mistake mistakes[] = {
    /* JSON, and what it is */
    {"{\"schema\"", "[\"schema\"", 1, 10, OPAC_ERROR_SYNTAX, "expected ',' or ']', found ':'"},
    {" ]}\n", " ]", 10, 3, OPAC_ERROR_SYNTAX, "expected ',' or '}', found the end of the text"},
    {" ]}\n", " ]} x\n", 10, 5, OPAC_ERROR_SYNTAX, "expected the end of the text, found 'x'"},
    {"\"schema\": \"omegapac.policy/1\", ", "", 0, 0, OPAC_ERROR_SYNTAX,
     "member 'schema' is missing"},
    {"policy/1", "policy/2", 0, 0, OPAC_ERROR_UNSUPPORTED,
     "schema: unsupported version \"omegapac.policy/2\", expected \"omegapac.policy/1\""},
    {"policy/1", "result/1", 0, 0, OPAC_ERROR_SYNTAX,
     "schema: not a policy, expected \"omegapac.policy/1\", found \"omegapac.result/1\""},
    {"\"omegapac.policy/1\"", "1", 0, 0, OPAC_ERROR_SYNTAX,
     "schema: expected a string, found a number"},
    {"\"objective\"", "\"objektive\"", 0, 0, OPAC_ERROR_SYNTAX,
     "unknown member 'objektive'; did you mean 'objective'?"},
    {"\"two\",\n", "2,\n", 0, 0, OPAC_ERROR_SYNTAX, "objective: expected a string, found a number"},
    /* what it is for */
    {"F two", "F (two", 0, 0, OPAC_ERROR_SYNTAX,
     "formula: line 1, column 7: expected ')', found the end of the formula; the parenthesis "
     "opened at line 1, column 3 is not closed"},
    {"\"max\"", "\"most\"", 0, 0, OPAC_ERROR_SYNTAX,
     "direction: expected \"max\" or \"min\", found \"most\""},
    {"\"mdp\"", "1", 0, 0, OPAC_ERROR_SYNTAX, "model.type: expected a string, found a number"},
    {"\"states\": 5", "\"states\": 0", 0, 0, OPAC_ERROR_ARGUMENT,
     "model.states: expected a whole number from 1 to 18446744073709551615"},
    {"[\"x\", \"done\"]", "[\"x\", 1]", 0, 0, OPAC_ERROR_SYNTAX,
     "model.variables[1]: expected a string, found a number"},
    {"\"type\"", "\"typ\"", 0, 0, OPAC_ERROR_SYNTAX,
     "model: unknown member 'typ'; did you mean 'type'?"},
    /* the automaton */
    {"[!0] 0 [0] 1", "[!0] 0 [7] 1", 0, 0, OPAC_ERROR_SYNTAX,
     "automaton: line 2, column 27: proposition 7 does not exist: 'AP:' declares 1, numbered from "
     "0"},
    {"\"HOA: v1 States: 2 Start: 0 AP: 1 \\\"two\\\" Acceptance: 1 Inf(0)\\n--BODY-- State: 0 [!0] "
     "0 [0] 1 State: 1 [t] 1 {0} --END--\"",
     "\"\"", 0, 0, OPAC_ERROR_SYNTAX, "automaton: the text contains no automaton"},
    {"--END--", "--END-- HOA: v1 States: 0 Acceptance: 0 t --BODY-- --END--", 0, 0,
     OPAC_ERROR_SYNTAX, "automaton: the text contains several automata"},
    {"Start: 0 ", "", 0, 0, OPAC_ERROR_SYNTAX, "automaton: it has no initial state"},
    {"[\"two\"]", "[\"two\"], \"meanings\": []", 0, 0, OPAC_ERROR_SYNTAX,
     "meanings: expected an object, found an array"},
    {"[\"two\"]", "[\"two\"], \"meanings\": {\"two\": 2}", 0, 0, OPAC_ERROR_SYNTAX,
     "meanings.two: expected a string, found a number"},
    {"[\"two\"]", "[\"two\"], \"meanings\": {\"two\": \"x=y\"}", 0, 0, OPAC_ERROR_SYNTAX,
     "meanings.two: line 1, column 3: unknown name 'y'"},
    {"[\"two\"]", "[\"two\"], \"meanings\": {\"other\": \"tow\"}", 0, 0, OPAC_ERROR_ARGUMENT,
     "meanings.other: line 1, column 1: there is no label \"tow\"; did you mean \"two\"? The "
     "labels "
     "are \"init\", \"deadlock\", \"two\""},
    {"[\"two\"]", "[\"one\"]", 0, 0, OPAC_ERROR_ARGUMENT,
     "propositions[0]: found 'one', but the automaton has 'two'"},
    {"[\"two\"]", "[\"two\", \"one\"]", 0, 0, OPAC_ERROR_ARGUMENT,
     "propositions: found 2, but the automaton has 1"},
    {"[\"two\"]", "[]", 0, 0, OPAC_ERROR_ARGUMENT,
     "propositions: found 0, but the automaton has 1"},
    /* memory */
    {"\"memory\": {\"count\"", "\"Memory\": {\"count\"", 0, 0, OPAC_ERROR_SYNTAX,
     "unknown member 'Memory'; did you mean 'memory'?"},
    {"\"count\": 2", "\"count\": 3", 0, 0, OPAC_ERROR_ARGUMENT,
     "memory.count: found 3, but the automaton has 2 states"},
    {"\"count\": 2", "\"count\": 0", 0, 0, OPAC_ERROR_ARGUMENT,
     "memory.count: expected a whole number from 1 to 4294967295"},
    {"\"count\": 2, \"start\"", "\"start\"", 0, 0, OPAC_ERROR_SYNTAX,
     "memory: member 'count' is missing"},
    {"\"memory\": 0}]", "\"memory\": 2}]", 0, 0, OPAC_ERROR_ARGUMENT,
     "memory.start[0].memory: expected a whole number from 0 to 1"},
    {"[{\"state\": 0, \"values\": {\"x\": 0, \"done\": false}, \"memory\": 0}]", "[]", 0, 0,
     OPAC_ERROR_ARGUMENT,
     "memory.start: x=0, done=false is an initial state of the model, but has no entry"},
    {"\"values\": {\"x\": 0, \"done\": false}, \"memory\"",
     "\"values\": {\"x\": 1, \"done\": false}, \"memory\"", 0, 0, OPAC_ERROR_ARGUMENT,
     "memory.start[0]: x=1, done=false is not an initial state of the model"},
    {"\"memory\": 0}]", "\"memory\": 0}, {\"values\": {\"x\": 0, \"done\": false}, \"memory\": 0}]",
     0, 0, OPAC_ERROR_ARGUMENT, "memory.start[1]: x=0, done=false has an entry already"},
    {"\"values\": {\"x\": 0, \"done\": false}, \"memory\"",
     "\"values\": {\"y\": 1, \"done\": false}, \"memory\"", 0, 0, OPAC_ERROR_ARGUMENT,
     "memory.start[0]: values: the model has no variable 'y'; the policy may belong to another "
     "model"},
    {"\"values\": {\"x\": 0, \"done\": false}, \"memory\"", "\"memory\"", 0, 0, OPAC_ERROR_SYNTAX,
     "memory.start[0]: member 'values' is missing"},
    /* decisions: their form */
    {"\"decisions\": [", "\"decision\": [", 0, 0, OPAC_ERROR_SYNTAX,
     "unknown member 'decision'; did you mean 'decisions'?"},
    {"\"decisions\": [", "\"decisio\\u006es\": [", 0, 0, OPAC_ERROR_UNSUPPORTED,
     "decisions: the name of this member must be written without escapes"},
    {"\"next\": 0},", "\"next\": 0}", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[0]: expected the end of the text, found '{'"},
    {"\"next\": 1}\n", "\"next\": 1},\n", 10, 2, OPAC_ERROR_SYNTAX,
     "decisions[2]: expected a JSON value, found nothing"},
    {"\"next\": 1}\n ]", "\"next\": 1},]", 9, 104, OPAC_ERROR_SYNTAX,
     "decisions[2]: expected a JSON value, found nothing"},
    {"\"choice\": 1, \"next\": 1", "\"choice\": 1 \"next\": 1", 9, 92, OPAC_ERROR_SYNTAX,
     "decisions[1]: expected ',' or '}', found '\"'"},
    {"\"action\": \"a\"", "\"acton\": \"a\"", 8, 4, OPAC_ERROR_SYNTAX,
     "decisions[0]: unknown member 'acton'; did you mean 'action'?"},
    {" \"next\": 0},", " \"next\": 0}, 7,", 8, 105, OPAC_ERROR_SYNTAX,
     "decisions[1]: expected an object, found a number"},
    {", \"next\": 1", "", 9, 4, OPAC_ERROR_SYNTAX, "decisions[1]: member 'next' is missing"},
    {"\"memory\": 0, \"state\": 1,", "\"state\": 1,", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[1]: member 'memory' is missing"},
    {"\"memory\": 0, \"state\": 1,", "\"memory\": 2, \"state\": 1,", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: memory: expected a whole number from 0 to 1"},
    {"\"next\": 1", "\"next\": -1", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: next: expected a whole number from 0 to 1"},
    /* decisions: states */
    {"\"x\": 1, \"done\"", "\"x\": 3, \"done\"", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: values.x: expected a whole number from 0 to 2"},
    {"\"x\": 1, \"done\"", "\"x\": true, \"done\"", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[1]: values.x: expected a number, found a boolean"},
    {"\"x\": 1, \"done\": false", "\"x\": 1, \"done\": 0", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[1]: values.done: expected a boolean, found a number"},
    {"\"x\": 1, \"done\": false", "\"x\": 2, \"done\": true", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: values: no state of the model has x=2, done=true"},
    {"\"x\": 1, \"done\": false", "\"x\": 1", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: values: the variable 'done' is missing"},
    {"\"x\": 1, \"done\": false", "\"x\": 1, \"ready\\u001b\": false", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: values: the model has no variable 'ready\\x1B'; the policy may belong to "
     "another model"},
    {"\"x\": 1, \"done\": false", "\"x\": 1, \"doen\": false", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: values: the model has no variable 'doen'; did you mean 'done'?"},
    {"\"values\": {\"x\": 1, \"done\": false}", "\"values\": [1, false]", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[1]: values: expected an object, found an array"},
    {"\"state\": 1", "\"state\": \"1\"", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[1]: state: expected a number, found a string"},
    /* decisions: choices */
    {"\"action\": \"a\"", "\"action\": \"c\\u0007\"", 8, 4, OPAC_ERROR_ARGUMENT,
     "decisions[0]: action: the state has no action 'c\\x07', it has 'a', 'b', 'b'"},
    {"\"action\": \"a\"", "\"action\": 1", 8, 4, OPAC_ERROR_SYNTAX,
     "decisions[0]: action: expected a string, found a number"},
    {"\"choice\": 0", "\"choice\": 1", 8, 4, OPAC_ERROR_ARGUMENT,
     "decisions[0]: action: found 'a', but the action of choice 1 of the state is 'b'"},
    {"\"choice\": 0", "\"choice\": 3", 8, 4, OPAC_ERROR_ARGUMENT,
     "decisions[0]: choice: expected a whole number from 0 to 2"},
    {"\"choice\": 1, ", "", 9, 4, OPAC_ERROR_ARGUMENT,
     "decisions[1]: action: the state has 2 actions 'b'; add 'choice' to select one"},
    {"\"action\": \"b\", \"choice\": 1, ", "", 9, 4, OPAC_ERROR_SYNTAX,
     "decisions[1]: member 'action' or 'choice' is missing"},
};

/* The valid text with a part replaced. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *found = strstr(text, from);
    assert_non_null(found);
    char *result = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(result);
    memcpy(result, text, (size_t)(found - text));
    strcpy(result + (found - text), to);
    strcat(result, found + strlen(from));
    return result;
}

static opac_model *read_model(opac_model_format format, const char *text)
{
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_model_read_text(format, text, strlen(text), NULL, &model, &error), &error);
    return model;
}

static void check_mistake(const opac_model *model, const char *text, const mistake *expected)
{
    opac_policy *policy = NULL;
    opac_error error = {0};
    opac_status status = opac_policy_parse(text, strlen(text), model, &policy, &error);
    if (status == OPAC_OK)
        fail_msg("accepted: %s", expected->message);
    assert_string_equal(error.message, expected->message);
    assert_int_equal(status, expected->status);
    assert_int_equal(error.code, status);
    assert_int_equal(error.line, expected->line);
    assert_int_equal(error.column, expected->column);
    assert_status(opac_policy_parse(text, strlen(text), model, &policy, NULL), expected->status);
}

static void test_mistakes(void **state)
{
    (void)state;
    opac_model *model = read_model(OPAC_FORMAT_PRISM, model_text);
    opac_policy *policy;
    opac_error error;
    assert_ok(opac_policy_parse(good, strlen(good), model, &policy, &error), &error);
    opac_policy_free(policy);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *text = replaced(good, mistakes[i].from, mistakes[i].to);
        check_mistake(model, text, &mistakes[i]);
        free(text);
    }
    opac_model_free(model);
}

/* The line is that of the second decision, also if there are others between. */
static void test_twice(void **state)
{
    (void)state;
    static const mistake twice = {
        .line = 9,
        .column = 4,
        .status = OPAC_ERROR_ARGUMENT,
        .message =
            "decisions[1]: there already is a decision for memory 0 in this state, decisions[0]"};
    opac_model *model = read_model(OPAC_FORMAT_PRISM, model_text);
    char *text = replaced(good, "\"x\": 1, \"done\"", "\"x\": 0, \"done\"");
    check_mistake(model, text, &twice);
    free(text);
    opac_model_free(model);
}

/* A text of one line, with characters of several bytes before the error. */
static void test_columns(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"objective\": \"\xc3\xbc\", \"memory\": {\"count\": "
        "1, \"start\": [{\"state\": 0, \"memory\": 0}]}, \"decisions\": [{\"memory\": 0, "
        "\"state\": 0, \"action\": \"\xc3\xbc\", \"next\": 0}]%s";
    static const mistake action = {.line = 1,
                                   .column = 127,
                                   .status = OPAC_ERROR_ARGUMENT,
                                   .message = "decisions[0]: action: the state has no action "
                                              "'\xc3\xbc', it has 'go'"};
    static const mistake end = {.line = 1,
                                .column = 179,
                                .status = OPAC_ERROR_SYNTAX,
                                .message = "expected ',' or '}', found ']'"};
    opac_model *model = read_model(OPAC_FORMAT_TRA, "1 1 1\n0 0 0 1 go\n");
    char buffer[400];
    snprintf(buffer, sizeof buffer, text, "}");
    check_mistake(model, buffer, &action);
    snprintf(buffer, sizeof buffer, text, "]");
    check_mistake(model, buffer, &end);
    opac_model_free(model);
}

/* ---- models without variables, and with values that several states share ---- */

static void test_numbers(void **state)
{
    (void)state;
    static const char text[] = "{\"schema\": \"omegapac.policy/1\", \"model\": {\"states\": 2}, "
                               "\"memory\": {\"count\": 1, "
                               "\"start\": [{\"state\": 0, \"memory\": 0}]}, \"decisions\": "
                               "[{\"memory\": 0, \"state\": 1, "
                               "\"next\": 0}]}";
    static const mistake wrong[] = {
        {"\"states\": 2", "\"states\": 3", 0, 0, OPAC_ERROR_ARGUMENT,
         "model.states: the policy is for a model with 3 states, but this model has 2, and "
         "without variables states are identified by number"},
        {"\"state\": 1", "\"state\": 2", 1, 133, OPAC_ERROR_ARGUMENT,
         "decisions[0]: state: no state 2, the model has 2"},
        {"\"state\": 1", "\"values\": {}", 1, 133, OPAC_ERROR_SYNTAX,
         "decisions[0]: member 'state' is missing"},
        {"\"state\": 1", "\"state\": 1, \"values\": {\"x\": 1}", 1, 133, OPAC_ERROR_ARGUMENT,
         "decisions[0]: values: the model has no variable 'x'; the policy may belong to another "
         "model"},
        {"\"state\": 0", "\"state\": 1", 0, 0, OPAC_ERROR_ARGUMENT,
         "memory.start[0]: state 1 is not an initial state of the model"},
    };
    opac_model *model = read_model(OPAC_FORMAT_TRA, "2 2 2\n0 0 1 1\n1 0 0 1\n");
    opac_policy *policy;
    opac_error error;
    assert_ok(opac_policy_parse(text, strlen(text), model, &policy, &error), &error);
    opac_policy_free(policy);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *bad = replaced(text, wrong[i].from, wrong[i].to);
        check_mistake(model, bad, &wrong[i]);
        free(bad);
    }
    opac_model_free(model);
}

static void test_same_values(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"memory\": {\"count\": 1, \"start\": [{\"state\": 0, "
        "\"values\": {\"x\": 0, \"one\": 7}, \"memory\": 0}]}, \"decisions\": [{\"memory\": 0, "
        "\"state\": 2, \"values\": {\"x\": 1, \"one\": 7}, \"next\": 0}]}";
    static const mistake wrong[] = {
        {"\"state\": 2, ", "", 1, 139, OPAC_ERROR_ARGUMENT,
         "decisions[0]: values: several states have x=1, one=7; add 'state' to select one"},
        {"\"state\": 2, ", "\"state\": 0, ", 1, 139, OPAC_ERROR_ARGUMENT,
         "decisions[0]: values: several states have x=1, one=7; add 'state' to select one"},
        {"\"state\": 2, ", "\"state\": 4, ", 1, 139, OPAC_ERROR_ARGUMENT,
         "decisions[0]: values: several states have x=1, one=7; add 'state' to select one"},
    };
    opac_builder *builder;
    opac_model *model;
    opac_policy *policy;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 0, 1, &error), &error);
    assert_ok(opac_builder_variable(builder, "one", OPAC_VALUE_INT, 7, 7, &error), &error);
    for (uint32_t s = 0; s < 4; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_value(builder, 0, s > 0, &error), &error);
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        assert_ok(opac_builder_branch(builder, (s + 1) % 4, 1, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    assert_ok(opac_policy_parse(text, strlen(text), model, &policy, &error), &error);
    assert_non_null(policy_find_decision(policy, 2, 0));
    opac_policy_free(policy);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *bad = replaced(text, wrong[i].from, wrong[i].to);
        check_mistake(model, bad, &wrong[i]);
        free(bad);
    }
    opac_model_free(model);
}

/* Names of many actions are cut. */
static void test_many_actions(void **state)
{
    (void)state;
    char tra[2000] = "1 40 40\n";
    for (int i = 0; i < 40; i++)
        snprintf(tra + strlen(tra), sizeof tra - strlen(tra), "0 %d 0 1 action%d\n", i, i);
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"memory\": {\"count\": 1, \"start\": [{\"state\": 0, "
        "\"memory\": 0}]}, \"decisions\": [{\"memory\": 0, \"state\": 0, \"action\": \"x\", "
        "\"next\": 0}]}";
    opac_model *model = read_model(OPAC_FORMAT_TRA, tra);
    opac_policy *policy;
    opac_error error;
    assert_status(opac_policy_parse(text, strlen(text), model, &policy, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "it has 'action0', 'action1', "));
    assert_non_null(strstr(error.message, ", and 28 more"));
    opac_model_free(model);
}

/* ---- out of memory while something is wrong ---- */

typedef struct wrong_text {
    const opac_model *model;
    const char *text;
} wrong_text;

/* An error is expected: when it is the one, all went well. */
static opac_status fail_it(void *context, opac_error *error)
{
    wrong_text *wrong = context;
    opac_policy *policy;
    opac_status status =
        opac_policy_parse(wrong->text, strlen(wrong->text), wrong->model, &policy, error);
    assert_int_not_equal(status, OPAC_OK);
    return status == OPAC_ERROR_MEMORY ? status : OPAC_OK;
}

static void test_faults(void **state)
{
    (void)state;
    opac_model *model = read_model(OPAC_FORMAT_PRISM, model_text);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *text = replaced(good, mistakes[i].from, mistakes[i].to);
        wrong_text wrong = {model, text};
        /* The readers of formulas and automata may report the error in the text anyway. */
        if (strstr(mistakes[i].message, ": line ") == NULL)
            faults_sweep(fail_it, &wrong);
        free(text);
    }
    opac_model_free(model);
}

SUITE(errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),    cmocka_unit_test(test_twice),
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_same_values), cmocka_unit_test(test_many_actions),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
