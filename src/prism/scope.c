/* SPDX-License-Identifier: MIT */
/* The symbol table, and texts for messages about names. */
#include "prism/scope.h"

#include <stdio.h>
#include <string.h>

#include "prism/number.h"

opac_status prism_scope_new(prism_scope **scope, opac_error *error)
{
    prism_scope *result = base_alloc_zeroed(1, sizeof *result);
    if (result == NULL)
        return base_fail_memory(error);
    base_intern_init(&result->names);
    *scope = result;
    return OPAC_OK;
}

void prism_scope_free(prism_scope *scope)
{
    if (scope == NULL)
        return;
    prism_symbol_vec_fini(&scope->symbols);
    prism_symbol_vec_fini(&scope->labels);
    base_intern_fini(&scope->names);
    base_arena_fini(&scope->arena);
    base_free(scope);
}

opac_status prism_scope_add_names(prism_scope *scope, const base_intern *names, opac_error *error)
{
    for (uint32_t i = 0; i < names->count; i++) {
        size_t length;
        uint32_t id;
        const unsigned char *key = base_intern_key(names, i, &length);
        TRY(base_intern_add(&scope->names, key, length, &id, NULL, error));
    }
    return OPAC_OK;
}

/* ---- symbols ---- */

static const prism_symbol *symbol_at(const prism_symbol_vec *symbols, uint32_t id)
{
    static const prism_symbol nothing = {.kind = PRISM_SYMBOL_NONE};
    return id < symbols->count ? &symbols->items[id] : &nothing;
}

const prism_symbol *prism_scope_at(const prism_scope *scope, uint32_t id)
{
    return symbol_at(&scope->symbols, id);
}

const prism_symbol *prism_scope_label_at(const prism_scope *scope, uint32_t id)
{
    return symbol_at(&scope->labels, id);
}

const prism_symbol *prism_scope_find(const prism_scope *scope, const char *name, size_t length)
{
    uint32_t id;
    bool is_there = base_intern_find(&scope->names, name, length, &id);
    return prism_scope_at(scope, is_there ? id : UINT32_MAX);
}

const prism_symbol *prism_scope_find_label(const prism_scope *scope, const char *name,
                                           size_t length)
{
    uint32_t id;
    bool is_there = base_intern_find(&scope->names, name, length, &id);
    return prism_scope_label_at(scope, is_there ? id : UINT32_MAX);
}

const char *prism_symbol_kind_name(prism_symbol_kind kind)
{
    switch (kind) {
    case PRISM_SYMBOL_CONSTANT:
        return "a constant";
    case PRISM_SYMBOL_VARIABLE:
        return "a variable";
    case PRISM_SYMBOL_FORMULA:
        return "a formula";
    case PRISM_SYMBOL_LABEL:
        return "a label";
    case PRISM_SYMBOL_NONE:
        break;
    }
    return "nothing";
}

static void report_duplicate(const prism_scope *scope, uint32_t id, prism_place place,
                             model_report *report)
{
    const prism_symbol *first = prism_scope_at(scope, id);
    char shown[OPAC_SHOWN_SIZE], where[48] = "";
    if (first->place.line > 0)
        snprintf(where, sizeof where, " (line %u, column %u)", first->place.line,
                 first->place.column);
    model_report_error(report, OPAC_ERROR_SYNTAX, place.line, place.column, "'%s' is already %s%s",
                       prism_show_name_id(&scope->names, id, shown),
                       prism_symbol_kind_name(first->kind), where);
}

opac_status prism_scope_declare(prism_scope *scope, uint32_t id, prism_symbol_kind kind,
                                prism_place place, model_report *report, prism_symbol **symbol,
                                opac_error *error)
{
    prism_symbol_vec *symbols = kind == PRISM_SYMBOL_LABEL ? &scope->labels : &scope->symbols;
    *symbol = NULL;
    while (symbols->count <= id)
        TRY(prism_symbol_vec_push(symbols, (prism_symbol){0}, error));
    prism_symbol *at = &symbols->items[id];
    if (at->kind != PRISM_SYMBOL_NONE) {
        if (report != NULL)
            report_duplicate(scope, id, place, report);
        return OPAC_OK;
    }
    *at = (prism_symbol){.kind = kind, .place = place};
    *symbol = at;
    return OPAC_OK;
}

opac_status prism_scope_copy_expression(prism_scope *scope, const prism_expression *expression,
                                        prism_expression *copy, opac_error *error)
{
    *copy = (prism_expression){0};
    if (expression->count == 0)
        return OPAC_OK;
    prism_node *nodes = base_arena_alloc(&scope->arena, expression->count, sizeof *nodes);
    if (nodes == NULL)
        return base_fail_memory(error);
    memcpy(nodes, expression->nodes, expression->count * sizeof *nodes);
    for (uint32_t i = 0; i < expression->count; i++)
        if (!prism_literal_copy_number(&nodes[i], &scope->arena))
            return base_fail_memory(error);
    *copy = (prism_expression){.nodes = nodes, .count = expression->count};
    return OPAC_OK;
}

/* ---- other scopes ---- */

