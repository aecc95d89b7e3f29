/* SPDX-License-Identifier: MIT */
/*
 * The stacks of the reader of PRISM's path formulas: operands, and operators
 * that wait for theirs.
 *
 * Whether a piece of text is a formula or an expression of the model shows only
 * by what stands around it: (a) in (a) & b is a formula, in (a)+1 < b it is not.
 * So an operand keeps the extent of its source, and is an expression (raw) until
 * a connective of formulas takes it; and a formula without temporal operators
 * becomes raw again when an operator of expressions takes it, as in (a & b) = c.
 */
#ifndef LTL_PRISM_STACK_H
#define LTL_PRISM_STACK_H

#include "ltl/operand_stack.h"
#include "ltl/parse_prism.h"
#include "ltl/prism_precedence.h"

typedef enum ltl_prism_frame_kind {
    LTL_FRAME_OPEN,
    LTL_FRAME_CALL, /* the function's name is the operand below the arguments */
    LTL_FRAME_PREFIX,
    LTL_FRAME_BINARY,
    LTL_FRAME_RAW_PREFIX,
    LTL_FRAME_RAW_BINARY,
    LTL_FRAME_QUESTION,
    LTL_FRAME_COLON
} ltl_prism_frame_kind;

typedef struct ltl_prism_frame {
    ltl_prism_frame_kind kind;
    unsigned bind;
    ltl_op op; /* of formulas */
    uint32_t line, column;
    size_t begin;
    ltl_bounds bounds;
} ltl_prism_frame;

BASE_VEC(ltl_prism_frame_vec, ltl_prism_frame);

typedef struct ltl_prism_source {
    size_t begin, end; /* with its parentheses */
    uint32_t line, column;
    size_t inner_begin, inner_end; /* without those around all of it */
    uint32_t inner_line, inner_column;
    bool is_raw;
    bool is_number; /* raw, and certainly no condition */
    bool is_temporal;
} ltl_prism_source;

BASE_VEC(ltl_prism_source_vec, ltl_prism_source);

typedef struct ltl_prism_parser {
    ltl_lexer *lexer;
    ltl_operands operands;
    ltl_prism_source_vec sources; /* of the operands, one each */
    ltl_prism_frame_vec frames;
    base_text name;
    const ltl_prism_hooks *hooks;        /* may be NULL */
    const opac_formula_options *options; /* may be NULL; for comparisons only */
    ltl_words words;
    ltl_token_kind terminator;
    uint64_t named; /* bytes of expressions that became propositions */
    opac_error *error;
} ltl_prism_parser;

opac_status ltl_prism_push(ltl_prism_parser *parser, const ltl_token *token, ltl_formula formula,
                           ltl_prism_source given);
/* An operand that is so far only a piece of text. */
opac_status ltl_prism_push_raw(ltl_prism_parser *parser, const ltl_token *token);
void ltl_prism_drop(ltl_prism_parser *parser);
/* There is one. */
ltl_prism_source *ltl_prism_top_source(ltl_prism_parser *parser);

/* The topmost operand becomes a formula, or an expression of the model. */
opac_status ltl_prism_need_formula(ltl_prism_parser *parser);
opac_status ltl_prism_need_raw(ltl_prism_parser *parser);

opac_status ltl_prism_push_frame(ltl_prism_parser *parser, ltl_prism_frame top);
/* NULL when there is none. */
ltl_prism_frame *ltl_prism_top_frame(ltl_prism_parser *parser);
/* Gives the topmost operator its operands. */
opac_status ltl_prism_reduce(ltl_prism_parser *parser);
/* All that bind more tightly, or as tightly when that is asked for. */
opac_status ltl_prism_reduce_above(ltl_prism_parser *parser, unsigned bind, bool and_equal);
/* A limit that was reached while a formula was made is an error at the operator's place. */
opac_status ltl_prism_place(const ltl_prism_parser *parser, opac_status status,
                            const ltl_prism_frame *at);

void ltl_prism_fini(ltl_prism_parser *parser);

#endif
