/* SPDX-License-Identifier: MIT */
/*
 * Verdicts and errors: files that are not certificates, have another version, or exceed a limit; and the
 * assumptions that a verdict lists.
 */
#include "verify/sealed.h"

#define REACH sealed_reach
#define GUESS sealed_guess

/* ---- what is no certificate, or not one of this version ---- */

typedef struct stranger {
    sealed_sample sample; /* the reason is a part of the error's message */
    opac_status status;
} stranger;

static const stranger strangers[] = {
    {{REACH, {{"\"start\": 0", "\"start\": NaN"}}, "not a certificate ("}, OPAC_ERROR_SYNTAX},
    {{REACH, {{"\"start\": 0", "\"start\": Infinity"}}, "not JSON): "}, OPAC_ERROR_SYNTAX},
    {{REACH, {{"\"start\": 0", "\"start\": 0, \"start\": 0"}}, "occurs twice"}, OPAC_ERROR_SYNTAX},
    {{REACH,
      {{"certificate/1", "certificate/3"}},
      "has the schema 'omegapac.certificate/3'; this version of the program reads "
      "'omegapac.certificate/1' and 'omegapac.certificate/2' only"},
     OPAC_ERROR_UNSUPPORTED},
    {{REACH, {{"certificate/1", "certificate/01"}}, "'omegapac.certificate/01'"},
     OPAC_ERROR_UNSUPPORTED},
    {{REACH,
      {{"omegapac.certificate/1", "omegapac.result/1"}},
      "not a certificate: its schema is 'omegapac.result/1', not 'omegapac.certificate/2'"},
     OPAC_ERROR_ARGUMENT},
    {{REACH, {{"omegapac.certificate/1", "omegapac.policy/1"}}, "'omegapac.policy/1'"},
     OPAC_ERROR_ARGUMENT},
    {{REACH,
      {{"\"schema\": \"omegapac.certificate/1\",\n", ""}},
      "not a certificate: expected an object with \"schema\""},
     OPAC_ERROR_ARGUMENT},
    {{REACH, {{"\"omegapac.certificate/1\"", "1"}}, "expected an object with"},
     OPAC_ERROR_ARGUMENT},
};

static void test_other_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        char text[SEALED_SIZE];
        opac_verification found;
        opac_error error;
        sealed_build(&strangers[i].sample, text);
        assert_status(opac_verify_text(text, strlen(text), NULL, &found, &error),
                      strangers[i].status);
        if (strstr(error.message, strangers[i].sample.reason) == NULL)
            fail_msg("'%s' without '%s'", error.message, strangers[i].sample.reason);
        assert_false(found.holds);
        assert_null(found.reason);
    }
}

/* ---- what is believed ---- */

typedef struct belief {
    sealed_sample sample;
    const char *assumes[15]; /* all of them, in this order */
} belief;

#define COUNTED                                                                                    \
    "the counts are the samples that were drawn in the model: none was left out, added or changed"
#define DRAWN                                                                                      \
    "the samples of a row are independent draws from one distribution, which belongs to the "      \
    "state "                                                                                       \
    "and the action and does not change over time"
#define DRAWN_RESET                                                                                \
    "the samples of a row are independent draws from one distribution, which belongs to the "      \
    "state "                                                                                       \
    "and the action, or to the reset, and does not change over time"
#define INDEXED "the index of a row was given before the row was first sampled"
#define SELECTED                                                                                   \
    "the run was not selected by its outcome among several, such as runs with other seeds"
#define LETTERS                                                                                    \
    "the letter of a state (the propositions that are true in it), the number of its actions and " \
    "the state where runs begin are as in the model, and each state has one key"
#define LETTERS_RESET                                                                              \
    "the letter of a state (the propositions that are true in it) and the number of its actions "  \
    "are as in the model, and each state has one key"
#define ABSORBING "a state without actions is absorbing: a run that reaches it stays there"
#define POLICY    "the policy is the one that the nodes describe: no policy file was compared"
#define FIXED     " were fixed before the first sample was drawn"
#define PMIN      "every positive transition probability is at least 0.2"
#define GRAPH     "the rows list all successors that there are, and no others"
#define GRAPH_RESET                                                                                \
    "the rows, that of the reset included, list all successors that there are, and no others"
