/* SPDX-License-Identifier: MIT */
/* A recursive evaluator of expressions that follows the definition of the language: an oracle. */
#ifndef TESTS_PRISM_NAIVE_H
#define TESTS_PRISM_NAIVE_H

#include <math.h>

#include "prism/expression.h"

typedef struct naive_value {
    bool fails;
    bool is_real;
    int64_t integer;
    double real;
} naive_value;

typedef struct naive {
    const prism_node *nodes;
    const int64_t *values;
} naive;

static inline uint32_t naive_first_of(const naive *n, uint32_t root)
{
    uint32_t at = root;
    for (uint32_t i = 0; i < n->nodes[root].arity; i++)
        at = naive_first_of(n, at - 1);
    return at;
}

/* The root of operand `index` of a node, from 0. */
static inline uint32_t naive_operand(const naive *n, uint32_t root, uint32_t index)
{
    uint32_t at = root - 1;
    for (uint32_t i = n->nodes[root].arity - 1; i > index; i--)
        at = naive_first_of(n, at) - 1;
    return at;
}

static inline naive_value naive_failure(void)
{
    return (naive_value){.fails = true};
}

static inline naive_value naive_whole(int64_t integer)
{
    return (naive_value){.integer = integer, .real = (double)integer};
}

static inline naive_value naive_real(double number)
{
    return (naive_value){.is_real = true, .real = number};
}

/* A result is invalid if it is not 0 and not a normal double. */
static inline naive_value naive_unless_tiny(double number, bool is_not_zero)
{
    return is_not_zero && (number == 0 || fpclassify(number) == FP_SUBNORMAL) ? naive_failure()
                                                                              : naive_real(number);
}

/* Multiplies 64-bit numbers by adding halves, so that it shares no code with the library. */
static inline naive_value naive_times(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return naive_whole(0);
    if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN))
        return naive_failure();
    int64_t product = (int64_t)((uint64_t)a * (uint64_t)b);
    if (a != -1 && (product / a != b || product % a != 0))
        return naive_failure();
    if (a == -1 && product != -b)
        return naive_failure();
    return naive_whole(product);
}

static inline naive_value naive_plus(int64_t a, int64_t b)
{
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b))
        return naive_failure();
    return naive_whole(a + b);
}

static inline naive_value naive_int_operator(unsigned op, int64_t a, int64_t b)
{
    switch (op) {
    case PRISM_OP_ADD:
        return naive_plus(a, b);
    case PRISM_OP_SUBTRACT:
        if ((b < 0 && a > INT64_MAX + b) || (b > 0 && a < INT64_MIN + b))
            return naive_failure();
        return naive_whole(a - b);
    case PRISM_OP_MULTIPLY:
        return naive_times(a, b);
    case PRISM_OP_MOD: {
        if (b <= 0)
            return naive_failure();
        int64_t rest = a % b;
        while (rest < 0)
            rest += b;
        return naive_whole(rest);
    }
    case PRISM_OP_MIN:
        return naive_whole(a < b ? a : b);
    case PRISM_OP_MAX:
        return naive_whole(a > b ? a : b);
    default: {
        if (b < 0)
            return naive_failure();
        if (b > 100 && (a == 0 || a == 1))
            return naive_whole(a);
        if (b > 100 && a == -1)
            return naive_whole(b % 2 == 0 ? 1 : -1);
        naive_value result = naive_whole(1);
        for (int64_t i = 0; i < b && !result.fails; i++)
            result = naive_times(result.integer, a);
        return result;
    }
    }
}

static inline naive_value naive_real_operator(unsigned op, double a, double b)
{
    switch (op) {
    case PRISM_OP_ADD:
        return naive_real(a + b);
    case PRISM_OP_SUBTRACT:
        return naive_real(a - b);
    case PRISM_OP_MULTIPLY:
        return naive_unless_tiny(a * b, a != 0 && b != 0);
    case PRISM_OP_DIVIDE:
        return naive_unless_tiny(a / b, a != 0);
    case PRISM_OP_LOG:
        if (!(b > 0 && b != 1 && b < (double)INFINITY) || a < 0)
            return naive_real((double)NAN);
        return naive_real(log(a) / log(b));
    case PRISM_OP_POWER:
        return naive_unless_tiny(pow(a, b), a != 0);
    default:
        if (isnan(a) || isnan(b))
            return naive_real((double)NAN);
        return naive_real((op == PRISM_OP_MIN) == (a < b) ? a : b);
    }
}

