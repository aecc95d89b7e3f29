/* SPDX-License-Identifier: MIT */
/*
 * Definitions of the propositions of a policy that the model does not have: labels, formulas and constants
 * of a property file, each as an expression over the variables of the model.
 */
#ifndef POLICY_DEFINITIONS_H
#define POLICY_DEFINITIONS_H

#include "base/vec.h"
#include "model/model.h"

typedef struct policy_definition {
    char *name, *expression; /* owned */
} policy_definition;

/* Names are distinct. */
BASE_VEC(policy_definition_vec, policy_definition);

/* Copies the name and the expression. */
opac_status policy_definitions_add(policy_definition_vec *definitions, const char *name,
                                   const char *expression, opac_error *error);
opac_status policy_definitions_copy(const policy_definition_vec *definitions,
                                    policy_definition_vec *copy, opac_error *error);
void policy_definitions_fini(policy_definition_vec *definitions);

/* As opac_model_evaluate, for the definition of the proposition if there is one. */
opac_status policy_definitions_evaluate(const policy_definition_vec *definitions,
                                        const opac_model *model, const char *name, uint64_t *bits,
                                        opac_error *error);

#endif
