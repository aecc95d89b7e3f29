/* SPDX-License-Identifier: MIT */
/*
 * Parses the composition of modules into a postfix program, by operator precedence, as for expressions.
 *
 *     system = "system" composition "endsystem"
 *
 *     |||                     lowest precedence
 *     ||
 *     |[a,b]|                 not associative
 *     /{a,b}  {a<-b,c<-d}     postfix operators; highest precedence
 *
 * PRISM parses a ||| b || c as a ||| (b || c). It rejects a || b ||| c and a |[x]| b |[y]| c, which other
 * tools parse in different ways; they require parentheses here as well.
 */
#include <stdio.h>

#include "prism/parser.h"

enum {
    BINDING_INTERLEAVE = 1,
    BINDING_PARALLEL,
    BINDING_SYNCHRONISE
};

/* ---- nodes and pending operators ---- */

static bool push_node(prism_parser *parser, prism_system_node node)
{
    return prism_check_status(parser,
                              prism_system_node_vec_push(&parser->system, node, parser->error));
}

static bool push_pending(prism_parser *parser, prism_system_pending pending)
{
    if (parser->system_pending.count >= PRISM_MAX_NESTING)
        return prism_fail_limit(parser, pending.node.name.place, "the system is nested too deeply",
                                PRISM_MAX_NESTING);
    return prism_check_status(
        parser, prism_system_pending_vec_push(&parser->system_pending, pending, parser->error));
}

static const prism_system_pending *top(const prism_parser *parser)
{
    size_t count = parser->system_pending.count;
    return count > 0 ? &parser->system_pending.items[count - 1] : NULL;
}

/* Emits all operators on top of the stack with at least this precedence. */
static bool reduce(prism_parser *parser, unsigned binding)
{
    while (top(parser) != NULL && top(parser)->binding >= binding) {
        if (!push_node(parser, top(parser)->node))
            return false;
        parser->system_pending.count--;
    }
    return true;
}

/* ---- lists of actions ---- */

/* Parses a, b, … and the closing token. */
static bool read_actions(prism_parser *parser, prism_token_kind close, prism_system_node *node)
{
    prism_name name;
    parser->actions.count = 0;
    do {
        if (prism_at(parser, PRISM_TOKEN_COMMA))
            prism_next(parser);
        if (!prism_expect_name(parser, "the name of an action", &name) ||
            !prism_check_status(parser, prism_name_vec_push(&parser->actions, name, parser->error)))
            return false;
    } while (prism_at(parser, PRISM_TOKEN_COMMA));
    node->actions =
        prism_copy_list(parser, parser->actions.items, parser->actions.count, sizeof(prism_name));
    node->count = (uint32_t)parser->actions.count;
    return prism_expect(parser, close,
                        close == PRISM_TOKEN_CLOSE_BRACE ? "',' or '}' after an action"
                                                         : "',' or ']|' after an action");
}

/* / {a, b} */
static bool read_hide(prism_parser *parser)
{
    prism_system_node node = {.op = PRISM_SYSTEM_HIDE,
                              .name = {PRISM_NO_NAME, parser->token.place}};
    prism_next(parser);
    return prism_expect(parser, PRISM_TOKEN_OPEN_BRACE, "'{' after '/'") &&
           read_actions(parser, PRISM_TOKEN_CLOSE_BRACE, &node) && push_node(parser, node);
}

/* {a <- b, c <- d} */
static bool read_rename(prism_parser *parser)
{
    prism_system_node node = {.op = PRISM_SYSTEM_RENAME,
                              .name = {PRISM_NO_NAME, parser->token.place}};
    prism_renaming renaming;
    parser->renamings.count = 0;
    do {
        prism_next(parser);
        if (!prism_expect_name(parser, "the name of an action", &renaming.from) ||
            !prism_expect(parser, PRISM_TOKEN_LEFT_ARROW, "'<-' after the action to rename") ||
            !prism_expect_name(parser, "the name of an action", &renaming.to) ||
            !prism_check_status(
                parser, prism_renaming_vec_push(&parser->renamings, renaming, parser->error)))
            return false;
    } while (prism_at(parser, PRISM_TOKEN_COMMA));
    node.renamings = prism_copy_list(parser, parser->renamings.items, parser->renamings.count,
                                     sizeof(prism_renaming));
    node.count = (uint32_t)parser->renamings.count;
    return prism_expect(parser, PRISM_TOKEN_CLOSE_BRACE, "',' or '}' after a renaming") &&
           push_node(parser, node);
}

/* ---- operators ---- */

/* |[a, b]| */
static bool read_synchronised_actions(prism_parser *parser, prism_system_node *node)
{
    node->op = PRISM_SYSTEM_SYNCHRONISE;
    return prism_expect(parser, PRISM_TOKEN_OPEN_BRACKET, "'|[', '||' or '|||'") &&
           read_actions(parser, PRISM_TOKEN_CLOSE_BRACKET, node) &&
           prism_expect(parser, PRISM_TOKEN_OR, "']|' after the actions");
}

