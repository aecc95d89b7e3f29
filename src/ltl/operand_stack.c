/* SPDX-License-Identifier: MIT */
/*
 * Builds formulas from operands. Bounds are unrolled: with E(m, n) for a U[m,n] b,
 *
 *     E(m, n) = a & X E(m-1, n-1)           m > 0
 *     E(0, n) = b | (a & X E(0, n-1))       n > 0
 *     E(0, 0) = b,  E(0, ∞) = a U b
 *
 * F b is true U b. R and G are the duals, with And and Or exchanged. As in PRISM, a W[I] b is
 * !((a & !b) U[I] (!a & !b)), which is (!a | b) R[I] (a | b).
 */
#include "ltl/operand_stack.h"

#include <assert.h>
#include <inttypes.h>

void ltl_operand_stack_fini(ltl_operand_stack *operands)
{
    base_u32_vec_fini(&operands->items);
    ltl_operand_vec_fini(&operands->stack);
}

opac_status ltl_operand_stack_push(ltl_operand_stack *operands, ltl_formula formula,
                                   opac_error *error)
{
    ltl_operand operand = {.first = operands->items.count, .op = LTL_AP};
    ltl_store_spend(operands->store, 1); /* a long text may have a small formula */
    TRY(ltl_store_check(operands->store, error));
    TRY(base_u32_vec_push(&operands->items, formula, error));
    return ltl_operand_vec_push(&operands->stack, operand, error);
}

static ltl_operand *top(ltl_operand_stack *operands)
{
    assert(operands->stack.count > 0);
    return &operands->stack.items[operands->stack.count - 1];
}

void ltl_operand_stack_replace(ltl_operand_stack *operands, ltl_formula formula)
{
    ltl_operand *operand = top(operands);
    operands->items.items[operand->first] = formula;
    operands->items.count = operand->first + 1;
    *operand = (ltl_operand){.first = operand->first, .op = LTL_AP};
}

void ltl_operand_stack_drop(ltl_operand_stack *operands)
{
    operands->items.count = top(operands)->first;
    operands->stack.count--;
}

/* Limits the total length of all lists, because each Or in nested formulas such as !!(… | a) is copied. */
static opac_status charge(ltl_operand_stack *operands, ltl_op op, size_t first, opac_error *error)
{
    for (size_t i = first; i < operands->items.count; i++) {
        ltl_formula item = operands->items.items[i];
        bool nested = ltl_op_of(operands->store, item) == op;
        operands->work += nested ? ltl_arity(operands->store, item) : 1;
    }
    if (operands->work > LTL_NODE_LIMIT)
        return base_fail(error, OPAC_ERROR_LIMIT, "the formula is too large");
    return OPAC_OK;
}

/* Makes the formula of the top operand if it is a list. */
static opac_status make(ltl_operand_stack *operands, opac_error *error)
{
    ltl_operand *operand = top(operands);
    if (operand->op == LTL_AP)
        return OPAC_OK;
    TRY(charge(operands, operand->op, operand->first, error));
    ltl_formula made =
        ltl_many(operands->store, operand->op, operands->items.items + operand->first,
                 operands->items.count - operand->first);
    operands->items.items[operand->first] = made;
    operands->items.count = operand->first + 1;
    operand->op = LTL_AP;
    return ltl_store_check(operands->store, error);
}

opac_status ltl_operand_stack_begin_binary(ltl_operand_stack *operands, ltl_op op,
                                           opac_error *error)
{
    return top(operands)->op == op ? OPAC_OK : make(operands, error);
}

opac_status ltl_operand_stack_pop(ltl_operand_stack *operands, ltl_formula *formula,
                                  opac_error *error)
{
    TRY(make(operands, error));
    *formula = operands->items.items[--operands->items.count];
    operands->stack.count--;
    return OPAC_OK;
}

/* ---- bounds ---- */

static opac_status check_size(uint64_t size, opac_error *error)
{
    if (size <= LTL_SIZE_LIMIT)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_LIMIT,
                     "the formula has more than %d operators, those of bounds included",
                     LTL_SIZE_LIMIT);
}

/* Prevents overflow in the unrolling, and unrolling of formulas that would exceed the depth limit. */
static opac_status check_bounds(ltl_bounds bounds, opac_error *error)
{
    uint64_t last = bounds.high != LTL_UNBOUNDED ? bounds.high : bounds.low;
    assert(bounds.low <= bounds.high);
    if (last <= LTL_DEPTH_LIMIT)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_LIMIT,
                     "the bound %" PRIu64 " is too large: formulas are nested at most %d deep",
                     last, LTL_DEPTH_LIMIT);
}

