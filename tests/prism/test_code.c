/* SPDX-License-Identifier: MIT */
/*
 * Compares compiled expressions with a recursive evaluator: for random typed expressions and random values,
 * small and near the limits of 64 bits, both must give the same value to the last bit, or both must fail.
 */
#include <math.h>

#include "base/alloc.h"
#include "naive.h"
#include "prism/code.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    VARIABLES = 6, /* the last two are bool */
    INTS = 4,
    ROUNDS = 6000,
    VALUATIONS = 6,
    DEPTH = 5
};

/* ---- random expressions ---- */

static void push(prism_node_vec *nodes, prism_node node)
{
    opac_error error;
    node.place.line = (uint32_t)nodes->count + 1;
    assert_ok(prism_node_vec_push(nodes, node, &error), &error);
}

static int64_t random_integer(uint64_t *random)
{
    static const int64_t edges[] = {INT64_MIN,          INT64_MIN + 1,       INT64_MAX,
                                    INT64_MAX - 1,      INT64_C(3037000500), INT64_C(1) << 32,
                                    -(INT64_C(1) << 62)};
    if (random_below(random, 8) == 0)
        return edges[random_below(random, 7)];
    return (int64_t)random_below(random, 13) - 6;
}

static void leaf(prism_node_vec *nodes, prism_type type, bool dyadic, uint64_t *random)
{
    prism_node node = {.type = (uint8_t)type};
    bool variable = random_below(random, 3) > 0;
    if (type == PRISM_TYPE_BOOL) {
        node.op = variable ? PRISM_OP_VARIABLE : PRISM_OP_BOOL;
        if (variable)
            node.value.index = INTS + random_below(random, VARIABLES - INTS);
        else
            node.value.integer = random_below(random, 2);
    } else if (type == PRISM_TYPE_INT) {
        node.op = variable ? PRISM_OP_VARIABLE : PRISM_OP_INT;
        if (variable)
            node.value.index = random_below(random, INTS);
        else
            node.value.integer =
                dyadic ? (int64_t)random_below(random, 9) - 4 : random_integer(random);
    } else {
        int64_t eighths = (int64_t)random_below(random, 65) - 32;
        node.op = PRISM_OP_REAL;
        node.value.real = (double)eighths / 8;
        node.exact = base_ratio_of(eighths, 8);
    }
    push(nodes, node);
}

static void build(prism_node_vec *nodes, prism_type type, unsigned depth, bool dyadic,
                  uint64_t *random);

static void operands(prism_node_vec *nodes, prism_type type, uint32_t count, unsigned depth,
                     bool dyadic, uint64_t *random)
{
    /* A real operator may have int operands, but not only such. */
    uint32_t real = random_below(random, count);
    for (uint32_t i = 0; i < count; i++) {
        bool whole = type == PRISM_TYPE_REAL && i != real && random_below(random, 2) == 0;
        build(nodes, whole ? PRISM_TYPE_INT : type, depth - 1, dyadic, random);
    }
}

static void build_bool(prism_node_vec *nodes, unsigned depth, bool dyadic, uint64_t *random)
{
    prism_node node = {.type = PRISM_TYPE_BOOL, .arity = 2};
    switch (random_below(random, 5)) {
    case 0:
        node.op = PRISM_OP_NOT;
        node.arity = 1;
        build(nodes, PRISM_TYPE_BOOL, depth - 1, dyadic, random);
        break;
    case 1:
        node.op = (uint8_t)(PRISM_OP_AND + random_below(random, 4));
        operands(nodes, PRISM_TYPE_BOOL, 2, depth, dyadic, random);
        break;
    case 2:
        node.op = (uint8_t)(PRISM_OP_EQUAL + random_below(random, 2));
        operands(nodes, PRISM_TYPE_BOOL, 2, depth, dyadic, random);
        break;
    case 3:
        node.op = (uint8_t)(PRISM_OP_EQUAL + random_below(random, 6));
        operands(nodes, random_below(random, 3) > 0 ? PRISM_TYPE_INT : PRISM_TYPE_REAL, 2, depth,
                 dyadic, random);
        break;
    default:
        node.op = PRISM_OP_CONDITIONAL;
        node.arity = 3;
        operands(nodes, PRISM_TYPE_BOOL, 3, depth, dyadic, random);
        break;
    }
    push(nodes, node);
}

