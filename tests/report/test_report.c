/* SPDX-License-Identifier: MIT */
/* Pages from results: their structure, their pictures, what is escaped, and what is refused. What
 * pages of real results are like is tested with the command line (tests/cli/report.py). */
#include <omegapac/report.h>

#include <math.h>

#include "report/html.h"
#include "support/check.h"
#include "support/faults.h"

#define HEAD "{\"schema\": \"omegapac.result/1\", \"command\": "

/* Two places, one above the other; the memory changes. */
static const char grid[] = HEAD
    "\"learn\", \"version\": \"0\", \"seed\": 7, \"inputs\": {\"model\": \"m.prism\", "
    "\"objective\": \"G F a\", \"states\": 2, \"actions\": 0}, \"params\": {\"epsilon\": 0.05, "
    "\"delta\": 0.1, \"pmin\": 0.2, \"graph\": null, \"explore\": \"episodes\", \"kind\": "
    "\"deterministic\"}, \"result\": {\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, "
    "\"optimum_upper\": 0.75}, \"guarantee\": {\"holds\": true, \"statement\": \"with "
    "confidence\", "
    "\"error\": 0.5, \"confidence\": 0.9, \"assumes\": [\"a thing\", \"another\"], \"bracket\": "
    "true, "
    "\"refuted\": null, \"end\": \"done\"}, \"stats\": {\"episodes\": 3, \"steps\": 1234567, "
    "\"samples\": 9, \"policies\": 2}, \"truth\": {\"policy\": 0.5, \"optimum\": 0.625}, "
    "\"automaton\": \"HOA: v1\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\nacc-name: Buchi\\n"
    "Acceptance: 1 Inf(0)\\n--BODY--\\nState: 0\\n[!0] 0\\n[0] 0 {0}\\n--END--\\n\", "
    "\"policy\": {\"objective\": \"G F a\", \"memory\": {\"count\": 2, \"start\": [{\"state\": 0, "
    "\"values\": {\"x\": 0, \"y\": 0}, \"memory\": 0}]}, \"decisions\": ["
    "{\"memory\": 0, \"state\": 0, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"n\", "
    "\"choice\": 0, "
    "\"next\": 1}, {\"memory\": 1, \"state\": 1, \"values\": {\"x\": 0, \"y\": 1}, \"action\": "
    "\"\", "
    "\"choice\": 4, \"next\": 0}]}, \"trace\": [{\"episode\": 0, \"step\": 0, \"known\": 0, "
    "\"value\": "
    "0, \"lower\": 0, \"upper\": 1, \"truth\": null}, {\"episode\": 3, \"step\": 9, \"known\": 2, "
    "\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, \"truth\": 0.5}], \"sample\": [{\"state\": "
    "0, "
    "\"values\": {\"x\": 0, \"y\": 0}, \"labels\": [\"init\"], \"memory\": 0, \"action\": \"n\"}, "
    "{\"state\": 1, \"values\": {\"x\": 0, \"y\": 1}, \"labels\": [\"deadlock\", \"a\"], "
    "\"memory\": "
    "1}]}";

/* No places, but the chain; the two edges from 0 to 1 are one arrow. */
static const char chain[] = HEAD
    "\"check\", \"inputs\": {\"model\": \"m.prism\", \"objective\": \"F a\"}, \"params\": "
    "{\"formulas\": [\"F a\"], \"min\": true}, \"result\": {\"value\": 0.5, \"lower\": 0.5, "
    "\"upper\": "
    "0.5, \"exact\": \"1/2\", \"direction\": \"min\", \"precise\": true}, \"policy\": {\"memory\": "
    "{\"count\": 1, \"start\": []}, \"decisions\": [{\"memory\": 0, \"state\": 3, \"action\": "
    "\"go\", "
    "\"choice\": 0, \"next\": 0}]}, \"chain\": {\"initial\": [0], \"nodes\": [{\"state\": 3, "
    "\"labels\": [], \"memory\": 0, \"action\": \"go\"}, {\"state\": 4, \"labels\": [\"a\"], "
    "\"memory\": 0, \"action\": \"\"}], \"edges\": [{\"from\": 0, \"to\": 1, \"probability\": "
    "0.25}, "
    "{\"from\": 0, \"to\": 1, \"probability\": 0.5}, {\"from\": 0, \"to\": 0, \"probability\": "
    "0.25}, "
    "{\"from\": 1, \"to\": 1, \"probability\": 1}]}}";

static const char run[] = HEAD
    "\"learn\", \"seed\": 1, \"result\": {\"value\": 1, \"lower\": null, \"upper\": null}, "
    "\"guarantee\": {\"holds\": false}, \"stats\": {\"steps\": 10}, \"truth\": {\"policy\": 1}}\n";
static const char summary[] =
    HEAD "\"learn\", \"seed\": 1, \"inputs\": {\"model\": \"m\", \"objective\": \"F a\"}, "
         "\"params\": {}, "
         "\"summary\": {\"runs\": 2, \"holds\": 1, \"judged\": 2, \"within\": 2, \"optimal\": 1, "
         "\"optimum\": 1}}\n";

/* ---- help ---- */

static opac_status write(const char *text, const char *title, char **page, opac_error *error)
{
    opac_report_input input = {.name = "r.json", .text = text, .length = strlen(text)};
    opac_report_options options = {.title = title};
    opac_output *out = NULL;
    size_t length = 0;
    *page = NULL;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    status = opac_report_write(&input, 1, &options, out, error);
    const char *bytes = opac_output_bytes(out, &length);
    if (status == OPAC_OK && bytes == NULL)
        status = opac_output_commit(out, error);
    if (status == OPAC_OK) {
        *page = test_malloc(length + 1);
        memcpy(*page, bytes, length + 1);
    } else if (status != OPAC_ERROR_MEMORY) {
        assert_int_equal(length, 0); /* all or nothing */
    }
    opac_output_free(out);
    return status;
}

