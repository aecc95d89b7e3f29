/* SPDX-License-Identifier: MIT */
/* A token is the longest symbol, word or number. Takes one pass over the bytes. */
#include "ltl/ltl_lexer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "base/utf8.h"

typedef struct symbol {
    const char *spelling;
    ltl_token_kind kind;
} symbol;

/* A symbol is listed before its prefixes. */
static const symbol infix_symbols[] = {
    {"<->", LTL_TOKEN_IFF},       {"<=>", LTL_TOKEN_IFF},        {"->", LTL_TOKEN_IMPLIES},
    {"=>", LTL_TOKEN_IMPLIES},    {"<>", LTL_TOKEN_DIAMOND},     {"[]", LTL_TOKEN_BOX},
    {"&&", LTL_TOKEN_AND},        {"||", LTL_TOKEN_OR},          {"/\\", LTL_TOKEN_AND},
    {"\\/", LTL_TOKEN_OR},        {"==", LTL_TOKEN_EQUAL},       {"!=", LTL_TOKEN_EQUAL},
    {"<=", LTL_TOKEN_LESS_EQUAL}, {"<", LTL_TOKEN_LESS},         {">=", LTL_TOKEN_GREATER_EQUAL},
    {">", LTL_TOKEN_GREATER},     {"=", LTL_TOKEN_EQUAL},        {"(", LTL_TOKEN_OPEN},
    {")", LTL_TOKEN_CLOSE},       {"[", LTL_TOKEN_OPEN_BRACKET}, {"]", LTL_TOKEN_CLOSE_BRACKET},
    {"{", LTL_TOKEN_OPEN_BRACE},  {"!", LTL_TOKEN_NOT},          {"~", LTL_TOKEN_NOT},
    {"&", LTL_TOKEN_AND},         {"|", LTL_TOKEN_OR},           {"^", LTL_TOKEN_XOR},
    {",", LTL_TOKEN_COMMA},       {":", LTL_TOKEN_COLON},        {";", LTL_TOKEN_SEMICOLON},
    {"?", LTL_TOKEN_QUESTION},    {"+", LTL_TOKEN_PLUS},         {"-", LTL_TOKEN_MINUS},
    {"*", LTL_TOKEN_TIMES},       {"/", LTL_TOKEN_TIMES},        {NULL, LTL_TOKEN_END},
};

static const symbol prism_symbols[] = {
    {"<=>", LTL_TOKEN_IFF},        {"=>", LTL_TOKEN_IMPLIES},
    {"&&", LTL_TOKEN_FOREIGN},     {"||", LTL_TOKEN_FOREIGN},
    {"==", LTL_TOKEN_FOREIGN},     {"->", LTL_TOKEN_FOREIGN},
    {"!=", LTL_TOKEN_EQUAL},       {"<=", LTL_TOKEN_LESS_EQUAL},
    {"<", LTL_TOKEN_LESS},         {">=", LTL_TOKEN_GREATER_EQUAL},
    {">", LTL_TOKEN_GREATER},      {"=", LTL_TOKEN_EQUAL},
    {"(", LTL_TOKEN_OPEN},         {")", LTL_TOKEN_CLOSE},
    {"[", LTL_TOKEN_OPEN_BRACKET}, {"]", LTL_TOKEN_CLOSE_BRACKET},
    {"{", LTL_TOKEN_OPEN_BRACE},   {"!", LTL_TOKEN_NOT},
    {"&", LTL_TOKEN_AND},          {"|", LTL_TOKEN_OR},
    {"^", LTL_TOKEN_POWER},        {",", LTL_TOKEN_COMMA},
    {":", LTL_TOKEN_COLON},        {";", LTL_TOKEN_SEMICOLON},
    {"?", LTL_TOKEN_QUESTION},     {"+", LTL_TOKEN_PLUS},
    {"-", LTL_TOKEN_MINUS},        {"*", LTL_TOKEN_TIMES},
    {"/", LTL_TOKEN_TIMES},        {NULL, LTL_TOKEN_END},
};

opac_status ltl_lexer_open(ltl_lexer *lexer, ltl_grammar grammar, const char *text, size_t length,
                           opac_error *error)
{
    if (length >= UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "the text is longer than 4 GB");
    *lexer =
        (ltl_lexer){.text = text, .length = length, .line = 1, .column = 1, .grammar = grammar};
    return base_utf8_check(text, length, error);
}

/* ---- bytes ---- */

static bool begins_word(const ltl_lexer *lexer, char byte)
{
    return base_is_name_start(byte) || (byte == '.' && lexer->grammar == LTL_GRAMMAR_INFIX);
}

