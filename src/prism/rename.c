/* SPDX-License-Identifier: MIT */
/*
 * Expands formulas in modules and renames modules: module b = a [...] becomes a copy of its base a with other
 * names. Renaming is textual: it replaces the name of a variable, an action, a constant or a function alike.
 * A replaced name has the place of its replacement in the list, so that errors about it are reported there.
 * The base may itself be a renamed module, and may be defined later in the file.
 *
 * Cost: linear in the size of the copies, which is counted against PRISM_MAX_NODES.
 */
#include <string.h>

#include "prism/resolve.h"

#define NONE UINT32_MAX

typedef enum state {
    STATE_NEW,
    STATE_OPEN, /* its base is being resolved */
    STATE_READY,
    STATE_BAD
} state;

typedef struct renamer {
    prism_resolver *resolver;
    const prism_module_syntax *module; /* the current module, with the list of renamings */
    uint32_t *entry_of;                /* for each name: its index in the list, or NONE */
    uint8_t *states;                   /* of each module */
    bool is_renaming;
    base_u32_vec chain; /* the current module, its base, the base of that, … */
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

/* Counts nodes. Copies without renaming are not counted: their size is at most that of the file. */
static opac_status count_nodes(const renamer *rename, uint64_t nodes, opac_error *error)
{
    if (!rename->is_renaming)
        return OPAC_OK;
    return prism_count_nodes(rename->resolver, nodes, rename->module->name.place, error);
}

static opac_status rename_expression(const renamer *rename, prism_expression *expression,
                                     opac_error *error)
{
    TRY(count_nodes(rename, expression->count, error));
    if (expression->count == 0)
        return OPAC_OK;
    prism_node *nodes =
        prism_alloc_scratch(rename->resolver, expression->count, sizeof *nodes, error);
    if (nodes == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t i = 0; i < expression->count; i++) {
        nodes[i] = expression->nodes[i];
        rename_node(rename, &nodes[i]);
    }
    expression->nodes = nodes;
    return OPAC_OK;
}

/* ---- copies a module; `visit` replaces each expression of the copy ---- */

typedef opac_status (*expression_visit)(const renamer *rename, prism_expression *expression,
                                        opac_error *error);

static opac_status copy_variable(const renamer *rename, expression_visit visit,
                                 prism_variable_syntax *variable, opac_error *error)
{
    rename_name(rename, &variable->name);
    TRY(count_nodes(rename, 1, error));
    TRY(visit(rename, &variable->low, error));
    TRY(visit(rename, &variable->high, error));
    return visit(rename, &variable->initial, error);
}

/* Replaces a list by a copy. */
static opac_status copy_list(const renamer *rename, void **items, uint32_t count, size_t size,
                             opac_error *error)
{
    TRY(count_nodes(rename, count, error));
    if (count == 0)
        return OPAC_OK;
    void *copy = prism_alloc_scratch(rename->resolver, count, size, error);
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

/* ---- the list of renamings ---- */

static void report_entry(const renamer *rename, const prism_name *name, const char *why)
{
    char shown[OPAC_SHOWN_SIZE];
    model_report_error(rename->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                       name->place.column, "'%s' %s",
                       prism_show_name_id(&rename->resolver->file->names, name->id, shown), why);
}

static void set_entries(const renamer *rename)
{
    const prism_module_syntax *module = rename->module;
    for (uint32_t i = 0; i < module->renaming_count; i++) {
        const prism_name *from = &module->renamings[i].from;
        const prism_symbol *symbol = prism_scope_at(rename->resolver->scope, from->id);
        if (symbol->kind == PRISM_SYMBOL_FORMULA)
            report_entry(rename, from,
                         "is a formula and cannot be renamed: formulas are expanded before "
                         "modules are renamed");
        else if (rename->entry_of[from->id] != NONE)
            report_entry(rename, from, "is renamed twice");
        else
            rename->entry_of[from->id] = i;
    }
}

static void clear_entries(const renamer *rename)
{
    for (uint32_t i = 0; i < rename->module->renaming_count; i++)
        rename->entry_of[rename->module->renamings[i].from.id] = NONE;
}

/* Reports variables of the base that are not renamed: two modules cannot have the same variable. */
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
                           name->place.column, "variable '%s' of module '%s' must also be renamed",
                           prism_show_name_id(names, id, shown),
                           prism_show_name_id(names, base->name.id, base_shown));
    }
}

