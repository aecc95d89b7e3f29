/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the parser and the explorer of PRISM models. The syntax tree of an accepted file must be valid:
 * names are in the table, and every expression leaves one value on the stack. An explored model must be
 * valid, and writing it, reading the text and writing it again must give the same text. Texts of odd length
 * are explored exactly.
 */
#include <omegapac/text.h>

#include "model/model.h"
#include "mutate.h"
#include "prism/syntax.h"
#include "support/invariants.h"

static void hear(void *context, const opac_message *message)
{
    (void)context;
    fuzz_require_message(message->text);
    if (strstr(message->text, "more errors") == NULL)
        fuzz_require(message->line > 0 && message->column > 0);
}

static void check_name(const prism_file *file, uint32_t id, bool may_be_none)
{
    fuzz_require((may_be_none && id == PRISM_NO_NAME) || id < file->names.count);
}

static void check_expression(const prism_file *file, prism_expression expression, bool may_be_none)
{
    uint64_t depth = 0;
    fuzz_require(may_be_none || expression.count > 0);
    for (uint32_t i = 0; i < expression.count; i++) {
        const prism_node *node = &expression.nodes[i];
        fuzz_require(node->arity <= depth);
        fuzz_require(node->place.line > 0 && node->place.column > 0);
        if (node->op == PRISM_OP_NAME || node->op == PRISM_OP_LABEL || node->op == PRISM_OP_CALL)
            check_name(file, node->value.name, false);
        depth = depth - node->arity + 1;
    }
    fuzz_require(depth == (expression.count > 0));
}

static void check_variable(const prism_file *file, const prism_variable_syntax *variable)
{
    check_name(file, variable->name.id, false);
    check_expression(file, variable->low, variable->type == PRISM_TYPE_BOOL);
    check_expression(file, variable->high, variable->type == PRISM_TYPE_BOOL);
    check_expression(file, variable->initial, true);
}

static void check_command(const prism_file *file, const prism_command_syntax *command)
{
    check_name(file, command->action.id, true);
    check_expression(file, command->guard, false);
    fuzz_require(command->branch_count > 0);
    for (uint32_t i = 0; i < command->branch_count; i++) {
        const prism_branch_syntax *branch = &command->branches[i];
        check_expression(file, branch->probability, command->branch_count == 1);
        for (uint32_t k = 0; k < branch->assignment_count; k++) {
            check_name(file, branch->assignments[k].variable.id, false);
            check_expression(file, branch->assignments[k].value, false);
        }
    }
}

static void check_module(const prism_file *file, const prism_module_syntax *module)
{
    check_name(file, module->name.id, false);
    check_name(file, module->base.id, module->renaming_count == 0);
    for (uint32_t i = 0; i < module->renaming_count; i++) {
        check_name(file, module->renamings[i].from.id, false);
        check_name(file, module->renamings[i].to.id, false);
    }
    for (uint32_t i = 0; i < module->variable_count; i++)
        check_variable(file, &module->variables[i]);
    for (uint32_t i = 0; i < module->command_count; i++)
        check_command(file, &module->commands[i]);
}

static void check_system(const prism_file *file)
{
    uint64_t depth = 0;
    for (uint32_t i = 0; i < file->system_count; i++) {
        const prism_system_node *node = &file->system[i];
        unsigned arity = 2;
        if (node->op == PRISM_SYSTEM_MODULE)
            arity = 0;
        else if (node->op == PRISM_SYSTEM_HIDE || node->op == PRISM_SYSTEM_RENAME)
            arity = 1;
        fuzz_require(arity <= depth);
        if (node->op == PRISM_SYSTEM_MODULE)
            check_name(file, node->name.id, false);
        depth = depth - arity + 1;
    }
    fuzz_require(depth == (file->system_count > 0));
}

static void check_file(const prism_file *file)
{
    fuzz_require(file->modules.count > 0);
    for (size_t i = 0; i < file->constants.count; i++) {
        check_name(file, file->constants.items[i].name.id, false);
        check_expression(file, file->constants.items[i].value, true);
    }
    for (size_t i = 0; i < file->formulas.count; i++)
        check_expression(file, file->formulas.items[i].value, false);
    for (size_t i = 0; i < file->labels.count; i++)
        check_expression(file, file->labels.items[i].value, false);
    for (size_t i = 0; i < file->globals.count; i++)
        check_variable(file, &file->globals.items[i]);
    for (size_t i = 0; i < file->modules.count; i++)
        check_module(file, &file->modules.items[i]);
    for (size_t i = 0; i < file->rewards.count; i++)
        for (uint32_t k = 0; k < file->rewards.items[i].item_count; k++) {
            check_expression(file, file->rewards.items[i].items[k].guard, false);
            check_expression(file, file->rewards.items[i].items[k].value, false);
        }
    check_expression(file, file->initial, true);
    check_system(file);
}

