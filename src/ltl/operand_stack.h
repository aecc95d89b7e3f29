/* SPDX-License-Identifier: MIT */
/*
 * The operands of a parser by operator precedence, from which formulas are
 * made, within the limits on size and depth.
 *
 *     a & b & c      items     │ a │ b │ c │           one list, not yet a node
 *                    operands  │ first, op = And │     made when somebody needs it
 *
 * Chains of one operator stay lists until another operator takes them, however
 * they are bracketed, so that a million of them cost linear time.
 *
 * The size of an operand is the number of operators of its text with all bounds
 * expanded. It is limited, which keeps F[0:1000] F[0:1000] a from being printed.
 */
#ifndef LTL_OPERAND_STACK_H
#define LTL_OPERAND_STACK_H

#include "base/vec.h"
#include "ltl/formula.h"

enum {
    /* Operators and parentheses that are open at one place: enough for all that is printed. */
    LTL_NESTING_LIMIT = 4 * LTL_DEPTH_LIMIT
};

#define LTL_UNBOUNDED UINT64_MAX

/* The steps at which a bounded operator looks: low … high, or all from low on. */
typedef struct ltl_bounds {
    bool given;
    uint64_t low, high;
} ltl_bounds;

typedef struct ltl_operand {
    size_t first; /* of its items, which reach to those of the next operand */
    ltl_op op;    /* And, Or: of the list; LTL_AP: one item, whatever that is */
    uint64_t size;
} ltl_operand;

BASE_VEC(ltl_operand_vec, ltl_operand);

/* All zeros but the store is an empty stack. */
typedef struct ltl_operands {
    ltl_store *store;
    base_u32_vec items;
    ltl_operand_vec stack;
    uint64_t work; /* list entries written so far */
} ltl_operands;

void ltl_operands_fini(ltl_operands *operands);

opac_status ltl_operands_push(ltl_operands *operands, ltl_formula formula, opac_error *error);
/* The topmost operand becomes this one; for an operand that was pushed before it was known. */
void ltl_operands_replace(ltl_operands *operands, ltl_formula formula);
void ltl_operands_drop(ltl_operands *operands);

/* To be called when an infix operator is read: the topmost operand is its left one. */
opac_status ltl_operands_settle(ltl_operands *operands, ltl_op op, opac_error *error);

/* The topmost operand, or the two topmost, become one. Bounds: F, G, U, R, W only; X: low times. */
opac_status ltl_operands_unary(ltl_operands *operands, ltl_op op, ltl_bounds bounds,
                               opac_error *error);
opac_status ltl_operands_binary(ltl_operands *operands, ltl_op op, ltl_bounds bounds,
                                opac_error *error);

/* The topmost operand is taken off. */
opac_status ltl_operands_pop(ltl_operands *operands, ltl_formula *formula, opac_error *error);

#endif
