/* SPDX-License-Identifier: MIT */
/* Operands that are formulas or expressions, and the reduction of operators. */
#include "ltl/prism_stack.h"

#include <assert.h>
#include <string.h>

#include <omegapac/text.h>

/* ---- operands ---- */

ltl_prism_source *ltl_prism_top_source(ltl_prism_parser *parser)
{
    assert(parser->sources.count > 0);
    return &parser->sources.items[parser->sources.count - 1];
}

opac_status ltl_prism_push(ltl_prism_parser *parser, const ltl_token *token, ltl_formula formula,
                           ltl_prism_source given)
{
    given.begin = given.inner_begin = token->begin;
    given.end = given.inner_end = token->end;
    given.line = given.inner_line = token->line;
    given.column = given.inner_column = token->column;
    TRY(ltl_operand_stack_push(&parser->operands, formula, parser->error));
    return ltl_prism_source_vec_push(&parser->sources, given, parser->error);
}

opac_status ltl_prism_push_raw(ltl_prism_parser *parser, const ltl_token *token)
{
    ltl_prism_source given = {.is_raw = true, .is_number = token->kind == LTL_TOKEN_NUMBER};
    return ltl_prism_push(parser, token, LTL_FALSE, given);
}

void ltl_prism_drop(ltl_prism_parser *parser)
{
    ltl_operand_stack_drop(&parser->operands);
    parser->sources.count--;
}

/* The proposition named by the tokens of the expression without white space, which is unambiguous. */
static opac_status name_expression(ltl_prism_parser *parser, const ltl_prism_source *given,
                                   ltl_formula *formula)
{
    ltl_lexer inner = *parser->lexer;
    ltl_token token;
    inner.at = given->inner_begin;
    inner.length = given->inner_end;
    inner.word_end = 0;
    base_text_clear(&parser->name);
    for (;;) {
        ltl_lexer_next(&inner, LTL_LEX_FORMULA, &token);
        if (token.kind == LTL_TOKEN_END)
            break;
        base_text_add_bytes(&parser->name, inner.text + token.begin, token.end - token.begin);
    }
    TRY(base_text_check(&parser->name, parser->error));
    *formula = ltl_ap(parser->operands.store, base_text_get(&parser->name), parser->name.length);
    return OPAC_OK;
}

opac_status ltl_prism_need_formula(ltl_prism_parser *parser)
{
    ltl_prism_source *given = ltl_prism_top_source(parser);
    const char *text = parser->lexer->text + given->inner_begin;
    size_t length = given->inner_end - given->inner_begin;
    ltl_formula formula = LTL_FALSE;
    if (!given->is_raw)
        return OPAC_OK;
    if (given->is_number) {
        char shown[OPAC_SHOWN_SIZE];
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, given->inner_line,
                            given->inner_column, "expected a condition, found the number %s",
                            opac_text_show(text, length, shown, sizeof shown));
    }
    /* An expression is converted several times in ((a & b) = c & d) = …, so the total length is limited. */
    parser->named += length;
    if (parser->named > parser->lexer->length + LTL_NODE_LIMIT)
        return base_fail_at(parser->error, OPAC_ERROR_LIMIT, given->inner_line, given->inner_column,
                            "the expressions of the formula are too long");
    bool has_hook = parser->hooks != NULL && parser->hooks->expression != NULL;
    TRY(has_hook ? parser->hooks->expression(parser->hooks->context, text, length,
                                             given->inner_line, given->inner_column,
                                             parser->operands.store, &formula, parser->error)
                 : name_expression(parser, given, &formula));
    TRY(ltl_store_check(parser->operands.store, parser->error));
    ltl_operand_stack_replace(&parser->operands, formula);
    given->is_raw = false;
    return OPAC_OK;
}

opac_status ltl_prism_need_raw(ltl_prism_parser *parser)
{
    ltl_prism_source *given = ltl_prism_top_source(parser);
    if (given->is_temporal)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, given->inner_line,
                            given->inner_column,
                            "a temporal operator cannot be inside an expression over variables");
    if (!given->is_raw)
        ltl_operand_stack_replace(&parser->operands, LTL_FALSE);
    given->is_raw = true;
    return OPAC_OK;
}

/* ---- reducing ---- */

opac_status ltl_prism_set_position(const ltl_prism_parser *parser, opac_status status,
                                   const ltl_prism_frame *at)
{
    if (status == OPAC_ERROR_LIMIT && parser->error != NULL && parser->error->line == 0) {
        parser->error->line = at->line;
        parser->error->column = at->column;
    }
    return status;
}

