/* SPDX-License-Identifier: MIT */
/* One pass over the nodes, with a stack of bounds for the operands. */
#include "prism/rounding_error.h"

#include <math.h>

#include "base/alloc.h"
#include "prism/number.h"

enum {
    UNKNOWN = 100 /* error units; the sum of two still fits into a uint8_t */
};

typedef struct bound {
    uint8_t error_units;
    bool is_int, may_be_negative;
    double size; /* of an int: a bound on its magnitude */
} bound;

#define EXACT_INTEGERS 0x1p53 /* all integers up to this magnitude are doubles */

static bound bound_int(double size, bool may_be_negative)
{
    return (bound){.error_units = size > EXACT_INTEGERS,
                   .is_int = true,
                   .may_be_negative = may_be_negative,
                   .size = size};
}

/* The double of a folded constant may have been computed in doubles; then its error is unknown. */
static bound bound_real(const prism_node *literal)
{
    prism_number number;
    double nearest;
    prism_number_of_literal(literal, &number);
    bool is_nearest = prism_number_to_double(&number, &nearest) && nearest == literal->value.real;
    return (bound){.error_units = is_nearest ? 1 : UNKNOWN, .may_be_negative = nearest < 0};
}

static bound bound_leaf(const prism_program *program, const prism_node *node)
{
    if (node->op == PRISM_OP_REAL)
        return bound_real(node);
    if (node->op != PRISM_OP_VARIABLE)
        return bound_int(fabs((double)node->value.integer), node->value.integer < 0);
    const prism_variable *variable = &program->variables[node->value.index];
    return bound_int(fmax(fabs((double)variable->low), fabs((double)variable->high)),
                     variable->low < 0);
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* Int arithmetic is exact. A large result is rounded when it is converted to a real. */
static bound bound_int_operator(prism_op op, bound a, bound b)
{
    bool keeps_sign = op == PRISM_OP_ADD || op == PRISM_OP_MULTIPLY;
    double size = op == PRISM_OP_ADD || op == PRISM_OP_SUBTRACT ? a.size + b.size
                  : op == PRISM_OP_MULTIPLY                     ? a.size * b.size
                  : op == PRISM_OP_POWER                        ? (double)INFINITY
                                                                : fmax(a.size, b.size);
    return bound_int(size, !keeps_sign || a.may_be_negative || b.may_be_negative);
}

static bound bound_operator(prism_op op, bool is_real, bound a, bound b)
{
    bound result = {.error_units = UNKNOWN,
                    .may_be_negative = a.may_be_negative || b.may_be_negative};
    if (!is_real && a.is_int && b.is_int)
        return bound_int_operator(op, a, b);
    if (op == PRISM_OP_MULTIPLY || op == PRISM_OP_DIVIDE)
        result.error_units = (uint8_t)(a.error_units + b.error_units + 1);
    else if (op == PRISM_OP_ADD && !result.may_be_negative)
        result.error_units = (uint8_t)(larger(a.error_units, b.error_units) + 1);
    if (result.error_units > UNKNOWN)
        result.error_units = UNKNOWN;
    return result;
}

/* The bound of a node, given those of its operands in order. */
static bound bound_node(const prism_node *node, const bound *bounds)
{
    bound result = bounds[0];
    for (uint32_t i = 1; i < node->arity; i++) {
        result.is_int &= bounds[i].is_int;
        result.size = fmax(result.size, bounds[i].size);
    }
    if (node->op == PRISM_OP_CONDITIONAL) {
        result = bounds[1];
        result.error_units = larger(bounds[0].error_units == UNKNOWN ? UNKNOWN : 0,
                                    larger(bounds[1].error_units, bounds[2].error_units));
        result.is_int = bounds[1].is_int && bounds[2].is_int;
        result.may_be_negative |= bounds[2].may_be_negative;
        result.size = fmax(bounds[1].size, bounds[2].size);
        return result;
    }
    if (node->arity == 2)
        return bound_operator((prism_op)node->op, node->type == PRISM_TYPE_REAL, bounds[0],
                              bounds[1]);
    if (!result.is_int || node->type == PRISM_TYPE_REAL)
        return (bound){.error_units = UNKNOWN, .may_be_negative = true};
    return bound_int(result.size, true); /* negation, min or max of ints */
}

opac_status prism_bound_rounding_error(const prism_program *program,
                                       const prism_expression *expression, uint8_t most,
                                       uint8_t *error_units, opac_error *error)
{
    bound *stack = base_alloc(expression->count, sizeof *stack);
    uint32_t top = 0;
    if (stack == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < expression->count; i++) {
        const prism_node *node = &expression->nodes[i];
        top -= node->arity;
        stack[top] = node->arity == 0 ? bound_leaf(program, node) : bound_node(node, &stack[top]);
        top++;
    }
    *error_units = stack[0].error_units > most ? 0 : larger(stack[0].error_units, 1);
    base_free(stack);
    return OPAC_OK;
}
