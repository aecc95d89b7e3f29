/* SPDX-License-Identifier: MIT */
/*
 * Compares folding with a naive evaluator: random expressions are folded, and the original and the result are
 * evaluated under random values. Both must have the same value, or both must fail. A constant expression must
 * become one literal.
 */
#include <math.h>

#include "prism/expression_analysis.h"
#include "reading.h"
#include "support/random.h"

__extension__ typedef __int128 wide; /* with ints so small that they cannot overflow */

typedef struct value {
    bool is_known; /* false: evaluation fails */
    prism_type type;
    double real;
    int64_t integer;
} value;

enum {
    MAX_NODES = 200,
    VARIABLES = 3 /* ints x, y and a bool b */
};

/* ---- the naive evaluator, recursive, on the tree that ends at *at ---- */

static value evaluate(const prism_node *nodes, int *at, const int64_t *values);

static value no_value(prism_type type)
{
    return (value){.type = type};
}

static value of_int(prism_type type, wide exact)
{
    if (exact > INT64_MAX || exact < INT64_MIN)
        return no_value(type);
    return (value){true, type, (double)exact, (int64_t)exact};
}

static value of_real(double real)
{
    return (value){true, PRISM_TYPE_REAL, real, 0};
}

static value of_floor(double real)
{
    if (!(real >= -0x1p63 && real < 0x1p63))
        return no_value(PRISM_TYPE_INT);
    return of_int(PRISM_TYPE_INT, (wide)real);
}

static value power(value a, value b, prism_type type)
{
    if (type == PRISM_TYPE_REAL)
        return of_real(pow(a.real, b.real));
    wide product = 1;
    if (b.integer < 0)
        return no_value(type);
    if (a.integer >= -1 && a.integer <= 1)
        return of_int(type, a.integer == 0                         ? b.integer == 0
                            : a.integer == 1 || b.integer % 2 == 0 ? 1
                                                                   : -1);
    for (int64_t i = 0; i < b.integer; i++) {
        product *= a.integer;
        if (product > INT64_MAX || product < INT64_MIN)
            return no_value(type);
    }
    return of_int(type, product);
}

static value binary(prism_op op, prism_type type, value a, value b)
{
    bool reals = a.type == PRISM_TYPE_REAL || b.type == PRISM_TYPE_REAL;
    wide m;
    switch (op) {
    case PRISM_OP_IFF:
    case PRISM_OP_EQUAL:
        return of_int(type, reals ? a.real == b.real : a.integer == b.integer);
    case PRISM_OP_UNEQUAL:
        return of_int(type, reals ? a.real != b.real : a.integer != b.integer);
    case PRISM_OP_LESS:
        return of_int(type, reals ? a.real < b.real : a.integer < b.integer);
    case PRISM_OP_LESS_EQUAL:
        return of_int(type, reals ? a.real <= b.real : a.integer <= b.integer);
    case PRISM_OP_GREATER:
        return of_int(type, reals ? a.real > b.real : a.integer > b.integer);
    case PRISM_OP_GREATER_EQUAL:
        return of_int(type, reals ? a.real >= b.real : a.integer >= b.integer);
    case PRISM_OP_ADD:
        return type == PRISM_TYPE_REAL ? of_real(a.real + b.real)
                                       : of_int(type, (wide)a.integer + b.integer);
    case PRISM_OP_SUBTRACT:
        return type == PRISM_TYPE_REAL ? of_real(a.real - b.real)
                                       : of_int(type, (wide)a.integer - b.integer);
    case PRISM_OP_MULTIPLY:
        return type == PRISM_TYPE_REAL ? of_real(a.real * b.real)
                                       : of_int(type, (wide)a.integer * b.integer);
    case PRISM_OP_DIVIDE:
        return of_real(a.real / b.real);
    case PRISM_OP_POWER:
        return power(a, b, type);
    case PRISM_OP_MOD:
        m = b.integer;
        if (m <= 0)
            return no_value(type);
        return of_int(type, ((wide)a.integer % m + m) % m);
    default: /* min and max, of two */
        if ((op == PRISM_OP_MIN) == (reals ? b.real < a.real : b.integer < a.integer))
            a = b;
        return type == PRISM_TYPE_REAL ? of_real(a.real) : a;
    }
}

