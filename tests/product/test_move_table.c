/* SPDX-License-Identifier: MIT */
/* Moves on every letter, compared with the labels; epsilon cycles; universal states. */
#include "naive.h"

#include "product/move_table.h"

static void check_moves(const product_move_table *move_table, uint32_t q, uint32_t class,
                        uint64_t letter)
{
    const opac_automaton *a = product_move_table_automaton(move_table);
    uint32_t count, at = 0;
    const product_move *moves = product_move_table_moves(move_table, q, class, &count);
    for (uint32_t e = a->edge_begin[q]; e < a->edge_begin[q + 1]; e++) {
        if (!naive_reads(a, a->edges[e].label, letter))
            continue;
        assert_true(at < count);
        assert_int_equal(moves[at].target, a->edges[e].target);
        assert_int_equal(moves[at++].marks, a->edges[e].marks);
    }
    assert_int_equal(at, count);
}

static void check_epsilons(const product_move_table *move_table, uint32_t q)
{
    const opac_automaton *a = product_move_table_automaton(move_table);
    uint32_t count, at = 0;
    const product_move *moves = product_move_table_epsilons(move_table, q, &count);
    for (uint32_t e = a->edge_begin[q]; e < a->edge_begin[q + 1]; e++) {
        if (a->edges[e].label != AUT_EPSILON)
            continue;
        assert_true(at < count);
        assert_int_equal(moves[at].target, a->edges[e].target);
        assert_int_equal(moves[at++].marks, a->edges[e].marks);
    }
    assert_int_equal(at, count);
}

/* Checks that the state in the message is on a cycle. */
static void check_refusal(const opac_automaton *a, const opac_error *error)
{
    const char *number = strstr(error->message, "through state ");
    assert_non_null(number);
    uint32_t state = (uint32_t)strtoul(number + strlen("through state "), NULL, 10);
    assert_true(state < a->state_count);
    assert_true(naive_silent(a, state, state, a->state_count));
}

static void random_automata(void **unused)
{
    uint64_t random = random_seed(4);
    uint32_t refused = 0, kept = 0;
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        random_automaton_shape shape = random_automaton_draw(&random, 6, 3, 3);
        if (shape.epsilon_percent > 0 && random_below(&random, 2) == 0)
            shape.edge_percent = 15;
        opac_automaton *a = random_automaton(&random, shape, NULL);
        product_move_table *move_table;
        opac_error error;
        opac_status status = product_move_table_new(a, &move_table, &error);
        bool has_cycle = naive_has_silent_cycle(a);
        refused += has_cycle;
        if (has_cycle) {
            assert_status(status, OPAC_ERROR_UNSUPPORTED);
            check_refusal(a, &error);
            assert_null(move_table);
            opac_automaton_free(a);
            continue;
        }
        assert_ok(status, &error);
        uint64_t shift = random_u32(&random), letters = UINT64_C(1) << shape.propositions;
        for (uint64_t i = 0; i < 2 * letters; i++) {
            uint64_t letter = (i + shift) % letters;
            uint32_t class;
            assert_ok(product_move_table_class(move_table, letter, &class, &error), &error);
            assert_int_equal(class, i % letters);
            for (uint32_t q = 0; q < a->state_count; q++)
                check_moves(move_table, q, class, letter);
        }
        for (uint32_t q = 0; q < a->state_count; q++) {
            uint32_t count;
            product_move_table_epsilons(move_table, q, &count);
            kept += count > 0;
            check_epsilons(move_table, q);
        }
        product_move_table_free(move_table);
        opac_automaton_free(a);
    }
    assert_true(refused > 50);
    assert_true(kept > 50);
}

/* States 1 and 2 are on the cycle; 3 and 4 are reachable from it. */
static void named_cycle(void **unused)
{
    opac_automaton *a =
        scene_hoa("HOA: v1 States: 5 Start: 0 AP: 1 \"epsilon\" Acceptance: 1 Inf(0) --BODY-- "
                  "State: 0 [0] 1 State: 1 \"a\tb\" [0] 2 State: 2 \"a\tb\" [0] 1 [0] 3 "
                  "State: 3 \"c\" [0] 4 State: 4 --END--");
    product_move_table *move_table;
    opac_error error;
    (void)unused;
    assert_status(product_move_table_new(a, &move_table, &error), OPAC_ERROR_UNSUPPORTED);
    check_refusal(a, &error);
    assert_non_null(strstr(error.message, " (\"a\\x09b\")"));
    opac_automaton_free(a);
}

