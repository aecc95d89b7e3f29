/* SPDX-License-Identifier: MIT */
/* Parses and resolves programs in tests: gives the program, or all messages. */
#ifndef TESTS_PRISM_READING_H
#define TESTS_PRISM_READING_H

#include "base/text.h"
#include "prism/program.h"
#include "support/check.h"

/* Messages as "line:column message\n", warnings with "warning: " in front. */
static inline void reading_collect(void *context, const opac_message *message)
{
    base_text *messages = context;
    base_text_format(messages, "%u:%u %s%s\n", message->line, message->column,
                     message->code == OPAC_OK ? "warning: " : "", message->text);
}

/*
 * Parses and resolves a text. constants: "N=3,p=0.5" or NULL. Messages go to messages (may be NULL); returns
 * the first error. The caller must finish the program in any case.
 */
static inline opac_status reading_resolve(const char *text, const char *constants,
                                          prism_program *program, base_text *messages,
                                          opac_error *error)
{
    prism_file file;
    model_report report;
    opac_constants *given = NULL;
    *program = (prism_program){0};
    opac_status status = opac_constants_new(&given, error);
    if (status != OPAC_OK)
        return status;
    if (constants != NULL)
        status = opac_constants_add(given, constants, error);
    if (status != OPAC_OK) {
        opac_constants_free(given);
        return status;
    }
    model_report_init(&report, messages != NULL ? reading_collect : NULL, messages, NULL, text,
                      strlen(text));
    status = prism_parse(text, strlen(text), NULL, &report, &file, error);
    if (status == OPAC_OK && !model_report_has_errors(&report))
        status = prism_resolve(&file, given, &report, program, error);
    if (status == OPAC_OK)
        status = model_report_end(&report, error);
    model_report_fini(&report);
    prism_file_fini(&file);
    opac_constants_free(given);
    return status;
}

/* The same for a text without errors. */
static inline void reading_program(const char *text, const char *constants, prism_program *program)
{
    opac_error error = {0};
    base_text messages = {0};
    if (reading_resolve(text, constants, program, &messages, &error) != OPAC_OK)
        fail_msg("%s\n%s%s", text, base_text_get(&messages), error.message);
    assert_string_equal(base_text_get(&messages), "");
    base_text_fini(&messages);
}

/* ---- expressions as texts: everything in parentheses, variables by name ---- */

static inline const char *reading_operator(prism_op op)
{
    static const char *const texts[] = {
        [PRISM_OP_NOT] = "!",         [PRISM_OP_NEGATE] = "-",      [PRISM_OP_FLOOR] = "floor",
        [PRISM_OP_CEIL] = "ceil",     [PRISM_OP_ROUND] = "round",   [PRISM_OP_AND] = "&",
        [PRISM_OP_OR] = "|",          [PRISM_OP_IMPLIES] = "=>",    [PRISM_OP_IFF] = "<=>",
        [PRISM_OP_EQUAL] = "=",       [PRISM_OP_UNEQUAL] = "!=",    [PRISM_OP_LESS] = "<",
        [PRISM_OP_LESS_EQUAL] = "<=", [PRISM_OP_GREATER] = ">",     [PRISM_OP_GREATER_EQUAL] = ">=",
        [PRISM_OP_ADD] = "+",         [PRISM_OP_SUBTRACT] = "-",    [PRISM_OP_MULTIPLY] = "*",
        [PRISM_OP_DIVIDE] = "/",      [PRISM_OP_POWER] = "pow",     [PRISM_OP_MOD] = "mod",
        [PRISM_OP_LOG] = "log",       [PRISM_OP_CONDITIONAL] = "?", [PRISM_OP_MIN] = "min",
        [PRISM_OP_MAX] = "max",
    };
    return (size_t)op < sizeof texts / sizeof texts[0] && texts[op] != NULL ? texts[op] : "??";
}

/* Postfix, a blank between nodes: "x 2 +". Reals are shown with a dot. */
static inline void reading_show(const prism_program *program, const prism_expression *expression,
                                base_text *text)
{
    for (uint32_t i = 0; i < expression->count; i++) {
        const prism_node *node = &expression->nodes[i];
        char number[64];
        base_text_add(text, i > 0 ? " " : "");
        if (node->op == PRISM_OP_BOOL)
            base_text_add(text, node->value.integer != 0 ? "true" : "false");
        else if (node->op == PRISM_OP_INT)
            base_text_format(text, "%lld", (long long)node->value.integer);
        else if (node->op == PRISM_OP_REAL) {
            snprintf(number, sizeof number, "%#.6g", node->value.real);
            base_text_add(text, number);
        } else if (node->op == PRISM_OP_VARIABLE)
            base_text_add(text, program->variables[node->value.index].name);
        else
            base_text_add(text, reading_operator((prism_op)node->op));
    }
}

#endif