static void build_number(prism_node_vec *nodes, prism_type type, unsigned depth, bool dyadic,
                         uint64_t *random)
{
    static const uint8_t int_ops[] = {PRISM_OP_ADD, PRISM_OP_SUBTRACT, PRISM_OP_MULTIPLY,
                                      PRISM_OP_MOD, PRISM_OP_POWER};
    static const uint8_t real_ops[] = {PRISM_OP_ADD,    PRISM_OP_SUBTRACT, PRISM_OP_MULTIPLY,
                                       PRISM_OP_DIVIDE, PRISM_OP_POWER,    PRISM_OP_LOG};
    prism_node node = {.type = (uint8_t)type, .arity = 2};
    switch (random_below(random, type == PRISM_TYPE_INT ? 7 : 6)) {
    case 0:
        node.op = PRISM_OP_NEGATE;
        node.arity = 1;
        build(nodes, type, depth - 1, dyadic, random);
        break;
    case 1:
        node.op = PRISM_OP_CONDITIONAL;
        node.arity = 3;
        build(nodes, PRISM_TYPE_BOOL, depth - 1, dyadic, random);
        operands(nodes, type, 2, depth, dyadic, random);
        break;
    case 2:
        node.op = random_below(random, 2) == 0 ? PRISM_OP_MIN : PRISM_OP_MAX;
        node.arity = 1 + random_below(random, 4);
        operands(nodes, type, node.arity, depth, dyadic, random);
        break;
    case 6:
        node.op = (uint8_t)(PRISM_OP_FLOOR + random_below(random, 3));
        node.arity = 1;
        build(nodes, random_below(random, 4) > 0 ? PRISM_TYPE_REAL : PRISM_TYPE_INT, depth - 1,
              dyadic, random);
        break;
    default:
        node.op = type == PRISM_TYPE_INT ? int_ops[random_below(random, dyadic ? 3 : 5)]
                                         : real_ops[random_below(random, dyadic ? 3 : 6)];
        operands(nodes, type, 2, depth, dyadic, random);
        break;
    }
    push(nodes, node);
}

static void build(prism_node_vec *nodes, prism_type type, unsigned depth, bool dyadic,
                  uint64_t *random)
{
    if (depth == 0 || random_below(random, 6) == 0)
        leaf(nodes, type, dyadic, random);
    else if (type == PRISM_TYPE_BOOL)
        build_bool(nodes, depth, dyadic, random);
    else
        build_number(nodes, type, depth, dyadic, random);
}

/* ---- the comparison ---- */

static void random_values(int64_t *values, bool small, uint64_t *random)
{
    for (int i = 0; i < INTS; i++)
        values[i] = small ? (int64_t)random_below(random, 9) - 4 : random_integer(random);
    for (int i = INTS; i < VARIABLES; i++)
        values[i] = random_below(random, 2);
}