static char *page_of(const char *text)
{
    char *page;
    opac_error error = {0};
    assert_ok(write(text, NULL, &page, &error), &error);
    return page;
}

static size_t count(const char *page, const char *text)
{
    size_t found = 0;
    for (; (page = strstr(page, text)) != NULL; page++)
        found++;
    return found;
}

#define assert_has(page, text)                                                                     \
    do {                                                                                           \
        if (strstr(page, text) == NULL)                                                            \
            fail_msg("the page lacks %s", text);                                                   \
    } while (0)
#define assert_lacks(page, text) assert_null(strstr(page, text))

/* ---- pages ---- */

static void learn_has_all_sections(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<title>omegapac learn: G F a</title>",
        "<article class=\"result\" id=\"r1\" data-command=\"learn\">",
        "<section class=\"question\" id=\"r1-question\">",
        "<section class=\"answer\" id=\"r1-answer\">",
        "<section class=\"course\" id=\"r1-course\">",
        "<section class=\"policy\" id=\"r1-policy\">",
        "<section class=\"sample\" id=\"r1-sample\">",
        "<section class=\"parameters\" id=\"r1-parameters\">",
        "<strong>0.5</strong> <span class=\"bracket\">[0.25, ",
        "<div class=\"summary good\">\n<p><span class=\"sign\" "
        "aria-hidden=\"true\">&#10003;</span> "
        "<strong>Guaranteed</strong>: with confidence. This rests on <a "
        "href=\"#r1-assumptions\">2 assumptions</a>.",
        "<ul class=\"assumptions\" id=\"r1-assumptions\">",
        "The guarantee holds.",
        "With confidence.</p>",
        "<li>a thing</li>\n<li>another</li>",
        "not from samples",
        "A deterministic Buchi automaton with 1 state ",
        "1,234,567 steps",
        "<div class=\"tools\" hidden><label>Filter <input type=\"search\" class=\"filter\" "
        "data-table=\"r1-decisions\"></label> <output class=\"count\"></output></div>",
        "<div class=\"player\" data-table=\"r1-steps\" data-picture=\"r1-picture\" ",
        "max=\"1\" value=\"0\"",
        "omegapac learn m.prism -f &#39;G F a&#39; --epsilon 0.05 --delta 0.1 --pmin 0.2 --seed 7 "
        "--json --no-timing"};
    char *page = page_of(grid);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_has(page, texts[i]);
    assert_int_equal(count(page, "<h1>"), 1);
    assert_int_equal(count(page, "<h2>"), 6);
    assert_has(page, "<h3>It is assumed that</h3>");
    assert_lacks(page, "actions a state"); /* 0: there is no bound */
    test_free(page);
}

/* Rows and cells have the same names of places; the labels come from the sample. */
static void places_are_the_same(void **state)
{
    (void)state;
    char *page = page_of(grid);
    assert_has(page, "<div class=\"picture scroll\" id=\"r1-picture\">");
    assert_int_equal(count(page, "class=\"opac-place\" data-memory=\"0\" data-place=\"x=0, y=0\">"),
                     1);
    assert_int_equal(count(page, "class=\"opac-place\" data-memory=\"1\" data-place=\"x=0, y=1\">"),
                     1);
    assert_int_equal(count(page, "<tr data-memory=\"0\" data-place=\"x=0, y=0\">"), 2);
    assert_int_equal(count(page, "<tr data-memory=\"1\" data-place=\"x=0, y=1\">"), 2);
    assert_int_equal(count(page, "opac-cell opac-first"), 1);
    assert_has(page, "<td>x=0, y=1</td><td>a</td><td>1</td><td>#5</td><td>0</td>");
    assert_has(page, "<details><summary>All 2 decisions as a table</summary>");
    test_free(page);
}

static void chains_become_graphs(void **state)
{
    (void)state;
    char *page = page_of(chain);
    assert_int_equal(count(page, "<g class=\"opac-node opac-place\""), 2);
    assert_has(page, "data-memory=\"0\" data-place=\"state 4\">");
    assert_has(page, "<title>state 3 to state 4: go 0.75</title>");
    assert_has(page, "<title>state 3 to state 3: go 0.25</title>");
    assert_has(page, "<title>state 4 to state 4: 1</title>");
    assert_int_equal(count(page, "<path class=\"opac-edge\""), 4); /* and one to the first */
    assert_has(page, "<strong>1/2</strong> &asymp; 0.5 <span class=\"bracket\">exactly</span>");
    assert_has(page, "in fractions, without rounding");
    assert_has(page, "the least probability");
    assert_has(page, "--min --json");
    assert_lacks(page, ">memory</th>"); /* it has none */
    test_free(page);
}

/* Not a word of one that nobody would expect. */
static void absent_policies_are_explained(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"check\", \"inputs\": {\"states\": 10001}, \"result\": {\"value\": 1}}");
    assert_has(page, "<code>--policy FILE</code> writes it.");
    test_free(page);
    page = page_of(HEAD "\"check\", \"inputs\": {\"states\": 10000}, \"result\": {\"value\": 1}}");
    assert_lacks(page, "The policy</h2>");
    test_free(page);
}