/* left U[…] right; is_dual: left R[…] right. */
static ltl_formula unroll(ltl_store *store, ltl_formula left, ltl_formula right, ltl_bounds bounds,
                          bool is_dual)
{
    ltl_op both = is_dual ? LTL_OR : LTL_AND, either = is_dual ? LTL_AND : LTL_OR;
    ltl_formula result = right;
    uint64_t open = 0; /* steps at which the goal counts, after the first */
    if (bounds.high == LTL_UNBOUNDED)
        result = ltl_binary(store, is_dual ? LTL_R : LTL_U, left, right);
    else
        open = bounds.high - bounds.low;
    for (uint64_t i = 0; i < open; i++) {
        ltl_formula wait = ltl_binary(store, both, left, ltl_x(store, result));
        result = ltl_binary(store, either, right, wait);
    }
    for (uint64_t i = 0; i < bounds.low; i++)
        result = ltl_binary(store, both, left, ltl_x(store, result));
    return result;
}

/* The size of the result of unroll. F and G have no left operand and no operator for it. */
static uint64_t unrolled_size(uint64_t left, uint64_t right, ltl_bounds bounds, bool is_unary)
{
    uint64_t open = bounds.high == LTL_UNBOUNDED ? 0 : bounds.high - bounds.low;
    uint64_t wait = is_unary ? 1 : left + 2;
    uint64_t last = bounds.high == LTL_UNBOUNDED ? left + right + 1 : right;
    return last + open * (wait + right + 1) + bounds.low * wait;
}

/* ---- operators ---- */

/* Replaces the top `arity` operands by the result. */
static opac_status finish(ltl_operand_stack *operands, size_t arity, ltl_formula result,
                          uint64_t size, opac_error *error)
{
    operands->stack.count -= arity - 1;
    ltl_operand *operand = top(operands);
    operand->size = size;
    operand->op = LTL_AP;
    operands->items.count = operand->first + 1;
    operands->items.items[operand->first] = result;
    return ltl_store_check(operands->store, error);
}

static ltl_formula repeat_x(ltl_store *store, ltl_formula child, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        child = ltl_x(store, child);
    return child;
}

opac_status ltl_operand_stack_unary(ltl_operand_stack *operands, ltl_op op, ltl_bounds bounds,
                                    opac_error *error)
{
    ltl_store *store = operands->store;
    TRY(make(operands, error));
    if (bounds.given)
        TRY(check_bounds(bounds, error));
    ltl_formula child = operands->items.items[operands->items.count - 1], result = LTL_FALSE;
    uint64_t size = top(operands)->size + 1;
    bool is_repeated = bounds.given && op == LTL_X;
    if (is_repeated)
        size += bounds.low;
    else if (bounds.given)
        size = unrolled_size(0, top(operands)->size, bounds, true);
    TRY(check_size(size, error));
    if (is_repeated)
        result = repeat_x(store, child, bounds.low);
    else if (bounds.given)
        result = unroll(store, op == LTL_F ? LTL_TRUE : LTL_FALSE, child, bounds, op == LTL_G);
    else
        result = ltl_unary(store, op, child);
    return finish(operands, 1, result, size, error);
}

/* Joins the top two operands into one list. */
static void join(ltl_operand_stack *operands, ltl_op op, uint64_t size)
{
    operands->stack.count--;
    ltl_operand *operand = top(operands);
    operand->op = op;
    operand->size = size;
}

static ltl_formula make_bounded(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right,
                                ltl_bounds bounds)
{
    if (op != LTL_W)
        return unroll(store, left, right, bounds, op == LTL_R);
    ltl_formula released = ltl_or(store, ltl_not(store, left), right);
    return unroll(store, released, ltl_or(store, left, right), bounds, true);
}

opac_status ltl_operand_stack_binary(ltl_operand_stack *operands, ltl_op op, ltl_bounds bounds,
                                     opac_error *error)
{
    bool is_list = op == LTL_AND || op == LTL_OR;
    TRY(ltl_operand_stack_begin_binary(operands, op, error));
    if (bounds.given)
        TRY(check_bounds(bounds, error));
    assert(operands->stack.count >= 2);
    const ltl_operand *right = top(operands), *left = right - 1;
    assert(left->op == LTL_AP || left->op == op);
    uint64_t size = left->size + right->size + 1;
    if (bounds.given) {
        uint64_t doubled = op == LTL_W ? size + 1 : 0; /* both occur in both parts */
        size = unrolled_size(left->size + doubled, right->size + doubled, bounds, false);
    }
    TRY(check_size(size, error));
    if (is_list) {
        join(operands, op, size);
        return OPAC_OK;
    }
    ltl_formula a = operands->items.items[left->first], b = operands->items.items[right->first];
    ltl_formula result = bounds.given ? make_bounded(operands->store, op, a, b, bounds)
                                      : ltl_binary(operands->store, op, a, b);
    return finish(operands, 2, result, size, error);
}
