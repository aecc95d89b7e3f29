/* SPDX-License-Identifier: MIT */
/* PRISM's path formulas: precedence, expressions, the semantics of bounds, errors. */
#include "lassos.h"
#include "support/faults.h"
#include "texts.h"

static void reads(const char *text, const char *full)
{
    assert_reads(LTL_GRAMMAR_PRISM, text, full);
}

static void refuses(const char *text, uint32_t line, uint32_t column, const char *part)
{
    assert_refuses(LTL_GRAMMAR_PRISM, text, strlen(text), OPAC_ERROR_SYNTAX, line, column, part);
}

static void refuses_kind(const char *text, uint32_t column, const char *part)
{
    assert_refuses(LTL_GRAMMAR_PRISM, text, strlen(text), OPAC_ERROR_UNSUPPORTED, 1, column, part);
}

static void precedence(void **state)
{
    (void)state;
    reads("F a & b", "F (\"a\" & \"b\")");
    reads("G F s=3 | s=4", "G (F (s=3 | s=4))");
    reads("(F a) & b", "(F \"a\") & \"b\"");
    reads("s=3 | F t=4", "s=3 | (F t=4)");
    reads("a & F b | c", "\"a\" & (F (\"b\" | \"c\"))");
    reads("F a U b", "(F \"a\") U \"b\"");
    reads("a U F b & c", "\"a\" U (F (\"b\" & \"c\"))");
    reads("a & b U c | d", "(\"a\" & \"b\") U (\"c\" | \"d\")");
    reads("(a U b) W c", "(\"a\" U \"b\") W \"c\"");
    reads("a R (b U c)", "\"a\" R (\"b\" U \"c\")");
    reads("a => b => c", "(\"a\" => \"b\") => \"c\"");
    reads("a <=> b => c", "(\"a\" <=> \"b\") => \"c\"");
    reads("a => b <=> c", "\"a\" => (\"b\" <=> \"c\")");
    reads("a | b <=> c & d", "(\"a\" | \"b\") <=> (\"c\" & \"d\")");
    reads("!a & b", "(!\"a\") & \"b\"");
    reads("! F a & b", "!(F (\"a\" & \"b\"))");
    reads("!s=3", "!s=3");
    reads("X X a", "X (X \"a\")");
    reads("GF \"goal\"", "G (F \"goal\")");
    reads("XX(a)", "X (X \"a\")");
    reads("FG !a", "F (G (!\"a\"))");
    reads("GF", "\"GF\"");
    reads("GF U b", "\"GF\" U \"b\"");
    reads("FGb", "\"FGb\"");
    reads("true U false", "false");
    reads("\"a\" & a", "\"a\"");
}

static void expressions(void **state)
{
    (void)state;
    reads("s = 3", "s=3");
    reads("x + 1 <= y * 2", "x+1<=y*2");
    reads("mod( x , 2 ) = 0", "mod(x,2)=0");
    reads("F (mod(x,2)=0 & y>1)", "F (mod(x,2)=0 & y>1)");
    reads("(a ? b : c)", "(a?b:c)");
    reads("F a ? b : c & d", "F (a?b:c&d)");
    reads("a & b ? c : d", "(a&b?c:d)");
    reads("(a ? 1 : 2) < 3 & d", "(a?1:2)<3 & \"d\"");
    reads("a ? b : c ? d : e", "(a?b:c?d:e)");
    reads("F (s=3)", "F s=3");
    reads("((x)) & ((y = 1))", "\"x\" & y=1");
    reads("(x) + 1 > 2", "(x)+1>2");
    reads("(a & b) = c", "(a&b)=c");
    reads("(a => b) != (c | !d)", "(a=>b)!=(c|!d)");
    reads("a = !b & c", "a=!b & \"c\"");
    reads("-x < -1", "-x<-1");
    reads("x - -1 = 2 ^ 3 ^ y", "x--1=2^3^y");
    reads("max(x, min(y, 3)) > 1.5e-3", "max(x,min(y,3))>1.5e-3");
    reads("floor(x/2) = 1", "floor(x/2)=1");
    reads("func(min, a, b) = 1", "func(min,a,b)=1");
    reads("flag", "\"flag\"");
    reads("f(a)", "f(a)");
    reads("x=1 & (y=2 | z=3 & F w=4)", "x=1 & (y=2 | (z=3 & (F w=4)))");
    reads("a=true", "a=true");
    reads("x<y = z", "x<y=z");
}

