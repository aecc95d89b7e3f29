/* SPDX-License-Identifier: MIT */
/*
 * Resolves modules and their commands: actions, guards, updates, and which variables a command may assign to.
 */
#include <stdio.h>
#include <string.h>

#include "prism/resolve.h"

typedef struct command_resolver {
    prism_resolver *resolver;
    uint32_t module;
    const prism_command_syntax *command;
    uint32_t *assigned_in; /* for each variable: the last branch that assigns to it, or 0 */
    uint32_t *used_in;     /* for each action: 1 + the last module that uses it, or 0 */
    uint32_t branch;       /* number of the current branch in the file, from 1 */
} command_resolver;

static void *program_alloc(const command_resolver *c, size_t count, size_t size, opac_error *error)
{
    void *memory = base_arena_alloc_zeroed(&c->resolver->program->arena, count, size);
    if (memory == NULL)
        base_fail_memory(error);
    return memory;
}

static const char *show(const command_resolver *c, uint32_t name, char *buffer)
{
    return prism_show_name_id(&c->resolver->file->names, name, buffer);
}

/* ---- assignments ---- */

static opac_status report_invalid_target(const command_resolver *c, const prism_name *name,
                                         const prism_symbol *symbol, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE] = "";
    size_t length;
    show(c, name->id, shown);
    if (symbol->kind != PRISM_SYMBOL_NONE) {
        prism_report_error(&c->resolver->analyser, OPAC_ERROR_SYNTAX, name->place,
                           "'%s' is %s; only variables can be assigned to", shown,
                           prism_symbol_kind_name(symbol->kind));
        return OPAC_OK;
    }
    const char *text = prism_name_text(c->resolver->file, name->id, &length);
    if (c->resolver->report->errors.count < MODEL_MOST_ERRORS)
        TRY(prism_scope_hint(c->resolver->scope, 1u << PRISM_SYMBOL_VARIABLE, text, length, hint,
                             error));
    prism_report_error(&c->resolver->analyser, OPAC_ERROR_SYNTAX, name->place,
                       "unknown variable '%s'%s", shown, hint);
    return OPAC_OK;
}

/* Reports an error if the command must not assign to the variable. */
static void check_may_assign(const command_resolver *c, const prism_name *name,
                             const prism_variable *variable)
{
    const prism_resolver *resolver = c->resolver;
    char shown[OPAC_SHOWN_SIZE], other[OPAC_SHOWN_SIZE];
    show(c, name->id, shown);
    if (variable->module == PRISM_GLOBAL && c->command->action.id != PRISM_NO_NAME)
        prism_report_error(&resolver->analyser, OPAC_ERROR_SYNTAX, name->place,
                           "'%s' is global; a command with an action cannot assign to it", shown);
    else if (variable->module != PRISM_GLOBAL && variable->module != c->module)
        prism_report_error(&resolver->analyser, OPAC_ERROR_SYNTAX, name->place,
                           "'%s' belongs to module '%s'; other modules cannot assign to it", shown,
                           show(c, resolver->modules[variable->module].name.id, other));
}

static opac_status resolve_value(const command_resolver *c, const prism_assignment_syntax *syntax,
                                 prism_type type, prism_assignment *assignment, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], noun[OPAC_SHOWN_SIZE + 16];
    snprintf(noun, sizeof noun, "value for '%s'", show(c, syntax->variable.id, shown));
    const prism_requirements required = {.type = type, .noun = noun};
    return prism_analyse(&c->resolver->analyser, &syntax->value, &required, &assignment->value,
                         error);
}

static opac_status resolve_assignment(const command_resolver *c,
                                      const prism_assignment_syntax *syntax,
                                      prism_assignment *assignment, opac_error *error)
{
    const prism_name *name = &syntax->variable;
    const prism_symbol *symbol = prism_scope_at(c->resolver->scope, name->id);
    char shown[OPAC_SHOWN_SIZE];
    assignment->place = name->place;
    if (symbol->kind != PRISM_SYMBOL_VARIABLE) {
        TRY(report_invalid_target(c, name, symbol, error));
    } else if (!symbol->is_bad) {
        assignment->variable = symbol->index;
        check_may_assign(c, name, &c->resolver->program->variables[symbol->index]);
        if (c->assigned_in[symbol->index] == c->branch)
            prism_report_error(&c->resolver->analyser, OPAC_ERROR_SYNTAX, name->place,
                               "'%s' is assigned to twice in one update", show(c, name->id, shown));
        c->assigned_in[symbol->index] = c->branch;
    }
    return resolve_value(c, syntax, symbol->type, assignment, error);
}

