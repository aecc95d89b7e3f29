/* SPDX-License-Identifier: MIT */
/* Printing: the text is parsed as the same node and has no superfluous parentheses. */
#include "base/utf8.h"
#include "lassos.h"
#include "support/faults.h"
#include "texts.h"

static const char *const hostile[] = {
    "a",
    "b",
    "Goal",
    "GF",
    "F",
    "F1",
    "U",
    "Up",
    "xor",
    "true",
    "False",
    "tt",
    "",
    " ",
    "a b",
    "a & b",
    "\"",
    "\\",
    "\\\"",
    "x=3",
    "x=",
    "1",
    "(a)",
    "a)",
    "a?b:c",
    "s=3&t=4",
    "mod(x,2)=0",
    "-x<1",
    "f(x)",
    "\xC3\xA4\xC3\xB6",
    "\xF0\x9F\x98\x80",
    "line\nbreak",
    "\x01",
    "a.b",
    ".",
    "P",
    "P=?",
    "!a",
    "!",
    "[]",
    "F[2:3]",
    "x<y=z",
    "a?b:c=1",
    "-",
    "filter",
    "FGX",
    "x=3 ",
    "a=true",
};

enum {
    HOSTILE = sizeof hostile / sizeof hostile[0]
};

static void infix_round_trip(void **state)
{
    (void)state;
    uint64_t random = random_seed(512);
    for (int round = 0; round < 4000; round++) {
        ltl_store *store = new_store();
        uint32_t names = 1 + random_below(&random, HOSTILE);
        ltl_formula formula =
            random_formula(store, &random, random_below(&random, 30), hostile, names);
        for (int full = 0; full < 2; full++) {
            char *text = print_as(store, formula, OPAC_FORMULA_INFIX, full == 1);
            if (read_as(store, LTL_GRAMMAR_INFIX, text) != formula)
                fail_msg("%s reads back as another formula", text);
            free(text);
        }
        ltl_store_free(store);
    }
}

static bool has_either(const ltl_store *store, ltl_formula formula, ltl_op first, ltl_op second)
{
    ltl_op op = ltl_op_of(store, formula);
    if (op == first || op == second)
        return true;
    for (uint32_t i = 0; i < ltl_arity(store, formula); i++)
        if (has_either(store, ltl_child(store, formula, i), first, second))
            return true;
    return false;
}

/* The text is parsed as the same node, or with M or xor as an equivalent one. */
static void prism_round_trip(void **state)
{
    (void)state;
    uint64_t random = random_seed(513);
    size_t same = 0;
    for (int round = 0; round < 4000; round++) {
        ltl_store *store = new_store();
        uint32_t names = 1 + random_below(&random, HOSTILE);
        ltl_formula formula =
            random_formula(store, &random, random_below(&random, 20), hostile, names);
        bool is_exact = !has_either(store, formula, LTL_M, LTL_XOR);
        for (int full = 0; full < 2; full++) {
            char *text = print_as(store, formula, OPAC_FORMULA_PRISM, full == 1);
            ltl_formula back = read_as(store, LTL_GRAMMAR_PRISM, text);
            if (is_exact && back != formula)
                fail_msg("%s reads back as another formula", text);
            for (int i = 0; i < 10 && ltl_ap_count(store) <= 20; i++) {
                small_lasso word = random_lasso(&random, 20);
                assert_int_equal(lasso_places(store, formula, &word),
                                 lasso_places(store, back, &word));
            }
            free(text);
        }
        same += is_exact;
        ltl_store_free(store);
    }
    assert_true(same > 500);
}

/* A printed text without one pair of its parentheses (outside quotes) is another formula. */
static void no_parentheses_are_superfluous(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    uint64_t random = random_seed(514);
    for (int round = 0; round < 6000; round++) {
        ltl_grammar grammar = round % 2 == 0 ? LTL_GRAMMAR_INFIX : LTL_GRAMMAR_PRISM;
        ltl_store *store = new_store();
        ltl_formula formula = random_formula(store, &random, 8, names, 3);
        bool is_prism = grammar == LTL_GRAMMAR_PRISM;
        /* a xor (b xor a) is also (a xor b) xor a, because xor is commutative. */
        if (has_either(store, formula, LTL_XOR, LTL_IFF) ||
            (is_prism && has_either(store, formula, LTL_M, LTL_M))) {
            ltl_store_free(store);
            continue;
        }
        char *text =
            print_as(store, formula, is_prism ? OPAC_FORMULA_PRISM : OPAC_FORMULA_INFIX, false);
        for (size_t open = 0; text[open] != '\0'; open++) {
            if (text[open] != '(')
                continue;
            size_t close = open, depth = 0;
            do
                depth = text[close] == '(' ? depth + 1 : text[close] == ')' ? depth - 1 : depth;
            while (depth > 0 && text[++close] != '\0');
            /* PRISM requires parentheses that this parser does not need, as in a & (F b). */
            bool is_temporal = strchr("FGX", text[open + 1]) != NULL;
            if (is_prism && is_temporal)
                continue;
            text[open] = text[close] = ' ';
            ltl_formula other;
            opac_status status =
                is_prism ? ltl_parse_prism(store, text, strlen(text), NULL, NULL, &other, NULL)
                         : ltl_parse_infix(store, text, strlen(text), NULL, &other, NULL);
            if (status == OPAC_OK && other == formula)
                fail_msg("%s needs no parentheses at %zu", text, open);
            text[open] = '(';
            text[close] = ')';
        }
        free(text);
        ltl_store_free(store);
    }
}

