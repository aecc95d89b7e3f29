/* SPDX-License-Identifier: MIT */
/* Normalisation preserves the language, and the result is in Delta2. */
#include "ltl/normalize.h"

#include "ltl/simplify.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/lasso_table.h"
#include "support/random_formula.h"

static bool is_normal(const ltl_store *store, ltl_formula formula)
{
    ltl_op op = ltl_op_of(store, formula);
    if (op != LTL_AND && op != LTL_OR)
        return ltl_is(store, formula, LTL_SIGMA2) || ltl_is(store, formula, LTL_PI2);
    for (uint32_t i = 0; i < ltl_arity(store, formula); i++)
        if (!is_normal(store, ltl_child(store, formula, i)))
            return false;
    return true;
}

static void check_words(const ltl_store *store, ltl_formula f, ltl_formula g, uint32_t propositions,
                        uint64_t *random)
{
    for (int i = 0; i < 20; i++) {
        lasso_letters lasso;
        bool before = false, after = false;
        random_lasso(random, propositions, 8, &lasso);
        assert_int_equal(ltl_lasso_holds(store, f, &lasso.word, &before, NULL), OPAC_OK);
        assert_int_equal(ltl_lasso_holds(store, g, &lasso.word, &after, NULL), OPAC_OK);
        assert_int_equal(before, after);
    }
}

static void random_formulas_become_normal(void **state)
{
    (void)state;
    uint64_t random = random_seed(21);
    for (uint32_t i = 0, count = random_rounds(4000, 20000); i < count; i++) {
        const random_formula_shape shape = {1 + random_below(&random, 15),
                                            1 + random_below(&random, 4), OPERATORS_OF_NORMAL_FORM};
        opac_error error = {0};
        ltl_store *store;
        assert_ok(ltl_store_new(&store, &error), &error);
        ltl_formula f = ltl_nnf(store, random_formula(store, &random, &shape), false);
        for (int dual = 0; dual <= 1; dual++) {
            ltl_formula g = ltl_normalize(store, f, dual == 1);
            assert_ok(ltl_store_check(store, &error), &error);
            assert_true(is_normal(store, g));
            assert_true(ltl_is(store, g, LTL_NNF));
            if (g != ltl_simplify(store, f) || i % 16 == 0)
                check_words(store, f, g, shape.propositions, &random);
        }
        ltl_store_free(store);
    }
}

/* Formulas with F, G, U, R only, which have the most alternations for their size, on all short words. */
static void small_formulas_on_all_words(void **state)
{
    (void)state;
    opac_error error = {0};
    ltl_store *store;
    base_u32_vec formulas = {0};
    const random_formula_shape shape = {
        3, 2, OPERATOR(LTL_G) | OPERATOR(LTL_U) | OPERATOR(LTL_R) | OPERATOR(LTL_W)};
    assert_ok(ltl_store_new(&store, &error), &error);
    all_formulas(store, &shape, &formulas);
    lasso_table *table = lasso_table_new(store, 2, 4);
    for (size_t i = 0; i < formulas.count; i++)
        for (int dual = 0; dual <= 1; dual++) {
            ltl_formula g = ltl_normalize(store, formulas.items[i], dual == 1);
            assert_true(is_normal(store, g));
            assert_int_equal(lasso_table_difference(table, formulas.items[i], g),
                             lasso_table_words(table));
        }
    assert_ok(ltl_store_check(store, &error), &error);
    lasso_table_free(table);
    base_u32_vec_fini(&formulas);
    ltl_store_free(store);
}

/* G(F a U (b R c)), G(!a | (b U (G c | G d))), and an X above a formula in no class. */
static ltl_formula sample(ltl_store *store, int number)
{
    ltl_formula a = ltl_ap(store, "p0", 2), b = ltl_ap(store, "p1", 2);
    ltl_formula c = ltl_ap(store, "p2", 2), d = ltl_ap(store, "p3", 2);
    ltl_formula stays = ltl_or(store, ltl_g(store, c), ltl_g(store, d));
    ltl_formula second =
        ltl_g(store, ltl_or(store, ltl_not(store, a), ltl_binary(store, LTL_U, b, stays)));
    switch (number) {
    case 0:
        return ltl_g(store,
                     ltl_binary(store, LTL_U, ltl_f(store, a), ltl_binary(store, LTL_R, b, c)));
    case 1:
        return second;
    default:
        return ltl_x(store, ltl_and(store, second, ltl_binary(store, LTL_U, second, a)));
    }
}

static void samples_become_normal(void **state)
{
    (void)state;
    uint64_t random = random_seed(22);
    for (int number = 0; number < 3; number++)
        for (int dual = 0; dual <= 1; dual++) {
            opac_error error = {0};
            ltl_store *store;
            assert_ok(ltl_store_new(&store, &error), &error);
            ltl_formula f = sample(store, number), g = ltl_normalize(store, f, dual == 1);
            assert_ok(ltl_store_check(store, &error), &error);
            assert_true(is_normal(store, g));
            for (int i = 0; i < 20; i++)
                check_words(store, f, g, 4, &random);
            ltl_store_free(store);
        }
}

/* Formulas in Sigma2 or Pi2 are only simplified. */
static void formulas_in_a_class_are_kept(void **state)
{
    (void)state;
    uint64_t random = random_seed(23);
    const random_formula_shape shape = {10, 3, OPERATORS_OF_NORMAL_FORM};
    opac_error error = {0};
    ltl_store *store;
    assert_ok(ltl_store_new(&store, &error), &error);
    for (int i = 0; i < 2000; i++) {
        ltl_formula f = ltl_simplify(store, random_formula(store, &random, &shape));
        if (is_normal(store, f))
            assert_int_equal(ltl_normalize(store, f, i % 2 == 1), f);
    }
    ltl_store_free(store);
}

/* Deeper and deeper alternations, whose results become too large: an error, not an endless run. */
static void large_results_are_errors(void **state)
{
    (void)state;
    opac_error error = {0};
    ltl_store *store;
    assert_ok(ltl_store_new(&store, &error), &error);
    ltl_formula f = ltl_ap(store, "p0", 2);
    for (int i = 0; i < 16; i++) {
        char name[8];
        int length = snprintf(name, sizeof name, "q%d", i);
        f = ltl_binary(store, i % 2 == 0 ? LTL_U : LTL_R, f, ltl_ap(store, name, (size_t)length));
        f = ltl_binary(store, i % 2 == 0 ? LTL_M : LTL_W, ltl_ap(store, name, (size_t)length),
                       ltl_x(store, f));
    }
    ltl_formula g = ltl_normalize(store, f, false);
    opac_status status = ltl_store_check(store, &error);
    assert_true(status == OPAC_ERROR_LIMIT || (status == OPAC_OK && is_normal(store, g)));
    ltl_store_free(store);
}

static opac_status normalize_sample(void *context, opac_error *error)
{
    ltl_store *store;
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    ltl_normalize(store, sample(store, *(int *)context), false);
    status = ltl_store_check(store, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    for (int number = 0; number < 3; number++)
        assert_true(faults_sweep(normalize_sample, &number) > 10);
}

SUITE(normalize)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_formulas_become_normal),
        cmocka_unit_test(small_formulas_on_all_words),
        cmocka_unit_test(samples_become_normal),
        cmocka_unit_test(formulas_in_a_class_are_kept),
        cmocka_unit_test(large_results_are_errors),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
