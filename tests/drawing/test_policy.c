/* SPDX-License-Identifier: MIT */
/* Pictures of policies: on a grid, as a graph, as a table. */
#include <math.h>

#include <omegapac/drawing.h>

#include "base/alloc.h"
#include "drawing/draw_grid.h"
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

/* A policy that takes the last choice of each state with memory 0, and the first with memory 1. */
static opac_policy *make_policy(const opac_model *model, uint32_t memories)
{
    policy_entry_vec drafts = {0};
    opac_policy *policy;
    opac_error error = {0};
    assert_ok(policy_new(model, &policy, &error), &error);
    policy->memory_count = memories;
    policy->objective = base_copy_text("F <goal>", 8);
    policy->start = base_alloc_zeroed(1, sizeof *policy->start);
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        for (uint32_t m = 0; m < memories; m++) {
            uint32_t action = m == 0 ? opac_model_choice_count(model, s) - 1 : 0;
            assert_ok(
                policy_entry_add(&drafts, s, (policy_decision){m, action, memories - 1}, &error),
                &error);
        }
    assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
    policy_entry_vec_fini(&drafts);
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

static void coordinates_give_a_grid(void **state)
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
    /* Action e in (0, 0), the lower left cell of two rows: from left to right. */
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

static void other_models_give_a_graph(void **state)
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

/* A policy for a simulator, with two states and a decision for each. */
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

static void simulator_keys_give_coordinates(void **state)
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

/* Cells numbered in rows of four: rows are numbered downwards, and arrows keep their directions. */
static void numbered_cells(void **state)
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

static void the_number_of_decisions_is_limited(void **state)
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
    *cell = (drawing_cell){.state_name = item == 0 ? "a" : "b",
                           .labels = "",
                           .action = memory == 1 && item == 1 ? "west" : NULL};
    return true;
}

static opac_status write_grid(const void *grid, opac_output *out, opac_error *error)
{
    return drawing_grid_write(grid, out, error);
}

/* Checks the positions of panels (side by side), cells, and numbers (below the middle of their column). */
static void cells_have_their_positions(void **state)
{
    (void)state;
    drawing_position positions[] = {{5, 7, 1, ""}, {4, 7, 0, ""}};
    const uint32_t memories[] = {0, 1};
    drawing_grid grid = {.heading = "h",
                         .positions = positions,
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
    /* An arrow from right to left, with its head at the left end. */
    assert_non_null(strstr(text, "d=\"M283 87L259 87M265 "));
    assert_non_null(strstr(text, "opac-middle\" x=\"63\" y=\"131\">4</text>"));
    assert_non_null(strstr(text, "opac-middle\" x=\"117\" y=\"131\">5</text>"));
    assert_non_null(strstr(text, "opac-middle\" x=\"24\" y=\"91.5\">7</text>"));
    free(text);
    positions[0] = positions[1]; /* two with the same coordinates */
    assert_false(drawing_grid_measure(&grid));
}

static bool describe_action(const void *context, uint32_t item, uint32_t memory, drawing_cell *cell)
{
    (void)item;
    (void)memory;
    *cell = (drawing_cell){.state_name = "p", .labels = "", .action = context};
    return true;
}

/* Checks that the shaft has the same length in all directions and its middle in the centre of the cell, and
 * that the two barbs have equal lengths and an angle of 45 degrees to it. */
static void assert_arrow(const char *text, double cell_x, double cell_y, double dx, double dy)
{
    double p[5][2], length = hypot(dx, dy), turned[2];
    const char *at = strstr(text, "class=\"opac-way\" d=\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "class=\"opac-way\" d=\"M%lf %lfL%lf %lfM%lf %lfL%lf %lfL%lf %lf\"",
                            &p[0][0], &p[0][1], &p[1][0], &p[1][1], &p[2][0], &p[2][1], &p[3][0],
                            &p[3][1], &p[4][0], &p[4][1]),
                     10);
    assert_true(fabs((p[0][0] + p[1][0]) / 2 - cell_x) < 0.1);
    assert_true(fabs((p[0][1] + p[1][1]) / 2 - cell_y) < 0.1);
    assert_true(fabs(p[1][0] - p[0][0] - 24 * dx / length) < 0.2);
    assert_true(fabs(p[1][1] - p[0][1] - 24 * dy / length) < 0.2);
    assert_true(p[3][0] == p[1][0]);
    assert_true(p[3][1] == p[1][1]); /* the tip */
    for (int i = 0; i < 2; i++) {
        double x = p[2 + 2 * i][0] - p[1][0], y = p[2 + 2 * i][1] - p[1][1];
        assert_true(fabs(hypot(x, y) - 6 * sqrt(2)) < 0.2);
        assert_true(fabs((x * dx + y * dy) / length + 6) < 0.2); /* 45 degrees */
        turned[i] = x * dy - y * dx;
    }
    assert_true(turned[0] * turned[1] < 0); /* one on each side */
}

