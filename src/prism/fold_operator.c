/* SPDX-License-Identifier: MIT */
/*
 * Applies operators to literals. A real is computed both as a double, which guards and updates use, and as a
 * prism_number, which probabilities use. Within a probability, comparisons and rounding use the prism_number,
 * too.
 */
#include <math.h>

#include "prism/arithmetic.h"
#include "prism/expression_analysis.h"
#include "prism/number.h"

const char prism_out_of_memory[] = "out of memory";
static const char *const does_not_fit = "the result does not fit into an int of 64 bits";

double prism_literal_double(const prism_node *literal)
{
    return literal->op == PRISM_OP_REAL ? literal->value.real : (double)literal->value.integer;
}

static bool is_real(const prism_node *node)
{
    return node->type == PRISM_TYPE_REAL;
}

/* ---- results: literals with the type and place of the node ---- */

static const char *set_int(prism_node *result, bool fits, int64_t value)
{
    result->op = result->type == PRISM_TYPE_BOOL ? PRISM_OP_BOOL : PRISM_OP_INT;
    result->value.integer = value;
    return fits ? NULL : does_not_fit;
}

static const char *set_bool(prism_node *result, bool value)
{
    return set_int(result, true, value ? 1 : 0);
}

static const char *set_real(prism_node *result, double value, const prism_number *number,
                            base_arena *arena)
{
    result->op = PRISM_OP_REAL;
    result->value.real = value;
    return prism_literal_set_number(result, number, arena) ? NULL : prism_out_of_memory;
}

prism_node prism_literal_real(const prism_node *literal)
{
    prism_node result = *literal;
    result.type = PRISM_TYPE_REAL;
    if (literal->op == PRISM_OP_REAL)
        return result;
    result.op = PRISM_OP_REAL;
    result.value.real = (double)literal->value.integer;
    result.exact = base_ratio_of_integer(literal->value.integer);
    return result;
}

/* The result is the operand, converted to the type of the node. */
static const char *set_operand(prism_node *result, const prism_node *operand)
{
    if (!is_real(result))
        return set_int(result, true, operand->value.integer);
    prism_node same = prism_literal_real(operand);
    result->op = PRISM_OP_REAL;
    result->value = same.value;
    result->exact = same.exact;
    result->stored = same.stored;
    return NULL;
}

/* ---- one operand ---- */

static const char *negate(const prism_node *a, const prism_fold_context *context,
                          prism_node *result)
{
    int64_t value = 0;
    if (is_real(result)) {
        prism_number zero, number;
        prism_number_of_ratio(base_ratio_of_integer(0), &zero);
        prism_number_of_literal(a, &number);
        prism_number_apply(PRISM_OP_SUBTRACT, &zero, &number, &number);
        return set_real(result, -prism_literal_double(a), &number, context->arena);
    }
    bool fits = prism_int_subtract(0, a->value.integer, &value);
    return set_int(result, fits, value);
}

static const char *round_to_int(const prism_node *a, const prism_fold_context *context,
                                prism_node *result)
{
    int64_t value = 0;
    prism_number number;
    if (!is_real(a))
        return set_operand(result, a);
    if (context->is_exact) {
        prism_number_of_literal(a, &number);
        const char *why = prism_number_round((prism_op)result->op, &number, &value);
        return why != NULL ? why : set_int(result, true, value);
    }
    bool fits = result->op == PRISM_OP_FLOOR  ? prism_int_floor(a->value.real, &value)
                : result->op == PRISM_OP_CEIL ? prism_int_ceil(a->value.real, &value)
                                              : prism_int_round(a->value.real, &value);
    return set_int(result, fits, value);
}

/* ---- two operands ---- */

/* -1, 0, 1, or PRISM_UNDECIDED if an operand is NaN or a prism_number is not known precisely enough. */
static int compare(const prism_node *a, const prism_node *b, const prism_fold_context *context)
{
    if (!is_real(a) && !is_real(b))
        return (a->value.integer > b->value.integer) - (a->value.integer < b->value.integer);
    if (context->is_exact) {
        prism_number left_number, right_number;
        prism_number_of_literal(a, &left_number);
        prism_number_of_literal(b, &right_number);
        return prism_number_compare(&left_number, &right_number);
    }
    double left = prism_literal_double(a), right = prism_literal_double(b);
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : PRISM_UNDECIDED;
}

static const char *set_comparison(prism_op op, const prism_node *a, const prism_node *b,
                                  const prism_fold_context *context, prism_node *result)
{
    int sign = compare(a, b, context);
    if (context->is_exact && sign == PRISM_UNDECIDED)
        return PRISM_TOO_CLOSE;
    switch (op) {
    case PRISM_OP_UNEQUAL:
        return set_bool(result, sign != 0);
    case PRISM_OP_LESS:
        return set_bool(result, sign == -1);
    case PRISM_OP_LESS_EQUAL:
        return set_bool(result, sign == -1 || sign == 0);
    case PRISM_OP_GREATER:
        return set_bool(result, sign == 1);
    case PRISM_OP_GREATER_EQUAL:
        return set_bool(result, sign == 1 || sign == 0);
    default: /* = and <=> */
        return set_bool(result, sign == 0);
    }
}

