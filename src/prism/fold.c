/* SPDX-License-Identifier: MIT */
/*
 * The third pass: constant folding.
 *
 * First, bottom-up: a node whose operands are literals becomes a literal; of a Boolean operator or ?: whose
 * first operand is a literal, only the operand that determines the value survives. A node that has no value
 * (mod by 0) is not folded. It is recorded as the fault of every enclosing node whose evaluation always
 * evaluates it. So an error in an operand that is never evaluated is not reported, and folding does not
 * remove other errors. Then, top-down from the root, the remaining nodes are copied.
 *
 *     x > 0 & (true | 1/0 > 2)            x  0  >  true
 *
 * Cost: each node is visited twice.
 */
#include "prism/expression_analysis.h"
#include "prism/number.h"

typedef struct folder {
    prism_analyser *analyser;
    uint32_t at;                 /* the current node */
    const prism_node **operands; /* scratch, with the largest arity as its size */
    prism_fold_context how;
    bool is_out_of_memory;
} folder;

static prism_node *node_at(const folder *fold, uint32_t index)
{
    return &fold->analyser->nodes.items[index];
}

static prism_span *span_at(const folder *fold, uint32_t index)
{
    return &fold->analyser->spans.items[index];
}

static bool is_literal(const folder *fold, uint32_t index)
{
    return prism_is_literal(node_at(fold, index));
}

static bool is_bool(const folder *fold, uint32_t index, int64_t value)
{
    const prism_node *node = node_at(fold, index);
    return node->op == PRISM_OP_BOOL && node->value.integer == value;
}

/* ---- replacing a node ---- */

static void become_bool(const folder *fold, bool value)
{
    prism_node *node = node_at(fold, fold->at);
    node->op = PRISM_OP_BOOL;
    node->arity = 0;
    node->value.integer = value ? 1 : 0;
    span_at(fold, fold->at)->may_fail = false;
    span_at(fold, fold->at)->fault = UINT32_MAX;
}

/*
 * Replaces the node by its operand with this number. A literal is copied, and converted if the node is a
 * real. Another int operand of a real node is not used, since it would change the types of enclosing nodes.
 */
static void become(const folder *fold, uint32_t operand, uint8_t number)
{
    prism_node *node = node_at(fold, fold->at);
    prism_span *span = span_at(fold, fold->at);
    span->fault = span_at(fold, operand)->fault;
    span->may_fail = span_at(fold, operand)->may_fail;
    if (is_literal(fold, operand)) {
        prism_place place = node->place;
        prism_type type = (prism_type)node->type;
        *node = *node_at(fold, operand);
        node->place = place;
        if (type == PRISM_TYPE_REAL)
            *node = prism_literal_real(node);
    } else if (node->type == node_at(fold, operand)->type) {
        span->survivor = (uint8_t)(number + 1);
    }
}

/* ---- Boolean operators ---- */

/*
 * Folds a binary operator with short-circuit evaluation. If the left operand is `decides`, the result is
 * `result`; else the result is the right operand. If the right operand is `right_decides`, the result is
 * `result` as well, but the left operand may be dropped only if its evaluation cannot fail.
 */
static void fold_short_circuit(const folder *fold, bool decides, bool result, bool right_decides)
{
    uint32_t right = fold->at - 1, left = span_at(fold, right)->start - 1;
    bool is_decided_by_right = is_bool(fold, right, right_decides ? 1 : 0);
    bool has_fault = span_at(fold, left)->fault != UINT32_MAX;
    if (is_bool(fold, left, decides ? 1 : 0) ||
        (is_decided_by_right && !span_at(fold, left)->may_fail && !is_literal(fold, left)))
        become_bool(fold, result);
    else if (is_literal(fold, left))
        become(fold, right, 1);
    else if (has_fault)
        span_at(fold, fold->at)->fault = span_at(fold, left)->fault;
    else if (is_literal(fold, right) && !is_decided_by_right &&
             node_at(fold, fold->at)->op != PRISM_OP_IMPLIES)
        become(fold, left, 0);
}

