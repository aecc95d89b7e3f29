/* SPDX-License-Identifier: MIT */
/* Policies drawn as maps, and long texts broken into lines. */
#include <omegapac/policy.h>

#include "result/lines.h"
#include "result/result_map.h"
#include "support/check.h"

/* Two by two; east and an action that is no direction; a label of usual length, and one too long. */
static const char small[] = "mdp\n"
                            "module m\n"
                            "    x : [0..1] init 0;\n"
                            "    y : [3..4] init 4;\n"
                            "    [e] x=0 -> (x'=1);\n"
                            "    [s] x=0 & y=4 -> (y'=3);\n"
                            "    [jump] x=1 -> (x'=0);\n"
                            "    [south] x=1 & y=4 -> (y'=3);\n"
                            "endmodule\n"
                            "label \"goal\" = x=1 & y=4;\n"
                            "label \"a_very_long_name\" = y=3;\n";

/* A policy file that begins with memory 0 in the one initial state. */
static void make_policy(const opac_model *model, int memories, const char *decisions,
                        opac_policy **policy)
{
    char text[1024], *at = text, *end = text + sizeof text;
    opac_error error;
    uint32_t initial = opac_model_initial(model, 0);
    at += snprintf(at, (size_t)(end - at),
                   "{\"schema\": \"omegapac.policy/1\", \"memory\": {\"count\": %d, \"start\": "
                   "[{\"values\": {",
                   memories);
    for (uint32_t i = 0; i < opac_model_variable_count(model); i++) {
        long value = (long)opac_model_value(model, initial, i);
        bool is_bool = opac_model_variable_type(model, i) == OPAC_VALUE_BOOL;
        at += snprintf(at, (size_t)(end - at), "%s\"%s\": ", i > 0 ? ", " : "",
                       opac_model_variable(model, i));
        at += is_bool ? snprintf(at, (size_t)(end - at), "%s", value != 0 ? "true" : "false")
                      : snprintf(at, (size_t)(end - at), "%ld", value);
    }
    snprintf(at, (size_t)(end - at), "}, \"memory\": 0}]}, \"decisions\": [%s]}", decisions);
    assert_ok(opac_policy_parse(text, strlen(text), model, policy, &error), &error);
}

/* What is drawn for a policy of a model; the caller frees. */
static char *draw(const char *model_text, int memories, const char *decisions)
{
    opac_model *model;
    opac_policy *policy;
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, model_text, strlen(model_text), NULL, &model,
                                   &error),
              &error);
    make_policy(model, memories, decisions, &policy);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    result_write_map(policy, model, out);
    char *text = strdup(opac_output_bytes(out, &length));
    opac_output_free(out);
    opac_policy_free(policy);
    opac_model_free(model);
    return text;
}

/* Of the policy that always takes the first choice. */
static void assert_drawn(const char *model, const char *expected)
{
    char *text = draw(model, 1, "");
    assert_string_equal(text, expected);
    free(text);
}

static void unicode(bool wanted)
{
    setenv("LC_ALL", wanted ? "C.UTF-8" : "C", 1);
}

static void arrows_and_letters(void **state)
{
    (void)state;
    unicode(true);
    assert_drawn(small, "\n"
                        "memory 0\n"
                        "+---------+---------+\n"
                        "| →       | ju goal |\n"
                        "+---------+---------+\n"
                        "|         |         |\n"
                        "+---------+---------+\n");
    unicode(false);
    assert_drawn(small, "\n"
                        "memory 0\n"
                        "+---------+---------+\n"
                        "| e       | ju goal |\n"
                        "+---------+---------+\n"
                        "|         |         |\n"
                        "+---------+---------+\n");
}

/* Along both ways from an initial state, and no further: y is drawn upwards. */
static void where_it_gets(void **state)
{
    (void)state;
    unicode(true);
    assert_drawn("mdp\n"
                 "module m\n"
                 "    x : [0..2] init 0;\n"
                 "    y : [0..1] init 0;\n"
                 "    [ne] x=0 & y=0 -> 0.5 : (x'=1) + 0.5 : (y'=1);\n"
                 "    [sw] x=1 -> true;\n"
                 "    [w] x=0 & y=1 -> true;\n"
                 "    [up] x=0 -> (x'=2);\n"
                 "    [up] x=2 -> true;\n"
                 "endmodule\n",
                 "\n"
                 "memory 0\n"
                 "+---+---+---+\n"
                 "| ← |   |   |\n"
                 "+---+---+---+\n"
                 "| ↗ | ↙ |   |\n"
                 "+---+---+---+\n");
}

