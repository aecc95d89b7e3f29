/* SPDX-License-Identifier: MIT */
/*
 * Boolean expressions of a HOA text, as labels and acceptance conditions have
 * them: & binds tighter than |, ! tightest, parentheses group.
 *
 * What an operand is and what the operators make of values (32-bit numbers) is
 * the caller's. Stacks instead of recursion (Dijkstra 1961), so that no nesting
 * is too deep; linear in the text.
 */
#ifndef AUT_HOA_EXPRESSION_H
#define AUT_HOA_EXPRESSION_H

#include "aut/hoa_lexer.h"
#include "base/vec.h"

typedef struct hoa_operator {
    char sign; /* ! & | or ( */
    hoa_place place;
} hoa_operator;

BASE_VEC(hoa_operator_vec, hoa_operator);

/* Kept from one expression to the next, so that a label costs no allocation. */
typedef struct hoa_stacks {
    hoa_operator_vec operators;
    base_u32_vec values;
} hoa_stacks;

typedef struct hoa_algebra {
    bool has_not;
    /* Reads one operand, which is at the token, up to the token behind it. */
    opac_status (*read_operand)(void *context, hoa_lexer *lexer, uint32_t *value,
                                opac_error *error);
    /* Applies & or | to both, ! to left. */
    opac_status (*combine)(void *context, char sign, uint32_t left, uint32_t right, uint32_t *value,
                           opac_error *error);
    void *context;
} hoa_algebra;

void hoa_stacks_fini(hoa_stacks *stacks);

/* Reads the longest expression from the token on; stops at the token behind it. */
opac_status hoa_expression_read(hoa_lexer *lexer, const hoa_algebra *algebra, hoa_stacks *stacks,
                                uint32_t *value, opac_error *error);

#endif
