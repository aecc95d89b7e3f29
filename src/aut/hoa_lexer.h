/* SPDX-License-Identifier: MIT */
/*
 * The tokens of a HOA text (Hanoi omega-automata, version 1; Babiak et al., CAV
 * 2015), one at a time, with their places. Blanks and comments, which nest, are
 * passed over.
 *
 *     hoa_lexer lexer = {.text = text, .length = length};
 *     status = hoa_lexer_start(&lexer, error);         the first token
 *     lexer.token.kind …
 *     status = hoa_lexer_next(&lexer, error);          the next one
 *
 * Linear in the text, without memory of its own: a token is a slice of the text.
 * Columns count characters, so a lexer knows how many bytes of the line so far
 * continue one.
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
    HOA_TOKEN_NOTHING, /* the end of the text */
    HOA_TOKEN_NUMBER,
    HOA_TOKEN_STRING, /* in quotes, which belong to the slice; its escapes are good ones */
    HOA_TOKEN_WORD,   /* an identifier, also t and f */
    HOA_TOKEN_HEADER, /* Name: with its colon */
    HOA_TOKEN_ALIAS,  /* @name */
    HOA_TOKEN_BODY,   /* --BODY-- */
    HOA_TOKEN_END,    /* --END-- */
    HOA_TOKEN_ABORT,  /* --ABORT-- */
    HOA_TOKEN_SIGN    /* one of ! & | ( ) [ ] { } */
} hoa_token_kind;

/* Where a token stands; a line of 0: nowhere. */
typedef struct hoa_place {
    uint32_t line, column;
} hoa_place;

typedef struct hoa_token {
    hoa_token_kind kind;
    char sign;       /* of HOA_TOKEN_SIGN, else 0 */
    uint32_t number; /* of HOA_TOKEN_NUMBER; HOA_TOO_LARGE beyond 2^31 - 1 */
    const char *text;
    size_t length;
    hoa_place place;
} hoa_token;

#define HOA_TOO_LARGE UINT32_MAX

typedef struct hoa_lexer {
    const char *text;
    size_t length;
    opac_notice_callback notice; /* NULL: notices are dropped */
    void *notice_context;
    size_t at;         /* the byte behind the token */
    size_t line_begin; /* of the line that `at` is on */
    size_t continuing; /* bytes between both that continue a character */
    uint32_t line;
    hoa_token token;
    base_work *work; /* that reading is counted in; NULL: none */
} hoa_lexer;

opac_status hoa_lexer_start(hoa_lexer *lexer, opac_error *error);
opac_status hoa_lexer_next(hoa_lexer *lexer, opac_error *error);

static inline bool hoa_at_sign(const hoa_lexer *lexer, char sign)
{
    return lexer->token.sign == sign;
}

bool hoa_token_is(const hoa_token *token, hoa_token_kind kind, const char *text);

/* Fails because the token is not what was expected, which is named: "a state number". */
opac_status hoa_fail_expected(const hoa_lexer *lexer, const char *expected, opac_error *error);

/* The token's number or sign, then the next token. */
opac_status hoa_take_number(hoa_lexer *lexer, const char *expected, uint32_t *number,
                            opac_error *error);
opac_status hoa_take_sign(hoa_lexer *lexer, char sign, const char *expected, opac_error *error);

/* What the quotes of a string token hold, added to a text. */
void hoa_token_decode(const hoa_token *token, base_text *text);

/* Something that the user should know. */
void hoa_notice(const hoa_lexer *lexer, hoa_place place, const char *format, ...) BASE_PRINTF(3, 4);

/* Gives an error about a limit its place; others stay as they are. Returns the status. */
opac_status hoa_place_limit(opac_status status, hoa_place place, opac_error *error);

#endif
