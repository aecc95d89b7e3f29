/* SPDX-License-Identifier: MIT */
/* Parses the parts of a property around the path formula. */
#include "ltl/property.h"

#include <omegapac/text.h>

#include "ltl/compare_grammars.h"
#include "ltl/prism_bounds.h"

typedef struct refusal {
    const char *word, *why;
} refusal;

static const refusal refusals[] = {
    {"R", "the reward operator R is"},
    {"Rmin", "the reward operator Rmin is"},
    {"Rmax", "the reward operator Rmax is"},
    {"S", "the steady-state operator S is"},
    {"A", "the path quantifier A is"},
    {"E", "the path quantifier E is"},
    {"filter", "filters are"},
    {"multi", "several objectives at once are"},
};

static opac_status fail_first(const ltl_lexer *lexer, const ltl_token *token, opac_error *error)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (token->kind == LTL_TOKEN_WORD && ltl_token_is(lexer, token, refusals[i].word))
            return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, token->line, token->column,
                                "%s not supported", refusals[i].why);
    if (token->kind == LTL_TOKEN_END)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "the property is empty");
    if (token->kind == LTL_TOKEN_QUOTED)
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, token->line, token->column,
                            "a property cannot refer to another one, nor to a label outside of P");
    return ltl_token_unexpected(lexer, token, "a property that begins with P, Pmax or Pmin", error);
}

/* Reads P, Pmax, Pmin, P max or P min, and the token after it. */
static opac_status read_direction(ltl_lexer *lexer, ltl_property *property, ltl_token *token,
                                  opac_error *error)
{
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, token);
    if (ltl_token_is(lexer, token, "Pmax"))
        property->direction = LTL_DIRECTION_MAX;
    else if (ltl_token_is(lexer, token, "Pmin"))
        property->direction = LTL_DIRECTION_MIN;
    else if (!ltl_token_is(lexer, token, "P"))
        return fail_first(lexer, token, error);
    bool is_open = ltl_token_is(lexer, token, "P");
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, token);
    bool is_max = ltl_token_is(lexer, token, "max"), is_min = ltl_token_is(lexer, token, "min");
    if (is_open && (is_max || is_min)) {
        property->direction = is_max ? LTL_DIRECTION_MAX : LTL_DIRECTION_MIN;
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, token);
    }
    return OPAC_OK;
}

static opac_status read_bound(ltl_lexer *lexer, const ltl_prism_hooks *hooks,
                              ltl_property *property, opac_error *error)
{
    ltl_prism_number number;
    char shown[OPAC_SHOWN_SIZE];
    TRY(ltl_prism_number_read(lexer, hooks, true, "a probability", &number, error));
    property->bound = number.value;
    property->bound_begin = number.token.begin;
    property->bound_length = number.token.end - number.token.begin;
    if (number.value >= 0 && number.value <= 1)
        return OPAC_OK;
    opac_text_show(lexer->text + property->bound_begin, property->bound_length, shown,
                   sizeof shown);
    return base_fail_at(error, OPAC_ERROR_ARGUMENT, number.token.line, number.token.column,
                        LTL_MESSAGE_BAD_BOUND, shown);
}

/* Reads =?, or a comparison and its bound. */
static opac_status read_comparison(ltl_lexer *lexer, const ltl_prism_hooks *hooks,
                                   const ltl_token *sign, ltl_property *property, opac_error *error)
{
    ltl_token token;
    switch (sign->kind) {
    case LTL_TOKEN_EQUAL:
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
        property->comparison = LTL_COMPARISON_VALUE;
        if (token.kind != LTL_TOKEN_QUESTION || !ltl_token_is(lexer, sign, "="))
            return ltl_token_unexpected(lexer, &token, "'?' after '='", error);
        return OPAC_OK;
    case LTL_TOKEN_LESS:
        property->comparison = LTL_COMPARISON_LESS;
        break;
    case LTL_TOKEN_LESS_EQUAL:
        property->comparison = LTL_COMPARISON_LESS_EQUAL;
        break;
    case LTL_TOKEN_GREATER:
        property->comparison = LTL_COMPARISON_GREATER;
        break;
    case LTL_TOKEN_GREATER_EQUAL:
        property->comparison = LTL_COMPARISON_GREATER_EQUAL;
        break;
    default:
        return ltl_token_unexpected(lexer, sign, "'=?' or a comparison with a probability", error);
    }
    return read_bound(lexer, hooks, property, error);
}

static opac_status read_end(ltl_lexer *lexer, opac_error *error)
{
    ltl_token token;
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
    if (token.kind == LTL_TOKEN_SEMICOLON)
        ltl_lexer_next(lexer, LTL_LEX_FORMULA, &token);
    switch (token.kind) {
    case LTL_TOKEN_END:
        return OPAC_OK;
    case LTL_TOKEN_AND:
    case LTL_TOKEN_OR:
    case LTL_TOKEN_IMPLIES:
    case LTL_TOKEN_IFF:
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, token.line, token.column,
                            "a Boolean combination of properties is not supported");
    default:
        return ltl_token_unexpected(lexer, &token, "the end of the property", error);
    }
}

/* Gives a notice if the grammars differ on the formula, with its position in the property. */
static opac_status compare(const ltl_property *property, const char *text, const ltl_token *bracket,
                           const opac_formula_options *options, opac_error *error)
{
    if (options == NULL || options->notice == NULL)
        return OPAC_OK;
    return ltl_compare_grammars(LTL_GRAMMAR_PRISM, text + property->formula_begin,
                                property->formula_length, bracket->line, bracket->column + 1,
                                options, error);
}

opac_status ltl_parse_property(ltl_store *store, const char *text, size_t length,
                               const opac_formula_options *options, const ltl_prism_hooks *hooks,
                               ltl_property *property, opac_error *error)
{
    ltl_lexer lexer;
    ltl_token token, bracket;
    *property = (ltl_property){.comparison = LTL_COMPARISON_VALUE};
    TRY(ltl_lexer_open(&lexer, LTL_GRAMMAR_PRISM, text, length, error));
    TRY(read_direction(&lexer, property, &token, error));
    TRY(read_comparison(&lexer, hooks, &token, property, error));
    ltl_lexer_next(&lexer, LTL_LEX_FORMULA, &bracket);
    if (bracket.kind != LTL_TOKEN_OPEN_BRACKET)
        return ltl_token_unexpected(&lexer, &bracket, "'[' and a formula", error);
    property->formula_begin = bracket.end;
    TRY(ltl_prism_path(&lexer, LTL_TOKEN_CLOSE_BRACKET, store, hooks, &property->formula, &token,
                       error));
    property->formula_length = token.begin - property->formula_begin;
    TRY(read_end(&lexer, error));
    return compare(property, text, &bracket, options, error);
}
