/* SPDX-License-Identifier: MIT */
#include "aut/trim.h"

#include "aut/checks.h"
#include "conversion.h"

/* Checks that every state is reachable and has a nonempty language, and that trimming again changes
 * nothing. */
static void check_trimmed(const opac_automaton *given, const opac_automaton *made)
{
    opac_automaton *again;
    opac_error error;
    uint64_t used = 0;
    assert_true(made->state_count <= given->state_count || made->state_count == 1);
    assert_ok(aut_trim(made, &again, &error), &error);
    assert_int_equal(again->state_count, made->state_count);
    assert_int_equal(aut_edge_count(again), aut_edge_count(made));
    assert_int_equal(again->mark_count, made->mark_count);
    for (uint32_t i = 0; i < aut_edge_count(made); i++) {
        assert_int_equal(again->edges[i].marks, made->edges[i].marks);
        used |= made->edges[i].marks;
    }
    assert_int_equal(used, (UINT64_C(1) << made->mark_count) - 1);
    assert_int_equal(aut_condition_marks(&made->condition), used);
    uint32_t live;
    assert_status(opac_automaton_live_states(made, &live, NULL), OPAC_OK);
    assert_int_equal(live, aut_edge_count(made) > 0 ? made->state_count : 0);
    opac_automaton_free(again);
}

static void test_random(void **state)
{
    (void)state;
    conversion_sweep(aut_trim, check_trimmed, UINT64_C(3001), random_rounds(800, 4000), 5);
}

/* In small automata, live states are those that accept some short word. */
static void test_live_states(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(3002));
    for (int i = 0; i < 500; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 3, 1, 2);
        shape.is_deterministic = true;
        shape.epsilon_percent = 0;
        opac_automaton *automaton = random_automaton(&random, shape, NULL);
        uint32_t live = 0;
        word_sample sample;
        for (uint32_t s = 0; s < automaton->state_count; s++) {
            bool accepts = false;
            automaton->initial[0] = s;
            for (uint64_t j = 0; !accepts && word_enumerate(1, 7, j, &sample); j++)
                accepts = word_accepts(automaton, &sample.word);
            live += accepts;
        }
        uint32_t found;
        assert_status(opac_automaton_live_states(automaton, &found, NULL), OPAC_OK);
        assert_int_equal(found, live);
        opac_automaton_free(automaton);
    }
}

static void check_flower(const uint64_t *sets, uint32_t count, uint32_t marks, const char *given,
                         uint32_t expected_marks, const char *expected)
{
    opac_automaton *flower = conversion_flower(sets, count, marks, given), *made;
    opac_output *out;
    size_t length;
    assert_status(aut_trim(flower, &made, NULL), OPAC_OK);
    assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
    aut_condition_write(&made->condition, out);
    assert_string_equal(opac_output_bytes(out, &length), expected);
    assert_int_equal(made->mark_count, expected_marks);
    opac_output_free(out);
    opac_automaton_free(flower);
    opac_automaton_free(made);
}

static void test_marks(void **state)
{
    (void)state;
    check_flower((const uint64_t[]){0, 1}, 2, 1, "Inf(0)", 1, "Inf(0)");
    check_flower((const uint64_t[]){1, 1}, 2, 1, "Inf(0)", 0, "t");
    check_flower((const uint64_t[]){0, 0}, 2, 1, "Inf(0)", 0, "f");
    check_flower((const uint64_t[]){0, 3}, 2, 2, "Inf(0) & Inf(1)", 1, "Inf(0)");
    check_flower((const uint64_t[]){0, 3}, 2, 2, "Inf(0) & Fin(1)", 0, "f");
    check_flower((const uint64_t[]){4, 5, 6, 7}, 4, 3, "Inf(0) & Fin(1) | Fin(2)", 2,
                 "Inf(0) & Fin(1)");
    check_flower((const uint64_t[]){0, 2}, 2, 5, "Inf(3) | Fin(4) & Fin(1)", 1, "Fin(0)");
}

static void test_faults(void **state)
{
    (void)state;
    conversion_faults(aut_trim, UINT64_C(3003));
}

SUITE(trim)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_live_states),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
