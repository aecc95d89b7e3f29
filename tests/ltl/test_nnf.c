/* SPDX-License-Identifier: MIT */
/* Negation normal form, compared with the original formula on short words. */
#include "lassos.h"
#include "support/faults.h"
#include "texts.h"

static const char *const names[] = {"a", "b", "c"};

static bool is_nnf(const ltl_store *store, ltl_formula formula)
{
    ltl_op op = ltl_op_of(store, formula);
    if (op == LTL_IMPLIES || op == LTL_IFF || op == LTL_XOR)
        return false;
    if (op == LTL_NOT)
        return ltl_op_of(store, ltl_child(store, formula, 0)) == LTL_AP;
    for (uint32_t i = 0; i < ltl_arity(store, formula); i++)
        if (!is_nnf(store, ltl_child(store, formula, i)))
            return false;
    return true;
}

static void form_and_language_are_right(void **state)
{
    (void)state;
    uint64_t random = random_seed(530);
    for (int round = 0; round < 10000; round++) {
        ltl_store *store = new_store();
        for (size_t i = 0; i < 3; i++)
            ltl_ap(store, names[i], 1);
        ltl_formula formula = random_formula(store, &random, random_below(&random, 12), names, 3);
        ltl_formula positive = ltl_nnf(store, formula, false);
        ltl_formula negative = ltl_nnf(store, formula, true);
        assert_true(is_nnf(store, positive));
        assert_true(ltl_is(store, positive, LTL_NNF));
        assert_true(is_nnf(store, negative));
        assert_true(ltl_is(store, negative, LTL_NNF));
        assert_int_equal(ltl_nnf(store, positive, false), positive);
        /* Not always the node `negative`: there are two ways to expand Iff. */
        ltl_formula opposite = ltl_nnf(store, positive, true);
        assert_true(is_nnf(store, opposite));
        for (int i = 0; i < 5; i++) {
            small_lasso word = random_lasso(&random, 3);
            uint32_t all = (UINT32_C(1) << word.length) - 1;
            uint32_t places = lasso_places(store, formula, &word);
            assert_int_equal(lasso_places(store, positive, &word), places);
            assert_int_equal(lasso_places(store, negative, &word), all & ~places);
            assert_int_equal(lasso_places(store, opposite, &word), all & ~places);
        }
        ltl_store_free(store);
    }
}

/* Each level of Iff doubles the text of its operands, but not their nodes. */
static void sharing_limits_the_size(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    ltl_formula formula = ltl_ap(store, "a", 1);
    for (int i = 0; i < 300; i++) {
        char name[16];
        int length = snprintf(name, sizeof name, "p%d", i);
        formula =
            ltl_binary(store, LTL_IFF, ltl_f(store, formula), ltl_ap(store, name, (size_t)length));
    }
    ltl_formula before = ltl_ap(store, "before", 6); /* numbers are assigned in order */
    ltl_nnf(store, formula, false);
    opac_error error = {0};
    assert_ok(ltl_store_check(store, &error), &error);
    assert_true(ltl_ap(store, "behind", 6) - before < 12 * 300);
    ltl_store_free(store);
}

static void deep_formulas(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    opac_error error = {0};
    ltl_formula formula = ltl_ap(store, "a", 1);
    for (int i = 0; i < LTL_DEPTH_LIMIT / 2; i++)
        formula = ltl_not(store, ltl_g(store, formula));
    ltl_formula result = ltl_nnf(store, formula, false);
    assert_ok(ltl_store_check(store, &error), &error);
    assert_true(ltl_is(store, result, LTL_NNF));
    ltl_store_free(store);
}

static opac_status convert_some(void *context, opac_error *error)
{
    (void)context;
    ltl_store *store;
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    uint64_t random = 3;
    ltl_nnf(store, random_formula(store, &random, 40, names, 3), true);
    status = ltl_store_check(store, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(faults_sweep(convert_some, NULL) > 10);
}

SUITE(nnf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(form_and_language_are_right),
        cmocka_unit_test(sharing_limits_the_size),
        cmocka_unit_test(deep_formulas),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
