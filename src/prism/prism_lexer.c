/* SPDX-License-Identifier: MIT */
/* Skips blanks and comments, then finds the kind and the end of the token that begins there. */
#include "prism/prism_lexer.h"

#include <string.h>

#include "base/characters.h"
#include "base/utf8.h"

typedef struct symbol {
    const char *spelling;
    prism_token_kind kind;
} symbol;

/* A symbol precedes its prefixes, so that the longest match is found first. */
static const symbol symbols[] = {
    {"<=>", PRISM_TOKEN_IFF},          {"|||", PRISM_TOKEN_INTERLEAVE},
    {"||", PRISM_TOKEN_PARALLEL},      {"|", PRISM_TOKEN_OR},
    {"&&", PRISM_TOKEN_DOUBLE_AND},    {"&", PRISM_TOKEN_AND},
    {"==", PRISM_TOKEN_DOUBLE_EQUAL},  {"=>", PRISM_TOKEN_IMPLIES},
    {"=<", PRISM_TOKEN_EQUAL_LESS},    {"=", PRISM_TOKEN_EQUAL},
    {"!=", PRISM_TOKEN_UNEQUAL},       {"!", PRISM_TOKEN_NOT},
    {"<=", PRISM_TOKEN_LESS_EQUAL},    {"<-", PRISM_TOKEN_LEFT_ARROW},
    {"<>", PRISM_TOKEN_DIAMOND},       {"<", PRISM_TOKEN_LESS},
    {">=", PRISM_TOKEN_GREATER_EQUAL}, {">", PRISM_TOKEN_GREATER},
    {"->", PRISM_TOKEN_ARROW},         {"-", PRISM_TOKEN_MINUS},
    {":=", PRISM_TOKEN_ASSIGN},        {":", PRISM_TOKEN_COLON},
    {"..", PRISM_TOKEN_DOTS},          {"(", PRISM_TOKEN_OPEN},
    {")", PRISM_TOKEN_CLOSE},          {"[", PRISM_TOKEN_OPEN_BRACKET},
    {"]", PRISM_TOKEN_CLOSE_BRACKET},  {"{", PRISM_TOKEN_OPEN_BRACE},
    {"}", PRISM_TOKEN_CLOSE_BRACE},    {";", PRISM_TOKEN_SEMICOLON},
    {",", PRISM_TOKEN_COMMA},          {"'", PRISM_TOKEN_PRIME},
    {"?", PRISM_TOKEN_QUESTION},       {"+", PRISM_TOKEN_PLUS},
    {"*", PRISM_TOKEN_TIMES},          {"/", PRISM_TOKEN_DIVIDE},
    {"^", PRISM_TOKEN_POWER},          {"%", PRISM_TOKEN_PERCENT},
    {"#", PRISM_TOKEN_HASH},
};

/* ---- bytes ---- */

static char byte_at(const prism_lexer *lexer, size_t at)
{
    return at < lexer->length ? lexer->text[at] : '\0';
}

/* Moves on to a byte and counts lines and columns. An invalid UTF-8 byte counts as one character. */
static void advance(prism_lexer *lexer, size_t end)
{
    while (lexer->at < end) {
        unsigned char byte = (unsigned char)lexer->text[lexer->at];
        size_t size = 1;
        if (byte >= 0x80)
            size = base_utf8_length(lexer->text + lexer->at, lexer->length - lexer->at);
        lexer->at += size > 0 ? size : 1;
        if (byte == '\n') {
            lexer->place.line += lexer->place.line < UINT32_MAX;
            lexer->place.column = 1;
        } else {
            lexer->place.column += lexer->place.column < UINT32_MAX;
        }
    }
}

/* ---- blanks and comments ---- */

/* A comment ends with its line, or before a NUL, which is reported as an error. */
static size_t end_of_comment(const prism_lexer *lexer, size_t at)
{
    while (at < lexer->length && lexer->text[at] != '\n' && lexer->text[at] != '\r' &&
           lexer->text[at] != '\0')
        at++;
    return at;
}

static size_t end_of_blanks(const prism_lexer *lexer)
{
    size_t at = lexer->at;
    for (;;) {
        while (at < lexer->length && base_is_whitespace(lexer->text[at]))
            at++;
        if (byte_at(lexer, at) != '/' || byte_at(lexer, at + 1) != '/')
            return at;
        at = end_of_comment(lexer, at);
    }
}

/* ---- the end of a token ---- */

static size_t end_of_name(const prism_lexer *lexer, size_t at)
{
    while (base_is_name_character(byte_at(lexer, at)))
        at++;
    return at;
}

static size_t end_of_digits(const prism_lexer *lexer, size_t at)
{
    while (base_is_digit(byte_at(lexer, at)))
        at++;
    return at;
}

/* The end of an exponent at `at`; `at` itself if there is none. */
static size_t end_of_exponent(const prism_lexer *lexer, size_t at)
{
    char mark = byte_at(lexer, at), sign = byte_at(lexer, at + 1);
    size_t digits = at + 1 + (sign == '+' || sign == '-');
    if ((mark == 'e' || mark == 'E') && base_is_digit(byte_at(lexer, digits)))
        return end_of_digits(lexer, digits);
    return at;
}

