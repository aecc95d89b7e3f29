/* SPDX-License-Identifier: MIT */
/* Formulas: sharing, simplification by constructors, syntactic classes, limits, and out of memory. */
#include "lassos.h"
#include "ltl/copy.h"
#include "support/faults.h"
#include "texts.h"

static const char *const names[] = {"a", "b", "c"};

static void equal_formulas_are_one_node(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    ltl_formula a = ltl_ap(store, "a", 1), b = ltl_ap(store, "b", 1);
    assert_int_equal(ltl_ap(store, "ab", 1), a);
    assert_int_not_equal(a, b);
    assert_int_equal(ltl_binary(store, LTL_U, a, b), ltl_binary(store, LTL_U, a, b));
    assert_int_not_equal(ltl_binary(store, LTL_U, a, b), ltl_binary(store, LTL_U, b, a));
    assert_int_not_equal(ltl_binary(store, LTL_U, a, b), ltl_binary(store, LTL_W, a, b));
    assert_int_equal(ltl_and(store, a, b), ltl_and(store, b, a));
    assert_int_equal(ltl_binary(store, LTL_IFF, a, b), ltl_binary(store, LTL_IFF, b, a));
    ltl_formula c = ltl_ap(store, "c", 1);
    ltl_formula left = ltl_and(store, ltl_and(store, a, b), c);
    ltl_formula right = ltl_and(store, a, ltl_and(store, c, b));
    assert_int_equal(left, right);
    assert_int_equal(ltl_arity(store, left), 3);
    assert_int_equal(ltl_ap_count(store), 3);
    assert_string_equal(ltl_ap_name(store, 1), "b");
    assert_int_equal(ltl_ap(store, "b", 1), b);
    assert_int_equal(ltl_ap_of(store, b), 1);
    assert_int_equal(ltl_depth(store, left), 1);
    assert_int_equal(ltl_depth(store, ltl_x(store, left)), 2);
    ltl_store_free(store);
}

static void constants_are_simplified(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"!true", "false"},      {"!!a", "a"},           {"X true", "true"},
        {"F false", "false"},    {"F F a", "F a"},       {"G G a", "G a"},
        {"a & true", "a"},       {"a & false", "false"}, {"a | true", "true"},
        {"a | false", "a"},      {"a & a", "a"},         {"a | !a", "true"},
        {"a & b & !a", "false"}, {"a -> a", "true"},     {"false -> a", "true"},
        {"true -> a", "a"},      {"a -> false", "!a"},   {"a -> true", "true"},
        {"a <-> a", "true"},     {"a <-> !a", "false"},  {"a <-> true", "a"},
        {"a <-> false", "!a"},   {"a xor a", "false"},   {"a xor !a", "true"},
        {"a xor true", "!a"},    {"a xor false", "a"},   {"true U a", "F a"},
        {"false U a", "a"},      {"a U false", "false"}, {"a U true", "true"},
        {"a U a", "a"},          {"false R a", "G a"},   {"true R a", "a"},
        {"a R true", "true"},    {"a R false", "false"}, {"a W false", "G a"},
        {"a W true", "true"},    {"true W a", "true"},   {"false W a", "a"},
        {"a M true", "F a"},     {"true M a", "a"},      {"a M false", "false"},
        {"false M a", "false"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ltl_store *store = new_store();
        ltl_formula folded = read_as(store, LTL_GRAMMAR_INFIX, cases[i][0]);
        if (folded != read_as(store, LTL_GRAMMAR_INFIX, cases[i][1]))
            fail_msg("%s is not %s", cases[i][0], cases[i][1]);
        ltl_store_free(store);
    }
}

