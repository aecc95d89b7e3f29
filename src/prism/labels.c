/* SPDX-License-Identifier: MIT */
/*
 * Labels of a file. A label may be used in any expression that need not be constant and is replaced by its
 * definition there. Unlike formulas, labels are replaced after modules have been renamed (prism_names.c), so
 * that renaming does not change them.
 */
#include <string.h>

#include "prism/resolve.h"

bool prism_is_builtin_label(const char *name, size_t length)
{
    static const char *const builtin[] = {"init", "deadlock"};
    for (size_t i = 0; i < sizeof builtin / sizeof builtin[0]; i++)
        if (strlen(builtin[i]) == length && memcmp(builtin[i], name, length) == 0)
            return true;
    return false;
}

/* ---- declarations ---- */

static void check_name(prism_resolver *resolver, const prism_name *name)
{
    size_t length;
    char shown[OPAC_SHOWN_SIZE];
    const char *text = prism_name_text(resolver->file, name->id, &length);
    const prism_symbol *first = prism_scope_label_at(resolver->scope, name->id);
    opac_text_show(text, length, shown, sizeof shown);
    if (prism_is_builtin_label(text, length))
        model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column,
                           "the label \"%s\" is built in and cannot be redefined", shown);
    else if (first->place.line > 0)
        model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "there is already a label \"%s\" (line %u)", shown,
                           first->place.line);
}

static opac_status declare(prism_resolver *resolver, uint32_t index, opac_error *error)
{
    const prism_name *name = &resolver->file->labels.items[index].name;
    prism_label *label = &resolver->program->labels[index];
    prism_symbol *symbol;
    check_name(resolver, name);
    label->place = name->place;
    label->name = prism_copy_name(resolver, name->id, error);
    if (label->name == NULL)
        return OPAC_ERROR_MEMORY;
    TRY(prism_scope_declare(resolver->scope, name->id, PRISM_SYMBOL_LABEL, name->place, NULL,
                            &symbol, error));
    if (symbol != NULL) {
        symbol->index = index;
        symbol->type = PRISM_TYPE_BOOL;
    }
    return OPAC_OK;
}

opac_status prism_declare_labels(prism_resolver *resolver, opac_error *error)
{
    prism_program *program = resolver->program;
    size_t count = resolver->file->labels.count;
    program->labels = base_arena_alloc_zeroed(&program->arena, count, sizeof *program->labels);
    if (program->labels == NULL)
        return base_fail_memory(error);
    program->label_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++)
        TRY(declare(resolver, i, error));
    return OPAC_OK;
}

/* ---- definitions ---- */

opac_status prism_resolve_label(prism_resolver *resolver, uint32_t index, bool is_bad,
                                opac_error *error)
{
    const prism_requirements required = {.type = PRISM_TYPE_BOOL, .noun = "label"};
    const prism_formula_syntax *syntax = &resolver->file->labels.items[index];
    prism_label *label = &resolver->program->labels[index];
    if (is_bad)
        return OPAC_OK;
    resolver->analyser.arena = &resolver->scope->arena; /* owned by the program */
    TRY(prism_resolve_expression(resolver, &syntax->value, &required, &label->states, error));
    resolver->analyser.arena = &resolver->program->arena;
    prism_symbol *symbol = &resolver->scope->labels.items[syntax->name.id];
    if (symbol->index == index) {
        symbol->value = label->states;
        symbol->has_value = label->states.count > 0;
        symbol->is_bad = !symbol->has_value;
    }
    return OPAC_OK;
}