#define ANY_START                                                                                  \
    "start states were drawn independently of each other; no bound on their probabilities is "     \
    "assumed"
#define RIGHT "the automaton recognises the objective"

static const belief beliefs[] = {
    {{REACH, {{0}}, NULL},
     {PMIN, "delta, its split and the bound on probabilities" FIXED, COUNTED, DRAWN, INDEXED,
      SELECTED, LETTERS, ABSORBING, RIGHT, POLICY}},
    /* Sizes; no state is without actions, but one of them was never left. */
    {{REACH,
      {{"\"states\": null, \"actions\": null", "\"states\": 3, \"actions\": 2"},
       {"\"key\": \"02\", \"letter\": 0, \"actions\": 0",
        "\"key\": \"02\", \"letter\": 0, \"actions\": 1"},
       {"\"counts\": [[1, 40]]}]",
        "\"counts\": [[1, 40]]},\n{\"index\": 4, \"state\": 2, \"action\": "
        "0, \"counts\": [[2, 99]]}]"}},
      NULL},
     {PMIN, "the model has at most 3 states, 2 actions a state",
      "delta, its split, the bound on probabilities and the sizes" FIXED, COUNTED, DRAWN, INDEXED,
      SELECTED, LETTERS, RIGHT, POLICY}},
    /* A graph: delta has one part. */
    {{REACH,
      {{"\"pmin\": 0.2, \"graph\": false", "\"pmin\": null, \"graph\": true"},
       {"\"support\": 0.05, \"interval\": 0.05", "\"support\": 0, \"interval\": 0.1"}},
      NULL},
     {GRAPH, "delta and the graph" FIXED, COUNTED, DRAWN, INDEXED, SELECTED, LETTERS, ABSORBING,
      RIGHT, POLICY}},
    {{REACH, {{"\"graph\": false", "\"graph\": true"}}, NULL},
     {PMIN, GRAPH, "delta, its split, the bound on probabilities and the graph" FIXED, COUNTED,
      DRAWN, INDEXED, SELECTED, LETTERS, ABSORBING, RIGHT, POLICY}},
    /* A least probability, a random reset, an automaton with choices. */
    {{GUESS, {{0}}, NULL},
     {ANY_START, GRAPH_RESET,
      "the model has at most 4 states, 1 action a state, 3 successors of an action or of the "
      "reset",
      "delta, the graph and the sizes" FIXED, COUNTED, DRAWN_RESET, INDEXED, SELECTED,
      LETTERS_RESET, ABSORBING, "the automaton recognises the complement of the objective",
      "the automaton, which is not deterministic, is good for MDPs", POLICY}},
};

static void test_assumptions(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof beliefs / sizeof *beliefs; b++) {
        char text[SEALED_SIZE];
        opac_verification found;
        opac_error error;
        size_t i = 0;
        sealed_build(&beliefs[b].sample, text);
        assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
        if (!found.holds)
            fail_msg("%zu: %s", b, found.reason);
        for (; beliefs[b].assumes[i] != NULL && found.assumes[i] != NULL; i++)
            assert_string_equal(found.assumes[i], beliefs[b].assumes[i]);
        assert_null(found.assumes[i]);
        assert_null(beliefs[b].assumes[i]);
        opac_verification_fini(&found);
    }
}

/* ---- files ---- */

