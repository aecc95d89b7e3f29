/* SPDX-License-Identifier: MIT */
/*
 * Reads one property. The ltl module parses its path formula and calls back to resolve expressions, bounds
 * and labels in the model.
 *
 * The ltl module reports places relative to the property; they are converted to places in the file here.
 */
#include <string.h>

#include "base/text.h"
#include "ltl/ltl_public.h"
#include "ltl/property.h"
#include "model/model.h"
#include "prism/expression_analysis.h"
#include "prism/properties.h"
#include "prism/property_bound.h"

/* ---- callbacks of the ltl module ---- */

static bool is_label(const opac_properties *properties, const char *name, size_t length)
{
    return (properties->model != NULL &&
            model_label_find(properties->model, name, length) != UINT32_MAX) ||
           prism_properties_label(properties, name, length) != NULL;
}

static opac_status check_label(void *context, const char *name, size_t length, uint32_t line,
                               uint32_t column, opac_error *error)
{
    const prism_property_reader *reader = context;
    const opac_properties *properties = reader->properties;
    if (reader->skips_names || properties->model == NULL || is_label(properties, name, length))
        return OPAC_OK;
    return prism_properties_fail_label(properties, name, length, line, column, error);
}

/*
 * The proposition of an expression: its text without blanks, in parentheses if it would be the name of a
 * label.
 */
static opac_status make_proposition(const opac_properties *properties, const char *text,
                                    size_t length, ltl_store *store, ltl_formula *result,
                                    opac_error *error)
{
    base_text name = {0};
    base_text_add_char(&name, '(');
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\r\n\v\f", text[i]) == NULL)
            base_text_add_char(&name, text[i]);
    base_text_add_char(&name, ')');
    opac_status status;
    TRY_OR(done, base_text_check(&name, error));
    const char *bytes = base_text_get(&name);
    *result = is_label(properties, bytes + 1, name.length - 2)
                  ? ltl_ap(store, bytes, name.length)
                  : ltl_ap(store, bytes + 1, name.length - 2);
done:
    base_text_fini(&name);
    return status;
}

static opac_status read_expression(void *context, const char *text, size_t length, uint32_t line,
                                   uint32_t column, ltl_store *store, ltl_formula *result,
                                   opac_error *error)
{
    const prism_property_reader *reader = context;
    const opac_properties *properties = reader->properties;
    base_arena arena = {0};
    prism_expression expression = {0};
    opac_status status = OPAC_OK;
    if (!reader->skips_names && properties->model != NULL)
        status = prism_scope_expression(properties->definitions.scope, text, length,
                                        (prism_place){line, column}, PRISM_TYPE_BOOL, &arena,
                                        &expression, error);
    if (status == OPAC_OK && expression.count == 1 && expression.nodes[0].op == PRISM_OP_BOOL)
        *result = expression.nodes[0].value.integer != 0 ? LTL_TRUE : LTL_FALSE;
    else if (status == OPAC_OK)
        status = make_proposition(properties, text, length, store, result, error);
    base_arena_fini(&arena);
    return status;
}

static opac_status read_number(void *context, const char *text, size_t length, uint32_t line,
                               uint32_t column, double *value, opac_error *error)
{
    const prism_property_reader *reader = context;
    base_arena arena = {0};
    prism_expression expression;
    char shown[OPAC_SHOWN_SIZE];
    *value = 1; /* valid in any bound */
    if (reader->skips_names)
        return OPAC_OK;
    opac_status status = prism_scope_expression(reader->properties->definitions.scope, text, length,
                                                (prism_place){line, column}, PRISM_TYPE_REAL,
                                                &arena, &expression, error);
    if (status == OPAC_OK && prism_is_literal(&expression.nodes[0]) && expression.count == 1)
        *value = prism_literal_double(&expression.nodes[0]);
    else if (status == OPAC_OK)
        status =
            base_fail_at(error, OPAC_ERROR_SYNTAX, line, column, "the bound '%s' is not constant",
                         opac_text_show(text, length, shown, sizeof shown));
    base_arena_fini(&arena);
    return status;
}

/* ---- places ---- */

static void to_file_place(const prism_property_reader *reader, uint32_t *line, uint32_t *column)
{
    if (*line == 0)
        return;
    if (*line == 1)
        *column += reader->place.column - 1;
    *line += reader->place.line - 1;
}

static void report_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    prism_property_reader *reader = context;
    to_file_place(reader, &line, &column);
    model_report_warning(&reader->report, line, column, "%s", text);
}

/* ---- bounds ---- */

/* The place of the bound in the file. */
static prism_place place_of_bound(const prism_property_reader *reader, const prism_item *item,
                                  const ltl_property *parsed)
{
    prism_place place = {1, 1};
    for (size_t i = 0; i < parsed->bound_begin; i++) {
        bool ends = reader->text[item->begin + i] == '\n';
        place.line += ends ? 1 : 0;
        place.column = ends ? 1 : place.column + 1;
    }
    to_file_place(reader, &place.line, &place.column);
    return place;
}

/*
 * Whether a bound is in [0, 1], or may be if it does not fit into a fraction. The ltl module has checked its
 * double, which may be 0 or 1 for a bound outside.
 */
static bool is_bound_in_range(const prism_bound *bound)
{
    const base_enclosure *e = &bound->enclosure;
    if (base_ratio_is_known(bound->ratio))
        return base_ratio_compare(bound->ratio, base_ratio_of_integer(0)) >= 0 &&
               base_ratio_compare(bound->ratio, base_ratio_of_integer(1)) <= 0;
    return e->low == e->high || (e->low < 1 && e->high > 0);
}

