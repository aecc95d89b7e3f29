/* SPDX-License-Identifier: MIT */
/* The infix grammar: spellings, precedence, words, errors, limits. */
#include "ltl/operand_stack.h"
#include "support/faults.h"
#include "texts.h"

static void reads(const char *text, const char *full)
{
    assert_reads(LTL_GRAMMAR_INFIX, text, full);
}

static void refuses(const char *text, uint32_t line, uint32_t column, const char *part)
{
    assert_refuses(LTL_GRAMMAR_INFIX, text, strlen(text), OPAC_ERROR_SYNTAX, line, column, part);
}

static void every_spelling(void **state)
{
    (void)state;
    const char *const trues[] = {"true", "tt", "1", "True", "TRUE", "!false", "!ff", "!0", "~0"};
    for (size_t i = 0; i < sizeof trues / sizeof trues[0]; i++)
        reads(trues[i], "true");
    const char *const falses[] = {"false", "ff", "0", "False", "FALSE", "~true"};
    for (size_t i = 0; i < sizeof falses / sizeof falses[0]; i++)
        reads(falses[i], "false");
    reads("!a", "!a");
    reads("~a", "!a");
    reads("a & b", "a & b");
    reads("a && b", "a & b");
    reads("a /\\ b", "a & b");
    reads("a | b", "a | b");
    reads("a || b", "a | b");
    reads("a \\/ b", "a | b");
    reads("a -> b", "a -> b");
    reads("a => b", "a -> b");
    reads("a <-> b", "a <-> b");
    reads("a <=> b", "a <-> b");
    reads("a ^ b", "a xor b");
    reads("a xor b", "a xor b");
    reads("X a", "X a");
    reads("F a", "F a");
    reads("<>a", "F a");
    reads("G a", "G a");
    reads("[]a", "G a");
    reads("a U b", "a U b");
    reads("a W b", "a W b");
    reads("a R b", "a R b");
    reads("a V b", "a R b");
    reads("a M b", "a M b");
    reads(" \t\r\n( a )\n", "a");
    reads("a.b_1 & .c", "\"a.b_1\" & \".c\"");
}

static void precedence(void **state)
{
    (void)state;
    reads("a -> b <-> c -> d", "a -> (b <-> (c -> d))");
    reads("a <-> b -> c", "a <-> (b -> c)");
    reads("a | b -> c | d", "(a | b) -> (c | d)");
    reads("a ^ b | c ^ d", "(a xor b) | (c xor d)");
    reads("a ^ b ^ c",
          "(a xor b) xor c"); /* left-associative; children are in the order of their numbers */
    reads("a & b ^ c & d", "(a & b) xor (c & d)");
    reads("a U b & c U d", "(a U b) & (c U d)");
    reads("a U b U c", "a U (b U c)");
    reads("a R b M c W d", "a R (b M (c W d))");
    reads("F a U X b", "(F a) U (X b)");
    reads("!F a & X !b", "(!(F a)) & (X (!b))");
    reads("a & b & (c & d)", "a & b & c & d");
    reads("(a | b) | (c | d) & e", "a | b | ((c | d) & e)");
}

/* Formulas with the result of Spot's parser. */
static void as_spot_reads_them(void **state)
{
    (void)state;
    reads("Goal", "G oal");
    reads("GFa", "G (F a)");
    reads("F1", "F1");
    reads("Xx", "X x");
    reads("Wall", "Wall");
    reads("Mine", "Mine");
    reads("V1", "V1");
    reads("a Wb", "a W b");
    reads("p U Up", "p U Up");
    reads("a xor b | c", "(a xor b) | c");
    reads("a U b & c", "(a U b) & c");
    reads("F a & b", "(F a) & b");
    reads("!a U b", "(!a) U b");
    reads("a W b U c", "a W (b U c)");
    reads("a -> b -> c", "a -> (b -> c)");
    reads("F[2:4] a", "X (X (a | (X (a | (X a)))))");
    reads("G[1..2]a", "X (a & (X a))");
}

