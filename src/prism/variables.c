/* SPDX-License-Identifier: MIT */
/*
 * Resolves variables in two stages: first their names, global variables before those of modules, which
 * constants and formulas are checked against; and, after the constants have been evaluated, their ranges and
 * initial values.
 */
#include <inttypes.h>
#include <stdio.h>

#include "prism/resolve.h"

#define MAX_VALUES (UINT64_C(1) << 32) /* of a variable */

typedef opac_status (*variable_visit)(prism_resolver *resolver,
                                      const prism_variable_syntax *variable, uint32_t module,
                                      uint32_t index, opac_error *error);

/* Visits all variables in the order of their indices. */
static opac_status visit_variables(prism_resolver *resolver, variable_visit visit,
                                   opac_error *error)
{
    const prism_file *file = resolver->file;
    uint32_t index = 0;
    for (size_t i = 0; i < file->globals.count; i++)
        TRY(visit(resolver, &file->globals.items[i], PRISM_GLOBAL, index++, error));
    for (uint32_t m = 0; m < file->modules.count; m++) {
        const prism_module_syntax *module = &resolver->modules[m];
        for (uint32_t i = 0; i < module->variable_count; i++)
            TRY(visit(resolver, &module->variables[i], m, index++, error));
    }
    return OPAC_OK;
}

/* ---- names ---- */

static opac_status declare(prism_resolver *resolver, const prism_variable_syntax *variable,
                           uint32_t module, uint32_t index, opac_error *error)
{
    prism_symbol *symbol;
    const char *name = prism_copy_name(resolver, variable->name.id, error);
    if (name == NULL)
        return OPAC_ERROR_MEMORY;
    resolver->program->variables[index] = (prism_variable){.name = name,
                                                           .type = variable->type,
                                                           .high = 1,
                                                           .module = module,
                                                           .place = variable->name.place};
    /* A variable that a renaming does not rename has the place of the original. This was reported. */
    prism_place place = variable->name.place,
                first = prism_scope_at(resolver->scope, variable->name.id)->place;
    bool is_unrenamed = first.line == place.line && first.column == place.column;
    TRY(prism_scope_declare(resolver->scope, variable->name.id, PRISM_SYMBOL_VARIABLE, place,
                            is_unrenamed ? NULL : resolver->report, &symbol, error));
    if (symbol != NULL) {
        symbol->index = index;
        symbol->type = variable->type;
    }
    return OPAC_OK;
}

/*
 * Declares the names that a bad module would have declared, so that their uses are not reported as unknown.
 */
static opac_status declare_renamed(prism_resolver *resolver, const prism_module_syntax *module,
                                   opac_error *error)
{
    for (uint32_t i = 0; i < module->renaming_count; i++) {
        const prism_name *to = &module->renamings[i].to;
        prism_symbol *symbol;
        TRY(prism_scope_declare(resolver->scope, to->id, PRISM_SYMBOL_VARIABLE, to->place, NULL,
                                &symbol, error));
        if (symbol != NULL)
            symbol->is_bad = true;
    }
    return OPAC_OK;
}

opac_status prism_declare_variables(prism_resolver *resolver, opac_error *error)
{
    prism_program *program = resolver->program;
    const prism_module_syntax_vec *modules = &resolver->file->modules;
    size_t count = resolver->file->globals.count;
    for (size_t i = 0; i < modules->count; i++)
        count += resolver->modules[i].variable_count;
    program->variables = base_arena_alloc_zeroed(&program->arena, count, sizeof(prism_variable));
    if (program->variables == NULL)
        return base_fail_memory(error);
    program->variable_count = (uint32_t)count;
    TRY(visit_variables(resolver, declare, error));
    for (size_t i = 0; i < modules->count; i++)
        if (resolver->is_bad_module[i])
            TRY(declare_renamed(resolver, &modules->items[i], error));
    return OPAC_OK;
}

/* ---- ranges and initial values ---- */

