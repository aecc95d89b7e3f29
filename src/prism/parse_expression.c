/* SPDX-License-Identifier: MIT */
/*
 * Parses expressions by operator precedence, with a stack of pending operators and open parentheses. Linear
 * time; the nesting depth is limited to PRISM_MAX_NESTING. The precedences are in ltl/prism_precedence.h.
 *
 * Accepts more than PRISM's grammar where the meaning is unambiguous: ! after an operator of higher
 * precedence (a = !b), ?: as the second operand of ?: without parentheses, and x<-1 (in PRISM <- is an
 * arrow).
 *
 *     a + b * c          pending            nodes
 *     a                                     a
 *     +                  +                  a
 *     b                  +                  a b
 *     *                  + *                a b
 *     c                  + *                a b c
 *     end                                   a b c * +
 */
#include <stdio.h>

#include <omegapac/number.h>

#include "ltl/prism_precedence.h"
#include "prism/arithmetic.h"
#include "prism/number.h"
#include "prism/parser.h"

/* The result of reading a token. */
typedef enum step {
    STEP_OPERAND,  /* an operand must follow */
    STEP_OPERATOR, /* an operand is complete: an operator may follow */
    STEP_END,      /* the token is not part of the expression */
    STEP_FAILED
} step;

/* ---- nodes and pending operators ---- */

static bool push_node(prism_parser *parser, prism_node node)
{
    if (parser->nodes.count >= PRISM_MAX_PARSED)
        return prism_fail_limit(parser, node.place, "the expression has too many operators",
                                PRISM_MAX_PARSED);
    return prism_check_status(parser, prism_node_vec_push(&parser->nodes, node, parser->error));
}

static bool push_pending(prism_parser *parser, prism_pending pending)
{
    if (parser->pending.count >= PRISM_MAX_NESTING)
        return prism_fail_limit(parser, pending.place, "the expression is nested too deeply",
                                PRISM_MAX_NESTING);
    return prism_check_status(parser,
                              prism_pending_vec_push(&parser->pending, pending, parser->error));
}

static prism_pending *top(prism_parser *parser)
{
    size_t count = parser->pending.count;
    return count > 0 ? &parser->pending.items[count - 1] : NULL;
}

/* Pops the operator on top of the stack and appends its node; its operands are complete. */
static bool emit(prism_parser *parser)
{
    prism_pending pending = parser->pending.items[--parser->pending.count];
    return push_node(parser, (prism_node){.op = pending.op,
                                          .arity = pending.arity,
                                          .place = pending.place,
                                          .value.name = pending.name});
}

/* Emits all operators on top of the stack with at least this precedence. */
static bool reduce(prism_parser *parser, unsigned binding)
{
    for (prism_pending *last = top(parser); last != NULL; last = top(parser)) {
        bool is_operator =
            last->kind == PRISM_PENDING_OPERATOR || last->kind == PRISM_PENDING_CONDITIONAL;
        if (!is_operator || last->binding < binding)
            return true;
        if (!emit(parser))
            return false;
    }
    return true;
}

/* ---- operands ---- */

static step push_operand(prism_parser *parser, prism_node node)
{
    node.place = parser->token.place;
    if (!push_node(parser, node))
        return STEP_FAILED;
    prism_next(parser);
    return STEP_OPERATOR;
}

static step read_integer(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    int64_t value = 0;
    for (size_t i = 0; i < token->length; i++) {
        int digit = token->text[i] - '0';
        if (value > (INT64_MAX - digit) / 10) {
            prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                           "the number is larger than 9223372036854775807, the largest int");
            value = 0;
            break;
        }
        value = 10 * value + digit;
    }
    return push_operand(parser, (prism_node){.op = PRISM_OP_INT, .value.integer = value});
}