static value unary(prism_op op, prism_type type, value a)
{
    switch (op) {
    case PRISM_OP_NOT:
        return of_int(type, a.integer == 0);
    case PRISM_OP_NEGATE:
        return type == PRISM_TYPE_REAL ? of_real(-a.real) : of_int(type, -(wide)a.integer);
    case PRISM_OP_FLOOR:
        return a.type == PRISM_TYPE_INT ? a : of_floor(floor(a.real));
    case PRISM_OP_CEIL:
        return a.type == PRISM_TYPE_INT ? a : of_floor(ceil(a.real));
    default:
        return a.type == PRISM_TYPE_INT ? a : of_floor(floor(a.real + 0.5));
    }
}

static value operate(const prism_node *node, const value *operands)
{
    prism_op op = (prism_op)node->op;
    prism_type type = (prism_type)node->type;
    value a = operands[0];
    if (!a.is_known)
        return no_value(type);
    switch (op) {
    case PRISM_OP_AND:
        return a.integer == 0 ? a : operands[1];
    case PRISM_OP_OR:
        return a.integer != 0 ? a : operands[1];
    case PRISM_OP_IMPLIES:
        return a.integer == 0 ? of_int(PRISM_TYPE_BOOL, 1) : operands[1];
    case PRISM_OP_CONDITIONAL:
        a = operands[a.integer != 0 ? 1 : 2];
        if (a.is_known && type == PRISM_TYPE_REAL)
            a = of_real(a.real);
        return a;
    default:
        break;
    }
    if (node->arity == 1)
        return op >= PRISM_OP_MIN ? a : unary(op, type, a);
    return operands[1].is_known ? binary(op, type, a, operands[1]) : no_value(type);
}

static value evaluate(const prism_node *nodes, int *at, const int64_t *values)
{
    const prism_node *node = &nodes[(*at)--];
    value operands[3];
    switch ((prism_op)node->op) {
    case PRISM_OP_BOOL:
    case PRISM_OP_INT:
        return of_int((prism_type)node->type, node->value.integer);
    case PRISM_OP_REAL:
        return of_real(node->value.real);
    case PRISM_OP_VARIABLE:
        return of_int((prism_type)node->type, values[node->value.index]);
    default:
        for (uint32_t i = node->arity; i > 0; i--)
            operands[i - 1] = evaluate(nodes, at, values);
        return operate(node, operands);
    }
}

/* ---- random expressions ---- */

typedef struct maker {
    uint64_t random;
    prism_node nodes[MAX_NODES];
    uint32_t count;
    bool is_constant;
} maker;

static void add(maker *make, prism_op op, uint32_t arity, prism_type type)
{
    make->nodes[make->count++] = (prism_node){
        .op = (uint8_t)op, .arity = arity, .type = (uint8_t)type, .place = {1, make->count + 1}};
}

static void make_leaf(maker *make, prism_type type)
{
    static const int64_t ints[] = {0, 1, 2, -1, -3, 7, INT64_MAX, INT64_MIN, 64};
    bool is_variable =
        !make->is_constant && type != PRISM_TYPE_REAL && random_below(&make->random, 2) == 0;
    add(make,
        is_variable               ? PRISM_OP_VARIABLE
        : type == PRISM_TYPE_BOOL ? PRISM_OP_BOOL
        : type == PRISM_TYPE_INT  ? PRISM_OP_INT
                                  : PRISM_OP_REAL,
        0, type);
    prism_node *node = &make->nodes[make->count - 1];
    if (is_variable)
        node->value.index = type == PRISM_TYPE_BOOL ? 2 : random_below(&make->random, 2);
    else if (type == PRISM_TYPE_BOOL)
        node->value.integer = random_below(&make->random, 2);
    else if (type == PRISM_TYPE_INT)
        node->value.integer = ints[random_below(&make->random, sizeof ints / sizeof ints[0])];
    else {
        node->exact = base_ratio_of((int64_t)random_below(&make->random, 9) - 4,
                                    1 + random_below(&make->random, 8));
        node->value.real = base_ratio_to_double(node->exact);
    }
}