static void words(void **state)
{
    (void)state;
    reads("GF1", "G F1");
    reads("X1", "X1");
    reads("G0", "G0");
    reads("G0a", "G0a");
    reads("X[2]a", "X (X a)");
    reads("F_a", "F _a");
    reads("GFXGa", "G (F (X (G a)))");
    reads("aUb", "aUb");
    reads("(a)U(b)", "a U b");
    reads("(a)UFb", "a U (F b)");
    reads("a UUb", "a U Ub");
    reads("a Until", "a U ntil");
    reads("xory", "xory");
    reads("falsehood", "falsehood");
    reads("truef", "truef");
    reads("Falsey", "F alsey");
    reads("[]<>a", "G (F a)");
    reads("F[]a", "F (G a)");
    reads("X []a", "X (G a)");
    reads("\"Goal\" & \"U\"", "\"Goal\" & \"U\"");
    reads("\"a\"", "a");
    reads("\"x=3 & y<2\"", "\"x=3 & y<2\"");
    reads("\"say \\\"hi\\\" \\\\ \\n\"", "\"say \\\"hi\\\" \\\\ n\"");
    reads("\"\"", "\"\"");
    reads("\"gr\xC3\xBC\xC3\x9F\" U b", "\"gr\xC3\xBC\xC3\x9F\" U b");
}

static void bounds(void **state)
{
    (void)state;
    reads("X[0] a", "a");
    reads("X[3] a", "X (X (X a))");
    reads("F[0:0] a", "a");
    reads("F[1:1] a", "X a");
    reads("F[0:2] a", "a | (X (a | (X a)))");
    reads("F[0,1] a", "a | (X a)");
    reads("G [ 1 .. 1 ] a", "X a");
    reads("F[2:] a", "X (X (F a))");
    reads("G[1..] a", "X (G a)");
    reads("G[0:1] F[0:1] a", "(a | (X a)) & (X (a | (X a)))");
    reads("F[1:2] a & b", "(X (a | (X a))) & b");
}

typedef struct noted {
    int count;
    uint32_t line, column;
    char text[512];
} noted;

static void note(void *context, uint32_t line, uint32_t column, const char *text)
{
    noted *last = context;
    last->count++;
    last->line = line;
    last->column = column;
    snprintf(last->text, sizeof last->text, "%s", text);
}

static void labels_are_whole_words(void **state)
{
    (void)state;
    const char *const labels[] = {"Goal", "GFa", "tt", "G", "U", "oal"};
    noted last = {0};
    opac_formula_options options = {labels, 6, note, &last, NULL};
    const char *const cases[][2] = {
        {"G F Goal", "G (F \"Goal\")"},
        {"GFa", "\"GFa\""},
        {"GFab", "G (F ab)"},
        {"tt", "\"tt\""},
        {"G a", "G a"},
        {"a U oal", "a U oal"},
    };
    const int notices[] = {1, 1, 0, 1, 0, 0};
    for (size_t i = 0; i < 6; i++) {
        ltl_store *store = new_store();
        ltl_formula formula;
        opac_error error = {0};
        last.count = 0;
        assert_ok(
            ltl_parse_infix(store, cases[i][0], strlen(cases[i][0]), &options, &formula, &error),
            &error);
        char *printed = print_as(store, formula, OPAC_FORMULA_INFIX, true);
        assert_string_equal(printed, cases[i][1]);
        assert_int_equal(last.count, notices[i]);
        free(printed);
        ltl_store_free(store);
    }
    ltl_store *store = new_store();
    ltl_formula formula;
    assert_int_equal(ltl_parse_infix(store, "a &\n  Goal", 10, &options, &formula, NULL), OPAC_OK);
    assert_string_equal(last.text, "'Goal' is read as the label of that name");
    assert_int_equal(last.line, 2);
    assert_int_equal(last.column, 3);
    ltl_store_free(store);
}

static void different_grammars_give_a_notice(void **state)
{
    (void)state;
    noted last = {0};
    opac_formula_options options = {NULL, 0, note, &last, NULL};
    const char *const silent[] = {"GFa",       "Goal",      "F a",      "F (a & b)",
                                  "a & b | c", "a Wb",      "a && F b", "!a | b",
                                  "F1",        "(F a) & b", "a & F b",  "\"x\" U b"};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        ltl_store *store = new_store();
        ltl_formula formula;
        assert_int_equal(
            ltl_parse_infix(store, silent[i], strlen(silent[i]), &options, &formula, NULL),
            OPAC_OK);
        if (last.count != 0)
            fail_msg("%s: %s", silent[i], last.text);
        ltl_store_free(store);
    }
    const char *const loud[][2] = {
        {"\n F a & b", "read as (F a) & b; PRISM's properties read F (a & b)"},
        {"Goal & b", "read as (G oal) & b; PRISM's properties read G (oal & b)"},
        {"!Fa | b", "read as (!(F a)) | b; PRISM's properties read !(F (a | b))"},
        {"a => b => c", "read as a -> (b -> c); PRISM's properties read (a -> b) -> c"},
        {"a & b U c", "read as a & (b U c); PRISM's properties read (a & b) U c"},
    };
    for (size_t i = 0; i < 5; i++) {
        ltl_store *store = new_store();
        ltl_formula formula;
        assert_int_equal(
            ltl_parse_infix(store, loud[i][0], strlen(loud[i][0]), &options, &formula, NULL),
            OPAC_OK);
        assert_string_equal(last.text, loud[i][1]);
        assert_int_equal(last.line, i == 0 ? 2 : 1);
        assert_int_equal(last.column, i == 0 ? 2 : 1);
        ltl_store_free(store);
    }
    assert_int_equal(last.count, 5);
}