static void test_files(void **state)
{
    (void)state;
    opac_verification found;
    opac_error error;
    assert_status(opac_verify_file("no/such/file", NULL, &found, &error), OPAC_ERROR_IO);
    assert_status(opac_verify_file("/", NULL, &found, &error), OPAC_ERROR_IO);
    opac_verification_fini(&found);
    assert_status(opac_verify_text("", 0, NULL, &found, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message,
                        "not a certificate (not JSON): expected a JSON value, found nothing");
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 1);
    assert_status(opac_verify_text("mdp\nmodule m", 12, NULL, &found, &error), OPAC_ERROR_SYNTAX);
    assert_status(opac_verify_text("{\"a\": \"\xff\"}", 10, NULL, &found, &error),
                  OPAC_ERROR_SYNTAX);
    assert_status(opac_verify_text("[]", 2, NULL, &found, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "not a certificate: expected an object with \"schema\": "
                                       "\"omegapac.certificate/2\"");
    assert_status(opac_verify_text("{}", 2, NULL, &found, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_verify_text("1", 1, NULL, &found, &error), OPAC_ERROR_ARGUMENT);
    /* A certificate by its schema, but by nothing else: refused. */
    const char *bare = "{\"schema\": \"omegapac.certificate/1\"}";
    assert_ok(opac_verify_text(bare, strlen(bare), NULL, &found, &error), &error);
    assert_string_equal(found.reason, "member 'digest' is missing");
    opac_verification_fini(&found);
}

/* Whether an odd number of the propositions `first` to `last` is true, as a label. */
static void add_parity(char *text, int first, int last)
{
    if (first == last) {
        sprintf(text + strlen(text), "%d", first);
        return;
    }
    for (int i = 0; i < 2; i++) {
        strcat(text, i == 0 ? "(" : " | !(");
        add_parity(text, first, (first + last) / 2);
        strcat(text, i == 0 ? ") & !(" : ") & (");
        add_parity(text, (first + last) / 2 + 1, last);
        strcat(text, ")");
    }
}

/* Two loops that together read every letter, which takes 2^16 cases to see: no verdict. */
static void test_limit(void **state)
{
    (void)state;
    char parity[4096] = "", edges[10000], text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    add_parity(parity, 0, 15);
    snprintf(edges, sizeof edges, "[%s] 0 {0}\\n[!(%s)] 0 {0}\\n", parity, parity);
    const sealed_sample s = {
        REACH,
        {{"AP: 1 \\\"a\\\"", "AP: 16 \\\"a\\\" \\\"b\\\" \\\"c\\\" \\\"d\\\" "
                             "\\\"e\\\" \\\"f\\\" \\\"g\\\" \\\"h\\\" \\\"i\\\" "
                             "\\\"j\\\" \\\"k\\\" \\\"l\\\" \\\"m\\\" \\\"n\\\" "
                             "\\\"o\\\" \\\"p\\\""},
         {"[!0] 0\\n[0] 0 {0}\\n", edges},
         {"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0, "
          "\"next\": 0, \"marks\": []",
          "\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0, \"action\": null, "
          "\"next\": null, \"marks\": null"}},
        NULL};
    sealed_build(&s, text);
    assert_status(opac_verify_text(text, strlen(text), NULL, &found, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(
        error.message,
        "nodes[0]: a choice must be given if and only if lower is above 0 (the search for "
        "states that accept every word was cut off)");
}

/* A state with very many actions costs no more than many states. */
static void test_many_actions(void **state)
{
    (void)state;
    enum {
        MANY = 50000
    };
    char head[SEALED_SIZE], *text = malloc(128 * MANY);
    opac_verification found;
    opac_error error;
    snprintf(head, sizeof head, "%s", REACH);
    sealed_edit(head, "\"letter\": 1, \"actions\": 1", "\"letter\": 1, \"actions\": 50001");
    char *cut = strstr(head, "}],\n\"nodes\"");
    size_t length = (size_t)sprintf(text, "%.*s}", (int)(cut - head), head);
    for (int a = 1; a <= MANY; a++)
        length += (size_t)sprintf(
            text + length,
            ",\n{\"index\": %d, \"state\": 1, \"action\": %d, \"counts\": [[1, 40]]}", a + 3, a);
    strcpy(text + length, cut + 1);
    sealed_close(text);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    assert_true(found.holds);
    assert_int_equal(found.pairs, 3 + MANY);
    opac_verification_fini(&found);
    free(text);
}

/* Nested beyond what is read, in a file of some length. */
static void test_depth(void **state)
{
    (void)state;
    enum {
        DEPTH = 1 << 20
    };
    opac_verification found;
    opac_error error;
    char *text = malloc(DEPTH);
    memset(text, '[', DEPTH);
    assert_status(opac_verify_text(text, DEPTH, NULL, &found, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "not a certificate (not JSON): nested too deep");
    free(text);
}

SUITE(verdicts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_files), cmocka_unit_test(test_assumptions),
        cmocka_unit_test(test_files),       cmocka_unit_test(test_limit),
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_many_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