/* Builds a random formula, in a reference representation and in the store. */
static uint32_t random_places(ltl_store *store, uint64_t *random, uint32_t size,
                              const small_lasso *word, ltl_formula *formula)
{
    uint32_t all = (UINT32_C(1) << word->length) - 1;
    if (size == 0) {
        uint32_t chosen = random_below(random, 5);
        const char *name = chosen < 2 ? NULL : ltl_ap_name(store, chosen - 2);
        *formula = chosen < 2 ? chosen : ltl_ap(store, name, strlen(name));
        return lasso_places(store, *formula, word);
    }
    ltl_formula left, right;
    uint32_t split = random_below(random, size);
    uint32_t a = random_places(store, random, split, word, &left);
    uint32_t b = random_places(store, random, size - 1 - split, word, &right);
    ltl_op op = (ltl_op)(LTL_NOT + random_below(random, LTL_M - LTL_NOT + 1));
    uint32_t next = 0;
    for (uint32_t at = 0; at < word->length; at++)
        next |= (a >> lasso_next(word, at) & 1) << at;
    bool is_unary = op == LTL_NOT || op == LTL_X || op == LTL_F || op == LTL_G;
    *formula = is_unary ? ltl_unary(store, op, left) : ltl_binary(store, op, left, right);
    switch (op) {
    case LTL_NOT:
        return all & ~a;
    case LTL_AND:
        return a & b;
    case LTL_OR:
        return a | b;
    case LTL_IMPLIES:
        return all & (~a | b);
    case LTL_IFF:
        return all & ~(a ^ b);
    case LTL_XOR:
        return a ^ b;
    case LTL_X:
        return next;
    case LTL_F:
        return lasso_until_everywhere(word, all, a);
    case LTL_G:
        return all & ~lasso_until_everywhere(word, all, all & ~a);
    case LTL_U:
        return lasso_until_everywhere(word, a, b);
    case LTL_R:
        return all & ~lasso_until_everywhere(word, all & ~a, all & ~b);
    case LTL_W:
        return lasso_until_everywhere(word, a, b) |
               (all & ~lasso_until_everywhere(word, all, all & ~a));
    default:
        return lasso_until_everywhere(word, b, a & b);
    }
}

static void constructors_preserve_the_language(void **state)
{
    (void)state;
    uint64_t random = random_seed(520);
    for (int round = 0; round < 20000; round++) {
        ltl_store *store = new_store();
        for (size_t i = 0; i < 3; i++)
            ltl_ap(store, names[i], 1);
        small_lasso word = random_lasso(&random, 3);
        ltl_formula formula;
        uint32_t places =
            random_places(store, &random, 1 + random_below(&random, 8), &word, &formula);
        assert_int_equal(lasso_places(store, formula, &word), places);
        ltl_store_free(store);
    }
}

/* The store's invariants, for every node. */
static void nodes_are_in_order(void **state)
{
    (void)state;
    uint64_t random = random_seed(521);
    ltl_store *store = new_store();
    for (int round = 0; round < 2000; round++)
        random_formula(store, &random, 12, names, 3);
    ltl_formula end = ltl_ap(store, "last", 4); /* numbers are assigned in order */
    for (ltl_formula at = 2; at < end; at++) {
        ltl_op op = ltl_op_of(store, at);
        uint32_t arity = ltl_arity(store, at), depth = 0;
        for (uint32_t i = 0; i < arity; i++) {
            ltl_formula child = ltl_child(store, at, i);
            assert_true(child < at);
            depth = ltl_depth(store, child) + 1 > depth ? ltl_depth(store, child) + 1 : depth;
            if (op == LTL_AND || op == LTL_OR) {
                assert_true(ltl_op_of(store, child) != op);
                assert_true(child > LTL_TRUE);
                assert_true(i == 0 || ltl_child(store, at, i - 1) < child);
            }
        }
        assert_int_equal(depth, ltl_depth(store, at));
        ltl_formula children[64];
        assert_true(arity <= 64);
        for (uint32_t i = 0; i < arity; i++)
            children[i] = ltl_child(store, at, i);
        assert_int_equal(ltl_rebuild(store, at, children), at);
    }
    ltl_store_free(store);
}

static uint32_t kinds_of(const char *text)
{
    ltl_store *store = new_store();
    uint32_t classes = ltl_classes_of(store, read_as(store, LTL_GRAMMAR_INFIX, text));
    ltl_store_free(store);
    return classes;
}

