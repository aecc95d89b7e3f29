/* SPDX-License-Identifier: MIT */
/*
 * Parses commands and their updates.
 *
 *     command    = "[" [ NAME ] "]" expression "->" branches ";"
 *     branches   = update | expression ":" update { "+" expression ":" update }
 *     update     = "true" | assignment { "&" assignment }
 *     assignment = "(" NAME "'" "=" expression ")"
 *
 * Both an update and a probability may begin with a parenthesis; ( NAME ' begins an update.
 */
#include <stdio.h>

#include "prism/parser.h"

/* ---- assignments ---- */

static bool read_prime(prism_parser *parser, prism_name name)
{
    char shown[PRISM_SHOWN_SIZE];
    prism_show_name(parser, name, shown, sizeof shown);
    if (prism_at(parser, PRISM_TOKEN_PRIME)) {
        prism_next(parser);
        return prism_expect_equals(parser, "the variable of an assignment");
    }
    if (prism_at(parser, PRISM_TOKEN_EQUAL) || prism_at(parser, PRISM_TOKEN_ASSIGN) ||
        prism_at(parser, PRISM_TOKEN_DOUBLE_EQUAL)) { /* only the prime is missing */
        prism_error_expected(parser, "a prime after %s, as in (%s'=1)", shown, shown);
        prism_next(parser);
        return parser->status == OPAC_OK;
    }
    return prism_error_expected(parser, "a prime after %s, as in (%s'=1)", shown, shown);
}

static bool read_assignment(prism_parser *parser)
{
    prism_assignment_syntax assignment;
    prism_place open = parser->token.place;
    char expected[PRISM_SHOWN_SIZE];
    if (!prism_expect(parser, PRISM_TOKEN_OPEN, "an update such as (x'=1)") ||
        !prism_expect_name(parser, "the name of a variable", &assignment.variable) ||
        !read_prime(parser, assignment.variable) ||
        !prism_read_expression(parser, &assignment.value))
        return false;
    snprintf(expected, sizeof expected, "an operator or ')' for the '(' at %u:%u", open.line,
             open.column);
    return prism_expect(parser, PRISM_TOKEN_CLOSE, expected) &&
           prism_check_status(parser, prism_assignment_syntax_vec_push(&parser->assignments,
                                                                       assignment, parser->error));
}

/* Accepts '&' between assignments. && and ',' before another assignment are reported and accepted. */
static bool accept_and(prism_parser *parser)
{
    switch (parser->token.kind) {
    case PRISM_TOKEN_AND:
        break;
    case PRISM_TOKEN_DOUBLE_AND:
    case PRISM_TOKEN_COMMA:
        if (!prism_at_assignment(parser, 1))
            return false;
        prism_error_expected(parser, "'&' between assignments");
        break;
    default:
        return false;
    }
    prism_next(parser);
    return true;
}

static bool is_name_or_word(prism_token_kind kind)
{
    return kind == PRISM_TOKEN_NAME || kind == PRISM_TOKEN_WORD;
}

static bool read_update(prism_parser *parser, prism_branch_syntax *branch)
{
    char shown[PRISM_SHOWN_SIZE];
    parser->assignments.count = 0;
    if (prism_at_word(parser, PRISM_WORD_TRUE)) {
        prism_next(parser);
        return true;
    }
    do {
        if (is_name_or_word(parser->token.kind) && prism_peek(parser, 1).kind == PRISM_TOKEN_PRIME)
            return prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                                  "an assignment must be in parentheses: expected '(' before %s",
                                  prism_show_token(&parser->token, shown, sizeof shown));
        if (!read_assignment(parser))
            return false;
    } while (accept_and(parser));
    branch->assignments =
        prism_copy_list(parser, parser->assignments.items, parser->assignments.count,
                        sizeof(prism_assignment_syntax));
    branch->assignment_count = (uint32_t)parser->assignments.count;
    return parser->status == OPAC_OK;
}

/* ---- branches ---- */

/*
 * Whether (x=1) begins an update without its prime, rather than a condition in a probability. This depends on
 * the token after the closing parenthesis.
 */
static bool at_primeless_update(const prism_parser *parser)
{
    prism_lexer copy = parser->lexer;
    prism_token token = parser->token;
    prism_token_kind sign = prism_peek(parser, 2).kind;
    size_t depth = 0;
    if (token.kind != PRISM_TOKEN_OPEN || !is_name_or_word(prism_peek(parser, 1).kind) ||
        (sign != PRISM_TOKEN_EQUAL && sign != PRISM_TOKEN_ASSIGN &&
         sign != PRISM_TOKEN_DOUBLE_EQUAL))
        return false;
    while (token.kind != PRISM_TOKEN_END && token.kind != PRISM_TOKEN_SEMICOLON) {
        depth += token.kind == PRISM_TOKEN_OPEN;
        if (token.kind == PRISM_TOKEN_QUESTION && depth == 1)
            return false;
        if (token.kind == PRISM_TOKEN_CLOSE && --depth == 0)
            break;
        prism_lexer_next(&copy, &token);
    }
    prism_lexer_next(&copy, &token);
    return depth == 0 && (token.kind == PRISM_TOKEN_SEMICOLON || token.kind == PRISM_TOKEN_AND ||
                          token.kind == PRISM_TOKEN_PLUS || token.kind == PRISM_TOKEN_DOUBLE_AND);
}

