/* SPDX-License-Identifier: MIT */
/* Where the items of a property file begin and end, by its tokens alone. */
#include "prism/property_items.h"

#include <string.h>

typedef struct cutter {
    prism_lexer lexer;
    prism_token token;
} cutter;

static void next(cutter *cut)
{
    prism_lexer_next(&cut->lexer, &cut->token);
}

static size_t offset(const cutter *cut)
{
    return (size_t)(cut->token.text - cut->lexer.text);
}

static bool is_definition(const prism_token *token)
{
    return token->kind == PRISM_TOKEN_WORD &&
           (token->word == PRISM_WORD_CONST || token->word == PRISM_WORD_LABEL ||
            token->word == PRISM_WORD_FORMULA);
}

/* A name in quotes with a colon behind it. */
static bool is_named(const cutter *cut)
{
    prism_lexer ahead = cut->lexer;
    prism_token behind;
    if (cut->token.kind != PRISM_TOKEN_QUOTED)
        return false;
    prism_lexer_next(&ahead, &behind);
    return behind.kind == PRISM_TOKEN_COLON;
}

static bool begins_property(const cutter *cut)
{
    const prism_token *token = &cut->token;
    if (token->kind != PRISM_TOKEN_WORD)
        return is_named(cut) || prism_token_is(token, "multi");
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
 * Whether the token ends the item before it. Where a bracket is open, only what
 * cannot stand in one does: a definition, or a named property, on a new line.
 */
static bool ends_item(const cutter *cut, size_t depth, bool is_closed)
{
    const prism_token *token = &cut->token;
    if (token->kind == PRISM_TOKEN_END || token->kind == PRISM_TOKEN_SEMICOLON)
        return true;
    if (depth > 0)
        return token->begins_line && (is_definition(token) || is_named(cut));
    return is_definition(token) || ((is_closed || token->begins_line) && begins_property(cut));
}

static void read_name(cutter *cut, prism_item *item)
{
    if (!is_named(cut))
        return;
    item->name_place = cut->token.place;
    item->name_begin = offset(cut) + 1;
    item->name_length = cut->token.length - 2;
    next(cut);
    next(cut);
}

/* From the token at hand to what ends it. */
static void read_item(cutter *cut, prism_item *item)
{
    size_t depth = 0, end = offset(cut);
    bool is_closed = false, is_first = true;
    item->is_definition = is_definition(&cut->token);
    item->place = cut->token.place;
    item->begin = end;
    while (is_first ? cut->token.kind != PRISM_TOKEN_END && cut->token.kind != PRISM_TOKEN_SEMICOLON
                    : !ends_item(cut, depth, is_closed)) {
        bool opens =
            cut->token.kind == PRISM_TOKEN_OPEN_BRACKET || cut->token.kind == PRISM_TOKEN_OPEN;
        bool closes =
            cut->token.kind == PRISM_TOKEN_CLOSE_BRACKET || cut->token.kind == PRISM_TOKEN_CLOSE;
        is_first = false;
        depth += opens ? 1 : 0;
        depth -= closes && depth > 0 ? 1 : 0;
        is_closed = cut->token.kind == PRISM_TOKEN_CLOSE_BRACKET;
        end = offset(cut) + cut->token.length;
        next(cut);
    }
    item->length = end - item->begin;
}

opac_status prism_cut_items(const char *text, size_t length, prism_item_vec *items,
                            opac_error *error)
{
    cutter cut;
    prism_lexer_open(&cut.lexer, text, length, (prism_place){1, 1});
    next(&cut);
    while (cut.token.kind != PRISM_TOKEN_END) {
        prism_item item = {0};
        if (cut.token.kind == PRISM_TOKEN_SEMICOLON) {
            next(&cut);
            continue;
        }
        read_name(&cut, &item);
        read_item(&cut, &item);
        TRY(prism_item_vec_push(items, item, error));
    }
    return OPAC_OK;
}

/* A comment begins with two slashes that no quotes enclose. */
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