static void errors_have_positions_and_expectations(void **state)
{
    (void)state;
    refuses("", 1, 1, "the formula is empty");
    refuses(" \n ", 2, 2, "the formula is empty");
    refuses("()", 1, 2, "expected an operand, found ')'");
    refuses("a &", 1, 4, "expected an operand, found the end of the formula");
    refuses("a &\n& b", 2, 1, "expected an operand, found '&'");
    refuses("G", 1, 2, "expected an operand, found the end");
    refuses("a b", 1, 3, "expected an operator between two operands, found 'b'");
    refuses("a (b)", 1, 3, "expected an operator between two operands");
    refuses("a !b", 1, 3, "expected an operator between two operands");
    refuses("not a", 1, 5, "found 'a'; negation is written '!'");
    refuses("E F a", 1, 3, "found 'F'; path quantifiers (A, E) are not part of LTL");
    refuses("G (AG\n a)", 2, 2, "found 'a'; path quantifiers (A, E) are not part of LTL");
    refuses("a \"b\"", 1, 3, "found \"b\"");
    refuses("(a) 1", 1, 5, "two operands");
    refuses("a = 3", 1, 3,
            "found the comparison '='; an expression of the model's variables "
            "must be in quotes");
    refuses("a == b", 1, 3, "the comparison '=='");
    refuses("a != b", 1, 3, "the comparison '!='");
    refuses("a <= b", 1, 3, "the comparison '<='");
    refuses("a - b", 1, 3, "implication is written '->'");
    refuses("a -", 1, 3, "implication is written '->'");
    refuses("(a & (b | c)", 1, 13, "the parenthesis opened at line 1, column 1 is not closed");
    refuses("a & (\n(b)", 2, 4, "the parenthesis opened at line 1, column 5 is not closed");
    refuses("a)", 1, 2, "this ')' has no '(' before it");
    refuses("a & \"b", 1, 5, "the quote that begins here is not closed");
    refuses("a & \"b\\\"", 1, 5, "the quote that begins here is not closed");
    refuses("P=? [ F a ]", 1, 1, "this looks like a PRISM property");
    refuses(" Pmax=? [ F a ]", 1, 2, "this looks like a PRISM property");
    refuses("P>=0.9 [ F a ]", 1, 1, "this looks like a PRISM property");
    refuses("R=? [ F a ]", 1, 1, "this looks like a PRISM property");
    refuses("F<=5 g", 1, 2,
            "found '<='; in a formula this bound is written F[0,5], the other form is for PRISM");
    refuses("a & G <7 g", 1, 7, "this bound is written G[0,6]");
    refuses("F>=3 g", 1, 2, "this bound is written F[3,]");
    refuses("G>3 g", 1, 2, "this bound is written G[4,]");
    refuses("F=3 g", 1, 2, "this bound is written F[3,3]");
    refuses("F[<=5] g", 1, 3, "this bound is written F[0,5]");
    refuses("X<=2 g", 1, 2, "this bound is written X[2]");
    refuses("F<1 g", 1, 2, "this bound is written F[0,0]");
    static const char *const others[] = {"F<=k g",     "F<0 g",   "F<=5.5 g",
                                         "F<=(1+2) g", "F<=-1 g", "F<=5+1 g",
                                         "F<= 5 *k g", "F<=5k g", "F<=99999999999999999999 g"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        refuses(others[i], 1, 2, "bounds are whole numbers in brackets, as in F[0,5], the other");
    refuses("G<N g", 1, 2, "as in G[0,5]");
    refuses("X=k g", 1, 2, "as in X[5]");
    refuses("a U<=4 g", 1, 4, "bounds of U, W, R and M are supported in PRISM properties only");
    refuses("a W[1,4] g", 1, 4, "bounds of U, W, R and M are supported in PRISM properties only");
    refuses("!<=4", 1, 2, "expected an operand, found '<='");
    refuses("a and b", 1, 3, "found 'and', which is written '&'");
    refuses("a or b", 1, 3, "found 'or', which is written '|'");
    refuses("a implies b", 1, 3, "found 'implies', which is written '->'");
    refuses("U", 1, 1, "found the operator 'U'; a proposition with that name must be in quotes");
    refuses("a U U", 1, 5, "found the operator 'U'");
    refuses("a & xor", 1, 5, "found the operator 'xor'");
    refuses("2", 1, 1, "found the number '2'; only 0 and 1 are formulas");
    refuses("a & \xC3\xA4", 1, 5, "found '\xC3\xA4'; names that are not ASCII must be in quotes");
    refuses("\"\xC3\xA4\" \xE2\x88\xA7 b", 1, 5, "expected an operator");
    refuses("a \x01", 1, 3, "'\\x01'");
    refuses("a # b", 1, 3, "found '#'");
    refuses("a \xFF", 1, 3, "invalid UTF-8");
    refuses("a + b", 1, 3, "expected an operator, found '+'");
    refuses("a\n; b", 2, 1, "found ';'");
    refuses("a ? b", 1, 3, "found '?'");
    assert_refuses(LTL_GRAMMAR_INFIX, "a\0b", 3, OPAC_ERROR_SYNTAX, 1, 2, "found '\\x00'");
    assert_refuses(LTL_GRAMMAR_INFIX, "\"a\0b\"", 5, OPAC_ERROR_SYNTAX, 1, 1, "NUL");
}

static void bad_bounds(void **state)
{
    (void)state;
    refuses("F[3] a", 1, 4, "F takes two bounds, as in F[0:3]");
    refuses("G[3] a", 1, 4, "G takes two bounds, as in G[0:3]");
    refuses("F[4:2] a", 1, 5, "the second bound, 2, is below the first, 4");
    refuses("F[a:2] a", 1, 3, "expected a number of steps, found 'a'");
    refuses("F[:2] a", 1, 3, "expected a number of steps, found ':'");
    refuses("F[ ] a", 1, 4, "expected a number of steps, found ']'");
    refuses("F[1:2 a", 1, 7, "expected ']', found 'a'");
    refuses("F[1-2] a", 1, 4, "expected ':' and a second bound, found '-'");
    refuses("X[1:2] a", 1, 4, "expected ']', found ':'");
    refuses("X[-1] a", 1, 3, "expected a number of steps, found '-'");
    refuses("a U[1:2] b", 1, 4, "expected an operand, found '['");
}

static void limits_reach(const char *text, const char *part)
{
    ltl_store *store = new_store();
    ltl_formula formula;
    opac_error error = {0};
    opac_status status = ltl_parse_infix(store, text, strlen(text), NULL, &formula, &error);
    assert_status(status, OPAC_ERROR_LIMIT);
    if (strstr(error.message, part) == NULL || error.line != 1 || error.column == 0)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    ltl_store_free(store);
}

static void bounds_are_limited(void **state)
{
    (void)state;
    limits_reach("F[0:5000] a", "the bound 5000 is too large");
    limits_reach("b & X[99999999999999999999999] a", "is too large");
    limits_reach("F[4001:] a", "the bound 4001 is too large");
    limits_reach("F[0:1000] F[0:1000] a", "more than 1000000 operators");
    limits_reach("G[0:4000] X a", "nested deeper than 4000");
    reads("F[0:4000] true", "true");
}

/* text · count, then tail, in a block of its own. */
static char *repeat(const char *text, size_t count, const char *tail)
{
    size_t size = strlen(text), tail_size = strlen(tail);
    char *made = malloc(size * count + tail_size + 1);
    assert_non_null(made);
    for (size_t i = 0; i < count; i++)
        memcpy(made + i * size, text, size);
    memcpy(made + size * count, tail, tail_size + 1);
    return made;
}

static void nesting_is_limited(void **state)
{
    (void)state;
    const char *const pieces[] = {"(", "!", "X", "a U ", "a -> (", "G(", "a|(b&", "F "};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        char *text = repeat(pieces[i], 1000000, "a");
        limits_reach(text, "operators and parentheses are open here");
        free(text);
    }
    char *text = repeat("X", 4001, " a");
    limits_reach(text, "nested deeper than 4000");
    free(text);
    text = repeat("X", 4000, " a");
    ltl_store *store = new_store();
    ltl_formula formula = read_as(store, LTL_GRAMMAR_INFIX, text);
    assert_int_equal(ltl_depth(store, formula), 4000);
    ltl_store_free(store);
    free(text);
    text = repeat("a ^ ", 10000, "b");
    reads(text, "b"); /* left-associative: simplified at each step */
    free(text);
}

