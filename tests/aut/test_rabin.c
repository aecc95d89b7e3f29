/* SPDX-License-Identifier: MIT */
/* Conversion to Rabin automata: languages, canonical conditions, and sizes. */
#include "aut/rabin.h"

#include "aut/parity.h"
#include "conversion.h"

static opac_status to_rabin(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    return aut_to_rabin(given, 0, made, error);
}

static void check_canonical(const opac_automaton *made)
{
    aut_condition canonical;
    assert_int_equal(made->mark_count % 2, 0);
    assert_status(aut_condition_rabin(&canonical, made->mark_count / 2, NULL), OPAC_OK);
    assert_int_equal(canonical.terms.count, made->condition.terms.count);
    for (size_t i = 0; i < canonical.terms.count; i++) {
        assert_int_equal(canonical.terms.items[i].kind, made->condition.terms.items[i].kind);
        assert_int_equal(canonical.terms.items[i].left, made->condition.terms.items[i].left);
    }
    aut_condition_fini(&canonical);
}

static void check_rabin(const opac_automaton *given, const opac_automaton *made)
{
    opac_automaton *parity;
    assert_status(aut_to_parity(given, 0, &parity, NULL), OPAC_OK);
    check_canonical(made);
    assert_true(made->state_count <= parity->state_count);
    opac_automaton_free(parity);
}

static void test_random(void **state)
{
    (void)state;
    conversion_sweep(to_rabin, check_rabin, UINT64_C(6001), 750, 5);
}

/* Named conditions, whose alternating cycle decompositions are larger. */
static void test_named_conditions(void **state)
{
    (void)state;
    static const char *const conditions[] = {
        "Fin(0)&Inf(1)|Fin(2)&Inf(3)",          "(Fin(0)|Inf(1))&(Fin(2)|Inf(3))",
        "Fin(0)&Inf(1)&Inf(2)|Fin(3)&Inf(4)",   "Inf(0)&Inf(1)|Fin(2)&Inf(3)&Inf(4)",
        "Inf(4)|Fin(3)&(Inf(2)|Fin(1)&Inf(0))", "Fin(0)&(Inf(1)|Fin(2)&Inf(3))|Inf(4)&Inf(0)",
    };
    uint64_t random = random_seed(UINT64_C(6002));
    for (int i = 0; i < 300; i++) {
        aut_condition condition = random_condition_parse(conditions[i % 6]);
        random_automaton_shape shape = random_automaton_draw(&random, 5, 3, 5);
        shape.marks = 5;
        opac_automaton *given = random_automaton(&random, shape, &condition), *rabin, *parity;
        opac_error error;
        assert_ok(aut_to_rabin(given, 0, &rabin, &error), &error);
        assert_ok(aut_to_parity(given, 0, &parity, &error), &error);
        conversion_check(given, rabin, &random);
        conversion_check(given, parity, &random);
        check_rabin(given, rabin);
        opac_automaton_free(given);
        opac_automaton_free(rabin);
        opac_automaton_free(parity);
        aut_condition_fini(&condition);
    }
}

/* The cost of Rabin and Streett conditions with many pairs depends on the size of their trees only. */
static void test_many_pairs(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(6005));
    for (int i = 0; i < 40; i++) {
        random_automaton_shape shape = {.states = 12,
                                        .propositions = 2,
                                        .marks = 24,
                                        .edge_percent = 100,
                                        .mark_percent = 30,
                                        .is_deterministic = true};
        aut_condition condition;
        opac_automaton *rabin, *parity;
        opac_error error;
        assert_ok(i % 2 == 0 ? aut_condition_rabin(&condition, 12, &error)
                             : aut_condition_streett(&condition, 12, &error),
                  &error);
        opac_automaton *given = random_automaton(&random, shape, &condition);
        assert_ok(aut_to_rabin(given, 0, &rabin, &error), &error);
        assert_ok(aut_to_parity(given, 0, &parity, &error), &error);
        conversion_check(given, rabin, &random);
        conversion_check(given, parity, &random);
        if (i % 2 == 0)
            assert_true(rabin->state_count <= given->state_count);
        opac_automaton_free(given);
        opac_automaton_free(rabin);
        opac_automaton_free(parity);
        aut_condition_fini(&condition);
    }
}

static void check_size(uint32_t marks, const char *condition, uint32_t states, uint32_t pairs)
{
    opac_automaton *given = conversion_full_flower(marks, condition), *made;
    uint64_t random = random_seed(UINT64_C(6003));
    opac_error error;
    assert_ok(aut_to_rabin(given, 0, &made, &error), &error);
    conversion_check(given, made, &random);
    check_canonical(made);
    assert_int_equal(made->state_count, states);
    assert_int_equal(made->mark_count, 2 * pairs);
    opac_automaton_free(given);
    opac_automaton_free(made);
}

static void test_sizes(void **state)
{
    (void)state;
    check_size(1, "t", 1, 1);
    check_size(1, "f", 1, 0);
    check_size(1, "Inf(0)", 1, 1);
    check_size(1, "Fin(0)", 1, 1);
    check_size(2, "Inf(0)|Inf(1)", 1, 1);
    check_size(2, "Fin(0)|Fin(1)", 1, 2);
    check_size(2, "Fin(0)&Fin(1)", 1, 1);
    check_size(2, "Fin(0)|Inf(1)", 1, 2);
    check_size(4, "Fin(0)&Inf(1)|Fin(2)&Inf(3)", 1, 2);
    check_size(6, "Fin(0)&Inf(1)|Fin(2)&Inf(3)|Fin(4)&Inf(5)", 1, 3);
    check_size(5, "Inf(4)|Fin(3)&(Inf(2)|Fin(1)&Inf(0))", 1, 3);
    check_size(2, "Inf(0)&Inf(1)", 2, 1);
    check_size(4, "(Fin(0)|Inf(1))&(Fin(2)|Inf(3))", 2, 3);
}

static void test_limit(void **state)
{
    (void)state;
    opac_automaton *given = conversion_full_flower(3, "Inf(0)&Inf(1)&Inf(2)"), *made;
    assert_status(aut_to_rabin(given, 2, &made, NULL), OPAC_ERROR_LIMIT);
    assert_status(aut_to_rabin(given, 3, &made, NULL), OPAC_OK);
    opac_automaton_free(made);
    opac_automaton_free(given);
}

static void test_faults(void **state)
{
    (void)state;
    conversion_faults(to_rabin, UINT64_C(6004));
}

SUITE(rabin)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),     cmocka_unit_test(test_named_conditions),
        cmocka_unit_test(test_many_pairs), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_limit),      cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
