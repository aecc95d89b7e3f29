/* SPDX-License-Identifier: MIT */
/* Builds the optimistic model and the chain of the policy (sample/build_process.h). */
#include "omega_pac/optimistic_model_form.h"

opac_status omega_pac_optimistic_model_build(omega_pac_optimistic_model *o, opac_error *error)
{
    sample_process_options drawing = {
        .stats = o->stats, .named = o->named, .has_sink = true, .sink_marks = o->sink_marks};
    return sample_build_process(&o->process, &drawing, error);
}

static uint32_t choice_of(const void *context, uint32_t product_state)
{
    return omega_pac_optimistic_model_choice(context, product_state);
}

opac_status omega_pac_optimistic_model_build_chain(omega_pac_optimistic_model *o, opac_error *error)
{
    sample_process_options drawing = {.stats = o->stats,
                                      .named = o->named,
                                      .choice = choice_of,
                                      .context = o,
                                      .known_only = true};
    return sample_build_process(&o->process, &drawing, error);
}
