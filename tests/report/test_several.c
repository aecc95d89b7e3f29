/* SPDX-License-Identifier: MIT */
/* Several results on a page, and the runs of learn. */
#include "pages.h"

static void runs_become_one_article(void **state)
{
    (void)state;
    char text[3 * sizeof run + sizeof summary];
    snprintf(text, sizeof text, "%s\n%s%s", run, run, summary);
    char *page = page_of(text);
    assert_int_equal(count(page, "<article"), 1);
    assert_int_equal(count(page, "\"schema\": \"omegapac.result/1\""), 3);
    assert_has(page, "<title>omegapac learn: F a</title>"); /* the summary stands for the runs */
    test_free(page);
    snprintf(text, sizeof text, "%s%s", run, run); /* its end was lost */
    page = page_of(text);
    assert_int_equal(count(page, "<article"), 1);
    assert_int_equal(count(page, "\"schema\": \"omegapac.result/1\""), 2);
    test_free(page);
}

static void several_have_headings(void **state)
{
    (void)state;
    char text[2 * sizeof chain + 4];
    snprintf(text, sizeof text, "%s\r\n\n%s", chain, chain);
    char *page = page_of(text);
    assert_has(page, "<title>2 results of omegapac</title>");
    assert_has(page, "<article class=\"result\" id=\"r1\" data-command=\"check\">\n<h2>1. check: "
                     "<code>F a</code></h2>");
    assert_has(page, "<article class=\"result\" id=\"r2\" data-command=\"check\">\n<h2>2. check: "
                     "<code>F a</code></h2>");
    assert_int_equal(count(page, "<h2>"), 2);
    assert_int_equal(count(page, "id=\"r2-picture\""), 1);
    test_free(page);
    page = page_of(HEAD "\"info\"}\n" HEAD "\"bound\"}\n"); /* about nothing in particular */
    assert_has(page, "<h2>1. info</h2>");
    assert_has(page, "<h2>2. bound</h2>");
    test_free(page);
}

/* A result with several objectives has an automaton and a picture for each. */
static void objectives_have_automata(void **state)
{
    (void)state;
    static const char hoa[] =
        "HOA: v1\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\nacc-name: Buchi\\n"
        "Acceptance: 1 Inf(0)\\n--BODY--\\nState: 0\\n[0] 0 {0}\\n--END--\\n";
    char text[800];
    snprintf(text, sizeof text,
             HEAD "\"check\", \"results\": [{\"automaton\": \"%s\"}, {}, {\"automaton\": \"%s\"}]}",
             hoa, hoa);
    char *page = page_of(text);
    assert_has(page, "\"automata\": [null, {\"kind\": \"deterministic\", ");
    assert_has(page, "}, null, {\"kind\": \"deterministic\", ");
    assert_has(page, "id=\"r1-automaton-1\"");
    assert_lacks(page, "id=\"r1-automaton-2\"");
    assert_has(page, "id=\"r1-automaton-3\"");
    test_free(page);
}

SUITE(several)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_become_one_article),
        cmocka_unit_test(several_have_headings),
        cmocka_unit_test(objectives_have_automata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
