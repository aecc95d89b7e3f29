/* SPDX-License-Identifier: MIT */
#include "graph/process.h"

#include "base/alloc.h"

opac_status graph_process_borrow(size_t state_count, size_t choice_count, size_t edge_count,
                                 const uint32_t *choice_begin, const uint32_t *edge_begin,
                                 const uint32_t *target, const double *prob, graph_process *process,
                                 opac_error *error)
{
    if (state_count > GRAPH_LARGEST || choice_count > GRAPH_LARGEST || edge_count > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "%zu states, %zu choices and %zu edges: at most %u of each are supported",
                         state_count, choice_count, edge_count, (unsigned)GRAPH_LARGEST);
    *process = (graph_process){
        .state_count = (uint32_t)state_count,
        .choice_count = (uint32_t)choice_count,
        .edge_count = (uint32_t)edge_count,
        .choice_begin = choice_begin,
        .edge_begin = edge_begin,
        .target = target,
        .prob = prob,
    };
    return OPAC_OK;
}

void graph_process_fini(graph_process *process)
{
    if (process->owned) {
        base_free((void *)process->choice_begin);
        base_free((void *)process->edge_begin);
        base_free((void *)process->target);
        base_free((void *)process->prob);
    }
    *process = (graph_process){0};
}