/* What holds at the last change of the policy holds until the run ends; a run without steps has no curve. */
static void curves_end_with_the_run(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": 0, \"known\": 0, \"value\": 1}], "
             "\"stats\": "
             "{\"steps\": %d, \"known\": 0, \"episodes\": 1, \"policies\": 1, \"samples\": 1}}";
    char whole[300];
    snprintf(whole, sizeof whole, text, 285);
    char *page = page_of(whole);
    assert_has(page, "1 sample that counts, in 285 steps and 1 episode; 1 policy on the way.");
    assert_int_equal(count(page, "<figure"), 2);
    assert_has(page, ">250</text>");
    assert_lacks(page, "\xe2\x88\x92"); /* a minus: no steps, and no pairs, are fewer than none */
    test_free(page);
    snprintf(whole, sizeof whole, text, 0);
    page = page_of(whole);
    assert_has(page, "How it got there");
    assert_int_equal(count(page, "<figure"), 0);
    test_free(page);
}

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

static void titles_are_given(void **state)
{
    (void)state;
    char *page;
    opac_error error = {0};
    assert_ok(write(chain, "<b>mine</b>", &page, &error), &error);
    assert_has(page, "<title>&lt;b&gt;mine&lt;/b&gt;</title>");
    assert_has(page, "<h1>&lt;b&gt;mine&lt;/b&gt;</h1>");
    test_free(page);
}

/* What a policy is in when it is large, and a place that is no place. */
static void large_policies_are_named(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"check\", \"policy\": {\"path\": \"<p>.json\", \"digest\": \"d&1\", "
                     "\"decisions\": 123456}}");
    assert_has(page, "123,456 decisions");
    assert_has(page, "<code>&lt;p&gt;.json</code>, whose digest is <code>d&amp;1</code>");
    test_free(page);
    page = page_of(HEAD "\"check\", \"policy\": {\"decisions\": 20000}}");
    assert_has(page, "It was not kept");
    test_free(page);
}

/* Graphs that are too large are not drawn. */
static void large_chains_are_tables(void **state)
{
    (void)state;
    char text[8192];
    int used = snprintf(text, sizeof text,
                        HEAD "\"check\", \"policy\": {\"decisions\": [{\"state\": 0}]}, \"chain\": "
                             "{\"edges\": [], \"nodes\": [{\"state\": 0}");
    for (int i = 1; i <= 60; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, ", {\"state\": %d}", i);
    snprintf(text + used, sizeof text - (size_t)used, "]}}");
    char *page = page_of(text);
    assert_lacks(page, "opac-node opac-place");
    assert_lacks(page, "<details><summary>All");
    assert_has(page, "id=\"r1-decisions\"");
    test_free(page);
}

static void guarantees_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *guarantee, *words;
    } cases[] = {
        {"\"T_check\": \"refuted\", \"T_found\": 12345", "contradicts T</strong>"},
        {"\"T_check\": \"refuted\", \"T_found\": 12345", "The learned chain needs 12,345 steps."},
        {"\"T_check\": \"refuted\", \"T_found\": 9, \"T_found_is_bound\": true",
         "at least 9 steps"},
        {"\"T_check\": \"consistent\"", "that is no evidence for it"},
        {"\"T_check\": \"unchecked\"", "was not checked"},
        {"\"refuted\": {\"by\": \"edge\", \"count\": 3}", "that the graph does not have"},
        {"\"refuted\": {\"by\": \"edge\", \"state\": 7, \"values\": {\"x\": 5}, \"action\": "
         "\"go\", "
         "\"successor\": {\"state\": 8}, \"count\": 3, \"visits\": 12345}",
         "in the state</th><td>x: 5</td></tr>\n<tr><th scope=\"row\">by the action</th><td>go</td>"
         "</tr>\n<tr><th scope=\"row\">which led to</th><td class=\"digits\">8</td></tr>\n<tr>"
         "<th scope=\"row\">seen so often</th><td class=\"digits\">3</td></tr>\n<tr><th "
         "scope=\"row\">tried so often</th><td class=\"digits\">12,345</td>"},
        {"\"refuted\": {\"by\": \"width\", \"count\": 3, \"visits\": 5}",
         "different states that it led to</th><td class=\"digits\">3</td></tr>\n<tr><th "
         "scope=\"row\">tried so often</th><td class=\"digits\">5</td>"},
        {"\"refuted\": {\"by\": \"edge\"}}, \"trace\": [{\"step\": 1, \"value\": 0, \"lower\": 0, "
         "\"upper\": 1}], \"stats\": {\"steps\": 2",
         "this bracket promises nothing"},
        {"\"refuted\": null}, \"trace\": [{\"step\": 1, \"value\": 0, \"lower\": 0, "
         "\"upper\": 1}], \"stats\": {\"steps\": 2",
         "The bracket contains the best probability"},
        {"\"end\": \"max-seconds\"",
         "<p>The run was ended by the limit on its time: another run may "
         "get farther, or less far.</p>\n"},
        {"\"end\": \"exceeded\", \"exceeded\": \"states\"", "Exceeded: states."},
        {"\"holds\": false", "No guarantee."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "\"learn\", \"inputs\": {}, \"guarantee\": {%s}}",
                 cases[i].guarantee);
        char *page = page_of(text);
        assert_has(page, cases[i].words);
        test_free(page);
    }
}

static void numbers_of_any_size(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"bound\", \"params\": {}, \"result\": {\"k\": 1.63e1003, \"C\": "
                     "18446744073709551615, \"samples\": -12345, \"error\": 1234, \"rules\": "
                     "{\"paper\": {\"k\": 1e999}}}}");
    assert_has(page, "<strong>1.63e1003</strong>");
    assert_has(page, "18,446,744,073,709,551,615");
    assert_has(page, "<td class=\"digits\">-12,345</td>");
    assert_has(page, "<td class=\"digits\">1234</td>");
    assert_has(page, "<td class=\"number\">1e999</td>");
    test_free(page);
}

