/* SPDX-License-Identifier: MIT */
/*
 * Parsing of expressions. The oracle is a second parser that follows PRISM's grammar: one recursive function
 * for each precedence. Both parsers write the expression with all parentheses, and the texts must be equal.
 */
#include "base/text.h"
#include "prism/syntax.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

/* ---- an expression in words: the reader under test ---- */

typedef struct read_result {
    base_arena arena;
    base_intern names;
    prism_expression expression;
} read_result;

static void fini(read_result *reading)
{
    base_arena_fini(&reading->arena);
    base_intern_fini(&reading->names);
}

static opac_status read_text(const char *text, size_t length, read_result *reading,
                             opac_error *error)
{
    reading->arena = (base_arena){0};
    base_intern_init(&reading->names);
    return prism_parse_expression(text, length, (prism_place){1, 1}, &reading->arena,
                                  &reading->names, &reading->expression, error);
}

static const char *const signs[] = {
    [PRISM_OP_NOT] = "!",         [PRISM_OP_NEGATE] = "-",   [PRISM_OP_AND] = "&",
    [PRISM_OP_OR] = "|",          [PRISM_OP_IMPLIES] = "=>", [PRISM_OP_IFF] = "<=>",
    [PRISM_OP_EQUAL] = "=",       [PRISM_OP_UNEQUAL] = "!=", [PRISM_OP_LESS] = "<",
    [PRISM_OP_LESS_EQUAL] = "<=", [PRISM_OP_GREATER] = ">",  [PRISM_OP_GREATER_EQUAL] = ">=",
    [PRISM_OP_ADD] = "+",         [PRISM_OP_SUBTRACT] = "-", [PRISM_OP_MULTIPLY] = "*",
    [PRISM_OP_DIVIDE] = "/",      [PRISM_OP_POWER] = "^",
};

typedef struct pieces {
    char *items[512];
    size_t count;
} pieces;

static void add_leaf(const read_result *reading, const prism_node *node, base_text *text)
{
    size_t length;
    const char *name;
    switch (node->op) {
    case PRISM_OP_BOOL:
        base_text_add(text, node->value.integer != 0 ? "true" : "false");
        break;
    case PRISM_OP_INT:
        base_text_format(text, "%lld", (long long)node->value.integer);
        break;
    default:
        assert_int_equal(node->op, PRISM_OP_NAME);
        name = (const char *)base_intern_key(&reading->names, node->value.name, &length);
        base_text_add_bytes(text, name, length);
    }
}

static void add_node(const read_result *reading, const prism_node *node, char **operands,
                     base_text *text)
{
    size_t length;
    if (node->op == PRISM_OP_CALL) {
        const char *name =
            (const char *)base_intern_key(&reading->names, node->value.name, &length);
        base_text_add_bytes(text, name, length);
        for (uint32_t i = 0; i < node->arity; i++)
            base_text_format(text, "%s%s", i == 0 ? "(" : ",", operands[i]);
        base_text_add(text, ")");
    } else if (node->op == PRISM_OP_CONDITIONAL) {
        base_text_format(text, "(%s?%s:%s)", operands[0], operands[1], operands[2]);
    } else if (node->arity == 1) {
        base_text_format(text, "(%s%s)", signs[node->op], operands[0]);
    } else {
        assert_int_equal(node->arity, 2);
        base_text_format(text, "(%s%s%s)", operands[0], signs[node->op], operands[1]);
    }
}

/* Writes the expression with all parentheses; the caller releases the text. */
static char *write_out(const read_result *reading)
{
    pieces stack = {.count = 0};
    for (uint32_t i = 0; i < reading->expression.count; i++) {
        const prism_node *node = &reading->expression.nodes[i];
        base_text text = {0};
        assert_true(stack.count >= node->arity);
        char **operands = &stack.items[stack.count - node->arity];
        if (node->arity == 0)
            add_leaf(reading, node, &text);
        else
            add_node(reading, node, operands, &text);
        for (uint32_t k = 0; k < node->arity; k++)
            base_free(operands[k]);
        stack.count -= node->arity;
        assert_true(stack.count < sizeof stack.items / sizeof stack.items[0]);
        stack.items[stack.count++] = base_text_take(&text);
    }
    assert_int_equal(stack.count, 1);
    return stack.items[0];
}