static step read_decimal(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    prism_node node = {.op = PRISM_OP_REAL};
    prism_number number;
    double value = 0;
    opac_error reason = {0};
    char *text = base_copy_text(token->text, token->length);
    if (text == NULL) {
        prism_fail(parser, base_fail_memory(parser->error));
        return STEP_FAILED;
    }
    if (opac_number_parse(text, &value, &reason) != OPAC_OK)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place, "the number is %s", reason.message);
    else if (prism_real_underflows(value) && value != 0)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "the number is not 0 but too small for a double (below 2.3e-308)");
    base_free(text);
    node.value.real = value;
    prism_number_of_text(token->text, token->length, value, &number);
    if (!prism_literal_set_number(&node, &number, parser->arena)) {
        prism_fail(parser, base_fail_memory(parser->error));
        return STEP_FAILED;
    }
    return push_operand(parser, node);
}

/* 1. or 2x. */
static step read_bad_number(prism_parser *parser)
{
    char shown[PRISM_SHOWN_SIZE];
    const prism_token *token = &parser->token;
    prism_show_token(token, shown, sizeof shown);
    if (token->text[token->length - 1] == '.')
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "expected a digit or another '.' after %s", shown);
    else
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "%s is neither a number nor a name; names must not begin with a digit",
                       shown);
    return STEP_FAILED;
}

/* Decodes "label" with \" for a quote, as in LTL formulas. */
static bool decode_label(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    base_text_clear(&parser->label);
    for (size_t i = 1; i + 1 < token->length; i++) {
        i += token->text[i] == '\\' && i + 2 < token->length;
        base_text_add_char(&parser->label, token->text[i]);
    }
    return prism_check_status(parser, base_text_check(&parser->label, parser->error));
}

static step read_label(prism_parser *parser)
{
    uint32_t id = 0;
    if (!decode_label(parser) ||
        !prism_check_status(parser,
                            base_intern_add(parser->names, base_text_get(&parser->label),
                                            parser->label.length, &id, NULL, parser->error)))
        return STEP_FAILED;
    return push_operand(parser, (prism_node){.op = PRISM_OP_LABEL, .value.name = id});
}

/* ---- names and calls ---- */

static step open_call(prism_parser *parser, prism_name name, prism_place open)
{
    prism_pending call = {.kind = PRISM_PENDING_CALL,
                          .op = PRISM_OP_CALL,
                          .arity = 1,
                          .name = name.id,
                          .place = name.place,
                          .open = open};
    return push_pending(parser, call) ? STEP_OPERAND : STEP_FAILED;
}

/*
 * A name or a function call. b (x'=1) is not a call, but a guard and an update without the arrow between
 * them.
 */
static step read_name(prism_parser *parser)
{
    prism_name name;
    bool is_call =
        prism_peek(parser, 1).kind == PRISM_TOKEN_OPEN && !prism_at_assignment(parser, 1);
    if (!prism_expect_function(parser, "an operand", &name))
        return STEP_FAILED;
    if (is_call) {
        prism_place open = parser->token.place;
        prism_next(parser);
        return open_call(parser, name, open);
    }
    prism_node node = {.op = PRISM_OP_NAME, .place = name.place, .value.name = name.id};
    return push_node(parser, node) ? STEP_OPERATOR : STEP_FAILED;
}

/* func(f, a, b) is f(a, b). */
static step read_old_call(prism_parser *parser)
{
    prism_name name;
    prism_next(parser);
    prism_place open = parser->token.place;
    if (!prism_expect(parser, PRISM_TOKEN_OPEN, "'(' after 'func'") ||
        !prism_expect_function(parser, "the name of a function", &name) ||
        !prism_expect(parser, PRISM_TOKEN_COMMA, "',' after the name of a function"))
        return STEP_FAILED;
    return open_call(parser, name, open);
}

static step fail_operand(prism_parser *parser)
{
    prism_error_expected(parser, "a name, a number or '('");
    return STEP_FAILED;
}

