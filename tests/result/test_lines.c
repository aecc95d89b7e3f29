/* SPDX-License-Identifier: MIT */
/* Texts of results that files hold: members that are missing, texts and numbers
 * that are odd, and the locale of the process. */
#include <locale.h>

#include "result/texts.h"

/* The text of a result; the caller frees it. */
static char *text_of(const char *json)
{
    base_json *document;
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(base_json_parse(json, strlen(json), &document, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    result_write_text(base_json_root(document), &(result_extras){0}, out);
    opac_output_write(out, "", 1);
    char *text = strdup(opac_output_bytes(out, &length));
    assert_non_null(text);
    opac_output_free(out);
    base_json_free(document);
    return text;
}

static void assert_says(const char *json, const char *words)
{
    char *text = text_of(json);
    if (strstr(text, words) == NULL)
        fail_msg("no '%s' in:\n%s", words, text);
    free(text);
}

/* Numbers that are missing, of another type or beyond doubles are unknown, in every command's text. */
static void missing_numbers_are_unknown(void **state)
{
    (void)state;
    static const char *const commands[] = {"bound",    "check", "env check", "estimate",
                                           "evaluate", "info",  "recurrence"};
    static const char *const others[] = {
        "{\"command\": \"learn\"}", "{\"command\": \"learn\", \"inputs\": {}}",
        "{\"command\": \"learn\", \"summary\": {\"judged\": 1}}",
        "{\"command\": \"verify\", \"result\": {\"holds\": true}}"};
    char json[64];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(json, sizeof json, "{\"command\": \"%s\"}", commands[i]);
        char *text = text_of(json);
        assert_null(strstr(text, "nan"));
        free(text);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *text = text_of(others[i]);
        assert_null(strstr(text, "nan"));
        free(text);
    }
    assert_says(
        "{\"command\": \"check\", \"result\": {\"value\": true, \"lower\": 0, \"upper\": 1e400}}",
        "Result: unknown [0, unknown]");
    assert_says("{\"command\": \"bound\", \"result\": {\"bracket\": {\"visits\": 7}}}",
                "If all N*K pairs matter, each in 7 episodes of T steps (an estimate): unknown\n");
    assert_says(
        "{\"command\": \"learn\", \"inputs\": {}, \"params\": {\"T\": 7}, \"guarantee\": "
        "{\"bracket\": 1}, \"stats\": {\"trial\": {\"source\": \"episodes\", \"steps\": 7}}}",
        "trial              0 of 0 episodes of 7 steps won\n");
    assert_says(
        "{\"command\": \"recurrence\", \"result\": {\"before\": \"x\", \"reached\": 1e300}}",
        "unknown after T - 1 transitions, 1e300 after T transitions");
}

/* A result of each command, with $ for each text that a file may hold. */
static const char *const samples[] = {
    "{'command': 'bound', 'params': {'k_rule': '$'}}",
    "{'command': 'check', 'inputs': {'name': '$', 'objective': '$', 'type': '$', "
    "'automaton_acceptance': '$'},"
    " 'result': {'verdict': '$', 'exact': '$', 'direction': '$', 'precise': true, 'initial': "
    "[{'values': {'$': '$'}}]},"
    " 'policy': {}, 'files': {'policy': '$', 'dot': '$'}}",
    "{'command': 'check', 'inputs': {'model': '$'}, 'results': [{'inputs': {'name': '$', "
    "'objective': '$'}}]}",
    "{'command': 'env check', 'findings': [{'kind': '$', 'check': '$', 'text': '$', 'line': '$'}]}",
    "{'command': 'estimate', 'inputs': {'model': '$', 'objective': '$'}, 'truth': {'note': '$'},"
    " 'guarantee': {'statement': '$', 'assumes': ['$', '$ $'], 'tested': '$'}}",
    "{'command': 'evaluate', 'inputs': {'model': '$', 'objective': '$'}, 'result': {'bound': '$', "
    "'exact': '$'}}",
    "{'command': 'info', 'model': {'type': '$', 'variables': [{'name': '$'}], 'actions': ['$'], "
    "'labels': {'$': 1}},"
    " 'properties': [{'name': '$', 'text': '$', 'read': '$', 'propositions': {'$': 1}}]}",
    "{'command': 'learn', 'inputs': {'model': '$', 'objective': '$', 'automaton_acceptance': '$'},"
    " 'params': {'k_rule': '$', 'sampler': '$', 'explore': '$', 'counts': '$'}, 'truth': {'note': "
    "'$'},"
    " 'guarantee': {'statement': '$', 'T_check': '$', 'assumes': ['$'], 'tested': '$'},"
    " 'certificate': {'path': '$'}, 'policy': {}, 'files': {'policy': '$'}}",
    "{'command': 'learn', 'summary': {'judged': 0, 'note': '$'}}",
    "{'command': 'recurrence', 'inputs': {'model': '$', 'objective': '$', 'policy': '$'}, "
    "'result': {'kind': '$'}}",
    "{'command': 'verify', 'result': {'holds': false, 'reason': '$'}}",
    "{'command': 'verify', 'inputs': {'model': '$'}, 'result': {'holds': true, 'statement': '$', "
    "'assumes': ['$'],"
    " 'objective': '$', 'model': '$', 'constants': '$'}}",
};

/* The text of a sample with that text in each of its places. */
static char *text_with(const char *sample, const char *inserted)
{
    char json[2048];
    size_t used = 0;
    for (; *sample != '\0'; sample++) {
        char one[] = {*sample == '\'' ? '"' : *sample, '\0'};
        used += (size_t)snprintf(json + used, sizeof json - used, "%s",
                                 *sample == '$' ? inserted : one);
        assert_true(used < sizeof json);
    }
    return text_of(json);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* Texts from outside neither reach a terminal as they are nor begin lines of their own. */
static void texts_from_outside_are_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char *plain = text_with(samples[i], "ab"), *odd = text_with(samples[i], "a\\u001b\\nb");
        assert_non_null(strstr(odd, "a\\x1B\\x0Ab"));
        assert_null(strchr(odd, '\x1B'));
        assert_int_equal(count_lines(odd), count_lines(plain));
        free(plain);
        free(odd);
    }
}