static void assert_reads(const char *text, const char *expected)
{
    read_result reading;
    opac_error error = {0};
    if (read_text(text, strlen(text), &reading, &error) != OPAC_OK)
        fail_msg("%s: %s", text, error.message);
    char *found = write_out(&reading);
    if (strcmp(found, expected) != 0)
        fail_msg("%s: %s, expected %s", text, found, expected);
    base_free(found);
    fini(&reading);
}

/* ---- the oracle: by recursion, a function a level ---- */

typedef struct oracle_text {
    const char *at;
} oracle_text;

static void pass_blanks(oracle_text *oracle)
{
    while (*oracle->at == ' ')
        oracle->at++;
}

static bool take(oracle_text *oracle, const char *sign)
{
    pass_blanks(oracle);
    size_t length = strlen(sign);
    if (strncmp(oracle->at, sign, length) != 0)
        return false;
    oracle->at += length;
    return true;
}

static char *join(const char *format, char *a, char *b, char *c)
{
    base_text text = {0};
    for (; *format != '\0'; format++) {
        if (*format == '1')
            base_text_add(&text, a);
        else if (*format == '2')
            base_text_add(&text, b);
        else if (*format == '3')
            base_text_add(&text, c);
        else
            base_text_add_char(&text, *format);
    }
    base_free(a);
    base_free(b);
    base_free(c);
    return base_text_take(&text);
}

static char *oracle_if(oracle_text *oracle);
static char *oracle_not(oracle_text *oracle);
static char *oracle_minus(oracle_text *oracle);

static char *oracle_word(oracle_text *oracle)
{
    const char *begin = oracle->at;
    while ((*oracle->at >= 'a' && *oracle->at <= 'z') || (*oracle->at >= '0' && *oracle->at <= '9'))
        oracle->at++;
    assert_true(oracle->at > begin);
    char *word = base_copy_text(begin, (size_t)(oracle->at - begin));
    if (!take(oracle, "("))
        return word;
    char *list = join("1(2", word, oracle_if(oracle), NULL);
    while (take(oracle, ","))
        list = join("1,2", list, oracle_if(oracle), NULL);
    assert_true(take(oracle, ")"));
    return join("1)", list, NULL, NULL);
}

static char *oracle_basic(oracle_text *oracle)
{
    pass_blanks(oracle);
    if (take(oracle, "(")) {
        char *inner = oracle_if(oracle);
        assert_true(take(oracle, ")"));
        return inner;
    }
    if (*oracle->at == '!')
        return oracle_not(oracle);
    if (*oracle->at == '-')
        return oracle_minus(oracle);
    return oracle_word(oracle);
}

static char *oracle_power(oracle_text *oracle)
{
    char *left = oracle_basic(oracle);
    return take(oracle, "^") ? join("(1^2)", left, oracle_minus(oracle), NULL) : left;
}

static char *oracle_minus(oracle_text *oracle)
{
    if (take(oracle, "-"))
        return join("(-1)", oracle_minus(oracle), NULL, NULL);
    return oracle_power(oracle);
}

static char *oracle_product(oracle_text *oracle)
{
    char *left = oracle_minus(oracle);
    for (;;) {
        if (take(oracle, "*"))
            left = join("(1*2)", left, oracle_minus(oracle), NULL);
        else if (take(oracle, "/"))
            left = join("(1/2)", left, oracle_minus(oracle), NULL);
        else
            return left;
    }
}

static char *oracle_sum(oracle_text *oracle)
{
    char *left = oracle_product(oracle);
    for (;;) {
        if (take(oracle, "+"))
            left = join("(1+2)", left, oracle_product(oracle), NULL);
        else if (take(oracle, "-"))
            left = join("(1-2)", left, oracle_product(oracle), NULL);
        else
            return left;
    }
}

static char *oracle_order(oracle_text *oracle)
{
    char *left = oracle_sum(oracle);
    for (;;) {
        pass_blanks(oracle);
        if (strncmp(oracle->at, "<=>", 3) == 0)
            return left;
        if (take(oracle, "<="))
            left = join("(1<=2)", left, oracle_sum(oracle), NULL);
        else if (take(oracle, ">="))
            left = join("(1>=2)", left, oracle_sum(oracle), NULL);
        else if (take(oracle, "<"))
            left = join("(1<2)", left, oracle_sum(oracle), NULL);
        else if (take(oracle, ">"))
            left = join("(1>2)", left, oracle_sum(oracle), NULL);
        else
            return left;
    }
}

