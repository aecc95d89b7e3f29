/* SPDX-License-Identifier: MIT */
/* Pictures of policies on pages: on a grid, or as a graph. */
#include "pages.h"

/* The names of places in the data are those in the picture; the labels come from the sample. */
static void places_are_the_same(void **state)
{
    (void)state;
    char *page = page_of(grid);
    assert_has(page, "<div class=\"picture scroll\" id=\"r1-picture\">");
    assert_int_equal(count(page, "class=\"opac-place\" data-memory=\"0\" data-place=\"x=0, y=0\">"),
                     1);
    assert_int_equal(count(page, "class=\"opac-place\" data-memory=\"1\" data-place=\"x=0, y=1\">"),
                     1);
    assert_has(page, "\"names\": [\"x=0, y=0\", \"x=0, y=1\"]");
    assert_int_equal(count(page, "opac-cell opac-first"), 1);
    assert_has(page, ">#5</text>");
    test_free(page);
}

static void chains_become_graphs(void **state)
{
    (void)state;
    char *page = page_of(chain);
    assert_has(page, "\"picture\": \"graph\", \"memory\": false");
    assert_int_equal(count(page, "<g class=\"opac-node opac-place\""), 2);
    assert_has(page, "data-memory=\"0\" data-place=\"state 4\">");
    assert_has(page, "<title>state 3 to state 4: go 0.75</title>");
    assert_has(page, "<title>state 3 to state 3: go 0.25</title>");
    assert_has(page, "<title>state 4 to state 4: 1</title>");
    assert_int_equal(count(page, "<path class=\"opac-edge\""), 4); /* and one to the first */
    test_free(page);
}

/* Graphs that are too large are not drawn, and neither is a policy that is not in the result. */
static void large_policies_have_no_picture(void **state)
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
    assert_has(page, "\"picture\": null");
    test_free(page);
    page = page_of(HEAD "\"check\", \"policy\": {\"path\": \"p.json\", \"decisions\": 123456}}");
    assert_has(page, "\"picture\": null");
    assert_has(page, "\"decisions\": 123456");
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

/* A panel for each value of the memory, however many decisions it has. */
static void memory_values_have_panels(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"check\", \"policy\": {\"memory\": {\"count\": 2}, \"decisions\": ["
                     "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"n\"}, "
                     "{\"memory\": 1, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"s\"}, "
                     "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 1}, \"action\": \"n\"}]}}");
    assert_int_equal(count(page, "<g class=\"opac-panel\""), 2);
    assert_has(page, "\"memories\": 2");
    assert_has(page, "\"decisions\": [0, 0, 1], \"sample\": []");
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
    assert_has(page, "\"picture\": \"layers\"");
    assert_true(strstr(page, ">&lt;n&gt;=9, ok=true</text>") <
                strstr(page, ">&lt;n&gt;=10, ok=true</text>"));
    test_free(page);
}

SUITE(policies)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_the_same),
        cmocka_unit_test(chains_become_graphs),
        cmocka_unit_test(large_policies_have_no_picture),
        cmocka_unit_test(states_are_cells),
        cmocka_unit_test(memory_values_have_panels),
        cmocka_unit_test(places_in_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
