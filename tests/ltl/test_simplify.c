/* SPDX-License-Identifier: MIT */
/* The simplifier preserves the language; examples of its rules; implication is sound. */
#include "ltl/simplify.h"

#include "support/check.h"
#include "support/faults.h"
#include "support/formula_text.h"
#include "support/lasso_table.h"
#include "support/random_formula.h"

static ltl_store *new_store(void)
{
    ltl_store *store;
    opac_error error = {0};
    assert_ok(ltl_store_new(&store, &error), &error);
    return store;
}

static void fail_with(const ltl_store *store, const char *what, ltl_formula f, ltl_formula g)
{
    char first[1000], second[1000];
    fail_msg("%s: %s and %s", what, formula_show(store, f, first, sizeof first),
             formula_show(store, g, second, sizeof second));
}

/* Each line is a formula and its simplification. */
static void rules_by_example(void **state)
{
    (void)state;
    static const char *const rules[][2] = {
        /* X */
        {"X a & X b & c", "X(a & b) & c"},
        {"X a | X b", "X(a | b)"},
        {"(X a) U (X b)", "X(a U b)"},
        {"(X a) M (X b)", "X(a M b)"},
        {"F X a", "X F a"},
        {"G X a", "X G a"},
        {"X G F a", "G F a"},
        {"X(a & F G b)", "F G b & X a"},
        {"((X a) U (X b)) | !(X(a U b))", "1"},
        /* eventual and universal */
        {"F(a & F b)", "F(a & F b)"},
        {"F(a | F b)", "F(a | b)"},
        {"G(a & G b)", "G(a & b)"},
        {"a U F b", "F b"},
        {"a R G b", "G b"},
        {"a W F b", "G a | F b"},
        {"a M G b", "F a & G b"},
        {"(G a) U b", "b | (G a & F b)"},
        {"(F a) R b", "b & (F a | G b)"},
        {"(G a) W b", "G a | b"},
        {"(F a) M b", "F a & b"},
        {"a U (b | F c)", "(a U b) | F c"},
        {"F(G a & F b)", "F(G a & b)"},
        /* GF and FG */
        {"(G F a) | (G F b)", "G F (a | b)"},
        {"(F G a) & (F G b)", "F G (a & b)"},
        {"G F (a & X F b)", "G F a & G F b"},
        {"G F (a U b)", "G F b"},
        {"G F (a M b)", "G F (a & b)"},
        {"G F (a W b)", "(F G a) | (G F b)"},
        {"F G (a U b)", "F G (a | b) & G F b"},
        {"F G (a R b)", "F G b"},
        {"G F G a", "F G a"},
        {"F G F a", "G F a"},
        {"G F X a", "G F a"},
        {"F G (a | F b)", "(F G a) | (G F b)"},
        {"F G (a | G b)", "(F G a) | (F G b)"},
        {"G(a & X F(b & X F(c & X F d)))", "G a & G F b & G F c & G F d"},
        {"G(F a & F b)", "G F a & G F b"},
        {"G(a U b)", "G(a | b) & G F b"},
        {"G(a M b)", "G b & G F a"},
        {"F(a R b)", "F(a & b) | F G b"},
        {"F(a W b)", "F b | F G a"},
        /* suspendable */
        {"F(a & G F b)", "F a & G F b"},
        {"G(a | F G b)", "G a | F G b"},
        {"a U (b & G F c)", "(a U b) & G F c"},
        {"(a | G F c) U b", "(a U b) | (G F c & F b)"},
        {"(a & G F c) U b", "b | (G F c & (a U b))"},
        {"(a | G F c) W b", "(a W b) | G F c"},
        {"a W (b & G F c)", "G a | (G F c & (a W b))"},
        {"(a & F G c) R b", "(F G c | G b) & (a R b)"},
        /* folding */
        {"G a | (a U b)", "a W b"},
        {"G a | (b M a)", "b R a"},
        {"(a W b) & F b", "a U b"},
        {"(a R b) & F a", "a M b"},
        {"a U (b | G a)", "a W b"},
        {"a U (a & b)", "b M a"},
        {"a W (a & b)", "b R a"},
        {"b | (a U b)", "a U b"},
        {"b & (a U b)", "b"},
        {"b | (a & X(a U b))", "a U b"},
        {"b | (a & c & X(a U b))", "b | (a & c & X(a U b))"},
        {"b & (a | X(a R b))", "a R b"},
        {"a | X F a", "F a"},
        {"a & X G a", "G a"},
        {"(a U b) | (a U c)", "a U (b | c)"},
        {"(a U c) & (b U c)", "(a & b) U c"},
        {"(a R b) & (a R c)", "a R (b & c)"},
        {"(a R c) | (b R c)", "(a | b) R c"},
        /* contexts */
        {"(a | b) U b", "a U b"},
        {"(a & !b) U b", "a U b"},
        {"(a & b) R b", "a R b"},
        {"a R (a | b)", "b W a"},
        {"G !b | (a U b)", "G !b | (a W b)"},
        {"F a & (b R a)", "b R a"},
        {"G !c | (a U (b U c))", "G !c | (a W (b W c))"},
        {"G !c | ((!a | (b M !c)) U c)", "(!a | (b R !c)) W c"},
        {"G !c | ((a & X(!c U b)) M !c)", "(a & X(!c W b)) R !c"},
        {"!a U (a W (!a W b))", "!a W (a W (!a W b))"},
        {"G a & F(b & X(a U c))", "G a & F(b & X F c)"},
        {"a | (a U b)", "a | b"},
        {"a & (a R b)", "a & b"},
        {"a | (!a & b)", "a | b"},
        {"F a | (G !a & b)", "F a | b"},
        /* nested */
        {"a U (a U b)", "a U b"},
        {"(a U b) U b", "a U b"},
        {"(a & c) U (a U b)", "a U b"},
        {"a U ((a & c) U b)", "a U b"},
        {"(F b) U b", "F b"},
        {"(a U b) W a", "b W a"},
        {"(a W b) R a", "a & (a W b)"},
        {"(F a) W (G b)", "G(b | F a)"},
        {"!a U (a M b)", "!a U (a & b)"},
        /* implication */
        {"(a & b) U b", "b"},
        {"!b U b", "F b"},
        {"b R b", "b"},
        {"!b W b", "1"},
        {"!b M b", "0"},
        {"F a | (b U a)", "F a"},
        {"G a & (a W b)", "G a"},
        /* Boolean */
        {"(a & b) | (a & c)", "a & (b | c)"},
        {"(a & b) | (a & !b)", "a"},
        {"(a | b) & a", "a"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char shown[1000];
        ltl_store *store = new_store();
        ltl_formula f = formula_read(store, rules[i][0]);
        ltl_formula expected = formula_read(store, rules[i][1]);
        ltl_formula simple = ltl_simplify(store, f);
        if (simple != expected)
            fail_msg("%s becomes %s, not %s", rules[i][0],
                     formula_show(store, simple, shown, sizeof shown), rules[i][1]);
        ltl_store_free(store);
    }
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
        if (before != after)
            fail_with(store, "differ", f, g);
    }
}

