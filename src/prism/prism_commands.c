/* SPDX-License-Identifier: MIT */
/* Modules and their commands: actions, guards, and who may change which variable. */
#include <stdio.h>
#include <string.h>

#include "prism/resolve.h"

typedef struct scene {
    prism_resolver *resolver;
    uint32_t module;
    const prism_command_syntax *command;
    uint32_t *set_by; /* a variable: the branch, counted over all, that sets it last */
    uint32_t *within; /* an action: 1 + the module that had it last */
    uint32_t branch;  /* the one at hand, from 1 */
} scene;

static void *program_alloc(const scene *at, size_t count, size_t size, opac_error *error)
{
    void *memory = base_arena_alloc_zeroed(&at->resolver->program->arena, count, size);
    if (memory == NULL)
        base_fail_memory(error);
    return memory;
}

static const char *show(const scene *at, uint32_t name, char *buffer)
{
    return prism_name_show(&at->resolver->file->names, name, buffer);
}

/* ---- assignments ---- */

static opac_status report_target(const scene *at, const prism_name *name,
                                 const prism_symbol *symbol, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE] = "";
    size_t length;
    show(at, name->id, shown);
    if (symbol->kind != PRISM_SYMBOL_NONE) {
        prism_mistake(&at->resolver->elaborator, OPAC_ERROR_SYNTAX, name->place,
                      "'%s' is %s and cannot be changed", shown, prism_symbol_word(symbol->kind));
        return OPAC_OK;
    }
    const char *text = prism_name_text(at->resolver->file, name->id, &length);
    if (at->resolver->report->errors.count < MODEL_MOST_ERRORS)
        TRY(prism_scope_hint(at->resolver->scope, 1u << PRISM_SYMBOL_VARIABLE, text, length, hint,
                             error));
    prism_mistake(&at->resolver->elaborator, OPAC_ERROR_SYNTAX, name->place,
                  "unknown variable '%s'%s", shown, hint);
    return OPAC_OK;
}

/* Whether this command may change the variable. */
static void check_owner(const scene *at, const prism_name *name, const prism_variable *variable)
{
    const prism_resolver *resolver = at->resolver;
    char shown[OPAC_SHOWN_SIZE], other[OPAC_SHOWN_SIZE];
    show(at, name->id, shown);
    if (variable->module == PRISM_GLOBAL && at->command->action.id != PRISM_NO_NAME)
        prism_mistake(&resolver->elaborator, OPAC_ERROR_SYNTAX, name->place,
                      "'%s' is global, and a command with an action cannot change it", shown);
    else if (variable->module != PRISM_GLOBAL && variable->module != at->module)
        prism_mistake(&resolver->elaborator, OPAC_ERROR_SYNTAX, name->place,
                      "'%s' belongs to module '%s', which alone may change it", shown,
                      show(at, resolver->modules[variable->module].name.id, other));
}

static opac_status resolve_value(const scene *at, const prism_assignment_syntax *syntax,
                                 prism_type type, prism_assignment *assignment, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], noun[OPAC_SHOWN_SIZE + 16];
    snprintf(noun, sizeof noun, "value for '%s'", show(at, syntax->variable.id, shown));
    const prism_wanted wanted = {.type = type, .noun = noun};
    return prism_elaborate(&at->resolver->elaborator, &syntax->value, &wanted, &assignment->value,
                           error);
}

static opac_status resolve_assignment(const scene *at, const prism_assignment_syntax *syntax,
                                      prism_assignment *assignment, opac_error *error)
{
    const prism_name *name = &syntax->variable;
    const prism_symbol *symbol = prism_scope_at(at->resolver->scope, name->id);
    char shown[OPAC_SHOWN_SIZE];
    assignment->place = name->place;
    if (symbol->kind != PRISM_SYMBOL_VARIABLE) {
        TRY(report_target(at, name, symbol, error));
    } else if (!symbol->is_bad) {
        assignment->variable = symbol->index;
        check_owner(at, name, &at->resolver->program->variables[symbol->index]);
        if (at->set_by[symbol->index] == at->branch)
            prism_mistake(&at->resolver->elaborator, OPAC_ERROR_SYNTAX, name->place,
                          "'%s' is set twice in one update", show(at, name->id, shown));
        at->set_by[symbol->index] = at->branch;
    }
    return resolve_value(at, syntax, symbol->type, assignment, error);
}

/* ---- commands ---- */

