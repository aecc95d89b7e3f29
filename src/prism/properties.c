/* SPDX-License-Identifier: MIT */
/* Reads property files: splits the text into items, reads all definitions, and then each property. */
#include "prism/properties.h"

#include <string.h>

#include "model/propositions.h"
#include "prism/resolve.h"
#include "prism/vocabulary.h"

/* ---- definitions ---- */

static opac_status gather(const prism_property_reader *reader, prism_slice **slices, size_t *count,
                          opac_error *error)
{
    prism_slice *result = base_alloc(reader->items.count, sizeof *result);
    *count = 0;
    if (result == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < reader->items.count; i++) {
        const prism_item *item = &reader->items.items[i];
        if (!item->is_definition)
            continue;
        const char *text = reader->blanked + item->begin;
        size_t length = item->length; /* extended by the semicolon and blanks before it */
        size_t blanks = strspn(text + length, " \t\r\n");
        if (text[length + blanks] == ';')
            length += blanks + 1;
        result[(*count)++] = (prism_slice){.text = text, .length = length, .place = item->place};
    }
    *slices = result;
    return OPAC_OK;
}

/* Without a model, only definitions of constants can be resolved. */
static void drop_expressions(prism_file *file)
{
    file->labels.count = 0;
    file->formulas.count = 0;
}

/* Reports labels of the file that the model has already. */
static void check_labels(prism_property_reader *reader)
{
    const opac_properties *properties = reader->properties;
    char shown[OPAC_SHOWN_SIZE];
    for (uint32_t i = 0; i < properties->definitions.label_count; i++) {
        const prism_label *label = &properties->definitions.labels[i];
        size_t length = strlen(label->name);
        if (model_label_find(properties->model, label->name, length) == UINT32_MAX)
            continue;
        model_report_error(&reader->report, OPAC_ERROR_SYNTAX, label->place.line,
                           label->place.column, "the model already has a label \"%s\"",
                           opac_text_show(label->name, length, shown, sizeof shown));
    }
}

/* The names are distinct: after an error, the program is empty. */
static opac_status index_labels(opac_properties *properties, opac_error *error)
{
    const prism_program *definitions = &properties->definitions;
    for (uint32_t i = 0; i < definitions->label_count; i++) {
        const char *name = definitions->labels[i].name;
        uint32_t id;
        TRY(base_intern_add(&properties->labels, name, strlen(name), &id, NULL, error));
    }
    return OPAC_OK;
}

static opac_status resolve_slices(prism_property_reader *reader, const prism_slice *slices,
                                  size_t count, const prism_scope *scope, opac_error *error)
{
    opac_properties *properties = reader->properties;
    prism_file file;
    opac_status status;
    TRY_OR(done,
           prism_parse_definitions(slices, count, &scope->names, &reader->report, &file, error));
    if (properties->model == NULL)
        drop_expressions(&file);
    if (!model_report_has_errors(&reader->report))
        TRY_OR(done, prism_resolve_definitions(&file, scope, reader->constants, &reader->report,
                                               &properties->definitions, error));
    TRY_OR(done, index_labels(properties, error));
    if (properties->model != NULL)
        check_labels(reader);
    reader->skips_names = model_report_has_errors(&reader->report);
done:
    prism_file_fini(&file);
    return status;
}

/* Reads the definitions; sets skips_names after errors. */
static opac_status read_definitions(prism_property_reader *reader, opac_error *error)
{
    const opac_model *model = reader->properties->model;
    const model_layout none = {0};
    const prism_scope *scope = model != NULL ? prism_vocabulary_scope(model) : NULL;
    prism_scope *own = NULL;
    prism_slice *slices = NULL;
    size_t count;
    opac_status status;
    TRY_OR(done, gather(reader, &slices, &count, error));
    if (scope == NULL) {
        TRY_OR(done, prism_scope_of_layout(model != NULL ? &model->layout : &none, &own, error));
        scope = own;
    }
    status = resolve_slices(reader, slices, count, scope, error);
done:
    prism_scope_free(own);
    base_free(slices);
    return status;
}

/* ---- labels ---- */

const prism_label *prism_properties_label(const opac_properties *properties, const char *name,
                                          size_t length)
{
    uint32_t id;
    bool is_there = base_intern_find(&properties->labels, name, length, &id);
    return is_there ? &properties->definitions.labels[id] : NULL;
}

opac_status prism_properties_fail_label(const opac_properties *properties, const char *name,
                                        size_t length, uint32_t line, uint32_t column,
                                        opac_error *error)
{
    const prism_program *definitions = &properties->definitions;
    const char **more = base_alloc(definitions->label_count, sizeof *more);
    if (more == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < definitions->label_count; i++)
        more[i] = definitions->labels[i].name;
    opac_status status = model_fail_label(properties->model, more, definitions->label_count, name,
                                          length, line, column, error);
    base_free(more);
    return status;
}

/* ---- the file ---- */

