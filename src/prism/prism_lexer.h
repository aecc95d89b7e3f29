/* SPDX-License-Identifier: MIT */
/*
 * Lexer of the PRISM language; it finds the longest match. One pass over the bytes, without memory
 * allocation. A lexer is a value: a copy of it can be used to look ahead.
 *
 *     prism_lexer lexer;
 *     prism_lexer_open(&lexer, text, length, (prism_place){1, 1});
 *     do prism_lexer_next(&lexer, &token); while (token.kind != PRISM_TOKEN_END);
 *
 * Any sequence of bytes consists of tokens; those that are not in the language are UNKNOWN. Blanks are those
 * of C; a comment extends from // to the end of the line and may contain any bytes except NUL. Operators of
 * other languages (== && <> := …) are tokens, so that the parser can suggest the operator of PRISM.
 */
#ifndef PRISM_LEXER_H
#define PRISM_LEXER_H

#include "prism/expression.h"
#include "prism/reserved_words.h"

typedef enum prism_token_kind {
    PRISM_TOKEN_END, /* of the text */
    PRISM_TOKEN_NAME,
    PRISM_TOKEN_WORD,       /* a reserved word */
    PRISM_TOKEN_INTEGER,    /* digits */
    PRISM_TOKEN_DECIMAL,    /* with a decimal point or an exponent, or both */
    PRISM_TOKEN_BAD_NUMBER, /* 2x or 1. */
    PRISM_TOKEN_QUOTED,     /* including its quotes */
    PRISM_TOKEN_UNCLOSED,   /* from a quote without a second one to the end of the line */
    PRISM_TOKEN_UNKNOWN,    /* one ASCII character, or a sequence of other bytes */
    PRISM_TOKEN_NUL,
    PRISM_TOKEN_HASH,          /* of PRISM's preprocessor */
    PRISM_TOKEN_BLOCK_COMMENT, /* as in C: an error */

    PRISM_TOKEN_OPEN,
    PRISM_TOKEN_CLOSE,
    PRISM_TOKEN_OPEN_BRACKET,
    PRISM_TOKEN_CLOSE_BRACKET,
    PRISM_TOKEN_OPEN_BRACE,
    PRISM_TOKEN_CLOSE_BRACE,
    PRISM_TOKEN_SEMICOLON,
    PRISM_TOKEN_COLON,
    PRISM_TOKEN_COMMA,
    PRISM_TOKEN_DOTS,
    PRISM_TOKEN_PRIME,
    PRISM_TOKEN_QUESTION,
    PRISM_TOKEN_ARROW,      /* -> */
    PRISM_TOKEN_LEFT_ARROW, /* <- */

    PRISM_TOKEN_NOT,
    PRISM_TOKEN_AND,
    PRISM_TOKEN_OR,
    PRISM_TOKEN_IMPLIES,
    PRISM_TOKEN_IFF,
    PRISM_TOKEN_EQUAL,
    PRISM_TOKEN_UNEQUAL,
    PRISM_TOKEN_LESS,
    PRISM_TOKEN_LESS_EQUAL,
    PRISM_TOKEN_GREATER,
    PRISM_TOKEN_GREATER_EQUAL,
    PRISM_TOKEN_PLUS,
    PRISM_TOKEN_MINUS,
    PRISM_TOKEN_TIMES,
    PRISM_TOKEN_DIVIDE,
    PRISM_TOKEN_POWER,

    PRISM_TOKEN_PARALLEL,   /* ||, the composition of modules */
    PRISM_TOKEN_INTERLEAVE, /* ||| */

    PRISM_TOKEN_DOUBLE_EQUAL, /* == */
    PRISM_TOKEN_DOUBLE_AND,   /* && */
    PRISM_TOKEN_DIAMOND,      /* <> */
    PRISM_TOKEN_EQUAL_LESS,   /* =< */
    PRISM_TOKEN_ASSIGN,       /* := */
    PRISM_TOKEN_PERCENT       /* % */
} prism_token_kind;

typedef struct prism_token {
    prism_token_kind kind;
    prism_word word;  /* for a WORD */
    bool begins_line; /* the first token of its line */
    prism_place place;
    const char *text; /* borrowed from the text */
    size_t length;
} prism_token;

typedef struct prism_lexer {
    const char *text;
    size_t length;
    size_t at;
    prism_place place; /* of the byte text[at] */
} prism_lexer;

/* `place` is that of the first character. Skips a byte order mark. */
void prism_lexer_open(prism_lexer *lexer, const char *text, size_t length, prism_place place);
void prism_lexer_next(prism_lexer *lexer, prism_token *token);
/* From now on the next token is END. */
void prism_lexer_close(prism_lexer *lexer);

bool prism_token_is(const prism_token *token, const char *text);

#endif
