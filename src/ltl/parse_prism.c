/* SPDX-License-Identifier: MIT */
/*
 * Operator-precedence parser with an explicit stack, without recursion and in linear time. As in the infix
 * grammar, the parser expects either an operand or an operator.
 */
#include "ltl/parse_prism.h"

#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "ltl/compare_grammars.h"
#include "ltl/prism_bounds.h"
#include "ltl/prism_stack.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- operands ---- */

static ltl_prism_frame frame_at(ltl_prism_frame_kind kind, unsigned bind, ltl_op op,
                                const ltl_token *token)
{
    return (ltl_prism_frame){.kind = kind,
                             .bind = bind,
                             .op = op,
                             .line = token->line,
                             .column = token->column,
                             .begin = token->begin};
}

static opac_status push_temporal(ltl_prism_parser *parser, ltl_token *token)
{
    char letter = parser->lexer->text[token->begin];
    ltl_op op = letter == 'F' ? LTL_F : LTL_G;
    ltl_lexer_split(parser->lexer, token);
    ltl_prism_frame top =
        frame_at(LTL_FRAME_PREFIX, LTL_BIND_TEMPORAL, letter == 'X' ? LTL_X : op, token);
    TRY(ltl_prism_bounds_read(parser->lexer, parser->hooks, &top.bounds, parser->error));
    if (letter == 'X' && top.bounds.given)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "X takes no bound");
    return ltl_prism_push_frame(parser, top);
}

typedef struct refusal {
    const char *word, *why;
} refusal;

/* Fails for reserved words of PRISM's properties that this library does not support. */
static opac_status refuse_word(const ltl_prism_parser *parser, const ltl_token *token)
{
    static const refusal refusals[] = {
        {"P", "a P operator inside a formula"},
        {"Pmin", "a P operator inside a formula"},
        {"Pmax", "a P operator inside a formula"},
        {"S", "the steady-state operator S"},
        {"A", "the path quantifier A"},
        {"E", "the path quantifier E"},
        {"R", "the reward operator R"},
        {"Rmin", "the reward operator Rmin"},
        {"Rmax", "the reward operator Rmax"},
        {"C", "the cumulative reward C"},
        {"I", "the instantaneous reward I"},
        {"filter", "a filter"},
    };
    for (size_t i = 0; i < COUNT(refusals); i++)
        if (ltl_token_is(parser->lexer, token, refusals[i].word))
            return base_fail_at(parser->error, OPAC_ERROR_UNSUPPORTED, token->line, token->column,
                                "%s is not supported", refusals[i].why);
    if (ltl_token_is(parser->lexer, token, "U") || ltl_token_is(parser->lexer, token, "W"))
        return ltl_token_unexpected(parser->lexer, token, "an operand", parser->error);
    return OPAC_OK;
}

static bool is_label(const ltl_prism_parser *parser, const ltl_token *token)
{
    return parser->options != NULL &&
           ltl_token_is_one_of(parser->lexer, token, parser->options->labels,
                               parser->options->label_count);
}

static opac_status read_word(ltl_prism_parser *parser, ltl_token *token, bool *is_operand)
{
    ltl_lexer *lexer = parser->lexer;
    *is_operand = true;
    if (ltl_token_is(lexer, token, "true"))
        return ltl_prism_push(parser, token, LTL_TRUE, (ltl_prism_source){0});
    if (ltl_token_is(lexer, token, "false"))
        return ltl_prism_push(parser, token, LTL_FALSE, (ltl_prism_source){0});
    if (ltl_token_is_prefix(lexer, token, parser->words) &&
        (token->end - token->begin == 1 || !is_label(parser, token))) {
        *is_operand = false;
        return push_temporal(parser, token);
    }
    TRY(refuse_word(parser, token));
    TRY(ltl_prism_push_raw(parser, token));
    if (ltl_lexer_peek(lexer, NULL) != LTL_TOKEN_OPEN)
        return OPAC_OK;
    *is_operand = false;
    ltl_token open;
    ltl_lexer_next(lexer, LTL_LEX_FORMULA, &open);
    return ltl_prism_push_frame(parser,
                                frame_at(LTL_FRAME_CALL, LTL_BIND_PARENTHESIS, LTL_AP, &open));
}

