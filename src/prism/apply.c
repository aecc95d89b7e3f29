/* SPDX-License-Identifier: MIT */
/*
 * Operators on literals. Reals are computed as doubles, as during exploration,
 * and beside them as fractions, for as long as those are exact.
 */
#include <math.h>

#include "prism/arithmetic.h"
#include "prism/elaborate.h"

static const char *const no_int = "it does not fit into an int of 64 bits";

double prism_literal_double(const prism_node *literal)
{
    return literal->op == PRISM_OP_REAL ? literal->value.real : (double)literal->value.integer;
}

static base_ratio exact_of(const prism_node *literal)
{
    return literal->op == PRISM_OP_REAL ? literal->exact
                                        : base_ratio_of_integer(literal->value.integer);
}

static bool is_real(const prism_node *node)
{
    return node->type == PRISM_TYPE_REAL;
}

/* ---- results, at the place of the node ---- */

static const char *give_int(prism_node *result, bool fits, int64_t value)
{
    result->op = result->type == PRISM_TYPE_BOOL ? PRISM_OP_BOOL : PRISM_OP_INT;
    result->value.integer = value;
    return fits ? NULL : no_int;
}

static const char *give_bool(prism_node *result, bool value)
{
    return give_int(result, true, value ? 1 : 0);
}

static const char *give_real(prism_node *result, double value, base_ratio exact)
{
    result->op = PRISM_OP_REAL;
    result->value.real = value;
    result->exact = exact;
    return NULL;
}

prism_node prism_literal_real(const prism_node *literal)
{
    prism_node result = *literal;
    result.type = PRISM_TYPE_REAL;
    give_real(&result, prism_literal_double(literal), exact_of(literal));
    return result;
}

/* The operand, as the node's type wants it. */
static const char *give_same(prism_node *result, const prism_node *operand)
{
    if (is_real(result))
        return give_real(result, prism_literal_double(operand), exact_of(operand));
    return give_int(result, true, operand->value.integer);
}

/* ---- one operand ---- */

static const char *negate(const prism_node *a, prism_node *result)
{
    int64_t value = 0;
    if (is_real(result))
        return give_real(result, -prism_literal_double(a),
                         base_ratio_subtract(base_ratio_of_integer(0), exact_of(a)));
    bool fits = prism_int_subtract(0, a->value.integer, &value);
    return give_int(result, fits, value);
}

static const char *to_int(const prism_node *a, prism_node *result)
{
    int64_t value = 0;
    if (!is_real(a))
        return give_same(result, a);
    bool fits = result->op == PRISM_OP_FLOOR  ? prism_int_floor(a->value.real, &value)
                : result->op == PRISM_OP_CEIL ? prism_int_ceil(a->value.real, &value)
                                              : prism_int_round(a->value.real, &value);
    return give_int(result, fits, value);
}

/* ---- two operands ---- */

static int compare(const prism_node *a, const prism_node *b)
{
    if (is_real(a) || is_real(b)) {
        double left = prism_literal_double(a), right = prism_literal_double(b);
        return left < right ? -1 : left > right ? 1 : left == right ? 0 : 2; /* 2: one is NaN */
    }
    return (a->value.integer > b->value.integer) - (a->value.integer < b->value.integer);
}

static const char *give_comparison(prism_op op, const prism_node *a, const prism_node *b,
                                   prism_node *result)
{
    int sign = compare(a, b);
    switch (op) {
    case PRISM_OP_UNEQUAL:
        return give_bool(result, sign != 0);
    case PRISM_OP_LESS:
        return give_bool(result, sign == -1);
    case PRISM_OP_LESS_EQUAL:
        return give_bool(result, sign == -1 || sign == 0);
    case PRISM_OP_GREATER:
        return give_bool(result, sign == 1);
    case PRISM_OP_GREATER_EQUAL:
        return give_bool(result, sign == 1 || sign == 0);
    default: /* = and <=> */
        return give_bool(result, sign == 0);
    }
}

static const char *int_power(int64_t base, int64_t exponent, prism_node *result)
{
    int64_t value = 0;
    if (exponent < 0)
        return "a negative power of an int is no int; a base such as 2.0 gives a real";
    bool fits = prism_int_power(base, exponent, &value);
    return give_int(result, fits, value);
}

