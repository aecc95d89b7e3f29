/* SPDX-License-Identifier: MIT */
/* Each allocation fails in turn: there is an error, no leak, and existing data remains valid. */
#include "product/letters.h"
#include "scene.h"
#include "support/faults.h"

static opac_status build(void *context, opac_error *error)
{
    const scene *x = context;
    product_process product;
    opac_status status = product_build(x->model, x->letters, x->automaton, NULL, &product, error);
    product_fini(&product);
    return status;
}

static opac_status make_letters(void *context, opac_error *error)
{
    const scene *x = context;
    uint64_t *letters;
    opac_status status = product_letters(x->model, NULL, x->automaton, &letters, error);
    base_free(letters);
    return status;
}

/* Exact fractions, epsilon moves, several initial states, a sink by several loops, growing arrays. */
static void building(void **unused)
{
    random_model_shape shape = {
        .type = OPAC_MODEL_MDP, .states = 40, .most_choices = 3, .most_branches = 4, .exact = true};
    uint64_t random = 6;
    scene x = {.model = random_model(&random, shape),
               .automaton =
                   scene_hoa("HOA: v1 States: 4 Start: 0 Start: 1 AP: 2 \"a\" \"epsilon\" "
                             "Acceptance: 2 Inf(0) --BODY-- State: 0 [!1] 0 [0&!1] 2 [1] 1 "
                             "State: 1 [0&!1] 1 {0} [!0&!1] 0 State: 2 [!0&!1] 2 [0&!1] 3 "
                             "State: 3 [0&!1] 3 {0} [!0&!1] 3 {0 1} --END--")};
    (void)unused;
    assert_int_equal(x.automaton->proposition_count, 1);
    scene_letters(&random, &x);
    assert_true(faults_sweep(build, &x) > 30);
    scene_fini(&x);
}

static void reading_letters(void **unused)
{
    scene x = {.model = scene_prism("dtmc module m x : [0..2]; [] true -> (x'=0); endmodule "
                                    "label \"a\" = x=0;"),
               .automaton = scene_hoa("HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"x>1\" "
                                      "Acceptance: 0 t --BODY-- State: 0 [0 & 1] 0 --END--")};
    (void)unused;
    assert_true(faults_sweep(make_letters, &x) > 1);
    scene_fini(&x);
}

/* ---- data after a failure ---- */

enum {
    LETTERS = 64,
    STATES = 200
};

/* Repeats until it succeeds; failures report an error and change nothing. */
static uint32_t class_at_last(product_move_table *move_table, uint64_t letter)
{
    for (size_t n = 1;; n++) {
        uint32_t class;
        opac_error error;
        faults_fail_at(n);
        opac_status status = product_move_table_class(move_table, letter, &class, &error);
        faults_fail_at(0);
        if (status == OPAC_OK)
            return class;
        assert_status(status, OPAC_ERROR_MEMORY);
    }
}

static void classes(void **unused)
{
    opac_automaton *automaton =
        scene_hoa("HOA: v1 States: 2 Start: 0 AP: 6 \"a\" \"b\" \"c\" \"d\" \"e\" \"f\" "
                  "Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [1] 1 State: 1 [t] 1 --END--");
    product_move_table *move_table;
    opac_error error;
    (void)unused;
    assert_ok(product_move_table_new(automaton, &move_table, &error), &error);
    for (uint32_t i = 0; i < 2 * LETTERS; i++)
        assert_int_equal(class_at_last(move_table, i % LETTERS), i % LETTERS);
    for (uint32_t letter = 0; letter < LETTERS; letter++) {
        uint32_t count;
        const product_move *moves = product_move_table_moves(move_table, 0, letter, &count);
        assert_int_equal(count, (letter & 1) + ((letter >> 1) & 1));
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(moves[i].target, (letter & 1) == 0 || i == 1);
        moves = product_move_table_moves(move_table, 1, letter, &count);
        assert_int_equal(count, 1);
        assert_int_equal(moves[0].target, 1);
    }
    product_move_table_free(move_table);
    opac_automaton_free(automaton);
}

static uint32_t meet_at_last(product_index *index, uint32_t state, uint32_t memory)
{
    for (size_t n = 1;; n++) {
        uint32_t product_state, before = product_index_count(index);
        opac_error error;
        faults_fail_at(n);
        opac_status status =
            product_index_find_or_add(index, state, memory, &product_state, &error);
        faults_fail_at(0);
        if (status == OPAC_OK)
            return product_state;
        assert_status(status, OPAC_ERROR_MEMORY);
        assert_int_equal(product_index_count(index), before);
    }
}

static void product_states(void **unused)
{
    static const char *const sizes[] = {"2", "20"};
    (void)unused;
    for (size_t t = 0; t < 2; t++) {
        char text[200];
        product_move_table *move_table;
        product_index *index;
        opac_error error;
        snprintf(text, sizeof text,
                 "HOA: v1 States: %s Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- "
                 "State: 0 [t] 1 State: 1 [t] 0 --END--",
                 sizes[t]);
        opac_automaton *automaton = scene_hoa(text);
        assert_ok(product_move_table_new(automaton, &move_table, &error), &error);
        assert_ok(product_index_new(move_table, false, &index, &error), &error);
        for (uint32_t i = 0; i < 4 * STATES; i++)
            assert_int_equal(meet_at_last(index, i / 2 % STATES, i % 2), i % (2 * STATES));
        product_index_free(index);
        product_move_table_free(move_table);
        opac_automaton_free(automaton);
    }
}

static opac_status make_space(void *context, opac_error *error)
{
    product_move_table *move_table;
    product_index *index;
    opac_status status = product_move_table_new(context, &move_table, error);
    if (status != OPAC_OK)
        return status;
    status = product_index_new(move_table, false, &index, error);
    if (status == OPAC_OK)
        product_index_free(index);
    product_move_table_free(move_table);
    return status;
}

static void creating_an_index(void **unused)
{
    opac_automaton *automaton =
        scene_hoa("HOA: v1 States: 2 Start: 0 AP: 1 \"epsilon\" Acceptance: 1 Inf(0) --BODY-- "
                  "State: 0 [0] 1 [!0] 0 State: 1 [!0] 1 {0} --END--");
    (void)unused;
    assert_true(faults_sweep(make_space, automaton) > 5);
    opac_automaton_free(automaton);
}

SUITE(faults)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(building),          cmocka_unit_test(reading_letters),
        cmocka_unit_test(classes),           cmocka_unit_test(product_states),
        cmocka_unit_test(creating_an_index),
    };
    return cmocka_run_group_tests_name("product.faults", tests, NULL, NULL);
}
