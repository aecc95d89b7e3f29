/* SPDX-License-Identifier: MIT */
/*
 * Parses modules and declarations of variables.
 *
 *     module   = "module" NAME { variable } { command } "endmodule"
 *              | "module" NAME "=" NAME "[" renaming { "," renaming } "]" "endmodule"
 *     renaming = NAME "=" NAME
 *     variable = NAME ":" ( "[" expression ".." expression "]" | "bool" )
 *                [ "init" expression ] ";"
 */
#include <stdio.h>

#include "prism/parser.h"

/* ---- variables ---- */

static bool read_range(prism_parser *parser, prism_variable_syntax *variable)
{
    prism_next(parser);
    return prism_read_expression(parser, &variable->low) &&
           prism_expect(parser, PRISM_TOKEN_DOTS, "'..' after the lower bound") &&
           prism_read_expression(parser, &variable->high) &&
           prism_expect(parser, PRISM_TOKEN_CLOSE_BRACKET, "']' after the upper bound");
}

static bool read_type(prism_parser *parser, prism_variable_syntax *variable)
{
    if (prism_at(parser, PRISM_TOKEN_OPEN_BRACKET)) {
        variable->type = PRISM_TYPE_INT;
        return read_range(parser, variable);
    }
    if (prism_at_word(parser, PRISM_WORD_BOOL)) {
        variable->type = PRISM_TYPE_BOOL;
        prism_next(parser);
        return true;
    }
    if (prism_reject_variable_type(parser))
        return false;
    return prism_error_expected(parser, "a range such as [0..3], or 'bool'");
}

/*
 * Whether a token that may follow a declaration begins a line; then only the ';' of the declaration is
 * missing.
 */
static bool at_next_line(const prism_parser *parser)
{
    if (!parser->token.begins_line)
        return false;
    return prism_at_boundary(parser) ||
           (prism_at(parser, PRISM_TOKEN_NAME) && prism_peek(parser, 1).kind == PRISM_TOKEN_COLON);
}

static bool read_declaration(prism_parser *parser, prism_variable_syntax *variable)
{
    if (!prism_expect_name(parser, "the name of a variable", &variable->name) ||
        !prism_expect(parser, PRISM_TOKEN_COLON, "':' after the name of a variable") ||
        !read_type(parser, variable))
        return false;
    if (prism_at_word(parser, PRISM_WORD_INIT)) {
        prism_next(parser);
        if (!prism_read_expression(parser, &variable->initial))
            return false;
    }
    return prism_expect_semicolon(parser, "the declaration of", variable->name) ||
           at_next_line(parser);
}

bool prism_read_variable(prism_parser *parser, prism_variable_syntax *variable)
{
    *variable = (prism_variable_syntax){0};
    if (read_declaration(parser, variable))
        return true;
    prism_recover(parser);
    return false;
}

/* ---- renamed modules ---- */

static bool read_renaming(prism_parser *parser)
{
    prism_renaming renaming;
    return prism_expect_function(parser, "a name to replace", &renaming.from) &&
           prism_expect_equals(parser, "the name to replace") &&
           prism_expect_function(parser, "the name that replaces it", &renaming.to) &&
           prism_check_status(parser,
                              prism_renaming_vec_push(&parser->renamings, renaming, parser->error));
}

static bool read_renamings(prism_parser *parser, prism_module_syntax *module)
{
    parser->renamings.count = 0;
    if (!prism_expect_name(parser, "the name of the module to copy", &module->base) ||
        !prism_expect(parser, PRISM_TOKEN_OPEN_BRACKET, "'[' and the names to replace"))
        return false;
    do {
        if (prism_at(parser, PRISM_TOKEN_COMMA))
            prism_next(parser);
        if (!read_renaming(parser))
            return false;
    } while (prism_at(parser, PRISM_TOKEN_COMMA));
    if (!prism_expect(parser, PRISM_TOKEN_CLOSE_BRACKET, "',' or ']' after a renaming"))
        return false;
    module->renamings = prism_copy_list(parser, parser->renamings.items, parser->renamings.count,
                                        sizeof(prism_renaming));
    module->renaming_count = (uint32_t)parser->renamings.count;
    return prism_expect_word(parser, PRISM_WORD_ENDMODULE, "the renamings");
}

