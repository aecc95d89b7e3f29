/* SPDX-License-Identifier: MIT */
/* Sets that describe parts. */
#include "graph/part.h"

#include <assert.h>

opac_status graph_part_states(const graph_process *process, graph_part part,
                              graph_workspace *workspace, base_bitset *states, opac_error *error)
{
    assert(graph_part_fits(process, part));
    opac_status status = graph_take_set(workspace, process->state_count, states, error);
    if (status != OPAC_OK)
        return status;
    if (part.states != NULL)
        base_bitset_copy(states, part.states);
    else
        base_bitset_fill(states);
    return OPAC_OK;
}

opac_status graph_policy_choices(const graph_process *process, const uint32_t *policy,
                                 graph_workspace *workspace, base_bitset *choices,
                                 opac_error *error)
{
    opac_status status = graph_take_set(workspace, process->choice_count, choices, error);
    if (status != OPAC_OK)
        return status;
    for (uint32_t s = 0; s < process->state_count; s++)
        if (policy[s] != GRAPH_NONE)
            base_bitset_add(choices, policy[s]);
    return OPAC_OK;
}
