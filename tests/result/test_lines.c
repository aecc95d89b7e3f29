/* SPDX-License-Identifier: MIT */
/* Texts of results that files hold: members that are missing, and the locale of the process. */
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
    assert_says(
        "{\"command\": \"recurrence\", \"result\": {\"before\": \"x\", \"reached\": 1e300}}",
        "unknown after one transition less, 1e300 after all of them");
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
        "0.949999 after one transition less, 1.000000 after all of them");
    setlocale(LC_NUMERIC, "C");
}

SUITE(lines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_numbers_are_unknown),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("result.lines", tests, NULL, NULL);
}
