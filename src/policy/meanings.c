/* SPDX-License-Identifier: MIT */
/* A handful of names: looking one up is a walk through them. */
#include "policy/meanings.h"

#include <string.h>

opac_status policy_meanings_add(policy_meaning_vec *meanings, const char *name, const char *means,
                                opac_error *error)
{
    policy_meaning meaning = {base_copy_text(name, strlen(name)),
                              base_copy_text(means, strlen(means))};
    opac_status status = meaning.name != NULL && meaning.means != NULL
                             ? policy_meaning_vec_push(meanings, meaning, error)
                             : base_fail_memory(error);
    if (status != OPAC_OK) {
        base_free(meaning.name);
        base_free(meaning.means);
    }
    return status;
}

opac_status policy_meanings_copy(const policy_meaning_vec *meanings, policy_meaning_vec *copy,
                                 opac_error *error)
{
    for (size_t i = 0; i < meanings->count; i++)
        TRY(policy_meanings_add(copy, meanings->items[i].name, meanings->items[i].means, error));
    return OPAC_OK;
}

void policy_meanings_fini(policy_meaning_vec *meanings)
{
    for (size_t i = 0; i < meanings->count; i++) {
        base_free(meanings->items[i].name);
        base_free(meanings->items[i].means);
    }
    policy_meaning_vec_fini(meanings);
}

opac_status policy_meanings_evaluate(const policy_meaning_vec *meanings, const opac_model *model,
                                     const char *name, uint64_t *bits, opac_error *error)
{
    for (size_t i = 0; i < meanings->count; i++)
        if (strcmp(meanings->items[i].name, name) == 0)
            return opac_model_evaluate(model, meanings->items[i].means, bits, error);
    return opac_model_evaluate(model, name, bits, error);
}