static bool same_real(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool compare(const prism_code *code, uint32_t entry, const naive *n, uint32_t root)
{
    opac_error error = {0};
    naive_value expected = naive_evaluate(n, root);
    double number = 0;
    int64_t integer = 0;
    bool is_real = n->nodes[root].type == PRISM_TYPE_REAL;
    opac_status status = prism_code_real(code, entry, n->values, &number, &error);
    assert_int_equal(status, expected.fails ? OPAC_ERROR_ARGUMENT : OPAC_OK);
    if (expected.fails) {
        assert_true(error.line > 0);
        assert_true(error.line <= root + 1);
        return false;
    }
    assert_true(same_real(number, expected.real));
    if (!is_real) {
        assert_ok(prism_code_integer(code, entry, n->values, &integer, &error), &error);
        assert_true(integer == expected.integer);
    }
    return true;
}

static void agrees_with_naive_evaluator(void **state)
{
    uint64_t random = random_seed(77);
    size_t good = 0, bad = 0;
    opac_error error;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        prism_node_vec nodes = {0};
        prism_code *code;
        uint32_t entry;
        int64_t values[VARIABLES];
        prism_type type = (prism_type)(PRISM_TYPE_BOOL + random_below(&random, 3));
        build(&nodes, type, DEPTH, false, &random);
        prism_expression expression = {nodes.items, (uint32_t)nodes.count};
        assert_ok(prism_code_new(&code, &error), &error);
        assert_ok(prism_code_add(code, &expression, &entry, &error), &error);
        for (int i = 0; i < VALUATIONS; i++) {
            random_values(values, i % 2 == 0, &random);
            naive n = {nodes.items, values};
            if (compare(code, entry, &n, (uint32_t)nodes.count - 1))
                good++;
            else
                bad++;
        }
        prism_code_free(code);
        prism_node_vec_fini(&nodes);
    }
    assert_true(good > ROUNDS * VALUATIONS / 2);
    assert_true(bad > ROUNDS * VALUATIONS / 50);
}

/* Doubles are exact for multiples of 1/8 without division, and must equal the fractions. */
static void fractions_agree_with_exact_doubles(void **state)
{
    uint64_t random = random_seed(78);
    size_t known = 0;
    opac_error error;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        prism_node_vec nodes = {0};
        prism_code *code;
        uint32_t entry;
        int64_t values[VARIABLES];
        prism_number number;
        build(&nodes, PRISM_TYPE_REAL, 4, true, &random);
        prism_expression expression = {nodes.items, (uint32_t)nodes.count};
        assert_ok(prism_code_new(&code, &error), &error);
        assert_ok(prism_code_add(code, &expression, &entry, &error), &error);
        random_values(values, true, &random);
        naive n = {nodes.items, values};
        naive_value expected = naive_evaluate(&n, (uint32_t)nodes.count - 1);
        if (!expected.fails && fabs(expected.real) < 0x1p30) {
            assert_ok(prism_code_number(code, entry, values, &number, &error), &error);
            assert_int_equal(number.kind, PRISM_NUMBER_RATIO);
            assert_true(base_ratio_to_double(number.ratio) == expected.real);
            known++;
        }
        prism_code_free(code);
        prism_node_vec_fini(&nodes);
    }
    assert_true(known > ROUNDS / 2);
}

/* ---- by hand ---- */

static prism_node node_int(int64_t integer)
{
    return (prism_node){.op = PRISM_OP_INT, .type = PRISM_TYPE_INT, .value.integer = integer};
}

static prism_node node_variable(uint32_t index)
{
    return (prism_node){.op = PRISM_OP_VARIABLE, .type = PRISM_TYPE_INT, .value.index = index};
}

static prism_node node_of(prism_op op, prism_type type, uint32_t arity)
{
    return (prism_node){.op = (uint8_t)op,
                        .type = (uint8_t)type,
                        .arity = arity,
                        .place = {.line = 4, .column = 2}};
}

static void thirds_are_exact(void **state)
{
    /* 1/3 + 1/3 + 1/3 = 1. In doubles, 10 times 1/10 is not 1. */
    const int64_t values[] = {10};
    prism_node_vec nodes = {0};
    prism_code *code;
    uint32_t entry;
    prism_number number;
    opac_error error;
    (void)state;
    for (int i = 0; i < 10; i++) {
        push(&nodes, node_int(1));
        push(&nodes, node_variable(0));
        push(&nodes, node_of(PRISM_OP_DIVIDE, PRISM_TYPE_REAL, 2));
        if (i > 0)
            push(&nodes, node_of(PRISM_OP_ADD, PRISM_TYPE_REAL, 2));
    }
    prism_expression expression = {nodes.items, (uint32_t)nodes.count};
    assert_ok(prism_code_new(&code, &error), &error);
    assert_ok(prism_code_add(code, &expression, &entry, &error), &error);
    assert_ok(prism_code_number(code, entry, values, &number, &error), &error);
    assert_int_equal(number.ratio.numerator, 1);
    assert_int_equal(number.ratio.denominator, 1);
    const int64_t zero[] = {0};
    assert_ok(prism_code_number(code, entry, zero, &number, &error), &error);
    assert_int_not_equal(number.kind, PRISM_NUMBER_RATIO);
    prism_code_free(code);
    prism_node_vec_fini(&nodes);
}