/* Six digits: promises are rounded so that they stay true, others to the nearest. */
static void numbers_are_rounded(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD "\"learn\", \"inputs\": {\"states\": 0}, \"result\": {\"value\": 0.12345678, "
             "\"lower\": 0.10000099, \"upper\": 0.20000011, \"optimum_upper\": 0.30000011}, "
             "\"guarantee\": {\"holds\": true, \"error\": 0.1000001}, \"truth\": {\"policy\": "
             "0.12345612}, \"stats\": {\"seconds\": 7200.5, \"read_seconds\": 0.0001, "
             "\"milliseconds\": 1500, \"mean\": 10418.8123, \"below\": -0.12345678}}");
    assert_has(page, "<span title=\"0.12345678\">0.123457</span>");
    assert_has(page, "[<span title=\"0.10000099\">0.1</span>, <span "
                     "title=\"0.20000011\">0.200001</span>]");
    assert_has(page, "error, at most</th><td class=\"digits\"><span "
                     "title=\"0.1000001\">0.100001</span>");
    assert_has(page, "<span title=\"0.30000011\">0.300001</span>");
    assert_has(page, "<span title=\"0.12345612\">0.123456</span>");
    assert_has(page, "<span title=\"-0.12345678\">-0.123457</span>");
    assert_has(page, "<span title=\"10418.8123\">10,418.8</span>");
    assert_has(page, "time in all</th><td class=\"digits\">about 2 hours</td>");
    assert_has(page, "time to read the model</th><td class=\"digits\">under 1 ms</td>");
    assert_has(page, "time</th><td class=\"digits\">1.5 s</td>");
    assert_has(page, "unknown: no bound on them was given");
    assert_has(page, "<title>0.123457, between 0.1 and 0.200001</title>");
    test_free(page);
}

/* What has no decision has a cell, too, if the result lists the states; but if they are no places
 * of their own, those with decisions still are. */
static void states_are_cells(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "\"check\", \"policy\": {\"decisions\": [{\"state\": 0, \"values\": {\"x\": 0, "
             "\"y\": 0}, \"action\": \"\", \"choice\": 0}]}, \"states\": [{\"state\": 0, "
             "\"values\": {\"x\": 0, \"y\": 0}, \"labels\": [\"init\"]}, {\"state\": 1, "
             "\"values\": {\"x\": 1, \"y\": %d, \"z\": 1}, \"labels\": [\"trap\"]}, {\"state\": 2, "
             "\"values\": {\"x\": 1, \"y\": 0}, \"labels\": [\"b\"]%s]}";
    char whole[1000];
    snprintf(whole, sizeof whole, text, 1, "}");
    char *page = page_of(whole);
    assert_int_equal(count(page, "opac-cell opac-empty\""), 2);
    assert_has(page, ">trap</text>");
    assert_lacks(page, ">#1</text>"); /* there is no other */
    assert_has(page, "<td>#1</td>");
    test_free(page);
    snprintf(whole, sizeof whole, text, 0, ", \"more\": 1}"); /* two in one place */
    page = page_of(whole);
    assert_int_equal(count(page, "opac-cell opac-empty\""), 0);
    assert_int_equal(count(page, "class=\"opac-place\""), 1);
    test_free(page);
    /* Where nothing helps, nothing is decided: the places are there. */
    page = page_of(HEAD "\"check\", \"policy\": {\"decisions\": []}, \"states\": [{\"state\": 0, "
                        "\"values\": {\"x\": 0, \"y\": 0}}, {\"state\": 1, \"values\": {\"x\": "
                        "1, \"y\": 0}}]}");
    assert_int_equal(count(page, "opac-cell opac-empty\""), 2);
    test_free(page);
}