static opac_status push_quoted(ltl_prism_parser *parser, const ltl_token *token)
{
    base_text_clear(&parser->name);
    ltl_token_unquote(parser->lexer, token, &parser->name);
    TRY(base_text_check(&parser->name, parser->error));
    const ltl_prism_hooks *hooks = parser->hooks;
    if (hooks != NULL && hooks->label != NULL)
        TRY(hooks->label(hooks->context, base_text_get(&parser->name), parser->name.length,
                         token->line, token->column, parser->error));
    ltl_formula formula =
        ltl_ap(parser->operands.store, base_text_get(&parser->name), parser->name.length);
    return ltl_prism_push(parser, token, formula, (ltl_prism_source){0});
}

static opac_status read_operand(ltl_prism_parser *parser, bool *is_operand)
{
    ltl_token token;
    ltl_lexer_next(parser->lexer, LTL_LEX_FORMULA, &token);
    *is_operand = false;
    switch (token.kind) {
    case LTL_TOKEN_OPEN:
        return ltl_prism_push_frame(parser,
                                    frame_at(LTL_FRAME_OPEN, LTL_BIND_PARENTHESIS, LTL_AP, &token));
    case LTL_TOKEN_NOT:
        return ltl_prism_push_frame(parser,
                                    frame_at(LTL_FRAME_PREFIX, LTL_BIND_NOT, LTL_NOT, &token));
    case LTL_TOKEN_MINUS:
        return ltl_prism_push_frame(parser,
                                    frame_at(LTL_FRAME_RAW_PREFIX, LTL_BIND_MINUS, LTL_AP, &token));
    case LTL_TOKEN_WORD:
        return read_word(parser, &token, is_operand);
    case LTL_TOKEN_NUMBER:
        *is_operand = true;
        return ltl_prism_push_raw(parser, &token);
    case LTL_TOKEN_QUOTED:
        *is_operand = true;
        return push_quoted(parser, &token);
    default:
        break;
    }
    if (token.kind == parser->terminator && parser->frames.count == 0)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token.line, token.column,
                            "the formula is empty");
    return ltl_token_unexpected(parser->lexer, &token, "an operand", parser->error);
}

/* ---- operators ---- */

static const char *prism_spelling(const ltl_prism_parser *parser, const ltl_token *token)
{
    static const refusal spellings[] = {{"&&", "&"}, {"||", "|"}, {"==", "="}, {"->", "=>"}};
    for (size_t i = 0; i < COUNT(spellings); i++)
        if (ltl_token_is(parser->lexer, token, spellings[i].word))
            return spellings[i].why;
    return "another one";
}

static opac_status fail_word(const ltl_prism_parser *parser, const ltl_token *token)
{
    static const char *const infix_words[] = {"M", "V", "xor"};
    char shown[OPAC_SHOWN_SIZE];
    ltl_token_show(parser->lexer, token, shown, sizeof shown);
    if (ltl_token_is_one_of(parser->lexer, token, infix_words, COUNT(infix_words)))
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operator, found %s, which PRISM does not have", shown);
    return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                        "expected an operator between two operands, found %s", shown);
}

static opac_status fail_operator(const ltl_prism_parser *parser, const ltl_token *token)
{
    char shown[OPAC_SHOWN_SIZE];
    ltl_token_show(parser->lexer, token, shown, sizeof shown);
    switch (token->kind) {
    case LTL_TOKEN_FOREIGN:
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operator, found %s; PRISM writes '%s'", shown,
                            prism_spelling(parser, token));
    case LTL_TOKEN_OPEN_BRACE:
        return base_fail_at(parser->error, OPAC_ERROR_UNSUPPORTED, token->line, token->column,
                            "a filter in braces is not supported");
    case LTL_TOKEN_WORD:
    case LTL_TOKEN_NUMBER:
    case LTL_TOKEN_QUOTED:
    case LTL_TOKEN_OPEN:
    case LTL_TOKEN_NOT:
        return fail_word(parser, token);
    default:
        return ltl_token_unexpected(parser->lexer, token, "an operator", parser->error);
    }
}