static void bounds_are_expanded(void **state)
{
    (void)state;
    reads("F<=2 a", "\"a\" | (X (\"a\" | (X \"a\")))");
    reads("F<2 a", "\"a\" | (X \"a\")");
    reads("F>=2 a", "X (X (F \"a\"))");
    reads("F>1 a", "X (X (F \"a\"))");
    reads("F=1 a", "X \"a\"");
    reads("F[1,2] a", "X (\"a\" | (X \"a\"))");
    reads("G<=1 a", "\"a\" & (X \"a\")");
    reads("F<=1 (a)", "\"a\" | (X \"a\")");
    reads("F<=1 !a", "(!\"a\") | (X (!\"a\"))");
    reads("a U<=1 b", "\"b\" | (\"a\" & (X \"b\"))");
    reads("a U[1,1] b", "\"a\" & (X \"b\")");
    reads("a R<=1 b", "\"b\" & (\"a\" | (X \"b\"))");
    reads("a U>=1 b", "\"a\" & (X (\"a\" U \"b\"))");
    reads("F<=1 a & b", "(\"a\" & \"b\") | (X (\"a\" & \"b\"))");
}

/* left U[low,high] right at the beginning of the word, by the definition. */
static bool until_within(const small_lasso *word, uint32_t left, uint32_t right, uint32_t low,
                         uint32_t high)
{
    uint32_t at = 0;
    for (uint32_t step = 0; step <= high; step++) {
        if (step >= low && (right >> at & 1))
            return true;
        if (!(left >> at & 1))
            return false;
        at = lasso_next(word, at);
    }
    return false;
}

/* PRISM defines G, R and W by negation of U with the same bounds. */
static bool means(const small_lasso *word, char op, uint32_t low, uint32_t high)
{
    uint32_t a = 0, b = 0, all = (UINT32_C(1) << word->length) - 1;
    for (uint32_t at = 0; at < word->length; at++) {
        a |= (word->letters[at] & 1) << at;
        b |= (word->letters[at] >> 1 & 1) << at;
    }
    switch (op) {
    case 'F':
        return until_within(word, all, b, low, high);
    case 'G':
        return !until_within(word, all, all & ~b, low, high);
    case 'U':
        return until_within(word, a, b, low, high);
    case 'R':
        return !until_within(word, all & ~a, all & ~b, low, high);
    default:
        return !until_within(word, a & ~b, all & ~a & ~b, low, high);
    }
}

static void bounds_have_their_semantics(void **state)
{
    (void)state;
    enum {
        FOR_EVER = 40 /* steps: more than enough for these words */
    };
    uint64_t random = random_seed(511);
    const uint32_t rounds = random_rounds(15, 60);
    const char ops[] = "FGURW";
    for (size_t o = 0; o < 5; o++)
        for (uint32_t low = 0; low < 5; low++)
            for (uint32_t high = low; high < 7; high++) {
                char text[64];
                bool is_open = high == 6;
                const char *left = o < 2 ? "" : "(a)";
                if (is_open)
                    snprintf(text, sizeof text, "%s %c>=%u (b)", left, ops[o], low);
                else
                    snprintf(text, sizeof text, "%s %c[%u,%u] (b)", left, ops[o], low, high);
                ltl_store *store = new_store();
                ltl_ap(store, "a", 1);
                ltl_ap(store, "b", 1);
                ltl_formula formula = read_as(store, LTL_GRAMMAR_PRISM, text);
                for (uint32_t round = 0; round < rounds; round++) {
                    small_lasso word = random_lasso(&random, 2);
                    bool holds = lasso_places(store, formula, &word) & 1;
                    if (holds != means(&word, ops[o], low, is_open ? FOR_EVER : high))
                        fail_msg("%s is wrong", text);
                }
                ltl_store_free(store);
            }
}

