/* SPDX-License-Identifier: MIT */
/*
 * Splits expressions at &. Interval arithmetic shows that an int expression cannot overflow: its interval
 * must stay within ±2^62. The bounds are doubles, whose rounding errors are far below the margin to ±2^63.
 */
#include "prism/conjuncts.h"

typedef struct interval {
    double low, high;
} interval;

BASE_VEC(interval_vec, interval);

static const double SAFE_MAGNITUDE = 0x1p62;

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

/* The interval of an operator on two ints. */
static interval join_intervals(unsigned op, interval a, interval b)
{
    double products[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    switch (op) {
    case PRISM_OP_ADD:
        return (interval){a.low + b.low, a.high + b.high};
    case PRISM_OP_SUBTRACT:
        return (interval){a.low - b.high, a.high - b.low};
    case PRISM_OP_MULTIPLY:
        return (interval){least(products, 4), greatest(products, 4)};
    default: /* MIN, MAX and ?: are within the union of both */
        return (interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
}

static interval operand_interval(const prism_program *program, const prism_node *node)
{
    if (node->op == PRISM_OP_VARIABLE && node->value.index < program->variable_count) {
        const prism_variable *variable = &program->variables[node->value.index];
        return (interval){(double)variable->low, (double)variable->high};
    }
    if (node->op == PRISM_OP_REAL)
        return (interval){0, 0};
    return (interval){(double)node->value.integer, (double)node->value.integer};
}

/* Replaces the operands on the stack by the result; returns whether the operator can fail. */
static bool analyse_operator(const prism_node *node, interval_vec *stack)
{
    if (stack->items == NULL || stack->count < node->arity) /* not a valid expression */
        return true;
    interval *operands = &stack->items[stack->count - node->arity], result = operands[0];
    bool can_fail = false;
    switch (node->op) {
    case PRISM_OP_NEGATE:
        result = (interval){-operands[0].high, -operands[0].low};
        break;
    case PRISM_OP_CONDITIONAL:
        result = join_intervals(node->op, operands[1], operands[2]);
        break;
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
    case PRISM_OP_POWER:
    case PRISM_OP_MOD:
        can_fail = true; /* a conservative answer */
        break;
    default:
        for (uint32_t i = 1; i < node->arity; i++)
            result = join_intervals(node->op, result, operands[i]);
        break;
    }
    if (node->type != PRISM_TYPE_INT)
        result = (interval){0, 1};
    stack->count -= node->arity;
    stack->items[stack->count++] = result;
    return can_fail || !(result.low >= -SAFE_MAGNITUDE && result.high <= SAFE_MAGNITUDE);
}

static opac_status analyse_conjunct(const prism_program *program, prism_conjunct *conjunct,
                                    interval_vec *stack, opac_error *error)
{
    stack->count = 0;
    conjunct->can_fail = false;
    conjunct->single_variable = conjunct->largest_variable = PRISM_NO_VARIABLE;
    uint32_t least_variable = UINT32_MAX;
    for (uint32_t i = 0; i < conjunct->expression.count; i++) {
        const prism_node *node = &conjunct->expression.nodes[i];
        if (node->arity > 0)
            conjunct->can_fail |= analyse_operator(node, stack);
        else
            TRY(interval_vec_push(stack, operand_interval(program, node), error));
        if (node->op == PRISM_OP_VARIABLE) {
            uint32_t variable = node->value.index;
            least_variable = variable < least_variable ? variable : least_variable;
            if (conjunct->largest_variable == PRISM_NO_VARIABLE ||
                variable > conjunct->largest_variable)
                conjunct->largest_variable = variable;
        }
    }
    if (conjunct->largest_variable == least_variable)
        conjunct->single_variable = conjunct->largest_variable;
    return OPAC_OK;
}

void prism_find_first_nodes(const prism_expression *expression, uint32_t *begin)
{
    for (uint32_t i = 0; i < expression->count; i++) {
        uint32_t first = i;
        for (uint32_t k = 0; k < expression->nodes[i].arity && first > 0; k++)
            first = begin[first - 1];
        begin[i] = first;
    }
}

/* `roots` is a stack of subexpressions with the leftmost on top; an & is replaced by its operands. */
static opac_status find_conjuncts(const prism_expression *whole, const uint32_t *begin,
                                  base_u32_vec *roots, prism_conjunct_vec *conjuncts,
                                  opac_error *error)
{
    TRY(base_u32_vec_push(roots, whole->count - 1, error));
    while (roots->count > 0) {
        uint32_t root = roots->items[--roots->count];
        const prism_node *node = &whole->nodes[root];
        if (node->op == PRISM_OP_AND) {
            TRY(base_u32_vec_push(roots, root - 1, error));
            TRY(base_u32_vec_push(roots, begin[root - 1] - 1, error));
        } else if (node->op != PRISM_OP_BOOL || node->value.integer == 0) {
            prism_conjunct conjunct = {.expression = {.nodes = whole->nodes + begin[root],
                                                      .count = root - begin[root] + 1}};
            TRY(prism_conjunct_vec_push(conjuncts, conjunct, error));
        }
    }
    return OPAC_OK;
}

opac_status prism_conjuncts_find(const prism_program *program, const prism_expression *expression,
                                 prism_conjunct_vec *conjuncts, opac_error *error)
{
    base_u32_vec roots = {0};
    interval_vec stack = {0};
    size_t first = conjuncts->count;
    if (expression->count == 0)
        return OPAC_OK;
    uint32_t *begin = base_alloc(expression->count, sizeof *begin);
    if (begin == NULL)
        return base_fail_memory(error);
    prism_find_first_nodes(expression, begin);
    opac_status status;
    TRY_OR(done, find_conjuncts(expression, begin, &roots, conjuncts, error));
    for (size_t i = first; i < conjuncts->count; i++)
        TRY_OR(done, analyse_conjunct(program, &conjuncts->items[i], &stack, error));
done:
    base_free(begin);
    base_u32_vec_fini(&roots);
    interval_vec_fini(&stack);
    return status;
}
