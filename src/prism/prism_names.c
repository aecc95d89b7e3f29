/* SPDX-License-Identifier: MIT */
/*
 * The first pass: name resolution. An unknown name, function or label is reported at its place, with the most
 * similar known one. A label is replaced by its resolved definition, so that renaming a module does not
 * change it.
 */
#include <stdio.h>
#include <string.h>

#include "prism/expression_analysis.h"

typedef struct function {
    const char *name;
    prism_op op;
    uint32_t least, most; /* number of arguments */
    const char *count;    /* the same in words */
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

/*
 * Whether further errors are not shown, so that the search for a similar name, which is linear, is omitted.
 */
static bool has_enough_errors(const prism_analyser *analyser)
{
    return analyser->report->errors.count >= MODEL_MOST_ERRORS;
}

static opac_status report_unknown(prism_analyser *analyser, const char *name, size_t length,
                                  prism_place place, opac_error *error)
{
    const unsigned kinds =
        1u << PRISM_SYMBOL_CONSTANT | 1u << PRISM_SYMBOL_VARIABLE | 1u << PRISM_SYMBOL_FORMULA;
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE] = "";
    opac_text_show(name, length, shown, sizeof shown);
    if (prism_scope_find_label(analyser->scope, name, length)->kind == PRISM_SYMBOL_LABEL)
        snprintf(hint, sizeof hint, "; did you mean \"%s\"?", shown);
    else if (!has_enough_errors(analyser))
        TRY(prism_scope_hint(analyser->scope, kinds, name, length, hint, error));
    prism_report_error(analyser, OPAC_ERROR_SYNTAX, place, "unknown name '%s'%s", shown, hint);
    return OPAC_OK;
}

/* ---- operands ---- */

static void report_variable(prism_analyser *analyser, const char *name, size_t length,
                            prism_place place, const prism_requirements *required)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(name, length, shown, sizeof shown);
    prism_report_error(analyser, OPAC_ERROR_SYNTAX, place,
                       "the %s may use only constants, but '%s' is a variable", required->noun,
                       shown);
    analyser->is_unknown = true;
}

static opac_status add_node(prism_analyser *analyser, prism_node node, opac_error *error)
{
    if (analyser->nodes.count >= PRISM_MAX_NODES)
        return base_fail_at(error, OPAC_ERROR_LIMIT, analyser->place.line, analyser->place.column,
                            "the expression has more than %u operators and operands, formulas "
                            "included",
                            (unsigned)PRISM_MAX_NODES);
    return prism_node_vec_push(&analyser->nodes, node, error);
}

/* Bounds the total size: it is exponential if each of several definitions uses the one before it twice. */
static opac_status count_inlined_nodes(prism_analyser *analyser, const prism_symbol *symbol,
                                       prism_place place, opac_error *error)
{
    analyser->inlined_nodes += symbol->value.count;
    if (analyser->inlined_nodes <= PRISM_MAX_NODES)
        return OPAC_OK;
    return base_fail_at(
        error, OPAC_ERROR_LIMIT, place.line, place.column,
        "after replacing formulas and labels by their definitions, there are more than %u "
        "operators and operands",
        (unsigned)PRISM_MAX_NODES);
}

/* Replaces the use of a formula or label by its definition, whose nodes are resolved already. */
static opac_status inline_definition(prism_analyser *analyser, const prism_symbol *formula,
                                     const prism_node *use, const prism_requirements *required,
                                     opac_error *error)
{
    bool has_variable = false;
    TRY(count_inlined_nodes(analyser, formula, use->place, error));
    for (uint32_t i = 0; i < formula->value.count; i++) {
        has_variable |= formula->value.nodes[i].op == PRISM_OP_VARIABLE;
        TRY(add_node(analyser, formula->value.nodes[i], error));
    }
    if (has_variable && required->is_constant) {
        prism_report_error(analyser, OPAC_ERROR_SYNTAX, use->place,
                           "the %s may use only constants, but this formula uses a variable",
                           required->noun);
        analyser->is_unknown = true;
    }
    analyser->place = use->place;
    analyser->is_unknown |= !formula->has_value;
    return OPAC_OK;
}

static opac_status bind_constant(prism_analyser *analyser, const prism_symbol *symbol,
                                 prism_node node, opac_error *error)
{
    node.type = (uint8_t)symbol->type;
    if (symbol->has_value) {
        prism_place place = node.place;
        node = symbol->value.nodes[0];
        node.place = place;
    }
    analyser->is_unknown |= symbol->type == PRISM_TYPE_UNKNOWN;
    analyser->is_incomplete |= !symbol->has_value;
    return add_node(analyser, node, error);
}

