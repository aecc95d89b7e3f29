/* SPDX-License-Identifier: MIT */
/* Letters of a model's states. Each proposition of the automaton is evaluated once, for all states. */
#include "product/letters.h"

#include "base/alloc.h"
#include "model/propositions.h"

typedef struct source {
    const opac_model *model;
    const opac_properties *properties;
} source;

static opac_status evaluate(const void *context, const char *proposition, uint64_t *bits,
                            opac_error *error)
{
    const source *from = context;
    opac_error found;
    opac_status status = from->properties != NULL
                             ? opac_properties_evaluate(from->properties, proposition, bits, &found)
                             : opac_model_evaluate(from->model, proposition, bits, &found);
    if (status == OPAC_OK)
        return OPAC_OK;
    return model_fail_proposition(proposition, " of the automaton", status, &found, error);
}

opac_status product_letters(const opac_model *model, const opac_properties *properties,
                            const opac_automaton *automaton, uint64_t **letters, opac_error *error)
{
    source from = {model, properties};
    uint32_t states = opac_model_states(model);
    *letters = base_alloc(states, sizeof **letters);
    if (*letters == NULL)
        return base_fail_memory(error);
    opac_status status =
        model_make_letters(states, (const char *const *)automaton->propositions,
                           automaton->proposition_count, evaluate, &from, *letters, error);
    if (status != OPAC_OK) {
        base_free(*letters);
        *letters = NULL;
    }
    return status;
}
