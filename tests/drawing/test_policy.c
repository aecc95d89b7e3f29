/* SPDX-License-Identifier: MIT */
/* Pictures of policies: on a grid, as a graph, as a table. */
#include <omegapac/drawing.h>

#include "base/alloc.h"
#include "drawing/grid.h"
#include "policy/policy.h"
#include "support/faults.h"
#include "support/picture.h"
#include "svg.h"

static const char walk[] = "mdp\n"
                           "module walk\n"
                           "  x : [0..2] init 0;\n"
                           "  y : [0..1] init 0;\n"
                           "  [e] x<2 -> 0.9 : (x'=x+1) + 0.1 : true;\n"
                           "  [jump] x=2 & y=0 -> (y'=1);\n"
                           "  [sw] x>0 & y=1 -> (x'=x-1) & (y'=0);\n"
                           "endmodule\n"
                           "label \"goal\" = x=2 & y=1;\n";

static const char coin[] = "mdp\n"
                           "module coin\n"
                           "  s : [0..2] init 0;\n"
                           "  [toss] s=0 -> 0.25 : (s'=1) + 0.75 : (s'=2);\n"
                           "  [stay] s>0 -> true;\n"
                           "endmodule\n";

static opac_model *read_model(const char *text)
{
    opac_model *model;
    opac_error error = {0};
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    return model;
}

/* The last choice of each state, under memory 0; then memory 1 takes the first. */
static opac_policy *make_policy(const opac_model *model, uint32_t memories)
{
    policy_draft_vec drafts = {0};
    opac_policy *policy;
    opac_error error = {0};
    assert_ok(policy_new(model, &policy, &error), &error);
    policy->memory_count = memories;
    policy->objective = base_copy_text("F <goal>", 8);
    policy->start = base_alloc_zeroed(1, sizeof *policy->start);
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        for (uint32_t m = 0; m < memories; m++) {
            uint32_t choice = opac_model_choice_begin(model, s) +
                              (m == 0 ? opac_model_choice_count(model, s) - 1 : 0);
            assert_ok(
                policy_draft_add(&drafts, s, (policy_decision){m, choice, memories - 1}, &error),
                &error);
        }
    assert_ok(policy_settle(policy, &drafts, NULL, &error), &error);
    policy_draft_vec_fini(&drafts);
    return policy;
}

typedef struct view {
    const opac_policy *policy;
    uint32_t columns;
} view;

static opac_status write_svg(const void *of, opac_output *out, opac_error *error)
{
    const view *v = of;
    return opac_policy_write_grid_svg(v->policy, v->columns, 0, out, error);
}

static char *draw_columns(const opac_policy *policy, uint32_t columns)
{
    char *text = picture_draw(write_svg, &(view){policy, columns});
    assert_xml(text);
    return text;
}

static char *draw(const opac_policy *policy)
{
    return draw_columns(policy, 0);
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        found++;
    return found;
}