static opac_status read_items(prism_property_reader *reader, opac_error *error)
{
    size_t length = strlen(reader->text);
    reader->blanked = base_copy_text(reader->text, length);
    if (reader->blanked == NULL)
        return base_fail_memory(error);
    prism_blank_comments(reader->blanked, length);
    TRY(prism_split_items(reader->blanked, length, &reader->items, error));
    TRY(read_definitions(reader, error));
    size_t properties = 0;
    for (size_t i = 0; i < reader->items.count; i++) {
        if (reader->items.items[i].is_definition)
            continue;
        properties++;
        TRY(prism_read_property(reader, &reader->items.items[i], error));
    }
    if (properties == 0 && !model_report_has_errors(&reader->report))
        model_report_error(&reader->report, OPAC_ERROR_SYNTAX, 1, 1,
                           "the text contains no property");
    return model_report_end(&reader->report, error);
}

opac_property_options opac_property_defaults(void)
{
    return (opac_property_options){0};
}

opac_status opac_properties_parse(const char *text, const opac_model *model,
                                  const opac_property_options *options,
                                  opac_properties **properties, opac_error *error)
{
    static const opac_property_options none = {0};
    options = options != NULL ? options : &none;
    prism_property_reader reader = {.text = text, .constants = options->constants};
    *properties = NULL;
    reader.properties = base_alloc_zeroed(1, sizeof *reader.properties);
    if (reader.properties == NULL)
        return base_fail_memory(error);
    reader.properties->model = model;
    base_intern_init(&reader.properties->labels);
    base_intern_init(&reader.names);
    model_report_init(&reader.report, options->listener, options->listener_context, NULL, text,
                      strlen(text));
    opac_status status = read_items(&reader, error);
    model_report_fini(&reader.report);
    prism_item_vec_fini(&reader.items);
    base_u32_vec_fini(&reader.lines);
    base_intern_fini(&reader.names);
    base_free(reader.blanked);
    if (status == OPAC_OK)
        *properties = reader.properties;
    else
        opac_properties_free(reader.properties);
    return status;
}

void opac_properties_free(opac_properties *properties)
{
    if (properties == NULL)
        return;
    for (size_t i = 0; i < properties->items.count; i++)
        opac_formula_free((opac_formula *)properties->items.items[i].formula);
    prism_property_vec_fini(&properties->items);
    prism_program_fini(&properties->definitions);
    base_intern_fini(&properties->labels);
    base_arena_fini(&properties->arena);
    base_free(properties);
}

size_t opac_properties_count(const opac_properties *properties)
{
    return properties->items.count;
}

const opac_property *opac_properties_get(const opac_properties *properties, size_t index)
{
    return &properties->items.items[index];
}

/* ---- propositions ---- */

static opac_status evaluate_text(const opac_properties *properties, const char *text,
                                 base_bitset *states, opac_error *error)
{
    base_arena arena = {0};
    prism_expression expression;
    opac_status status =
        prism_scope_expression(properties->definitions.scope, text, strlen(text),
                               (prism_place){1, 1}, PRISM_TYPE_BOOL, &arena, &expression, error);
    if (status == OPAC_OK)
        status = prism_expression_states(properties->model, &expression, states, error);
    base_arena_fini(&arena);
    return status;
}

static bool is_word(const char *text)
{
    prism_lexer lexer;
    prism_token token;
    prism_lexer_open(&lexer, text, strlen(text), (prism_place){1, 1});
    prism_lexer_next(&lexer, &token);
    bool is_name = token.kind == PRISM_TOKEN_NAME || token.kind == PRISM_TOKEN_WORD;
    prism_lexer_next(&lexer, &token);
    return is_name && token.kind == PRISM_TOKEN_END;
}

static opac_status fail_without_model(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "the properties were read without a model and cannot be evaluated");
}

opac_status opac_properties_evaluate(const opac_properties *properties, const char *proposition,
                                     uint64_t *bits, opac_error *error)
{
    const opac_model *model = properties->model;
    size_t length = strlen(proposition);
    if (model == NULL)
        return fail_without_model(error);
    if (model_label_find(model, proposition, length) != UINT32_MAX)
        return opac_model_evaluate(model, proposition, bits, error);
    base_bitset states = {.words = bits, .size = opac_model_states(model)};
    const prism_label *label = prism_properties_label(properties, proposition, length);
    base_bitset_clear(&states);
    if (label != NULL)
        return prism_expression_states(model, &label->states, &states, error);
    opac_status status = evaluate_text(properties, proposition, &states, error);
    bool is_unknown = status == OPAC_ERROR_SYNTAX && is_word(proposition);
    return is_unknown ? prism_properties_fail_label(properties, proposition, length, 1, 1, error)
                      : status;
}

/* ---- letters ---- */

static opac_status evaluate_in_properties(const void *context, const char *proposition,
                                          uint64_t *bits, opac_error *error)
{
    return opac_properties_evaluate(context, proposition, bits, error);
}

opac_status opac_properties_letters(const opac_properties *properties, size_t index,
                                    uint64_t *letters, opac_error *error)
{
    const opac_formula *formula = properties->items.items[index].formula;
    size_t count = opac_formula_proposition_count(formula);
    if (properties->model == NULL)
        return fail_without_model(error);
    const char **names = base_alloc(count, sizeof *names);
    if (names == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = opac_formula_proposition(formula, i);
    opac_status status = model_make_letters(opac_model_states(properties->model), names, count,
                                            evaluate_in_properties, properties, letters, error);
    base_free(names);
    return status;
}
