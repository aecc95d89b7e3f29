/* SPDX-License-Identifier: MIT */
/* There are few definitions, so they are searched linearly. */
#include "policy/definitions.h"

#include <string.h>

opac_status policy_definitions_add(policy_definition_vec *definitions, const char *name,
                                   const char *expression, opac_error *error)
{
    policy_definition definition = {base_copy_text(name, strlen(name)),
                                    base_copy_text(expression, strlen(expression))};
    opac_status status = definition.name != NULL && definition.expression != NULL
                             ? policy_definition_vec_push(definitions, definition, error)
                             : base_fail_memory(error);
    if (status != OPAC_OK) {
        base_free(definition.name);
        base_free(definition.expression);
    }
    return status;
}

opac_status policy_definitions_copy(const policy_definition_vec *definitions,
                                    policy_definition_vec *copy, opac_error *error)
{
    for (size_t i = 0; i < definitions->count; i++)
        TRY(policy_definitions_add(copy, definitions->items[i].name,
                                   definitions->items[i].expression, error));
    return OPAC_OK;
}

void policy_definitions_fini(policy_definition_vec *definitions)
{
    for (size_t i = 0; i < definitions->count; i++) {
        base_free(definitions->items[i].name);
        base_free(definitions->items[i].expression);
    }
    policy_definition_vec_fini(definitions);
}

opac_status policy_definitions_evaluate(const policy_definition_vec *definitions,
                                        const opac_model *model, const char *name, uint64_t *bits,
                                        opac_error *error)
{
    for (size_t i = 0; i < definitions->count; i++)
        if (strcmp(definitions->items[i].name, name) == 0)
            return opac_model_evaluate(model, definitions->items[i].expression, bits, error);
    return opac_model_evaluate(model, name, bits, error);
}
