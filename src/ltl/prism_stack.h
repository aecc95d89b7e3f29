/* SPDX-License-Identifier: MIT */
/*
 * The stacks of the parser of PRISM's path formulas: operands, and operators whose operands are not yet
 * complete.
 *
 * Whether a piece of text is a formula or an expression over the model's variables depends on its context:
 * (a) is a formula in (a) & b, but not in (a)+1 < b. An operand therefore has the range of its source, and
 * it remains an expression (raw) until it becomes the operand of a logical operator. A formula without
 * temporal operators becomes raw again if it is the operand of an operator of expressions, as in (a & b) =
 * c.
 */
#ifndef LTL_PRISM_STACK_H
#define LTL_PRISM_STACK_H

#include "ltl/operand_stack.h"
#include "ltl/parse_prism.h"
#include "ltl/prism_precedence.h"

typedef enum ltl_prism_frame_kind {
    LTL_FRAME_OPEN,
    LTL_FRAME_CALL, /* a function; its name is the operand below the arguments */
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
    ltl_op op; /* for PREFIX and BINARY */
    uint32_t line, column;
    size_t begin;
    ltl_bounds bounds;
} ltl_prism_frame;

BASE_VEC(ltl_prism_frame_vec, ltl_prism_frame);

typedef struct ltl_prism_source {
    size_t begin, end; /* including its parentheses */
    uint32_t line, column;
    size_t inner_begin, inner_end; /* without parentheses around the whole operand */
    uint32_t inner_line, inner_column;
    bool is_raw;
    bool is_number; /* raw, and its type is a number */
    bool is_temporal;
} ltl_prism_source;

BASE_VEC(ltl_prism_source_vec, ltl_prism_source);

typedef struct ltl_prism_parser {
    ltl_lexer *lexer;
    ltl_operand_stack operands;
    ltl_prism_source_vec sources; /* by operand */
    ltl_prism_frame_vec frames;
    base_text name;
    const ltl_prism_hooks *hooks;        /* may be NULL */
    const opac_formula_options *options; /* NULL except to compare the two grammars */
    ltl_words words;
    ltl_token_kind terminator;
    uint64_t named; /* number of bytes of expressions that became propositions */
    opac_error *error;
} ltl_prism_parser;

opac_status ltl_prism_push(ltl_prism_parser *parser, const ltl_token *token, ltl_formula formula,
                           ltl_prism_source given);
/* Pushes a raw operand. */
opac_status ltl_prism_push_raw(ltl_prism_parser *parser, const ltl_token *token);
void ltl_prism_drop(ltl_prism_parser *parser);
/* The source of the top operand, which must exist. */
ltl_prism_source *ltl_prism_top_source(ltl_prism_parser *parser);

/* Turn the top operand into a formula, or into an expression over the model's variables (raw). */
opac_status ltl_prism_need_formula(ltl_prism_parser *parser);
opac_status ltl_prism_need_raw(ltl_prism_parser *parser);

opac_status ltl_prism_push_frame(ltl_prism_parser *parser, ltl_prism_frame top);
/* The top operator, or NULL. */
ltl_prism_frame *ltl_prism_top_frame(ltl_prism_parser *parser);
/* Applies the top operator to its operands. */
opac_status ltl_prism_reduce(ltl_prism_parser *parser);
/* Reduces all operators with a higher precedence, or also those with the same one if and_equal is set. */
opac_status ltl_prism_reduce_above(ltl_prism_parser *parser, unsigned bind, bool and_equal);
/* Sets the position of a limit error in the construction of a formula to that of the operator. */
opac_status ltl_prism_set_position(const ltl_prism_parser *parser, opac_status status,
                                   const ltl_prism_frame *at);

void ltl_prism_fini(ltl_prism_parser *parser);

#endif
