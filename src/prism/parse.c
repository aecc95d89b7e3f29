/* SPDX-License-Identifier: MIT */
/*
 * Parses a PRISM file: its sections, in any order.
 *
 *     file     = { type | constant | formula | label | global | module | rewards | init | system }
 *     constant = "const" [ "int" | "double" | "bool" ] NAME [ "=" expression ] ";"
 *     formula  = "formula" NAME "=" expression ";"
 *     label    = "label" QUOTED "=" expression ";"
 *     global   = "global" variable
 *     rewards  = "rewards" [ QUOTED ] { [ "[" [ NAME ] "]" ] expression ":" expression ";" }
 *                "endrewards"
 *     init     = "init" expression "endinit"
 *
 * A section with an error is omitted from the syntax tree.
 */
#include <stdio.h>

#include "prism/parser.h"

void prism_file_fini(prism_file *file)
{
    prism_constant_syntax_vec_fini(&file->constants);
    prism_formula_syntax_vec_fini(&file->formulas);
    prism_formula_syntax_vec_fini(&file->labels);
    prism_variable_syntax_vec_fini(&file->globals);
    prism_module_syntax_vec_fini(&file->modules);
    prism_rewards_syntax_vec_fini(&file->rewards);
    base_intern_fini(&file->names);
    base_arena_fini(&file->arena);
    *file = (prism_file){0};
}

/* A missing semicolon is reported, but the definition before it is complete. */
static void end_definition(prism_parser *parser, const char *what, prism_name name)
{
    if (!prism_expect_semicolon(parser, what, name))
        prism_recover(parser);
}

/* ---- definitions ---- */

static void read_type(prism_parser *parser)
{
    prism_word word = parser->token.word;
    prism_file *file = parser->file;
    if (file->has_type)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "the type of the model is given a second time: '%s'", prism_word_text(word));
    file->has_type = true;
    file->type = word == PRISM_WORD_DTMC || word == PRISM_WORD_PROBABILISTIC ? OPAC_MODEL_DTMC
                                                                             : OPAC_MODEL_MDP;
    prism_next(parser);
    if (prism_at(parser, PRISM_TOKEN_SEMICOLON)) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "unexpected ';' after the type of the model");
        prism_next(parser);
    }
}

/* const with or without a type, or the obsolete prob and rate. */
static prism_type read_constant_type(prism_parser *parser)
{
    bool is_const = prism_at_word(parser, PRISM_WORD_CONST);
    prism_type type = is_const ? PRISM_TYPE_UNKNOWN : PRISM_TYPE_REAL;
    prism_next(parser);
    if (is_const && prism_at(parser, PRISM_TOKEN_NAME) &&
        prism_peek(parser, 1).kind == PRISM_TOKEN_NAME) {
        prism_error_expected(parser, "'int', 'double' or 'bool' after 'const'");
        prism_next(parser);
    }
    if (!is_const || !prism_at(parser, PRISM_TOKEN_WORD))
        return type;
    switch (parser->token.word) {
    case PRISM_WORD_INT:
        type = PRISM_TYPE_INT;
        break;
    case PRISM_WORD_BOOL:
        type = PRISM_TYPE_BOOL;
        break;
    case PRISM_WORD_DOUBLE:
    case PRISM_WORD_PROB:
    case PRISM_WORD_RATE:
        type = PRISM_TYPE_REAL;
        break;
    default:
        return type;
    }
    prism_next(parser);
    return type;
}

static void read_constant(prism_parser *parser)
{
    prism_constant_syntax constant = {.type = read_constant_type(parser)};
    if (!prism_expect_name(parser, "the name of a constant", &constant.name)) {
        prism_recover(parser);
        return;
    }
    if (!prism_at(parser, PRISM_TOKEN_SEMICOLON) && !prism_at_boundary(parser)) {
        if (!prism_expect_equals(parser, "the name of a constant") ||
            !prism_read_expression(parser, &constant.value)) {
            prism_recover(parser);
            return;
        }
    }
    end_definition(parser, "the constant", constant.name);
    prism_check_status(
        parser, prism_constant_syntax_vec_push(&parser->file->constants, constant, parser->error));
}