static void places_become_a_grid(void **state)
{
    (void)state;
    opac_model *model = read_model(walk);
    opac_policy *policy = make_policy(model, 1);
    char *text = draw(policy);
    uint32_t states = opac_model_states(model);
    assert_int_equal(count(text, "<rect "), states);
    assert_int_equal(count(text, "opac-first\""), 1);
    assert_int_equal(count(text, ">memory "), 0);
    assert_non_null(strstr(text, ">jump<"));
    assert_non_null(strstr(text, "&lt;goal&gt;"));
    /* e of (0, 0), the lower left place of two rows: from left to right. */
    assert_non_null(strstr(text, "d=\"M51 117L75 117M69 111L75 117L69 123\""));
    assert_non_null(strstr(text, "<title>x=0, y=0: e</title>"));
    free(text);
    opac_policy_free(policy);
    policy = make_policy(model, 2);
    text = draw(policy);
    assert_int_equal(count(text, "<rect "), 2 * states);
    assert_non_null(strstr(text, ">memory 0<"));
    assert_non_null(strstr(text, ">memory 1<"));
    free(text);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void others_become_a_graph(void **state)
{
    (void)state;
    static svg_scene scene;
    opac_model *model = read_model(coin);
    opac_policy *policy = make_policy(model, 2);
    char *text = draw(policy);
    svg_read(text, &scene);
    assert_int_equal(scene.node_count, 3);
    assert_false(svg_overlap(scene.nodes[1], scene.nodes[2]));
    assert_non_null(strstr(text, ">toss 0.25<"));
    assert_non_null(strstr(text, ">toss 0.75<"));
    assert_int_equal(count(text, ">stay 1<"), 2);
    assert_non_null(strstr(text, "<title>s=0 to s=1: toss 0.25</title>"));
    assert_int_equal(count(text, ">memory 1<"), 2);
    free(text);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* A policy of a simulator: two states, one decision each. */
static opac_policy *read_keys(const char *one, const char *two)
{
    char text[2048];
    opac_policy *policy;
    opac_error error = {0};
    snprintf(text, sizeof text,
             "{\"schema\": \"omegapac.policy/1\", \"objective\": \"go\", \"formula\": \"F a\", "
             "\"direction\": \"max\", \"model\": {\"type\": \"simulator\", \"states\": 2}, "
             "\"propositions\": [\"a\"], \"automaton\": \"HOA: v1\\nStates: 1\\nStart: 0\\nAP: 1 "
             "\\\"a\\\"\\nAcceptance: 1 Inf(0)\\n--BODY--\\nState: 0\\n[!0] 0\\n[0] 0 {0}\\n"
             "--END--\\n\", \"states\": ["
             "{\"state\": 0, \"key\": \"%s\", \"labels\": [], \"actions\": [\"right\"]},"
             "{\"state\": 1, \"key\": \"%s\", \"labels\": [\"a\"], \"actions\": [\"<&>\"]}], "
             "\"memory\": {\"count\": 1, \"start\": [{\"state\": 0, \"key\": \"%s\", "
             "\"memory\": 0}]}, \"decisions\": ["
             "{\"memory\": 0, \"state\": 0, \"key\": \"%s\", \"action\": \"right\", \"choice\": 0, "
             "\"next\": 0},"
             "{\"memory\": 0, \"state\": 1, \"key\": \"%s\", \"action\": \"<&>\", \"choice\": 0, "
             "\"next\": 0}]}",
             one, two, one, one, two);
    assert_ok(opac_policy_parse(text, strlen(text), NULL, &policy, &error), &error);
    return policy;
}

static void keys_of_simulators(void **state)
{
    (void)state;
    static const struct {
        const char *one, *two;
        bool is_grid;
    } cases[] = {
        {"0,0", "1,0", true},
        {"(0, 0)", "(-1, 2)", true},
        {"0, 0", "0,1", true},
        {"0,0", "00,0", false},
        {"0,0", "1", false},
        {"(0,0", "1,0", false},
        {"0,0", "1,0,2", false},
        {"0,0", "999999,0", false},
        {"0,0", "9999999,0", false},
        {"<b>&", "x \\n", false},
        {"0,0", ",1", false},
        {"0,0", "terminal(1,0)", true},
        {"0,0", "terminal(0,0)", false},
        {"0,0", "terminal(1,0", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_policy *policy = read_keys(cases[i].one, cases[i].two);
        char *text = draw(policy);
        assert_int_equal(count(text, "<rect "), cases[i].is_grid ? 2 : 0);
        assert_int_equal(strstr(text, ">then memory<") != NULL, !cases[i].is_grid);
        assert_non_null(strstr(text, "&lt;&amp;&gt;"));
        free(text);
        opac_policy_free(policy);
    }
}

/* Numbers along rows of four: rows go downwards, and arrows stay as they are. */
static void numbered_places(void **state)
{
    (void)state;
    static const struct {
        const char *one, *two;
        bool is_grid;
    } cases[] = {
        {"0", "6", true},           {"(0, ())", "(6, ('fall',))", true},
        {"0", "terminal(6)", true}, {"0", "(0,)", false},
        {"0", "none", false},       {"0", "9999999", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_policy *policy = read_keys(cases[i].one, cases[i].two);
        char *text = draw_columns(policy, 4);
        assert_int_equal(count(text, "<rect "), cases[i].is_grid ? 2 : 0);
        if (cases[i]
                .is_grid) { /* columns 0 to 2, rows 0 and 1; the second state is below on the right */
            assert_non_null(strstr(text, "x=\"36\" y=\"36\" width"));
            assert_non_null(strstr(text, "x=\"144\" y=\"90\" width"));
            assert_non_null(strstr(text, "x=\"24\" y=\"67.5\">0<"));
            assert_non_null(strstr(text, "x=\"24\" y=\"121.5\">1<"));
        }
        free(text);
        opac_policy_free(policy);
    }
}

static void many_decisions_are_too_many(void **state)
{
    (void)state;
    opac_policy *policy = read_keys("a", "b");
    opac_output *out;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_policy_write_svg(policy, 1, out, &error), OPAC_ERROR_LIMIT);
    assert_ok(opac_policy_write_svg(policy, 2, out, &error), &error);
    opac_output_free(out);
    opac_policy_free(policy);
}

static opac_status draw_once(void *context, opac_error *error)
{
    return picture_try(write_svg, &(view){.policy = context}, error);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static const char *const texts[] = {walk, coin};
    for (size_t i = 0; i < 2; i++) {
        opac_model *model = read_model(texts[i]);
        opac_policy *policy = make_policy(model, 2);
        assert_true(faults_sweep(draw_once, policy) > 3);
        opac_policy_free(policy);
        opac_model_free(model);
    }
    opac_policy *policy = read_keys("a", "b");
    assert_true(faults_sweep(draw_once, policy) > 3);
    opac_policy_free(policy);
}

/* ---- grids by hand ---- */

static bool describe(const void *context, uint32_t item, uint32_t memory, drawing_cell *cell)
{
    (void)context;
    *cell = (drawing_cell){.place = item == 0 ? "a" : "b",
                           .labels = "",
                           .action = memory == 1 && item == 1 ? "west" : NULL};
    return true;
}

static opac_status write_grid(const void *grid, opac_output *out, opac_error *error)
{
    return drawing_grid_write(grid, out, error);
}

/* Panels stand side by side, cells where they belong, and numbers below the middle of their column. */
static void cells_are_where_they_belong(void **state)
{
    (void)state;
    drawing_place places[] = {{5, 7, 1}, {4, 7, 0}};
    const uint32_t memories[] = {0, 1};
    drawing_grid grid = {.heading = "h",
                         .places = places,
                         .count = 2,
                         .memories = memories,
                         .memory_count = 2,
                         .has_memory = true,
                         .describe = describe};
    assert_true(drawing_grid_measure(&grid));
    char *text = picture_draw(write_grid, &grid);
    assert_xml(text);
    assert_non_null(strstr(text, "data-memory=\"0\" data-place=\"a\"><title>a</title>\n<rect "
                                 "class=\"opac-cell opac-empty\" x=\"36\" y=\"60\""));
    assert_non_null(strstr(text, "data-memory=\"1\" data-place=\"b\"><title>b: west</title>\n<rect "
                                 "class=\"opac-cell\" x=\"244\" y=\"60\""));
    /* From the right to the left, with a head at the left end. */
    assert_non_null(strstr(text, "d=\"M283 87L259 87M265 "));
    assert_non_null(strstr(text, "opac-middle\" x=\"63\" y=\"131\">4</text>"));
    assert_non_null(strstr(text, "opac-middle\" x=\"117\" y=\"131\">5</text>"));
    assert_non_null(strstr(text, "opac-middle\" x=\"24\" y=\"91.5\">7</text>"));
    free(text);
    places[0] = places[1]; /* two in one place */
    assert_false(drawing_grid_measure(&grid));
}

static void places_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_place;
        int64_t x, y;
    } cases[] = {{"3,1", true, 3, 1},   {"-3, 12", true, -3, 12}, {"(0, -1)", true, 0, -1},
                 {"(3,1", false, 0, 0}, {"3,1)", false, 0, 0},    {"3,", false, 0, 0},
                 {"3 1", false, 0, 0},  {"", false, 0, 0},        {"1234567,1", false, 0, 0},
                 {"3,1,2", false, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drawing_place found = {0};
        assert_int_equal(drawing_grid_parse(cases[i].text, strlen(cases[i].text), &found),
                         cases[i].is_place);
        if (cases[i].is_place)
            assert_true(found.x == cases[i].x && found.y == cases[i].y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_become_a_grid),        cmocka_unit_test(others_become_a_graph),
        cmocka_unit_test(keys_of_simulators),          cmocka_unit_test(numbered_places),
        cmocka_unit_test(cells_are_where_they_belong), cmocka_unit_test(places_are_read),
        cmocka_unit_test(many_decisions_are_too_many), cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("drawing.policy", tests, NULL, NULL);
}
