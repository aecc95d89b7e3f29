/* SPDX-License-Identifier: MIT */
/*
 * The lexer for HOA texts (Hanoi omega-automata, version 1; Babiak et al., CAV 2015): yields tokens with
 * their positions, one at a time. It skips blanks and comments, which can be nested.
 *
 *     hoa_lexer lexer = {.text = text, .length = length};
 *     status = hoa_lexer_start(&lexer, error);         the first token
 *     lexer.token.kind …
 *     status = hoa_lexer_next(&lexer, error);          the next one
 *
 * Linear in the text. It allocates no memory: a token is a slice of the text. Columns count characters, so
 * the lexer counts the UTF-8 continuation bytes in the current line.
 */
#ifndef AUT_HOA_LEXER_H
#define AUT_HOA_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/formula.h>

#include "base/error.h"
#include "base/text.h"
#include "base/work.h"

typedef enum hoa_token_kind {
    HOA_TOKEN_EOF, /* the end of the text */
    HOA_TOKEN_NUMBER,
    HOA_TOKEN_STRING, /* the slice includes the quotes; all escapes are valid */
    HOA_TOKEN_WORD,   /* an identifier, also t and f */
    HOA_TOKEN_HEADER, /* Name: with its colon */
    HOA_TOKEN_ALIAS,  /* @name */
    HOA_TOKEN_BODY,   /* --BODY-- */
    HOA_TOKEN_END,    /* --END-- */
    HOA_TOKEN_ABORT,  /* --ABORT-- */
    HOA_TOKEN_SIGN    /* one of ! & | ( ) [ ] { } */
} hoa_token_kind;

/* The position of a token in the text; line 0 if there is none. */
typedef struct hoa_position {
    uint32_t line, column;
} hoa_position;

typedef struct hoa_token {
    hoa_token_kind kind;
    char sign;       /* of HOA_TOKEN_SIGN, else 0 */
    uint32_t number; /* of HOA_TOKEN_NUMBER; HOA_TOO_LARGE beyond 2^31 - 1 */
    const char *text;
    size_t length;
    hoa_position position;
} hoa_token;

#define HOA_TOO_LARGE UINT32_MAX

typedef struct hoa_lexer {
    const char *text;
    size_t length;
    opac_notice_callback notice; /* NULL if notices are not wanted */
    void *notice_context;
    size_t at;         /* index of the byte after the token */
    size_t line_begin; /* index of the first byte of the current line */
    size_t continuing; /* continuation bytes between line_begin and at */
    uint32_t line;
    hoa_token token;
    base_work *work; /* what reading is counted in; may be NULL */
} hoa_lexer;

opac_status hoa_lexer_start(hoa_lexer *lexer, opac_error *error);
opac_status hoa_lexer_next(hoa_lexer *lexer, opac_error *error);

static inline bool hoa_at_sign(const hoa_lexer *lexer, char sign)
{
    return lexer->token.sign == sign;
}

bool hoa_token_is(const hoa_token *token, hoa_token_kind kind, const char *text);

/* Fails because the current token is not the expected one, such as "a state number". */
opac_status hoa_fail_expected(const hoa_lexer *lexer, const char *expected, opac_error *error);

/* Reads a number, or a sign, and advances to the next token. */
opac_status hoa_read_number(hoa_lexer *lexer, const char *expected, uint32_t *number,
                            opac_error *error);
opac_status hoa_read_sign(hoa_lexer *lexer, char sign, const char *expected, opac_error *error);

/* Appends the content of a string token, without quotes and escapes, to a text. */
void hoa_token_decode(const hoa_token *token, base_text *text);

/* Gives a notice. */
void hoa_notice(const hoa_lexer *lexer, hoa_position position, const char *format, ...)
    BASE_PRINTF(3, 4);

/* Adds the position to an OPAC_ERROR_LIMIT without one. Returns the status. */
opac_status hoa_locate_limit(opac_status status, hoa_position position, opac_error *error);

#endif