static void classes_by_syntax(void **state)
{
    (void)state;
    uint32_t first = LTL_SIGMA1 | LTL_PI1 | LTL_DELTA1, second = LTL_SIGMA2 | LTL_PI2;
    assert_int_equal(kinds_of("a & !b"), LTL_NNF | LTL_BOOLEAN | first | second);
    assert_int_equal(kinds_of("!(a & b)"), 0);
    assert_int_equal(kinds_of("a -> b"), 0);
    assert_int_equal(kinds_of("X a"), LTL_NNF | first | second);
    assert_int_equal(kinds_of("a U b"), LTL_NNF | LTL_SIGMA1 | LTL_DELTA1 | second);
    assert_int_equal(kinds_of("a W b"), LTL_NNF | LTL_PI1 | LTL_DELTA1 | second);
    assert_int_equal(kinds_of("F a"), LTL_NNF | LTL_SIGMA1 | LTL_DELTA1 | second | LTL_EVENTUAL);
    assert_int_equal(kinds_of("G a"), LTL_NNF | LTL_PI1 | LTL_DELTA1 | second | LTL_UNIVERSAL);
    assert_int_equal(kinds_of("(a U b) & (a W c)"), LTL_NNF | LTL_DELTA1 | second);
    assert_int_equal(kinds_of("G F a"), LTL_NNF | LTL_PI2 | LTL_SUSPENDABLE);
    assert_int_equal(kinds_of("F G a"), LTL_NNF | LTL_SIGMA2 | LTL_SUSPENDABLE);
    assert_int_equal(kinds_of("G F a & F G b"), LTL_NNF | LTL_SUSPENDABLE);
    assert_int_equal(kinds_of("F (a & G b)"), LTL_NNF | LTL_SIGMA2 | LTL_EVENTUAL);
    assert_int_equal(kinds_of("a U (b U G c)"), LTL_NNF | LTL_SIGMA2);
    assert_int_equal(kinds_of("G (a | F (b & G c))"), LTL_NNF | LTL_UNIVERSAL);
}

/* Eventual: if it holds later, it holds now. Universal: the converse. Boolean: only the letter matters. */
static void classes_hold_on_words(void **state)
{
    (void)state;
    uint64_t random = random_seed(522);
    size_t eventual = 0, universal = 0;
    for (int round = 0; round < 30000; round++) {
        ltl_store *store = new_store();
        for (size_t i = 0; i < 3; i++)
            ltl_ap(store, names[i], 1);
        ltl_formula formula =
            ltl_nnf(store, random_formula(store, &random, 6, names, 3), round % 2 == 0);
        small_lasso word = random_lasso(&random, 3);
        uint32_t places = lasso_places(store, formula, &word);
        assert_true(ltl_is(store, formula, LTL_NNF));
        for (uint32_t at = 0; at < word.length; at++) {
            bool now = places >> at & 1, next = places >> lasso_next(&word, at) & 1;
            if (ltl_is(store, formula, LTL_EVENTUAL))
                assert_true(!next || now);
            if (ltl_is(store, formula, LTL_UNIVERSAL))
                assert_true(!now || next);
            for (uint32_t other = 0; other < word.length; other++)
                if (ltl_is(store, formula, LTL_BOOLEAN) && word.letters[at] == word.letters[other])
                    assert_int_equal(now, places >> other & 1);
        }
        eventual += ltl_is(store, formula, LTL_EVENTUAL);
        universal += ltl_is(store, formula, LTL_UNIVERSAL);
        ltl_store_free(store);
    }
    assert_true(eventual > 1000);
    assert_true(universal > 1000);
}