/* A number that is too long for its place must not look like another one. */
static void long_numbers_are_cut_visibly(void **state)
{
    (void)state;
    char json[512], digits[101];
    memset(digits, '7', 100);
    digits[100] = '\0';
    snprintf(json, sizeof json,
             "{\"command\": \"bound\", \"result\": {\"rules\": {\"l1\": {\"k\": %s}}}}", digits);
    assert_says(json, "777...");
    snprintf(json, sizeof json,
             "{\"command\": \"info\", \"model\": {\"variables\": [{\"name\": \"x\", \"low\": %s, "
             "\"high\": 9}]}}",
             digits);
    assert_says(json, "777.....9]");
}

/* Skipped where no locale with another decimal point is installed. */
static void locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && found == NULL; i++)
        found = setlocale(LC_NUMERIC, names[i]);
    if (found == NULL)
        skip();
    assert_says("{\"command\": \"learn\", \"result\": {\"value\": 0.20999999999999858}}",
                "Result: 0.21 (no guarantee)");
    assert_says(
        "{\"command\": \"check\", \"result\": {\"value\": 0.20999999999999858, \"lower\": 0.2,"
        " \"upper\": 0.22}}",
        "Result: 0.21 [0.2, 0.22]");
    assert_says(
        "{\"command\": \"recurrence\", \"result\": {\"before\": 0.9499994, \"reached\": 1}}",
        "0.949999 after T - 1 transitions, 1.000000 after T transitions");
    setlocale(LC_NUMERIC, "C");
}

SUITE(lines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_numbers_are_unknown),
        cmocka_unit_test(texts_from_outside_are_escaped),
        cmocka_unit_test(long_numbers_are_cut_visibly),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("result.lines", tests, NULL, NULL);
}