static void make(maker *to, prism_type type, unsigned depth);

static prism_type some_number(maker *to)
{
    return random_below(&to->random, 3) == 0 ? PRISM_TYPE_REAL : PRISM_TYPE_INT;
}

static void make_bool(maker *to, unsigned depth)
{
    static const prism_op logic[] = {PRISM_OP_AND, PRISM_OP_OR, PRISM_OP_IMPLIES, PRISM_OP_IFF};
    unsigned kind = random_below(&to->random, 8);
    if (kind == 0) {
        make(to, PRISM_TYPE_BOOL, depth);
        add(to, PRISM_OP_NOT, 1, PRISM_TYPE_BOOL);
    } else if (kind < 5) {
        make(to, PRISM_TYPE_BOOL, depth);
        make(to, PRISM_TYPE_BOOL, depth);
        add(to, logic[random_below(&to->random, 4)], 2, PRISM_TYPE_BOOL);
    } else {
        make(to, some_number(to), depth);
        make(to, some_number(to), depth);
        add(to, PRISM_OP_EQUAL + random_below(&to->random, 6), 2, PRISM_TYPE_BOOL);
    }
}

/* A real operator has at least one real operand, or is /. */
static void make_number(maker *to, prism_type type, unsigned depth)
{
    static const prism_op operators[] = {PRISM_OP_ADD, PRISM_OP_SUBTRACT, PRISM_OP_MULTIPLY,
                                         PRISM_OP_MIN, PRISM_OP_MAX,      PRISM_OP_POWER};
    unsigned kind = random_below(&to->random, 10);
    prism_op op = operators[random_below(&to->random, 6)];
    if (kind == 0) {
        make(to, type, depth);
        add(to, PRISM_OP_NEGATE, 1, type);
    } else if (kind == 1 && type == PRISM_TYPE_INT) {
        make(to, some_number(to), depth);
        add(to, PRISM_OP_FLOOR + random_below(&to->random, 3), 1, type);
    } else if (kind == 2 && type == PRISM_TYPE_INT) {
        make(to, type, depth);
        make(to, type, depth);
        add(to, PRISM_OP_MOD, 2, type);
    } else if (kind < 3) {
        make(to, some_number(to), depth);
        make(to, some_number(to), depth);
        add(to, type == PRISM_TYPE_REAL ? PRISM_OP_DIVIDE : PRISM_OP_ADD, 2, type);
    } else {
        make(to, type, depth);
        make(to, type == PRISM_TYPE_REAL && op != PRISM_OP_POWER ? some_number(to) : type, depth);
        add(to, op, 2, type);
    }
}

static void make(maker *to, prism_type type, unsigned depth)
{
    if (depth == 0 || to->count > MAX_NODES / 2) {
        make_leaf(to, type);
    } else if (random_below(&to->random, 6) == 0) {
        make(to, PRISM_TYPE_BOOL, depth - 1);
        make(to, type, depth - 1);
        make(to, type == PRISM_TYPE_REAL ? some_number(to) : type, depth - 1);
        add(to, PRISM_OP_CONDITIONAL, 3, type);
    } else if (type == PRISM_TYPE_BOOL) {
        make_bool(to, depth - 1);
    } else {
        make_number(to, type, depth - 1);
    }
}

/* ---- the comparison ---- */

static bool same(value a, value b)
{
    if (a.is_known != b.is_known || a.type != b.type)
        return false;
    if (!a.is_known)
        return true;
    if (a.type != PRISM_TYPE_REAL)
        return a.integer == b.integer;
    return a.real == b.real || (isnan(a.real) && isnan(b.real));
}