static void read_formula(prism_parser *parser)
{
    prism_formula_syntax formula = {0};
    prism_next(parser);
    if (!prism_expect_name(parser, "the name of a formula", &formula.name) ||
        !prism_expect_equals(parser, "the name of a formula") ||
        !prism_read_expression(parser, &formula.value)) {
        prism_recover(parser);
        return;
    }
    end_definition(parser, "the formula", formula.name);
    prism_check_status(
        parser, prism_formula_syntax_vec_push(&parser->file->formulas, formula, parser->error));
}

static void read_label(prism_parser *parser)
{
    prism_formula_syntax label = {0};
    prism_next(parser);
    if (!prism_expect_label(parser, "the name of a label", &label.name) ||
        !prism_expect_equals(parser, "the name of a label") ||
        !prism_read_expression(parser, &label.value)) {
        prism_recover(parser);
        return;
    }
    end_definition(parser, "the label", label.name);
    prism_check_status(parser,
                       prism_formula_syntax_vec_push(&parser->file->labels, label, parser->error));
}

static void read_global(prism_parser *parser)
{
    prism_variable_syntax variable;
    prism_next(parser);
    if (prism_read_variable(parser, &variable))
        prism_check_status(parser, prism_variable_syntax_vec_push(&parser->file->globals, variable,
                                                                  parser->error));
}

/* ---- init … endinit ---- */

static void read_init(prism_parser *parser)
{
    prism_file *file = parser->file;
    prism_place place = parser->token.place;
    prism_expression initial;
    prism_next(parser);
    if (file->initial_place.line != 0)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, place,
                       "the initial states are given a second time; the first is at %u:%u",
                       file->initial_place.line, file->initial_place.column);
    if (prism_read_expression(parser, &initial) &&
        prism_expect_word(parser, PRISM_WORD_ENDINIT, "the initial states")) {
        file->initial = initial;
    } else {
        prism_recover(parser);
        if (prism_at_word(parser, PRISM_WORD_ENDINIT))
            prism_next(parser);
    }
    file->initial_place = place;
}

/* ---- rewards … endrewards ---- */

static bool read_reward_action(prism_parser *parser, prism_reward_syntax *reward)
{
    reward->action = (prism_name){PRISM_NO_NAME, parser->token.place};
    reward->has_action = prism_at(parser, PRISM_TOKEN_OPEN_BRACKET);
    if (!reward->has_action)
        return true;
    prism_place place = parser->token.place;
    prism_next(parser);
    if (!prism_at(parser, PRISM_TOKEN_CLOSE_BRACKET) &&
        !prism_expect_name(parser, "an action or ']'", &reward->action))
        return false;
    reward->action.place = place;
    return prism_expect(parser, PRISM_TOKEN_CLOSE_BRACKET, "']' after the action");
}

static bool read_reward(prism_parser *parser, prism_reward_syntax *reward)
{
    prism_name none = {PRISM_NO_NAME, {0, 0}};
    *reward = (prism_reward_syntax){0};
    if (!read_reward_action(parser, reward) || !prism_read_expression(parser, &reward->guard) ||
        !prism_expect(parser, PRISM_TOKEN_COLON, "':' after the condition of a reward") ||
        !prism_read_expression(parser, &reward->value))
        return false;
    if (prism_expect_semicolon(parser, "a reward", none))
        return true;
    return parser->token.begins_line; /* only the semicolon is missing */
}

/* Whether the rewards end here. A word that opens or closes another section also ends them, with an error. */
static bool at_end_of_rewards(prism_parser *parser, prism_place place)
{
    const prism_token *token = &parser->token;
    if (prism_at_word(parser, PRISM_WORD_ENDREWARDS)) {
        prism_next(parser);
        return true;
    }
    bool is_foreign = token->kind == PRISM_TOKEN_END ||
                      (token->kind == PRISM_TOKEN_WORD &&
                       (prism_word_opens(token->word) || prism_word_closes(token->word)));
    if (is_foreign) {
        prism_error_expected(parser, "'endrewards' for the rewards at %u:%u", place.line,
                             place.column);
        if (token->kind == PRISM_TOKEN_WORD && prism_word_closes(token->word))
            prism_next(parser);
    }
    return is_foreign;
}

