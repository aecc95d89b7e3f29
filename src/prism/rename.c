/* SPDX-License-Identifier: MIT */
/*
 * Modules without formulas, and without renamings: a module that is another one
 * with other names becomes a copy of it. Renaming is textual: whatever has the
 * name, be it a variable, an action, a constant or a function, gets the other
 * one; and then the place of that in the list, so that a mistake about it is
 * told there. The base may itself be a renamed module, defined anywhere.
 *
 * Cost: linear in what is copied, which is counted against PRISM_MOST_NODES.
 */
#include <string.h>

#include "prism/resolve.h"

#define NONE UINT32_MAX

typedef enum state {
    STATE_NEW,
    STATE_OPEN, /* its base is being made */
    STATE_READY,
    STATE_BAD
} state;

typedef struct renamer {
    prism_resolver *resolver;
    const prism_module_syntax *module; /* with the list */
    uint32_t *entry_of;                /* a name: where in the list it is; NONE */
    uint8_t *states;                   /* of modules */
    bool is_renaming;
    base_u32_vec chain; /* modules whose base comes first */
} renamer;

/* ---- copies with other names ---- */

static void rename_name(const renamer *rename, prism_name *name)
{
    uint32_t entry = name->id == PRISM_NO_NAME ? NONE : rename->entry_of[name->id];
    if (entry != NONE)
        *name = rename->module->renamings[entry].to;
}

static void rename_node(const renamer *rename, prism_node *node)
{
    if (node->op != PRISM_OP_NAME && node->op != PRISM_OP_CALL)
        return;
    uint32_t entry = rename->entry_of[node->value.name];
    if (entry == NONE)
        return;
    node->value.name = rename->module->renamings[entry].to.id;
    node->place = rename->module->renamings[entry].to.place;
}

/* What is copied as it was written is in proportion to the file, and free. */
static opac_status spend(const renamer *rename, uint64_t nodes, opac_error *error)
{
    if (!rename->is_renaming)
        return OPAC_OK;
    return prism_spend(rename->resolver, nodes, rename->module->name.place, error);
}

static opac_status rename_expression(const renamer *rename, prism_expression *expression,
                                     opac_error *error)
{
    TRY(spend(rename, expression->count, error));
    if (expression->count == 0)
        return OPAC_OK;
    prism_node *nodes = prism_scratch(rename->resolver, expression->count, sizeof *nodes, error);
    if (nodes == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t i = 0; i < expression->count; i++) {
        nodes[i] = expression->nodes[i];
        rename_node(rename, &nodes[i]);
    }
    expression->nodes = nodes;
    return OPAC_OK;
}

/* ---- walking over a module: each expression of a copy of it is replaced ---- */

typedef opac_status (*expression_visit)(const renamer *rename, prism_expression *expression,
                                        opac_error *error);

static opac_status copy_variable(const renamer *rename, expression_visit visit,
                                 prism_variable_syntax *variable, opac_error *error)
{
    rename_name(rename, &variable->name);
    TRY(spend(rename, 1, error));
    TRY(visit(rename, &variable->low, error));
    TRY(visit(rename, &variable->high, error));
    return visit(rename, &variable->initial, error);
}

/* A list of its own, with the items of another. */
static opac_status copy_list(const renamer *rename, void **items, uint32_t count, size_t size,
                             opac_error *error)
{
    TRY(spend(rename, count, error));
    if (count == 0)
        return OPAC_OK;
    void *copy = prism_scratch(rename->resolver, count, size, error);
    if (copy == NULL)
        return OPAC_ERROR_MEMORY;
    memcpy(copy, *items, count * size);
    *items = copy;
    return OPAC_OK;
}

static opac_status copy_branch(const renamer *rename, expression_visit visit,
                               prism_branch_syntax *branch, opac_error *error)
{
    TRY(visit(rename, &branch->probability, error));
    void *list = branch->assignments;
    TRY(copy_list(rename, &list, branch->assignment_count, sizeof *branch->assignments, error));
    branch->assignments = list;
    for (uint32_t i = 0; i < branch->assignment_count; i++) {
        rename_name(rename, &branch->assignments[i].variable);
        TRY(visit(rename, &branch->assignments[i].value, error));
    }
    return OPAC_OK;
}

