/* SPDX-License-Identifier: MIT */
/* The optimistic model, and the chain of the policy, drawn (draft.h). */
#include "learn/optimist_form.h"

opac_status learn_optimist_draw_model(learn_optimist *o, opac_error *error)
{
    learn_drawing drawing = {
        .world = o->world, .named = o->named, .has_sink = true, .sink_marks = o->sink_marks};
    return learn_draft_draw(&o->draft, &drawing, error);
}

static uint32_t choice_of(const void *context, uint32_t pair)
{
    return learn_optimist_choice(context, pair);
}

opac_status learn_optimist_draw_chain(learn_optimist *o, opac_error *error)
{
    learn_drawing drawing = {
        .world = o->world, .named = o->named, .choice = choice_of, .context = o};
    return learn_draft_draw(&o->draft, &drawing, error);
}