/* What was asked, how good, how sure, and on what it rests, in the first lines. */
static void summaries_say_it_all(void **state)
{
    (void)state;
    static const struct {
        const char *result, *words;
    } cases[] = {
        {"\"learn\", \"inputs\": {\"objective\": \"G a\", \"model\": \"m\"}, \"guarantee\": "
         "{\"holds\": false, \"statement\": \"no guarantee: T\", \"assumes\": [\"b\"]}, "
         "\"stats\": {\"samples\": 12345}",
         "&#10007;</span> <strong>No guarantee</strong>: T. It would have rested on <a "
         "href=\"#r1-assumptions\">1 assumption</a>.</p>\n<p class=\"about\">A policy for "
         "<code>G a</code> in <code>m</code>, from 12,345 samples.</p>"},
        {"\"learn\", \"inputs\": {}, \"result\": {\"value\": 1}, \"guarantee\": {\"holds\": false}",
         "<span class=\"caveat\">as learned; nothing is promised of it</span>"},
        {"\"learn\", \"inputs\": {}, \"result\": {\"value\": 1, \"lower\": 0, \"upper\": 1}, "
         "\"guarantee\": {\"holds\": false}",
         "<span class=\"caveat\">bounds wider than was asked for</span>"},
        {"\"learn\", \"inputs\": {}, \"result\": {\"value\": 1, \"lower\": 0, \"upper\": 1}, "
         "\"guarantee\": {\"holds\": false, \"statement\": \"s\", \"assumes\": [\"b\"]}",
         "<strong>Less than was asked for</strong>: s. This rests on <a"},
        {"\"estimate\", \"result\": {\"value\": 1, \"lower\": 0, \"upper\": 1}, "
         "\"guarantee\": {\"holds\": false, \"error\": 0.5}",
         "Less is guaranteed than was asked for.</p>\n<div class=\"scroll\"><table "
         "class=\"facts\">\n<tbody>\n<tr><th scope=\"row\">error, at most</th>"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"is_bound\": true}",
         "the probability of the objective itself may be larger.</p>"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"is_bound\": true}",
         "The greatest probability is at least <strong>1/2</strong>."},
        {"\"evaluate\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"is_bound\": true, "
         "\"bound\": \"upper\"}",
         "the probability of the objective itself may be smaller.</p>"},
        {"\"estimate\", \"inputs\": {}, \"guarantee\": {\"holds\": true}, \"stats\": "
         "{\"episodes\": 9}",
         "The probability, from 9 trajectories."},
        {"\"check\", \"result\": {\"value\": 0.5, \"lower\": 0.4, \"upper\": 0.6, "
         "\"direction\": \"min\"}",
         "<div class=\"summary\">\n<p>The least probability is <strong>0.5</strong>, certainly in "
         "[0.4, 0.6]. Computed from the model; nothing was sampled."},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"undecided\"}",
         "<strong>The property is undecided.</strong> The greatest probability"},
        {"\"check\", \"results\": [{\"result\": {\"verdict\": \"true\"}}, {\"result\": {}}, "
         "{\"result\": {\"verdict\": \"false\"}}]",
         "&#10007;</span> <strong>1 of 2 properties are true</strong>. Probabilities of 3 "
         "objectives"},
        {"\"evaluate\", \"inputs\": {\"policy\": \"p.json\"}, \"result\": {\"exact\": \"1/9\", "
         "\"value\": 0.1}",
         "The probability under the policy <code>p.json</code> is <strong>1/9</strong>."},
        {"\"verify\", \"result\": {\"holds\": true, \"lower\": 0.25, \"upper\": 1, "
         "\"confidence\": 0.9}",
         "<strong>The certificate holds</strong>: with confidence 0.9, the probability of the "
         "policy, and the best there is, are in [0.25, 1]."},
        {"\"verify\", \"result\": {\"holds\": false, \"reason\": \"digest\"}",
         "<div class=\"summary bad\">\n<p><span class=\"sign\" "
         "aria-hidden=\"true\">&#10007;</span> "
         "<strong>The certificate is refused</strong>: digest."},
        {"\"env check\", \"result\": {\"conforms\": true, \"errors\": 0, \"warnings\": 2}",
         "<strong>The simulator keeps the contract</strong>: 0 errors, 2 warnings."},
        {"\"bound\", \"params\": {\"delta\": 0.1}, \"result\": {\"k\": 7, \"samples\": 70, "
         "\"error\": 0.2}",
         "<strong>7 samples</strong> of each pair of state and action, 70 in all, for a policy "
         "that is within 0.2 of the best, with confidence 0.9, if T bounds the recurrence time."},
        {"\"check\", \"result\": {\"value\": 0.5, \"lower\": -1e999, \"upper\": 1e999}",
         "<strong>0.5</strong>, certainly in [-inf, inf]."},
        {"\"verify\", \"result\": {\"holds\": true, \"lower\": -0.10000011, \"upper\": 1}",
         "at least</th><td class=\"digits\"><span title=\"-0.10000011\">-0.100001</span></td>"},
        {"\"verify\", \"result\": {\"holds\": true}",
         "Does the certificate of a learner show what it"},
        {"\"info\", \"result\": {}", "<p>What is the model like?</p>"},
        {"\"recurrence\", \"result\": {\"T\": 198, \"kind\": \"lower-bound\"}",
         "The recurrence time is at least <strong>198 steps</strong>."},
        {"\"recurrence\", \"inputs\": {\"policy\": \"p\"}, \"result\": {\"T\": 1, \"kind\": "
         "\"exact\"}",
         "The recurrence time under the policy <code>p</code> is <strong>1 step</strong>."},
        {"\"recurrence\", \"result\": {\"T\": 9, \"kind\": \"estimate\", \"one_policy\": true}",
         "is about <strong>9 steps</strong> for one policy; others may take longer."},
        {"\"check\", \"result\": {\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, \"is_bound\": "
         "true}",
         "The greatest probability is at least <strong>0.25</strong>. Computed"},
        {"\"evaluate\", \"result\": {\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, "
         "\"is_bound\": true, \"bound\": \"upper\"}",
         "The probability is at most <strong>0.75</strong>. Computed"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"initial\": [{\"state\": 0, "
         "\"value\": 0.5, \"exact\": \"1/2\"}, {\"state\": 7, \"value\": 0.125, \"exact\": "
         "\"1/8\"}]}",
         "is <strong>1/2</strong>, from the first of 2 initial states. Computed"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"initial\": [{\"state\": 0, "
         "\"value\": 0.5, \"exact\": \"1/2\"}, {\"state\": 7, \"value\": 0.125, \"exact\": "
         "\"1/8\"}]}",
         "<td>7</td><td>1/8</td>"},
        /* what is said of one policy is not said of all */
        {"\"recurrence\", \"inputs\": {\"policy\": \"p\"}, \"result\": {\"T\": 1, \"kind\": "
         "\"exact\"}",
         "exactly, of the policy that was given"},
        {"\"recurrence\", \"result\": {\"T\": 9, \"kind\": \"estimate\", \"one_policy\": true}",
         "of one policy: others may take longer"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "%s}", cases[i].result);
        char *page = page_of(text);
        assert_has(page, cases[i].words);
        test_free(page);
    }
}