/* Evaluates a bound or initial value of a variable; *is_known is false after an error. */
static opac_status evaluate(prism_resolver *resolver, const prism_expression *expression,
                            prism_type type, const char *what, const char *name, int64_t *value,
                            bool *is_known, opac_error *error)
{
    char noun[OPAC_SHOWN_SIZE + 40];
    prism_expression result;
    snprintf(noun, sizeof noun, "%s '%s'", what, name);
    const prism_requirements required = {.type = type, .is_constant = true, .noun = noun};
    TRY(prism_resolve_expression(resolver, expression, &required, &result, error));
    *is_known = result.count > 0;
    if (*is_known)
        *value = result.nodes[0].value.integer;
    return OPAC_OK;
}

static opac_status check_range(prism_resolver *resolver, const prism_variable *variable,
                               const char *name, bool *is_correct, opac_error *error)
{
    uint64_t last = (uint64_t)variable->high - (uint64_t)variable->low;
    *is_correct = variable->low <= variable->high;
    if (!*is_correct)
        prism_report_error(&resolver->analyser, OPAC_ERROR_ARGUMENT, variable->place,
                           "the range of '%s' is empty: [%" PRId64 "..%" PRId64 "]", name,
                           variable->low, variable->high);
    else if (last >= MAX_VALUES)
        return base_fail_at(error, OPAC_ERROR_LIMIT, variable->place.line, variable->place.column,
                            "the range of '%s' has more than 2^32 values", name);
    return OPAC_OK;
}

static opac_status evaluate_range(prism_resolver *resolver, const prism_variable_syntax *syntax,
                                  const char *name, prism_variable *variable, bool *is_correct,
                                  opac_error *error)
{
    bool has_low = false, has_high = false;
    *is_correct = syntax->type == PRISM_TYPE_BOOL;
    if (*is_correct)
        return OPAC_OK;
    TRY(evaluate(resolver, &syntax->low, PRISM_TYPE_INT, "lower bound of", name, &variable->low,
                 &has_low, error));
    TRY(evaluate(resolver, &syntax->high, PRISM_TYPE_INT, "upper bound of", name, &variable->high,
                 &has_high, error));
    if (!has_low || !has_high)
        return OPAC_OK;
    return check_range(resolver, variable, name, is_correct, error);
}

static opac_status evaluate_initial(prism_resolver *resolver, const prism_variable_syntax *syntax,
                                    const char *name, prism_variable *variable, bool has_range,
                                    opac_error *error)
{
    bool is_known;
    variable->initial = variable->low;
    if (syntax->initial.count == 0)
        return OPAC_OK;
    prism_place place = prism_root(&syntax->initial)->place;
    if (resolver->file->initial.count > 0)
        prism_report_error(
            &resolver->analyser, OPAC_ERROR_SYNTAX, place,
            "'%s' must not have an initial value, as the initial states are given by "
            "init ... endinit (line %u)",
            name, resolver->file->initial_place.line);
    TRY(evaluate(resolver, &syntax->initial, syntax->type, "initial value of", name,
                 &variable->initial, &is_known, error));
    if (!is_known || !has_range ||
        (variable->initial >= variable->low && variable->initial <= variable->high))
        return OPAC_OK;
    prism_report_error(&resolver->analyser, OPAC_ERROR_ARGUMENT, place,
                       "the initial value %" PRId64 " of '%s' is not in its range [%" PRId64
                       "..%" PRId64 "]",
                       variable->initial, name, variable->low, variable->high);
    return OPAC_OK;
}

static opac_status evaluate_variable(prism_resolver *resolver, const prism_variable_syntax *syntax,
                                     uint32_t module, uint32_t index, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    bool has_range = false;
    prism_variable *variable = &resolver->program->variables[index];
    const char *name = prism_show_name_id(&resolver->file->names, syntax->name.id, shown);
    prism_set_error_module(resolver, module);
    TRY(evaluate_range(resolver, syntax, name, variable, &has_range, error));
    TRY(evaluate_initial(resolver, syntax, name, variable, has_range, error));
    prism_set_error_module(resolver, PRISM_GLOBAL);
    return OPAC_OK;
}

opac_status prism_evaluate_ranges(prism_resolver *resolver, opac_error *error)
{
    return visit_variables(resolver, evaluate_variable, error);
}