static opac_status bind_name(prism_analyser *analyser, prism_node node,
                             const prism_requirements *required, opac_error *error)
{
    size_t length;
    const char *name = (const char *)base_intern_key(analyser->names, node.value.name, &length);
    const prism_symbol *symbol = analyser->names == &analyser->scope->names
                                     ? prism_scope_at(analyser->scope, node.value.name)
                                     : prism_scope_find(analyser->scope, name, length);
    switch (symbol->kind) {
    case PRISM_SYMBOL_CONSTANT:
        return bind_constant(analyser, symbol, node, error);
    case PRISM_SYMBOL_VARIABLE:
        if (required->is_constant)
            report_variable(analyser, name, length, node.place, required);
        analyser->is_unknown |= symbol->type == PRISM_TYPE_UNKNOWN;
        node.op = PRISM_OP_VARIABLE;
        node.type = (uint8_t)symbol->type;
        node.value.index = symbol->index;
        return add_node(analyser, node, error);
    case PRISM_SYMBOL_FORMULA:
        return inline_definition(analyser, symbol, &node, required, error);
    case PRISM_SYMBOL_LABEL:
    case PRISM_SYMBOL_NONE:
        break;
    }
    analyser->is_unknown = true;
    return report_unknown(analyser, name, length, node.place, error);
}

/* ---- labels ---- */

static opac_status report_label(prism_analyser *analyser, const char *name, size_t length,
                                prism_place place, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE] = "";
    opac_text_show(name, length, shown, sizeof shown);
    if (prism_is_builtin_label(name, length)) {
        prism_report_error(analyser, OPAC_ERROR_SYNTAX, place,
                           "the label \"%s\" cannot be used in a model, as it is computed from the "
                           "explored states",
                           shown);
        return OPAC_OK;
    }
    if (!has_enough_errors(analyser))
        TRY(prism_scope_hint(analyser->scope, 1u << PRISM_SYMBOL_LABEL, name, length, hint, error));
    prism_report_error(analyser, OPAC_ERROR_SYNTAX, place, "unknown label \"%s\"%s", shown, hint);
    return OPAC_OK;
}

static opac_status bind_label(prism_analyser *analyser, const prism_node *node,
                              const prism_requirements *required, opac_error *error)
{
    size_t length;
    char shown[OPAC_SHOWN_SIZE];
    const char *name = (const char *)base_intern_key(analyser->names, node->value.name, &length);
    const prism_symbol *symbol = analyser->names == &analyser->scope->names
                                     ? prism_scope_label_at(analyser->scope, node->value.name)
                                     : prism_scope_find_label(analyser->scope, name, length);
    if (symbol->kind == PRISM_SYMBOL_LABEL && !required->is_constant)
        return inline_definition(analyser, symbol, node, required, error);
    analyser->is_unknown = true;
    if (symbol->kind != PRISM_SYMBOL_LABEL)
        return report_label(analyser, name, length, node->place, error);
    prism_report_error(analyser, OPAC_ERROR_SYNTAX, node->place,
                       "the %s may use only constants, but \"%s\" is a label", required->noun,
                       opac_text_show(name, length, shown, sizeof shown));
    return OPAC_OK;
}

/* ---- calls ---- */

static void report_function(prism_analyser *analyser, const char *name, size_t length,
                            prism_place place)
{
    const char *candidates[FUNCTION_COUNT];
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE];
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        candidates[i] = functions[i].name;
    prism_format_hint(name, length, candidates, FUNCTION_COUNT, hint);
    prism_report_error(analyser, OPAC_ERROR_SYNTAX, place, "unknown function '%s'%s",
                       opac_text_show(name, length, shown, sizeof shown), hint);
}

static opac_status bind_call(prism_analyser *analyser, prism_node node, opac_error *error)
{
    size_t length;
    const char *name = (const char *)base_intern_key(analyser->names, node.value.name, &length);
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        const function *known = &functions[i];
        if (strlen(known->name) != length || memcmp(known->name, name, length) != 0)
            continue;
        if (node.arity >= known->least && node.arity <= known->most) {
            node.op = (uint8_t)known->op;
            return add_node(analyser, node, error);
        }
        analyser->is_unknown = true;
        prism_report_error(analyser, OPAC_ERROR_SYNTAX, node.place, "%s takes %s, but is given %u",
                           known->name, known->count, node.arity);
        return OPAC_OK;
    }
    analyser->is_unknown = true;
    report_function(analyser, name, length, node.place);
    return OPAC_OK;
}

/* ---- the expression ---- */

/* The end of a formula that was expanded before. An error in its definition has been reported. */
static void end_formula(prism_analyser *analyser, const prism_node *node)
{
    const prism_symbol *symbol = prism_scope_at(analyser->scope, node->value.name);
    analyser->is_unknown |= symbol->is_bad;
    analyser->place = node->place;
}

opac_status prism_bind_names(prism_analyser *analyser, const prism_expression *expression,
                             const prism_requirements *required, opac_error *error)
{
    analyser->nodes.count = 0;
    analyser->is_unknown = false;
    analyser->is_incomplete = false;
    for (uint32_t i = 0; i < expression->count; i++) {
        const prism_node *node = &expression->nodes[i];
        analyser->place = node->place;
        if (node->op == PRISM_OP_NAME)
            TRY(bind_name(analyser, *node, required, error));
        else if (node->op == PRISM_OP_LABEL)
            TRY(bind_label(analyser, node, required, error));
        else if (node->op == PRISM_OP_CALL)
            TRY(bind_call(analyser, *node, error));
        else if (node->op == PRISM_OP_EXPANDED)
            end_formula(analyser, node);
        else
            TRY(add_node(analyser, *node, error));
    }
    return OPAC_OK;
}
