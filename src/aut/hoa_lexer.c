/* SPDX-License-Identifier: MIT */
#include "aut/hoa_lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "base/utf8.h"

/* ---- characters ---- */

/* Whether a name may contain the character after its first one. The dot is of version 1.1. */
static bool is_in_name(char c)
{
    return base_is_name_character(c) || c == '-' || c == '.';
}

static bool is_printable(char c)
{
    return c >= 0x20 && c < 0x7F;
}

static hoa_position position_here(const hoa_lexer *lexer)
{
    size_t column = lexer->at - lexer->line_begin - lexer->continuing + 1;
    return (hoa_position){lexer->line, column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
}

static bool is_at(const hoa_lexer *lexer, const char *text)
{
    size_t length = strlen(text);
    return lexer->length - lexer->at >= length &&
           memcmp(lexer->text + lexer->at, text, length) == 0;
}

/* Skips one character. A byte that is not valid UTF-8 counts as a character. */
static void skip_character(hoa_lexer *lexer)
{
    char c = lexer->text[lexer->at];
    size_t size = 1;
    if ((unsigned char)c >= 0x80)
        size = base_utf8_length(lexer->text + lexer->at, lexer->length - lexer->at);
    size = size > 0 ? size : 1;
    lexer->at += size;
    lexer->continuing += size - 1;
    if (c == '\n') {
        lexer->line += lexer->line < UINT32_MAX;
        lexer->line_begin = lexer->at;
        lexer->continuing = 0;
    }
}

/* ---- blanks and comments ---- */

static opac_status skip_comment(hoa_lexer *lexer, opac_error *error)
{
    hoa_position position = position_here(lexer);
    size_t depth = 0;
    do {
        if (lexer->at == lexer->length)
            return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                                "this comment is not closed: expected '*/'");
        if (is_at(lexer, "/*")) {
            depth++;
            lexer->at += 2;
        } else if (is_at(lexer, "*/")) {
            depth--;
            lexer->at += 2;
        } else {
            skip_character(lexer);
        }
    } while (depth > 0);
    return OPAC_OK;
}

static opac_status skip_blanks(hoa_lexer *lexer, opac_error *error)
{
    while (lexer->at < lexer->length) {
        char c = lexer->text[lexer->at];
        if (base_is_space(c)) {
            skip_character(lexer);
        } else if (c == '/' && is_at(lexer, "/*")) {
            TRY(skip_comment(lexer, error));
        } else {
            break;
        }
    }
    return OPAC_OK;
}

/* ---- tokens ---- */

static opac_status fail_character(const hoa_lexer *lexer, const char *what, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *bytes = lexer->text + lexer->at;
    hoa_position position = position_here(lexer);
    size_t size = base_utf8_length(bytes, lexer->length - lexer->at);
    opac_text_show(bytes, size > 0 ? size : 1, shown, sizeof shown);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column, "%s '%s'", what,
                        shown);
}

static opac_status read_number(hoa_lexer *lexer, opac_error *error)
{
    hoa_token *token = &lexer->token;
    uint64_t value = 0;
    token->kind = HOA_TOKEN_NUMBER;
    for (; lexer->at < lexer->length && base_is_digit(lexer->text[lexer->at]); lexer->at++)
        if (value <= INT32_MAX)
            value = 10 * value + (uint64_t)(lexer->text[lexer->at] - '0');
    token->length = (size_t)(lexer->text + lexer->at - token->text);
    token->number = value <= INT32_MAX ? (uint32_t)value : HOA_TOO_LARGE;
    if (token->length > 1 && token->text[0] == '0')
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->position.line, token->position.column,
                            "a number must not begin with 0");
    return OPAC_OK;
}