static void read_rewards(prism_parser *parser)
{
    prism_rewards_syntax rewards = {.name = {PRISM_NO_NAME, {0, 0}}, .place = parser->token.place};
    prism_reward_syntax reward;
    prism_next(parser);
    parser->rewards.count = 0;
    if (prism_at(parser, PRISM_TOKEN_QUOTED))
        prism_expect_label(parser, "the name of rewards", &rewards.name);
    while (!at_end_of_rewards(parser, rewards.place)) {
        size_t before = parser->lexer.at;
        if (!read_reward(parser, &reward))
            prism_recover(parser);
        else
            prism_check_status(
                parser, prism_reward_syntax_vec_push(&parser->rewards, reward, parser->error));
        prism_ensure_progress(parser, before);
    }
    rewards.items = prism_copy_list(parser, parser->rewards.items, parser->rewards.count,
                                    sizeof(prism_reward_syntax));
    rewards.item_count = (uint32_t)parser->rewards.count;
    if (parser->status == OPAC_OK)
        prism_check_status(
            parser, prism_rewards_syntax_vec_push(&parser->file->rewards, rewards, parser->error));
}

/* ---- the file ---- */

bool prism_read_section(prism_parser *parser)
{
    if (parser->token.kind != PRISM_TOKEN_WORD)
        return false;
    switch (parser->token.word) {
    case PRISM_WORD_DTMC:
    case PRISM_WORD_MDP:
    case PRISM_WORD_PROBABILISTIC:
    case PRISM_WORD_NONDETERMINISTIC:
        read_type(parser);
        return true;
    case PRISM_WORD_CONST:
    case PRISM_WORD_PROB:
    case PRISM_WORD_RATE:
        read_constant(parser);
        return true;
    case PRISM_WORD_FORMULA:
        read_formula(parser);
        return true;
    case PRISM_WORD_LABEL:
        read_label(parser);
        return true;
    case PRISM_WORD_GLOBAL:
        read_global(parser);
        return true;
    case PRISM_WORD_MODULE:
        prism_read_module(parser);
        return true;
    case PRISM_WORD_REWARDS:
        read_rewards(parser);
        return true;
    case PRISM_WORD_INIT:
        read_init(parser);
        return true;
    case PRISM_WORD_SYSTEM:
        prism_read_system(parser);
        return true;
    default:
        return false;
    }
}

/*
 * Skips the body of a module whose beginning is missing: up to a word that opens a section, or past
 * endmodule.
 */
static void skip_body(prism_parser *parser)
{
    while (!prism_at(parser, PRISM_TOKEN_END)) {
        prism_word word = parser->token.word;
        if (word == PRISM_WORD_ENDMODULE) {
            prism_next(parser);
            return;
        }
        if (word != PRISM_WORD_NONE && prism_word_opens(word) &&
            (word != PRISM_WORD_INIT || parser->token.begins_line))
            return;
        prism_next(parser);
    }
}

/* Whether a declaration or a command begins here. */
static bool at_module_item(const prism_parser *parser)
{
    return prism_at(parser, PRISM_TOKEN_OPEN_BRACKET) ||
           (prism_at(parser, PRISM_TOKEN_NAME) && prism_peek(parser, 1).kind == PRISM_TOKEN_COLON);
}

/* Reports a misspelt keyword and parses the section that it probably opens. */
static bool correct_misspelling(prism_parser *parser)
{
    char shown[PRISM_SHOWN_SIZE];
    prism_token *token = &parser->token;
    prism_token next = prism_peek(parser, 1);
    prism_word word = prism_word_nearest(token->text, token->length);
    bool fits = next.kind == PRISM_TOKEN_NAME || next.kind == PRISM_TOKEN_WORD ||
                next.kind == PRISM_TOKEN_QUOTED || prism_word_closes(word);
    if (word == PRISM_WORD_NONE || !fits)
        return false;
    prism_show_token(token, shown, sizeof shown);
    prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                   "expected a section of a model, found %s; did you mean '%s'?", shown,
                   prism_word_text(word));
    token->kind = PRISM_TOKEN_WORD;
    token->word = word;
    if (!prism_read_section(parser))
        prism_next(parser);
    return true;
}

