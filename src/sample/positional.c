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
