/* SPDX-License-Identifier: MIT */
/*
 * The fast reader of decisions, compared with the JSON reader: written decisions are accepted by the fast
 * reader, and for any change of the text both give the same result. A blank after the bracket selects the
 * JSON reader.
 */
#include "policy/policy_scan.h"

#include "scene.h"

enum {
    ROUNDS = 80,
    CHANGES = 40
};

static char *write_policy(const opac_policy *policy)
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    char *copy = strdup(opac_output_bytes(out, &length));
    assert_non_null(copy);
    opac_output_free(out);
    return copy;
}

/* Copies the text with some bytes at `at` replaced. */
static char *replace(const char *text, size_t at, size_t length, const char *by)
{
    size_t rest = strlen(text) - at - length;
    char *copy = malloc(at + strlen(by) + rest + 1);
    assert_non_null(copy);
    memcpy(copy, text, at);
    memcpy(copy + at, by, strlen(by));
    memcpy(copy + at + strlen(by), text + at + length, rest + 1);
    return copy;
}

static void assert_same_decisions(const opac_policy *a, const opac_policy *b)
{
    uint32_t states = opac_model_states(a->domain.model);
    assert_memory_equal(a->begin, b->begin, (states + 1u) * sizeof *a->begin);
    assert_memory_equal(a->decisions, b->decisions, a->begin[states] * sizeof *a->decisions);
}

/* Uses both readers for the decision that begins at `line`. */
static void compare(const char *text, size_t line, const opac_model *model)
{
    opac_policy *quick = NULL, *slow = NULL;
    opac_error error = {0}, other = {0};
    char *blank = replace(text, line, 1, "{ ");
    opac_status status = opac_policy_parse(text, strlen(text), model, &quick, &error);
    assert_status(opac_policy_parse(blank, strlen(blank), model, &slow, &other), status);
    if (status == OPAC_OK)
        assert_same_decisions(quick, slow);
    else if (strstr(error.message, " near ") == NULL)
        assert_string_equal(error.message, other.message);
    opac_policy_free(quick);
    opac_policy_free(slow);
    free(blank);
}

/* A byte with a meaning in JSON replaces some bytes or is inserted. */
static void change(uint64_t *random, const char *text, size_t line, size_t length,
                   const opac_model *model)
{
    static const char *const words[] = {
        "0", "1",  "7", "-",  ".",    "\"",   "\\",
        ",", ", ", "}", "{",  " ",    "true", "e1",
        "x", "\n", "a", "00", "\x01", "\xc3", "99999999999999999999"};
    const char *by = words[random_below(random, sizeof words / sizeof *words)];
    size_t at = line + 1 + random_below(random, (uint32_t)length - 1);
    size_t gone = random_below(random, 2);
    char *changed = replace(text, at, gone, by);
    compare(changed, line, model);
    free(changed);
}

static uint32_t scan_all(uint64_t *random, const opac_policy *policy, const char *text)
{
    uint32_t scanned = 0;
    const char *end;
    for (const char *line = strstr(text, "  {"); line != NULL; line = strstr(end, "  {")) {
        policy_scanned found;
        end = strchr(line, '\n');
        size_t length = (size_t)(end - line) - 2 - (end[-1] == ',');
        if (policy_scan_decision(policy, line + 2, strlen(line + 2), &found)) {
            assert_int_equal(found.length, length);
            const policy_decision *meant =
                policy_find_decision(policy, found.state, found.decision.memory);
            assert_non_null(meant);
            assert_memory_equal(meant, &found.decision, sizeof *meant);
            scanned++;
        }
        int changes = random_below(random, 4) == 0 ? CHANGES : 0;
        for (int i = 0; i < changes; i++)
            change(random, text, (size_t)(line + 2 - text), length, policy->domain.model);
    }
    return scanned;
}

/* The fast reader accepts all decisions except for names that need escapes and numbers of 19 digits. */
static bool is_plain(const opac_model *model)
{
    bool plain = true;
    for (uint32_t i = 0; i < opac_model_action_count(model); i++)
        for (const char *c = opac_model_action(model, i); *c != '\0'; c++)
            plain &= *c >= 0x20 && *c < 0x7f && *c != '"' && *c != '\\';
    for (uint32_t v = 0; v < model->layout.count; v++)
        plain &= model->layout.variables[v].low > -INT64_C(1000000000000000000) &&
                 model->layout.variables[v].high < INT64_C(1000000000000000000);
    return plain;
}

static void test_both_ways(void **state)
{
    (void)state;
    uint64_t random = random_seed(521);
    uint64_t scanned = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scene s;
        if (!scene_make(&random, random_model_draw(&random, 8), scene_automaton(&random), &s))
            continue;
        opac_policy *policy = scene_policy(&s);
        char *text = write_policy(policy);
        uint32_t found = scan_all(&random, policy, text);
        if (is_plain(s.model))
            assert_int_equal(found, opac_policy_decisions(policy));
        scanned += found;
        free(text);
        opac_policy_free(policy);
        scene_fini(&s);
    }
    assert_true(scanned > ROUNDS);
}

/* ---- one line ---- */

static const char model_text[] = "mdp\n"
                                 "module m\n"
                                 "  x : [-2..12] init -2;\n"
                                 "  b : bool init false;\n"
                                 "  [go] x<12 -> (x'=x+1);\n"
                                 "  [set] x<12 -> (b'=true);\n"
                                 "  [] x=12 -> true;\n"
                                 "endmodule\n";

typedef struct line {
    const char *text;
    bool is_usual;
} line;

static const line lines[] = {
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"set\", "
     "\"choice\": 1, \"next\": 2}",
     true},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     true},
    /* numbers */
    {"{\"memory\": 3, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 3}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 2, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 99, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 01, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": -0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1.0, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 18446744073709551617, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, "
     "\"action\": \"go\", \"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": , \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    /* values */
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": 2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": true}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"b\": false, \"x\": -2}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"action\": \"go\", \"choice\": 0, \"next\": 0}", false},
    /* actions */
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"g\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"set\", "
     "\"choice\": 0, \"next\": 0}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"g\\u006f"
     "\", \"choice\": 0, \"next\": 0}",
     false},
    /* more, or less */
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0, \"why\": 1}",
     false},
    {"{\"memory\": 1, \"state\": 0, \"values\": {\"x\": -2, \"b\": false}, \"action\": \"go\", "
     "\"choice\": 0, \"next\": 0",
     false},
};

static void test_lines(void **state)
{
    (void)state;
    opac_model *model = NULL;
    opac_policy *policy;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, model_text, strlen(model_text), NULL, &model,
                                   &error),
              &error);
    assert_ok(policy_new(model, &policy, &error), &error);
    policy->memory_count = 3;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *text = lines[i].text;
        policy_scanned found;
        if (policy_scan_decision(policy, text, strlen(text), &found) != lines[i].is_usual)
            fail_msg("line %zu: %s", i, text);
        for (size_t length = 0; length < strlen(text); length++)
            assert_false(policy_scan_decision(policy, text, length, &found));
    }
    opac_policy_free(policy);
    opac_model_free(model);
}

SUITE(scan)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_ways),
                                       cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
