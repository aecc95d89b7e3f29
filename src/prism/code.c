/* SPDX-License-Identifier: MIT */
/* Stores and evaluates compiled expressions. */
#include "prism/code.h"

#include "base/alloc.h"
#include "prism/arithmetic.h"
#include "prism/instructions.h"

opac_status prism_code_new(prism_code **code, opac_error *error)
{
    *code = base_alloc_zeroed(1, sizeof **code);
    return *code != NULL ? OPAC_OK : base_fail_memory(error);
}

void prism_code_free(prism_code *code)
{
    if (code == NULL)
        return;
    prism_instruction_vec_fini(&code->instructions);
    prism_place_vec_fini(&code->places);
    prism_node_vec_fini(&code->literals);
    prism_entry_vec_fini(&code->entries);
    base_free(code->stack);
    base_free(code->numbers);
    base_free(code);
}

static opac_status grow_stack(prism_code *code, uint32_t depth, opac_error *error)
{
    if (code->stack != NULL && depth <= code->depth)
        return OPAC_OK;
    prism_slot *stack = base_alloc((size_t)depth + 1, sizeof *stack);
    if (stack == NULL)
        return base_fail_memory(error);
    base_free(code->stack);
    code->stack = stack;
    code->depth = depth;
    return OPAC_OK;
}

/* Separate from the other stack, since conditions may be nested deeply but are not computed with numbers. */
static opac_status grow_number_stack(prism_code *code, uint32_t depth, opac_error *error)
{
    if (code->numbers != NULL && depth <= code->number_depth)
        return OPAC_OK;
    prism_number *numbers = base_alloc((size_t)depth + 1, sizeof *numbers);
    if (numbers == NULL)
        return base_fail_memory(error);
    base_free(code->numbers);
    code->numbers = numbers;
    code->number_depth = depth;
    return OPAC_OK;
}

opac_status prism_code_add_all(prism_code *code, const prism_expression *expressions,
                               uint32_t count, uint32_t *entry, opac_error *error)
{
    uint32_t depth = 0;
    size_t begin = code->instructions.count;
    prism_entry made = {.begin = (uint32_t)begin, .type = PRISM_TYPE_BOOL};
    if (count == 1)
        made.type = prism_root(expressions)->type;
    opac_status status;
    TRY_OR(done, prism_compile(code, expressions, count, &depth, error));
    TRY_OR(done, grow_stack(code, depth, error));
    if (made.type != PRISM_TYPE_BOOL)
        TRY_OR(done, grow_number_stack(code, depth, error));
    TRY_OR(done, prism_entry_vec_push(&code->entries, made, error));
    *entry = (uint32_t)(code->entries.count - 1);
    return OPAC_OK;
done:
    code->instructions.count = begin;
    code->places.count = begin;
    return status;
}

opac_status prism_code_add(prism_code *code, const prism_expression *expression, uint32_t *entry,
                           opac_error *error)
{
    return prism_code_add_all(code, expression, 1, entry, error);
}

/* ---- evaluation ---- */

static const char overflow[] = "integer overflow";

static opac_status fail(const prism_code *code, const prism_instruction *at, const char *what,
                        opac_error *error)
{
    prism_place place = code->places.items[at - code->instructions.items];
    return base_fail_at(error, OPAC_ERROR_ARGUMENT, place.line, place.column, "%s", what);
}

