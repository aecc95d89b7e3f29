/* SPDX-License-Identifier: MIT */
/*
 * The first pass: what names stand for. A name that nobody knows is told once
 * at its place, with the nearest one that is known; so is a function, or a
 * label. A label is put in its place resolved, as its definition has it, so that
 * a module that is renamed does not change it.
 */
#include <stdio.h>
#include <string.h>

#include "prism/elaborate.h"

typedef struct function {
    const char *name;
    prism_op op;
    uint32_t least, most; /* arguments */
    const char *count;
} function;

static const function functions[] = {
    {"min", PRISM_OP_MIN, 1, UINT32_MAX, "one argument or more"},
    {"max", PRISM_OP_MAX, 1, UINT32_MAX, "one argument or more"},
    {"floor", PRISM_OP_FLOOR, 1, 1, "one argument"},
    {"ceil", PRISM_OP_CEIL, 1, 1, "one argument"},
    {"round", PRISM_OP_ROUND, 1, 1, "one argument"},
    {"pow", PRISM_OP_POWER, 2, 2, "two arguments"},
    {"mod", PRISM_OP_MOD, 2, 2, "two arguments"},
    {"log", PRISM_OP_LOG, 2, 2, "two arguments"},
};

enum {
    FUNCTION_COUNT = sizeof functions / sizeof functions[0]
};

/* Enough are told already: no need to look for what was meant, which costs a walk over all. */
static bool is_told_enough(const prism_elaborator *elaborator)
{
    return elaborator->report->errors.count >= MODEL_MOST_ERRORS;
}

static opac_status report_unknown(prism_elaborator *elaborator, const char *name, size_t length,
                                  prism_place place, opac_error *error)
{
    const unsigned kinds =
        1u << PRISM_SYMBOL_CONSTANT | 1u << PRISM_SYMBOL_VARIABLE | 1u << PRISM_SYMBOL_FORMULA;
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE] = "";
    opac_text_show(name, length, shown, sizeof shown);
    if (prism_scope_find_label(elaborator->scope, name, length)->kind == PRISM_SYMBOL_LABEL)
        snprintf(hint, sizeof hint, "; did you mean \"%s\"?", shown);
    else if (!is_told_enough(elaborator))
        TRY(prism_scope_hint(elaborator->scope, kinds, name, length, hint, error));
    prism_mistake(elaborator, OPAC_ERROR_SYNTAX, place, "unknown name '%s'%s", shown, hint);
    return OPAC_OK;
}

/* ---- operands ---- */

static void report_variable(prism_elaborator *elaborator, const char *name, size_t length,
                            prism_place place, const prism_wanted *wanted)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(name, length, shown, sizeof shown);
    prism_mistake(elaborator, OPAC_ERROR_SYNTAX, place,
                  "the %s may use only constants, but '%s' is a variable", wanted->noun, shown);
    elaborator->is_unknown = true;
}

static opac_status add_node(prism_elaborator *elaborator, prism_node node, opac_error *error)
{
    if (elaborator->nodes.count >= PRISM_MOST_NODES)
        return base_fail_at(error, OPAC_ERROR_LIMIT, elaborator->place.line,
                            elaborator->place.column,
                            "the expression has more than %u operators and operands, formulas "
                            "included",
                            (unsigned)PRISM_MOST_NODES);
    return prism_node_vec_push(&elaborator->nodes, node, error);
}

/* Definitions that use one another twice grow beyond all memory, a few lines of them. */
static opac_status spend(prism_elaborator *elaborator, const prism_symbol *symbol,
                         prism_place place, opac_error *error)
{
    elaborator->spliced += symbol->value.count;
    if (elaborator->spliced <= PRISM_MOST_NODES)
        return OPAC_OK;
    return base_fail_at(
        error, OPAC_ERROR_LIMIT, place.line, place.column,
        "too large: with formulas and labels in their places there are more than %u "
        "operators and operands",
        (unsigned)PRISM_MOST_NODES);
}

/* A formula or a label of the scope, whose nodes are resolved already. */
static opac_status splice(prism_elaborator *elaborator, const prism_symbol *formula,
                          const prism_node *use, const prism_wanted *wanted, opac_error *error)
{
    bool has_variable = false;
    TRY(spend(elaborator, formula, use->place, error));
    for (uint32_t i = 0; i < formula->value.count; i++) {
        has_variable |= formula->value.nodes[i].op == PRISM_OP_VARIABLE;
        TRY(add_node(elaborator, formula->value.nodes[i], error));
    }
    if (has_variable && wanted->is_constant) {
        prism_mistake(elaborator, OPAC_ERROR_SYNTAX, use->place,
                      "the %s may use only constants, but this formula uses a variable",
                      wanted->noun);
        elaborator->is_unknown = true;
    }
    elaborator->place = use->place;
    elaborator->is_unknown |= !formula->has_value;
    return OPAC_OK;
}

static opac_status bind_constant(prism_elaborator *elaborator, const prism_symbol *symbol,
                                 prism_node node, opac_error *error)
{
    node.type = (uint8_t)symbol->type;
    if (symbol->has_value) {
        prism_place place = node.place;
        node = symbol->value.nodes[0];
        node.place = place;
    }
    elaborator->is_unknown |= symbol->type == PRISM_TYPE_UNKNOWN;
    elaborator->is_incomplete |= !symbol->has_value;
    return add_node(elaborator, node, error);
}