static bool at_update(const prism_parser *parser)
{
    prism_token next = prism_peek(parser, 1);
    if (prism_at_word(parser, PRISM_WORD_TRUE))
        return next.kind == PRISM_TOKEN_SEMICOLON || next.kind == PRISM_TOKEN_PLUS ||
               next.kind == PRISM_TOKEN_END || next.kind == PRISM_TOKEN_WORD ||
               next.kind == PRISM_TOKEN_OPEN_BRACKET;
    if (is_name_or_word(parser->token.kind) && next.kind == PRISM_TOKEN_PRIME)
        return true;
    return prism_at_assignment(parser, 0) || at_primeless_update(parser);
}

/* A semicolon before an assignment is reported and accepted as a colon. */
static bool expect_colon(prism_parser *parser)
{
    static const char expected[] = "an operator or ':' after a probability";
    if (!prism_at(parser, PRISM_TOKEN_SEMICOLON) || !prism_at_assignment(parser, 1))
        return prism_expect(parser, PRISM_TOKEN_COLON, expected);
    prism_error_expected(parser, "%s", expected);
    prism_next(parser);
    return true;
}

static bool read_branch(prism_parser *parser, prism_branch_syntax *branch)
{
    *branch = (prism_branch_syntax){.place = parser->token.place};
    if (at_update(parser))
        return read_update(parser, branch);
    if (prism_at(parser, PRISM_TOKEN_OPEN_BRACKET) && !prism_reject_interval(parser))
        return prism_error_expected(parser, "a probability or an update such as (x'=1)");
    if (!prism_at(parser, PRISM_TOKEN_COLON) &&
        !prism_read_expression(parser, &branch->probability))
        return false;
    return expect_colon(parser) && read_update(parser, branch);
}

/* If there are several branches, each must have a probability. */
static void check_probabilities(prism_parser *parser)
{
    const prism_branch_syntax *branches = parser->branches.items;
    for (size_t i = 0; parser->branches.count > 1 && i < parser->branches.count; i++)
        if (branches[i].probability.count == 0 && !parser->quiet) {
            prism_error_at(parser, OPAC_ERROR_SYNTAX, branches[i].place,
                           "one of several updates has no probability: expected a probability "
                           "and ':' before the update");
            return;
        }
}

static bool read_branches(prism_parser *parser, prism_command_syntax *command)
{
    prism_branch_syntax branch;
    bool has_interval = false;
    parser->branches.count = 0;
    do {
        if (prism_at(parser, PRISM_TOKEN_PLUS))
            prism_next(parser);
        has_interval |= prism_at(parser, PRISM_TOKEN_OPEN_BRACKET);
        if (!read_branch(parser, &branch) ||
            !prism_check_status(
                parser, prism_branch_syntax_vec_push(&parser->branches, branch, parser->error)))
            return false;
    } while (prism_at(parser, PRISM_TOKEN_PLUS));
    if (!has_interval)
        check_probabilities(parser);
    command->branches = prism_copy_list(parser, parser->branches.items, parser->branches.count,
                                        sizeof(prism_branch_syntax));
    command->branch_count = (uint32_t)parser->branches.count;
    return parser->status == OPAC_OK;
}

/* ---- commands ---- */

static bool expect_arrow(prism_parser *parser)
{
    if (prism_at(parser, PRISM_TOKEN_IMPLIES)) {
        prism_error_expected(parser, "'->' after the guard");
        prism_next(parser);
        return parser->status == OPAC_OK;
    }
    return prism_expect(parser, PRISM_TOKEN_ARROW, "an operator or '->' after the guard");
}

static bool read_action(prism_parser *parser, prism_command_syntax *command)
{
    prism_place place = parser->token.place;
    command->action = (prism_name){PRISM_NO_NAME, place};
    prism_next(parser);
    if (!prism_at(parser, PRISM_TOKEN_CLOSE_BRACKET) &&
        !prism_expect_name(parser, "the name of an action, or ']'", &command->action))
        return false;
    command->action.place = place;
    return prism_expect(parser, PRISM_TOKEN_CLOSE_BRACKET, "']' after the action");
}

bool prism_read_command(prism_parser *parser, prism_command_syntax *command)
{
    *command = (prism_command_syntax){0};
    if (!read_action(parser, command) || !prism_read_expression(parser, &command->guard) ||
        !expect_arrow(parser) || !read_branches(parser, command))
        return false;
    if (prism_at(parser, PRISM_TOKEN_SEMICOLON)) {
        prism_next(parser);
        return true;
    }
    prism_error_expected(parser, "'+', '&' or ';' after an update");
    return prism_at_boundary(parser); /* only the semicolon is missing */
}
