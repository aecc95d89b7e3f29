/* SPDX-License-Identifier: MIT */
/* Finds the items of a property file by its tokens, without parsing them. */
#include "prism/property_items.h"

#include <string.h>

typedef struct splitter {
    prism_lexer lexer;
    prism_token token;
} splitter;

static void next(splitter *s)
{
    prism_lexer_next(&s->lexer, &s->token);
}

static size_t offset(const splitter *s)
{
    return (size_t)(s->token.text - s->lexer.text);
}

static bool is_definition(const prism_token *token)
{
    return token->kind == PRISM_TOKEN_WORD &&
           (token->word == PRISM_WORD_CONST || token->word == PRISM_WORD_LABEL ||
            token->word == PRISM_WORD_FORMULA);
}

/* A name in quotes, followed by a colon. */
static bool is_named(const splitter *s)
{
    prism_lexer ahead = s->lexer;
    prism_token following;
    if (s->token.kind != PRISM_TOKEN_QUOTED)
        return false;
    prism_lexer_next(&ahead, &following);
    return following.kind == PRISM_TOKEN_COLON;
}

static bool begins_property(const splitter *s)
{
    const prism_token *token = &s->token;
    if (token->kind != PRISM_TOKEN_WORD)
        return is_named(s) || prism_token_is(token, "multi");
    switch (token->word) {
    case PRISM_WORD_P:
    case PRISM_WORD_PMAX:
    case PRISM_WORD_PMIN:
    case PRISM_WORD_R:
    case PRISM_WORD_RMAX:
    case PRISM_WORD_RMIN:
    case PRISM_WORD_S:
    case PRISM_WORD_A:
    case PRISM_WORD_E:
    case PRISM_WORD_FILTER:
        return true;
    default:
        return false;
    }
}

/*
 * Whether the current token ends the item before it. Inside brackets only a definition or a named property on
 * a new line does, since these cannot be in brackets.
 */
static bool ends_item(const splitter *s, size_t depth, bool is_closed)
{
    const prism_token *token = &s->token;
    if (token->kind == PRISM_TOKEN_END || token->kind == PRISM_TOKEN_SEMICOLON)
        return true;
    if (depth > 0)
        return token->begins_line && (is_definition(token) || is_named(s));
    return is_definition(token) || ((is_closed || token->begins_line) && begins_property(s));
}

static void read_name(splitter *s, prism_item *item)
{
    if (!is_named(s))
        return;
    item->name_place = s->token.place;
    item->name_begin = offset(s) + 1;
    item->name_length = s->token.length - 2;
    next(s);
    next(s);
}

/* Reads an item from the current token to its end. */
static void read_item(splitter *s, prism_item *item)
{
    size_t depth = 0, end = offset(s);
    bool is_closed = false, is_first = true;
    item->is_definition = is_definition(&s->token);
    item->place = s->token.place;
    item->begin = end;
    while (is_first ? s->token.kind != PRISM_TOKEN_END && s->token.kind != PRISM_TOKEN_SEMICOLON
                    : !ends_item(s, depth, is_closed)) {
        bool opens = s->token.kind == PRISM_TOKEN_OPEN_BRACKET || s->token.kind == PRISM_TOKEN_OPEN;
        bool closes =
            s->token.kind == PRISM_TOKEN_CLOSE_BRACKET || s->token.kind == PRISM_TOKEN_CLOSE;
        is_first = false;
        depth += opens ? 1 : 0;
        depth -= closes && depth > 0 ? 1 : 0;
        is_closed = s->token.kind == PRISM_TOKEN_CLOSE_BRACKET;
        end = offset(s) + s->token.length;
        next(s);
    }
    item->length = end - item->begin;
}

opac_status prism_split_items(const char *text, size_t length, prism_item_vec *items,
                              opac_error *error)
{
    splitter s;
    prism_lexer_open(&s.lexer, text, length, (prism_place){1, 1});
    next(&s);
    while (s.token.kind != PRISM_TOKEN_END) {
        prism_item item = {0};
        if (s.token.kind == PRISM_TOKEN_SEMICOLON) {
            next(&s);
            continue;
        }
        read_name(&s, &item);
        read_item(&s, &item);
        TRY(prism_item_vec_push(items, item, error));
    }
    return OPAC_OK;
}

/* A comment begins with two slashes outside of quotes. */
void prism_blank_comments(char *text, size_t length)
{
    bool is_quoted = false, is_comment = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            is_quoted = is_comment = false;
        else if (!is_comment && text[i] == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && text[i] == '/' && i + 1 < length && text[i + 1] == '/')
            is_comment = true;
        if (is_comment && text[i] != '\n' && text[i] != '\r')
            text[i] = ' ';
    }
}
