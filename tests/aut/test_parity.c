/* SPDX-License-Identifier: MIT */
/* Conversions to parity and Büchi automata: languages, canonical conditions, and minimal sizes. */
#include "aut/parity.h"

#include "aut/buchi.h"
#include "aut/checks.h"
#include "conversion.h"
#include "support/automaton_checks.h"

static opac_status to_parity(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    return aut_to_parity(given, 0, made, error);
}

static opac_status to_buchi(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    return aut_to_buchi(given, 0, made, error);
}

static void check_parity(const opac_automaton *given, const opac_automaton *made)
{
    aut_condition canonical;
    (void)given;
    assert_status(aut_condition_parity_max_even(&canonical, made->mark_count, NULL), OPAC_OK);
    assert_int_equal(canonical.terms.count, made->condition.terms.count);
    for (size_t i = 0; i < canonical.terms.count; i++) {
        assert_int_equal(canonical.terms.items[i].kind, made->condition.terms.items[i].kind);
        assert_int_equal(canonical.terms.items[i].left, made->condition.terms.items[i].left);
    }
    for (uint32_t i = 0; i < aut_edge_count(made); i++)
        assert_int_equal(made->edges[i].marks & (made->edges[i].marks - 1), 0);
    aut_condition_fini(&canonical);
}

static void check_buchi(const opac_automaton *given, const opac_automaton *made)
{
    (void)given;
    assert_int_equal(made->mark_count, 1);
    assert_int_equal(made->condition.terms.count, 1);
    assert_int_equal(made->condition.terms.items[0].kind, AUT_TERM_INF);
}

static void test_parity(void **state)
{
    (void)state;
    conversion_sweep(to_parity, check_parity, UINT64_C(5001), 1000, 5);
}

static void test_buchi(void **state)
{
    (void)state;
    assert_true(conversion_sweep(to_buchi, check_buchi, UINT64_C(5002), 750, 3) > 125);
}

static void check_size(opac_automaton *given, uint32_t states, uint32_t priorities)
{
    opac_automaton *made;
    uint64_t random = random_seed(UINT64_C(5003));
    opac_error error;
    assert_ok(aut_to_parity(given, 0, &made, &error), &error);
    conversion_check(given, made, &random);
    assert_int_equal(made->state_count, states);
    assert_int_equal(made->mark_count, priorities);
    opac_automaton_free(given);
    opac_automaton_free(made);
}

/* One state with an edge for every set of marks: the result has a state for each leaf of the Zielonka
 * tree. */
static void test_sizes(void **state)
{
    (void)state;
    check_size(conversion_full_flower(1, "t"), 1, 1);
    check_size(conversion_full_flower(1, "f"), 1, 0);
    check_size(conversion_full_flower(1, "Inf(0)"), 1, 1);
    check_size(conversion_full_flower(1, "Fin(0)"), 1, 2);
    check_size(conversion_full_flower(2, "Inf(0)&Inf(1)"), 2, 1);
    check_size(conversion_full_flower(3, "Inf(0)&Inf(1)&Inf(2)"), 3, 1);
    check_size(conversion_full_flower(5, "Inf(0)&Inf(1)&Inf(2)&Inf(3)&Inf(4)"), 5, 1);
    check_size(conversion_full_flower(3, "Fin(0)|Fin(1)|Fin(2)"), 3, 2);
    check_size(conversion_full_flower(2, "Fin(0)|Inf(1)"), 1, 3);
    check_size(conversion_full_flower(2, "Fin(0)&Inf(1)"), 1, 2);
    check_size(conversion_full_flower(4, "Fin(0)&Inf(1)|Fin(2)&Inf(3)"), 2, 4);
    check_size(conversion_full_flower(4, "(Fin(0)|Inf(1))&(Fin(2)|Inf(3))"), 2, 5);
    check_size(conversion_full_flower(6, "(Fin(0)|Inf(1))&(Fin(2)|Inf(3))&(Fin(4)|Inf(5))"), 6, 7);
    check_size(conversion_full_flower(4, "Inf(3)|Fin(2)&(Inf(1)|Fin(0))"), 1, 5);
    check_size(conversion_full_flower(5, "Inf(4)|Fin(3)&(Inf(2)|Fin(1)&Inf(0))"), 1, 5);
}

/* Marks that always occur together, or never do, need no memory. */
static void test_flowers(void **state)
{
    (void)state;
    check_size(conversion_flower((const uint64_t[]){0, 7}, 2, 3, "Inf(0)&Inf(1)&Inf(2)"), 1, 1);
    check_size(conversion_flower((const uint64_t[]){1, 2}, 2, 2, "Inf(0)&Inf(1)"), 2, 1);
    check_size(conversion_flower((const uint64_t[]){0, 1, 2, 3}, 4, 2, "Fin(0)|Inf(1)"), 1, 3);
    check_size(conversion_flower((const uint64_t[]){1, 2}, 2, 2, "Fin(0)|Inf(1)"), 1, 0 + 1);
}

/* If the conversion to Büchi fails, no deterministic Büchi automaton has the language. */
static void test_landweber(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(5004));
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 5, 2, 3);
        opac_automaton *given = random_automaton(&random, shape, NULL), *made = NULL, *parity;
        aut_language language;
        assert_status(aut_language_of(given, &language, NULL), OPAC_OK);
        opac_status status = aut_to_buchi(given, 0, &made, NULL);
        assert_int_equal(status, language.is_buchi ? OPAC_OK : OPAC_ERROR_UNSUPPORTED);
        refused += status != OPAC_OK;
        assert_status(aut_to_parity(given, 0, &parity, NULL), OPAC_OK);
        assert_int_equal(language.is_buchi, parity->mark_count <= 1);
        if (language.is_cobuchi)
            assert_true(parity->mark_count <= 2);
        opac_automaton_free(given);
        opac_automaton_free(made);
        opac_automaton_free(parity);
    }
    assert_in_range(refused, 100, 900);
}

static void test_limit(void **state)
{
    (void)state;
    opac_automaton *given = conversion_full_flower(3, "Inf(0)&Inf(1)&Inf(2)"), *made;
    assert_status(aut_to_parity(given, 2, &made, NULL), OPAC_ERROR_LIMIT);
    assert_status(aut_to_parity(given, 3, &made, NULL), OPAC_OK);
    opac_automaton_free(made);
    opac_automaton_free(given);
}

/* Generalized Büchi automata become Büchi automata with at most a state for each pair of a mark and a
 * state. */
static void test_degeneralized(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(5007));
    for (int i = 0; i < 800; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 5, 2, 4);
        aut_condition condition;
        opac_error error;
        assert_ok(aut_condition_generalized_buchi(&condition, shape.marks, &error), &error);
        opac_automaton *given = random_automaton(&random, shape, &condition), *made;
        assert_ok(aut_to_buchi(given, 0, &made, &error), &error);
        conversion_check(given, made, &random);
        check_buchi(given, made);
        assert_true(made->state_count <= given->state_count * (shape.marks > 0 ? shape.marks : 1));
        opac_automaton_free(made);
        opac_automaton_free(given);
        aut_condition_fini(&condition);
    }
}

static void test_faults(void **state)
{
    (void)state;
    conversion_faults(to_parity, UINT64_C(5005));
    conversion_faults(to_buchi, UINT64_C(5006));
}

SUITE(parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parity),    cmocka_unit_test(test_buchi),
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_flowers),
        cmocka_unit_test(test_landweber), cmocka_unit_test(test_degeneralized),
        cmocka_unit_test(test_limit),     cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