static char *oracle_equality(oracle_text *oracle)
{
    char *left = oracle_order(oracle);
    for (;;) {
        pass_blanks(oracle);
        if (strncmp(oracle->at, "=>", 2) == 0)
            return left;
        if (take(oracle, "!="))
            left = join("(1!=2)", left, oracle_order(oracle), NULL);
        else if (take(oracle, "="))
            left = join("(1=2)", left, oracle_order(oracle), NULL);
        else
            return left;
    }
}

static char *oracle_not(oracle_text *oracle)
{
    if (take(oracle, "!"))
        return join("(!1)", oracle_not(oracle), NULL, NULL);
    return oracle_equality(oracle);
}

static char *oracle_and(oracle_text *oracle)
{
    char *left = oracle_not(oracle);
    while (take(oracle, "&"))
        left = join("(1&2)", left, oracle_not(oracle), NULL);
    return left;
}

static char *oracle_or(oracle_text *oracle)
{
    char *left = oracle_and(oracle);
    while (take(oracle, "|"))
        left = join("(1|2)", left, oracle_and(oracle), NULL);
    return left;
}

static char *oracle_iff(oracle_text *oracle)
{
    char *left = oracle_or(oracle);
    while (take(oracle, "<=>"))
        left = join("(1<=>2)", left, oracle_or(oracle), NULL);
    return left;
}

static char *oracle_implies(oracle_text *oracle)
{
    char *left = oracle_iff(oracle);
    while (take(oracle, "=>"))
        left = join("(1=>2)", left, oracle_iff(oracle), NULL);
    return left;
}

static char *oracle_if(oracle_text *oracle)
{
    char *condition = oracle_implies(oracle);
    if (!take(oracle, "?"))
        return condition;
    char *yes = oracle_if(oracle);
    assert_true(take(oracle, ":"));
    return join("(1?2:3)", condition, yes, oracle_if(oracle));
}

/* ---- random expressions ---- */

static void draw(uint64_t *random, unsigned size, base_text *text)
{
    static const char *const binaries[] = {
        "=>", "<=>", "|", "&", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "^"};
    static const char *const leaves[] = {"a", "b", "x1", "7", "0", "true", "false"};
    if (size == 0) {
        base_text_add(text, leaves[random_below(random, 7)]);
        return;
    }
    unsigned left = random_below(random, size);
    switch (random_below(random, 10)) {
    case 0:
        base_text_add(text, "(");
        draw(random, size - 1, text);
        base_text_add(text, ")");
        break;
    case 1:
    case 2:
        base_text_add(text, random_below(random, 2) != 0 ? "! " : "- ");
        draw(random, size - 1, text);
        break;
    case 3:
        base_text_add(text, "max(");
        draw(random, left, text);
        base_text_add(text, ",");
        draw(random, size - 1 - left, text);
        base_text_add(text, ")");
        break;
    case 4:
        draw(random, left, text);
        base_text_add(text, " ? ");
        draw(random, (size - 1 - left) / 2, text);
        base_text_add(text, " : ");
        draw(random, (size - 1 - left) / 2, text);
        break;
    default:
        draw(random, left, text);
        base_text_format(text, " %s ", binaries[random_below(random, 15)]);
        draw(random, size - 1 - left, text);
    }
}

static void agrees_with_recursive_parser(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (unsigned round = 0; round < 20000; round++) {
        base_text text = {0};
        draw(&random, random_below(&random, 14), &text);
        oracle_text oracle = {base_text_get(&text)};
        char *expected = oracle_if(&oracle);
        pass_blanks(&oracle);
        if (*oracle.at != '\0')
            fail_msg("the oracle stops in %s at %s", base_text_get(&text), oracle.at);
        assert_reads(base_text_get(&text), expected);
        base_free(expected);
        base_text_fini(&text);
    }
}

static void by_hand(void **state)
{
    (void)state;
    assert_reads("!x=1", "(!(x=1))");
    assert_reads("!a&b", "((!a)&b)");
    assert_reads("a=b<c", "(a=(b<c))");
    assert_reads("a=>b=>c", "((a=>b)=>c)");
    assert_reads("a=>b<=>c", "(a=>(b<=>c))");
    assert_reads("a?b:c?d:e", "(a?b:(c?d:e))");
    assert_reads("a?b?c:d:e", "(a?(b?c:d):e)");
    assert_reads("a-b-c", "((a-b)-c)");
    assert_reads("2^3^2", "(2^(3^2))");
    assert_reads("-2^2", "(-(2^2))");
    assert_reads("2^-1", "(2^(-1))");
    assert_reads("-a*b", "((-a)*b)");
    assert_reads("x<-1", "(x<(-1))");
    assert_reads("func(min, a, b)+func(floor, c)", "(min(a,b)+floor(c))");
    assert_reads("mod(x,2)=0", "(mod(x,2)=0)");
    assert_reads("((((a))))", "a");
}