/* Numbers are 12, 0.5, .5 and 1e-3. In 0..3 the number is 0. 2x and 1. are invalid numbers. */
static prism_token_kind classify_number(const prism_lexer *lexer, size_t *end)
{
    prism_token_kind kind = PRISM_TOKEN_INTEGER;
    size_t at = end_of_digits(lexer, lexer->at);
    if (byte_at(lexer, at) == '.' && byte_at(lexer, at + 1) != '.') {
        at++;
        *end = at;
        if (!base_is_digit(byte_at(lexer, at)))
            return PRISM_TOKEN_BAD_NUMBER;
        kind = PRISM_TOKEN_DECIMAL;
        at = end_of_digits(lexer, at);
    }
    size_t exponent = end_of_exponent(lexer, at);
    if (exponent > at && kind == PRISM_TOKEN_INTEGER)
        kind = PRISM_TOKEN_DECIMAL;
    at = exponent;
    if (base_is_name_character(byte_at(lexer, at))) {
        kind = PRISM_TOKEN_BAD_NUMBER;
        at = end_of_name(lexer, at);
    }
    *end = at;
    return kind;
}

/* A quote after a backslash does not end the token, as in LTL formulas. */
static prism_token_kind classify_quoted(const prism_lexer *lexer, size_t *end)
{
    size_t at = lexer->at + 1;
    for (; at < lexer->length; at++) {
        char byte = lexer->text[at];
        if (byte == '"') {
            *end = at + 1;
            return PRISM_TOKEN_QUOTED;
        }
        if (byte == '\n' || byte == '\r' || byte == '\0')
            break;
        at += byte == '\\' && byte_at(lexer, at + 1) == '"';
    }
    *end = at < lexer->length ? at : lexer->length;
    return PRISM_TOKEN_UNCLOSED;
}

static size_t end_of_block_comment(const prism_lexer *lexer)
{
    for (size_t at = lexer->at + 2; at + 1 < lexer->length; at++) {
        if (lexer->text[at] == '\0')
            return at;
        if (lexer->text[at] == '*' && lexer->text[at + 1] == '/')
            return at + 2;
    }
    return lexer->length;
}

static prism_token_kind find_symbol(const prism_lexer *lexer, size_t *end)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        size_t size = strlen(symbols[i].spelling);
        if (size <= lexer->length - lexer->at &&
            memcmp(symbols[i].spelling, lexer->text + lexer->at, size) == 0) {
            *end = lexer->at + size;
            return symbols[i].kind;
        }
    }
    *end = lexer->at + 1;
    if ((unsigned char)lexer->text[lexer->at] >= 0x80)
        while (*end < lexer->length && (unsigned char)lexer->text[*end] >= 0x80)
            (*end)++;
    return PRISM_TOKEN_UNKNOWN;
}

static prism_token_kind classify(const prism_lexer *lexer, size_t *end)
{
    char byte = lexer->text[lexer->at], next = byte_at(lexer, lexer->at + 1);
    if (base_is_name_start(byte)) {
        *end = end_of_name(lexer, lexer->at);
        return PRISM_TOKEN_NAME;
    }
    if (base_is_digit(byte) || (byte == '.' && base_is_digit(next)))
        return classify_number(lexer, end);
    if (byte == '"')
        return classify_quoted(lexer, end);
    if (byte == '/' && next == '*') {
        *end = end_of_block_comment(lexer);
        return PRISM_TOKEN_BLOCK_COMMENT;
    }
    if (byte == '\0') {
        *end = lexer->at + 1;
        return PRISM_TOKEN_NUL;
    }
    return find_symbol(lexer, end);
}

/* ---- the lexer ---- */

void prism_lexer_open(prism_lexer *lexer, const char *text, size_t length, prism_place place)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool marked = length >= 3 && memcmp(text, mark, 3) == 0;
    *lexer = (prism_lexer){.text = text, .length = length, .at = marked ? 3 : 0, .place = place};
}

void prism_lexer_close(prism_lexer *lexer)
{
    lexer->at = lexer->length;
}

void prism_lexer_next(prism_lexer *lexer, prism_token *token)
{
    uint32_t line = lexer->place.line;
    bool at_begin = lexer->place.column == 1;
    advance(lexer, end_of_blanks(lexer));
    *token = (prism_token){.kind = PRISM_TOKEN_END,
                           .begins_line = at_begin || lexer->place.line != line,
                           .place = lexer->place,
                           .text = lexer->text + lexer->at};
    if (lexer->at == lexer->length)
        return;
    size_t end = lexer->at;
    token->kind = classify(lexer, &end);
    token->length = end - lexer->at;
    if (token->kind == PRISM_TOKEN_NAME)
        token->word = prism_word_find(token->text, token->length);
    if (token->word != PRISM_WORD_NONE)
        token->kind = PRISM_TOKEN_WORD;
    advance(lexer, end);
}

bool prism_token_is(const prism_token *token, const char *text)
{
    size_t length = strlen(text);
    return token->length == length && memcmp(token->text, text, length) == 0;
}