static bool is_ambiguous(const prism_system_pending *last, unsigned binding)
{
    if (last == NULL)
        return false;
    return (binding == BINDING_SYNCHRONISE && last->binding == BINDING_SYNCHRONISE) ||
           (binding == BINDING_INTERLEAVE && last->binding == BINDING_PARALLEL);
}

/* The operator itself; its second operand must follow. */
static bool read_operator(prism_parser *parser)
{
    prism_system_node node = {.op = PRISM_SYSTEM_PARALLEL,
                              .name = {PRISM_NO_NAME, parser->token.place}};
    unsigned binding = BINDING_PARALLEL;
    if (prism_at(parser, PRISM_TOKEN_INTERLEAVE)) {
        node.op = PRISM_SYSTEM_INTERLEAVE;
        binding = BINDING_INTERLEAVE;
    } else if (prism_at(parser, PRISM_TOKEN_OR)) {
        binding = BINDING_SYNCHRONISE;
    }
    /* Emit a pending |[a]| unless another |[b]| follows, which is ambiguous. */
    if (!reduce(parser, BINDING_SYNCHRONISE + (binding == BINDING_SYNCHRONISE)))
        return false;
    if (is_ambiguous(top(parser), binding))
        return prism_error_at(parser, OPAC_ERROR_SYNTAX, node.name.place,
                              "ambiguous composition of modules; write parentheses");
    if (!reduce(parser, binding))
        return false;
    prism_next(parser);
    if (binding == BINDING_SYNCHRONISE && !read_synchronised_actions(parser, &node))
        return false;
    return push_pending(parser, (prism_system_pending){node, binding});
}

/* ---- the system ---- */

/* Opening parentheses, and a module. */
static bool read_operand(prism_parser *parser)
{
    prism_system_node node = {.op = PRISM_SYSTEM_MODULE};
    while (prism_at(parser, PRISM_TOKEN_OPEN)) {
        prism_system_pending open = {.node.name = {PRISM_NO_NAME, parser->token.place}};
        if (!push_pending(parser, open))
            return false;
        prism_next(parser);
    }
    if (prism_at(parser, PRISM_TOKEN_QUOTED))
        return prism_error_at(parser, OPAC_ERROR_UNSUPPORTED, parser->token.place,
                              "named systems are not supported");
    return prism_expect_name(parser, "the name of a module or '('", &node.name) &&
           push_node(parser, node);
}

/* What may follow an operand: closing parentheses, hiding, renaming. */
static bool read_suffixes(prism_parser *parser)
{
    for (;;) {
        bool is_read = true;
        if (prism_at(parser, PRISM_TOKEN_DIVIDE)) {
            is_read = read_hide(parser);
        } else if (prism_at(parser, PRISM_TOKEN_OPEN_BRACE)) {
            is_read = read_rename(parser);
        } else if (prism_at(parser, PRISM_TOKEN_CLOSE)) {
            is_read = reduce(parser, 1);
            if (is_read && top(parser) == NULL)
                return prism_error_expected(parser, "an operator or 'endsystem'");
            parser->system_pending.count -= is_read;
            prism_next(parser);
        } else {
            return true;
        }
        if (!is_read)
            return false;
    }
}

static bool at_operator(const prism_parser *parser)
{
    return prism_at(parser, PRISM_TOKEN_PARALLEL) || prism_at(parser, PRISM_TOKEN_INTERLEAVE) ||
           prism_at(parser, PRISM_TOKEN_OR);
}

static bool read_composition(prism_parser *parser)
{
    parser->system.count = 0;
    parser->system_pending.count = 0;
    for (;;) {
        if (!read_operand(parser) || !read_suffixes(parser))
            return false;
        if (!at_operator(parser))
            break;
        if (!read_operator(parser))
            return false;
    }
    if (!reduce(parser, 1))
        return false;
    if (top(parser) == NULL)
        return prism_expect_word(parser, PRISM_WORD_ENDSYSTEM, "the composition of modules");
    prism_place open = top(parser)->node.name.place;
    return prism_error_expected(parser, "an operator or ')' for the '(' at %u:%u", open.line,
                                open.column);
}

/* Error recovery: skips past 'endsystem', or to the beginning of another section. */
static void skip_system(prism_parser *parser)
{
    while (!prism_at(parser, PRISM_TOKEN_END) && !prism_at_word(parser, PRISM_WORD_ENDSYSTEM) &&
           !(parser->token.begins_line && prism_word_opens(parser->token.word)))
        prism_next(parser);
    if (prism_at_word(parser, PRISM_WORD_ENDSYSTEM))
        prism_next(parser);
}

void prism_read_system(prism_parser *parser)
{
    prism_file *file = parser->file;
    prism_place place = parser->token.place;
    prism_next(parser);
    if (file->system_place.line != 0)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, place,
                       "the system is given a second time; the first is at %u:%u",
                       file->system_place.line, file->system_place.column);
    file->system_place = place;
    if (!read_composition(parser)) {
        skip_system(parser);
        return;
    }
    file->system = prism_copy_list(parser, parser->system.items, parser->system.count,
                                   sizeof(prism_system_node));
    file->system_count = file->system != NULL ? (uint32_t)parser->system.count : 0;
}
