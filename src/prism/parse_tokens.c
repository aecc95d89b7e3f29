/* SPDX-License-Identifier: MIT */
/* Reads tokens, and reports those that are not expected. */
#include <stdio.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "prism/parser.h"

void prism_parser_fini(prism_parser *parser)
{
    prism_node_vec_fini(&parser->nodes);
    prism_pending_vec_fini(&parser->pending);
    base_text_fini(&parser->label);
    prism_assignment_syntax_vec_fini(&parser->assignments);
    prism_branch_syntax_vec_fini(&parser->branches);
    prism_command_syntax_vec_fini(&parser->commands);
    prism_variable_syntax_vec_fini(&parser->variables);
    prism_renaming_vec_fini(&parser->renamings);
    prism_name_vec_fini(&parser->actions);
    prism_system_node_vec_fini(&parser->system);
    prism_system_pending_vec_fini(&parser->system_pending);
    prism_reward_syntax_vec_fini(&parser->rewards);
}

/* ---- reading ahead ---- */

/* Reports tokens that are errors everywhere. True if the token is to be skipped. */
static bool reject_token(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    switch (token->kind) {
    case PRISM_TOKEN_BLOCK_COMMENT:
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "comments begin with '//' and end with the line, found '/*'");
        return true;
    case PRISM_TOKEN_NUL:
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "this is not a text: it contains a NUL character");
        prism_stop(parser);
        return false;
    case PRISM_TOKEN_HASH:
        prism_error_at(parser, OPAC_ERROR_UNSUPPORTED, token->place,
                       "PRISM's preprocessor ('#') is not supported; run it on the file first");
        prism_stop(parser);
        return false;
    default:
        return false;
    }
}

/* Whether parsing was cancelled; then the text ends. */
static bool is_cancelled(prism_parser *parser)
{
    if (parser->file == NULL || !base_work_spend(parser->file->work, 1))
        return false;
    if (parser->status == OPAC_OK)
        parser->status = base_work_fail(parser->file->work, PRISM_READING, parser->error);
    parser->quiet = true;
    parser->token.kind = PRISM_TOKEN_END;
    return true;
}

void prism_next(prism_parser *parser)
{
    if (is_cancelled(parser))
        return;
    do
        prism_lexer_next(&parser->lexer, &parser->token);
    while (reject_token(parser));
}

prism_token prism_peek(const prism_parser *parser, unsigned ahead)
{
    prism_lexer copy = parser->lexer;
    prism_token token = parser->token;
    while (ahead > 0) {
        prism_lexer_next(&copy, &token);
        ahead -= token.kind != PRISM_TOKEN_BLOCK_COMMENT;
    }
    return token;
}

bool prism_at(const prism_parser *parser, prism_token_kind kind)
{
    return parser->token.kind == kind;
}

bool prism_at_word(const prism_parser *parser, prism_word word)
{
    return parser->token.kind == PRISM_TOKEN_WORD && parser->token.word == word;
}

bool prism_at_assignment(const prism_parser *parser, unsigned ahead)
{
    if (prism_peek(parser, ahead).kind != PRISM_TOKEN_OPEN)
        return false;
    prism_token name = prism_peek(parser, ahead + 1);
    return (name.kind == PRISM_TOKEN_NAME || name.kind == PRISM_TOKEN_WORD) &&
           prism_peek(parser, ahead + 2).kind == PRISM_TOKEN_PRIME;
}

/* ---- expecting ---- */

bool prism_expect(prism_parser *parser, prism_token_kind kind, const char *expected)
{
    if (!prism_at(parser, kind))
        return prism_error_expected(parser, "%s", expected);
    prism_next(parser);
    return true;
}

bool prism_expect_word(prism_parser *parser, prism_word word, const char *after)
{
    if (!prism_at_word(parser, word))
        return prism_error_expected(parser, "'%s' after %s", prism_word_text(word), after);
    prism_next(parser);
    return true;
}

/* Interns a text of the current token as a name, and reads the next token. */
static bool intern(prism_parser *parser, const char *text, size_t length, prism_name *name)
{
    uint32_t id = PRISM_NO_NAME;
    prism_place place = parser->token.place;
    if (!prism_check_status(parser,
                            base_intern_add(parser->names, text, length, &id, NULL, parser->error)))
        return false;
    *name = (prism_name){id, place};
    prism_next(parser);
    return true;
}

