/* SPDX-License-Identifier: MIT */
/*
 * What a proposition means without the property file that it comes from: its
 * labels, formulas and constants are replaced by what they stand for.
 */
#include <string.h>

#include "prism/expression_write.h"
#include "prism/properties.h"
#include "prism/vocabulary.h"

static opac_status read_in(const prism_scope *scope, const char *text, base_arena *arena,
                           prism_expression *expression, opac_error *error)
{
    return prism_scope_expression(scope, text, strlen(text), (prism_place){1, 1}, PRISM_TYPE_BOOL,
                                  arena, expression, error);
}

/* A proposition that is the name of a label is that label; an expression is none. */
static opac_status write_apart(const prism_expression *expression, const opac_model *model,
                               base_text *meaning, opac_error *error)
{
    TRY(prism_expression_write(expression, model, meaning, error));
    if (model_label_find(model, base_text_get(meaning), meaning->length) == UINT32_MAX)
        return OPAC_OK;
    base_text_clear(meaning);
    base_text_add(meaning, "(");
    prism_expression_write(expression, model, meaning, error);
    base_text_add(meaning, ")");
    return base_text_check(meaning, error);
}

static opac_status write_expression(const opac_properties *properties, const prism_scope *known,
                                    const char *proposition, base_text *meaning, opac_error *error)
{
    base_arena arena = {0};
    prism_expression expression;
    opac_error unknown;
    opac_status status = read_in(known, proposition, &arena, &expression, &unknown);
    if (status == OPAC_ERROR_MEMORY) {
        status = base_fail_memory(error);
    } else if (status != OPAC_OK) {
        status = read_in(properties->definitions.scope, proposition, &arena, &expression, error);
        if (status == OPAC_OK)
            status = write_apart(&expression, properties->model, meaning, error);
    }
    base_arena_fini(&arena);
    return status;
}

opac_status prism_properties_meaning(const opac_properties *properties, const char *proposition,
                                     base_text *meaning, opac_error *error)
{
    const opac_model *model = properties->model;
    const prism_scope *known = prism_vocabulary_scope(model);
    size_t length = strlen(proposition);
    base_text_clear(meaning);
    if (known == NULL || model_label_find(model, proposition, length) != UINT32_MAX)
        return OPAC_OK;
    const prism_label *label = prism_properties_label(properties, proposition, length);
    return label != NULL ? write_apart(&label->states, model, meaning, error)
                         : write_expression(properties, known, proposition, meaning, error);
}