/* The two panels of the gridworld stand side by side. */
static void a_panel_a_memory(void **state)
{
    (void)state;
    unicode(false);
    char *text =
        draw("mdp\n"
             "module m\n"
             "    x : [0..1] init 0;\n"
             "    y : [0..0] init 0;\n"
             "    [e] x=0 -> (x'=1);\n"
             "    [w] x=1 -> (x'=0);\n"
             "    [n] true -> true;\n"
             "endmodule\n",
             3,
             "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 0}, \"choice\": 0, \"next\": 2},"
             "{\"memory\": 2, \"values\": {\"x\": 1, \"y\": 0}, \"choice\": 1, \"next\": 2}");
    assert_string_equal(text, "\n"
                              "memory 0     memory 2\n"
                              "+---+---+    +---+---+\n"
                              "| e |   |    |   | n |\n"
                              "+---+---+    +---+---+\n");
    free(text);
    text = draw("dtmc\nmodule m\nx : [0..0] init 0;\ny : [0..0] init 0;\n[] true -> true;\n"
                "endmodule\n",
                7, "");
    assert_string_equal(text, ""); /* too many panels */
    free(text);
}

/* What x and y do not tell apart is in layers, in their order; c, which never changes, is not told. */
static void a_panel_a_layer(void **state)
{
    (void)state;
    unicode(false);
    static const char tour[] = "mdp\n"
                               "module m\n"
                               "    n : [-1..1] init 1;\n"
                               "    x : [0..1] init 0;\n"
                               "    c : [3..4] init 3;\n"
                               "    y : [0..0] init 0;\n"
                               "    b : bool init true;\n"
                               "    [e] x=0 -> (x'=1);\n"
                               "    [flip] x=1 & b -> (b'=false) & (x'=0);\n"
                               "    [down] x=1 & !b & n=1 -> (n'=-1) & (b'=true);\n"
                               "    [stay] x=1 & !b & n=-1 -> true;\n"
                               "endmodule\n";
    assert_drawn(tour,
                 "\n"
                 "n=-1, b=false, memory 0    n=-1, b=true, memory 0     n=1, b=false, memory 0\n"
                 "+----+----+                +----+----+                +----+----+\n"
                 "| e  | st |                |    | fl |                | e  | do |\n"
                 "+----+----+                +----+----+                +----+----+\n"
                 "\n"
                 "n=1, b=true, memory 0\n"
                 "+----+----+\n"
                 "| e  | fl |\n"
                 "+----+----+\n");
}

/* Six layers are shown, seven are not; nor are seven panels of fewer layers. */
static void not_too_many_layers(void **state)
{
    (void)state;
    static const char counter[] = "dtmc\nmodule m\nx : [0..1] init 0;\ny : [0..0] init 0;\n"
                                  "n : [0..%d] init 0;\n[] true -> (n'=mod(n+1, %d));\nendmodule\n";
    for (int layers = 6; layers <= 7; layers++) {
        char text[200];
        snprintf(text, sizeof text, counter, layers - 1, layers);
        char *drawn = draw(text, 1, "");
        assert_int_equal(strstr(drawn, "n=5, memory 0\n") != NULL, layers == 6);
        assert_int_equal(*drawn == '\0', layers == 7);
        free(drawn);
    }
    char text[200];
    snprintf(text, sizeof text, counter, 3, 4);
    static const char steps[] =
        "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 0, \"n\": 3}, \"choice\": 0, \"next\": 1}";
    char *drawn = draw(text, 2, steps);
    assert_string_equal(drawn, ""); /* four under memory 0, and four under memory 1 */
    free(drawn);
}

