/* SPDX-License-Identifier: MIT */
/*
 * Evaluates constants: a value given by the caller overrides that of the file; the others are computed in an
 * order in which each comes after those that it uses. Undefined constants are reported in one message.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "prism/arithmetic.h"
#include "prism/number.h"
#include "prism/resolve.h"

static prism_type type_of(const prism_constant_syntax *constant)
{
    return constant->type == PRISM_TYPE_UNKNOWN ? PRISM_TYPE_INT : constant->type;
}

static prism_symbol *symbol_of(const prism_resolver *resolver, uint32_t index)
{
    uint32_t id = resolver->file->constants.items[index].name.id;
    prism_symbol *symbol = &resolver->scope->symbols.items[id];
    bool is_own = symbol->kind == PRISM_SYMBOL_CONSTANT && symbol->index == index;
    return is_own ? symbol : NULL; /* NULL if the name is declared twice, which was reported */
}

static opac_status set_value(prism_resolver *resolver, prism_symbol *symbol,
                             const prism_node *literal, opac_error *error)
{
    const prism_expression value = {.nodes = literal, .count = 1};
    TRY(prism_scope_copy_expression(resolver->scope, &value, &symbol->value, error));
    symbol->has_value = true;
    return OPAC_OK;
}

/* ---- values given by the caller ---- */

static opac_status set_real(prism_resolver *resolver, const model_constant *given,
                            prism_node *literal, opac_error *error)
{
    prism_number number;
    literal->op = PRISM_OP_REAL;
    literal->value.real = given->real;
    const char *text = given->text + (*given->text == '+');
    prism_number_of_text(text, strlen(text), given->real, &number);
    return prism_literal_set_number(literal, &number, &resolver->scratch) ? OPAC_OK
                                                                          : base_fail_memory(error);
}

/* False if the value is not of the type of the constant. For a real, the caller sets the value. */
static bool make_literal(const model_constant *given, prism_type type, prism_node *literal)
{
    bool is_bool = given->kind == MODEL_CONSTANT_BOOL;
    if (is_bool != (type == PRISM_TYPE_BOOL) ||
        (type == PRISM_TYPE_INT && given->kind != MODEL_CONSTANT_INT))
        return false;
    literal->type = (uint8_t)type;
    literal->op = is_bool ? PRISM_OP_BOOL : PRISM_OP_INT;
    literal->value.integer = given->integer;
    return true;
}

static opac_status set_given(prism_resolver *resolver, prism_symbol *symbol, const prism_name *name,
                             const model_constant *given, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], text[OPAC_SHOWN_SIZE];
    prism_node literal = {.place = name->place};
    bool is_real = symbol->type == PRISM_TYPE_REAL;
    bool is_small = is_real && prism_real_underflows(given->real) && given->real != 0;
    if (!is_small && make_literal(given, symbol->type, &literal)) {
        if (is_real)
            TRY(set_real(resolver, given, &literal, error));
        return set_value(resolver, symbol, &literal, error);
    }
    symbol->is_bad = true;
    opac_text_show(given->text, strlen(given->text), text, sizeof text);
    prism_show_name_id(&resolver->scope->names, name->id, shown);
    if (is_small)
        model_report_error(
            resolver->report, OPAC_ERROR_ARGUMENT, name->place.line, name->place.column,
            "the value %s given for constant '%s' is not 0 but too small for a double "
            "(below 2.3e-308)",
            text, shown);
    else
        model_report_error(resolver->report, OPAC_ERROR_ARGUMENT, name->place.line,
                           name->place.column, "the value %s given for constant '%s' is not %s",
                           text, shown, prism_type_name(symbol->type));
    return OPAC_OK;
}

/* ---- computed values ---- */

static opac_status compute(prism_resolver *resolver, prism_symbol *symbol, const prism_name *name,
                           const prism_expression *body, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], noun[OPAC_SHOWN_SIZE + 16];
    prism_expression result;
    snprintf(noun, sizeof noun, "value for '%s'",
             prism_show_name_id(&resolver->scope->names, name->id, shown));
    const prism_requirements required = {.type = symbol->type,
                                         .is_constant = true,
                                         .is_exact = symbol->type == PRISM_TYPE_REAL,
                                         .noun = noun};
    TRY(prism_analyse(&resolver->analyser, body, &required, &result, error));
    if (result.count > 0)
        TRY(set_value(resolver, symbol, result.nodes, error));
    return OPAC_OK;
}

/* ---- undefined constants ---- */

