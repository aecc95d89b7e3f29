/* SPDX-License-Identifier: MIT */
/* Pictures of automata: they are complete, nothing overlaps, and names are escaped. */
#include <omegapac/drawing.h>

#include "support/faults.h"
#include "support/picture.h"
#include "support/random_automaton.h"
#include "svg.h"

static opac_automaton *read_hoa(const char *text)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton = NULL;
    opac_error error;
    assert_ok(opac_hoa_reader_new(text, strlen(text), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    opac_hoa_reader_free(reader);
    return automaton;
}

static opac_status write_svg(const void *automaton, opac_output *out, opac_error *error)
{
    return opac_automaton_write_svg(automaton, 0, NULL, out, error);
}

static char *draw(const opac_automaton *automaton)
{
    return picture_draw(write_svg, automaton);
}

static void assert_apart(const svg_scene *scene)
{
    for (size_t i = 0; i < scene->node_count; i++) {
        assert_true(svg_inside(scene, scene->nodes[i]));
        for (size_t k = 0; k < i; k++)
            assert_false(svg_overlap(scene->nodes[i], scene->nodes[k]));
    }
    for (size_t i = 0; i < scene->label_count; i++) {
        assert_true(svg_inside(scene, scene->labels[i]));
        for (size_t k = 0; k < scene->node_count; k++)
            assert_false(svg_overlap(scene->labels[i], scene->nodes[k]));
        for (size_t k = 0; k < i; k++)
            assert_false(svg_overlap(scene->labels[i], scene->labels[k]));
    }
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        found++;
    return found;
}

/* The number of arrow heads: one for each pair of states with an edge, and one for each initial state. */
static size_t count_arrows(const opac_automaton *automaton)
{
    size_t arrows = automaton->initial_count;
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t e = automaton->edge_begin[s]; e < automaton->edge_begin[s + 1]; e++) {
            const aut_edge *edge = &automaton->edges[e];
            bool is_new = true;
            for (uint32_t f = automaton->edge_begin[s]; f < e && is_new; f++) {
                const aut_edge *other = &automaton->edges[f];
                bool same = (other->label == AUT_EPSILON) == (edge->label == AUT_EPSILON);
                is_new = other->target != edge->target || !(same || edge->target == s);
            }
            arrows += is_new;
        }
    return arrows;
}

static void nothing_overlaps(void **state)
{
    (void)state;
    static svg_scene scene;
    uint64_t random = 1;
    for (int i = 0; i < 150; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 12, 3, 4);
        opac_automaton *automaton = random_automaton(&random, shape, NULL);
        char *text = draw(automaton), *again = draw(automaton);
        assert_string_equal(text, again);
        assert_xml(text);
        svg_read(text, &scene);
        assert_int_equal(scene.node_count, opac_automaton_states(automaton));
        assert_apart(&scene);
        assert_int_equal(count(text, "class=\"opac-head\""), count_arrows(automaton));
        free(text);
        free(again);
        opac_automaton_free(automaton);
    }
}