/* The answer below the summary: signs and words agree. */
static void answers_are_told(void **state)
{
    (void)state;
#define GOOD "<p class=\"verdict good\"><span class=\"sign\" aria-hidden=\"true\">&#10003;</span> "
#define BAD  "<p class=\"verdict bad\"><span class=\"sign\" aria-hidden=\"true\">&#10007;</span> "
    static const struct {
        const char *result, *words, *lacks;
    } cases[] = {
        {"\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": true}",
         GOOD "The guarantee holds.</p>", BAD},
        {"\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": false}", BAD "No guarantee.</p>",
         GOOD},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"true\"}",
         GOOD "The property is true.</p>", BAD},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"false\"}",
         BAD "The property is false.</p>", GOOD},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"undecided\"}",
         BAD "The property is undecided.</p>", GOOD},
        {"\"check\", \"result\": {\"value\": 1, \"precise\": false}",
         "which are not as close as was asked for.</p>", "without rounding"},
        {"\"check\", \"result\": {\"value\": 1, \"precise\": true}",
         "certainly lies within the bounds.</p>", "not as close"},
        {"\"check\", \"result\": {\"value\": 1, \"lower\": 1, \"upper\": null}",
         "<p class=\"value\"><strong>1</strong></p>", "class=\"bracket\""},
        {"\"check\", \"result\": {\"value\": 1, \"initial\": [{\"state\": 3, \"value\": 0.5, "
         "\"lower\": 0.25, \"upper\": 0.75}]}",
         "From each initial state</caption><thead><tr><th scope=\"col\">state</th><th "
         "scope=\"col\">value</th><th scope=\"col\">bounds</th></tr></thead>\n<tbody>\n"
         "<tr><td>3</td><td>0.5</td><td>[0.25, 0.75]</td></tr>\n</tbody>",
         "none"},
        {"\"check\", \"result\": {\"value\": 1}", "<strong>1</strong>", "From each initial"},
        {"\"verify\", \"result\": {\"holds\": true, \"statement\": \"it is so\"}",
         GOOD "The certificate holds.</p>\n<p class=\"statement\">It is so.</p>", BAD},
        {"\"verify\", \"result\": {\"holds\": false, \"reason\": \"it is not\"}",
         BAD "The certificate is refused.</p>\n<p class=\"statement\">It is not.</p>", GOOD},
        {"\"env check\", \"result\": {\"conforms\": false}, \"findings\": [{\"kind\": "
         "\"error\", \"check\": \"seeds\", \"text\": \"differ\"}]",
         BAD "The simulator breaks the contract.</p>\n<div class=\"scroll\"><table class=\"data\">"
             "<caption>What was found</caption><thead><tr><th scope=\"col\">kind</th><th "
             "scope=\"col\">check</th><th scope=\"col\">finding</th></tr></thead>\n<tbody>\n"
             "<tr><td>error</td><td>seeds</td><td>differ</td></tr>\n</tbody>",
         GOOD},
        {"\"recurrence\", \"result\": {\"T\": 7, \"kind\": \"estimate\"}",
         "what it is</th><td>estimated from simulated runs</td>", "exactly"},
        {"\"recurrence\", \"result\": {\"T\": 7, \"kind\": \"exact\"}",
         "what it is</th><td>exactly: no policy takes longer, and some takes as long</td>",
         "estimated"},
    };
#undef GOOD
#undef BAD
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "%s}", cases[i].result);
        char *page = page_of(text), *answer = strstr(page, "id=\"r1-answer\"");
        assert_non_null(answer);
        assert_has(answer, cases[i].words);
        *strstr(answer, "</section>") = '\0';
        assert_lacks(answer, cases[i].lacks);
        test_free(page);
    }
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

/* Nothing of a result is markup. */
static void texts_are_escaped(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD "\"<script>\", \"inputs\": {\"model\": \"</script><img src=x>\", \"<i>\": \"<u>\", "
             "\"objective\": \"a\\\"b'c\\u202e\"}, \"params\": {\"<b>\": \"<s>\"}, \"automaton\": "
             "\"<em>\", \"policy\": {\"decisions\": [{\"values\": {\"<q>\": 1}, \"action\": "
             "\"<a>\"}]}, \"stats\": {\"<tt>\": \"<var>\"}}");
    static const char *const tags[] = {"<script>\"", "<img", "<i>", "<u>",  "<b>",  "<s>",
                                       "<em>",       "<q>",  "<a>", "<tt>", "<var>"};
    assert_int_equal(count(page, "<script"), 1);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        assert_lacks(page, tags[i]);
    assert_lacks(page, "\xe2\x80\xae");
    assert_has(page, "data-command=\"&lt;script&gt;\"");
    assert_has(page, "The automaton cannot be read");
    test_free(page);
}

/* Curves are there for what a trace has: a bracket, a value beside it, what is true. */
static void traces_have_their_curves(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        bool bracket, value, learned, truth;
    } cases[] = {
        {"\"value\": 0.5, \"lower\": 0.25, \"upper\": 1, \"truth\": 1", true, true, false, true},
        {"\"value\": 0.25, \"lower\": 0.25, \"upper\": 1", true, false, false, false},
        {"\"value\": 0.5, \"lower\": 0.25, \"upper\": null", false, false, true, false},
        {"\"value\": null, \"lower\": null, \"upper\": 1", false, false, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": 1, \"known\": 0, %s}, "
                      "{\"step\": 9, \"known\": 1, %s}]}",
                 cases[i].entry, cases[i].entry);
        char *page = page_of(text);
        assert_int_equal(count(page, "<title>bracket</title>"), cases[i].bracket);
        assert_int_equal(count(page, "<title>value of the policy</title>"), cases[i].value);
        assert_int_equal(count(page, "<title>value in the learned model</title>"),
                         cases[i].learned);
        assert_int_equal(count(page, "<title>true probability of the policy</title>"),
                         cases[i].truth);
        test_free(page);
    }
}

