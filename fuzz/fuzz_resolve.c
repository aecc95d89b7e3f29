/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the resolver. An accepted program must be valid: expressions are complete and typed and use existing
 * variables; ranges contain the initial values; the modules of each step are in ascending order.
 */
#include <omegapac/text.h>

#include "prism/program.h"
#include "target.h"

static void hear(void *context, const opac_message *message)
{
    (void)context;
    fuzz_require_message(message->text);
}

/* Checks the postfix program: every operator has its operands, and one value remains. */
static void check_expression(const prism_program *program, prism_expression expression,
                             prism_type least, prism_type most)
{
    uint64_t depth = 0;
    fuzz_require(expression.count > 0);
    for (uint32_t i = 0; i < expression.count; i++) {
        const prism_node *node = &expression.nodes[i];
        fuzz_require(node->op < PRISM_OP_CALL && node->op != PRISM_OP_NAME &&
                     node->op != PRISM_OP_LABEL);
        fuzz_require(node->type != PRISM_TYPE_UNKNOWN && node->type <= PRISM_TYPE_REAL);
        fuzz_require(node->arity <= depth && (node->arity == 0) == (node->op <= PRISM_OP_VARIABLE));
        fuzz_require(node->op != PRISM_OP_VARIABLE || node->value.index < program->variable_count);
        depth = depth - node->arity + 1;
    }
    fuzz_require(depth == 1);
    fuzz_require(prism_root(&expression)->type >= (uint8_t)least &&
                 prism_root(&expression)->type <= (uint8_t)most);
}

static void check_command(const prism_program *program, const prism_command *command,
                          uint32_t module)
{
    fuzz_require(command->action < program->action_count && command->branch_count > 0);
    check_expression(program, command->guard, PRISM_TYPE_BOOL, PRISM_TYPE_BOOL);
    for (uint32_t b = 0; b < command->branch_count; b++) {
        const prism_branch *branch = &command->branches[b];
        if (branch->probability.count > 0)
            check_expression(program, branch->probability, PRISM_TYPE_INT, PRISM_TYPE_REAL);
        for (uint32_t i = 0; i < branch->assignment_count; i++) {
            fuzz_require(branch->assignments[i].variable < program->variable_count);
            const prism_variable *variable = &program->variables[branch->assignments[i].variable];
            fuzz_require(variable->module == module ||
                         (variable->module == PRISM_GLOBAL && command->action == 0));
            check_expression(program, branch->assignments[i].value, variable->type, variable->type);
        }
    }
}

static void check_steps(const prism_program *program)
{
    for (uint32_t i = 0; i < program->step_count; i++) {
        const prism_synchronisation *step = &program->steps[i];
        fuzz_require(step->part_count > 0 && step->action < program->action_count);
        for (uint32_t k = 0; k < step->part_count; k++) {
            fuzz_require(step->parts[k].module < program->module_count);
            fuzz_require(k == 0 || step->parts[k - 1].module < step->parts[k].module);
        }
    }
}

static void check_program(const prism_program *program)
{
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const prism_variable *variable = &program->variables[i];
        fuzz_require(variable->low <= variable->initial && variable->initial <= variable->high);
    }
    for (uint32_t m = 0; m < program->module_count; m++)
        for (uint32_t i = 0; i < program->modules[m].command_count; i++)
            check_command(program, &program->modules[m].commands[i], m);
    for (uint32_t i = 0; i < program->label_count; i++)
        check_expression(program, program->labels[i].states, PRISM_TYPE_BOOL, PRISM_TYPE_BOOL);
    if (program->initial.count > 0)
        check_expression(program, program->initial, PRISM_TYPE_BOOL, PRISM_TYPE_BOOL);
    check_steps(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prism_file file;
    prism_program program = {0};
    model_report report;
    opac_constants *constants;
    opac_error error = {0};
    fuzz_require(opac_constants_new(&constants, &error) == OPAC_OK);
    fuzz_require(opac_constants_add(constants, "N=3,p=1/3,b=true", &error) == OPAC_OK);
    model_report_init(&report, hear, NULL, NULL, (const char *)data, size);
    opac_status status = prism_parse((const char *)data, size, NULL, &report, &file, &error);
    if (status == OPAC_OK && !model_report_has_errors(&report)) {
        status = prism_resolve(&file, constants, &report, &program, &error);
        fuzz_require(status == OPAC_OK || status == OPAC_ERROR_LIMIT);
        if (status == OPAC_OK && !model_report_has_errors(&report))
            check_program(&program);
        else
            fuzz_require(program.module_count == 0 && program.scope == NULL);
    }
    model_report_end(&report, &error);
    model_report_fini(&report);
    prism_program_fini(&program);
    prism_file_fini(&file);
    opac_constants_free(constants);
    return 0;
}