static void assert_direction(const char *action, double dx, double dy)
{
    static const uint32_t memories[] = {0};
    drawing_position place = {0, 0, 0, ""};
    drawing_grid grid = {.heading = "h",
                         .positions = &place,
                         .count = 1,
                         .memories = memories,
                         .memory_count = 1,
                         .describe = describe_action,
                         .context = action};
    double x, y, size;
    assert_true(drawing_grid_measure(&grid));
    char *text = picture_draw(write_grid, &grid);
    const char *cell = strstr(text, "class=\"opac-cell\"");
    assert_non_null(cell);
    assert_int_equal(
        sscanf(cell, "class=\"opac-cell\" x=\"%lf\" y=\"%lf\" width=\"%lf\"", &x, &y, &size), 3);
    assert_arrow(text, x + size / 2, y + size / 2, dx, dy);
    free(text);
}

static void arrows_point_where_actions_go(void **state)
{
    (void)state;
    static const struct {
        const char *names[3];
        double dx, dy; /* y points down */
    } ways[] = {{{"n", "north", "up"}, 0, -1},      {{"e", "east", "right"}, 1, 0},
                {{"s", "south", "down"}, 0, 1},     {{"w", "west", "left"}, -1, 0},
                {{"ne", "northeast", NULL}, 1, -1}, {{"se", "southeast", NULL}, 1, 1},
                {{"sw", "southwest", NULL}, -1, 1}, {{"nw", "northwest", NULL}, -1, -1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t k = 0; k < 3 && ways[i].names[k] != NULL; k++)
            assert_direction(ways[i].names[k], ways[i].dx, ways[i].dy);
}

/* Four positions in each of three layers. The second layer has decisions for memory 1 only, and the last one
 * has none. */
enum {
    LAYERS = 3,
    POSITIONS = 4
};

static bool describe_layers(const void *context, uint32_t item, uint32_t memory, drawing_cell *cell)
{
    (void)context;
    static const char *const names[] = {"p", "q", "r"};
    uint32_t layer = item / POSITIONS;
    *cell = (drawing_cell){.state_name = names[layer],
                           .labels = "",
                           .action = layer == 0 || (layer == 1 && memory == 1) ? "e" : NULL};
    return true;
}

static void fill_layers(drawing_position *positions, const char *const names[static LAYERS])
{
    for (uint32_t i = 0; i < LAYERS * POSITIONS; i++) /* in reverse order */
        positions[LAYERS * POSITIONS - 1 - i] =
            (drawing_position){i % POSITIONS % 2, i % POSITIONS / 2, i, names[i / POSITIONS]};
}

static void layers_have_panels(void **state)
{
    (void)state;
    static const char *const names[] = {"all=same, n=-1, ok", "all=same, n=2, ok",
                                        "all=same, n=10, ok"};
    static const char *const alike[] = {"n=1", "n=2", "n=2"};
    drawing_position positions[LAYERS * POSITIONS];
    const uint32_t memories[] = {0, 1};
    drawing_grid grid = {.heading = "h",
                         .positions = positions,
                         .count = LAYERS * POSITIONS,
                         .memories = memories,
                         .memory_count = 2,
                         .has_memory = true,
                         .describe = describe_layers};
    fill_layers(positions, names);
    assert_true(drawing_grid_measure(&grid));
    assert_true(grid.has_layers);
    char *text = picture_draw(write_grid, &grid);
    assert_xml(text);
    static const char *const titles[] = {">n=-1, ok, memory 0<", ">n=-1, ok, memory 1<",
                                         ">n=2, ok, memory 1<", ">n=10, ok, memory 0<"};
    const char *at = text;
    for (size_t i = 0; i < 4; i++) {
        at = strstr(at, titles[i]);
        assert_non_null(at);
    }
    assert_int_equal(count(text, "<g class=\"opac-panel\""), 4);
    assert_int_equal(count(text, "<rect "), 4 * POSITIONS);
    assert_int_equal(count(text, "data-memory=\"1\" data-place=\"q\""), POSITIONS);
    free(text);
    /* Without memory, the title is the layer. If no two positions have the same coordinates, there is no
     * title. */
    grid.memory_count = 1;
    grid.has_memory = false;
    text = picture_draw(write_grid, &grid);
    assert_non_null(strstr(text, ">n=2, ok<"));
    assert_int_equal(count(text, "<g class=\"opac-panel\""), LAYERS);
    free(text);
    grid.count = POSITIONS;
    assert_true(drawing_grid_measure(&grid));
    assert_false(grid.has_layers);
    text = picture_draw(write_grid, &grid);
    assert_null(strstr(text, ">n="));
    assert_null(strstr(text, "opac-panel")); /* no titles */
    free(text);
    /* Two positions with the same coordinates in a layer, and layers of less than four positions. */
    grid.count = LAYERS * POSITIONS;
    fill_layers(positions, alike);
    assert_false(drawing_grid_measure(&grid));
    fill_layers(positions, names);
    grid.count--;
    assert_false(drawing_grid_measure(&grid));
}

/* There are at most twelve layers, and the total size is limited. */
static void the_number_of_layers_is_limited(void **state)
{
    (void)state;
    enum {
        MOST = DRAWING_MOST_LAYERS + 1
    };
    static drawing_position positions[MOST * POSITIONS];
    static char names[MOST][16];
    for (uint32_t layers = MOST - 1; layers <= MOST; layers++) {
        drawing_grid grid = {.positions = positions, .count = layers * POSITIONS};
        for (uint32_t i = 0; i < grid.count; i++) {
            snprintf(names[i / POSITIONS], sizeof *names, "n=%u", (unsigned)(i / POSITIONS));
            positions[i] =
                (drawing_position){i % POSITIONS % 2, i % POSITIONS / 2, i, names[i / POSITIONS]};
        }
        assert_int_equal(drawing_grid_measure(&grid), layers < MOST);
        for (uint32_t i = 0; i < grid.count; i++)
            assert_string_equal(positions[i].layer, names[i / POSITIONS]); /* sorted */
        positions[0].x = 2000; /* many empty cells in each */
        assert_false(drawing_grid_measure(&grid));
    }
}

/* The layers of a model are the values of the other variables. A long title is truncated between
 * characters. */
static void models_have_layers(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp module m x : [0..2]; y : [0..1]; go : bool; n : [-1..0] "
                                   "init -1; [e] x<2 -> (x'=x+1); [s] y<1 -> (y'=y+1); [c] !go -> "
                                   "(go'=true) & (n'=0); endmodule");
    opac_policy *policy = make_policy(model, 1);
    char *text = draw(policy);
    assert_non_null(strstr(text, ">go=false, n=-1<"));
    assert_non_null(strstr(text, ">go=true, n=0<"));
    assert_int_equal(count(text, "<rect "), 12);
    free(text);
    assert_true(faults_sweep(draw_once, policy) > 3);
    opac_policy_free(policy);
    opac_model_free(model);
    /* Layers may differ only after the part that the title shows. */
    char one[600], two[600];
    memset(one, 'a', sizeof one);
    memcpy(one + DRAWING_MOST_TEXT - 1, "\xc3\xa4",
           2); /* a character of two bytes across the end */
    one[sizeof one - 1] = '\0';
    memcpy(two, one, sizeof two);
    two[sizeof two - 2] = 'b';
    const char *const names[] = {one, two, "<c>"};
    drawing_position positions[LAYERS * POSITIONS];
    const uint32_t memory = 0;
    drawing_grid grid = {.heading = "h",
                         .positions = positions,
                         .count = LAYERS * POSITIONS,
                         .memories = &memory,
                         .memory_count = 1,
                         .describe = describe_layers};
    fill_layers(positions, names);
    assert_true(drawing_grid_measure(&grid));
    text = picture_draw(write_grid, &grid);
    assert_xml(text);
    assert_non_null(strstr(text, ">&lt;c&gt;<"));
    assert_int_equal(count(text, "aaa...<"), 2);
    free(text);
}