static opac_status close_parenthesis(ltl_prism_parser *parser, const ltl_token *token)
{
    TRY(ltl_prism_reduce_above(parser, LTL_BIND_PARENTHESIS, false));
    const ltl_prism_frame *open = ltl_prism_top_frame(parser);
    if (open == NULL)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "this ')' has no '(' before it");
    if (open->kind == LTL_FRAME_CALL) {
        TRY(ltl_prism_need_raw(parser));
        ltl_prism_drop(parser);
        ltl_prism_top_source(parser)->end = ltl_prism_top_source(parser)->inner_end = token->end;
        ltl_prism_top_source(parser)->is_number = false;
    } else {
        ltl_prism_source *group = ltl_prism_top_source(parser);
        group->begin = open->begin;
        group->line = open->line;
        group->column = open->column;
        group->end = token->end;
    }
    parser->frames.count--;
    return OPAC_OK;
}

static opac_status read_comma(ltl_prism_parser *parser, const ltl_token *token)
{
    TRY(ltl_prism_reduce_above(parser, LTL_BIND_PARENTHESIS, false));
    if (ltl_prism_top_frame(parser) == NULL || ltl_prism_top_frame(parser)->kind != LTL_FRAME_CALL)
        return fail_operator(parser, token);
    TRY(ltl_prism_need_raw(parser));
    ltl_prism_drop(parser);
    return OPAC_OK;
}

static opac_status close_all(ltl_prism_parser *parser, const ltl_token *end)
{
    char shown[OPAC_SHOWN_SIZE];
    TRY(ltl_prism_reduce_above(parser, LTL_BIND_PARENTHESIS, false));
    const ltl_prism_frame *open = ltl_prism_top_frame(parser);
    if (open == NULL)
        return OPAC_OK;
    ltl_token_show(parser->lexer, end, shown, sizeof shown);
    return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, end->line, end->column,
                        "expected ')', found %s; the parenthesis opened at line %u, column %u is "
                        "not closed",
                        shown, open->line, open->column);
}

static opac_status reduce_to_question(ltl_prism_parser *parser)
{
    for (const ltl_prism_frame *top = ltl_prism_top_frame(parser);
         top != NULL && top->kind != LTL_FRAME_QUESTION && top->bind != LTL_BIND_PARENTHESIS;
         top = ltl_prism_top_frame(parser))
        TRY(ltl_prism_reduce(parser));
    return OPAC_OK;
}

/* PRISM's HOA: { "file", … } is not supported. The word is not reserved: c ? HOA : b is valid. */
static opac_status fail_colon(const ltl_prism_parser *parser, const ltl_token *token)
{
    const char *text = parser->lexer->text;
    size_t end = token->begin;
    while (end > 0 && base_is_blank(text[end - 1]))
        end--;
    if (end >= 3 && memcmp(text + end - 3, "HOA", 3) == 0)
        return base_fail_at(parser->error, OPAC_ERROR_UNSUPPORTED, token->line, token->column,
                            "an automaton inside a property is not supported: use the automaton "
                            "itself as the objective");
    return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                        "this ':' has no '?' before it");
}

/* Reads '?' or ':' of c ? a : b, which becomes one expression. */
static opac_status read_conditional(ltl_prism_parser *parser, const ltl_token *token)
{
    bool is_colon = token->kind == LTL_TOKEN_COLON;
    TRY(is_colon ? reduce_to_question(parser)
                 : ltl_prism_reduce_above(parser, LTL_BIND_CONDITIONAL, false));
    if (is_colon && (ltl_prism_top_frame(parser) == NULL ||
                     ltl_prism_top_frame(parser)->kind != LTL_FRAME_QUESTION))
        return fail_colon(parser, token);
    TRY(ltl_prism_need_raw(parser));
    if (is_colon)
        parser->frames.count--;
    ltl_prism_frame_kind kind = is_colon ? LTL_FRAME_COLON : LTL_FRAME_QUESTION;
    return ltl_prism_push_frame(parser, frame_at(kind, LTL_BIND_CONDITIONAL, LTL_AP, token));
}