static void read_name(hoa_lexer *lexer, hoa_token_kind kind)
{
    hoa_token *token = &lexer->token;
    lexer->at++;
    while (lexer->at < lexer->length && is_in_name(lexer->text[lexer->at]))
        lexer->at++;
    token->kind = kind;
    if (kind == HOA_TOKEN_WORD && lexer->at < lexer->length && lexer->text[lexer->at] == ':') {
        token->kind = HOA_TOKEN_HEADER;
        lexer->at++;
    }
    token->length = (size_t)(lexer->text + lexer->at - token->text);
}

/* The character that an escape stands for; 0 for escapes that tools interpret differently. */
static char escaped(char c)
{
    static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
    const char *found = c != '\0' ? strchr(letters, c) : NULL;
    if (found != NULL)
        return meanings[found - letters];
    return is_printable(c) && !base_is_name_character(c) ? c : '\0';
}

static opac_status skip_escape(hoa_lexer *lexer, opac_error *error)
{
    hoa_position position = position_here(lexer);
    lexer->at++;
    if (lexer->at == lexer->length || escaped(lexer->text[lexer->at]) != '\0') {
        lexer->at += lexer->at < lexer->length;
        return OPAC_OK;
    }
    opac_status status = fail_character(lexer, "unknown escape in a string: backslash and", error);
    if (error != NULL) {
        error->line = position.line;
        error->column = position.column;
    }
    return status;
}

static opac_status read_string(hoa_lexer *lexer, opac_error *error)
{
    hoa_token *token = &lexer->token;
    token->kind = HOA_TOKEN_STRING;
    lexer->at++;
    while (lexer->at < lexer->length && lexer->text[lexer->at] != '"') {
        const char *bytes = lexer->text + lexer->at;
        if (*bytes == '\\')
            TRY(skip_escape(lexer, error));
        else if (*bytes == '\0')
            return fail_character(lexer, "a string cannot contain the character", error);
        else if (base_utf8_length(bytes, lexer->length - lexer->at) == 0)
            return fail_character(lexer, "invalid UTF-8 in a string: byte", error);
        else
            skip_character(lexer);
    }
    if (lexer->at >= lexer->length)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->position.line, token->position.column,
                            "this string is not closed: expected '\"'");
    lexer->at++;
    token->length = (size_t)(lexer->text + lexer->at - token->text);
    return OPAC_OK;
}

static opac_status read_dashes(hoa_lexer *lexer, opac_error *error)
{
    static const struct {
        const char *text;
        hoa_token_kind kind;
    } marks[] = {
        {"--BODY--", HOA_TOKEN_BODY}, {"--END--", HOA_TOKEN_END}, {"--ABORT--", HOA_TOKEN_ABORT}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (!is_at(lexer, marks[i].text))
            continue;
        lexer->token.kind = marks[i].kind;
        lexer->token.length = strlen(marks[i].text);
        lexer->at += lexer->token.length;
        return OPAC_OK;
    }
    return base_fail_at(error, OPAC_ERROR_SYNTAX, lexer->token.position.line,
                        lexer->token.position.column,
                        "unexpected '-': expected '--BODY--', '--END--' or '--ABORT--'");
}

opac_status hoa_lexer_next(hoa_lexer *lexer, opac_error *error)
{
    if (base_work_spend(lexer->work, 1))
        return base_work_fail(lexer->work, "reading the automaton", error);
    TRY(skip_blanks(lexer, error));
    lexer->token = (hoa_token){.text = lexer->text + lexer->at, .position = position_here(lexer)};
    if (lexer->at == lexer->length)
        return OPAC_OK;
    char c = lexer->text[lexer->at];
    if (base_is_digit(c))
        return read_number(lexer, error);
    if (c == '"')
        return read_string(lexer, error);
    if (c == '-')
        return read_dashes(lexer, error);
    if (base_is_name_start(c)) {
        read_name(lexer, HOA_TOKEN_WORD);
        return OPAC_OK;
    }
    if (c == '@' && lexer->length - lexer->at > 1 && is_in_name(lexer->text[lexer->at + 1])) {
        read_name(lexer, HOA_TOKEN_ALIAS);
        return OPAC_OK;
    }
    if (c == '@')
        return base_fail_at(error, OPAC_ERROR_SYNTAX, lexer->token.position.line,
                            lexer->token.position.column,
                            "expected the name of an alias after '@'");
    if (c == '\0' || strchr("!&|()[]{}", c) == NULL)
        return fail_character(lexer,
                              lexer->at == 0
                                  ? "expected 'HOA:' at the beginning of an automaton, found"
                                  : "unexpected character",
                              error);
    lexer->token.kind = HOA_TOKEN_SIGN;
    lexer->token.sign = c;
    lexer->token.length = 1;
    lexer->at++;
    return OPAC_OK;
}