static opac_status copy_command(const renamer *rename, expression_visit visit,
                                prism_command_syntax *command, opac_error *error)
{
    prism_place place = command->action.place;
    rename_name(rename, &command->action);
    command->action.place = place;
    TRY(visit(rename, &command->guard, error));
    void *list = command->branches;
    TRY(copy_list(rename, &list, command->branch_count, sizeof *command->branches, error));
    command->branches = list;
    for (uint32_t i = 0; i < command->branch_count; i++)
        TRY(copy_branch(rename, visit, &command->branches[i], error));
    return OPAC_OK;
}

static opac_status copy_module(const renamer *rename, expression_visit visit,
                               prism_module_syntax *module, opac_error *error)
{
    void *list = module->variables;
    TRY(copy_list(rename, &list, module->variable_count, sizeof *module->variables, error));
    module->variables = list;
    for (uint32_t i = 0; i < module->variable_count; i++)
        TRY(copy_variable(rename, visit, &module->variables[i], error));
    list = module->commands;
    TRY(copy_list(rename, &list, module->command_count, sizeof *module->commands, error));
    module->commands = list;
    for (uint32_t i = 0; i < module->command_count; i++)
        TRY(copy_command(rename, visit, &module->commands[i], error));
    return OPAC_OK;
}

static opac_status expand_expression(const renamer *rename, prism_expression *expression,
                                     opac_error *error)
{
    prism_expression source = *expression;
    return prism_expand(rename->resolver, &source, expression, error);
}

/* ---- the list ---- */

static void report_entry(const renamer *rename, const prism_name *name, const char *why)
{
    char shown[OPAC_SHOWN_SIZE];
    model_report_error(rename->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                       name->place.column, "'%s' %s",
                       prism_name_show(&rename->resolver->file->names, name->id, shown), why);
}

static void read_list(const renamer *rename)
{
    const prism_module_syntax *module = rename->module;
    for (uint32_t i = 0; i < module->renaming_count; i++) {
        const prism_name *from = &module->renamings[i].from;
        const prism_symbol *symbol = prism_scope_at(rename->resolver->scope, from->id);
        if (symbol->kind == PRISM_SYMBOL_FORMULA)
            report_entry(rename, from,
                         "is a formula, which cannot be renamed: formulas are expanded before");
        else if (rename->entry_of[from->id] != NONE)
            report_entry(rename, from, "is renamed twice");
        else
            rename->entry_of[from->id] = i;
    }
}

static void forget_list(const renamer *rename)
{
    for (uint32_t i = 0; i < rename->module->renaming_count; i++)
        rename->entry_of[rename->module->renamings[i].from.id] = NONE;
}

/* Two modules cannot have the same variable, so each needs another name. */
static void check_variables(const renamer *rename, const prism_module_syntax *base)
{
    char shown[OPAC_SHOWN_SIZE], base_shown[OPAC_SHOWN_SIZE];
    const base_intern *names = &rename->resolver->file->names;
    const prism_name *name = &rename->module->name;
    for (uint32_t i = 0; i < base->variable_count; i++) {
        uint32_t id = base->variables[i].name.id;
        if (rename->entry_of[id] != NONE)
            continue;
        model_report_error(rename->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "variable '%s' of module '%s' must be renamed, too",
                           prism_name_show(names, id, shown),
                           prism_name_show(names, base->name.id, base_shown));
    }
}

/* ---- modules ---- */

static opac_status make_copy(renamer *rename, uint32_t index, uint32_t base, opac_error *error)
{
    prism_module_syntax *modules = rename->resolver->modules, copy = modules[base];
    rename->module = &rename->resolver->file->modules.items[index];
    read_list(rename);
    check_variables(rename, &modules[base]);
    copy.name = rename->module->name;
    copy.base = rename->module->base;
    rename->is_renaming = true;
    TRY(copy_module(rename, rename_expression, &copy, error));
    rename->is_renaming = false;
    forget_list(rename);
    modules[index] = copy;
    rename->states[index] = STATE_READY;
    return OPAC_OK;
}