opac_status ltl_prism_push_frame(ltl_prism_parser *parser, ltl_prism_frame top)
{
    if (parser->frames.count >= LTL_NESTING_LIMIT)
        return base_fail_at(parser->error, OPAC_ERROR_LIMIT, top.line, top.column,
                            "more than %d operators and parentheses are open here",
                            LTL_NESTING_LIMIT);
    return ltl_prism_frame_vec_push(&parser->frames, top, parser->error);
}

/* Extends the source of the top operand to begin at the token of a frame. */
static void extend(ltl_prism_parser *parser, const ltl_prism_frame *from)
{
    ltl_prism_source *given = ltl_prism_top_source(parser);
    given->begin = given->inner_begin = from->begin;
    given->inner_end = given->end;
    given->line = given->inner_line = from->line;
    given->column = given->inner_column = from->column;
}

/* Joins the sources of the top two operands. */
static void join_sources(ltl_prism_parser *parser)
{
    ltl_prism_source right = *ltl_prism_top_source(parser);
    parser->sources.count--;
    ltl_prism_source *left = ltl_prism_top_source(parser);
    left->end = left->inner_end = right.end;
    left->inner_begin = left->begin;
    left->inner_line = left->line;
    left->inner_column = left->column;
    left->is_temporal = left->is_temporal || right.is_temporal;
}

static opac_status reduce_formula(ltl_prism_parser *parser, const ltl_prism_frame *top)
{
    TRY(ltl_prism_need_formula(parser));
    bool is_prefix = top->kind == LTL_FRAME_PREFIX;
    opac_status status =
        is_prefix
            ? ltl_operand_stack_unary(&parser->operands, top->op, top->bounds, parser->error)
            : ltl_operand_stack_binary(&parser->operands, top->op, top->bounds, parser->error);
    TRY(ltl_prism_set_position(parser, status, top));
    if (is_prefix)
        extend(parser, top);
    else
        join_sources(parser);
    if (top->bind <= LTL_BIND_TEMPORAL)
        ltl_prism_top_source(parser)->is_temporal = true;
    return OPAC_OK;
}

static opac_status reduce_raw(ltl_prism_parser *parser, const ltl_prism_frame *top)
{
    TRY(ltl_prism_need_raw(parser));
    if (top->kind == LTL_FRAME_RAW_PREFIX) {
        extend(parser, top);
        ltl_prism_top_source(parser)->is_number = true;
        return OPAC_OK;
    }
    size_t joined = top->kind == LTL_FRAME_COLON ? 2 : 1;
    for (size_t i = 0; i < joined; i++) {
        ltl_operand_stack_drop(&parser->operands);
        join_sources(parser);
    }
    ltl_prism_top_source(parser)->is_number =
        top->kind == LTL_FRAME_RAW_BINARY && top->bind >= LTL_BIND_SUM;
    return OPAC_OK;
}

opac_status ltl_prism_reduce(ltl_prism_parser *parser)
{
    ltl_prism_frame top = parser->frames.items[--parser->frames.count];
    switch (top.kind) {
    case LTL_FRAME_PREFIX:
    case LTL_FRAME_BINARY:
        return reduce_formula(parser, &top);
    case LTL_FRAME_RAW_PREFIX:
    case LTL_FRAME_RAW_BINARY:
    case LTL_FRAME_COLON:
        return reduce_raw(parser, &top);
    default:
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, top.line, top.column,
                            "this '?' has no ':' after it");
    }
}

opac_status ltl_prism_reduce_above(ltl_prism_parser *parser, unsigned bind, bool and_equal)
{
    while (parser->frames.count > 0) {
        const ltl_prism_frame *top = &parser->frames.items[parser->frames.count - 1];
        if (top->bind < bind || (top->bind == bind && !and_equal))
            break;
        TRY(ltl_prism_reduce(parser));
    }
    return OPAC_OK;
}

ltl_prism_frame *ltl_prism_top_frame(ltl_prism_parser *parser)
{
    return parser->frames.count > 0 ? &parser->frames.items[parser->frames.count - 1] : NULL;
}

void ltl_prism_fini(ltl_prism_parser *parser)
{
    ltl_operand_stack_fini(&parser->operands);
    ltl_prism_source_vec_fini(&parser->sources);
    ltl_prism_frame_vec_fini(&parser->frames);
    base_text_fini(&parser->name);
}
