/* SPDX-License-Identifier: MIT */
/*
 * The third pass: constant parts are computed.
 *
 * First upwards: a node whose operands are literals becomes one itself; of a
 * Boolean operator or ?: with a literal in front only the operand that matters
 * survives. What has no value (mod by 0) stays as it is, with a mark that goes
 * up as far as evaluation would: so a mistake in a branch that is never taken is
 * none, and nobody's mistake is folded away. Then downwards, from the root to
 * the left, what is left is copied.
 *
 *     x > 0 & (true | 1/0 > 2)            x  0  >  true
 *
 * Cost: each node is looked at twice.
 */
#include "prism/elaborate.h"
#include "prism/number.h"

typedef struct folder {
    prism_elaborator *elaborator;
    uint32_t at;
    const prism_node **operands; /* room for the widest node */
    prism_folding how;
    bool is_out_of_memory;
} folder;

static prism_node *node_at(const folder *fold, uint32_t index)
{
    return &fold->elaborator->nodes.items[index];
}

static prism_span *span_at(const folder *fold, uint32_t index)
{
    return &fold->elaborator->spans.items[index];
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

/* ---- what becomes of a node ---- */

static void become_bool(const folder *fold, bool value)
{
    prism_node *node = node_at(fold, fold->at);
    node->op = PRISM_OP_BOOL;
    node->arity = 0;
    node->value.integer = value ? 1 : 0;
    span_at(fold, fold->at)->is_risky = false;
    span_at(fold, fold->at)->fault = UINT32_MAX;
}

/*
 * Only the operand with this number matters. A literal is copied, as a real
 * where the node is one; an int in the place of a real would change the types
 * above, and stays below its operator.
 */
static void become(const folder *fold, uint32_t operand, uint8_t number)
{
    prism_node *node = node_at(fold, fold->at);
    prism_span *span = span_at(fold, fold->at);
    span->fault = span_at(fold, operand)->fault;
    span->is_risky = span_at(fold, operand)->is_risky;
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
 * `ends` is the left operand that settles the matter, with the result
 * `settled`; any other makes it the right one. A right operand may settle it,
 * too, if nothing on the left can go wrong.
 */
static void fold_short(const folder *fold, bool ends, bool settled, bool right_settles)
{
    uint32_t right = fold->at - 1, left = span_at(fold, right)->start - 1;
    bool right_decides = is_bool(fold, right, right_settles ? 1 : 0);
    bool has_fault = span_at(fold, left)->fault != UINT32_MAX;
    if (is_bool(fold, left, ends ? 1 : 0) ||
        (right_decides && !span_at(fold, left)->is_risky && !is_literal(fold, left)))
        become_bool(fold, settled);
    else if (is_literal(fold, left))
        become(fold, right, 1);
    else if (has_fault)
        span_at(fold, fold->at)->fault = span_at(fold, left)->fault;
    else if (is_literal(fold, right) && !right_decides &&
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

/* ---- all others ---- */

static bool may_fail(prism_op op, prism_type type)
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

/* Gathers the operands in their order. Whether all are literals. */
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
        const char *why = prism_apply(node, fold->operands, &fold->how, &result);
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
            span->fault = span_at(fold, root)->fault; /* at last that of the leftmost */
        root = span_at(fold, root)->start - 1;
    }
}

/* Whether evaluation may fail, by the node itself and its operands, before any folding. */
static void find_risk(const folder *fold)
{
    const prism_node *node = node_at(fold, fold->at);
    bool is_risky = node->arity > 0 && may_fail((prism_op)node->op, (prism_type)node->type);
    uint32_t root = fold->at - 1;
    for (uint32_t i = node->arity; i > 0; i--) {
        is_risky |= span_at(fold, root)->is_risky;
        root = span_at(fold, root)->start - 1;
    }
    span_at(fold, fold->at)->is_risky = is_risky;
}

static void fold_node(folder *fold)
{
    find_risk(fold);
    if (node_at(fold, fold->at)->arity == 0)
        return;
    switch ((prism_op)node_at(fold, fold->at)->op) {
    case PRISM_OP_AND:
        fold_short(fold, false, false, false);
        break;
    case PRISM_OP_OR:
        fold_short(fold, true, true, true);
        break;
    case PRISM_OP_IMPLIES:
        fold_short(fold, false, true, true);
        break;
    case PRISM_OP_CONDITIONAL:
        fold_conditional(fold);
        break;
    default:
        fold_strict(fold);
        break;
    }
    if (is_literal(fold, fold->at))
        span_at(fold, fold->at)->is_risky = false;
}

/* ---- what is left ---- */

static void drop_all_but(const folder *fold, uint8_t survivor)
{
    uint32_t root = fold->at - 1;
    for (uint32_t i = node_at(fold, fold->at)->arity; i > 0; i--) {
        span_at(fold, root)->is_dropped = i != survivor;
        root = span_at(fold, root)->start - 1;
    }
}

/* Into output, root first. */
static opac_status collect(folder *fold, opac_error *error)
{
    prism_node_vec *output = &fold->elaborator->output;
    output->count = 0;
    for (uint32_t next = (uint32_t)fold->elaborator->nodes.count; next > 0;) {
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
    const prism_node_vec *output = &fold->elaborator->output;
    prism_node *nodes = base_arena_alloc(fold->elaborator->arena, output->count, sizeof *nodes);
    if (nodes == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < output->count; i++) {
        nodes[i] = output->items[output->count - 1 - i];
        if (!prism_literal_move(&nodes[i], fold->elaborator->arena))
            return base_fail_memory(error);
    }
    *result = (prism_expression){.nodes = nodes, .count = (uint32_t)output->count};
    return OPAC_OK;
}

/* A constant without a value: says which operator has none, and why. */
static void report_fault(folder *fold, uint32_t fault)
{
    prism_node result;
    fold->at = fault;
    if (fault == UINT32_MAX || !gather(fold))
        return;
    const prism_node *node = node_at(fold, fault);
    const char *why = prism_apply(node, fold->operands, &fold->how, &result);
    prism_mistake(fold->elaborator, OPAC_ERROR_ARGUMENT, node->place, "%s has no value here: %s",
                  prism_op_name((prism_op)node->op), why != NULL ? why : "it is unknown");
}

static opac_status finish(folder *fold, const prism_wanted *wanted, prism_expression *result,
                          opac_error *error)
{
    uint32_t root = (uint32_t)fold->elaborator->nodes.count - 1;
    if (wanted->is_constant && !is_literal(fold, root)) {
        report_fault(fold, span_at(fold, root)->fault);
        return OPAC_OK;
    }
    if (wanted->is_constant && wanted->type == PRISM_TYPE_REAL)
        *node_at(fold, root) = prism_literal_real(node_at(fold, root));
    TRY(collect(fold, error));
    return copy_out(fold, result, error);
}

opac_status prism_fold(prism_elaborator *elaborator, const prism_wanted *wanted,
                       prism_expression *result, opac_error *error)
{
    folder fold = {.elaborator = elaborator,
                   .how = {.arena = elaborator->arena, .is_exact = wanted->is_exact}};
    uint32_t widest = 1;
    for (size_t i = 0; i < elaborator->nodes.count; i++)
        if (elaborator->nodes.items[i].arity > widest)
            widest = elaborator->nodes.items[i].arity;
    fold.operands = base_alloc(widest, sizeof(const prism_node *));
    if (fold.operands == NULL)
        return base_fail_memory(error);
    for (fold.at = 0; fold.at < elaborator->nodes.count; fold.at++)
        fold_node(&fold);
    opac_status status =
        fold.is_out_of_memory ? base_fail_memory(error) : finish(&fold, wanted, result, error);
    base_free(fold.operands);
    return status;
}
