/* SPDX-License-Identifier: MIT */
/*
 * Expands a proposition of a property file: replaces labels, formulas and constants of the file by their
 * definitions, so that the model alone can evaluate it.
 */
#include <string.h>

#include "prism/expression_write.h"
#include "prism/properties.h"
#include "prism/vocabulary.h"

static opac_status parse_in_scope(const prism_scope *scope, const char *text, base_arena *arena,
                                  prism_expression *expression, opac_error *error)
{
    return prism_scope_expression(scope, text, strlen(text), (prism_place){1, 1}, PRISM_TYPE_BOOL,
                                  arena, expression, error);
}

/*
 * Writes an expression; in parentheses if its text is the name of a label, which the model would use instead.
 */
static opac_status write_unambiguously(const prism_expression *expression, const opac_model *model,
                                       base_text *expanded, opac_error *error)
{
    TRY(prism_expression_write(expression, model, expanded, error));
    if (model_label_find(model, base_text_get(expanded), expanded->length) == UINT32_MAX)
        return OPAC_OK;
    base_text_clear(expanded);
    base_text_add(expanded, "(");
    prism_expression_write(expression, model, expanded, error);
    base_text_add(expanded, ")");
    return base_text_check(expanded, error);
}

static opac_status write_expression(const opac_properties *properties,
                                    const prism_scope *model_scope, const char *proposition,
                                    base_text *expanded, opac_error *error)
{
    base_arena arena = {0};
    prism_expression expression;
    opac_error ignored;
    opac_status status = parse_in_scope(model_scope, proposition, &arena, &expression, &ignored);
    if (status == OPAC_ERROR_MEMORY) {
        status = base_fail_memory(error);
    } else if (status != OPAC_OK) {
        status =
            parse_in_scope(properties->definitions.scope, proposition, &arena, &expression, error);
        if (status == OPAC_OK)
            status = write_unambiguously(&expression, properties->model, expanded, error);
    }
    base_arena_fini(&arena);
    return status;
}

opac_status prism_properties_expand(const opac_properties *properties, const char *proposition,
                                    base_text *expanded, opac_error *error)
{
    const opac_model *model = properties->model;
    const prism_scope *model_scope = prism_vocabulary_scope(model);
    size_t length = strlen(proposition);
    base_text_clear(expanded);
    if (model_scope == NULL || model_label_find(model, proposition, length) != UINT32_MAX)
        return OPAC_OK;
    const prism_label *label = prism_properties_label(properties, proposition, length);
    return label != NULL ? write_unambiguously(&label->states, model, expanded, error)
                         : write_expression(properties, model_scope, proposition, expanded, error);
}