static opac_status make_body(renamer *rename, uint32_t index, opac_error *error)
{
    prism_module_syntax copy = rename->resolver->file->modules.items[index];
    rename->module = &rename->resolver->file->modules.items[index];
    TRY(copy_module(rename, expand_expression, &copy, error));
    rename->resolver->modules[index] = copy;
    rename->states[index] = STATE_READY;
    return OPAC_OK;
}

/* Follows bases from a module to one that is ready, has a body, or is bad: *end, or NONE. */
static opac_status follow(renamer *rename, uint32_t index, uint32_t *end, opac_error *error)
{
    const prism_module_syntax *modules = rename->resolver->file->modules.items;
    rename->chain.count = 0;
    while (index != NONE && rename->states[index] == STATE_NEW &&
           modules[index].base.id != PRISM_NO_NAME) {
        const prism_name *base = &modules[index].base;
        rename->states[index] = STATE_OPEN;
        TRY(base_u32_vec_push(&rename->chain, index, error));
        index = rename->resolver->module_of[base->id];
        if (index == NONE)
            TRY(prism_report_module(rename->resolver, base, error));
    }
    *end = index;
    return OPAC_OK;
}

static void report_circle(const renamer *rename, uint32_t index)
{
    const prism_name *name = &rename->resolver->file->modules.items[index].name;
    char shown[OPAC_SHOWN_SIZE];
    model_report_error(rename->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                       name->place.column, "module '%s' is a renaming of itself",
                       prism_name_show(&rename->resolver->file->names, name->id, shown));
}

static opac_status make_module(renamer *rename, uint32_t index, opac_error *error)
{
    uint32_t base;
    TRY(follow(rename, index, &base, error));
    if (base != NONE && rename->states[base] == STATE_OPEN)
        report_circle(rename, base);
    if (base != NONE && rename->states[base] == STATE_NEW)
        TRY(make_body(rename, base, error));
    for (size_t i = rename->chain.count; i > 0; i--) {
        uint32_t next = rename->chain.items[i - 1];
        if (base != NONE && rename->states[base] == STATE_READY)
            TRY(make_copy(rename, next, base, error));
        else
            rename->states[next] = STATE_BAD;
        base = next;
    }
    return OPAC_OK;
}

static opac_status make_modules(renamer *rename, opac_error *error)
{
    prism_resolver *resolver = rename->resolver;
    uint32_t count = (uint32_t)resolver->file->modules.count;
    for (uint32_t i = 0; i < resolver->file->names.count; i++)
        rename->entry_of[i] = NONE;
    for (uint32_t i = 0; i < count; i++)
        TRY(make_module(rename, i, error));
    for (uint32_t i = 0; i < count; i++)
        resolver->is_bad_module[i] = rename->states[i] == STATE_BAD;
    return OPAC_OK;
}

opac_status prism_expand_modules(prism_resolver *resolver, opac_error *error)
{
    size_t count = resolver->file->modules.count, names = resolver->file->names.count;
    renamer rename = {.resolver = resolver};
    resolver->modules = prism_scratch(resolver, count, sizeof *resolver->modules, error);
    resolver->is_bad_module = prism_scratch(resolver, count, sizeof(bool), error);
    rename.entry_of = prism_scratch(resolver, names, sizeof *rename.entry_of, error);
    rename.states = prism_scratch(resolver, count, 1, error);
    if (resolver->modules == NULL || resolver->is_bad_module == NULL || rename.entry_of == NULL ||
        rename.states == NULL)
        return OPAC_ERROR_MEMORY;
    memset(rename.states, STATE_NEW, count);
    memset(resolver->modules, 0, count * sizeof *resolver->modules);
    opac_status status = make_modules(&rename, error);
    base_u32_vec_fini(&rename.chain);
    return status;
}