static void errors_have_positions_and_expectations(void **state)
{
    (void)state;
    refuses("", 1, 1, "the formula is empty");
    refuses("a U b U c", 1, 7, "do not associate in PRISM: add parentheses");
    refuses("a U b W c", 1, 7, "do not associate in PRISM: add parentheses");
    refuses("a &", 1, 4, "expected an operand, found the end of the formula");
    refuses("a & & b", 1, 5, "expected an operand, found '&'");
    refuses("a b", 1, 3, "expected an operator between two operands");
    refuses("a && b", 1, 3, "PRISM writes '&'");
    refuses("a || b", 1, 3, "PRISM writes '|'");
    refuses("x == 1", 1, 3, "PRISM writes '='");
    refuses("a -> b", 1, 3, "PRISM writes '=>'");
    refuses("a xor b", 1, 3, "found 'xor', which PRISM does not have");
    refuses("a M b", 1, 3, "found 'M', which PRISM does not have");
    refuses("U a", 1, 1, "expected an operand, found 'U'");
    refuses("(a & b", 1, 7, "the parenthesis opened at line 1, column 1 is not closed");
    refuses("f(a, b", 1, 7, "the parenthesis opened at line 1, column 2 is not closed");
    refuses("a)", 1, 2, "this ')' has no '(' before it");
    refuses("a, b", 1, 2, "expected an operator, found ','");
    refuses("f()", 1, 3, "expected an operand, found ')'");
    refuses("a & \"b", 1, 5, "the quote that begins here is not closed");
    refuses("x + 1", 1, 1, "expected a condition, found the number x + 1");
    refuses("a & 3", 1, 5, "expected a condition, found the number 3");
    refuses("F (x*2)", 1, 4, "expected a condition, found the number x*2");
    refuses("a ? b", 1, 3, "this '?' has no ':' after it");
    refuses("(a ? b) : c", 1, 4, "this '?' has no ':' after it");
    refuses("a : b", 1, 3, "this ':' has no '?' before it");
    refuses("(F a) = b", 1, 2, "a temporal operator cannot be inside an expression");
    refuses("x = (a & F b)", 1, 6, "a temporal operator cannot be inside an expression");
    refuses("f(a U b) = 1", 1, 3, "a temporal operator cannot be inside an expression");
    refuses("a ? F b : c", 1, 5, "a temporal operator cannot be inside an expression");
    refuses("a ]", 1, 3, "expected an operator, found ']'");
    refuses("a & \xC3\xA4", 1, 5, "names that are not ASCII must be in quotes");
    refuses("\n a \xFF", 2, 4, "invalid UTF-8");
}

static void bad_bounds(void **state)
{
    (void)state;
    refuses("X<=2 a", 1, 1, "X takes no bound");
    refuses("F<=k a", 1, 4, "the bound 'k' must be a number: constants cannot be used here");
    refuses("F<=2+k a", 1, 4, "the bound '2+k' must be a number");
    refuses("F<=(2 a", 1, 4, "this parenthesis is not closed");
    refuses("F<=1.5 a", 1, 4, "the bound '1.5' must be a whole number of steps");
    refuses("F<0 a", 1, 2, "the bounds exclude all steps");
    refuses("F[3,2] a", 1, 2, "the bounds exclude all steps");
    refuses("F[3] a", 1, 4, "expected ',' and a second bound, found ']'");
    refuses("F[3,4 a", 1, 7, "expected ']', found 'a'");
    refuses("F[,4] a", 1, 3, "expected a number of steps, found ','");
    refuses("F!=2 a", 1, 2, "expected a bound or an operand, found '!='");
    refuses("F<= a", 1, 5, "the bound 'a' must be a number");
    assert_refuses(LTL_GRAMMAR_PRISM, "a U<=5000 b", 11, OPAC_ERROR_LIMIT, 1, 3,
                   "the bound 5000 is too large");
    assert_refuses(LTL_GRAMMAR_PRISM, "F<=1e300 b", 10, OPAC_ERROR_LIMIT, 1, 1, "is too large");
    assert_refuses(LTL_GRAMMAR_PRISM, "F<=2000 (a U<=1000 b)", 21, OPAC_ERROR_LIMIT, 1, 1,
                   "more than 1000000 operators");
}