static inline bool naive_holds(unsigned op, double a, double b, int order, bool is_real)
{
    switch (op) {
    case PRISM_OP_EQUAL:
        return is_real ? a == b : order == 0;
    case PRISM_OP_UNEQUAL:
        return is_real ? a != b : order != 0;
    case PRISM_OP_LESS:
        return is_real ? a < b : order < 0;
    case PRISM_OP_LESS_EQUAL:
        return is_real ? a <= b : order <= 0;
    case PRISM_OP_GREATER:
        return is_real ? a > b : order > 0;
    default:
        return is_real ? a >= b : order >= 0;
    }
}

static inline naive_value naive_rounding(unsigned op, naive_value of)
{
    if (!of.is_real)
        return of;
    double down = floor(of.real), result = down;
    if (op == PRISM_OP_CEIL)
        result = ceil(of.real);
    if (op == PRISM_OP_ROUND && of.real - down >= 0.5)
        result = down + 1;
    if (!(result >= -9223372036854775808.0 && result < 9223372036854775808.0))
        return naive_failure();
    return naive_whole((int64_t)result);
}

static inline naive_value naive_evaluate(const naive *n, uint32_t root);

static inline naive_value naive_evaluate_short_circuit(const naive *n, uint32_t root)
{
    const prism_node *node = &n->nodes[root];
    naive_value first = naive_evaluate(n, naive_operand(n, root, 0));
    if (first.fails)
        return first;
    bool is_true = first.integer != 0;
    switch (node->op) {
    case PRISM_OP_AND:
        return is_true ? naive_evaluate(n, naive_operand(n, root, 1)) : naive_whole(0);
    case PRISM_OP_OR:
        return is_true ? naive_whole(1) : naive_evaluate(n, naive_operand(n, root, 1));
    case PRISM_OP_IMPLIES:
        return is_true ? naive_evaluate(n, naive_operand(n, root, 1)) : naive_whole(1);
    default: {
        naive_value chosen = naive_evaluate(n, naive_operand(n, root, is_true ? 1 : 2));
        if (node->type == PRISM_TYPE_REAL)
            chosen.is_real = true;
        return chosen;
    }
    }
}

static inline naive_value naive_evaluate_operator(const naive *n, uint32_t root)
{
    const prism_node *node = &n->nodes[root];
    naive_value result = naive_evaluate(n, naive_operand(n, root, 0));
    if (node->type == PRISM_TYPE_REAL)
        result.is_real = true;
    for (uint32_t i = 1; i < node->arity && !result.fails; i++) {
        naive_value next = naive_evaluate(n, naive_operand(n, root, i));
        if (next.fails)
            return next;
        int order = (result.integer > next.integer) - (result.integer < next.integer);
        bool is_real = result.is_real || next.is_real;
        if (node->type == PRISM_TYPE_BOOL)
            result = naive_whole(node->op == PRISM_OP_IFF ? order == 0
                                                          : naive_holds(node->op, result.real,
                                                                        next.real, order, is_real));
        else if (node->type == PRISM_TYPE_REAL)
            result = naive_real_operator(node->op, result.real, next.real);
        else
            result = naive_int_operator(node->op, result.integer, next.integer);
    }
    return result;
}

static inline naive_value naive_evaluate(const naive *n, uint32_t root)
{
    const prism_node *node = &n->nodes[root];
    naive_value only;
    switch (node->op) {
    case PRISM_OP_BOOL:
    case PRISM_OP_INT:
        return naive_whole(node->value.integer);
    case PRISM_OP_REAL:
        return naive_real(node->value.real);
    case PRISM_OP_VARIABLE:
        return naive_whole(n->values[node->value.index]);
    case PRISM_OP_NOT:
        only = naive_evaluate(n, root - 1);
        return only.fails ? only : naive_whole(only.integer == 0);
    case PRISM_OP_NEGATE:
        only = naive_evaluate(n, root - 1);
        if (only.fails || node->type == PRISM_TYPE_REAL)
            return only.fails ? only : naive_real(-only.real);
        return only.integer == INT64_MIN ? naive_failure() : naive_whole(-only.integer);
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
        only = naive_evaluate(n, root - 1);
        return only.fails ? only : naive_rounding(node->op, only);
    case PRISM_OP_AND:
    case PRISM_OP_OR:
    case PRISM_OP_IMPLIES:
    case PRISM_OP_CONDITIONAL:
        return naive_evaluate_short_circuit(n, root);
    default:
        return naive_evaluate_operator(n, root);
    }
}

#endif