/* The result is equivalent, in negation normal form and a fixpoint, and no class is lost. */
static void random_formulas_keep_their_language(void **state)
{
    (void)state;
    const uint32_t classes =
        LTL_NNF | LTL_BOOLEAN | LTL_SIGMA1 | LTL_PI1 | LTL_DELTA1 | LTL_SIGMA2 | LTL_PI2;
    uint64_t random = random_seed(31);
    for (uint32_t i = 0, count = random_rounds(6000, 30000); i < count; i++) {
        const random_formula_shape shape = {
            1 + random_below(&random, 15), 1 + random_below(&random, 4),
            i % 4 == 0 ? OPERATORS_OF_LTL | OPERATOR(LTL_TRUE) : OPERATORS_OF_NORMAL_FORM};
        opac_error error = {0};
        ltl_store *store = new_store();
        ltl_formula f = random_formula(store, &random, &shape), g = ltl_simplify(store, f);
        uint32_t before = ltl_classes_of(store, ltl_nnf(store, f, false));
        assert_ok(ltl_store_check(store, &error), &error);
        check_words(store, f, g, shape.propositions, &random);
        if ((before & ~ltl_classes_of(store, g) & classes) != 0)
            fail_with(store, "loses a class", f, g);
        if (ltl_simplify(store, g) != g)
            fail_with(store, "not simplified to the end", f, g);
        ltl_store_free(store);
    }
}