static char byte_at(const ltl_lexer *lexer, size_t at)
{
    return at < lexer->length ? lexer->text[at] : '\0';
}

/* Advances to a byte and counts lines and columns. */
static void advance(ltl_lexer *lexer, size_t end)
{
    for (; lexer->at < end; lexer->at++) {
        if (lexer->text[lexer->at] == '\n') {
            lexer->line++;
            lexer->column = 1;
        } else if (((unsigned char)lexer->text[lexer->at] & 0xC0) != 0x80) {
            lexer->column++;
        }
    }
}

/* ---- the end of the token that begins at the position ---- */

static size_t end_of_word(const ltl_lexer *lexer)
{
    size_t at = lexer->at;
    if (at < lexer->word_end)
        return lexer->word_end;
    while (at < lexer->length &&
           (begins_word(lexer, lexer->text[at]) || base_is_digit(lexer->text[at])))
        at++;
    return at;
}

static size_t end_of_digits(const ltl_lexer *lexer, size_t at)
{
    while (base_is_digit(byte_at(lexer, at)))
        at++;
    return at;
}

/* Infix: digits. PRISM: also a fraction and an exponent. */
static size_t end_of_number(const ltl_lexer *lexer)
{
    size_t at = end_of_digits(lexer, lexer->at);
    if (lexer->grammar == LTL_GRAMMAR_INFIX)
        return at;
    if (byte_at(lexer, at) == '.' && base_is_digit(byte_at(lexer, at + 1)))
        at = end_of_digits(lexer, at + 1);
    char mark = byte_at(lexer, at), sign = byte_at(lexer, at + 1);
    if (mark == 'e' || mark == 'E') {
        size_t digits = at + 1 + (sign == '+' || sign == '-');
        if (base_is_digit(byte_at(lexer, digits)))
            at = end_of_digits(lexer, digits);
    }
    return at;
}

/* The position after the closing quote; 0 if there is none, or if the name contains a NUL. */
static size_t end_of_quoted(const ltl_lexer *lexer)
{
    for (size_t at = lexer->at + 1; at < lexer->length; at++) {
        if (lexer->text[at] == '"')
            return at + 1;
        if (lexer->text[at] == '\\')
            at++;
        if (at < lexer->length && lexer->text[at] == '\0')
            return 0;
    }
    return 0;
}

static ltl_token_kind find_symbol(const ltl_lexer *lexer, size_t *end)
{
    const symbol *entry = lexer->grammar == LTL_GRAMMAR_INFIX ? infix_symbols : prism_symbols;
    for (; entry->spelling != NULL; entry++) {
        size_t size = strlen(entry->spelling);
        if (size <= lexer->length - lexer->at &&
            memcmp(entry->spelling, lexer->text + lexer->at, size) == 0) {
            *end = lexer->at + size;
            return entry->kind;
        }
    }
    *end = lexer->at + base_utf8_length(lexer->text + lexer->at, lexer->length - lexer->at);
    return LTL_TOKEN_UNKNOWN;
}

static ltl_token_kind classify(const ltl_lexer *lexer, ltl_lex mode, size_t *end)
{
    char byte = lexer->text[lexer->at];
    if (mode == LTL_LEX_BOUND && byte == '.' && byte_at(lexer, lexer->at + 1) == '.') {
        *end = lexer->at + 2;
        return LTL_TOKEN_DOTS;
    }
    if (begins_word(lexer, byte)) {
        *end = end_of_word(lexer);
        return LTL_TOKEN_WORD;
    }
    if (base_is_digit(byte)) {
        *end = end_of_number(lexer);
        return LTL_TOKEN_NUMBER;
    }
    if (byte == '"') {
        *end = end_of_quoted(lexer);
        if (*end != 0)
            return LTL_TOKEN_QUOTED;
        *end = lexer->length;
        return LTL_TOKEN_UNCLOSED_QUOTE;
    }
    return find_symbol(lexer, end);
}

void ltl_lexer_next(ltl_lexer *lexer, ltl_lex mode, ltl_token *token)
{
    size_t begin = lexer->at;
    while (begin < lexer->length && base_is_whitespace(lexer->text[begin]))
        begin++;
    advance(lexer, begin);
    *token = (ltl_token){.kind = LTL_TOKEN_END,
                         .line = lexer->line,
                         .column = lexer->column,
                         .begin = begin,
                         .end = begin};
    if (begin < lexer->length)
        token->kind = classify(lexer, mode, &token->end);
    if (token->kind == LTL_TOKEN_WORD) {
        lexer->column += (uint32_t)(token->end - begin);
        lexer->at = token->end;
    }
    advance(lexer, token->end);
}