/* ---- literals and places ---- */

static prism_node read_one(const char *text)
{
    read_result reading;
    opac_error error = {0};
    assert_ok(read_text(text, strlen(text), &reading, &error), &error);
    assert_int_equal(reading.expression.count, 1);
    prism_node node = reading.expression.nodes[0];
    fini(&reading);
    return node;
}

static void literals(void **state)
{
    (void)state;
    assert_true(read_one("9223372036854775807").value.integer == INT64_MAX);
    assert_int_equal(read_one("007").value.integer, 7);
    prism_node half = read_one(".5");
    assert_int_equal(half.op, PRISM_OP_REAL);
    assert_true(half.value.real == 0.5);
    assert_int_equal(half.exact.numerator, 1);
    assert_int_equal(half.exact.denominator, 2);
    prism_node thousandth = read_one("1e-3");
    assert_true(thousandth.value.real == 1e-3);
    assert_int_equal(thousandth.exact.denominator, 1000);
    assert_int_equal(read_one("1e-300").exact.denominator, 0);
    assert_int_equal(read_one("\"a \\\"b\"").op, PRISM_OP_LABEL);
}

static void label_text(void **state)
{
    (void)state;
    read_result reading;
    opac_error error = {0};
    assert_ok(read_text("\"a \\\"b\"", 7, &reading, &error), &error);
    size_t length;
    const unsigned char *name =
        base_intern_key(&reading.names, reading.expression.nodes[0].value.name, &length);
    assert_int_equal(length, 4);
    assert_memory_equal(name, "a \"b", 4);
    fini(&reading);
}

static void places(void **state)
{
    (void)state;
    read_result reading = {.arena = {0}};
    opac_error error = {0};
    base_intern_init(&reading.names);
    assert_ok(prism_parse_expression("a +\n f(b)", 9, (prism_place){5, 10}, &reading.arena,
                                     &reading.names, &reading.expression, &error),
              &error);
    static const prism_place expected[] = {{5, 10}, {6, 4}, {6, 2}, {5, 12}};
    assert_int_equal(reading.expression.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(reading.expression.nodes[i].place.line, expected[i].line);
        assert_int_equal(reading.expression.nodes[i].place.column, expected[i].column);
    }
    fini(&reading);
}

/* ---- depth and size ---- */

static void repeat(base_text *text, const char *piece, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        base_text_add(text, piece);
}

static void assert_size(base_text *text, uint32_t nodes)
{
    read_result reading;
    opac_error error = {0};
    assert_ok(read_text(base_text_get(text), text->length, &reading, &error), &error);
    assert_int_equal(reading.expression.count, nodes);
    fini(&reading);
    base_text_clear(text);
}

static void deep_and_long(void **state)
{
    (void)state;
    enum {
        MANY = 100000
    };
    base_text text = {0};
    repeat(&text, "(", MANY);
    base_text_add(&text, "x");
    repeat(&text, ")", MANY);
    assert_size(&text, 1);
    repeat(&text, "x+", MANY);
    base_text_add(&text, "x");
    assert_size(&text, 2 * MANY + 1);
    repeat(&text, "x?y:", MANY);
    base_text_add(&text, "x");
    assert_size(&text, 3 * MANY + 1);
    repeat(&text, "x?", MANY);
    base_text_add(&text, "x");
    repeat(&text, ":y", MANY);
    assert_size(&text, 3 * MANY + 1);
    repeat(&text, "!-", MANY);
    base_text_add(&text, "x");
    assert_size(&text, 2 * MANY + 1);
    repeat(&text, "max(1,", MANY);
    base_text_add(&text, "x");
    repeat(&text, ")", MANY);
    assert_size(&text, 2 * MANY + 1);
    repeat(&text, "2^", MANY);
    base_text_add(&text, "2");
    assert_size(&text, 2 * MANY + 1);
    base_text_fini(&text);
}