/* Error recovery: skips past 'endmodule', or to the beginning of another section. */
static void skip_renamed(prism_parser *parser)
{
    while (!prism_at(parser, PRISM_TOKEN_END) && !prism_at_word(parser, PRISM_WORD_ENDMODULE) &&
           !(parser->token.begins_line && prism_word_opens(parser->token.word)))
        prism_next(parser);
    if (prism_at_word(parser, PRISM_WORD_ENDMODULE))
        prism_next(parser);
}

/* ---- bodies ---- */

typedef struct module_body {
    prism_module_syntax *module;
    prism_place place;                /* of 'module' */
    bool has_command;                 /* a command was parsed; no declaration may follow */
    bool has_looked_ahead, continues; /* the result of `continues`, once it was called */
} module_body;

/* Whether a token, followed by `next`, begins a declaration or a command. */
static bool begins_item(const prism_token *token, const prism_token *next)
{
    return token->begins_line &&
           (token->kind == PRISM_TOKEN_OPEN_BRACKET ||
            (token->kind == PRISM_TOKEN_NAME && next->kind == PRISM_TOKEN_COLON));
}

/*
 * Called at a section inside a module. If the module continues after it, the section is misplaced; otherwise
 * the module lacks its 'endmodule'. The module continues if 'endmodule', a declaration or a command follows
 * before the next 'module'. Items of rewards look like commands and are skipped.
 */
static bool continues(const prism_parser *parser, module_body *body)
{
    prism_lexer copy = parser->lexer;
    prism_token token = parser->token, next;
    bool in_rewards = false;
    if (body->has_looked_ahead)
        return body->continues;
    body->has_looked_ahead = true;
    for (; token.kind != PRISM_TOKEN_END && token.word != PRISM_WORD_MODULE; token = next) {
        prism_lexer_next(&copy, &next);
        in_rewards |= token.word == PRISM_WORD_REWARDS;
        in_rewards &= token.word != PRISM_WORD_ENDREWARDS;
        body->continues =
            token.word == PRISM_WORD_ENDMODULE || (!in_rewards && begins_item(&token, &next));
        if (body->continues)
            return true;
    }
    return false;
}

static void read_body_variable(prism_parser *parser, module_body *body)
{
    prism_variable_syntax variable;
    char shown[PRISM_SHOWN_SIZE];
    if (body->has_command)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "variables must be declared before the first command, found %s",
                       prism_show_token(&parser->token, shown, sizeof shown));
    if (prism_read_variable(parser, &variable))
        prism_check_status(
            parser, prism_variable_syntax_vec_push(&parser->variables, variable, parser->error));
}

static void read_body_command(prism_parser *parser, module_body *body)
{
    prism_command_syntax command;
    if (!prism_read_command(parser, &command)) {
        prism_recover(parser);
        return;
    }
    body->has_command = true;
    prism_check_status(parser,
                       prism_command_syntax_vec_push(&parser->commands, command, parser->error));
}

/* A word that opens or closes a section, or the end of the text. Returns whether the module ends here. */
static bool read_body_word(prism_parser *parser, module_body *body)
{
    char shown[PRISM_SHOWN_SIZE];
    prism_word word = parser->token.word;
    if (word == PRISM_WORD_ENDMODULE) {
        prism_next(parser);
        return true;
    }
    if (word == PRISM_WORD_INVARIANT) {
        prism_reject_invariant(parser);
        return false;
    }
    bool is_end = prism_at(parser, PRISM_TOKEN_END) || word == PRISM_WORD_MODULE;
    if (!is_end && prism_word_opens(word) && continues(parser, body)) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "'%s' is not allowed in a module", prism_word_text(word));
        if (!prism_reject_section(parser) && !prism_read_section(parser))
            prism_next(parser);
        return false;
    }
    if (!is_end && prism_word_closes(word) && continues(parser, body)) {
        prism_error_expected(parser, "a command or 'endmodule'");
        prism_next(parser);
        return false;
    }
    bool has_name = body->module->name.id != PRISM_NO_NAME;
    prism_error_expected(parser, "'endmodule' for the module%s%s at %u:%u", has_name ? " " : "",
                         prism_show_name(parser, body->module->name, shown, sizeof shown),
                         body->place.line, body->place.column);
    if (prism_word_closes(word)) /* used in the place of 'endmodule' */
        prism_next(parser);
    return true;
}