static void unsupported_features_are_named(void **state)
{
    (void)state;
    refuses_kind("F P>=0.5 [ F a ]", 3, "a P operator inside a formula is not supported");
    refuses_kind("F Pmax=? [ F a ]", 3, "a P operator inside a formula");
    refuses_kind("R=? [ F a ]", 1, "the reward operator R is not supported");
    refuses_kind("S=? [ a ]", 1, "the steady-state operator S is not supported");
    refuses_kind("A [ F a ]", 1, "the path quantifier A is not supported");
    refuses_kind("E [ F a ]", 1, "the path quantifier E is not supported");
    refuses_kind("C<=5", 1, "the cumulative reward C");
    refuses_kind("filter(min, a)", 1, "a filter is not supported");
    refuses_kind("F a {b}", 5, "a filter in braces is not supported");
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
    const char *const pieces[] = {"(", "!", "F ", "X", "-", "a U (", "f(", "a ? b : ", "a & F "};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        char *text = repeat(pieces[i], 1000000, " a");
        ltl_store *store = new_store();
        ltl_formula formula;
        opac_error error = {0};
        opac_status status =
            ltl_parse_prism(store, text, strlen(text), NULL, NULL, &formula, &error);
        assert_status(status, OPAC_ERROR_LIMIT);
        assert_non_null(strstr(error.message, "operators and parentheses are open here"));
        ltl_store_free(store);
        free(text);
    }
    char *text = repeat("a & ", 1000000, "b");
    reads(text, "\"a\" & \"b\"");
    free(text);
    text = repeat("1 + ", 1000000, "b > 2");
    ltl_store *store = new_store();
    assert_int_equal(ltl_op_of(store, read_as(store, LTL_GRAMMAR_PRISM, text)), LTL_AP);
    ltl_store_free(store);
    free(text);
}

/* At each level, all of the text before becomes an expression again. */
static void repeated_expressions_are_limited(void **state)
{
    (void)state;
    enum {
        LEVELS = 10000,
        WIDTH = 10000
    };
    char *text = malloc(LEVELS * 10u + WIDTH + 10);
    assert_non_null(text);
    memset(text, '(', LEVELS);
    memset(text + LEVELS, 'x', WIDTH);
    size_t at = LEVELS + WIDTH;
    for (int i = 0; i < LEVELS; i++)
        at += (size_t)sprintf(text + at, "=c & d)");
    ltl_store *store = new_store();
    ltl_formula formula;
    opac_error error = {0};
    assert_status(ltl_parse_prism(store, text, at, NULL, NULL, &formula, &error), OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "the expressions of the formula are too long"));
    ltl_store_free(store);
    free(text);
}

/* ---- hooks ---- */

typedef struct model {
    char seen[256];
} model;

static opac_status know_expression(void *context, const char *text, size_t length, uint32_t line,
                                   uint32_t column, ltl_store *store, ltl_formula *result,
                                   opac_error *error)
{
    model *known = context;
    size_t used = strlen(known->seen);
    snprintf(known->seen + used, sizeof known->seen - used, "%u:%u:%.*s;", line, column,
             (int)length, text);
    if (length == 3 && memcmp(text, "bad", 3) == 0)
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, line, column, "no variable 'bad'");
    *result = length == 4 ? LTL_TRUE : ltl_ap(store, "hooked", 6);
    return OPAC_OK;
}

static opac_status know_number(void *context, const char *text, size_t length, uint32_t line,
                               uint32_t column, double *value, opac_error *error)
{
    (void)context;
    if (length == 1 && text[0] == 'k')
        *value = 1;
    else if (length == 5 && memcmp(text, "(k+1)", 5) == 0)
        *value = 2;
    else if (length == 1 && text[0] == 'h')
        *value = 0.5;
    else
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, line, column, "no such constant");
    return OPAC_OK;
}

