/* SPDX-License-Identifier: MIT */
/* Finds the extent of an expression over constants, its value, and the steps that a bound allows. */
#include "ltl/prism_bounds.h"

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/alloc.h"

/* Skips tokens up to and including the parenthesis that closes the one just read. */
static opac_status skip_parentheses(ltl_lexer *lexer, ltl_token *token, opac_error *error)
{
    ltl_token open = *token;
    for (size_t depth = 1; depth > 0;) {
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, token);
        if (token->kind == LTL_TOKEN_OPEN)
            depth++;
        else if (token->kind == LTL_TOKEN_CLOSE)
            depth--;
        else if (token->kind == LTL_TOKEN_END || token->kind == LTL_TOKEN_UNCLOSED_QUOTE)
            return base_fail_at(error, OPAC_ERROR_SYNTAX, open.line, open.column,
                                "this parenthesis is not closed");
    }
    return OPAC_OK;
}

/* Skips a number, a name, a call or parentheses. *token is the last token read. */
static opac_status skip_primary(ltl_lexer *lexer, bool is_call, const char *what, ltl_token *token,
                                opac_error *error)
{
    while (token->kind == LTL_TOKEN_MINUS)
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, token);
    if (token->kind == LTL_TOKEN_NUMBER)
        return OPAC_OK;
    if (token->kind == LTL_TOKEN_WORD) {
        if (!is_call || ltl_lexer_peek(lexer, NULL) != LTL_TOKEN_OPEN)
            return OPAC_OK;
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, token);
    }
    if (token->kind != LTL_TOKEN_OPEN)
        return ltl_token_unexpected(lexer, token, what, error);
    return skip_parentheses(lexer, token, error);
}

static bool joins_numbers(ltl_token_kind kind)
{
    return kind == LTL_TOKEN_PLUS || kind == LTL_TOKEN_MINUS || kind == LTL_TOKEN_TIMES ||
           kind == LTL_TOKEN_POWER;
}

static opac_status evaluate(const ltl_lexer *lexer, const ltl_prism_hooks *hooks,
                            ltl_prism_number *number, opac_error *error)
{
    const ltl_token *token = &number->token;
    const char *text = lexer->text + token->begin;
    size_t length = token->end - token->begin;
    char shown[OPAC_SHOWN_SIZE];
    if (!number->is_plain && hooks != NULL && hooks->number != NULL)
        return hooks->number(hooks->context, text, length, token->line, token->column,
                             &number->value, error);
    opac_text_show(text, length, shown, sizeof shown);
    if (!number->is_plain)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "the bound '%s' must be a number: constants cannot be used here",
                            shown);
    char *copy = base_copy_text(text, length);
    if (copy == NULL)
        return base_fail_memory(error);
    opac_status status = opac_number_parse(copy, &number->value, error);
    base_free(copy);
    if (status != OPAC_OK && error != NULL) {
        error->line = token->line;
        error->column = token->column;
    }
    return status;
}

opac_status ltl_prism_number_read(ltl_lexer *lexer, const ltl_prism_hooks *hooks, bool is_call,
                                  const char *what, ltl_prism_number *number, opac_error *error)
{
    ltl_token token;
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
    number->token = token;
    number->is_plain = token.kind == LTL_TOKEN_NUMBER;
    TRY(skip_primary(lexer, is_call, what, &token, error));
    while (joins_numbers(ltl_lexer_peek(lexer, NULL))) {
        number->is_plain = false;
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
        TRY(skip_primary(lexer, is_call, what, &token, error));
    }
    number->token.end = token.end;
    return evaluate(lexer, hooks, number, error);
}

static opac_status read_steps(ltl_lexer *lexer, const ltl_prism_hooks *hooks, bool is_call,
                              uint64_t *steps, opac_error *error)
{
    ltl_prism_number number;
    TRY(ltl_prism_number_read(lexer, hooks, is_call, "a number of steps", &number, error));
    char shown[OPAC_SHOWN_SIZE];
    const ltl_token *token = &number.token;
    opac_text_show(lexer->text + token->begin, token->end - token->begin, shown, sizeof shown);
    /* Bounds beyond a billion are all too large, which is reported when the formula is unrolled. */
    double most = 1e9, value = number.value < most ? number.value : most;
    if (!(value >= 0) || value != (double)(uint64_t)value)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "the bound '%s' must be a whole number of steps", shown);
    *steps = (uint64_t)value;
    return OPAC_OK;
}

static opac_status fail_empty(const ltl_token *token, opac_error *error)
{
    return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                        "the bounds exclude all steps");
}

/* Reads F[m,n] after the opening bracket. */
static opac_status read_interval(ltl_lexer *lexer, const ltl_prism_hooks *hooks, ltl_bounds *bounds,
                                 opac_error *error)
{
    ltl_token token;
    TRY(read_steps(lexer, hooks, true, &bounds->low, error));
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
    if (token.kind != LTL_TOKEN_COMMA)
        return ltl_token_unexpected(lexer, &token, "',' and a second bound", error);
    TRY(read_steps(lexer, hooks, true, &bounds->high, error));
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
    if (token.kind != LTL_TOKEN_CLOSE_BRACKET)
        return ltl_token_unexpected(lexer, &token, "']'", error);
    return OPAC_OK;
}

static opac_status read_one(ltl_lexer *lexer, const ltl_prism_hooks *hooks, const ltl_token *sign,
                            ltl_bounds *bounds, opac_error *error)
{
    uint64_t steps = 0;
    TRY(read_steps(lexer, hooks, false, &steps, error));
    *bounds = (ltl_bounds){.given = true, .low = steps, .high = LTL_UNBOUNDED};
    switch (sign->kind) {
    case LTL_TOKEN_EQUAL:
        bounds->high = steps;
        break;
    case LTL_TOKEN_GREATER:
        bounds->low = steps + 1;
        break;
    case LTL_TOKEN_LESS:
        if (steps == 0)
            return fail_empty(sign, error);
        *bounds = (ltl_bounds){.given = true, .low = 0, .high = steps - 1};
        break;
    case LTL_TOKEN_LESS_EQUAL:
        *bounds = (ltl_bounds){.given = true, .low = 0, .high = steps};
        break;
    default:
        break;
    }
    return OPAC_OK;
}

opac_status ltl_prism_bounds_read(ltl_lexer *lexer, const ltl_prism_hooks *hooks,
                                  ltl_bounds *bounds, opac_error *error)
{
    ltl_token sign;
    *bounds = (ltl_bounds){.given = false};
    switch (ltl_lexer_peek(lexer, &sign)) {
    case LTL_TOKEN_EQUAL:
    case LTL_TOKEN_LESS:
    case LTL_TOKEN_LESS_EQUAL:
    case LTL_TOKEN_GREATER:
    case LTL_TOKEN_GREATER_EQUAL:
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, &sign);
        if (ltl_token_is(lexer, &sign, "!="))
            return ltl_token_unexpected(lexer, &sign, "a bound or an operand", error);
        return read_one(lexer, hooks, &sign, bounds, error);
    case LTL_TOKEN_OPEN_BRACKET:
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, &sign);
        bounds->given = true;
        TRY(read_interval(lexer, hooks, bounds, error));
        return bounds->high < bounds->low ? fail_empty(&sign, error) : OPAC_OK;
    default:
        return OPAC_OK;
    }
}