/* A panel for each value of the memory, however many decisions it has; parameters stand once. */
static void nothing_stands_twice(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"check\", \"policy\": {\"memory\": {\"count\": 2}, \"decisions\": ["
                     "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"n\"}, "
                     "{\"memory\": 1, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"s\"}, "
                     "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 1}, \"action\": \"n\"}]}}");
    assert_int_equal(count(page, "<g class=\"opac-panel\""), 2);
    assert_has(page, "There is a panel for each value of the policy's memory.");
    test_free(page);
    page = page_of(HEAD "\"bound\", \"params\": {\"slack\": 0.1}, \"result\": {\"k\": 7}}");
    assert_int_equal(count(page, ">slack</th>"), 1);
    test_free(page);
    page = page_of(HEAD "\"check\", \"params\": {\"slack\": 0.1}, \"result\": {\"value\": 1}}");
    assert_int_equal(count(page, ">slack</th>"), 1);
    test_free(page);
}

/* States that share a place are told apart by their other variables. */
static void places_in_layers(void **state)
{
    (void)state;
    char text[4000], *end = text;
    end += sprintf(end, HEAD "\"check\", \"policy\": {\"memory\": {\"count\": 1}, "
                             "\"decisions\": [");
    for (int i = 0; i < 8; i++)
        end += sprintf(end,
                       "%s{\"memory\": 0, \"values\": {\"<n>\": %d, \"x\": %d, \"y\": %d, \"ok\": "
                       "true}, \"action\": \"n\"}",
                       i > 0 ? ", " : "", i < 4 ? 10 : 9, i % 2, i % 4 / 2);
    sprintf(end, "]}}");
    char *page = page_of(text);
    assert_int_equal(count(page, "<g class=\"opac-panel\""), 2);
    assert_has(page, ">&lt;n&gt;=10, ok=true</text>");
    assert_has(page, "a panel for each combination of their values.</p>");
    assert_true(strstr(page, ">&lt;n&gt;=9, ok=true</text>") <
                strstr(page, ">&lt;n&gt;=10, ok=true</text>"));
    test_free(page);
}

/* Words that a shell would read otherwise, and those that no line can show. */
static void commands_are_quoted(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"check\", \"inputs\": {\"model\": \"-a b\"}, \"params\": {\"formulas\": "
                     "[\"a$b\"], \"exact\": true, \"precision\": 1e-6, \"automata\": [\"\"]}}");
    /* The model comes last: options behind the dashes would be none. */
    assert_has(page, "<code>omegapac check -f &#39;a$b&#39; --exact -a &#39;&#39; --json "
                     "--no-timing -- &#39;-a b&#39;</code>");
    test_free(page);
    page = page_of(HEAD "\"check\", \"inputs\": {\"model\": \"it's\"}, \"params\": "
                        "{\"precision\": 1e-5, \"kind\": \"ldba\"}}");
    assert_has(page,
               "<code>omegapac check &#39;it&#39;\\&#39;&#39;s&#39; --precision 0.00001 --kind "
               "ldba --json --no-timing</code>");
    test_free(page);
    page = page_of(HEAD "\"check\", \"inputs\": {\"model\": \"\\u00fc\\u03c9\"}, \"params\": {}}");
    assert_has(page, "omegapac check &#39;\xc3\xbc\xcf\x89&#39; --json");
    test_free(page);
    static const char *const lost[] = {"\"model\": \"-\"",        "\"model\": \"a\\nb\"",
                                       "\"model\": null",         "\"model\": \"a\x7f\"",
                                       "\"model\": \"a\\u202e\"", "\"model\": \"a\\u0085\""};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "\"check\", \"inputs\": {%s}, \"params\": {}}", lost[i]);
        page = page_of(text);
        assert_has(page, "does not say enough");
        test_free(page);
    }
}

/* Keys may be added, of any kind: the page is there, without a command that would leave them
 * out. */
static void later_keys_are_no_mistakes(void **state)
{
    (void)state;
    static const char *const later[] = {"{\"a\": 1}", "[[1]]", "[{}]", "[1, null]", "[true]"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 HEAD "\"check\", \"later\": %s, \"inputs\": {\"model\": \"m\", \"later\": %s}, "
                      "\"params\": {\"later\": %s}, \"result\": {\"value\": 1, \"later\": %s}}",
                 later[i], later[i], later[i], later[i]);
        char *page = page_of(text);
        assert_has(page, "does not say enough");
        test_free(page);
    }
    char *page = page_of(
        HEAD "\"check\", \"inputs\": {\"model\": \"m\"}, \"params\": {\"an_option_whose_name_is_"
             "longer_than_any_that_is_known_to_this_version\": 1}}");
    assert_has(page, "does not say enough");
    test_free(page);
}

static void pages_are_repeatable(void **state)
{
    (void)state;
    char *one = page_of(grid), *two = page_of(grid);
    assert_string_equal(one, two);
    test_free(one);
    test_free(two);
}

