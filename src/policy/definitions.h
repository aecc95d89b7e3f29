/* SPDX-License-Identifier: MIT */
/*
 * What the propositions of a policy mean where the model alone does not know:
 * labels of a property file, and expressions with its constants and formulas,
 * each as an expression over the variables of the model.
 */
#ifndef POLICY_DEFINITIONS_H
#define POLICY_DEFINITIONS_H

#include "base/vec.h"
#include "model/model.h"

typedef struct policy_definition {
    char *name, *expression; /* owned */
} policy_definition;

/* Each name once. */
BASE_VEC(policy_definition_vec, policy_definition);

/* Copies both. */
opac_status policy_definitions_add(policy_definition_vec *definitions, const char *name,
                                   const char *expression, opac_error *error);
opac_status policy_definitions_copy(const policy_definition_vec *definitions,
                                    policy_definition_vec *copy, opac_error *error);
void policy_definitions_fini(policy_definition_vec *definitions);

/* Where a proposition holds, as opac_model_evaluate, of what it means. */
opac_status policy_definitions_evaluate(const policy_definition_vec *definitions,
                                        const opac_model *model, const char *name, uint64_t *bits,
                                        opac_error *error);

#endif
