/* SPDX-License-Identifier: MIT */
/* One pass over the nodes, with a stack of what is known about the operands. */
#include "prism/roundings.h"

#include <math.h>

#include "base/alloc.h"
#include "prism/number.h"

enum {
    UNKNOWN = 100 /* roundings; sums of two still fit */
};

typedef struct operand {
    uint8_t roundings;
    bool is_int, may_be_negative;
    double size; /* of an int: the largest magnitude, or more */
} operand;

#define WHOLE 0x1p53 /* up to it doubles hold all integers */

static operand of_int(double size, bool may_be_negative)
{
    return (operand){.roundings = size > WHOLE,
                     .is_int = true,
                     .may_be_negative = may_be_negative,
                     .size = size};
}

/* Its double may have been computed from others: then it is not next to the exact value. */
static operand of_real(const prism_node *literal)
{
    prism_number number;
    double nearest;
    prism_number_of_literal(literal, &number);
    bool is_nearest = prism_number_to_double(&number, &nearest) && nearest == literal->value.real;
    return (operand){.roundings = is_nearest ? 1 : UNKNOWN, .may_be_negative = nearest < 0};
}

static operand of_leaf(const prism_program *program, const prism_node *node)
{
    if (node->op == PRISM_OP_REAL)
        return of_real(node);
    if (node->op != PRISM_OP_VARIABLE)
        return of_int(fabs((double)node->value.integer), node->value.integer < 0);
    const prism_variable *variable = &program->variables[node->value.index];
    return of_int(fmax(fabs((double)variable->low), fabs((double)variable->high)),
                  variable->low < 0);
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* Int arithmetic is exact; the result is rounded when it becomes a real, if it is large. */
static operand join_ints(prism_op op, operand a, operand b)
{
    bool keeps_sign = op == PRISM_OP_ADD || op == PRISM_OP_MULTIPLY;
    double size = op == PRISM_OP_ADD || op == PRISM_OP_SUBTRACT ? a.size + b.size
                  : op == PRISM_OP_MULTIPLY                     ? a.size * b.size
                  : op == PRISM_OP_POWER                        ? (double)INFINITY
                                                                : fmax(a.size, b.size);
    return of_int(size, !keeps_sign || a.may_be_negative || b.may_be_negative);
}

static operand join(prism_op op, bool is_real, operand a, operand b)
{
    operand result = {.roundings = UNKNOWN,
                      .may_be_negative = a.may_be_negative || b.may_be_negative};
    if (!is_real && a.is_int && b.is_int)
        return join_ints(op, a, b);
    if (op == PRISM_OP_MULTIPLY || op == PRISM_OP_DIVIDE)
        result.roundings = (uint8_t)(a.roundings + b.roundings + 1);
    else if (op == PRISM_OP_ADD && !result.may_be_negative)
        result.roundings = (uint8_t)(larger(a.roundings, b.roundings) + 1);
    if (result.roundings > UNKNOWN)
        result.roundings = UNKNOWN;
    return result;
}

/* operands: the node's, in their order. */
static operand of_node(const prism_node *node, const operand *operands)
{
    operand result = operands[0];
    for (uint32_t i = 1; i < node->arity; i++) {
        result.is_int &= operands[i].is_int;
        result.size = fmax(result.size, operands[i].size);
    }
    if (node->op == PRISM_OP_CONDITIONAL) {
        result = operands[1];
        result.roundings = larger(operands[0].roundings == UNKNOWN ? UNKNOWN : 0,
                                  larger(operands[1].roundings, operands[2].roundings));
        result.is_int = operands[1].is_int && operands[2].is_int;
        result.may_be_negative |= operands[2].may_be_negative;
        result.size = fmax(operands[1].size, operands[2].size);
        return result;
    }
    if (node->arity == 2)
        return join((prism_op)node->op, node->type == PRISM_TYPE_REAL, operands[0], operands[1]);
    if (!result.is_int || node->type == PRISM_TYPE_REAL)
        return (operand){.roundings = UNKNOWN, .may_be_negative = true};
    return of_int(result.size, true); /* a sign, min or max */
}

opac_status prism_count_roundings(const prism_program *program, const prism_expression *expression,
                                  uint8_t most, uint8_t *count, opac_error *error)
{
    operand *stack = base_alloc(expression->count, sizeof *stack);
    uint32_t top = 0;
    if (stack == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < expression->count; i++) {
        const prism_node *node = &expression->nodes[i];
        top -= node->arity;
        stack[top] = node->arity == 0 ? of_leaf(program, node) : of_node(node, &stack[top]);
        top++;
    }
    *count = stack[0].roundings > most ? 0 : larger(stack[0].roundings, 1);
    base_free(stack);
    return OPAC_OK;
}