/* Neither a variable nor a command. Returns true if it is a misspelt 'endmodule'. */
static bool read_invalid_item(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    char shown[PRISM_SHOWN_SIZE];
    bool is_name = token->kind == PRISM_TOKEN_NAME;
    if (is_name && prism_word_nearest(token->text, token->length) == PRISM_WORD_ENDMODULE) {
        prism_error_expected(parser, "'endmodule'");
        prism_next(parser);
        return true;
    }
    if (is_name || token->kind == PRISM_TOKEN_OPEN || token->kind == PRISM_TOKEN_NOT)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "a command begins with '[]' or '[action]', a declaration with a name and "
                       "':'; found %s",
                       prism_show_token(token, shown, sizeof shown));
    else
        prism_error_expected(parser, "a declaration, a command or 'endmodule'");
    prism_next(parser);
    prism_recover(parser);
    return false;
}

static void read_body(prism_parser *parser, module_body *body)
{
    bool is_end = false;
    while (!is_end) {
        const prism_token *token = &parser->token;
        bool opens = token->kind == PRISM_TOKEN_WORD && prism_at_boundary(parser);
        bool is_declaration = prism_peek(parser, 1).kind == PRISM_TOKEN_COLON && !opens &&
                              (token->kind == PRISM_TOKEN_NAME || token->kind == PRISM_TOKEN_WORD);
        size_t before = parser->lexer.at;
        if (token->kind == PRISM_TOKEN_OPEN_BRACKET)
            read_body_command(parser, body);
        else if (is_declaration)
            read_body_variable(parser, body);
        else if (opens || token->kind == PRISM_TOKEN_END)
            is_end = read_body_word(parser, body);
        else
            is_end = read_invalid_item(parser);
        if (!is_end)
            prism_ensure_progress(parser, before);
    }
}

static void copy_body(prism_parser *parser, prism_module_syntax *module)
{
    module->variables = prism_copy_list(parser, parser->variables.items, parser->variables.count,
                                        sizeof(prism_variable_syntax));
    module->variable_count = (uint32_t)parser->variables.count;
    module->commands = prism_copy_list(parser, parser->commands.items, parser->commands.count,
                                       sizeof(prism_command_syntax));
    module->command_count = (uint32_t)parser->commands.count;
}

/* Error recovery after an invalid module name: skips to the beginning of the body. */
static void skip_to_body(prism_parser *parser)
{
    while (!prism_at(parser, PRISM_TOKEN_END) && !parser->token.begins_line &&
           !prism_at(parser, PRISM_TOKEN_OPEN_BRACKET) && !prism_at(parser, PRISM_TOKEN_EQUAL))
        prism_next(parser);
}

void prism_read_module(prism_parser *parser)
{
    prism_module_syntax module = {.base = {PRISM_NO_NAME, {0, 0}}};
    module_body body = {.module = &module, .place = parser->token.place};
    prism_next(parser);
    module.name = (prism_name){PRISM_NO_NAME, parser->token.place};
    bool lacks_name = parser->token.begins_line && prism_peek(parser, 1).kind == PRISM_TOKEN_COLON;
    if (lacks_name) /* the current token begins the body */
        prism_error_expected(parser, "the name of a module");
    else if (!prism_expect_name(parser, "the name of a module", &module.name))
        skip_to_body(parser);
    if (prism_at(parser, PRISM_TOKEN_EQUAL)) {
        prism_next(parser);
        if (!read_renamings(parser, &module))
            skip_renamed(parser);
    } else {
        parser->variables.count = 0;
        parser->commands.count = 0;
        read_body(parser, &body);
        copy_body(parser, &module);
    }
    if (parser->status == OPAC_OK)
        prism_check_status(
            parser, prism_module_syntax_vec_push(&parser->file->modules, module, parser->error));
}