static step read_word(prism_parser *parser)
{
    prism_word word = parser->token.word;
    switch (word) {
    case PRISM_WORD_TRUE:
    case PRISM_WORD_FALSE:
        return push_operand(
            parser, (prism_node){.op = PRISM_OP_BOOL, .value.integer = word == PRISM_WORD_TRUE});
    case PRISM_WORD_MIN:
    case PRISM_WORD_MAX:
        if (prism_peek(parser, 1).kind == PRISM_TOKEN_OPEN || parser->reported_word[word])
            return read_name(parser);
        prism_next(parser);
        prism_error_expected(parser, "'(' after the function '%s'", prism_word_text(word));
        return STEP_FAILED;
    case PRISM_WORD_FUNC:
        return read_old_call(parser);
    default:
        return parser->reported_word[word] ? read_name(parser) : fail_operand(parser);
    }
}

static step open_prefix(prism_parser *parser, prism_op op, uint8_t binding)
{
    prism_pending pending = {.kind = PRISM_PENDING_OPERATOR,
                             .op = (uint8_t)op,
                             .binding = binding,
                             .arity = 1,
                             .place = parser->token.place};
    if (!push_pending(parser, pending))
        return STEP_FAILED;
    prism_next(parser);
    return STEP_OPERAND;
}

static step open_parenthesis(prism_parser *parser)
{
    prism_place place = parser->token.place;
    if (!push_pending(parser,
                      (prism_pending){.kind = PRISM_PENDING_OPEN, .place = place, .open = place}))
        return STEP_FAILED;
    prism_next(parser);
    return STEP_OPERAND;
}

static step read_operand(prism_parser *parser)
{
    switch (parser->token.kind) {
    case PRISM_TOKEN_NAME:
        return read_name(parser);
    case PRISM_TOKEN_WORD:
        return read_word(parser);
    case PRISM_TOKEN_INTEGER:
        return read_integer(parser);
    case PRISM_TOKEN_DECIMAL:
        return read_decimal(parser);
    case PRISM_TOKEN_BAD_NUMBER:
        return read_bad_number(parser);
    case PRISM_TOKEN_QUOTED:
        return read_label(parser);
    case PRISM_TOKEN_OPEN:
        return open_parenthesis(parser);
    case PRISM_TOKEN_NOT:
        return open_prefix(parser, PRISM_OP_NOT, LTL_BIND_NOT);
    case PRISM_TOKEN_MINUS:
        return open_prefix(parser, PRISM_OP_NEGATE, LTL_BIND_MINUS);
    default:
        return fail_operand(parser);
    }
}

/* ---- operators ---- */

typedef struct binary {
    prism_token_kind token;
    prism_op op;
    uint8_t binding;
    const char *instead; /* for an operator of another language: the operator of PRISM */
} binary;