static const char *apply_int_power(int64_t base, int64_t exponent, prism_node *result)
{
    int64_t value = 0;
    if (exponent < 0)
        return PRISM_NEGATIVE_EXPONENT;
    bool fits = prism_int_power(base, exponent, &value);
    return set_int(result, fits, value);
}

static const char *apply_to_ints(prism_op op, int64_t a, int64_t b, prism_node *result)
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
        return apply_int_power(a, b, result);
    default: /* mod */
        if (!prism_int_mod(a, b, &value))
            return b == 0 ? "the divisor is 0" : "the divisor is negative";
        fits = true;
        break;
    }
    return set_int(result, fits, value);
}

/* Why doubles have no result; NULL if they have. The prism_number is checked when it is used. */
static const char *find_double_error(prism_op op, double x, double y, double value)
{
    bool underflows = prism_real_underflows(value) && x != 0;
    if (op == PRISM_OP_DIVIDE && y == 0)
        return "the divisor is 0";
    if (op == PRISM_OP_POWER && isnan(value))
        return "a negative base requires an integral exponent";
    if (op == PRISM_OP_LOG && !isfinite(value))
        return "the logarithm of this number to this base is undefined";
    if (underflows &&
        (op == PRISM_OP_DIVIDE || op == PRISM_OP_POWER || (op == PRISM_OP_MULTIPLY && y != 0)))
        return PRISM_UNDERFLOW;
    return NULL;
}

static const char *apply_to_reals(prism_op op, const prism_node *a, const prism_node *b,
                                  const prism_fold_context *context, prism_node *result)
{
    double x = prism_literal_double(a), y = prism_literal_double(b);
    double value = op == PRISM_OP_ADD        ? x + y
                   : op == PRISM_OP_SUBTRACT ? x - y
                   : op == PRISM_OP_MULTIPLY ? x * y
                   : op == PRISM_OP_DIVIDE   ? x / y
                   : op == PRISM_OP_POWER    ? pow(x, y)
                                             : prism_real_log(x, y);
    const char *why = find_double_error(op, x, y, value);
    if (why != NULL)
        return why;
    prism_number left, right;
    prism_number_of_literal(a, &left);
    prism_number_of_literal(b, &right);
    prism_number_apply(op, &left, &right, &left);
    return set_real(result, value, &left, context->arena);
}

/* ---- any number of operands ---- */

/* The first minimum (sign is -1) or maximum (sign is 1); NaN if an operand is NaN, as in compiled code. */
static const prism_node *find_extremum(const prism_node *const *operands, uint32_t count, int sign)
{
    const prism_fold_context in_doubles = {0};
    const prism_node *best = operands[0];
    for (uint32_t i = 1; i < count; i++) {
        int order = compare(operands[i], best, &in_doubles);
        if (order == sign || (order == PRISM_UNDECIDED && !isnan(prism_literal_double(best))))
            best = operands[i];
    }
    return best;
}

/* The double and the prism_number are computed independently: equal doubles may have different numbers. */
static const char *extremum(const prism_node *const *operands, const prism_fold_context *context,
                            prism_node *result)
{
    prism_op op = (prism_op)result->op;
    const prism_node *best = find_extremum(operands, result->arity, op == PRISM_OP_MIN ? -1 : 1);
    prism_number number, other;
    if (!is_real(result))
        return set_operand(result, best);
    prism_number_of_literal(operands[0], &number);
    for (uint32_t i = 1; i < result->arity; i++) {
        prism_number_of_literal(operands[i], &other);
        prism_number_apply(op, &number, &other, &number);
    }
    return set_real(result, prism_literal_double(best), &number, context->arena);
}

static const char *apply(prism_op op, const prism_node *const *operands,
                         const prism_fold_context *context, prism_node *result)
{
    switch (op) {
    case PRISM_OP_NOT:
        return set_bool(result, operands[0]->value.integer == 0);
    case PRISM_OP_NEGATE:
        return negate(operands[0], context, result);
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
        return round_to_int(operands[0], context, result);
    case PRISM_OP_IFF:
    case PRISM_OP_EQUAL:
    case PRISM_OP_UNEQUAL:
    case PRISM_OP_LESS:
    case PRISM_OP_LESS_EQUAL:
    case PRISM_OP_GREATER:
    case PRISM_OP_GREATER_EQUAL:
        return set_comparison(op, operands[0], operands[1], context, result);
    case PRISM_OP_ADD:
    case PRISM_OP_SUBTRACT:
    case PRISM_OP_MULTIPLY:
    case PRISM_OP_DIVIDE:
    case PRISM_OP_POWER:
    case PRISM_OP_MOD:
    case PRISM_OP_LOG:
        if (is_real(result))
            return apply_to_reals(op, operands[0], operands[1], context, result);
        return apply_to_ints(op, operands[0]->value.integer, operands[1]->value.integer, result);
    case PRISM_OP_MIN:
    case PRISM_OP_MAX:
        return extremum(operands, context, result);
    default:
        return "it cannot be computed";
    }
}

const char *prism_fold_operator(const prism_node *node, const prism_node *const *operands,
                                const prism_fold_context *context, prism_node *result)
{
    *result = *node;
    const char *why = apply((prism_op)node->op, operands, context, result);
    result->arity = 0;
    return why;
}