static void show(const prism_expression *whole, const prism_expression *folded, value expected,
                 value found)
{
    base_text text = {0};
    prism_variable variables[VARIABLES] = {{.name = "x"}, {.name = "y"}, {.name = "b"}};
    prism_program program = {.variables = variables};
    reading_show(&program, whole, &text);
    base_text_add(&text, "\n");
    reading_show(&program, folded, &text);
    fail_msg("%s\nexpected %d %g %lld, found %d %g %lld", base_text_get(&text), expected.is_known,
             expected.real, (long long)expected.integer, found.is_known, found.real,
             (long long)found.integer);
}

static void compare(const prism_expression *whole, const prism_expression *folded, uint64_t *random)
{
    for (unsigned i = 0; i < 8; i++) {
        int64_t values[VARIABLES] = {(int64_t)random_below(random, 5) - 2, random_below(random, 3),
                                     random_below(random, 2)};
        int first = (int)whole->count - 1, second = (int)folded->count - 1;
        value expected = evaluate(whole->nodes, &first, values);
        value found = evaluate(folded->nodes, &second, values);
        assert_int_equal(first, -1);
        assert_int_equal(second, -1);
        if (!same(expected, found))
            show(whole, folded, expected, found);
    }
}

/* The scope is empty: the expressions consist of literals and variables. */
static void fold(maker *to, prism_type type, prism_analyser *elaborator)
{
    const prism_requirements wanted = {.type = type, .noun = "expression"};
    const prism_expression whole = {.nodes = to->nodes, .count = to->count};
    prism_expression folded;
    opac_error error = {0};
    assert_ok(prism_analyse(elaborator, &whole, &wanted, &folded, &error), &error);
    assert_false(model_report_has_errors(elaborator->report));
    assert_true(folded.count > 0);
    assert_true(folded.count <= whole.count);
    compare(&whole, &folded, &to->random);
}

static void folded_expressions_are_equivalent(void **state)
{
    (void)state;
    prism_scope *scope = NULL;
    base_arena arena = {0};
    model_report report;
    opac_error error = {0};
    maker to = {.random = random_seed(1)};
    model_report_init(&report, NULL, NULL, NULL, NULL, 0);
    assert_ok(prism_scope_new(&scope, &error), &error);
    prism_analyser elaborator = {
        .scope = scope, .names = &scope->names, .report = &report, .arena = &arena};
    for (unsigned round = 0; round < 20000; round++) {
        prism_type type = (prism_type)(PRISM_TYPE_BOOL + random_below(&to.random, 3));
        to.count = 0;
        to.is_constant = random_below(&to.random, 4) == 0;
        make(&to, type, 1 + random_below(&to.random, 5));
        fold(&to, type, &elaborator);
    }
    prism_analyser_fini(&elaborator);
    model_report_fini(&report);
    prism_scope_free(scope);
    base_arena_fini(&arena);
}

/* ---- by hand: what is left ---- */

typedef struct row {
    const char *text, *folded;
} row;