static void prints(const char *text, opac_formula_style style, const char *expected)
{
    ltl_store *store = new_store();
    char *printed = print_as(store, read_as(store, LTL_GRAMMAR_INFIX, text), style, false);
    assert_string_equal(printed, expected);
    free(printed);
    ltl_store_free(store);
}

static void styles(void **state)
{
    (void)state;
    prints("G F a -> (b U c & !d)", OPAC_FORMULA_INFIX, "G F a -> b U c & !d");
    prints("G F a -> (b U c & !d)", OPAC_FORMULA_PRISM, "(G F \"a\") => (\"b\" U \"c\") & !\"d\"");
    prints("a M b", OPAC_FORMULA_PRISM, "\"b\" U (\"a\" & \"b\")");
    prints("a xor b", OPAC_FORMULA_PRISM, "!(\"a\" <=> \"b\")");
    prints("F (\"s=3\" & \"a?b:c\")", OPAC_FORMULA_PRISM, "F s=3 & (a?b:c)");
    prints("a R b W c", OPAC_FORMULA_INFIX, "a R b W c");
    prints("(a U b) U c", OPAC_FORMULA_INFIX, "(a U b) U c");
    prints("a U (b U c)", OPAC_FORMULA_PRISM, "\"a\" U (\"b\" U \"c\")");
    prints("G F (a & X !b_1) | true U \"50%\"", OPAC_FORMULA_LATEX,
           "\\mathsf{G} \\mathsf{F} (\\mathit{a} \\land \\mathsf{X} \\lnot \\mathit{b\\_1}) \\lor "
           "\\mathsf{F} \\mathit{50\\%}");
    prints("(a U b) -> (c R d) <-> (e W f) xor (g M h)", OPAC_FORMULA_LATEX,
           "\\mathit{a} \\mathbin{\\mathsf{U}} \\mathit{b} \\rightarrow \\mathit{c} "
           "\\mathbin{\\mathsf{R}} \\mathit{d} \\leftrightarrow \\mathit{e} "
           "\\mathbin{\\mathsf{W}} \\mathit{f} \\oplus \\mathit{g} \\mathbin{\\mathsf{M}} "
           "\\mathit{h}");
    prints("true", OPAC_FORMULA_LATEX, "\\mathrm{true}");
    prints("\"a b\\\\{}^~#$&\"", OPAC_FORMULA_LATEX,
           "\\mathit{a\\ b{\\backslash}\\{\\}{\\wedge}{\\sim}\\#\\$\\&}");
}

static void deep_formulas_are_printed(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    ltl_formula a = ltl_ap(store, "a", 1), deep = a;
    for (int i = 0; i < LTL_DEPTH_LIMIT; i++)
        deep = i % 2 == 0 ? ltl_not(store, deep) : ltl_binary(store, LTL_U, deep, a);
    opac_error error = {0};
    assert_ok(ltl_store_check(store, &error), &error);
    char *text = print_as(store, deep, OPAC_FORMULA_INFIX, true);
    assert_int_equal(read_as(store, LTL_GRAMMAR_INFIX, text), deep);
    free(text);
    text = print_as(store, deep, OPAC_FORMULA_PRISM, false);
    assert_int_equal(read_as(store, LTL_GRAMMAR_PRISM, text), deep);
    free(text);
    ltl_store_free(store);
}

/* A formula whose text doubles at each level. */
static void too_long_texts_are_errors(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    ltl_formula all = ltl_ap(store, "a", 1);
    for (int i = 0; i < 60; i++)
        all = ltl_binary(store, LTL_U, ltl_x(store, all), all);
    opac_output *out;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    ltl_print(store, all, OPAC_FORMULA_INFIX, out);
    assert_status(opac_output_commit(out, &error), OPAC_ERROR_LIMIT);
    opac_output_free(out);
    ltl_store_free(store);
}

static opac_status print_some(void *context, opac_error *error)
{
    opac_output *out;
    ltl_store *store;
    ltl_formula formula = LTL_FALSE;
    const char *text = "F (\"s=3\" & \"a?b:c\" & Up) xor (a M b <-> c)";
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = ltl_parse_infix(store, text, strlen(text), NULL, &formula, error);
    if (status == OPAC_OK)
        status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK) {
        ltl_print(store, formula, *(opac_formula_style *)context, out);
        status = opac_output_commit(out, error);
        opac_output_free(out);
    }
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        opac_formula_style style = (opac_formula_style)i;
        assert_true(faults_sweep(print_some, &style) > 5);
    }
}

SUITE(print)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infix_round_trip),
        cmocka_unit_test(prism_round_trip),
        cmocka_unit_test(no_parentheses_are_superfluous),
        cmocka_unit_test(styles),
        cmocka_unit_test(deep_formulas_are_printed),
        cmocka_unit_test(too_long_texts_are_errors),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