/* All formulas with few operators (in the quick test, one in seven) on all words with few letters. */
static void small_formulas_on_all_words(void **state)
{
    (void)state;
    opac_error error = {0};
    base_u32_vec formulas = {0};
    const random_formula_shape shape = {3, 2, OPERATORS_OF_NORMAL_FORM};
    ltl_store *store = new_store();
    all_formulas(store, &shape, &formulas);
    assert_true(formulas.count > 10000);
    lasso_table *table = lasso_table_new(store, 2, 4);
    for (size_t i = 0; i < formulas.count; i += random_rounds(7, 1)) {
        ltl_formula f = formulas.items[i], g = ltl_simplify(store, f);
        if (lasso_table_difference(table, f, g) != lasso_table_words(table))
            fail_with(store, "differ", f, g);
    }
    assert_ok(ltl_store_check(store, &error), &error);
    lasso_table_free(table);
    base_u32_vec_fini(&formulas);
    ltl_store_free(store);
}

/* All pairs of formulas with up to two operators, and their negations, on all short words. */
static void implication_is_sound(void **state)
{
    (void)state;
    base_u32_vec formulas = {0};
    const random_formula_shape shape = {2, 2, OPERATORS_OF_NORMAL_FORM};
    ltl_store *store = new_store();
    uint64_t random = random_seed(32);
    size_t implied = 0, held = 0;
    all_formulas(store, &shape, &formulas);
    lasso_table *table = lasso_table_new(store, 2, 4);
    for (uint32_t i = 0, rounds = random_rounds(30000, 150000); i < rounds; i++) {
        uint32_t count = (uint32_t)formulas.count;
        ltl_formula f = ltl_nnf(store, formulas.items[random_below(&random, count)], false);
        ltl_formula g = ltl_nnf(store, formulas.items[random_below(&random, count)], false);
        bool holds = lasso_table_counterexample(table, f, g) == lasso_table_words(table);
        bool answer = ltl_implies(store, f, g);
        if (answer && !holds)
            fail_with(store, "does not imply", f, g);
        implied += answer;
        held += holds;
    }
    assert_true(implied * 10 > held * 8); /* it proves most of the implications */
    lasso_table_free(table);
    base_u32_vec_fini(&formulas);
    ltl_store_free(store);
}

/* Large formulas, wide or deep, take linear time and no deep recursion. */
static void large_formulas(void **state)
{
    (void)state;
    enum {
        MANY = 50000,
        DEEP = 3000
    };
    opac_error error = {0};
    uint64_t random = random_seed(33);
    ltl_store *store = new_store();
    ltl_formula *items = malloc(MANY * sizeof *items);
    const random_formula_shape shape = {4, 40, OPERATORS_OF_NORMAL_FORM};
    assert_non_null(items);
    for (int i = 0; i < MANY; i++)
        items[i] = random_formula(store, &random, &shape);
    ltl_simplify(store, ltl_many(store, LTL_AND, items, MANY));
    ltl_formula deep = items[0];
    for (int i = 0; i < DEEP; i++)
        deep = ltl_binary(store, i % 2 == 0 ? LTL_U : LTL_R, deep, items[i]);
    ltl_simplify(store, deep);
    assert_ok(ltl_store_check(store, &error), &error);
    free(items);
    ltl_store_free(store);
}

static opac_status simplify_sample(void *context, opac_error *error)
{
    (void)context;
    ltl_store *store;
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    uint64_t random = 34;
    const random_formula_shape shape = {25, 3, OPERATORS_OF_LTL};
    ltl_simplify(store, random_formula(store, &random, &shape));
    status = ltl_store_check(store, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(faults_sweep(simplify_sample, NULL) > 10);
}

SUITE(simplify)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_by_example),
        cmocka_unit_test(random_formulas_keep_their_language),
        cmocka_unit_test(small_formulas_on_all_words),
        cmocka_unit_test(implication_is_sound),
        cmocka_unit_test(large_formulas),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
