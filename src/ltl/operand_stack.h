/* SPDX-License-Identifier: MIT */
/*
 * The operand stack of an operator-precedence parser. It builds formulas, within the limits on size and
 * depth.
 *
 *     a & b & c      items     │ a │ b │ c │           one list, not yet a node
 *                    operands  │ first, op = And │     the node is made when it is needed
 *
 * Chains of And or Or remain lists until they become the operand of another operator, whatever their
 * parentheses, so a chain of a million operands takes linear time.
 *
 * The size of an operand is the number of operators in its text with all bounds unrolled. It is limited: the
 * nodes of F[0:1000] F[0:1000] a are shared, but its text would be too long to print.
 */
#ifndef LTL_OPERAND_STACK_H
#define LTL_OPERAND_STACK_H

#include "base/vec.h"
#include "ltl/formula.h"

enum {
    /* Operators and parentheses that are open at one position. Enough for every formula that is printed. */
    LTL_NESTING_LIMIT = 4 * LTL_DEPTH_LIMIT
};

#define LTL_UNBOUNDED UINT64_MAX

/* The bounds of a temporal operator: steps low … high, or all from low on. */
typedef struct ltl_bounds {
    bool given;
    uint64_t low, high;
} ltl_bounds;

typedef struct ltl_operand {
    size_t first; /* index of its first item; its items end where those of the next operand begin */
    ltl_op op;    /* And, Or: a list with this operator; LTL_AP: one item, any formula */
    uint64_t size;
} ltl_operand;

BASE_VEC(ltl_operand_vec, ltl_operand);

/* An empty stack is zeroed except for the store. */
typedef struct ltl_operand_stack {
    ltl_store *store;
    base_u32_vec items;
    ltl_operand_vec stack;
    uint64_t work; /* list entries written so far */
} ltl_operand_stack;

void ltl_operand_stack_fini(ltl_operand_stack *operands);

opac_status ltl_operand_stack_push(ltl_operand_stack *operands, ltl_formula formula,
                                   opac_error *error);
/* Replaces the top operand, if it was pushed before its formula was known. */
void ltl_operand_stack_replace(ltl_operand_stack *operands, ltl_formula formula);
void ltl_operand_stack_drop(ltl_operand_stack *operands);

/* Must be called when a binary operator is read, whose left operand is the top one. */
opac_status ltl_operand_stack_begin_binary(ltl_operand_stack *operands, ltl_op op,
                                           opac_error *error);

/*
 * Apply an operator to the top operand or the top two. Bounds are for F, G, U, R, W; X is repeated low
 * times.
 */
opac_status ltl_operand_stack_unary(ltl_operand_stack *operands, ltl_op op, ltl_bounds bounds,
                                    opac_error *error);
opac_status ltl_operand_stack_binary(ltl_operand_stack *operands, ltl_op op, ltl_bounds bounds,
                                     opac_error *error);

/* Removes the top operand and returns its formula. */
opac_status ltl_operand_stack_pop(ltl_operand_stack *operands, ltl_formula *formula,
                                  opac_error *error);

#endif