/* ---- commands ---- */

static opac_status resolve_branch(command_resolver *c, const prism_branch_syntax *syntax,
                                  prism_branch *branch, opac_error *error)
{
    const prism_requirements required = {
        .type = PRISM_TYPE_REAL, .is_exact = true, .noun = "probability"};
    c->branch++;
    branch->place = syntax->place;
    branch->assignment_count = syntax->assignment_count;
    branch->assignments =
        program_alloc(c, syntax->assignment_count, sizeof *branch->assignments, error);
    if (branch->assignments == NULL)
        return OPAC_ERROR_MEMORY;
    TRY(prism_analyse(&c->resolver->analyser, &syntax->probability, &required, &branch->probability,
                      error));
    for (uint32_t i = 0; i < syntax->assignment_count; i++)
        TRY(resolve_assignment(c, &syntax->assignments[i], &branch->assignments[i], error));
    return OPAC_OK;
}

/* Resolves the action of the command and adds it to the alphabet of the module. */
static opac_status resolve_action(command_resolver *c, prism_module *module, prism_command *command,
                                  opac_error *error)
{
    if (c->command->action.id == PRISM_NO_NAME)
        return OPAC_OK;
    TRY(prism_intern_action(c->resolver, c->command->action.id, &command->action, error));
    if (c->used_in[command->action] == c->module + 1)
        return OPAC_OK;
    c->used_in[command->action] = c->module + 1;
    return base_u32_vec_push(&module->alphabet, command->action, error);
}

static opac_status resolve_command(command_resolver *c, prism_module *module,
                                   prism_command *command, opac_error *error)
{
    const prism_requirements required = {.type = PRISM_TYPE_BOOL, .noun = "guard"};
    const prism_command_syntax *syntax = c->command;
    command->place = syntax->action.place;
    command->branch_count = syntax->branch_count;
    command->branches = program_alloc(c, syntax->branch_count, sizeof *command->branches, error);
    if (command->branches == NULL)
        return OPAC_ERROR_MEMORY;
    TRY(resolve_action(c, module, command, error));
    TRY(prism_analyse(&c->resolver->analyser, &syntax->guard, &required, &command->guard, error));
    for (uint32_t i = 0; i < syntax->branch_count; i++)
        TRY(resolve_branch(c, &syntax->branches[i], &command->branches[i], error));
    return OPAC_OK;
}

static opac_status resolve_module(command_resolver *c, prism_module *module, opac_error *error)
{
    const prism_module_syntax *syntax = &c->resolver->modules[c->module];
    const prism_name *name = &c->resolver->file->modules.items[c->module].name;
    module->name = prism_copy_name(c->resolver, name->id, error);
    module->commands = program_alloc(c, syntax->command_count, sizeof *module->commands, error);
    if (module->name == NULL || module->commands == NULL)
        return OPAC_ERROR_MEMORY;
    module->command_count = syntax->command_count;
    prism_set_error_module(c->resolver, c->module);
    for (uint32_t i = 0; i < syntax->command_count; i++) {
        c->command = &syntax->commands[i];
        TRY(resolve_command(c, module, &module->commands[i], error));
    }
    prism_set_error_module(c->resolver, PRISM_GLOBAL);
    return OPAC_OK;
}

static opac_status allocate_tables(command_resolver *c, opac_error *error)
{
    const prism_resolver *resolver = c->resolver;
    size_t actions = (size_t)resolver->file->names.count + 1;
    c->assigned_in = prism_alloc_scratch(c->resolver, resolver->program->variable_count,
                                         sizeof *c->assigned_in, error);
    c->used_in = prism_alloc_scratch(c->resolver, actions, sizeof *c->used_in, error);
    if (c->assigned_in == NULL || c->used_in == NULL)
        return OPAC_ERROR_MEMORY;
    memset(c->assigned_in, 0, resolver->program->variable_count * sizeof *c->assigned_in);
    memset(c->used_in, 0, actions * sizeof *c->used_in);
    return OPAC_OK;
}

opac_status prism_resolve_commands(prism_resolver *resolver, opac_error *error)
{
    prism_program *program = resolver->program;
    size_t count = resolver->file->modules.count;
    command_resolver c = {.resolver = resolver};
    TRY(allocate_tables(&c, error));
    program->modules = program_alloc(&c, count, sizeof *program->modules, error);
    if (program->modules == NULL)
        return OPAC_ERROR_MEMORY;
    program->module_count = (uint32_t)count;
    for (; c.module < count; c.module++)
        TRY(resolve_module(&c, &program->modules[c.module], error));
    return OPAC_OK;
}