/*
 * Reads the bound exactly, which has been read as a double before. Reports an invalid one and clears
 * *is_valid.
 */
static opac_status read_bound(prism_property_reader *reader, const prism_item *item,
                              const ltl_property *parsed, prism_bound *bound, bool *is_valid,
                              opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *text = reader->blanked + item->begin + parsed->bound_begin;
    size_t length = parsed->bound_length;
    *is_valid = true;
    *bound = (prism_bound){.enclosure = base_enclosure_of_double(parsed->bound)};
    if (reader->skips_names || length == 0)
        return OPAC_OK;
    TRY(prism_bound_read(reader->properties->definitions.scope, text, length, bound, error));
    prism_place place = place_of_bound(reader, item, parsed);
    opac_text_show(text, length, shown, sizeof shown);
    *is_valid = is_bound_in_range(bound);
    if (!*is_valid)
        model_report_error(&reader->report, OPAC_ERROR_ARGUMENT, place.line, place.column,
                           LTL_MESSAGE_BAD_BOUND, shown);
    return OPAC_OK;
}

/* ---- the property ---- */

static opac_status check_name(prism_property_reader *reader, const prism_item *item,
                              opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *name = reader->text + item->name_begin;
    uint32_t id;
    bool is_new;
    if (item->name_length == 0)
        return OPAC_OK;
    TRY(base_intern_add(&reader->names, name, item->name_length, &id, &is_new, error));
    if (is_new)
        return base_u32_vec_push(&reader->lines, item->place.line, error);
    model_report_error(&reader->report, OPAC_ERROR_SYNTAX, item->name_place.line,
                       item->name_place.column, "there is already a property \"%s\" (line %u)",
                       opac_text_show(name, item->name_length, shown, sizeof shown),
                       reader->lines.items[id]);
    return OPAC_OK;
}

/* P=? is ambiguous for a model with choices. Without a model this cannot be checked. */
static opac_status check_direction(const prism_property_reader *reader, const ltl_property *parsed,
                                   opac_error *error)
{
    const opac_model *model = reader->properties->model;
    if (model == NULL || opac_model_get_type(model) != OPAC_MODEL_MDP ||
        parsed->direction != LTL_DIRECTION_NONE || parsed->comparison != LTL_COMPARISON_VALUE)
        return OPAC_OK;
    return base_fail_at(error, OPAC_ERROR_ARGUMENT, 1, 1,
                        "P=? is ambiguous for an MDP: write Pmax=? or Pmin=?");
}

static opac_status parse(prism_property_reader *reader, const prism_item *item,
                         ltl_property *parsed, opac_formula **formula, opac_error *error)
{
    const opac_formula_options options = {.notice = report_notice, .notice_context = reader};
    const ltl_prism_hooks hooks = {.context = reader,
                                   .expression = read_expression,
                                   .number = read_number,
                                   .label = check_label};
    ltl_store *store = NULL;
    TRY(ltl_store_new(&store, error));
    opac_status status;
    TRY_OR(done, ltl_parse_property(store, reader->blanked + item->begin, item->length, &options,
                                    &hooks, parsed, error));
    TRY_OR(done, check_direction(reader, parsed, error));
    TRY_OR(done, ltl_store_check(store, error));
    return ltl_public_wrap(store, parsed->formula, formula, error);
done:
    ltl_store_free(store);
    return status;
}

/* Adds the property; takes ownership of the formula on success. */
static opac_status add(prism_property_reader *reader, const prism_item *item,
                       const ltl_property *parsed, opac_formula *formula, opac_error *error)
{
    base_arena *arena = &reader->properties->arena;
    char *name = base_arena_copy_text(arena, reader->text + item->name_begin, item->name_length);
    char *text = base_arena_copy_text(arena, reader->text + item->begin, item->length);
    prism_bound bound;
    bool is_valid;
    if (name == NULL || text == NULL)
        return base_fail_memory(error);
    TRY(read_bound(reader, item, parsed, &bound, &is_valid, error));
    if (!is_valid) {
        opac_formula_free(formula);
        return OPAC_OK;
    }
    const opac_property property = {
        .name = name,
        .text = text,
        .line = item->place.line,
        .direction = (opac_direction)parsed->direction,
        .comparison = (opac_comparison)parsed->comparison,
        .bound = parsed->bound,
        .bound_numerator = bound.ratio.numerator,
        .bound_denominator = bound.ratio.denominator,
        .bound_below = bound.enclosure.low,
        .bound_above = bound.enclosure.high,
        .formula = formula,
    };
    return prism_property_vec_push(&reader->properties->items, property, error);
}

opac_status prism_read_property(prism_property_reader *reader, const prism_item *item,
                                opac_error *error)
{
    ltl_property parsed;
    opac_formula *formula = NULL;
    opac_error failure = {0};
    reader->place = item->place;
    reader->skips_names |= reader->report.errors.count >= MODEL_MOST_ERRORS;
    TRY(check_name(reader, item, error));
    opac_status status = parse(reader, item, &parsed, &formula, &failure);
    if (status == OPAC_OK) {
        status = add(reader, item, &parsed, formula, error);
        if (status != OPAC_OK)
            opac_formula_free(formula);
        return status;
    }
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    to_file_place(reader, &failure.line, &failure.column);
    if (failure.line == 0) { /* the formula as a whole exceeds a limit */
        failure.line = item->place.line;
        failure.column = item->place.column;
    }
    model_report_add(&reader->report, &failure);
    return OPAC_OK;
}
