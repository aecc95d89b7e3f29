/* SPDX-License-Identifier: MIT */
/*
 * Translation, the long part: 20 000 random formulas for each kind of automaton, and all formulas up to a
 * size on all words up to a length.
 */
#include "ltl/simplify.h"
#include "support/lasso_table.h"
#include "translation.h"

enum {
    ROUNDS = 20000, /* for each kind without further options, and half of it for the others */
    WORDS = 20,
    PLAIN_KINDS = 5,
    OPERATORS = 4,
    LONGEST = 4
};

static void random_formulas(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < TRANSLATION_KINDS; kind++)
        translation_sweep(kind, 330, kind < PLAIN_KINDS ? ROUNDS : ROUNDS / 2, WORDS);
}

static void assert_on_all_words(const ltl_store *store, ltl_formula formula,
                                const opac_automaton *automaton, lasso_table *table, unsigned kind)
{
    size_t words = lasso_table_words(table);
    for (size_t i = 0; i < words; i++) {
        ltl_lasso word = lasso_table_word(table, i);
        const uint64_t *row = lasso_table_row(table, formula);
        bool holds = (row[i / 64] >> (i % 64)) & 1;
        if (translation_accepts(automaton, &word) != holds)
            translation_assert(store, formula, automaton, &word, kind);
    }
}

/*
 * Every formula is compared with its simplification on all words. Only the simplified formulas, of which
 * there are far fewer, are translated.
 */
static void all_small_formulas_on_all_words(void **state)
{
    opac_error error;
    ltl_store *store;
    base_u32_vec formulas = {0};
    base_bitset translated;
    size_t different = 0;
    (void)state;
    assert_ok(ltl_store_new(&store, &error), &error);
    ltl_ap(store, "p0", 2);
    ltl_ap(store, "p1", 2);
    lasso_table *table = lasso_table_new(store, 2, LONGEST);
    random_formula_shape shape = {.operators = OPERATORS - 1,
                                  .propositions = 2,
                                  .allowed = OPERATORS_OF_NORMAL_FORM | OPERATOR(LTL_FALSE) |
                                             OPERATOR(LTL_TRUE)};
    all_formulas(store, &shape, &formulas);
    assert_ok(base_bitset_init(&translated, 1 << 26, &error), &error);
    for (size_t i = 0; i < formulas.count; i++) {
        ltl_formula simple = ltl_simplify(store, formulas.items[i]);
        assert_true(lasso_table_difference(table, formulas.items[i], simple) ==
                    lasso_table_words(table));
        if (base_bitset_has(&translated, simple))
            continue;
        base_bitset_add(&translated, simple);
        different++;
        for (unsigned kind = 0; kind < PLAIN_KINDS; kind++) {
            opac_automaton *made = translation_make(store, simple, &translation_kinds[kind]);
            if (made != NULL)
                assert_on_all_words(store, simple, made, table, kind);
            opac_automaton_free(made);
        }
    }
    print_message("%zu formulas, %zu after simplification, %zu words\n", formulas.count, different,
                  lasso_table_words(table));
    base_bitset_fini(&translated);
    base_u32_vec_fini(&formulas);
    lasso_table_free(table);
    ltl_store_free(store);
}

/* For this formula, one of the two ways to rewrite into Delta2 exceeds the limit, and the other does not. */
static void one_way_is_enough(void **state)
{
    static const char text[] =
        "((p0 U !(p1 xor p3)) U (((p3 M X p3) -> (((p2 -> (p3 -> p1)) xor (p1 <-> (p0 R X p3))) R "
        "(((p2 -> (p0 xor p3)) W p0) U p3))) & F(((p2 M p1) | (p3 M (p0 <-> p2))) <-> (p0 U (p0 "
        "xor "
        "(F p2 R p1))))))";
    opac_formula *formula;
    opac_automaton *made;
    opac_error error;
    (void)state;
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    assert_ok(opac_automaton_translate(formula, NULL, &made, &error), &error);
    opac_automaton_free(made);
    opac_formula_free(formula);
}

SUITE(translate_long)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_formulas),
        cmocka_unit_test(all_small_formulas_on_all_words),
        cmocka_unit_test(one_way_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