/* A title may be wider than its panel, but not without end. */
static void long_titles(void **state)
{
    (void)state;
    unicode(false);
    assert_drawn("dtmc\nmodule m\nx : [0..0] init 0;\ny : [0..0] init 0;\n"
                 "a_variable_with_quite_a_long_name_that_goes_on : bool;\n"
                 "[] true -> (a_variable_with_quite_a_long_name_that_goes_on'=true);\nendmodule\n",
                 "\n"
                 "a_variable_with_quite_a_long_name_that_goes_o...\n"
                 "+---+\n"
                 "| * |\n"
                 "+---+\n"
                 "\n"
                 "a_variable_with_quite_a_long_name_that_goes_o...\n"
                 "+---+\n"
                 "| * |\n"
                 "+---+\n");
}

/* No x and y, or too many places: no picture. */
static void not_a_grid(void **state)
{
    (void)state;
    assert_drawn("dtmc\nmodule m\nx : [0..1] init 0;\n[] true -> (x'=1-x);\nendmodule\n", "");
    assert_drawn("dtmc\nmodule m\nx : [0..1] init 0;\ny : bool;\n[] true -> (x'=1-x);\nendmodule\n",
                 "");
    assert_drawn("dtmc\nmodule m\nx : [0..40] init 0;\ny : [0..1] init 0;\n"
                 "[] true -> (y'=1-y);\nendmodule\n",
                 "");
    assert_drawn("dtmc\nmodule m\nx : [0..1] init 0;\ny : [0..20] init 0;\n"
                 "[] true -> (x'=1-x);\nendmodule\n",
                 "");
}

/* The largest grid that is drawn, in panels below one another: its lines have all places. */
static void the_largest(void **state)
{
    (void)state;
    unicode(false);
    char *text = draw("mdp\nmodule m\nx : [0..39] init 0;\ny : [0..19] init 0;\n"
                      "[s] true -> 0.5 : (x'=mod(x+1, 40)) + 0.5 : (y'=mod(y+1, 20));\nendmodule\n",
                      1, "");
    int places = 0;
    for (const char *at = text; (at = strstr(at, "| s ")) != NULL; at++)
        places++;
    assert_int_equal(places, 800);
    free(text);
}

/* ---- lines ---- */

static void assert_wrapped(const char *key, const char *text, const char *expected)
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    result_line_wrapped(out, key, text);
    assert_string_equal(opac_output_bytes(out, &length), expected);
    opac_output_free(out);
}

#define TEN  "ten__chars"
#define NINE "nine_char"

static void long_texts_are_broken(void **state)
{
    (void)state;
    assert_wrapped("key", "a text", "key                a text\n");
    assert_wrapped("key", "", "key                \n");
    /* 61 columns fit behind the key. */
    assert_wrapped("key", NINE " " NINE " " NINE " " NINE " " NINE " " TEN " x",
                   "key                " NINE " " NINE " " NINE " " NINE " " NINE " " TEN "\n"
                   "                   x\n");
    assert_wrapped("key", NINE " " NINE " " NINE " " NINE " " NINE " " TEN "x y",
                   "key                " NINE " " NINE " " NINE " " NINE " " NINE " " TEN "x\n"
                   "                   y\n");
    assert_wrapped("key", NINE " " NINE " " NINE " " NINE " " NINE " " TEN "xx y",
                   "key                " NINE " " NINE " " NINE " " NINE " " NINE "\n"
                   "                   " TEN "xx y\n");
    /* A word that fits nowhere, and letters of several bytes. */
    assert_wrapped("k", TEN TEN TEN TEN TEN TEN TEN " b",
                   "k                  " TEN TEN TEN TEN TEN TEN TEN "\n"
                   "                   b\n");
    assert_wrapped(
        "k", "εεεεεεεεε εεεεεεεεε εεεεεεεεε εεεεεεεεε εεεεεεεεε εεεεεεεεεεε b",
        "k                  εεεεεεεεε εεεεεεεεε εεεεεεεεε εεεεεεεεε εεεεεεεεε εεεεεεεεεεε\n"
        "                   b\n");
}

SUITE(map)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrows_and_letters),    cmocka_unit_test(where_it_gets),
        cmocka_unit_test(a_panel_a_memory),      cmocka_unit_test(not_a_grid),
        cmocka_unit_test(a_panel_a_layer),       cmocka_unit_test(not_too_many_layers),
        cmocka_unit_test(long_titles),           cmocka_unit_test(the_largest),
        cmocka_unit_test(long_texts_are_broken),
    };
    return cmocka_run_group_tests_name("cli.grid", tests, NULL, NULL);
}