/* Lists the names, and how to define them in the syntax of opac_constants_add. */
static void list_undefined(const prism_resolver *resolver, const base_u32_vec *undefined,
                           base_text *text)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t count = undefined->count;
    base_text_add(text, count > 1 ? "constants " : "constant ");
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 == count ? " and " : ", ";
        base_text_format(text, "%s%s", before,
                         prism_show_name_id(&resolver->file->names, undefined->items[i], shown));
    }
    base_text_add(text,
                  count > 1 ? " have no values: give them with " : " has no value: give it with ");
    for (size_t i = 0; i < count; i++)
        base_text_format(text, "%s%s=...", i == 0 ? "" : ",",
                         prism_show_name_id(&resolver->file->names, undefined->items[i], shown));
}

static opac_status report_undefined(prism_resolver *resolver, const base_u32_vec *undefined,
                                    prism_place place, opac_error *error)
{
    base_text text = {0};
    if (undefined->count == 0)
        return OPAC_OK;
    list_undefined(resolver, undefined, &text);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK) {
        opac_error found;
        base_fail_at(&found, OPAC_ERROR_ARGUMENT, place.line, place.column, "%s",
                     base_text_get(&text));
        base_set_parameter(&found, "constants", 0);
        model_report_add(resolver->report, &found);
    }
    base_text_fini(&text);
    return status;
}

/* ---- all constants ---- */

typedef struct evaluation {
    prism_expression *bodies; /* expanded */
    prism_name *names;
    uint32_t *order;
    bool *is_bad;
    base_u32_vec undefined; /* names of undefined constants, in the order of the file */
} evaluation;

/* Computes a constant; those that it uses have been computed before. */
static opac_status evaluate(prism_resolver *resolver, const evaluation *all, uint32_t index,
                            opac_error *error)
{
    const prism_name *name = &all->names[index];
    prism_symbol *symbol = symbol_of(resolver, index);
    if (symbol == NULL || symbol->has_value || symbol->is_bad || all->bodies[index].count == 0)
        return OPAC_OK;
    if (all->is_bad[index]) {
        symbol->is_bad = true;
        return OPAC_OK;
    }
    return compute(resolver, symbol, name, &all->bodies[index], error);
}

/* Sets a constant that is given, or notes that it is undefined, or expands its expression. */
static opac_status prepare(prism_resolver *resolver, evaluation *all, uint32_t index,
                           opac_error *error)
{
    const prism_constant_syntax *constant = &resolver->file->constants.items[index];
    prism_symbol *symbol = symbol_of(resolver, index);
    model_constant given;
    size_t length;
    all->names[index] = constant->name;
    all->bodies[index] = (prism_expression){0};
    if (symbol == NULL)
        return OPAC_OK;
    symbol->type = type_of(constant);
    const char *text = prism_name_text(resolver->file, constant->name.id, &length);
    if (model_constants_use(resolver->constants, text, length, &given))
        return set_given(resolver, symbol, &constant->name, &given, error);
    if (constant->value.count == 0)
        return base_u32_vec_push(&all->undefined, constant->name.id, error);
    return prism_expand(resolver, &constant->value, &all->bodies[index], error);
}

static opac_status evaluate_all(prism_resolver *resolver, evaluation *all, opac_error *error)
{
    uint32_t count = (uint32_t)resolver->file->constants.count;
    prism_place first = {0};
    for (uint32_t i = 0; i < count; i++) {
        TRY(prepare(resolver, all, i, error));
        if (all->undefined.count == 1 && first.line == 0)
            first = all->names[i].place;
    }
    const prism_definitions definitions = {.kind = PRISM_SYMBOL_CONSTANT,
                                           .noun = "constant",
                                           .bodies = all->bodies,
                                           .names = all->names,
                                           .count = count,
                                           .first_label = count};
    TRY(report_undefined(resolver, &all->undefined, first, error));
    TRY(prism_order_definitions(resolver->scope, &definitions, resolver->report, all->order,
                                all->is_bad, error));
    for (uint32_t i = 0; i < count; i++)
        TRY(evaluate(resolver, all, all->order[i], error));
    return OPAC_OK;
}

opac_status prism_evaluate_constants(prism_resolver *resolver, opac_error *error)
{
    size_t count = resolver->file->constants.count;
    evaluation all = {0};
    all.bodies = prism_alloc_scratch(resolver, count, sizeof *all.bodies, error);
    all.names = prism_alloc_scratch(resolver, count, sizeof *all.names, error);
    all.order = prism_alloc_scratch(resolver, count, sizeof *all.order, error);
    all.is_bad = prism_alloc_scratch(resolver, count, sizeof *all.is_bad, error);
    if (all.bodies == NULL || all.names == NULL || all.order == NULL || all.is_bad == NULL)
        return OPAC_ERROR_MEMORY;
    opac_status status = evaluate_all(resolver, &all, error);
    base_u32_vec_fini(&all.undefined);
    return status;
}
