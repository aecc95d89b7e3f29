/* SPDX-License-Identifier: MIT */
/*
 * The evaluation on words, by hand-made words, by equivalences of operators, and by the reference
 * evaluation.
 */
#include "support/lasso.h"

#include "support/check.h"
#include "support/faults.h"
#include "support/lasso_table.h"
#include "support/random_formula.h"

static bool holds(const ltl_store *store, ltl_formula formula, const ltl_lasso *word)
{
    bool result = false;
    opac_error error = {0};
    assert_ok(ltl_lasso_holds(store, formula, word, &result, &error), &error);
    return result;
}

static ltl_store *new_store(ltl_formula *a, ltl_formula *b)
{
    ltl_store *store;
    opac_error error = {0};
    assert_ok(ltl_store_new(&store, &error), &error);
    *a = ltl_ap(store, "p0", 2);
    *b = ltl_ap(store, "p1", 2);
    return store;
}

/* a, a, b, then forever: nothing, a. */
static void a_word_by_hand(void **state)
{
    (void)state;
    ltl_formula a, b;
    ltl_store *s = new_store(&a, &b);
    const uint64_t letters[] = {1, 1, 2, 0, 1};
    const ltl_lasso word = {.letters = letters, .prefix = 3, .length = 5};
    const struct {
        ltl_formula formula;
        bool expected;
    } cases[] = {
        {a, true},
        {b, false},
        {LTL_TRUE, true},
        {LTL_FALSE, false},
        {ltl_x(s, ltl_x(s, b)), true},
        {ltl_binary(s, LTL_U, a, b), true},
        {ltl_binary(s, LTL_M, b, a), false},
        {ltl_binary(s, LTL_R, b, a), false},
        {ltl_binary(s, LTL_R, b, ltl_or(s, a, b)), true},
        {ltl_binary(s, LTL_W, b, a), true},
        {ltl_g(s, ltl_f(s, a)), true},
        {ltl_g(s, ltl_f(s, b)), false},
        {ltl_f(s, ltl_g(s, ltl_not(s, b))), true},
        {ltl_f(s, ltl_g(s, a)), false},
        {ltl_binary(s, LTL_W, ltl_not(s, b), LTL_FALSE), false},
        {ltl_binary(s, LTL_IMPLIES, b, a), true},
        {ltl_binary(s, LTL_IFF, a, b), false},
        {ltl_binary(s, LTL_XOR, a, b), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(holds(s, cases[i].formula, &word), cases[i].expected);
    ltl_store_free(s);
}

/* Each operator is equivalent to its definition, on all short words. */
static void operators_satisfy_their_equivalences(void **state)
{
    (void)state;
    ltl_formula a, b;
    ltl_store *s = new_store(&a, &b);
    ltl_formula until = ltl_binary(s, LTL_U, a, b), unless = ltl_binary(s, LTL_W, a, b);
    ltl_formula release = ltl_binary(s, LTL_R, a, b), strong = ltl_binary(s, LTL_M, a, b);
    const struct {
        ltl_formula left, right;
    } equivalences[] = {
        {until, ltl_or(s, b, ltl_and(s, a, ltl_x(s, until)))},
        {unless, ltl_or(s, until, ltl_g(s, a))},
        {strong, ltl_binary(s, LTL_U, b, ltl_and(s, a, b))},
        {release, ltl_or(s, strong, ltl_g(s, b))},
        {release, ltl_not(s, ltl_binary(s, LTL_U, ltl_not(s, a), ltl_not(s, b)))},
        {ltl_f(s, a), ltl_or(s, a, ltl_x(s, ltl_f(s, a)))},
        {ltl_g(s, a), ltl_not(s, ltl_f(s, ltl_not(s, a)))},
        {until, ltl_and(s, unless, ltl_f(s, b))},
    };
    lasso_letters lasso = {0};
    while (next_lasso(2, 5, &lasso))
        for (size_t i = 0; i < sizeof equivalences / sizeof *equivalences; i++)
            assert_int_equal(holds(s, equivalences[i].left, &lasso.word),
                             holds(s, equivalences[i].right, &lasso.word));
    ltl_store_free(s);
}

static void both_evaluations_agree(void **state)
{
    (void)state;
    ltl_formula a, b;
    ltl_store *s = new_store(&a, &b);
    uint64_t random = random_seed(11);
    const random_formula_shape shape = {8, 2, OPERATORS_OF_LTL};
    lasso_table *table = lasso_table_new(s, 2, 3);
    for (int i = 0; i < 300; i++) {
        ltl_formula f = random_formula(s, &random, &shape);
        const uint64_t *row = lasso_table_row(table, f);
        for (size_t w = 0; w < lasso_table_words(table); w++) {
            ltl_lasso word = lasso_table_word(table, w);
            assert_int_equal(holds(s, f, &word), (row[w / 64] >> (w % 64)) & 1);
        }
    }
    lasso_table_free(table);
    ltl_store_free(s);
}

/* Long words: the value at a far position and in the loop. */
static void long_words(void **state)
{
    (void)state;
    enum {
        LENGTH = 1000
    };
    ltl_formula a, b;
    ltl_store *s = new_store(&a, &b);
    uint64_t letters[LENGTH] = {0};
    ltl_formula f = a;
    letters[900] = 1;
    for (int i = 0; i < 900; i++)
        f = ltl_x(s, f);
    for (size_t prefix = 0; prefix < LENGTH; prefix += 111) {
        ltl_lasso word = {.letters = letters, .prefix = prefix, .length = LENGTH};
        assert_true(holds(s, f, &word));
        assert_false(holds(s, ltl_x(s, f), &word));
        assert_int_equal(holds(s, ltl_g(s, ltl_f(s, a)), &word), prefix <= 900);
    }
    ltl_store_free(s);
}

static void invalid_words_are_errors(void **state)
{
    (void)state;
    ltl_formula a, b;
    ltl_store *s = new_store(&a, &b);
    const uint64_t letters[] = {0};
    bool result;
    ltl_lasso no_loop = {.letters = letters, .prefix = 1, .length = 1};
    assert_status(ltl_lasso_holds(s, a, &no_loop, &result, NULL), OPAC_ERROR_ARGUMENT);
    char name[] = "q00";
    ltl_formula last = a;
    for (int i = 0; i < 70; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        last = ltl_ap(s, name, 3);
    }
    ltl_lasso word = {.letters = letters, .prefix = 0, .length = 1};
    assert_status(ltl_lasso_holds(s, last, &word, &result, NULL), OPAC_ERROR_ARGUMENT);
    ltl_store_free(s);
}

static opac_status evaluate(void *context, opac_error *error)
{
    (void)context;
    const uint64_t letters[] = {1, 2};
    const ltl_lasso word = {.letters = letters, .prefix = 0, .length = 2};
    ltl_store *store = NULL;
    bool result = false;
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    ltl_formula a = ltl_ap(store, "p0", 2), b = ltl_ap(store, "p1", 2);
    ltl_formula f = ltl_g(store, ltl_f(store, ltl_binary(store, LTL_U, a, b)));
    status = ltl_store_check(store, error);
    if (status == OPAC_OK)
        status = ltl_lasso_holds(store, f, &word, &result, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(faults_sweep(evaluate, NULL) > 5);
}

SUITE(lasso)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_by_hand),
        cmocka_unit_test(operators_satisfy_their_equivalences),
        cmocka_unit_test(both_evaluations_agree),
        cmocka_unit_test(long_words),
        cmocka_unit_test(invalid_words_are_errors),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
