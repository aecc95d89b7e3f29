/* SPDX-License-Identifier: MIT */
/*
 * Reports errors of the parser and recovers from them.
 *
 * One error should cause one message. Therefore the parser leaves a statement at its first error and
 * continues where the next statement certainly begins. The report keeps only one message for each place
 * (model/model_report.h).
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "prism/parser.h"

/* ---- showing ---- */

const char *prism_show_token(const prism_token *token, char *buffer, size_t size)
{
    char shown[PRISM_SHOWN_SIZE / 2];
    if (token->kind == PRISM_TOKEN_END) {
        snprintf(buffer, size, "the end of the text");
        return buffer;
    }
    opac_text_show(token->text, token->length, shown, sizeof shown);
    if (token->kind == PRISM_TOKEN_QUOTED || token->kind == PRISM_TOKEN_UNCLOSED)
        snprintf(buffer, size, "%s", shown);
    else if (token->kind == PRISM_TOKEN_WORD && !prism_word_opens(token->word) &&
             !prism_word_closes(token->word))
        snprintf(buffer, size, "the reserved word '%s'", shown);
    else
        snprintf(buffer, size, "'%s'", shown);
    return buffer;
}

const char *prism_show_name(const prism_parser *parser, prism_name name, char *buffer, size_t size)
{
    size_t length = 0;
    const unsigned char *text = (const unsigned char *)"?";
    if (name.id != PRISM_NO_NAME)
        text = base_intern_key(parser->names, name.id, &length);
    return opac_text_show((const char *)text, length, buffer, size < 48 ? size : 48);
}

/* ---- reporting ---- */

static void report(prism_parser *parser, opac_status code, prism_place place, const char *format,
                   va_list arguments)
{
    char text[OPAC_MESSAGE_SIZE];
    if (parser->quiet)
        return;
    vsnprintf(text, sizeof text, format, arguments);
    if (parser->report != NULL) {
        model_report_error(parser->report, code, place.line, place.column, "%s", text);
        return;
    }
    base_fail_at(parser->error, code, place.line, place.column, "%s", text);
    prism_fail(parser, code);
}

bool prism_error_at(prism_parser *parser, opac_status code, prism_place place, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(parser, code, place, format, arguments);
    va_end(arguments);
    return false;
}

static const char *hint(const prism_token *token)
{
    if (token->kind == PRISM_TOKEN_UNCLOSED)
        return "; the quote is not closed on its line";
    if (token->kind == PRISM_TOKEN_UNKNOWN && (unsigned char)token->text[0] >= 0x80)
        return "; names consist of letters a-z and A-Z, digits and '_'";
    return "";
}

bool prism_error_expected(prism_parser *parser, const char *format, ...)
{
    char expected[OPAC_MESSAGE_SIZE / 2], found[PRISM_SHOWN_SIZE];
    const prism_token *token = &parser->token;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place, "expected %s, found %s%s",
                          expected, prism_show_token(token, found, sizeof found), hint(token));
}

/* ---- failing ---- */

void prism_stop(prism_parser *parser)
{
    parser->quiet = true;
    prism_lexer_close(&parser->lexer);
    prism_lexer_next(&parser->lexer, &parser->token);
}

bool prism_fail(prism_parser *parser, opac_status status)
{
    if (parser->status == OPAC_OK)
        parser->status = status;
    prism_stop(parser);
    return false;
}

bool prism_fail_limit(prism_parser *parser, prism_place place, const char *what,
                      unsigned long long most)
{
    if (parser->status != OPAC_OK)
        return false;
    return prism_fail(parser, base_fail_at(parser->error, OPAC_ERROR_LIMIT, place.line,
                                           place.column, "%s: at most %llu", what, most));
}

void *prism_copy_list(prism_parser *parser, const void *items, size_t count, size_t size)
{
    if (count == 0)
        return NULL;
    if (count > UINT32_MAX) {
        prism_fail_limit(parser, parser->token.place, "too many items in a list", UINT32_MAX);
        return NULL;
    }
    void *copy = base_arena_alloc(parser->arena, count, size);
    if (copy == NULL)
        prism_fail(parser, base_fail_memory(parser->error));
    else
        memcpy(copy, items, count * size);
    return copy;
}

/* ---- recovery ---- */

bool prism_at_boundary(const prism_parser *parser)
{
    const prism_token *token = &parser->token;
    switch (token->kind) {
    case PRISM_TOKEN_END:
        return true;
    case PRISM_TOKEN_OPEN_BRACKET:
        return token->begins_line;
    case PRISM_TOKEN_WORD:
        if (token->word == PRISM_WORD_INIT) /* in a line: the initial value of a variable */
            return token->begins_line;
        return prism_word_opens(token->word) || prism_word_closes(token->word);
    default:
        return false;
    }
}

/*
 * Whether a statement begins at the current token, which follows a semicolon. Any token may begin one at the
 * beginning of a line. On the same line the semicolon may itself be the error, so the token must look like
 * the beginning of a statement.
 */
static bool at_statement(const prism_parser *parser)
{
    prism_token next = prism_peek(parser, 1);
    if (parser->token.begins_line || prism_at_boundary(parser))
        return true;
    if (prism_at(parser, PRISM_TOKEN_OPEN_BRACKET))
        return next.kind == PRISM_TOKEN_CLOSE_BRACKET ||
               (next.kind == PRISM_TOKEN_NAME &&
                prism_peek(parser, 2).kind == PRISM_TOKEN_CLOSE_BRACKET);
    return prism_at(parser, PRISM_TOKEN_NAME) && next.kind == PRISM_TOKEN_COLON;
}

void prism_recover(prism_parser *parser)
{
    while (!prism_at_boundary(parser)) {
        bool is_end = prism_at(parser, PRISM_TOKEN_SEMICOLON);
        prism_next(parser);
        if (is_end && at_statement(parser))
            return;
    }
    if (prism_at(parser, PRISM_TOKEN_END)) /* errors at the end would be consequences of this one */
        parser->quiet = true;
}

void prism_ensure_progress(prism_parser *parser, size_t before)
{
    if (parser->lexer.at == before)
        prism_next(parser);
}
