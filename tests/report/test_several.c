/* SPDX-License-Identifier: MIT */
/* Several results on a page, and the runs of learn --runs. */
#include "pages.h"

#define ZERO ">0</text>" /* which a scale of powers of ten does not have */

static void runs_become_one_article(void **state)
{
    (void)state;
    char text[3 * sizeof run + sizeof summary];
    snprintf(text, sizeof text, "%s\n%s%s", run, run, summary);
    char *page = page_of(text);
    assert_int_equal(count(page, "<article"), 1);
    assert_has(page, "1 of 2 runs have earned the guarantee.");
    assert_has(page, "2 of 2 policies are within the error");
    assert_has(page, "All 2 runs as a table");
    assert_int_equal(count(page, "<td>&#10007; no guarantee</td>"), 2);
    assert_has(page, "<div class=\"summary bad\">");
    assert_has(page, "<strong>1 of 2 runs have earned the guarantee</strong>");
    assert_has(page, "--runs 2");
    test_free(page);
    snprintf(text, sizeof text, "%s%s", run, run);
    page = page_of(text);
    assert_has(page, "The summary is missing");
    assert_lacks(page, "class=\"summary"); /* one run does not speak for all */
    test_free(page);
}

static void several_have_an_overview(void **state)
{
    (void)state;
    char text[2 * sizeof chain + 4];
    snprintf(text, sizeof text, "%s\r\n\n%s", chain, chain);
    char *page = page_of(text);
    assert_has(page, "<title>2 results of omegapac</title>");
    assert_has(page, "<nav class=\"contents\"");
    assert_has(page, "<tr><td>2</td><td><a href=\"#r2\">check");
    assert_has(page, "<caption>All results");
    assert_has(page, "<article class=\"result\" id=\"r2\"");
    assert_int_equal(count(page, "<h2>"), 2);
    test_free(page);
}

/* What all results share stands above the table; what sets them apart is in it. */
static void overviews_compare(void **state)
{
    (void)state;
    static const char one[] =
        HEAD "\"learn\", \"inputs\": {\"model\": \"a/m.prism\", \"objective\": \"G a\"}, "
             "\"params\": {\"T\": 9}, \"result\": {\"value\": 1}, \"guarantee\": {\"holds\": "
             "false}, \"stats\": {\"steps\": 12345, \"seconds\": 2.5}}\n";
    static const char other[] =
        HEAD "\"check\", \"inputs\": {\"model\": \"a/n.prism\", \"objective\": \"G a\"}, "
             "\"params\": {\"exact\": true}, \"result\": {\"value\": 0.25, \"exact\": \"1/4\", "
             "\"lower\": 0.25, \"upper\": 0.25}}\n";
    char text[2 * sizeof one + 2 * sizeof other];
    snprintf(text, sizeof text, "%s%s", one, one);
    char *page = page_of(text);
    assert_has(page, "<caption>All results for <code>G a</code> in <code>a/m.prism</code>");
    assert_lacks(page, "<th scope=\"col\">model</th>");
    assert_has(page, "<a href=\"#r1\">learn, T = 9</a>");
    assert_has(page, "<td>&#10007; none</td><td class=\"number\">12,345</td><td "
                     "class=\"number\">2.5 s</td>");
    test_free(page);
    snprintf(text, sizeof text, "%s%s", one, other);
    page = page_of(text);
    assert_has(page, "<caption>All results for <code>G a</code></caption>");
    assert_has(page, "<td class=\"of\" title=\"a/n.prism\">n.prism</td>");
    assert_has(page, "<a href=\"#r2\">check, exact</a>");
    assert_has(page, "<td class=\"number\">1/4</td><td class=\"bounds\">[0.25, 0.25]");
    assert_has(page, "<td>computed</td>");
    test_free(page);
    page = page_of(HEAD "\"learn\", \"inputs\": {}, \"result\": {\"value\": 0.5, \"lower\": 0.25, "
                        "\"upper\": 0.75}, \"guarantee\": {\"holds\": false}}\n" HEAD
                        "\"check\", \"result\": {\"value\": 0.5, \"is_bound\": true}}\n");
    assert_has(page, "<td>&#10007; less than asked for</td>"); /* a bracket, wider than epsilon */
    assert_has(page, "<td>computed, a lower bound</td>");
    test_free(page);
}

