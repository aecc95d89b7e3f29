/* SPDX-License-Identifier: MIT */
/*
 * Rejects what is known but not supported: other types of models, and the sections and constructs that only
 * they have. Each is reported by its name and skipped, so that the rest of the file is checked.
 */
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "prism/parser.h"

/* Reports `what`, a plural. */
static bool reject(prism_parser *parser, const char *what)
{
    return prism_error_at(parser, OPAC_ERROR_UNSUPPORTED, parser->token.place,
                          "%s are not supported", what);
}

static void reject_once(prism_parser *parser, const char *what, bool *is_reported)
{
    if (!*is_reported)
        reject(parser, what);
    *is_reported = true;
}

/* ---- texts in other formats ---- */

static const char *foreign_format(const prism_parser *parser)
{
    const prism_token *token = &parser->token;
    prism_token next = prism_peek(parser, 1);
    if (prism_token_is(token, "HOA") && next.kind == PRISM_TOKEN_COLON)
        return "an automaton in the HOA format";
    if (prism_token_is(token, "@") &&
        (prism_token_is(&next, "type") || prism_token_is(&next, "parameters")))
        return "a model in the DRN format";
    if (token->kind == PRISM_TOKEN_INTEGER && next.kind == PRISM_TOKEN_INTEGER)
        return "an explicit file of transitions (.tra)";
    if (token->kind == PRISM_TOKEN_OPEN_BRACE && next.kind == PRISM_TOKEN_QUOTED)
        return "a JSON (JANI) file";
    if (token->kind == PRISM_TOKEN_WORD && token->word >= PRISM_WORD_P &&
        token->word <= PRISM_WORD_S)
        return "a property";
    return NULL;
}

/* Begins with an unknown character and contains a NUL: UTF-16, or not a text at all. */
static bool is_binary(const prism_parser *parser)
{
    const prism_lexer *lexer = &parser->lexer;
    return prism_at(parser, PRISM_TOKEN_UNKNOWN) &&
           memchr(lexer->text, '\0', lexer->length) != NULL;
}

bool prism_reject_text(prism_parser *parser)
{
    const char *format = foreign_format(parser);
    if (is_binary(parser)) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "this is not a text in UTF-8: expected a model in the PRISM language");
        prism_stop(parser);
        return true;
    }
    if (format == NULL)
        return false;
    prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                   "this looks like %s: expected a model in the PRISM language", format);
    prism_stop(parser);
    return true;
}

/* ---- types of models ---- */

/* Model types of other tools. They are not reserved words, and are valid names elsewhere. */
static const char *const foreign_types[] = {"smg",   "csg",  "tsg",    "ma", "lts",
                                            "idtmc", "imdp", "ipomdp", "sta"};

static bool is_foreign_type(const prism_token *token)
{
    for (size_t i = 0; i < sizeof foreign_types / sizeof foreign_types[0]; i++)
        if (prism_token_is(token, foreign_types[i]))
            return true;
    return false;
}

static bool is_unsupported_type(const prism_token *token)
{
    switch (token->word) {
    case PRISM_WORD_CTMC:
    case PRISM_WORD_STOCHASTIC:
    case PRISM_WORD_PTA:
    case PRISM_WORD_POMDP:
    case PRISM_WORD_POPTA:
        return true;
    default:
        return token->kind == PRISM_TOKEN_NAME && is_foreign_type(token);
    }
}

static void reject_type(prism_parser *parser)
{
    char shown[PRISM_SHOWN_SIZE], what[PRISM_SHOWN_SIZE + 16];
    opac_text_show(parser->token.text, parser->token.length, shown, sizeof shown);
    snprintf(what, sizeof what, "%s models", shown);
    reject(parser, what);
    parser->file->has_type = true;
    prism_next(parser);
}

/* ---- sections ---- */

/* Skips past the word that closes the section, or to the beginning of another section. */
static void skip_past(prism_parser *parser, const char *close)
{
    do {
        prism_next(parser);
        if (prism_token_is(&parser->token, close)) {
            prism_next(parser);
            return;
        }
    } while (!prism_at(parser, PRISM_TOKEN_END) &&
             !(parser->token.begins_line && prism_word_opens(parser->token.word)));
}

bool prism_reject_section(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    prism_token_kind next = prism_peek(parser, 1).kind;
    if (is_unsupported_type(token)) {
        reject_type(parser);
    } else if (prism_at_word(parser, PRISM_WORD_OBSERVABLES)) {
        reject(parser, "observables");
        skip_past(parser, "endobservables");
    } else if (prism_at_word(parser, PRISM_WORD_OBSERVABLE)) {
        reject(parser, "observables");
        prism_next(parser);
        prism_recover(parser);
    } else if (prism_at_word(parser, PRISM_WORD_INVARIANT)) {
        prism_reject_invariant(parser);
    } else if (prism_token_is(token, "player") && next == PRISM_TOKEN_NAME) {
        reject(parser, "players of games");
        skip_past(parser, "endplayer");
    } else {
        return false;
    }
    return true;
}

void prism_reject_invariant(prism_parser *parser)
{
    reject(parser, "invariants");
    skip_past(parser, "endinvariant");
}

/* ---- constructs ---- */

bool prism_reject_variable_type(prism_parser *parser)
{
    if (prism_at_word(parser, PRISM_WORD_CLOCK))
        reject_once(parser, "clocks", &parser->reported_clock);
    else if (prism_at_word(parser, PRISM_WORD_INT))
        prism_error_at(parser, OPAC_ERROR_UNSUPPORTED, parser->token.place,
                       "int variables without bounds are not supported: expected a range such as "
                       "[0..3]");
    else if (prism_token_is(&parser->token, "array"))
        reject(parser, "arrays");
    else
        return false;
    return true;
}

/* [] and [a] begin a command; [0.1,0.2] is an interval. */
bool prism_reject_interval(prism_parser *parser)
{
    prism_token_kind first = prism_peek(parser, 1).kind, second = prism_peek(parser, 2).kind;
    if (first == PRISM_TOKEN_CLOSE_BRACKET || second == PRISM_TOKEN_CLOSE_BRACKET)
        return false;
    reject_once(parser, "intervals of probabilities", &parser->reported_interval);
    while (!prism_at(parser, PRISM_TOKEN_CLOSE_BRACKET) &&
           !prism_at(parser, PRISM_TOKEN_SEMICOLON) && !prism_at(parser, PRISM_TOKEN_END))
        prism_next(parser);
    if (prism_at(parser, PRISM_TOKEN_CLOSE_BRACKET))
        prism_next(parser);
    return true;
}