static void long_chains_are_linear(void **state)
{
    (void)state;
    char *text = repeat("a & ", 1000000, "b");
    reads(text, "a & b");
    free(text);
    text = repeat("a | ", 1000001, "b");
    limits_reach(text, "more than 1000000 operators");
    free(text);
    text = malloc(20u * 400000);
    assert_non_null(text);
    size_t length = 0;
    for (int i = 0; i < 400000; i++)
        length += (size_t)sprintf(text + length, "%sp%d", i == 0 ? "" : " || ", i);
    ltl_store *store = new_store();
    ltl_formula formula = read_as(store, LTL_GRAMMAR_INFIX, text);
    assert_int_equal(ltl_arity(store, formula), 400000);
    ltl_store_free(store);
    free(text);
}

/* Parentheses around every prefix or every suffix of a chain do not change the node. */
static void bracketed_chains_are_linear(void **state)
{
    (void)state;
    enum {
        COUNT = 7000
    };
    char *left = malloc(20u * COUNT), *right = malloc(20u * COUNT);
    assert_non_null(left);
    assert_non_null(right);
    size_t at = 0, other = 0;
    memset(left, '(', COUNT - 1);
    at = COUNT - 1;
    for (int i = 0; i < COUNT; i++)
        at += (size_t)sprintf(left + at, i == 0 ? "p%d" : "|p%d)", i);
    for (int i = 0; i < COUNT; i++)
        other += (size_t)sprintf(right + other, i < COUNT - 1 ? "p%d|(" : "p%d", i);
    memset(right + other, ')', COUNT - 1);
    right[other + COUNT - 1] = '\0';
    ltl_store *store = new_store();
    ltl_formula formula = read_as(store, LTL_GRAMMAR_INFIX, left);
    assert_int_equal(ltl_arity(store, formula), COUNT);
    assert_int_equal(ltl_ap(store, "next", 4), COUNT + 3); /* numbers are assigned in order */
    assert_int_equal(read_as(store, LTL_GRAMMAR_INFIX, right), formula);
    ltl_store_free(store);
    free(left);
    free(right);
}