static void depth_is_limited_and_the_error_remains(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    opac_error error = {0};
    ltl_formula deep = ltl_ap(store, "a", 1), a = deep;
    for (int i = 0; i < LTL_DEPTH_LIMIT; i++)
        deep = ltl_x(store, deep);
    assert_int_equal(ltl_depth(store, deep), LTL_DEPTH_LIMIT);
    assert_false(ltl_store_failed(store));
    assert_int_equal(ltl_x(store, deep), LTL_FALSE);
    assert_true(ltl_store_failed(store));
    assert_status(ltl_store_check(store, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the formula is nested deeper than 4000 operators");
    assert_int_equal(ltl_g(store, a), LTL_FALSE);
    assert_int_equal(ltl_ap(store, "b", 1), LTL_FALSE);
    assert_int_equal(ltl_many(store, LTL_AND, NULL, 0), LTL_FALSE);
    assert_int_equal(ltl_store_fail_memory(store), LTL_FALSE);
    assert_int_equal(ltl_ap_count(store), 1);
    assert_status(ltl_store_check(store, NULL), OPAC_ERROR_LIMIT);
    ltl_store_free(store);
    ltl_store_free(NULL);
}

static void lists_of_any_length(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    ltl_formula a = ltl_ap(store, "a", 1);
    assert_int_equal(ltl_many(store, LTL_AND, NULL, 0), LTL_TRUE);
    assert_int_equal(ltl_many(store, LTL_OR, NULL, 0), LTL_FALSE);
    assert_int_equal(ltl_many(store, LTL_OR, (ltl_formula[]){a, a, LTL_FALSE}, 3), a);
    assert_int_equal(ltl_many(store, LTL_OR, (ltl_formula[]){a, LTL_TRUE}, 2), LTL_TRUE);
    assert_int_equal(ltl_many(store, LTL_AND, (ltl_formula[]){a, ltl_not(store, a)}, 2), LTL_FALSE);
    ltl_store_free(store);
}

/* Copies a formula with the propositions that occur in it. */
static void copies_print_identically(void **state)
{
    (void)state;
    uint64_t random = random_seed(523);
    for (int round = 0; round < 300; round++) {
        ltl_store *from = new_store(), *to = new_store();
        opac_error error = {0};
        for (int i = 0; i < 5; i++)
            random_formula(from, &random, 10, names, 3);
        ltl_formula formula = random_formula(from, &random, 10, names, 3), copy, back;
        base_u32_vec used = {0};
        assert_ok(ltl_copy(from, formula, to, &copy, &error), &error);
        assert_ok(ltl_copy(to, copy, from, &back, &error), &error);
        assert_int_equal(back, formula);
        assert_ok(ltl_propositions(from, formula, &used, &error), &error);
        assert_int_equal(used.count, ltl_ap_count(to));
        for (uint32_t i = 0; i < used.count; i++)
            assert_string_equal(ltl_ap_name(from, used.items[i]), ltl_ap_name(to, i));
        base_u32_vec_fini(&used);
        ltl_store_free(from);
        ltl_store_free(to);
    }
}

static opac_status make_some(void *context, opac_error *error)
{
    (void)context;
    ltl_store *store, *other = NULL;
    base_u32_vec used = {0};
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    uint64_t random = 5;
    ltl_formula formula = random_formula(store, &random, 40, names, 3);
    formula = ltl_and(store, formula, ltl_nnf(store, formula, true));
    status = ltl_store_check(store, error);
    if (status == OPAC_OK)
        status = ltl_store_new(&other, error);
    if (status == OPAC_OK)
        status = ltl_copy(store, formula, other, &formula, error);
    if (status == OPAC_OK)
        status = ltl_propositions(other, formula, &used, error);
    base_u32_vec_fini(&used);
    ltl_store_free(other);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(faults_sweep(make_some, NULL) > 10);
}

SUITE(formula)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_formulas_are_one_node),
        cmocka_unit_test(constants_are_simplified),
        cmocka_unit_test(constructors_preserve_the_language),
        cmocka_unit_test(nodes_are_in_order),
        cmocka_unit_test(classes_by_syntax),
        cmocka_unit_test(classes_hold_on_words),
        cmocka_unit_test(depth_is_limited_and_the_error_remains),
        cmocka_unit_test(lists_of_any_length),
        cmocka_unit_test(copies_print_identically),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