static void fold_conditional(const folder *fold)
{
    uint32_t no = fold->at - 1, yes = span_at(fold, no)->start - 1;
    uint32_t condition = span_at(fold, yes)->start - 1;
    if (is_bool(fold, condition, 1))
        become(fold, yes, 1);
    else if (is_literal(fold, condition))
        become(fold, no, 2);
    else
        span_at(fold, fold->at)->fault = span_at(fold, condition)->fault;
}

/* ---- other operators ---- */

static bool operator_may_fail(prism_op op, prism_type type)
{
    switch (op) {
    case PRISM_OP_NOT:
    case PRISM_OP_IFF:
    case PRISM_OP_EQUAL:
    case PRISM_OP_UNEQUAL:
    case PRISM_OP_LESS:
    case PRISM_OP_LESS_EQUAL:
    case PRISM_OP_GREATER:
    case PRISM_OP_GREATER_EQUAL:
    case PRISM_OP_MIN:
    case PRISM_OP_MAX:
    case PRISM_OP_AND:
    case PRISM_OP_OR:
    case PRISM_OP_IMPLIES:
    case PRISM_OP_CONDITIONAL:
        return false;
    case PRISM_OP_NEGATE:
    case PRISM_OP_ADD:
    case PRISM_OP_SUBTRACT:
    case PRISM_OP_MULTIPLY:
        return type != PRISM_TYPE_REAL;
    default:
        return true;
    }
}

/* Collects the operands in order; returns whether all of them are literals. */
static bool gather(const folder *fold)
{
    bool are_literals = true;
    uint32_t root = fold->at - 1;
    for (uint32_t i = node_at(fold, fold->at)->arity; i > 0; i--) {
        fold->operands[i - 1] = node_at(fold, root);
        are_literals &= is_literal(fold, root);
        root = span_at(fold, root)->start - 1;
    }
    return are_literals;
}

static void fold_strict(folder *fold)
{
    prism_node *node = node_at(fold, fold->at), result;
    prism_span *span = span_at(fold, fold->at);
    if (gather(fold)) {
        const char *why = prism_fold_operator(node, fold->operands, &fold->how, &result);
        if (why == NULL)
            *node = result;
        else
            span->fault = fold->at;
        fold->is_out_of_memory |= why == prism_out_of_memory;
        return;
    }
    uint32_t root = fold->at - 1;
    for (uint32_t i = node->arity; i > 0; i--) {
        if (span_at(fold, root)->fault != UINT32_MAX)
            span->fault =
                span_at(fold, root)->fault; /* of the leftmost operand with a fault, in the end */
        root = span_at(fold, root)->start - 1;
    }
}

/* Sets may_fail by the operator of the node and its operands, before folding. */
static void find_risk(const folder *fold)
{
    const prism_node *node = node_at(fold, fold->at);
    bool may_fail =
        node->arity > 0 && operator_may_fail((prism_op)node->op, (prism_type)node->type);
    uint32_t root = fold->at - 1;
    for (uint32_t i = node->arity; i > 0; i--) {
        may_fail |= span_at(fold, root)->may_fail;
        root = span_at(fold, root)->start - 1;
    }
    span_at(fold, fold->at)->may_fail = may_fail;
}

static void fold_node(folder *fold)
{
    find_risk(fold);
    if (node_at(fold, fold->at)->arity == 0)
        return;
    switch ((prism_op)node_at(fold, fold->at)->op) {
    case PRISM_OP_AND:
        fold_short_circuit(fold, false, false, false);
        break;
    case PRISM_OP_OR:
        fold_short_circuit(fold, true, true, true);
        break;
    case PRISM_OP_IMPLIES:
        fold_short_circuit(fold, false, true, true);
        break;
    case PRISM_OP_CONDITIONAL:
        fold_conditional(fold);
        break;
    default:
        fold_strict(fold);
        break;
    }
    if (is_literal(fold, fold->at))
        span_at(fold, fold->at)->may_fail = false;
}