static opac_status resolve_branch(scene *at, const prism_branch_syntax *syntax,
                                  prism_branch *branch, opac_error *error)
{
    const prism_wanted wanted = {.type = PRISM_TYPE_REAL, .is_exact = true, .noun = "probability"};
    at->branch++;
    branch->place = syntax->place;
    branch->assignment_count = syntax->assignment_count;
    branch->assignments =
        program_alloc(at, syntax->assignment_count, sizeof *branch->assignments, error);
    if (branch->assignments == NULL)
        return OPAC_ERROR_MEMORY;
    TRY(prism_elaborate(&at->resolver->elaborator, &syntax->probability, &wanted,
                        &branch->probability, error));
    for (uint32_t i = 0; i < syntax->assignment_count; i++)
        TRY(resolve_assignment(at, &syntax->assignments[i], &branch->assignments[i], error));
    return OPAC_OK;
}

/* The command's action, which is of the module's alphabet. */
static opac_status resolve_action(scene *at, prism_module *module, prism_command *command,
                                  opac_error *error)
{
    if (at->command->action.id == PRISM_NO_NAME)
        return OPAC_OK;
    TRY(prism_action(at->resolver, at->command->action.id, &command->action, error));
    if (at->within[command->action] == at->module + 1)
        return OPAC_OK;
    at->within[command->action] = at->module + 1;
    return base_u32_vec_push(&module->alphabet, command->action, error);
}

static opac_status resolve_command(scene *at, prism_module *module, prism_command *command,
                                   opac_error *error)
{
    const prism_wanted wanted = {.type = PRISM_TYPE_BOOL, .noun = "guard"};
    const prism_command_syntax *syntax = at->command;
    command->place = syntax->action.place;
    command->branch_count = syntax->branch_count;
    command->branches = program_alloc(at, syntax->branch_count, sizeof *command->branches, error);
    if (command->branches == NULL)
        return OPAC_ERROR_MEMORY;
    TRY(resolve_action(at, module, command, error));
    TRY(prism_elaborate(&at->resolver->elaborator, &syntax->guard, &wanted, &command->guard,
                        error));
    for (uint32_t i = 0; i < syntax->branch_count; i++)
        TRY(resolve_branch(at, &syntax->branches[i], &command->branches[i], error));
    return OPAC_OK;
}

static opac_status resolve_module(scene *at, prism_module *module, opac_error *error)
{
    const prism_module_syntax *syntax = &at->resolver->modules[at->module];
    const prism_name *name = &at->resolver->file->modules.items[at->module].name;
    module->name = prism_keep_name(at->resolver, name->id, error);
    module->commands = program_alloc(at, syntax->command_count, sizeof *module->commands, error);
    if (module->name == NULL || module->commands == NULL)
        return OPAC_ERROR_MEMORY;
    module->command_count = syntax->command_count;
    prism_enter_module(at->resolver, at->module);
    for (uint32_t i = 0; i < syntax->command_count; i++) {
        at->command = &syntax->commands[i];
        TRY(resolve_command(at, module, &module->commands[i], error));
    }
    prism_enter_module(at->resolver, PRISM_GLOBAL);
    return OPAC_OK;
}

static opac_status make_room(scene *at, opac_error *error)
{
    const prism_resolver *resolver = at->resolver;
    size_t actions = (size_t)resolver->file->names.count + 1;
    at->set_by =
        prism_scratch(at->resolver, resolver->program->variable_count, sizeof *at->set_by, error);
    at->within = prism_scratch(at->resolver, actions, sizeof *at->within, error);
    if (at->set_by == NULL || at->within == NULL)
        return OPAC_ERROR_MEMORY;
    memset(at->set_by, 0, resolver->program->variable_count * sizeof *at->set_by);
    memset(at->within, 0, actions * sizeof *at->within);
    return OPAC_OK;
}

opac_status prism_resolve_commands(prism_resolver *resolver, opac_error *error)
{
    prism_program *program = resolver->program;
    size_t count = resolver->file->modules.count;
    scene at = {.resolver = resolver};
    TRY(make_room(&at, error));
    program->modules = program_alloc(&at, count, sizeof *program->modules, error);
    if (program->modules == NULL)
        return OPAC_ERROR_MEMORY;
    program->module_count = (uint32_t)count;
    for (; at.module < count; at.module++)
        TRY(resolve_module(&at, &program->modules[at.module], error));
    return OPAC_OK;
}