/* Reads U, W or R and its bounds. */
static opac_status read_until(ltl_prism_parser *parser, const ltl_token *token)
{
    char letter = parser->lexer->text[token->begin];
    TRY(ltl_prism_reduce_above(parser, LTL_BIND_TEMPORAL, true));
    if (ltl_prism_top_frame(parser) != NULL && ltl_prism_top_frame(parser)->bind == LTL_BIND_UNTIL)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "U, W and R do not associate in PRISM: add parentheses around one of "
                            "the two");
    TRY(ltl_prism_need_formula(parser));
    ltl_op op = letter == 'W' ? LTL_W : LTL_R;
    ltl_prism_frame top =
        frame_at(LTL_FRAME_BINARY, LTL_BIND_UNTIL, letter == 'U' ? LTL_U : op, token);
    TRY(ltl_prism_bounds_read(parser->lexer, parser->hooks, &top.bounds, parser->error));
    TRY(ltl_prism_set_position(
        parser, ltl_operand_stack_begin_binary(&parser->operands, top.op, parser->error), &top));
    return ltl_prism_push_frame(parser, top);
}

typedef struct infix_operator {
    ltl_token_kind token;
    unsigned bind;
    ltl_prism_frame_kind kind;
    ltl_op op;
} infix_operator;

static const infix_operator *find_operator(ltl_token_kind kind)
{
    static const infix_operator operators[] = {
        {LTL_TOKEN_IMPLIES, LTL_BIND_IMPLIES, LTL_FRAME_BINARY, LTL_IMPLIES},
        {LTL_TOKEN_IFF, LTL_BIND_IFF, LTL_FRAME_BINARY, LTL_IFF},
        {LTL_TOKEN_OR, LTL_BIND_OR, LTL_FRAME_BINARY, LTL_OR},
        {LTL_TOKEN_AND, LTL_BIND_AND, LTL_FRAME_BINARY, LTL_AND},
        {LTL_TOKEN_EQUAL, LTL_BIND_EQUAL, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_LESS, LTL_BIND_RELATION, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_LESS_EQUAL, LTL_BIND_RELATION, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_GREATER, LTL_BIND_RELATION, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_GREATER_EQUAL, LTL_BIND_RELATION, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_PLUS, LTL_BIND_SUM, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_MINUS, LTL_BIND_SUM, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_TIMES, LTL_BIND_PRODUCT, LTL_FRAME_RAW_BINARY, LTL_AP},
        {LTL_TOKEN_POWER, LTL_BIND_POWER, LTL_FRAME_RAW_BINARY, LTL_AP},
    };
    for (size_t i = 0; i < COUNT(operators); i++)
        if (operators[i].token == kind)
            return &operators[i];
    return NULL;
}

static opac_status read_infix(ltl_prism_parser *parser, const ltl_token *token,
                              const infix_operator *found)
{
    TRY(ltl_prism_reduce_above(parser, found->bind, found->bind != LTL_BIND_POWER));
    ltl_prism_frame top = frame_at(found->kind, found->bind, found->op, token);
    TRY(found->kind == LTL_FRAME_BINARY ? ltl_prism_need_formula(parser)
                                        : ltl_prism_need_raw(parser));
    if (found->kind == LTL_FRAME_BINARY)
        TRY(ltl_prism_set_position(
            parser, ltl_operand_stack_begin_binary(&parser->operands, top.op, parser->error),
            &top));
    return ltl_prism_push_frame(parser, top);
}