static opac_status bind_name(prism_elaborator *elaborator, prism_node node,
                             const prism_wanted *wanted, opac_error *error)
{
    size_t length;
    const char *name = (const char *)base_intern_key(elaborator->names, node.value.name, &length);
    const prism_symbol *symbol = elaborator->names == &elaborator->scope->names
                                     ? prism_scope_at(elaborator->scope, node.value.name)
                                     : prism_scope_find(elaborator->scope, name, length);
    switch (symbol->kind) {
    case PRISM_SYMBOL_CONSTANT:
        return bind_constant(elaborator, symbol, node, error);
    case PRISM_SYMBOL_VARIABLE:
        if (wanted->is_constant)
            report_variable(elaborator, name, length, node.place, wanted);
        elaborator->is_unknown |= symbol->type == PRISM_TYPE_UNKNOWN;
        node.op = PRISM_OP_VARIABLE;
        node.type = (uint8_t)symbol->type;
        node.value.index = symbol->index;
        return add_node(elaborator, node, error);
    case PRISM_SYMBOL_FORMULA:
        return splice(elaborator, symbol, &node, wanted, error);
    case PRISM_SYMBOL_LABEL:
    case PRISM_SYMBOL_NONE:
        break;
    }
    elaborator->is_unknown = true;
    return report_unknown(elaborator, name, length, node.place, error);
}

/* ---- labels ---- */

static opac_status report_label(prism_elaborator *elaborator, const char *name, size_t length,
                                prism_place place, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE] = "";
    opac_text_show(name, length, shown, sizeof shown);
    if (prism_is_own_label(name, length)) {
        prism_mistake(elaborator, OPAC_ERROR_SYNTAX, place,
                      "the label \"%s\" cannot be used in a model: it is known only when all "
                      "states are",
                      shown);
        return OPAC_OK;
    }
    if (!is_told_enough(elaborator))
        TRY(prism_scope_hint(elaborator->scope, 1u << PRISM_SYMBOL_LABEL, name, length, hint,
                             error));
    prism_mistake(elaborator, OPAC_ERROR_SYNTAX, place, "unknown label \"%s\"%s", shown, hint);
    return OPAC_OK;
}

static opac_status bind_label(prism_elaborator *elaborator, const prism_node *node,
                              const prism_wanted *wanted, opac_error *error)
{
    size_t length;
    char shown[OPAC_SHOWN_SIZE];
    const char *name = (const char *)base_intern_key(elaborator->names, node->value.name, &length);
    const prism_symbol *symbol = elaborator->names == &elaborator->scope->names
                                     ? prism_scope_label_at(elaborator->scope, node->value.name)
                                     : prism_scope_find_label(elaborator->scope, name, length);
    if (symbol->kind == PRISM_SYMBOL_LABEL && !wanted->is_constant)
        return splice(elaborator, symbol, node, wanted, error);
    elaborator->is_unknown = true;
    if (symbol->kind != PRISM_SYMBOL_LABEL)
        return report_label(elaborator, name, length, node->place, error);
    prism_mistake(elaborator, OPAC_ERROR_SYNTAX, node->place,
                  "the %s may use only constants, but \"%s\" is a label", wanted->noun,
                  opac_text_show(name, length, shown, sizeof shown));
    return OPAC_OK;
}

/* ---- calls ---- */

static void report_function(prism_elaborator *elaborator, const char *name, size_t length,
                            prism_place place)
{
    const char *candidates[FUNCTION_COUNT];
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE];
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        candidates[i] = functions[i].name;
    prism_hint_of(name, length, candidates, FUNCTION_COUNT, hint);
    prism_mistake(elaborator, OPAC_ERROR_SYNTAX, place, "unknown function '%s'%s",
                  opac_text_show(name, length, shown, sizeof shown), hint);
}

static opac_status bind_call(prism_elaborator *elaborator, prism_node node, opac_error *error)
{
    size_t length;
    const char *name = (const char *)base_intern_key(elaborator->names, node.value.name, &length);
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        const function *known = &functions[i];
        if (strlen(known->name) != length || memcmp(known->name, name, length) != 0)
            continue;
        if (node.arity >= known->least && node.arity <= known->most) {
            node.op = (uint8_t)known->op;
            return add_node(elaborator, node, error);
        }
        elaborator->is_unknown = true;
        prism_mistake(elaborator, OPAC_ERROR_SYNTAX, node.place, "%s takes %s, but has %u",
                      known->name, known->count, node.arity);
        return OPAC_OK;
    }
    elaborator->is_unknown = true;
    report_function(elaborator, name, length, node.place);
    return OPAC_OK;
}

/* ---- all ---- */

/* A formula that was expanded before: bad ones were told, good ones have their nodes here. */
static void leave_formula(prism_elaborator *elaborator, const prism_node *node)
{
    const prism_symbol *symbol = prism_scope_at(elaborator->scope, node->value.name);
    elaborator->is_unknown |= symbol->is_bad;
    elaborator->place = node->place;
}

opac_status prism_bind_names(prism_elaborator *elaborator, const prism_expression *expression,
                             const prism_wanted *wanted, opac_error *error)
{
    elaborator->nodes.count = 0;
    elaborator->is_unknown = false;
    elaborator->is_incomplete = false;
    for (uint32_t i = 0; i < expression->count; i++) {
        const prism_node *node = &expression->nodes[i];
        elaborator->place = node->place;
        if (node->op == PRISM_OP_NAME)
            TRY(bind_name(elaborator, *node, wanted, error));
        else if (node->op == PRISM_OP_LABEL)
            TRY(bind_label(elaborator, node, wanted, error));
        else if (node->op == PRISM_OP_CALL)
            TRY(bind_call(elaborator, *node, error));
        else if (node->op == PRISM_OP_EXPANDED)
            leave_formula(elaborator, node);
        else
            TRY(add_node(elaborator, *node, error));
    }
    return OPAC_OK;
}