static const binary binaries[] = {
    {PRISM_TOKEN_IMPLIES, PRISM_OP_IMPLIES, LTL_BIND_IMPLIES, NULL},
    {PRISM_TOKEN_IFF, PRISM_OP_IFF, LTL_BIND_IFF, NULL},
    {PRISM_TOKEN_OR, PRISM_OP_OR, LTL_BIND_OR, NULL},
    {PRISM_TOKEN_AND, PRISM_OP_AND, LTL_BIND_AND, NULL},
    {PRISM_TOKEN_EQUAL, PRISM_OP_EQUAL, LTL_BIND_EQUAL, NULL},
    {PRISM_TOKEN_UNEQUAL, PRISM_OP_UNEQUAL, LTL_BIND_EQUAL, NULL},
    {PRISM_TOKEN_LESS, PRISM_OP_LESS, LTL_BIND_RELATION, NULL},
    {PRISM_TOKEN_LESS_EQUAL, PRISM_OP_LESS_EQUAL, LTL_BIND_RELATION, NULL},
    {PRISM_TOKEN_GREATER, PRISM_OP_GREATER, LTL_BIND_RELATION, NULL},
    {PRISM_TOKEN_GREATER_EQUAL, PRISM_OP_GREATER_EQUAL, LTL_BIND_RELATION, NULL},
    {PRISM_TOKEN_PLUS, PRISM_OP_ADD, LTL_BIND_SUM, NULL},
    {PRISM_TOKEN_MINUS, PRISM_OP_SUBTRACT, LTL_BIND_SUM, NULL},
    {PRISM_TOKEN_TIMES, PRISM_OP_MULTIPLY, LTL_BIND_PRODUCT, NULL},
    {PRISM_TOKEN_DIVIDE, PRISM_OP_DIVIDE, LTL_BIND_PRODUCT, NULL},
    {PRISM_TOKEN_POWER, PRISM_OP_POWER, LTL_BIND_POWER, NULL},
    {PRISM_TOKEN_LEFT_ARROW, PRISM_OP_LESS, LTL_BIND_RELATION, NULL},
    {PRISM_TOKEN_DOUBLE_EQUAL, PRISM_OP_EQUAL, LTL_BIND_EQUAL, "'='"},
    {PRISM_TOKEN_DIAMOND, PRISM_OP_UNEQUAL, LTL_BIND_EQUAL, "'!='"},
    {PRISM_TOKEN_EQUAL_LESS, PRISM_OP_LESS_EQUAL, LTL_BIND_RELATION, "'<='"},
    {PRISM_TOKEN_DOUBLE_AND, PRISM_OP_AND, LTL_BIND_AND, "'&'"},
    {PRISM_TOKEN_PARALLEL, PRISM_OP_OR, LTL_BIND_OR, "'|'"},
    {PRISM_TOKEN_PERCENT, PRISM_OP_MOD, LTL_BIND_PRODUCT, "mod(a, b)"},
};

static const binary *find_binary(prism_token_kind token)
{
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (binaries[i].token == token)
            return &binaries[i];
    return NULL;
}

static step push_binary(prism_parser *parser, const binary *entry)
{
    bool is_right_associative = entry->binding == LTL_BIND_POWER;
    prism_token token = parser->token;
    prism_pending pending = {.kind = PRISM_PENDING_OPERATOR,
                             .op = (uint8_t)entry->op,
                             .binding = entry->binding,
                             .arity = 2,
                             .place = token.place};
    if (entry->instead != NULL) {
        char shown[PRISM_SHOWN_SIZE];
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token.place, "%s is not an operator; write %s",
                       prism_show_token(&token, shown, sizeof shown), entry->instead);
    }
    if (!reduce(parser, entry->binding + is_right_associative) || !push_pending(parser, pending))
        return STEP_FAILED;
    if (token.kind == PRISM_TOKEN_LEFT_ARROW) { /* x<-1 */
        parser->token.place.column++;
        return open_prefix(parser, PRISM_OP_NEGATE, LTL_BIND_MINUS);
    }
    prism_next(parser);
    return STEP_OPERAND;
}

static step push_question(prism_parser *parser)
{
    prism_pending pending = {.kind = PRISM_PENDING_QUESTION,
                             .op = PRISM_OP_CONDITIONAL,
                             .binding = LTL_BIND_CONDITIONAL,
                             .arity = 3,
                             .place = parser->token.place};
    if (!reduce(parser, LTL_BIND_CONDITIONAL + 1) || !push_pending(parser, pending))
        return STEP_FAILED;
    prism_next(parser);
    return STEP_OPERAND;
}

/* A colon without a '?' ends the expression. */
static step read_colon(prism_parser *parser)
{
    if (!reduce(parser, 0))
        return STEP_FAILED;
    prism_pending *last = top(parser);
    if (last == NULL || last->kind != PRISM_PENDING_QUESTION)
        return STEP_END;
    last->kind = PRISM_PENDING_CONDITIONAL;
    prism_next(parser);
    return STEP_OPERAND;
}