static void deep_expressions_need_no_recursion(void **state)
{
    enum {
        LEVELS = 200000
    };
    const int64_t values[] = {1};
    prism_node_vec nodes = {0};
    prism_code *code;
    uint32_t entry;
    int64_t result;
    opac_error error;
    (void)state;
    for (int i = 0; i < LEVELS; i++) /* x - (x - (x - … )) */
        push(&nodes, node_variable(0));
    for (int i = 1; i < LEVELS; i++)
        push(&nodes, node_of(PRISM_OP_SUBTRACT, PRISM_TYPE_INT, 2));
    prism_expression expression = {nodes.items, (uint32_t)nodes.count};
    assert_ok(prism_code_new(&code, &error), &error);
    assert_ok(prism_code_add(code, &expression, &entry, &error), &error);
    assert_ok(prism_code_integer(code, entry, values, &result, &error), &error);
    assert_int_equal(result, 0);
    prism_code_free(code);
    prism_node_vec_fini(&nodes);
}

static void empty_conjunction_is_true(void **state)
{
    prism_code *code;
    uint32_t entry;
    int64_t result = 0;
    opac_error error;
    (void)state;
    assert_ok(prism_code_new(&code, &error), &error);
    assert_ok(prism_code_add_all(code, NULL, 0, &entry, &error), &error);
    assert_ok(prism_code_integer(code, entry, NULL, &result, &error), &error);
    assert_int_equal(result, 1);
    prism_code_free(code);
}

static void failures_have_places(void **state)
{
    const int64_t values[] = {0};
    prism_node nodes[] = {node_int(7), node_variable(0), node_of(PRISM_OP_MOD, PRISM_TYPE_INT, 2)};
    prism_expression expression = {nodes, 3};
    prism_code *code;
    uint32_t entry;
    int64_t result;
    opac_error error;
    (void)state;
    assert_ok(prism_code_new(&code, &error), &error);
    assert_ok(prism_code_add(code, &expression, &entry, &error), &error);
    assert_status(prism_code_integer(code, entry, values, &result, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "mod by 0");
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 2);
    prism_code_free(code);
}

static opac_status compile_some(void *context, opac_error *error)
{
    const prism_expression *expression = context;
    prism_code *code;
    uint32_t entry;
    opac_status status = prism_code_new(&code, error);
    for (int i = 0; i < 20 && status == OPAC_OK; i++)
        status = prism_code_add(code, expression, &entry, error);
    prism_code_free(status == OPAC_ERROR_MEMORY && code == NULL ? NULL : code);
    return status;
}

static void allocation_failures(void **state)
{
    uint64_t random = 5;
    prism_node_vec nodes = {0};
    (void)state;
    while (nodes.count < 40) {
        nodes.count = 0;
        build(&nodes, PRISM_TYPE_REAL, 7, false, &random);
    }
    prism_expression expression = {nodes.items, (uint32_t)nodes.count};
    assert_true(faults_sweep(compile_some, &expression) > 10);
    prism_node_vec_fini(&nodes);
}

SUITE(code)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_naive_evaluator),
        cmocka_unit_test(fractions_agree_with_exact_doubles),
        cmocka_unit_test(thirds_are_exact),
        cmocka_unit_test(deep_expressions_need_no_recursion),
        cmocka_unit_test(empty_conjunction_is_true),
        cmocka_unit_test(failures_have_places),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