/* A list that is copied at each level of double negation. */
static void rewritten_lists_are_limited(void **state)
{
    (void)state;
    enum {
        WIDTH = 100000,
        DEPTH = 3000
    };
    char *text = malloc(16u * WIDTH + 16u * DEPTH);
    assert_non_null(text);
    size_t at = 0;
    for (int i = 0; i < DEPTH; i++)
        at += (size_t)sprintf(text + at, "!!(");
    for (int i = 0; i < WIDTH; i++)
        at += (size_t)sprintf(text + at, i == 0 ? "p%d" : "|p%d", i);
    for (int i = 0; i < DEPTH; i++)
        at += (size_t)sprintf(text + at, ")|q%d", i);
    limits_reach(text, "the formula is too large");
    free(text);
}

static void propositions_come_in_order(void **state)
{
    (void)state;
    ltl_store *store = new_store();
    read_as(store, LTL_GRAMMAR_INFIX, "F (z U y) & (x | z -> \"w\") xor v");
    const char *const names[] = {"z", "y", "x", "w", "v"};
    assert_int_equal(ltl_ap_count(store), 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(ltl_ap_name(store, i), names[i]);
    ltl_store_free(store);
}

static opac_status parse_some(void *context, opac_error *error)
{
    const char *text = context;
    ltl_store *store;
    ltl_formula formula;
    noted last;
    const char *const labels[] = {"Goal"};
    opac_formula_options options = {labels, 1, note, &last, NULL};
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = ltl_parse_infix(store, text, strlen(text), &options, &formula, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    char text[] = "F a & (\"b\" | c & Goal -> X[2] F[1:3] d) U !(e <-> f xor g) W h & i & j";
    assert_true(faults_sweep(parse_some, text) > 20);
}

SUITE(parse_infix)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling),
        cmocka_unit_test(precedence),
        cmocka_unit_test(as_spot_reads_them),
        cmocka_unit_test(words),
        cmocka_unit_test(bounds),
        cmocka_unit_test(labels_are_whole_words),
        cmocka_unit_test(different_grammars_give_a_notice),
        cmocka_unit_test(errors_have_positions_and_expectations),
        cmocka_unit_test(bad_bounds),
        cmocka_unit_test(bounds_are_limited),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(long_chains_are_linear),
        cmocka_unit_test(bracketed_chains_are_linear),
        cmocka_unit_test(rewritten_lists_are_limited),
        cmocka_unit_test(propositions_come_in_order),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