static void pictures_are_complete(void **state)
{
    (void)state;
    opac_automaton *automaton = read_hoa(
        "HOA: v1 name: \"two\" States: 3 Start: 0 AP: 2 \"a\" \"b\" acc-name: generalized-Buchi 2 "
        "Acceptance: 2 Inf(0)&Inf(1) --BODY-- State: 0 \"here\" [0&!1] 1 {0} [!0&1] 1 {1} [0&1] 0 "
        "State: 1 [t] 2 {0 1} State: 2 [0] 0 [!0] 2 --END--");
    char *text = draw(automaton);
    static const char *const words[] = {">two<",
                                        ">0: here<",
                                        ">1<",
                                        ">2<",
                                        ">a &amp; !b<",
                                        ">!a &amp; b<",
                                        ">a &amp; b<",
                                        ">t<",
                                        ">!a<",
                                        ">a<",
                                        "Inf(0)",
                                        "generalized-Buchi 2",
                                        "<title>state 0: here</title>",
                                        "prefers-color-scheme:dark",
                                        "role=\"img\"",
                                        "class=\"opac-paper\""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("%s is not in the picture", words[i]);
    assert_int_equal(count(text, "class=\"opac-mark opac-m0\""), 2);
    assert_int_equal(count(text, "class=\"opac-mark opac-m1\""), 2);
    free(text);
    opac_automaton_free(automaton);
}

static void names_are_escaped(void **state)
{
    (void)state;
    opac_automaton *automaton =
        read_hoa("HOA: v1 name: \"</title><script>alert(1)</script>\" States: 2 Start: 0 "
                 "AP: 3 \"<script>\" \"a&b\\\"'\" \"\xE2\x80\xAE rtl \x01\" "
                 "Acceptance: 1 Inf(0) --BODY-- State: 0 \"]]>\x1b[2J\" [0] 1 [!0&1] 0 {0} "
                 "State: 1 [2] 1 --END--");
    char *text = draw(automaton);
    assert_xml(text);
    assert_null(strstr(text, "<script"));
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "\xE2\x80\xAE"));
    assert_non_null(strstr(text, "&lt;script&gt;"));
    assert_non_null(strstr(text, "a&amp;b"));
    free(text);
    opac_automaton_free(automaton);
}

/* Long names are truncated, and many edges share an arrow with few lines. */
static void sizes_are_bounded(void **state)
{
    (void)state;
    static svg_scene scene;
    char hoa[6000], name[4001];
    uint64_t random = 3;
    memset(name, 'w', 4000);
    name[4000] = '\0';
    snprintf(hoa, sizeof hoa,
             "HOA: v1 name: \"%s\" States: 1 Start: 0 AP: 1 \"%.1000s\" Acceptance: 0 t --BODY-- "
             "State: 0 [0] 0 --END--",
             name, name);
    opac_automaton *automaton = read_hoa(hoa);
    char *text = draw(automaton);
    svg_read(text, &scene);
    assert_true(scene.width < 2000);
    assert_true(scene.height < 300);
    free(text);
    opac_automaton_free(automaton);
    automaton = random_automaton(&random,
                                 (random_automaton_shape){.states = 30,
                                                          .propositions = 4,
                                                          .marks = 4,
                                                          .gates = 2,
                                                          .edge_percent = 30,
                                                          .mark_percent = 20,
                                                          .is_deterministic = true},
                                 NULL);
    text = draw(automaton);
    svg_read(text, &scene);
    assert_apart(&scene);
    free(text);
    opac_automaton_free(automaton);
}

static void the_number_of_states_is_limited(void **state)
{
    (void)state;
    opac_output *out;
    opac_error error;
    size_t length;
    opac_automaton *automaton =
        read_hoa("HOA: v1 States: 3 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 1 "
                 "State: 1 [t] 2 State: 2 [t] 2 --END--");
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_automaton_write_svg(automaton, 2, NULL, out, &error), OPAC_ERROR_LIMIT);
    opac_output_bytes(out, &length);
    assert_int_equal(length, 0);
    assert_ok(opac_automaton_write_svg(automaton, 3, NULL, out, &error), &error);
    opac_output_free(out);
    opac_automaton_free(automaton);
}

static opac_status draw_once(void *context, opac_error *error)
{
    return picture_try(write_svg, context, error);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    opac_automaton *automaton = read_hoa(
        "HOA: v1 name: \"two\" States: 3 Start: 0 Start: 1 AP: 2 \"a\" \"b\" Acceptance: 2 "
        "Inf(0)&Inf(1) --BODY-- State: 0 [0&!1] 1 {0} [!0&1] 2 {1} [0&1] 0 "
        "State: 1 [t] 2 {0 1} State: 2 [0] 0 [!0] 2 --END--");
    assert_true(faults_sweep(draw_once, automaton) > 10);
    opac_automaton_free(automaton);
}

SUITE(automaton)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_overlaps),
        cmocka_unit_test(pictures_are_complete),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(the_number_of_states_is_limited),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("drawing.automaton", tests, NULL, NULL);
}
