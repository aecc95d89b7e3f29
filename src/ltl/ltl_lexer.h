/* SPDX-License-Identifier: MIT */
/*
 * The lexer of both grammars. Tokens are read on demand, because the meaning of a word depends on its
 * context: the parser may use only the first letter of a word (GFa), and the rest is then read again.
 *
 *     ltl_lexer lexer;
 *     ltl_token token;
 *     status = ltl_lexer_open(&lexer, LTL_GRAMMAR_INFIX, text, length, error);
 *     do
 *         ltl_lexer_next(&lexer, LTL_LEX_FORMULA, &token);
 *     while (token.kind != LTL_TOKEN_END);
 *
 * The text is borrowed. Opening checks that it is valid UTF-8. Lines and columns are counted from 1,
 * columns in code points. Reading does not fail: a character that begins no token is LTL_TOKEN_UNKNOWN, and
 * the parser reports it with what it expected.
 */
#ifndef LTL_LEXER_H
#define LTL_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

typedef enum ltl_grammar {
    LTL_GRAMMAR_INFIX,
    LTL_GRAMMAR_PRISM
} ltl_grammar;

/* How a word that begins with F, G or X is read where an operand is expected. */
typedef enum ltl_words {
    LTL_WORDS_SPLIT, /* as in Spot: the letter is an operator unless a digit follows */
    LTL_WORDS_WHOLE /* as in PRISM: an operator is F, G, X or a chain such as GF before an operand */
} ltl_words;

typedef enum ltl_token_kind {
    LTL_TOKEN_END,
    LTL_TOKEN_UNKNOWN, /* one character that begins no token */
    LTL_TOKEN_UNCLOSED_QUOTE,
    LTL_TOKEN_WORD,
    LTL_TOKEN_NUMBER,
    LTL_TOKEN_QUOTED, /* quotes included */
    LTL_TOKEN_OPEN,
    LTL_TOKEN_CLOSE,
    LTL_TOKEN_OPEN_BRACKET,
    LTL_TOKEN_CLOSE_BRACKET,
    LTL_TOKEN_OPEN_BRACE,
    LTL_TOKEN_COMMA,
    LTL_TOKEN_COLON,
    LTL_TOKEN_SEMICOLON,
    LTL_TOKEN_DOTS, /* .. between two bounds */
    LTL_TOKEN_QUESTION,
    LTL_TOKEN_NOT,
    LTL_TOKEN_AND,
    LTL_TOKEN_OR,
    LTL_TOKEN_IMPLIES,
    LTL_TOKEN_IFF,
    LTL_TOKEN_XOR,
    LTL_TOKEN_BOX,
    LTL_TOKEN_DIAMOND,
    LTL_TOKEN_EQUAL, /* = and != */
    LTL_TOKEN_LESS,
    LTL_TOKEN_LESS_EQUAL,
    LTL_TOKEN_GREATER,
    LTL_TOKEN_GREATER_EQUAL,
    LTL_TOKEN_PLUS,
    LTL_TOKEN_MINUS,
    LTL_TOKEN_TIMES, /* * and / */
    LTL_TOKEN_POWER,
    LTL_TOKEN_FOREIGN /* an operator that only the other grammar, or C, has */
} ltl_token_kind;

typedef struct ltl_token {
    ltl_token_kind kind;
    uint32_t line, column;
    size_t begin, end; /* bytes of the text */
} ltl_token;

typedef struct ltl_lexer {
    const char *text;
    size_t length, at;
    uint32_t line, column; /* of the byte at `at` */
    ltl_grammar grammar;
    /* End of the word that is being split, and of a chain of operators, so that GGG… is scanned only once. */
    size_t word_end, chain_end;
} ltl_lexer;

typedef enum ltl_lex {
    LTL_LEX_FORMULA,
    LTL_LEX_BOUND /* between F[ and ], where a dot is not part of a word */
} ltl_lex;

/* Fails on a text that is not UTF-8, or longer than 4 GB. */
opac_status ltl_lexer_open(ltl_lexer *lexer, ltl_grammar grammar, const char *text, size_t length,
                           opac_error *error);

/* Reads the next token. At the end of the text, every call returns LTL_TOKEN_END. */
void ltl_lexer_next(ltl_lexer *lexer, ltl_lex mode, ltl_token *token);
/* The kind of the next token, without reading it; token may be NULL. */
ltl_token_kind ltl_lexer_peek(const ltl_lexer *lexer, ltl_token *token);
/* Shrinks the last token, a word, to its first letter. The rest will be read again. */
void ltl_lexer_split(ltl_lexer *lexer, ltl_token *token);

/* Whether the token is spelled like this. */
bool ltl_token_is(const ltl_lexer *lexer, const ltl_token *token, const char *spelling);
/* Whether the token has one of these spellings. */
bool ltl_token_is_one_of(const ltl_lexer *lexer, const ltl_token *token,
                         const char *const *spellings, size_t count);

/* Whether the first letter of a word, which was just read where an operand is expected, is F, G or X. */
bool ltl_token_is_prefix(ltl_lexer *lexer, const ltl_token *token, ltl_words words);

/* Appends the name in a quoted token, without quotes and escapes. */
void ltl_token_unquote(const ltl_lexer *lexer, const ltl_token *token, base_text *name);

/* The token for a message, such as "')'" or "the end of the formula". Returns buffer. */
const char *ltl_token_show(const ltl_lexer *lexer, const ltl_token *token, char *buffer,
                           size_t size);

/* Fails with OPAC_ERROR_SYNTAX at the token: "expected …, found …", or an error in the token itself. */
opac_status ltl_token_unexpected(const ltl_lexer *lexer, const ltl_token *token,
                                 const char *expected, opac_error *error);

#endif
