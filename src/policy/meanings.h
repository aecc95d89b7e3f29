/* SPDX-License-Identifier: MIT */
/*
 * What the propositions of a policy mean where the model alone does not know:
 * labels of a property file, and expressions with its constants and formulas,
 * each as an expression over the variables of the model.
 */
#ifndef POLICY_MEANINGS_H
#define POLICY_MEANINGS_H

#include "base/vec.h"
#include "model/model.h"

typedef struct policy_meaning {
    char *name, *means; /* owned */
} policy_meaning;

/* Each name once. */
BASE_VEC(policy_meaning_vec, policy_meaning);

/* Copies both. */
opac_status policy_meanings_add(policy_meaning_vec *meanings, const char *name, const char *means,
                                opac_error *error);
opac_status policy_meanings_copy(const policy_meaning_vec *meanings, policy_meaning_vec *copy,
                                 opac_error *error);
void policy_meanings_fini(policy_meaning_vec *meanings);

/* Where a proposition holds, as opac_model_evaluate, of what it means. */
opac_status policy_meanings_evaluate(const policy_meaning_vec *meanings, const opac_model *model,
                                     const char *name, uint64_t *bits, opac_error *error);

#endif
