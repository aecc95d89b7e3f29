/* SPDX-License-Identifier: MIT */
/* Paths of a million states with few and many memory values: the construction does not recurse. */
#include "scene.h"

enum {
    STATES = 1000000
};

/* A counter: q goes to q + 1 on every letter; the last state goes to the first, with a mark. */
static opac_automaton *counter(uint32_t states)
{
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *automaton;
    aut_condition condition = {0};
    opac_error error;
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_add_states(builder, states);
    for (uint32_t q = 0; q < states; q++)
        aut_builder_edge(builder, q, (aut_edge){AUT_BDD_TRUE, (q + 1) % states, q + 1 == states});
    aut_builder_initial(builder, 0);
    assert_ok(aut_condition_buchi(&condition, &error), &error);
    aut_builder_condition(builder, &condition, 1);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    return automaton;
}

static void long_path(void **unused)
{
    static const uint32_t memories[] = {2, 7, 1000};
    (void)unused;
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        scene x = {.model = scene_path(STATES), .automaton = counter(memories[i])};
        product_process product;
        opac_error error;
        uint32_t expected = STATES + memories[i] - 1;
        x.letters = base_alloc_zeroed(STATES, sizeof *x.letters);
        assert_ok(product_build(x.model, x.letters, x.automaton, NULL, &product, &error), &error);
        assert_int_equal(product.process.state_count, expected);
        assert_int_equal(product.process.edge_count, expected);
        for (uint32_t s = 0; s < expected; s++) {
            assert_int_equal(product.state[s], s < STATES ? s : STATES - 1);
            assert_int_equal(product.memory[s], s % memories[i]);
            assert_int_equal(product.marks[s], s % memories[i] == memories[i] - 1);
            assert_int_equal(product.process.target[s],
                             s + 1 < expected ? s + 1 : expected - memories[i]);
        }
        product_fini(&product);
        scene_fini(&x);
    }
}

/*
 * So many product states that some hashes are equal in a slot (more than fifty of twelve million, with 2^24
 * slots): they must remain distinct.
 */
static void many_slots(void **unused)
{
    enum {
        PAIRS = 12000000
    };
    opac_automaton *automaton = counter(20);
    product_move_table *move_table;
    product_index *index;
    opac_error error;
    (void)unused;
    assert_ok(product_move_table_new(automaton, &move_table, &error), &error);
    assert_ok(product_index_new(move_table, false, &index, &error), &error);
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t product_state;
        assert_ok(product_index_find_or_add(index, i, 19, &product_state, &error), &error);
        if (product_state != i)
            fail_msg("product state %u is product state %u", (unsigned)i, (unsigned)product_state);
    }
    product_index_free(index);
    product_move_table_free(move_table);
    opac_automaton_free(automaton);
}

SUITE(deep)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_path), cmocka_unit_test(many_slots)};
    return cmocka_run_group_tests_name("product.deep", tests, NULL, NULL);
}