static void too_deep(void **state)
{
    (void)state;
    base_text text = {0};
    read_result reading;
    opac_error error = {0};
    repeat(&text, "(", 1000001);
    assert_status(read_text(base_text_get(&text), text.length, &reading, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the expression is nested too deeply: at most 1000000");
    assert_int_equal(error.column, 1000001);
    fini(&reading);
    base_text_fini(&text);
}

/* ---- mistakes ---- */

static const struct {
    const char *text;
    uint32_t line, column;
    const char *message;
} wrong[] = {
    {"", 1, 1, "expected a name, a number or '(', found the end of the text"},
    {"a b", 1, 3, "expected an operator or the end of the expression, found 'b'"},
    {"a+", 1, 3, "expected a name, a number or '(', found the end of the text"},
    {"(a", 1, 3, "expected an operator or ')' for the '(' at 1:1, found the end of the text"},
    {"f(a", 1, 4, "expected an operator, ',' or ')' for the '(' at 1:2, found the end of the text"},
    {"f()", 1, 3, "expected a name, a number or '(', found ')'"},
    {"a)", 1, 2, "expected an operator or the end of the expression, found ')'"},
    {"(a,b)", 1, 3, "expected an operator or ')' for the '(' at 1:1, found ','"},
    {"a ? b", 1, 6, "expected an operator, or ':' for the '?' at 1:3, found the end of the text"},
    {"(a ? b)", 1, 7, "expected an operator, or ':' for the '?' at 1:4, found ')'"},
    {"a : b", 1, 3, "expected an operator or the end of the expression, found ':'"},
    {"a\n == b", 2, 2, "'==' is not an operator; write '='"},
    {"a && b", 1, 3, "'&&' is not an operator; write '&'"},
    {"a || b", 1, 3, "'||' is not an operator; write '|'"},
    {"a <> b", 1, 3, "'<>' is not an operator; write '!='"},
    {"a =< b", 1, 3, "'=<' is not an operator; write '<='"},
    {"a % b", 1, 3, "'%' is not an operator; write mod(a, b)"},
    {"F a", 1, 1, "expected a name, a number or '(', found the reserved word 'F'"},
    {"min + 1", 1, 5, "expected '(' after the function 'min', found '+'"},
    {"func(a)", 1, 7, "expected ',' after the name of a function, found ')'"},
    {"x' = 1", 1, 2, "a prime is only allowed after the variable of an assignment, as in (x'=1)"},
    {"9223372036854775808", 1, 1, "the number is larger than 9223372036854775807, the largest int"},
    {"1e999", 1, 1, "the number is too large for a double"},
    {"1e-999", 1, 1, "the number is too small for a double, and not 0"},
    {"1. + 2", 1, 1, "expected a digit or another '.' after '1.'"},
    {"2x", 1, 1, "'2x' is neither a number nor a name; names must not begin with a digit"},
    {"\"l", 1, 1,
     "expected a name, a number or '(', found \"l; the quote is not closed on its line"},
    {"\xC3\xA4 + gr\xC3\xB6\xC3\x9F"
     "e",
     1, 1,
     "expected a name, a number or '(', found '\xC3\xA4'; names consist of letters a-z and A-Z, "
     "digits "
     "and '_'"},
    {"a + /* b */ c", 1, 5, "comments begin with '//' and end with the line, found '/*'"},
};

static void syntax_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        read_result reading;
        opac_error error = {0};
        opac_status status = read_text(wrong[i].text, strlen(wrong[i].text), &reading, &error);
        if (status == OPAC_OK || error.line != wrong[i].line || error.column != wrong[i].column ||
            strcmp(error.message, wrong[i].message) != 0)
            fail_msg("%s: %u:%u: %s", wrong[i].text, error.line, error.column, error.message);
        assert_int_equal(reading.expression.count, 0);
        fini(&reading);
    }
}

static opac_status sweep(void *context, opac_error *error)
{
    read_result reading;
    const char *text = context;
    opac_status status = read_text(text, strlen(text), &reading, error);
    fini(&reading);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    char text[] = "max(a, b, \"l\") + (c ? 0.5 : -d) * e ^ 2 > 1 => !(f & g | h)";
    assert_true(faults_sweep(sweep, text) > 5);
}

SUITE(parse_expression)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(agrees_with_recursive_parser),
        cmocka_unit_test(literals),
        cmocka_unit_test(label_text),
        cmocka_unit_test(places),
        cmocka_unit_test(deep_and_long),
        cmocka_unit_test(too_deep),
        cmocka_unit_test(syntax_errors),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