/* ---- modules ---- */

static opac_status rename_module(renamer *rename, uint32_t index, uint32_t base, opac_error *error)
{
    prism_module_syntax *modules = rename->resolver->modules, copy = modules[base];
    rename->module = &rename->resolver->file->modules.items[index];
    set_entries(rename);
    check_variables(rename, &modules[base]);
    copy.name = rename->module->name;
    copy.base = rename->module->base;
    rename->is_renaming = true;
    TRY(copy_module(rename, rename_expression, &copy, error));
    rename->is_renaming = false;
    clear_entries(rename);
    modules[index] = copy;
    rename->states[index] = STATE_READY;
    return OPAC_OK;
}

static opac_status expand_module(renamer *rename, uint32_t index, opac_error *error)
{
    prism_module_syntax copy = rename->resolver->file->modules.items[index];
    rename->module = &rename->resolver->file->modules.items[index];
    TRY(copy_module(rename, expand_expression, &copy, error));
    rename->resolver->modules[index] = copy;
    rename->states[index] = STATE_READY;
    return OPAC_OK;
}

/*
 * Follows the chain of bases from a module. *end is the first one that is not new or has a body; NONE if
 * unknown.
 */
static opac_status follow_bases(renamer *rename, uint32_t index, uint32_t *end, opac_error *error)
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
            TRY(prism_report_unknown_module(rename->resolver, base, error));
    }
    *end = index;
    return OPAC_OK;
}

static void report_cycle(const renamer *rename, uint32_t index)
{
    const prism_name *name = &rename->resolver->file->modules.items[index].name;
    char shown[OPAC_SHOWN_SIZE];
    model_report_error(rename->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                       name->place.column, "module '%s' is a renaming of itself",
                       prism_show_name_id(&rename->resolver->file->names, name->id, shown));
}

static opac_status resolve_module(renamer *rename, uint32_t index, opac_error *error)
{
    uint32_t base;
    TRY(follow_bases(rename, index, &base, error));
    if (base != NONE && rename->states[base] == STATE_OPEN)
        report_cycle(rename, base);
    if (base != NONE && rename->states[base] == STATE_NEW)
        TRY(expand_module(rename, base, error));
    for (size_t i = rename->chain.count; i > 0; i--) {
        uint32_t next = rename->chain.items[i - 1];
        if (base != NONE && rename->states[base] == STATE_READY)
            TRY(rename_module(rename, next, base, error));
        else
            rename->states[next] = STATE_BAD;
        base = next;
    }
    return OPAC_OK;
}

static opac_status resolve_modules(renamer *rename, opac_error *error)
{
    prism_resolver *resolver = rename->resolver;
    uint32_t count = (uint32_t)resolver->file->modules.count;
    for (uint32_t i = 0; i < resolver->file->names.count; i++)
        rename->entry_of[i] = NONE;
    for (uint32_t i = 0; i < count; i++)
        TRY(resolve_module(rename, i, error));
    for (uint32_t i = 0; i < count; i++)
        resolver->is_bad_module[i] = rename->states[i] == STATE_BAD;
    return OPAC_OK;
}

opac_status prism_expand_modules(prism_resolver *resolver, opac_error *error)
{
    size_t count = resolver->file->modules.count, names = resolver->file->names.count;
    renamer rename = {.resolver = resolver};
    resolver->modules = prism_alloc_scratch(resolver, count, sizeof *resolver->modules, error);
    resolver->is_bad_module = prism_alloc_scratch(resolver, count, sizeof(bool), error);
    rename.entry_of = prism_alloc_scratch(resolver, names, sizeof *rename.entry_of, error);
    rename.states = prism_alloc_scratch(resolver, count, 1, error);
    if (resolver->modules == NULL || resolver->is_bad_module == NULL || rename.entry_of == NULL ||
        rename.states == NULL)
        return OPAC_ERROR_MEMORY;
    memset(rename.states, STATE_NEW, count);
    memset(resolver->modules, 0, count * sizeof *resolver->modules);
    opac_status status = resolve_modules(&rename, error);
    base_u32_vec_fini(&rename.chain);
    return status;
}
