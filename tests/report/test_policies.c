/* SPDX-License-Identifier: MIT */
/* Policies on pages: on a grid, as a graph, as a table. */
#include "pages.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_the_same),           cmocka_unit_test(chains_become_graphs),
        cmocka_unit_test(absent_policies_are_explained), cmocka_unit_test(large_policies_are_named),
        cmocka_unit_test(large_chains_are_tables),       cmocka_unit_test(states_are_cells),
        cmocka_unit_test(nothing_stands_twice),          cmocka_unit_test(places_in_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