static void only_needed_operands_remain(void **state)
{
    (void)state;
    static const row rows[] = {
        {"x=0 & true", "x 0 ="},
        {"true & x=0", "x 0 ="},
        {"false & mod(x,0)=1", "false"},
        {"x=0 & false", "false"},
        {"mod(1,x)=0 & false", "1 x mod 0 = false &"},
        {"x+1=0 & false", "x 1 + 0 = false &"}, /* x+1 may overflow */
        {"x=0 | true", "true"},
        {"x=0 | false", "x 0 ="},
        {"false => x=1", "true"},
        {"x=1 => true", "true"},
        {"x=1 => false", "x 1 = false =>"},
        {"true => x=1", "x 1 ="},
        {"(true ? x : mod(x,0)) = 1", "x 1 ="},
        {"(false ? (true ? 1 : x) : x+2*3) = 1", "x 6 + 1 ="},
        {"(true ? x : 0.5) = 1", "true x 0.500000 ? 1 ="},
        {"(true ? 1 : 0.5) < x", "1.00000 x <"},
        {"x = 1 & (true | 1/0 > 2)", "x 1 ="},
        {"x > 1/0", "x 1 0 / >"},
        {"((x=1 | x=2) & false) | x=3", "x 3 ="},
        {"!(x=1 & false)", "true"},
        {"x=1 <=> true", "x 1 = true <=>"},
        {"min(1,2,3)+max(1,2)*x = 7", "1 2 x * + 7 ="},
        /* NaN is not equal to anything, and neither larger nor smaller */
        {"1e308*10-1e308*10 = 0", "false"},
        {"1e308*10-1e308*10 != 0", "true"},
        {"1e308*10-1e308*10 >= 0 | 1e308*10-1e308*10 <= 0", "false"},
        {"max(1,1e308*10-1e308*10) > 0", "false"},
        {"max(1e308*10-1e308*10,1) > 0", "false"},
        {"min(1,1e308*10-1e308*10,0.5) < 2", "false"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prism_program program;
        base_text text = {0}, left = {0};
        base_text_format(&text, "module m x:[0..9]; endmodule label \"l\" = %s;", rows[i].text);
        reading_program(base_text_get(&text), NULL, &program);
        reading_show(&program, &program.labels[0].states, &left);
        assert_string_equal(base_text_get(&left), rows[i].folded);
        prism_program_fini(&program);
        base_text_fini(&text);
        base_text_fini(&left);
    }
}

/* Fractions stay exact as long as they fit. */
static void fractions_stay_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t numerator, denominator;
    } cases[] = {
        {"1/3+1/6", 1, 2},
        {"0.1+0.2", 3, 10},
        {"1-0.9", 1, 10},
        {"(1/3)^3", 1, 27},
        {"-(2/4)", -1, 2},
        {"max(1/3,0.3)", 1, 3},
        {"true?1:0.5", 1, 1},
        {"log(8,2)*0.5", 3, 2},
        {"log(2,4)", 1, 2},
        {"log(1/8,4)", -3, 2},
        {"log(1,4)", 0, 1},
        {"pow(0.25,0.5)", 1, 2},
        {"pow(4/9,-1.5)", 27, 8},
        {"pow(2,0.5)*0", 0, 1},
        {"0*log(3,2)", 0, 1},
        {"1e-30*1e-30", 0, 0},
        {"2^-2.0", 1, 4},
        {"log(7,2)", 0, 0},
        {"1e-30*1e30", 1, 1},
        {"floor(0.29*100)*1.0", 29, 1},
        {"pow(1-(1-1e-20),2)*1e40", 1, 1},
        {"0.1+0.2=0.3?1.0:0.5", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prism_program program;
        base_text text = {0};
        base_text_format(&text, "module m x:[0..9]; [] true -> %s:true; endmodule", cases[i].text);
        reading_program(base_text_get(&text), NULL, &program);
        const prism_expression *found = &program.modules[0].commands[0].branches[0].probability;
        assert_int_equal(found->count, 1);
        assert_int_equal(found->nodes[0].op, PRISM_OP_REAL);
        assert_int_equal(found->nodes[0].exact.numerator, cases[i].numerator);
        assert_int_equal(found->nodes[0].exact.denominator, cases[i].denominator);
        prism_program_fini(&program);
        base_text_fini(&text);
    }
}

/* A hundred thousand levels of nesting: passes are loops with linear cost. */
static void deep_nesting(void **state)
{
    (void)state;
    prism_program program;
    base_text text = {0}, left = {0};
    base_text_add(&text, "module m x:[0..9]; endmodule label \"l\" = ");
    for (unsigned i = 0; i < 100000; i++)
        base_text_add(&text, i % 2 == 0 ? "(false ? (" : "(true & (");
    base_text_add(&text, "x=1");
    for (unsigned i = 100000; i > 0; i--)
        base_text_add(&text, i % 2 == 1 ? ") : x=2)" : "))");
    base_text_add(&text, ";");
    reading_program(base_text_get(&text), NULL, &program);
    reading_show(&program, &program.labels[0].states, &left);
    assert_string_equal(base_text_get(&left), "x 2 =");
    prism_program_fini(&program);
    base_text_fini(&text);
    base_text_fini(&left);
}

SUITE(fold)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_expressions_are_equivalent),
        cmocka_unit_test(only_needed_operands_remain),
        cmocka_unit_test(fractions_stay_exact),
        cmocka_unit_test(deep_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