/* Reads one token where an operator is expected. *is_operator is set if an operand must follow. */
static opac_status read_operator(ltl_prism_parser *parser, bool *is_operator, ltl_token *token)
{
    static const char *const until_words[] = {"U", "W", "R"};
    ltl_lexer_next(parser->lexer, LTL_LEX_FORMULA, token);
    *is_operator = false;
    if (token->kind == LTL_TOKEN_CLOSE)
        return close_parenthesis(parser, token);
    if (token->kind == parser->terminator)
        return close_all(parser, token);
    *is_operator = true;
    const infix_operator *found = find_operator(token->kind);
    if (found != NULL)
        return read_infix(parser, token, found);
    if (token->kind == LTL_TOKEN_QUESTION || token->kind == LTL_TOKEN_COLON)
        return read_conditional(parser, token);
    if (token->kind == LTL_TOKEN_COMMA)
        return read_comma(parser, token);
    if (token->kind == LTL_TOKEN_WORD &&
        ltl_token_is_one_of(parser->lexer, token, until_words, COUNT(until_words)))
        return read_until(parser, token);
    if (token->kind == LTL_TOKEN_END)
        return ltl_token_unexpected(parser->lexer, token, "']'", parser->error);
    return fail_operator(parser, token);
}

static opac_status run(ltl_prism_parser *parser, ltl_formula *formula, ltl_token *last)
{
    bool is_operand, is_operator = true;
    last->kind = LTL_TOKEN_WORD;
    while (is_operator) {
        do
            TRY(read_operand(parser, &is_operand));
        while (!is_operand);
        do
            TRY(read_operator(parser, &is_operator, last));
        while (!is_operator && last->kind != parser->terminator);
    }
    TRY(ltl_prism_need_formula(parser));
    ltl_prism_frame all = {.line = 1, .column = 1};
    return ltl_prism_set_position(
        parser, ltl_operand_stack_pop(&parser->operands, formula, parser->error), &all);
}

static opac_status run_and_release(ltl_prism_parser *parser, ltl_formula *formula, ltl_token *last)
{
    opac_status status = ltl_store_check(parser->operands.store, parser->error);
    if (status == OPAC_OK)
        status = run(parser, formula, last);
    ltl_prism_fini(parser);
    return status;
}

opac_status ltl_prism_path(ltl_lexer *lexer, ltl_token_kind terminator, ltl_store *store,
                           const ltl_prism_hooks *hooks, ltl_formula *formula, ltl_token *last,
                           opac_error *error)
{
    ltl_prism_parser parser = {.lexer = lexer,
                               .operands = {.store = store},
                               .hooks = hooks,
                               .words = LTL_WORDS_WHOLE,
                               .terminator = terminator,
                               .error = error};
    return run_and_release(&parser, formula, last);
}

opac_status ltl_read_prism(ltl_store *store, const char *text, size_t length,
                           const opac_formula_options *options, ltl_words words,
                           ltl_formula *formula, opac_error *error)
{
    ltl_lexer lexer;
    ltl_token last;
    TRY(ltl_lexer_open(&lexer, LTL_GRAMMAR_PRISM, text, length, error));
    ltl_prism_parser parser = {.lexer = &lexer,
                               .operands = {.store = store},
                               .options = options,
                               .words = words,
                               .terminator = LTL_TOKEN_END,
                               .error = error};
    return run_and_release(&parser, formula, &last);
}

opac_status ltl_parse_prism(ltl_store *store, const char *text, size_t length,
                            const opac_formula_options *options, const ltl_prism_hooks *hooks,
                            ltl_formula *formula, opac_error *error)
{
    ltl_lexer lexer;
    ltl_token last;
    TRY(ltl_lexer_open(&lexer, LTL_GRAMMAR_PRISM, text, length, error));
    TRY(ltl_prism_path(&lexer, LTL_TOKEN_END, store, hooks, formula, &last, error));
    if (options != NULL && options->notice != NULL)
        TRY(ltl_compare_grammars(LTL_GRAMMAR_PRISM, text, length, 1, 1, options, error));
    return OPAC_OK;
}
