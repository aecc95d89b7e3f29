/* SPDX-License-Identifier: MIT */
/* Compares merged states with the coarsest bisimulation, which is found by separating pairs of states. */
#include "aut/bisimulation.h"

#include "conversion.h"

enum {
    MOST = 6
};

/* The set of letters, of 8, with which a state has an edge to a class with these marks. */
static uint32_t letters_to(const opac_automaton *a, uint32_t state, const uint32_t *same,
                           uint32_t target, uint64_t marks, bool epsilon)
{
    uint32_t letters = 0;
    for (uint32_t i = a->edge_begin[state]; i < a->edge_begin[state + 1]; i++) {
        const aut_edge *edge = &a->edges[i];
        if (!((same[target] >> edge->target) & 1) || edge->marks != marks ||
            (edge->label == AUT_EPSILON) != epsilon)
            continue;
        for (uint64_t letter = 0; letter < 8; letter++)
            if (epsilon || aut_bdd_evaluate(a->labels, edge->label, letter) == AUT_BDD_TRUE)
                letters |= 1U << letter;
    }
    return letters;
}

static bool is_bisimilar(const opac_automaton *a, uint32_t s, uint32_t t, const uint32_t *same)
{
    for (uint32_t i = 0; i < aut_edge_count(a); i++)
        for (int epsilon = 0; epsilon < 2; epsilon++)
            if (letters_to(a, s, same, a->edges[i].target, a->edges[i].marks, epsilon != 0) !=
                letters_to(a, t, same, a->edges[i].target, a->edges[i].marks, epsilon != 0))
                return false;
    return true;
}

/* Returns the number of classes. same[s] is the set of states that are bisimilar to s. */
static uint32_t separate(const opac_automaton *a, uint32_t *same)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < a->state_count; s++)
        same[s] = (1U << a->state_count) - 1;
    for (bool changed = true; changed;) {
        uint32_t next[MOST] = {0};
        changed = false;
        for (uint32_t s = 0; s < a->state_count; s++) {
            next[s] = 0;
            for (uint32_t t = 0; t < a->state_count; t++)
                if (((same[s] >> t) & 1) && is_bisimilar(a, s, t, same))
                    next[s] |= 1U << t;
            changed |= next[s] != same[s];
        }
        memcpy(same, next, sizeof next);
    }
    for (uint32_t s = 0; s < a->state_count; s++)
        count += (same[s] & ((1U << s) - 1)) == 0;
    return count;
}

static void check_minimal(const opac_automaton *given, const opac_automaton *made)
{
    uint32_t same[MOST];
    assert_int_equal(made->state_count, separate(given, same));
    assert_int_equal(separate(made, same), made->state_count);
    assert_int_equal(made->is_complete, given->is_complete);
}

static void test_random(void **state)
{
    (void)state;
    conversion_sweep(aut_merge_bisimilar, check_minimal, UINT64_C(4001), random_rounds(500, 2000),
                     1);
    conversion_sweep(aut_merge_bisimilar, check_minimal, UINT64_C(4002), random_rounds(250, 1000),
                     3);
}

/* A ring of `ring` states in which each state has `copies` copies, in random order. */
static opac_automaton *shuffled_ring(uint32_t ring, uint32_t copies, bool marked)
{
    static const char *const names[] = {"a"};
    uint32_t count = ring * copies;
    uint64_t random = random_seed(UINT64_C(4003));
    uint32_t *number = calloc(count, sizeof *number);
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *made;
    opac_error error;
    assert_non_null(number);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = random_below(&random, i + 1);
        number[i] = number[j];
        number[j] = i;
    }
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_propositions(builder, names, 1);
    aut_builder_add_states(builder, count);
    aut_builder_initial(builder, number[0]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = (i + 1) % ring + ring * random_below(&random, copies);
        aut_edge edge = {AUT_BDD_TRUE, number[next], marked && i % ring == 0 ? 1 : 0};
        aut_builder_edge(builder, number[i], edge);
    }
    aut_condition condition = random_condition_parse("Inf(0)");
    aut_builder_condition(builder, &condition, 1);
    assert_ok(aut_builder_finish(builder, &made, &error), &error);
    free(number);
    return made;
}

/* A long ring is the worst case for algorithms that visit all states in each round. */
static void test_rings(void **state)
{
    (void)state;
    static const struct {
        uint32_t ring, copies;
    } cases[] = {{7, 3000}, {5000, 4}, {100000, 1}, {1, 10000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int marked = 0; marked < 2; marked++) {
            opac_automaton *ring = shuffled_ring(cases[i].ring, cases[i].copies, marked != 0);
            opac_automaton *made;
            opac_error error;
            assert_ok(aut_merge_bisimilar(ring, &made, &error), &error);
            assert_int_equal(made->state_count, marked ? cases[i].ring : 1);
            opac_automaton_free(made);
            opac_automaton_free(ring);
        }
}

static void test_faults(void **state)
{
    (void)state;
    conversion_faults(aut_merge_bisimilar, UINT64_C(4004));
}

SUITE(bisimulation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