static void report_misplaced(prism_parser *parser)
{
    const prism_token *token = &parser->token;
    char shown[PRISM_SHOWN_SIZE];
    prism_show_token(token, shown, sizeof shown);
    if (token->kind == PRISM_TOKEN_WORD && prism_word_closes(token->word)) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place, "'%s' without '%s' before it",
                       prism_word_text(token->word), prism_word_text(token->word) + 3);
        prism_next(parser);
    } else if (token->kind == PRISM_TOKEN_OPEN_BRACKET) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "commands must be inside a module, found '[' outside");
        skip_body(parser);
    } else if (token->kind == PRISM_TOKEN_NAME && prism_peek(parser, 1).kind == PRISM_TOKEN_COLON) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "variables must be declared in a module or after 'global', found %s", shown);
        skip_body(parser);
    } else if (token->kind != PRISM_TOKEN_NAME || !correct_misspelling(parser)) {
        prism_error_at(parser, OPAC_ERROR_SYNTAX, token->place,
                       "expected a section of a model (module, const, label, ...), found %s",
                       shown);
        prism_next(parser);
        prism_recover(parser);
        if (at_module_item(parser)) /* the error was in the first line of a module */
            skip_body(parser);
        else if (prism_word_closes(parser->token.word))
            prism_next(parser);
    }
}

static void read_file(prism_parser *parser)
{
    prism_next(parser);
    if (prism_reject_text(parser))
        return;
    bool is_empty = prism_at(parser, PRISM_TOKEN_END);
    while (!prism_at(parser, PRISM_TOKEN_END)) {
        size_t before = parser->lexer.at;
        if (!prism_reject_section(parser) && !prism_read_section(parser))
            report_misplaced(parser);
        prism_ensure_progress(parser, before);
    }
    if (is_empty)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "the text is empty: expected a model with a module");
    else if (!model_report_has_errors(parser->report) && parser->file->modules.count == 0)
        prism_error_at(parser, OPAC_ERROR_SYNTAX, parser->token.place,
                       "the model has no module: expected 'module', but the text ends here");
}

static opac_status parse(const prism_slice *slice, void (*read)(prism_parser *parser),
                         model_report *report, prism_file *file, opac_error *error)
{
    prism_parser parser = {.file = file, .report = report, .error = error};
    parser.arena = &file->arena;
    parser.names = &file->names;
    if (slice->length >= UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "the text is longer than 4 GB");
    prism_lexer_open(&parser.lexer, slice->length > 0 ? slice->text : "", slice->length,
                     slice->place);
    read(&parser);
    prism_parser_fini(&parser);
    return parser.status;
}

opac_status prism_parse(const char *text, size_t length, base_work *work, model_report *report,
                        prism_file *file, opac_error *error)
{
    const prism_slice whole = {.text = text, .length = length, .place = {1, 1}};
    *file = (prism_file){.type = OPAC_MODEL_MDP, .work = work};
    base_intern_init(&file->names);
    return parse(&whole, read_file, report, file, error);
}

static void read_definitions(prism_parser *parser)
{
    prism_next(parser);
    while (!prism_at(parser, PRISM_TOKEN_END))
        if (!prism_read_section(parser))
            report_misplaced(parser);
}

opac_status prism_parse_definitions(const prism_slice *slices, size_t count,
                                    const base_intern *names, model_report *report,
                                    prism_file *file, opac_error *error)
{
    *file = (prism_file){.type = OPAC_MODEL_MDP};
    base_intern_init(&file->names);
    for (uint32_t i = 0; i < names->count; i++) {
        size_t length;
        uint32_t id;
        const unsigned char *key = base_intern_key(names, i, &length);
        TRY(base_intern_add(&file->names, key, length, &id, NULL, error));
    }
    for (size_t i = 0; i < count; i++)
        TRY(parse(&slices[i], read_definitions, report, file, error));
    return OPAC_OK;
}