/* Parses the bytes as a single expression. */
static void read_expression(const char *text, size_t size)
{
    base_arena arena = {0};
    base_intern names;
    prism_expression expression;
    opac_error error = {0};
    base_intern_init(&names);
    opac_status status = prism_parse_expression(text, size, (prism_place){1, 1}, &arena, &names,
                                                &expression, &error);
    fuzz_require((status == OPAC_OK) == (expression.count > 0));
    fuzz_require(status == OPAC_OK || (error.line > 0 && error.column > 0));
    base_intern_fini(&names);
    base_arena_fini(&arena);
}

/* ---- the whole way ---- */

enum {
    MAX_STATES = 200,
    MAX_MEMORY = 1 << 23
};

typedef struct heard {
    unsigned errors, warnings;
} heard;

static void count(void *context, const opac_message *message)
{
    heard *said = context;
    said->errors += message->code != OPAC_OK;
    said->warnings += message->code == OPAC_OK;
    if (message->code != OPAC_OK)
        hear(NULL, message);
}

static opac_model *read_model(opac_model_format format, const char *text, size_t size, bool exact,
                              heard *said)
{
    const opac_model_options options = {.max_states = MAX_STATES,
                                        .max_memory = MAX_MEMORY,
                                        .exact = exact,
                                        .listener = count,
                                        .listener_context = said};
    opac_error error = {0};
    opac_model *model = NULL;
    opac_status status = opac_model_read_text(format, text, size, &options, &model, &error);
    fuzz_require((status == OPAC_OK) == (model != NULL));
    fuzz_require((status == OPAC_OK) == (said->errors == 0) || status == OPAC_ERROR_LIMIT);
    if (status != OPAC_OK) {
        fuzz_require(status == error.code && error.message[0] != '\0');
        fuzz_require(status != OPAC_ERROR_INTERNAL && status != OPAC_ERROR_MEMORY);
        return NULL;
    }
    fuzz_require(model_check(model, &error) == OPAC_OK);
    return model;
}

typedef void (*writer)(const opac_model *model, opac_output *out);

static void check_round_trip(const opac_model *model, opac_model_format format, writer write,
                             bool exact)
{
    opac_output *outs[2];
    const char *texts[2];
    size_t sizes[2];
    heard said = {0};
    opac_error error = {0};
    for (size_t i = 0; i < 2; i++)
        fuzz_require(opac_output_open_memory(&outs[i], &error) == OPAC_OK);
    write(model, outs[0]);
    texts[0] = opac_output_bytes(outs[0], &sizes[0]);
    if (texts[0] != NULL) { /* some formats cannot represent all names */
        opac_model *again = read_model(format, texts[0], sizes[0], exact, &said);
        fuzz_require(again != NULL && said.warnings == 0);
        write(again, outs[1]);
        texts[1] = opac_output_bytes(outs[1], &sizes[1]);
        fuzz_require(texts[1] != NULL && sizes[0] == sizes[1]);
        fuzz_require(memcmp(texts[0], texts[1], sizes[0]) == 0);
        opac_model_free(again);
    }
    opac_output_free(outs[0]);
    opac_output_free(outs[1]);
}

static void explore(const char *text, size_t size)
{
    heard said = {0};
    bool exact = size % 2 == 1;
    opac_model *model = read_model(OPAC_FORMAT_PRISM, text, size, exact, &said);
    if (model == NULL)
        return;
    check_round_trip(model, OPAC_FORMAT_DRN, opac_model_write_drn, exact);
    check_round_trip(model, OPAC_FORMAT_TRA, opac_model_write_tra, exact);
    opac_model_free(model);
}

bool fuzz_accepts(const uint8_t *data, size_t size)
{
    heard said = {0};
    opac_model *model =
        read_model(OPAC_FORMAT_PRISM, (const char *)data, size, size % 2 == 1, &said);
    opac_model_free(model);
    return model != NULL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate(data, size, most, seed, fuzz_change_statements, fuzz_accepts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    model_report report;
    prism_file file;
    opac_error error = {0};
    model_report_init(&report, hear, NULL, NULL, text, size);
    opac_status status = prism_parse(text, size, NULL, &report, &file, &error);
    fuzz_require(status == OPAC_OK || status == OPAC_ERROR_LIMIT);
    if (status == OPAC_OK && !model_report_has_errors(&report))
        check_file(&file);
    model_report_end(&report, &error);
    model_report_fini(&report);
    prism_file_fini(&file);
    read_expression(text, size);
    explore(text, size);
    return 0;
}
