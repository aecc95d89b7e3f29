/* SPDX-License-Identifier: MIT */
/*
 * Expansion of formulas: first within each other, in an order in which each comes after those that it uses,
 * and then in all expressions, before modules are renamed. Formulas and labels may use each other and are
 * therefore ordered together. The expansion may be exponential (f2 = f1+f1; f3 = f2+f2; …), so created nodes
 * are counted.
 */
#include <string.h>

#include "prism/resolve.h"

opac_status prism_count_nodes(prism_resolver *resolver, uint64_t nodes, prism_place place,
                              opac_error *error)
{
    resolver->nodes += nodes;
    if (resolver->nodes <= PRISM_MAX_NODES)
        return OPAC_OK;
    return base_fail_at(
        error, OPAC_ERROR_LIMIT, place.line, place.column,
        "the model is too large: after expanding formulas and renaming modules, it has "
        "more than %u operators and operands",
        (unsigned)PRISM_MAX_NODES);
}

/* The formula of the file to which a node refers; NULL if it does not refer to one. */
static const prism_symbol *formula_of(const prism_resolver *resolver, const prism_node *node)
{
    if (node->op != PRISM_OP_NAME)
        return NULL;
    const prism_symbol *symbol = prism_scope_at(resolver->scope, node->value.name);
    bool is_own =
        symbol->kind == PRISM_SYMBOL_FORMULA && symbol->index < resolver->file->formulas.count;
    return is_own ? symbol : NULL;
}

/* The number of nodes after expansion. */
static uint64_t expanded_size(const prism_resolver *resolver, const prism_expression *expression)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < expression->count; i++) {
        const prism_symbol *formula = formula_of(resolver, &expression->nodes[i]);
        size += 1;
        if (formula != NULL)
            size += resolver->formulas[formula->index].count;
    }
    return size;
}

/* Stores the expansion of a node and returns its size. The name of a bad formula is not replaced. */
static uint32_t expand_node(const prism_resolver *resolver, const prism_node *node,
                            prism_node *into)
{
    const prism_symbol *formula = formula_of(resolver, node);
    const prism_expression none = {0},
                           *body = formula != NULL ? &resolver->formulas[formula->index] : &none;
    if (body->count > 0)
        memcpy(into, body->nodes, body->count * sizeof *into);
    into[body->count] = *node;
    if (body->count > 0) {
        into[body->count].op = PRISM_OP_EXPANDED;
        into[body->count].arity = 1;
    }
    return body->count + 1;
}

opac_status prism_expand(prism_resolver *resolver, const prism_expression *expression,
                         prism_expression *expanded, opac_error *error)
{
    *expanded = *expression;
    uint64_t size = expanded_size(resolver, expression);
    if (size == expression->count)
        return OPAC_OK;
    TRY(prism_count_nodes(resolver, size, prism_root(expression)->place, error));
    prism_node *nodes = prism_alloc_scratch(resolver, (size_t)size, sizeof *nodes, error);
    if (nodes == NULL)
        return OPAC_ERROR_MEMORY;
    uint32_t count = 0;
    for (uint32_t i = 0; i < expression->count; i++)
        count += expand_node(resolver, &expression->nodes[i], nodes + count);
    *expanded = (prism_expression){.nodes = nodes, .count = count};
    return OPAC_OK;
}

/* ---- formulas in formulas ---- */

static opac_status order_definitions(prism_resolver *resolver, opac_error *error)
{
    const prism_formula_syntax_vec *formulas = &resolver->file->formulas,
                                   *labels = &resolver->file->labels;
    size_t count = formulas->count + labels->count;
    prism_definitions definitions = {.kind = PRISM_SYMBOL_FORMULA,
                                     .noun = "formula",
                                     .count = (uint32_t)count,
                                     .first_label = (uint32_t)formulas->count};
    prism_expression *bodies = prism_alloc_scratch(resolver, count, sizeof *bodies, error);
    prism_name *names = prism_alloc_scratch(resolver, count, sizeof *names, error);
    if (bodies == NULL || names == NULL)
        return OPAC_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const prism_formula_syntax *syntax =
            i < formulas->count ? &formulas->items[i] : &labels->items[i - formulas->count];
        bodies[i] = syntax->value;
        names[i] = syntax->name;
    }
    definitions.bodies = bodies;
    definitions.names = names;
    return prism_order_definitions(resolver->scope, &definitions, resolver->report, resolver->order,
                                   resolver->is_bad, error);
}

/* The symbol of a formula; NULL if its name was declared before, which was reported. */
static prism_symbol *symbol_of(const prism_resolver *resolver, uint32_t formula)
{
    uint32_t id = resolver->file->formulas.items[formula].name.id;
    prism_symbol *symbol = &resolver->scope->symbols.items[id];
    bool is_own = symbol->kind == PRISM_SYMBOL_FORMULA && symbol->index == formula;
    return is_own ? symbol : NULL;
}

static opac_status expand_formula(prism_resolver *resolver, uint32_t formula, opac_error *error)
{
    prism_symbol *symbol = symbol_of(resolver, formula);
    if (!resolver->is_bad[formula])
        return prism_expand(resolver, &resolver->file->formulas.items[formula].value,
                            &resolver->formulas[formula], error);
    if (symbol != NULL)
        symbol->is_bad = true;
    return OPAC_OK;
}

opac_status prism_expand_formulas(prism_resolver *resolver, opac_error *error)
{
    size_t formulas = resolver->file->formulas.count,
           count = formulas + resolver->file->labels.count;
    resolver->order = prism_alloc_scratch(resolver, count, sizeof *resolver->order, error);
    resolver->is_bad = prism_alloc_scratch(resolver, count, sizeof *resolver->is_bad, error);
    resolver->formulas = prism_alloc_scratch(resolver, formulas, sizeof *resolver->formulas, error);
    if (resolver->order == NULL || resolver->is_bad == NULL || resolver->formulas == NULL)
        return OPAC_ERROR_MEMORY;
    memset(resolver->formulas, 0, formulas * sizeof *resolver->formulas);
    TRY(order_definitions(resolver, error));
    for (size_t i = 0; i < count; i++)
        if (resolver->order[i] < formulas)
            TRY(expand_formula(resolver, resolver->order[i], error));
    return OPAC_OK;
}

/* ---- analysis of formulas and labels ---- */

static opac_status check_formula(prism_resolver *resolver, uint32_t formula, opac_error *error)
{
    const prism_requirements required = {.type = PRISM_TYPE_UNKNOWN, .noun = "formula"};
    prism_symbol *symbol = symbol_of(resolver, formula);
    prism_expression result;
    if (symbol == NULL || symbol->is_bad)
        return OPAC_OK;
    resolver->analyser.arena = &resolver->scope->arena;
    TRY(prism_analyse(&resolver->analyser, &resolver->formulas[formula], &required, &result,
                      error));
    resolver->analyser.arena = &resolver->program->arena;
    symbol->value = result;
    symbol->has_value = result.count > 0;
    if (result.count > 0)
        symbol->type = (prism_type)prism_root(&result)->type;
    else
        symbol->is_bad = true;
    return OPAC_OK;
}

opac_status prism_check_definitions(prism_resolver *resolver, opac_error *error)
{
    size_t formulas = resolver->file->formulas.count,
           count = formulas + resolver->file->labels.count;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = resolver->order[i];
        if (at < formulas)
            TRY(check_formula(resolver, at, error));
        else
            TRY(prism_resolve_label(resolver, at - (uint32_t)formulas, resolver->is_bad[at],
                                    error));
    }
    return OPAC_OK;
}