opac_status hoa_lexer_start(hoa_lexer *lexer, opac_error *error)
{
    lexer->at = 0;
    lexer->line = 1;
    lexer->line_begin = 0;
    lexer->continuing = 0;
    if (is_at(lexer, "\xEF\xBB\xBF"))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, 1,
                            "the text begins with a byte order mark: expected 'HOA:'");
    return hoa_lexer_next(lexer, error);
}

/* ---- helpers for parsers ---- */

bool hoa_token_is(const hoa_token *token, hoa_token_kind kind, const char *text)
{
    return token->kind == kind && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

opac_status hoa_fail_expected(const hoa_lexer *lexer, const char *expected, opac_error *error)
{
    const hoa_token *token = &lexer->token;
    char shown[OPAC_SHOWN_SIZE / 2];
    uint32_t line = token->position.line, column = token->position.column;
    if (token->kind == HOA_TOKEN_EOF)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line, column,
                            "expected %s, but the text ends here", expected);
    if (token->kind == HOA_TOKEN_STRING)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line, column, "expected %s, found a string",
                            expected);
    opac_text_show(token->text, token->length, shown, sizeof shown);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, line, column, "expected %s, found '%s'", expected,
                        shown);
}

opac_status hoa_read_number(hoa_lexer *lexer, const char *expected, uint32_t *number,
                            opac_error *error)
{
    const hoa_token *token = &lexer->token;
    if (token->kind != HOA_TOKEN_NUMBER)
        return hoa_fail_expected(lexer, expected, error);
    if (token->number == HOA_TOO_LARGE) {
        char shown[OPAC_SHOWN_SIZE / 4];
        opac_text_show(token->text, token->length, shown, sizeof shown);
        return base_fail_at(error, OPAC_ERROR_LIMIT, token->position.line, token->position.column,
                            "the number %s is too large; the largest in HOA is 2147483647", shown);
    }
    *number = token->number;
    return hoa_lexer_next(lexer, error);
}

opac_status hoa_read_sign(hoa_lexer *lexer, char sign, const char *expected, opac_error *error)
{
    if (lexer->token.sign != sign)
        return hoa_fail_expected(lexer, expected, error);
    return hoa_lexer_next(lexer, error);
}

void hoa_token_decode(const hoa_token *token, base_text *text)
{
    size_t end = token->length - 1;
    for (size_t i = 1; i < end;) {
        size_t run = i;
        while (run < end && token->text[run] != '\\')
            run++;
        base_text_add_bytes(text, token->text + i, run - i);
        if (run < end)
            base_text_add_char(text, escaped(token->text[run + 1]));
        i = run + 2;
    }
}

void hoa_notice(const hoa_lexer *lexer, hoa_position position, const char *format, ...)
{
    char text[OPAC_MESSAGE_SIZE];
    va_list arguments;
    if (lexer->notice == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lexer->notice(lexer->notice_context, position.line, position.column, text);
}

opac_status hoa_locate_limit(opac_status status, hoa_position position, opac_error *error)
{
    if (status == OPAC_ERROR_LIMIT && error != NULL && error->line == 0) {
        error->line = position.line;
        error->column = position.column;
    }
    return status;
}
