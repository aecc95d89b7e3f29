/* SPDX-License-Identifier: MIT */
/*
 * Splitting at &, and intervals: an int expression whose interval stays within
 * 62 bits cannot overflow. Intervals are doubles, which is exact enough there.
 */
#include "prism/conjuncts.h"

typedef struct interval {
    double low, high;
} interval;

BASE_VEC(interval_vec, interval);

static const double LARGEST = 0x1p62;

static double least(const double *values, unsigned count)
{
    double result = values[0];
    for (unsigned i = 1; i < count; i++)
        result = values[i] < result ? values[i] : result;
    return result;
}

static double greatest(const double *values, unsigned count)
{
    double result = values[0];
    for (unsigned i = 1; i < count; i++)
        result = values[i] > result ? values[i] : result;
    return result;
}

/* Of two ints. */
static interval join(unsigned op, interval a, interval b)
{
    double products[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    switch (op) {
    case PRISM_OP_ADD:
        return (interval){a.low + b.low, a.high + b.high};
    case PRISM_OP_SUBTRACT:
        return (interval){a.low - b.high, a.high - b.low};
    case PRISM_OP_MULTIPLY:
        return (interval){least(products, 4), greatest(products, 4)};
    default: /* MIN, MAX, ?: lie between both */
        return (interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
}

static interval of_operand(const prism_program *program, const prism_node *node)
{
    if (node->op == PRISM_OP_VARIABLE && node->value.index < program->variable_count) {
        const prism_variable *variable = &program->variables[node->value.index];
        return (interval){(double)variable->low, (double)variable->high};
    }
    if (node->op == PRISM_OP_REAL)
        return (interval){0, 0};
    return (interval){(double)node->value.integer, (double)node->value.integer};
}

/* Pops the operands, pushes the result; returns whether the operator can fail. */
static bool apply(const prism_node *node, interval_vec *stack)
{
    if (stack->items == NULL || stack->count < node->arity) /* no expression looks so */
        return true;
    interval *operands = &stack->items[stack->count - node->arity], result = operands[0];
    bool fails = false;
    switch (node->op) {
    case PRISM_OP_NEGATE:
        result = (interval){-operands[0].high, -operands[0].low};
        break;
    case PRISM_OP_CONDITIONAL:
        result = join(node->op, operands[1], operands[2]);
        break;
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
    case PRISM_OP_POWER:
    case PRISM_OP_MOD:
        fails = true; /* not worth knowing better */
        break;
    default:
        for (uint32_t i = 1; i < node->arity; i++)
            result = join(node->op, result, operands[i]);
        break;
    }
    if (node->type != PRISM_TYPE_INT)
        result = (interval){0, 1};
    stack->count -= node->arity;
    stack->items[stack->count++] = result;
    return fails || !(result.low >= -LARGEST && result.high <= LARGEST);
}

static opac_status examine(const prism_program *program, prism_conjunct *part, interval_vec *stack,
                           opac_error *error)
{
    stack->count = 0;
    part->can_fail = false;
    part->only = part->largest = PRISM_NO_VARIABLE;
    uint32_t least_variable = UINT32_MAX;
    for (uint32_t i = 0; i < part->expression.count; i++) {
        const prism_node *node = &part->expression.nodes[i];
        if (node->arity > 0)
            part->can_fail |= apply(node, stack);
        else
            TRY(interval_vec_push(stack, of_operand(program, node), error));
        if (node->op == PRISM_OP_VARIABLE) {
            uint32_t variable = node->value.index;
            least_variable = variable < least_variable ? variable : least_variable;
            if (part->largest == PRISM_NO_VARIABLE || variable > part->largest)
                part->largest = variable;
        }
    }
    if (part->largest == least_variable)
        part->only = part->largest;
    return OPAC_OK;
}

void prism_find_begins(const prism_expression *expression, uint32_t *begin)
{
    for (uint32_t i = 0; i < expression->count; i++) {
        uint32_t first = i;
        for (uint32_t k = 0; k < expression->nodes[i].arity && first > 0; k++)
            first = begin[first - 1];
        begin[i] = first;
    }
}

/* Roots to look at, the leftmost last; each & gives way to its operands. */
static opac_status split(const prism_expression *whole, const uint32_t *begin, base_u32_vec *roots,
                         prism_conjunct_vec *parts, opac_error *error)
{
    TRY(base_u32_vec_push(roots, whole->count - 1, error));
    while (roots->count > 0) {
        uint32_t root = roots->items[--roots->count];
        const prism_node *node = &whole->nodes[root];
        if (node->op == PRISM_OP_AND) {
            TRY(base_u32_vec_push(roots, root - 1, error));
            TRY(base_u32_vec_push(roots, begin[root - 1] - 1, error));
        } else if (node->op != PRISM_OP_BOOL || node->value.integer == 0) {
            prism_conjunct part = {.expression = {.nodes = whole->nodes + begin[root],
                                                  .count = root - begin[root] + 1}};
            TRY(prism_conjunct_vec_push(parts, part, error));
        }
    }
    return OPAC_OK;
}

opac_status prism_conjuncts_find(const prism_program *program, const prism_expression *expression,
                                 prism_conjunct_vec *parts, opac_error *error)
{
    base_u32_vec roots = {0};
    interval_vec stack = {0};
    size_t first = parts->count;
    if (expression->count == 0)
        return OPAC_OK;
    uint32_t *begin = base_alloc(expression->count, sizeof *begin);
    if (begin == NULL)
        return base_fail_memory(error);
    prism_find_begins(expression, begin);
    opac_status status;
    TRY_OR(done, split(expression, begin, &roots, parts, error));
    for (size_t i = first; i < parts->count; i++)
        TRY_OR(done, examine(program, &parts->items[i], &stack, error));
done:
    base_free(begin);
    base_u32_vec_fini(&roots);
    interval_vec_fini(&stack);
    return status;
}
