/* SPDX-License-Identifier: MIT */
/* Conversions to complete and to state-based automata. */
#include "aut/checks.h"
#include "aut/complete.h"
#include "aut/parity.h"
#include "aut/rabin.h"
#include "aut/state_based.h"
#include "conversion.h"
#include "support/automaton_checks.h"

static void check_complete(const opac_automaton *given, const opac_automaton *made)
{
    /* A single sink is enough. */
    bool has_sink = given->is_complete;
    for (uint32_t s = 0; s < given->state_count; s++)
        has_sink = has_sink || given->edge_begin[s] == given->edge_begin[s + 1];
    assert_true(made->is_complete);
    assert_int_equal(made->state_count, given->state_count + (has_sink ? 0 : 1));
    assert_true(made->mark_count <= given->mark_count + 1);
}

static void test_complete(void **state)
{
    (void)state;
    conversion_sweep(aut_complete, check_complete, UINT64_C(7001), 500, 5);
}

static opac_status to_state_based(const opac_automaton *given, opac_automaton **made,
                                  opac_error *error)
{
    return aut_to_state_based(given, 0, made, error);
}

static void check_state_based(const opac_automaton *given, const opac_automaton *made)
{
    opac_automaton *again;
    assert_true(aut_is_state_based(made));
    assert_int_equal(made->mark_count, given->mark_count);
    assert_status(aut_to_state_based(made, 0, &again, NULL), OPAC_OK);
    assert_true(again->state_count <= made->state_count);
    opac_automaton_free(again);
    if (given->is_complete)
        assert_true(made->is_complete);
    if (aut_is_state_based(given))
        assert_true(made->state_count <= given->state_count);
}

static void test_state_based(void **state)
{
    (void)state;
    conversion_sweep(to_state_based, check_state_based, UINT64_C(7002), 500, 5);
}

/* Both conversions, one after the other, as the command line does. */
static opac_status to_all(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    opac_automaton *parity = NULL, *complete = NULL;
    opac_status status = aut_to_parity(given, 0, &parity, error);
    if (status == OPAC_OK)
        status = aut_complete(parity, &complete, error);
    if (status == OPAC_OK)
        status = aut_to_state_based(complete, 0, made, error);
    opac_automaton_free(parity);
    opac_automaton_free(complete);
    return status;
}

static void check_all(const opac_automaton *given, const opac_automaton *made)
{
    aut_condition_class found;
    (void)given;
    assert_true(made->is_complete);
    assert_true(aut_is_state_based(made));
    assert_status(aut_condition_classify(&made->condition, made->mark_count, &found, NULL),
                  OPAC_OK);
    if (made->mark_count > 1)
        assert_int_equal(found.name, AUT_NAME_PARITY);
    aut_condition_class_fini(&found);
}

static void test_all(void **state)
{
    (void)state;
    conversion_sweep(to_all, check_all, UINT64_C(7003), 250, 4);
}

static void test_limits(void **state)
{
    (void)state;
    opac_automaton *given = conversion_full_flower(3, "Inf(0)&Inf(1)&Inf(2)"), *made;
    assert_status(aut_to_state_based(given, 7, &made, NULL), OPAC_ERROR_LIMIT);
    assert_status(aut_to_state_based(given, 8, &made, NULL), OPAC_OK);
    assert_int_equal(made->state_count, 8);
    opac_automaton_free(made);
    opac_automaton_free(given);
}

/* A tautology over all marks, which is not simplified: no set of marks is rejected, and no mark is unused. */
static void test_no_mark_left(void **state)
{
    (void)state;
    static const char *const names[] = {"a"};
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *given, *made;
    assert_status(aut_bdd_store_new(&labels, NULL), OPAC_OK);
    assert_status(aut_builder_new(labels, &builder, NULL), OPAC_OK);
    aut_bdd_store_free(labels);
    aut_builder_propositions(builder, names, 1);
    aut_builder_initial(builder, aut_builder_add_state(builder));
    aut_builder_edge(builder, 0, (aut_edge){aut_bdd_variable(labels, 0), 0, 0});
    aut_condition condition =
        random_condition_parse("Fin(0)&Inf(1)|Inf(0)&Fin(1)|Inf(0)&Inf(1)|Fin(0)&Fin(1)");
    aut_builder_condition(builder, &condition, AUT_MOST_MARKS);
    assert_status(aut_builder_finish(builder, &given, NULL), OPAC_OK);
    assert_status(aut_complete(given, &made, NULL), OPAC_ERROR_LIMIT);
    given->mark_count = 2;
    assert_status(aut_complete(given, &made, NULL), OPAC_OK);
    assert_true(made->is_complete);
    opac_automaton_free(made);
    opac_automaton_free(given);
}

static void test_faults(void **state)
{
    (void)state;
    conversion_faults(aut_complete, UINT64_C(7004));
    conversion_faults(to_state_based, UINT64_C(7005));
}

SUITE(forms)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),     cmocka_unit_test(test_state_based),
        cmocka_unit_test(test_all),          cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_mark_left), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