ltl_token_kind ltl_lexer_peek(const ltl_lexer *lexer, ltl_token *token)
{
    ltl_lexer copy = *lexer;
    ltl_token next;
    ltl_lexer_next(&copy, LTL_LEX_FORMULA, &next);
    if (token != NULL)
        *token = next;
    return next.kind;
}

void ltl_lexer_split(ltl_lexer *lexer, ltl_token *token)
{
    assert(token->kind == LTL_TOKEN_WORD && token->end == lexer->at);
    lexer->word_end = token->end;
    lexer->column -= (uint32_t)(token->end - token->begin - 1);
    token->end = token->begin + 1;
    lexer->at = token->end;
}

/* ---- properties of tokens ---- */

bool ltl_token_is(const ltl_lexer *lexer, const ltl_token *token, const char *spelling)
{
    size_t size = strlen(spelling);
    return token->end - token->begin == size &&
           memcmp(lexer->text + token->begin, spelling, size) == 0;
}

bool ltl_token_is_one_of(const ltl_lexer *lexer, const ltl_token *token,
                         const char *const *spellings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ltl_token_is(lexer, token, spellings[i]))
            return true;
    return false;
}

static bool is_prefix_letter(char byte)
{
    return byte == 'F' || byte == 'G' || byte == 'X';
}

/* Whether an operand begins after the word: then GF is two operators and not a name. */
static bool operand_follows(const ltl_lexer *lexer)
{
    static const char *const infix_words[] = {"U", "W", "R", "M", "V", "xor"};
    ltl_token next;
    switch (ltl_lexer_peek(lexer, &next)) {
    case LTL_TOKEN_WORD:
        return !ltl_token_is_one_of(lexer, &next, infix_words,
                                    sizeof infix_words / sizeof infix_words[0]);
    case LTL_TOKEN_NUMBER:
    case LTL_TOKEN_QUOTED:
    case LTL_TOKEN_OPEN:
    case LTL_TOKEN_NOT:
    case LTL_TOKEN_OPEN_BRACKET:
        return true;
    default:
        return false;
    }
}

bool ltl_token_is_prefix(ltl_lexer *lexer, const ltl_token *token, ltl_words words)
{
    assert(token->kind == LTL_TOKEN_WORD && token->end == lexer->at);
    if (!is_prefix_letter(lexer->text[token->begin]))
        return false;
    if (token->end - token->begin == 1)
        return true;
    if (words == LTL_WORDS_SPLIT)
        return !base_is_digit(lexer->text[token->begin + 1]);
    if (token->end == lexer->chain_end)
        return true;
    for (size_t at = token->begin; at < token->end; at++)
        if (!is_prefix_letter(lexer->text[at]))
            return false;
    if (!operand_follows(lexer))
        return false;
    lexer->chain_end = token->end;
    return true;
}

void ltl_token_unquote(const ltl_lexer *lexer, const ltl_token *token, base_text *name)
{
    assert(token->kind == LTL_TOKEN_QUOTED);
    size_t run = token->begin + 1, end = token->end - 1;
    for (size_t at = run; at < end; at++)
        if (lexer->text[at] == '\\') {
            base_text_add_bytes(name, lexer->text + run, at - run);
            run = ++at;
        }
    base_text_add_bytes(name, lexer->text + run, end - run);
}

/* ---- messages ---- */

const char *ltl_token_show(const ltl_lexer *lexer, const ltl_token *token, char *buffer,
                           size_t size)
{
    char shown[48];
    if (token->kind == LTL_TOKEN_END) {
        snprintf(buffer, size, "the end of the formula");
        return buffer;
    }
    opac_text_show(lexer->text + token->begin, token->end - token->begin, shown, sizeof shown);
    if (token->kind == LTL_TOKEN_QUOTED)
        snprintf(buffer, size, "%s", shown);
    else
        snprintf(buffer, size, "'%s'", shown);
    return buffer;
}

opac_status ltl_token_unexpected(const ltl_lexer *lexer, const ltl_token *token,
                                 const char *expected, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    ltl_token_show(lexer, token, shown, sizeof shown);
    if (token->kind == LTL_TOKEN_UNCLOSED_QUOTE)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            memchr(lexer->text + token->begin, '\0', token->end - token->begin)
                                ? "a name in quotes contains the character NUL"
                                : "the quote that begins here is not closed");
    if (token->kind == LTL_TOKEN_UNKNOWN && (unsigned char)lexer->text[token->begin] >= 0x80)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected %s, found %s; names that are not ASCII must be in quotes",
                            expected, shown);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, token->line, token->column,
                        "expected %s, found %s", expected, shown);
}