static void hooks_access_the_model(void **state)
{
    (void)state;
    model known = {""};
    ltl_prism_hooks hooks = {
        .context = &known, .expression = know_expression, .number = know_number};
    ltl_store *store = new_store();
    ltl_formula formula;
    opac_error error = {0};
    const char *text = "F<=k (s = 3) &\n (x?y:z) & \"l\" & flag";
    assert_ok(ltl_parse_prism(store, text, strlen(text), NULL, &hooks, &formula, &error), &error);
    assert_string_equal(known.seen, "1:7:s = 3;2:3:x?y:z;2:18:flag;");
    char *printed = print_as(store, formula, OPAC_FORMULA_INFIX, false);
    assert_string_equal(printed, "hooked & l | X (hooked & l)");
    free(printed);
    assert_ok(ltl_parse_prism(store, "F=(k+1) \"l\"", 11, NULL, &hooks, &formula, &error), &error);
    assert_int_equal(formula, read_as(store, LTL_GRAMMAR_INFIX, "XXl"));
    assert_status(ltl_parse_prism(store, "F<=q a", 6, NULL, &hooks, &formula, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(ltl_parse_prism(store, "F<=h a", 6, NULL, &hooks, &formula, &error),
                  OPAC_ERROR_SYNTAX);
    assert_status(ltl_parse_prism(store, "x & bad", 7, NULL, &hooks, &formula, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_int_equal(error.column, 5);
    ltl_store_free(store);
}

static void note(void *context, uint32_t line, uint32_t column, const char *text)
{
    snprintf(context, 256, "%u:%u: %s", line, column, text);
}

static void different_grammars_give_a_notice(void **state)
{
    (void)state;
    char last[256] = "";
    opac_formula_options options = {NULL, 0, note, last, NULL};
    ltl_store *store = new_store();
    ltl_formula formula;
    const char *text = " F \"Goal\" & b";
    assert_int_equal(ltl_parse_prism(store, text, strlen(text), &options, NULL, &formula, NULL),
                     OPAC_OK);
    assert_string_equal(last, "1:2: read as F (\"Goal\" & \"b\"); the infix grammar reads "
                              "(F \"Goal\") & \"b\"");
    const char *const silent[] = {"F Goal", "F (a & b)", "F s=3 & t=4", "GF a", "a U b", "Xa | b"};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        last[0] = '\0';
        assert_int_equal(
            ltl_parse_prism(store, silent[i], strlen(silent[i]), &options, NULL, &formula, NULL),
            OPAC_OK);
        assert_string_equal(last, "");
    }
    ltl_store_free(store);
}

static opac_status parse_some(void *context, opac_error *error)
{
    const char *text = context;
    char last[256];
    ltl_store *store;
    ltl_formula formula;
    opac_formula_options options = {NULL, 0, note, last, NULL};
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = ltl_parse_prism(store, text, strlen(text), &options, NULL, &formula, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    char text[] = "F<=2 a & (s=3 | mod(x,2)=0 => (p?q:r)) & \"label\" <=> (u U[1,2] w)";
    char ambiguous[] = "F a & (b | c => d) & \"label\"";
    assert_true(faults_sweep(parse_some, text) > 20);
    assert_true(faults_sweep(parse_some, ambiguous) > 20);
}

SUITE(parse_prism)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence),
        cmocka_unit_test(expressions),
        cmocka_unit_test(bounds_are_expanded),
        cmocka_unit_test(bounds_have_their_semantics),
        cmocka_unit_test(errors_have_positions_and_expectations),
        cmocka_unit_test(bad_bounds),
        cmocka_unit_test(unsupported_features_are_named),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(repeated_expressions_are_limited),
        cmocka_unit_test(hooks_access_the_model),
        cmocka_unit_test(different_grammars_give_a_notice),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