static step read_comma(prism_parser *parser)
{
    if (!reduce(parser, 0))
        return STEP_FAILED;
    prism_pending *last = top(parser);
    if (last == NULL || last->kind != PRISM_PENDING_CALL)
        return STEP_END;
    last->arity++;
    prism_next(parser);
    return STEP_OPERAND;
}

static step read_close(prism_parser *parser)
{
    if (!reduce(parser, 0))
        return STEP_FAILED;
    prism_pending *last = top(parser);
    if (last == NULL || last->kind == PRISM_PENDING_QUESTION)
        return STEP_END;
    if (last->kind == PRISM_PENDING_OPEN)
        parser->pending.count--;
    else if (!emit(parser))
        return STEP_FAILED;
    prism_next(parser);
    return STEP_OPERATOR;
}

static step read_operator(prism_parser *parser)
{
    prism_token_kind kind = parser->token.kind;
    switch (kind) {
    case PRISM_TOKEN_QUESTION:
        return push_question(parser);
    case PRISM_TOKEN_COLON:
        return read_colon(parser);
    case PRISM_TOKEN_COMMA:
        return read_comma(parser);
    case PRISM_TOKEN_CLOSE:
        return read_close(parser);
    case PRISM_TOKEN_IMPLIES:
        if (prism_at_assignment(parser, 1)) /* => is used for -> */
            return STEP_END;
        break;
    case PRISM_TOKEN_PRIME:
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "a prime is only allowed after the variable of an assignment, as in (x'=1)");
        return STEP_FAILED;
    default:
        break;
    }
    const binary *entry = find_binary(kind);
    return entry != NULL ? push_binary(parser, entry) : STEP_END;
}

/* ---- the expression ---- */

/* At the end of the expression, open parentheses are errors. */
static bool finish(prism_parser *parser)
{
    if (!reduce(parser, 0))
        return false;
    const prism_pending *last = top(parser);
    if (last == NULL)
        return true;
    if (last->kind == PRISM_PENDING_QUESTION)
        return prism_error_expected(parser, "an operator, or ':' for the '?' at %u:%u",
                                    last->place.line, last->place.column);
    return prism_error_expected(parser, "an operator%s or ')' for the '(' at %u:%u",
                                last->kind == PRISM_PENDING_CALL ? ", ','" : "", last->open.line,
                                last->open.column);
}

bool prism_read_expression(prism_parser *parser, prism_expression *expression)
{
    step next = STEP_OPERAND;
    *expression = (prism_expression){0};
    parser->nodes.count = 0;
    parser->pending.count = 0;
    while (next == STEP_OPERAND || next == STEP_OPERATOR)
        next = next == STEP_OPERAND ? read_operand(parser) : read_operator(parser);
    if (next == STEP_FAILED || !finish(parser))
        return false;
    expression->count = (uint32_t)parser->nodes.count;
    expression->nodes =
        prism_copy_list(parser, parser->nodes.items, parser->nodes.count, sizeof(prism_node));
    if (expression->nodes == NULL)
        *expression = (prism_expression){0};
    return expression->nodes != NULL;
}

opac_status prism_parse_expression(const char *text, size_t length, prism_place place,
                                   base_arena *arena, base_intern *names,
                                   prism_expression *expression, opac_error *error)
{
    prism_parser parser = {.arena = arena, .names = names, .error = error};
    *expression = (prism_expression){0};
    if (length >= UINT32_MAX)
        return base_fail_at(error, OPAC_ERROR_LIMIT, place.line, place.column,
                            "the expression is longer than 4 GB");
    prism_lexer_open(&parser.lexer, length > 0 ? text : "", length, place);
    prism_next(&parser);
    if (prism_read_expression(&parser, expression) && !prism_at(&parser, PRISM_TOKEN_END))
        prism_error_expected(&parser, "an operator or the end of the expression");
    if (parser.status != OPAC_OK)
        *expression = (prism_expression){0};
    prism_parser_fini(&parser);
    return parser.status;
}
