/* SPDX-License-Identifier: MIT */
#include "graph/part.h"

#include <assert.h>

opac_status graph_part_states(const graph_process *process, graph_part part,
                              graph_workspace *workspace, base_bitset *states, opac_error *error)
{
    assert(graph_part_fits(process, part));
    TRY(graph_take_set(workspace, process->state_count, states, error));
    if (part.states != NULL)
        base_bitset_copy(states, part.states);
    else
        base_bitset_fill(states);
    return OPAC_OK;
}