/* A row for each objective of a result that has several; no column for what none of them has. */
static void overviews_have_all_objectives(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD
        "\"check\", \"inputs\": {\"model\": \"m\"}, \"results\": [{\"inputs\": {\"objective\": "
        "\"F a\"}, \"result\": {\"value\": 0.5, \"verdict\": \"false\"}}, {\"inputs\": "
        "{\"objective\": \"G b\"}, \"result\": {\"value\": 1}, \"stats\": {\"seconds\": "
        "2.5}}]}\n" HEAD "\"check\", \"inputs\": {\"model\": \"m\", \"objective\": \"X c\"}, "
        "\"result\": {\"value\": 0.25}}\n");
    assert_has(page, "<tr><td>1.1</td><td><a href=\"#r1\">check</a></td><td "
                     "class=\"of\"><code>F a</code></td><td class=\"number\">0.5</td>");
    assert_has(page, "<td>false</td><td class=\"number\"></td></tr>");
    assert_has(page, "<tr><td>1.2</td><td><a href=\"#r1\">check</a></td><td "
                     "class=\"of\"><code>G b</code></td><td class=\"number\">1</td>");
    assert_has(page, "<td class=\"number\">2.5 s</td></tr>");
    assert_has(page, "<tr><td>2</td><td><a href=\"#r2\">");
    assert_has(page, "<th scope=\"col\">time</th>");
    assert_lacks(page, "<th scope=\"col\">steps</th>");
    test_free(page);
}

/* Powers of ten along the steps, if they span more than two and a half of them; 300 is the limit. */
static void steps_of_traces_have_their_scale(void **state)
{
    (void)state;
    static const struct {
        const char *first, *last;
        bool is_log;
    } cases[] = {{"1", "301", true},
                 {"1", "300", false},
                 {"0", "1000000", false}, /* one step that is above 0 spans nothing */
                 {"1000", "200000", false},
                 {"1000", "1000000", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": %s, \"known\": 0, "
                      "\"value\": 1}, {\"step\": %s, \"known\": 1, \"value\": 0.5}]}",
                 cases[i].first, cases[i].last);
        char *page = page_of(text);
        assert_has(page, ">Known pairs of state and action</text>");
        assert_has(page, ">What was believed of the best policy</text>");
        assert_int_equal(count(page, ZERO), cases[i].is_log ? 0 : 2); /* one each */
        test_free(page);
    }
}

/* Bars of steps: powers of ten, if the longest is more than a hundred times the shortest one. */
static void steps_of_results_have_their_scale(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
        bool is_log;
    } cases[] = {{"10", "1001", true}, {"10", "1000", false}, {"0", "1000000", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 HEAD "\"learn\", \"inputs\": {}, \"stats\": {\"steps\": %s}}\n" HEAD
                      "\"learn\", \"inputs\": {}, \"stats\": {\"steps\": %s}}\n",
                 cases[i].one, cases[i].other);
        char *page = page_of(text);
        assert_has(page, ">Steps taken by each</text>");
        assert_int_equal(count(page, ZERO), cases[i].is_log ? 0 : 1);
        test_free(page);
    }
}

/* Values of runs that are close to each other, the best one included, are enlarged, and it is said. */
static void values_of_runs_are_enlarged(void **state)
{
    (void)state;
    static const struct {
        const char *value, *truth, *optimum;
        bool is_enlarged, has_end; /* the axis reaches to 1 */
    } cases[] = {{"0.52", "0.5", "0.5", true, false},  {"0.5", "0.5", "0.5", false, true},
                 {"0.75", "0.5", "0.5", false, true},  {"0.5", "0.5", "0.75", false, true},
                 {"0.5", "0.48", "0.5", true, false},  {"0.5", "0.5", "0.52", true, false},
                 {"1", "0.85", "1", true, true},       {"0.75", "0.75", "0.6", true, false},
                 {"0.98", "null", "null", false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1100], one[400];
        snprintf(one, sizeof one,
                 HEAD
                 "\"learn\", \"seed\": 1, \"result\": {\"value\": %s}, \"guarantee\": "
                 "{\"holds\": true}, \"stats\": {\"steps\": 10}, \"truth\": {\"policy\": %s}}\n",
                 cases[i].value, cases[i].truth);
        snprintf(text, sizeof text,
                 "%s%s" HEAD "\"learn\", \"inputs\": {}, \"summary\": {\"runs\": 2, \"holds\": 2, "
                 "\"optimum\": %s}}\n",
                 one, one, cases[i].optimum);
        char *page = page_of(text);
        assert_int_equal(count(page, ">probability (enlarged)<"), cases[i].is_enlarged);
        assert_int_equal(count(page, ">probability<"), !cases[i].is_enlarged);
        assert_int_equal(count(page, ">1.0</text>") + count(page, ">1.00</text>") > 0,
                         cases[i].has_end);
        test_free(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_become_one_article),
        cmocka_unit_test(several_have_an_overview),
        cmocka_unit_test(overviews_compare),
        cmocka_unit_test(overviews_have_all_objectives),
        cmocka_unit_test(steps_of_traces_have_their_scale),
        cmocka_unit_test(steps_of_results_have_their_scale),
        cmocka_unit_test(values_of_runs_are_enlarged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