/* ---- the remaining nodes ---- */

static void drop_all_but(const folder *fold, uint8_t survivor)
{
    uint32_t root = fold->at - 1;
    for (uint32_t i = node_at(fold, fold->at)->arity; i > 0; i--) {
        span_at(fold, root)->is_dropped = i != survivor;
        root = span_at(fold, root)->start - 1;
    }
}

/* Appends the remaining nodes to output, from the root to the first node. */
static opac_status collect(folder *fold, opac_error *error)
{
    prism_node_vec *output = &fold->analyser->output;
    output->count = 0;
    for (uint32_t next = (uint32_t)fold->analyser->nodes.count; next > 0;) {
        fold->at = next - 1;
        const prism_span *span = span_at(fold, fold->at);
        if (span->is_dropped) {
            next = span->start;
        } else if (span->survivor > 0) {
            drop_all_but(fold, span->survivor);
            next--;
        } else {
            next = is_literal(fold, fold->at) ? span->start : next - 1;
            TRY(prism_node_vec_push(output, *node_at(fold, fold->at), error));
        }
    }
    return OPAC_OK;
}

static opac_status copy_out(const folder *fold, prism_expression *result, opac_error *error)
{
    const prism_node_vec *output = &fold->analyser->output;
    prism_node *nodes = base_arena_alloc(fold->analyser->arena, output->count, sizeof *nodes);
    if (nodes == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < output->count; i++) {
        nodes[i] = output->items[output->count - 1 - i];
        if (!prism_literal_copy_number(&nodes[i], fold->analyser->arena))
            return base_fail_memory(error);
    }
    *result = (prism_expression){.nodes = nodes, .count = (uint32_t)output->count};
    return OPAC_OK;
}

/* Reports which operator of a constant cannot be computed, and why. */
static void report_fault(folder *fold, uint32_t fault)
{
    prism_node result;
    fold->at = fault;
    if (fault == UINT32_MAX || !gather(fold))
        return;
    const prism_node *node = node_at(fold, fault);
    const char *why = prism_fold_operator(node, fold->operands, &fold->how, &result);
    prism_report_error(fold->analyser, OPAC_ERROR_ARGUMENT, node->place,
                       "%s cannot be computed: %s", prism_op_name((prism_op)node->op),
                       why != NULL ? why : "its value is unknown");
}

static opac_status finish(folder *fold, const prism_requirements *required,
                          prism_expression *result, opac_error *error)
{
    uint32_t root = (uint32_t)fold->analyser->nodes.count - 1;
    if (required->is_constant && !is_literal(fold, root)) {
        report_fault(fold, span_at(fold, root)->fault);
        return OPAC_OK;
    }
    if (required->is_constant && required->type == PRISM_TYPE_REAL)
        *node_at(fold, root) = prism_literal_real(node_at(fold, root));
    TRY(collect(fold, error));
    return copy_out(fold, result, error);
}

opac_status prism_fold_constants(prism_analyser *analyser, const prism_requirements *required,
                                 prism_expression *result, opac_error *error)
{
    folder fold = {.analyser = analyser,
                   .how = {.arena = analyser->arena, .is_exact = required->is_exact}};
    uint32_t widest = 1;
    for (size_t i = 0; i < analyser->nodes.count; i++)
        if (analyser->nodes.items[i].arity > widest)
            widest = analyser->nodes.items[i].arity;
    fold.operands = base_alloc(widest, sizeof(const prism_node *));
    if (fold.operands == NULL)
        return base_fail_memory(error);
    for (fold.at = 0; fold.at < analyser->nodes.count; fold.at++)
        fold_node(&fold);
    opac_status status =
        fold.is_out_of_memory ? base_fail_memory(error) : finish(&fold, required, result, error);
    base_free(fold.operands);
    return status;
}