static bool compare_reals(unsigned comparison, double a, double b)
{
    switch (comparison) {
    case CODE_IF_REALS_EQUAL:
        return a == b;
    case CODE_IF_REALS_UNEQUAL:
        return a != b;
    case CODE_IF_REALS_LESS:
        return a < b;
    case CODE_IF_REALS_LESS_EQUAL:
        return a <= b;
    case CODE_IF_REALS_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

/* Whether a product, quotient or power of numbers other than 0 is too small. */
static bool has_underflowed(unsigned op, double a, double b, double result)
{
    return prism_real_underflows(result) && a != 0 &&
           (op == CODE_DIVIDE_REAL || op == CODE_POWER_REAL ||
            (op == CODE_MULTIPLY_REAL && b != 0));
}

static double apply_to_reals(unsigned op, double a, double b)
{
    switch (op) {
    case CODE_ADD_REAL:
        return a + b;
    case CODE_SUBTRACT_REAL:
        return a - b;
    case CODE_MULTIPLY_REAL:
        return a * b;
    case CODE_DIVIDE_REAL:
        return a / b;
    case CODE_POWER_REAL:
        return pow(a, b);
    case CODE_LOG_REAL:
        return prism_real_log(a, b);
    case CODE_MIN_REAL:
        return isnan(a) || isnan(b) ? (double)NAN : (a < b ? a : b);
    default:
        return isnan(a) || isnan(b) ? (double)NAN : (a > b ? a : b);
    }
}

/* Returns NULL, or why there is no result. */
static const char *apply_to_ints(unsigned op, int64_t a, int64_t b, int64_t *result)
{
    bool fits = true;
    switch (op) {
    case CODE_ADD:
        fits = prism_int_add(a, b, result);
        break;
    case CODE_SUBTRACT:
        fits = prism_int_subtract(a, b, result);
        break;
    case CODE_MULTIPLY:
        fits = prism_int_multiply(a, b, result);
        break;
    case CODE_POWER:
        if (b < 0)
            return PRISM_NEGATIVE_EXPONENT;
        fits = prism_int_power(a, b, result);
        break;
    case CODE_MOD:
        return prism_int_mod(a, b, result) ? NULL
               : b == 0                    ? "mod by 0"
                                           : "mod by a negative number";
    case CODE_MIN:
        *result = a < b ? a : b;
        break;
    default:
        *result = a > b ? a : b;
        break;
    }
    return fits ? NULL : overflow;
}

static bool round_real(unsigned op, double real, int64_t *result)
{
    switch (op) {
    case CODE_FLOOR:
        return prism_int_floor(real, result);
    case CODE_CEIL:
        return prism_int_ceil(real, result);
    default:
        return prism_int_round(real, result);
    }
}

/* Executes an instruction on reals as doubles. Returns NULL, or why there is no result. */
static const char *execute_with_doubles(const prism_instruction *at, prism_slot *slot)
{
    double a = slot[0].real;
    switch (at->op) {
    case CODE_TO_REAL:
        slot->real = (double)slot->integer;
        return NULL;
    case CODE_NEGATE_REAL:
        slot->real = -a;
        return NULL;
    case CODE_FLOOR:
    case CODE_CEIL:
    case CODE_ROUND:
        return round_real(at->op, a, &slot->integer) ? NULL : PRISM_NOT_ROUNDABLE;
    default:
        slot->real = apply_to_reals(at->op, a, slot[1].real);
        return has_underflowed(at->op, a, slot[1].real, slot->real) ? PRISM_UNDERFLOW : NULL;
    }
}

/* The same for reals as prism_numbers, for probabilities; the reals are in `numbers` instead of the slots. */
static const char *execute_with_numbers(const prism_instruction *at, prism_slot *slot,
                                        prism_number *numbers)
{
    static const prism_op ops[] = {
        PRISM_OP_ADD,   PRISM_OP_SUBTRACT, PRISM_OP_MULTIPLY, PRISM_OP_DIVIDE,
        PRISM_OP_POWER, PRISM_OP_LOG,      PRISM_OP_MIN,      PRISM_OP_MAX,
    }; /* indexed by op - CODE_ADD_REAL */
    prism_number zero;
    switch (at->op) {
    case CODE_TO_REAL:
        prism_number_of_ratio(base_ratio_of_integer(slot->integer), numbers);
        return NULL;
    case CODE_NEGATE_REAL:
        prism_number_of_ratio(base_ratio_of_integer(0), &zero);
        prism_number_apply(PRISM_OP_SUBTRACT, &zero, numbers, numbers);
        return NULL;
    case CODE_FLOOR:
    case CODE_CEIL:
    case CODE_ROUND:
        return prism_number_round((prism_op)(PRISM_OP_FLOOR + (at->op - CODE_FLOOR)), numbers,
                                  &slot->integer);
    default:
        prism_number_apply(ops[at->op - CODE_ADD_REAL], &numbers[0], &numbers[1], numbers);
        return NULL;
    }
}

/* Executes the instructions on reals and the less frequent ones on ints; updates *top. */
static opac_status execute(const prism_code *code, const prism_instruction *at, bool exact,
                           prism_slot **top, opac_error *error)
{
    prism_slot *slot = at->op >= CODE_ADD ? *top - 2 : *top - 1;
    const char *reason = NULL;
    *top = slot + 1;
    if (at->op == CODE_NEGATE)
        reason = prism_int_subtract(0, slot->integer, &slot->integer) ? NULL : overflow;
    else if (at->op >= CODE_ADD && at->op < CODE_ADD_REAL)
        reason = apply_to_ints(at->op, slot[0].integer, slot[1].integer, &slot->integer);
    else if (exact)
        reason = execute_with_numbers(at, slot, code->numbers + (slot - code->stack));
    else
        reason = execute_with_doubles(at, slot);
    return reason == NULL ? OPAC_OK : fail(code, at, reason, error);
}

/* Whether the comparison of the two reals at `pair` holds. */
static opac_status compare_pair(const prism_code *code, const prism_instruction *at, bool exact,
                                const prism_slot *pair, bool *holds, opac_error *error)
{
    double a = pair[0].real, b = pair[1].real;
    if (exact) {
        const prism_number *numbers = code->numbers + (pair - code->stack);
        int order = prism_number_compare(&numbers[0], &numbers[1]);
        if (order == PRISM_UNDECIDED)
            return fail(code, at, PRISM_TOO_CLOSE, error);
        a = order;
        b = 0;
    }
    *holds = compare_reals(at->op, a, b);
    return OPAC_OK;
}

/* The six instructions of a family, each of which executes `pop` first. */
#define COMPARE(family, pop, a, b)                                                                 \
    case family##_EQUAL:                                                                           \
        pop;                                                                                       \
        at = (a) == (b) ? code + at->target : at + 1;                                              \
        continue;                                                                                  \
    case family##_UNEQUAL:                                                                         \
        pop;                                                                                       \
        at = (a) != (b) ? code + at->target : at + 1;                                              \
        continue;                                                                                  \
    case family##_LESS:                                                                            \
        pop;                                                                                       \
        at = (a) < (b) ? code + at->target : at + 1;                                               \
        continue;                                                                                  \
    case family##_LESS_EQUAL:                                                                      \
        pop;                                                                                       \
        at = (a) <= (b) ? code + at->target : at + 1;                                              \
        continue;                                                                                  \
    case family##_GREATER:                                                                         \
        pop;                                                                                       \
        at = (a) > (b) ? code + at->target : at + 1;                                               \
        continue;                                                                                  \
    case family##_GREATER_EQUAL:                                                                   \
        pop;                                                                                       \
        at = (a) >= (b) ? code + at->target : at + 1;                                              \
        continue

/* Evaluates an entry. If exact, reals are in whole->numbers, and a real result is its first element. */
static inline opac_status evaluate(const prism_code *whole, uint32_t entry, const int64_t *values,
                                   bool exact, prism_slot *result, opac_error *error)
{
    const prism_instruction *code = whole->instructions.items;
    const prism_instruction *at = code + whole->entries.items[entry].begin;
    prism_slot *top = whole->stack;
    bool holds = false;
    for (;;) {
        switch (at->op) {
            COMPARE(CODE_IF_VARIABLE_CONSTANT, (void)0, values[at->variable], at->value.integer);
            COMPARE(CODE_IF_VARIABLES, (void)0, values[at->variable], values[at->other]);
            COMPARE(CODE_IF_TOP_CONSTANT, top--, top[0].integer, at->value.integer);
            COMPARE(CODE_IF_TOPS, top -= 2, top[0].integer, top[1].integer);
        case CODE_RETURN:
            *result = top[-1];
            return OPAC_OK;
        case CODE_RETURN_VALUE:
            result->integer = at->value.integer;
            return OPAC_OK;
        case CODE_JUMP:
            at = code + at->target;
            continue;
        case CODE_PUSH_INT:
            (top++)->integer = at->value.integer;
            break;
        case CODE_PUSH_VARIABLE:
            (top++)->integer = values[at->variable];
            break;
        case CODE_PUSH_REAL:
            if (exact)
                prism_number_of_literal(&whole->literals.items[at->other],
                                        &whole->numbers[top - whole->stack]);
            (top++)->real = at->value.real;
            break;
        case CODE_ADD_CONSTANT:
            if (!prism_int_add(top[-1].integer, at->value.integer, &top[-1].integer))
                return fail(whole, at, overflow, error);
            break;
        case CODE_MIN_CONSTANT:
            if (top[-1].integer > at->value.integer)
                top[-1].integer = at->value.integer;
            break;
        case CODE_MAX_CONSTANT:
            if (top[-1].integer < at->value.integer)
                top[-1].integer = at->value.integer;
            break;
        case CODE_IF_REALS_EQUAL:
        case CODE_IF_REALS_UNEQUAL:
        case CODE_IF_REALS_LESS:
        case CODE_IF_REALS_LESS_EQUAL:
        case CODE_IF_REALS_GREATER:
        case CODE_IF_REALS_GREATER_EQUAL:
            top -= 2;
            if (compare_pair(whole, at, exact, top, &holds, error) != OPAC_OK)
                return OPAC_ERROR_ARGUMENT;
            if (holds == (at->sense != 0)) {
                at = code + at->target;
                continue;
            }
            break;
        default:
            if (execute(whole, at, exact, &top, error) != OPAC_OK)
                return OPAC_ERROR_ARGUMENT;
            break;
        }
        at++;
    }
}

opac_status prism_code_integer(const prism_code *code, uint32_t entry, const int64_t *values,
                               int64_t *value, opac_error *error)
{
    prism_slot result;
    if (evaluate(code, entry, values, false, &result, error) != OPAC_OK)
        return OPAC_ERROR_ARGUMENT;
    *value = result.integer;
    return OPAC_OK;
}

opac_status prism_code_real(const prism_code *code, uint32_t entry, const int64_t *values,
                            double *value, opac_error *error)
{
    prism_slot result;
    if (evaluate(code, entry, values, false, &result, error) != OPAC_OK)
        return OPAC_ERROR_ARGUMENT;
    bool is_real = code->entries.items[entry].type == PRISM_TYPE_REAL;
    *value = is_real ? result.real : (double)result.integer;
    return OPAC_OK;
}

opac_status prism_code_number(const prism_code *code, uint32_t entry, const int64_t *values,
                              prism_number *value, opac_error *error)
{
    prism_slot result;
    if (evaluate(code, entry, values, true, &result, error) != OPAC_OK)
        return OPAC_ERROR_ARGUMENT;
    if (code->entries.items[entry].type == PRISM_TYPE_REAL)
        prism_number_copy(&code->numbers[0], value);
    else
        prism_number_of_ratio(base_ratio_of_integer(result.integer), value);
    return OPAC_OK;
}