/* ---- universal states ---- */

static const char header[] =
    "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: %s --BODY-- State: 0 %s "
    "State: 1 [t] 1 --END--";

typedef struct universal_case {
    const char *acceptance, *edges; /* of state 0 */
    bool is_universal;
    uint64_t marks;
} universal_case;

static const universal_case cases[] = {
    {"0 t", "[t] 0", true, 0},
    {"0 f", "[t] 0", false, 0},
    {"1 Inf(0)", "[t] 0 {0}", true, 1},
    {"1 Inf(0)", "[t] 0", false, 0},
    {"1 Fin(0)", "[t] 0", true, 0},
    {"1 Fin(0)", "[t] 0 {0}", false, 0},
    {"1 Inf(0)", "[0] 0 {0}", false, 0},
    /* another state, and back */
    {"1 Inf(0)", "[0] 0 {0} [!0] 1 {0}", false, 0},
    /* loops with different marks */
    {"2 Inf(0) | Inf(1)", "[0] 0 {0} [!0] 0 {1}", false, 0},
    {"2 Inf(0) & Inf(1)", "[0] 0 {0} [!0] 0 {1}", false, 0},
    /* marks that the condition does not mention are ignored */
    {"2 Inf(0)", "[0] 0 {0} [!0] 0 {0 1}", true, 1},
    {"2 Inf(0)", "[0] 0 {0} [!0&1] 0 {0 1}", false, 0},
    {"2 t", "[0&1] 0 {0} [!0] 0 {1} [!1] 0", true, 0},
    {"2 t", "[0&1] 0 {0} [!0&!1] 0 {1} [0&!1] 0", false, 0},
    /* other edges are ignored: the policy can choose the loop */
    {"1 Inf(0)", "[t] 0 {0} [0] 1", true, 1},
    {"1 Inf(0)", "[0] 0 [t] 0 {0} [0] 1 {0}", true, 1},
    {"2 Fin(0) & Inf(1)", "[t] 0 {0 1} [t] 0 {1}", true, 2},
    {"2 Fin(0) & Inf(1)", "[t] 0 {0 1} [0] 0 {1}", false, 0},
};

static void check_universal(const char *text, uint32_t state, const universal_case *expected)
{
    opac_automaton *a = scene_hoa(text);
    product_move_table *move_table;
    opac_error error;
    uint64_t marks = 77;
    assert_ok(product_move_table_new(a, &move_table, &error), &error);
    if (product_move_table_is_universal(move_table, state, &marks) != expected->is_universal)
        fail_msg("%s", text);
    if (expected->is_universal)
        assert_int_equal(marks, expected->marks);
    product_move_table_free(move_table);
    opac_automaton_free(a);
}

static void universal_states(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, header, cases[i].acceptance, cases[i].edges);
        check_universal(text, 0, &cases[i]);
    }
}

/* An epsilon edge to another state is ignored; an epsilon self-edge is not a loop. */
static void universal_with_epsilon(void **unused)
{
    static const universal_case yes = {.is_universal = true, .marks = 1};
    static const universal_case no = {.is_universal = false};
    const char *text = "HOA: v1 States: 2 Start: 0 AP: 1 \"epsilon\" Acceptance: 1 Inf(0) "
                       "--BODY-- State: 0 [!0] 0 {0} [0] 1 State: 1 --END--";
    (void)unused;
    check_universal(text, 0, &yes);
    check_universal(text, 1, &no);
}

/* A disjunction of labels with too many nodes: x1 & y1 | x2 & y2 …, all x before all y. */
static void too_large_disjunction(void **unused)
{
    char text[4096];
    size_t at = 0;
    static const universal_case no = {.is_universal = false};
    (void)unused;
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "HOA: v1 States: 1 Start: 0 Acceptance: 40 t AP: 32");
    for (int i = 0; i < 32; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " \"p%d\"", i);
    at += (size_t)snprintf(text + at, sizeof text - at, " --BODY-- State: 0");
    for (int i = 0; i < 16; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " [%d&%d] 0 {%d}", i, i + 16, i);
    snprintf(text + at, sizeof text - at, " [!0&!1] 0 [!15] 0 {39} --END--");
    check_universal(text, 0, &no);
}

SUITE(move_table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_automata),       cmocka_unit_test(named_cycle),
        cmocka_unit_test(universal_states),      cmocka_unit_test(universal_with_epsilon),
        cmocka_unit_test(too_large_disjunction),
    };
    return cmocka_run_group_tests_name("product.move_table", tests, NULL, NULL);
}