static opac_status declare_variable(prism_scope *scope, const model_variable *variable,
                                    uint32_t index, opac_error *error)
{
    uint32_t id;
    prism_symbol *symbol;
    TRY(base_intern_add(&scope->names, variable->name, strlen(variable->name), &id, NULL, error));
    TRY(prism_scope_declare(scope, id, PRISM_SYMBOL_VARIABLE, (prism_place){0}, NULL, &symbol,
                            error));
    if (symbol != NULL) {
        symbol->index = index;
        symbol->type = variable->type == OPAC_VALUE_BOOL ? PRISM_TYPE_BOOL : PRISM_TYPE_INT;
    }
    return OPAC_OK;
}

opac_status prism_scope_of_layout(const model_layout *layout, prism_scope **scope,
                                  opac_error *error)
{
    prism_scope *result = NULL;
    opac_status status;
    *scope = NULL;
    TRY_OR(done, prism_scope_new(&result, error));
    for (uint32_t i = 0; i < layout->count; i++)
        TRY_OR(done, declare_variable(result, &layout->variables[i], i, error));
    *scope = result;
    result = NULL;
done:
    prism_scope_free(result);
    return status;
}

static opac_status copy_symbols(const prism_symbol_vec *symbols, prism_scope *copy,
                                prism_symbol_vec *into, opac_error *error)
{
    for (size_t i = 0; i < symbols->count; i++) {
        prism_symbol symbol = symbols->items[i];
        symbol.place = (prism_place){0}; /* it would be in another text */
        if (symbol.kind != PRISM_SYMBOL_VARIABLE)
            symbol.index = UINT32_MAX; /* not defined in the file of the copy */
        TRY(prism_scope_copy_expression(copy, &symbols->items[i].value, &symbol.value, error));
        TRY(prism_symbol_vec_push(into, symbol, error));
    }
    return OPAC_OK;
}

opac_status prism_scope_copy(const prism_scope *scope, prism_scope **copy, opac_error *error)
{
    prism_scope *result = NULL;
    opac_status status;
    *copy = NULL;
    TRY_OR(done, prism_scope_new(&result, error));
    TRY_OR(done, prism_scope_add_names(result, &scope->names, error));
    TRY_OR(done, copy_symbols(&scope->symbols, result, &result->symbols, error));
    TRY_OR(done, copy_symbols(&scope->labels, result, &result->labels, error));
    *copy = result;
    result = NULL;
done:
    prism_scope_free(result);
    return status;
}

/* ---- texts for messages ---- */

const char *prism_show_name_id(const base_intern *names, uint32_t id, char *buffer)
{
    size_t length;
    const unsigned char *key = base_intern_key(names, id, &length);
    return opac_text_show((const char *)key, length, buffer, OPAC_SHOWN_SIZE);
}

static void format_hint(char quote, const char *word, size_t length, const char *const *candidates,
                        size_t count, char *hint)
{
    char copy[OPAC_SHOWN_SIZE], shown[OPAC_SHOWN_SIZE];
    hint[0] = '\0';
    if (length == 0 || length >= sizeof copy)
        return;
    memcpy(copy, word, length);
    copy[length] = '\0';
    const char *nearest = opac_text_nearest(copy, candidates, count);
    if (nearest != NULL)
        snprintf(hint, PRISM_HINT_SIZE, "; did you mean %c%s%c?", quote,
                 opac_text_show(nearest, strlen(nearest), shown, sizeof shown), quote);
}

void prism_format_hint(const char *word, size_t length, const char *const *candidates, size_t count,
                       char *hint)
{
    format_hint('\'', word, length, candidates, count, hint);
}

/* Copies names, since candidates must be NUL-terminated and names in the table are not. */
static opac_status copy_names(const base_intern *names, const prism_symbol_vec *symbols,
                              unsigned kinds, base_arena *arena, const char **candidates,
                              size_t *count, opac_error *error)
{
    *count = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        size_t length;
        if ((kinds >> symbols->items[i].kind & 1) == 0)
            continue;
        const unsigned char *key = base_intern_key(names, (uint32_t)i, &length);
        char *copy = base_arena_copy_text(arena, (const char *)key, length);
        if (copy == NULL)
            return base_fail_memory(error);
        candidates[(*count)++] = copy;
    }
    return OPAC_OK;
}

opac_status prism_scope_hint(const prism_scope *scope, unsigned kinds, const char *word,
                             size_t length, char *hint, opac_error *error)
{
    bool is_label = kinds == 1u << PRISM_SYMBOL_LABEL;
    const prism_symbol_vec *symbols = is_label ? &scope->labels : &scope->symbols;
    base_arena arena = {0};
    size_t count;
    hint[0] = '\0';
    const char **candidates = base_alloc(symbols->count, sizeof *candidates);
    if (candidates == NULL)
        return base_fail_memory(error);
    opac_status status =
        copy_names(&scope->names, symbols, kinds, &arena, candidates, &count, error);
    if (status == OPAC_OK)
        format_hint(is_label ? '"' : '\'', word, length, candidates, count, hint);
    base_free(candidates);
    base_arena_fini(&arena);
    return status;
}