/* ---- mistakes ---- */

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        opac_status status;
        const char *message;
    } cases[] = {
        {"", OPAC_ERROR_SYNTAX, "r.json: there is no result in it"},
        {" \n ", OPAC_ERROR_SYNTAX, "r.json: there is no result in it"},
        {"{", OPAC_ERROR_SYNTAX, "r.json:1:"},
        {"[1]", OPAC_ERROR_SYNTAX, "r.json: expected an object, got an array"},
        {"{}", OPAC_ERROR_SYNTAX, "r.json: member 'schema' is missing"},
        {"{\"episode\": 1, \"step\": 2}", OPAC_ERROR_ARGUMENT, "r.json: these are steps"},
        {"{\"schema\": \"omegapac.result/2\"}", OPAC_ERROR_ARGUMENT, "r.json: the result is of"},
        {"{\"schema\": \"omegapac.experiment/1\"}", OPAC_ERROR_ARGUMENT,
         "r.json: these are the data"},
        {"{\"schema\": \"omegapac.policy/1\"}", OPAC_ERROR_ARGUMENT, "r.json: this is a policy"},
        {"{\"schema\": \"omegapac.certificate/1\"}", OPAC_ERROR_ARGUMENT,
         "r.json: this is a certificate"},
        {"\n mdp", OPAC_ERROR_SYNTAX, "r.json:2:4: this is not JSON: give what"},
        {"omegapac checkpoint 2\n\xa8", OPAC_ERROR_SYNTAX, "r.json:2:1: this is not JSON"},
        {"[1", OPAC_ERROR_SYNTAX, "r.json:1:2: "},
        {"\xef\xbb\xbf{}", OPAC_ERROR_SYNTAX, "r.json:1:1: JSON does not begin with a byte order"},
        {"{\"schema\": \"x\"}", OPAC_ERROR_ARGUMENT, "r.json: expected a result"},
        {HEAD "3}", OPAC_ERROR_SYNTAX, "r.json: command: expected a string, got a number"},
        {HEAD "\"learn\", \"inputs\": []}", OPAC_ERROR_SYNTAX,
         "r.json: inputs: expected an object"},
        {HEAD "\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": 1}}", OPAC_ERROR_SYNTAX,
         "r.json: guarantee.holds: expected a boolean, got a number"},
        {HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": \"x\"}]}", OPAC_ERROR_SYNTAX,
         "r.json: trace[0].step: expected a number, got a string"},
        {HEAD "\"learn\", \"inputs\": {}, \"policy\": {\"decisions\": [{\"memory\": -1}]}}",
         OPAC_ERROR_ARGUMENT, "r.json: policy.decisions[0].memory: expected a whole number"},
        {HEAD "\"check\", \"policy\": {\"decisions\": []}, \"chain\": {\"nodes\": [{}], \"edges\": "
              "[{\"from\": 0, \"to\": 1}]}}",
         OPAC_ERROR_ARGUMENT, "r.json: chain.edges[0].to: expected a whole number from 0 to 0"},
        {HEAD "\"check\"}\n\n{", OPAC_ERROR_SYNTAX, "r.json:3:"},
        {HEAD "\"check\"}\n\n{\"schema\": 1}", OPAC_ERROR_SYNTAX, "r.json:3: schema: expected"},
        {HEAD "\"check\"}\n" HEAD "\"learn\", \"inputs\": {\"model\": 1}}", OPAC_ERROR_SYNTAX,
         "r.json:2: inputs.model: expected a string"},
        {HEAD "\"learn\"}\n" HEAD "\"learn\", \"guarantee\": 3}\n" HEAD "\"learn\"}",
         OPAC_ERROR_SYNTAX, "r.json:2: guarantee: expected an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *page;
        opac_error error = {0};
        assert_status(write(cases[i].text, NULL, &page, &error), cases[i].status);
        assert_int_equal(error.code, cases[i].status);
        if (strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s, expected %s", error.message, cases[i].message);
    }
}

static void no_input_is_a_mistake(void **state)
{
    (void)state;
    opac_output *out;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_report_write(NULL, 0, NULL, out, &error), OPAC_ERROR_ARGUMENT);
    opac_output_free(out);
}

static opac_status action(void *context, opac_error *error)
{
    char *page;
    opac_status status = write(context, NULL, &page, error);
    test_free(page);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    char text[sizeof grid + sizeof chain + 3 * sizeof run + sizeof summary];
    snprintf(text, sizeof text, "%s\n%s\n%s%s%s", grid, chain, run, run, summary);
    assert_true(faults_sweep(action, text) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learn_has_all_sections),
        cmocka_unit_test(places_are_the_same),
        cmocka_unit_test(chains_become_graphs),
        cmocka_unit_test(runs_become_one_article),
        cmocka_unit_test(several_have_an_overview),
        cmocka_unit_test(titles_are_given),
        cmocka_unit_test(large_policies_are_named),
        cmocka_unit_test(large_chains_are_tables),
        cmocka_unit_test(guarantees_are_explained),
        cmocka_unit_test(numbers_of_any_size),
        cmocka_unit_test(numbers_are_rounded),
        cmocka_unit_test(states_are_cells),
        cmocka_unit_test(summaries_say_it_all),
        cmocka_unit_test(answers_are_told),
        cmocka_unit_test(overviews_compare),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(traces_have_their_curves),
        cmocka_unit_test(nothing_stands_twice),
        cmocka_unit_test(places_in_layers),
        cmocka_unit_test(commands_are_quoted),
        cmocka_unit_test(later_keys_are_no_mistakes),
        cmocka_unit_test(pages_are_repeatable),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(no_input_is_a_mistake),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(curves_end_with_the_run),
        cmocka_unit_test(absent_policies_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
