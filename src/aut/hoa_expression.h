/* SPDX-License-Identifier: MIT */
/*
 * Reads the Boolean expressions of labels and acceptance conditions in a HOA text: ! binds tighter than &,
 * and & tighter than |; parentheses group.
 *
 * The caller reads operands and applies operators to values, which are 32-bit numbers. The parser uses stacks
 * instead of recursion (Dijkstra 1961), so that the nesting depth is not limited. Linear in the text.
 */
#ifndef AUT_HOA_EXPRESSION_H
#define AUT_HOA_EXPRESSION_H

#include "aut/hoa_lexer.h"
#include "base/vec.h"

typedef struct hoa_operator {
    char sign; /* ! & | or ( */
    hoa_position position;
} hoa_operator;

BASE_VEC(hoa_operator_vec, hoa_operator);

/* Reused for all expressions, so that a label needs no allocation. */
typedef struct hoa_stacks {
    hoa_operator_vec operators;
    base_u32_vec values;
} hoa_stacks;

typedef struct hoa_algebra {
    bool has_not;
    /* Reads one operand, which starts at the current token; then the token after it is current. */
    opac_status (*read_operand)(void *context, hoa_lexer *lexer, uint32_t *value,
                                opac_error *error);
    /* Applies & or | to both values, or ! to `left`. */
    opac_status (*combine)(void *context, char sign, uint32_t left, uint32_t right, uint32_t *value,
                           opac_error *error);
    void *context;
} hoa_algebra;

void hoa_stacks_fini(hoa_stacks *stacks);

/* Reads the longest expression that starts at the current token; then the token after it is current. */
opac_status hoa_expression_read(hoa_lexer *lexer, const hoa_algebra *algebra, hoa_stacks *stacks,
                                uint32_t *value, opac_error *error);

#endif
