/* SPDX-License-Identifier: MIT */
/* Positional policies of the whole product: see positional.h. */
#include "sample/positional.h"

opac_status sample_positional_reset(sample_positional *policy, const sample_statistics *stats,
                                    opac_error *error)
{
    size_t count = stats->product_states.count;
    TRY(base_u32_vec_reserve(&policy->choice, count, error));
    for (size_t i = 0; i < count; i++)
        policy->choice.items[i] = stats->product_states.items[i].choice;
    policy->choice.count = count;
    return OPAC_OK;
}

opac_status sample_positional_extend(sample_positional *policy, const sample_statistics *stats,
                                     opac_error *error)
{
    for (size_t i = policy->choice.count; i < stats->product_states.count; i++)
        TRY(base_u32_vec_push(&policy->choice, stats->product_states.items[i].choice, error));
    return OPAC_OK;
}

bool sample_is_unlisted_choice(const sample_statistics *stats, uint32_t product_state,
                               uint32_t choice)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    const sample_choice *c = &stats->choices.items[choice];
    if (p->state == SAMPLE_NONE)
        return p->choices == 1;
    if (stats->states.items[p->state].actions == 0)
        return true;
    if (sample_choice_is_free(c) && c->target == stats->sink)
        return true;
    return c->action == 0 && c->memory == p->memory;
}