static void texts_are_ordered(void **state)
{
    (void)state;
    static const char *const sorted[] = {"",        "n=-10", "n=-2", "n=-1, m=9", "n=-1, m=10",
                                         "n=0",     "n=01",  "n=1",  "n=2",       "n=10",
                                         "n=10, a", "n=a",   "o",    "o=true"};
    size_t many = sizeof sorted / sizeof *sorted;
    for (size_t i = 0; i < many; i++)
        for (size_t k = 0; k < many; k++) {
            int order = drawing_text_compare(sorted[i], sorted[k]);
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
}

static void coordinates_are_parsed(void **state)
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
        drawing_position found = {0};
        assert_int_equal(drawing_grid_parse(cases[i].text, strlen(cases[i].text), &found),
                         cases[i].is_place);
        if (cases[i].is_place) {
            assert_true(found.x == cases[i].x);
            assert_true(found.y == cases[i].y);
        }
    }
}

SUITE(policy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_give_a_grid),
        cmocka_unit_test(other_models_give_a_graph),
        cmocka_unit_test(simulator_keys_give_coordinates),
        cmocka_unit_test(numbered_cells),
        cmocka_unit_test(cells_have_their_positions),
        cmocka_unit_test(coordinates_are_parsed),
        cmocka_unit_test(arrows_point_where_actions_go),
        cmocka_unit_test(layers_have_panels),
        cmocka_unit_test(the_number_of_layers_is_limited),
        cmocka_unit_test(models_have_layers),
        cmocka_unit_test(texts_are_ordered),
        cmocka_unit_test(the_number_of_decisions_is_limited),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("drawing.policy", tests, NULL, NULL);
}