static const char *int_binary(prism_op op, int64_t a, int64_t b, prism_node *result)
{
    int64_t value = 0;
    bool fits;
    switch (op) {
    case PRISM_OP_ADD:
        fits = prism_int_add(a, b, &value);
        break;
    case PRISM_OP_SUBTRACT:
        fits = prism_int_subtract(a, b, &value);
        break;
    case PRISM_OP_MULTIPLY:
        fits = prism_int_multiply(a, b, &value);
        break;
    case PRISM_OP_POWER:
        return int_power(a, b, result);
    default: /* mod */
        if (!prism_int_mod(a, b, &value))
            return b == 0 ? "its divisor is 0" : "its divisor is negative";
        fits = true;
        break;
    }
    return give_int(result, fits, value);
}

static const char *real_power(const prism_node *a, const prism_node *b, prism_node *result)
{
    base_ratio base = exact_of(a), exponent = exact_of(b), exact = {0};
    if (base_ratio_is_known(base) && exponent.denominator == 1)
        exact = base_ratio_power(base, exponent.numerator);
    double value = pow(prism_literal_double(a), prism_literal_double(b));
    if (isnan(value))
        return "a negative number has no such power";
    if (prism_real_underflows(value) && prism_literal_double(a) != 0)
        return PRISM_UNDERFLOW;
    return give_real(result, value, exact);
}

static const char *real_binary(prism_op op, const prism_node *a, const prism_node *b,
                               prism_node *result)
{
    double x = prism_literal_double(a), y = prism_literal_double(b), value;
    switch (op) {
    case PRISM_OP_ADD:
        return give_real(result, x + y, base_ratio_add(exact_of(a), exact_of(b)));
    case PRISM_OP_SUBTRACT:
        return give_real(result, x - y, base_ratio_subtract(exact_of(a), exact_of(b)));
    case PRISM_OP_MULTIPLY:
        if (prism_real_underflows(x * y) && x != 0 && y != 0)
            return PRISM_UNDERFLOW;
        return give_real(result, x * y, base_ratio_multiply(exact_of(a), exact_of(b)));
    case PRISM_OP_POWER:
        return real_power(a, b, result);
    case PRISM_OP_DIVIDE:
        if (y == 0)
            return "its divisor is 0";
        if (prism_real_underflows(x / y) && x != 0)
            return PRISM_UNDERFLOW;
        return give_real(result, x / y, base_ratio_divide(exact_of(a), exact_of(b)));
    default: /* log */
        value = prism_real_log(x, y);
        if (!isfinite(value))
            return "there is no logarithm of this number to this base";
        return give_real(result, value, (base_ratio){0});
    }
}

/* ---- several ---- */

/* Of what is no number, no number, as during exploration. */
static const char *extremum(const prism_node *const *operands, prism_node *result)
{
    int sign = result->op == PRISM_OP_MIN ? -1 : 1;
    const prism_node *best = operands[0];
    for (uint32_t i = 1; i < result->arity; i++) {
        int order = compare(operands[i], best);
        if (order == sign || (order == 2 && !isnan(prism_literal_double(best))))
            best = operands[i];
    }
    return give_same(result, best);
}

static const char *apply(prism_op op, const prism_node *const *operands, prism_node *result)
{
    switch (op) {
    case PRISM_OP_NOT:
        return give_bool(result, operands[0]->value.integer == 0);
    case PRISM_OP_NEGATE:
        return negate(operands[0], result);
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
        return to_int(operands[0], result);
    case PRISM_OP_IFF:
    case PRISM_OP_EQUAL:
    case PRISM_OP_UNEQUAL:
    case PRISM_OP_LESS:
    case PRISM_OP_LESS_EQUAL:
    case PRISM_OP_GREATER:
    case PRISM_OP_GREATER_EQUAL:
        return give_comparison(op, operands[0], operands[1], result);
    case PRISM_OP_ADD:
    case PRISM_OP_SUBTRACT:
    case PRISM_OP_MULTIPLY:
    case PRISM_OP_DIVIDE:
    case PRISM_OP_POWER:
    case PRISM_OP_MOD:
    case PRISM_OP_LOG:
        if (is_real(result))
            return real_binary(op, operands[0], operands[1], result);
        return int_binary(op, operands[0]->value.integer, operands[1]->value.integer, result);
    case PRISM_OP_MIN:
    case PRISM_OP_MAX:
        return extremum(operands, result);
    default:
        return "it cannot be computed";
    }
}

const char *prism_apply(const prism_node *node, const prism_node *const *operands,
                        prism_node *result)
{
    *result = *node;
    const char *why = apply((prism_op)node->op, operands, result);
    result->arity = 0;
    return why;
}