/*
 * Whether a reserved word is likely to be meant as a name. Its first use is reported. It is accepted as a
 * name then, so that further uses are not reported.
 */
static bool accept_word_as_name(prism_parser *parser, const char *what)
{
    prism_word word = parser->token.word;
    prism_token next = prism_peek(parser, 1);
    bool is_structure =
        prism_word_closes(word) || (prism_word_opens(word) && parser->token.begins_line);
    bool name_follows =
        !next.begins_line && (next.kind == PRISM_TOKEN_NAME || next.kind == PRISM_TOKEN_WORD);
    if (parser->token.kind != PRISM_TOKEN_WORD || is_structure ||
        (name_follows && !parser->reported_word[word]))
        return prism_error_expected(parser, "%s", what);
    if (!parser->reported_word[word])
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "'%s' is a reserved word: expected %s", prism_word_text(word), what);
    parser->reported_word[word] = true;
    return parser->status == OPAC_OK;
}

bool prism_expect_name(prism_parser *parser, const char *what, prism_name *name)
{
    *name = (prism_name){PRISM_NO_NAME, parser->token.place};
    if (!prism_at(parser, PRISM_TOKEN_NAME) && !accept_word_as_name(parser, what))
        return false;
    return intern(parser, parser->token.text, parser->token.length, name);
}

bool prism_expect_function(prism_parser *parser, const char *what, prism_name *name)
{
    if (prism_at_word(parser, PRISM_WORD_MIN) || prism_at_word(parser, PRISM_WORD_MAX))
        return intern(parser, parser->token.text, parser->token.length, name);
    return prism_expect_name(parser, what, name);
}

/* Removes the quotes and the blanks inside them at both ends, as PRISM does. */
static void unquote(const prism_token *token, const char **text, size_t *length)
{
    const char *begin = token->text + 1, *end = token->text + token->length - 1;
    while (begin < end && base_is_blank(*begin))
        begin++;
    while (begin < end && base_is_blank(end[-1]))
        end--;
    *text = begin;
    *length = (size_t)(end - begin);
}

static bool is_name(const char *text, size_t length)
{
    prism_lexer lexer;
    prism_token token;
    prism_lexer_open(&lexer, text, length, (prism_place){1, 1});
    prism_lexer_next(&lexer, &token);
    return (token.kind == PRISM_TOKEN_NAME || token.kind == PRISM_TOKEN_WORD) &&
           token.length == length;
}

bool prism_expect_label(prism_parser *parser, const char *what, prism_name *name)
{
    const prism_token *token = &parser->token;
    char shown[PRISM_SHOWN_SIZE / 2];
    *name = (prism_name){PRISM_NO_NAME, token->place};
    if (token->kind == PRISM_TOKEN_NAME) {
        opac_text_show(token->text, token->length, shown, sizeof shown);
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "%s must be in quotes: expected \"%s\", found '%s'", what, shown, shown);
        return intern(parser, token->text, token->length, name);
    }
    if (token->kind != PRISM_TOKEN_QUOTED)
        return prism_error_expected(parser, "%s in quotes", what);
    const char *text;
    size_t length;
    unquote(token, &text, &length);
    if (!is_name(text, length))
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "%s must consist of letters, digits and '_', found %s", what,
                       prism_show_token(token, shown, sizeof shown));
    return intern(parser, text, length, name);
}

bool prism_expect_equals(prism_parser *parser, const char *after)
{
    switch (parser->token.kind) {
    case PRISM_TOKEN_DOUBLE_EQUAL:
    case PRISM_TOKEN_ASSIGN:
    case PRISM_TOKEN_COLON:
        prism_error_expected(parser, "'=' after %s", after);
        break;
    case PRISM_TOKEN_EQUAL:
        break;
    default:
        return prism_error_expected(parser, "'=' after %s", after);
    }
    prism_next(parser);
    return true;
}

bool prism_expect_semicolon(prism_parser *parser, const char *what, prism_name name)
{
    char shown[PRISM_SHOWN_SIZE];
    if (prism_at(parser, PRISM_TOKEN_SEMICOLON)) {
        prism_next(parser);
        return true;
    }
    if (name.id == PRISM_NO_NAME)
        prism_error_expected(parser, "';' after %s", what);
    else
        prism_error_expected(parser, "';' after %s %s", what,
                             prism_show_name(parser, name, shown, sizeof shown));
    return false;
}
