/* SPDX-License-Identifier: MIT */
/*
 * The least probability: 0 outside what attracts every choice to the target, 1
 * where no such state can be met on the way. Three linear passes.
 */
#include "graph/almost_sure.h"

#include <assert.h>

#include "graph/attractor.h"
#include "graph/reach.h"

/* The first choice of the part without a successor in the set; GRAPH_NONE when there is none. */
static uint32_t first_choice_avoiding(const graph_process *process, graph_part part, uint32_t s,
                                      const base_bitset *set)
{
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
        uint32_t e = process->edge_begin[c], end = process->edge_begin[c + 1];
        if (!graph_part_has_choice(part, c))
            continue;
        while (e < end && !base_bitset_has(set, process->target[e]))
            e++;
        if (e == end)
            return c;
    }
    return GRAPH_NONE;
}

/* Fills zero: the part without the attractor; and the choices that stay there. */
static opac_status find_min_zero(const graph_process *process, graph_part part,
                                 const graph_reverse *reverse, const base_bitset *target,
                                 graph_workspace *workspace, base_bitset *zero, uint32_t *choice,
                                 opac_error *error)
{
    graph_attractor attractor;
    graph_place scratch = graph_workspace_mark(workspace);
    opac_status status =
        graph_attract_every(process, part, reverse, target, workspace, &attractor, error);
    if (status != OPAC_OK)
        return status;
    base_bitset_subtract(zero, &attractor.states);
    for (uint32_t s = 0; s < process->state_count; s++)
        choice[s] = base_bitset_has(zero, s)
                        ? first_choice_avoiding(process, part, s, &attractor.states)
                        : GRAPH_NONE;
    graph_workspace_release(workspace, scratch);
    return OPAC_OK;
}

/* Adds the states outside the target that have a choice of the part out of the part. */
static void add_leaving(const graph_process *process, graph_part part, const base_bitset *target,
                        base_bitset *bad)
{
    if (part.states == NULL)
        return;
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (!base_bitset_has(part.states, s) || base_bitset_has(target, s))
            continue;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (graph_part_has_choice(part, c) && !graph_part_keeps(process, part, c))
                base_bitset_add(bad, s);
    }
}

/* Fills one: the part without what leads, short of the target, to where the target is avoided. */
static opac_status find_min_one(const graph_process *process, graph_part part,
                                const graph_reverse *reverse, const base_bitset *target,
                                graph_workspace *workspace, const base_bitset *zero,
                                base_bitset *one, opac_error *error)
{
    graph_reached reached;
    base_bitset bad, outside_target;
    graph_place scratch = graph_workspace_mark(workspace);
    graph_part short_of_target = {.states = &outside_target, .choices = part.choices};
    opac_status status = graph_part_states(process, part, workspace, &outside_target, error);
    if (status == OPAC_OK)
        status = graph_take_set(workspace, process->state_count, &bad, error);
    if (status != OPAC_OK)
        return status;
    base_bitset_subtract(&outside_target, target);
    base_bitset_copy(&bad, zero);
    add_leaving(process, part, target, &bad);
    status =
        graph_reach_backward(process, short_of_target, reverse, &bad, workspace, &reached, error);
    if (status != OPAC_OK)
        return status;
    base_bitset_subtract(one, &reached.states);
    graph_workspace_release(workspace, scratch);
    return OPAC_OK;
}

opac_status graph_min_reach(const graph_process *process, graph_part part,
                            const graph_reverse *reverse, const base_bitset *target,
                            graph_workspace *workspace, graph_min_reached *result,
                            opac_error *error)
{
    assert(graph_part_fits(process, part) && graph_set_fits(process, target));
    graph_place start = graph_workspace_mark(workspace);
    uint32_t *choice = graph_take_u32(workspace, process->state_count);
    opac_status status = choice != NULL ? OPAC_OK : base_fail_memory(error);
    if (status == OPAC_OK)
        status = graph_part_states(process, part, workspace, &result->zero, error);
    if (status == OPAC_OK)
        status = graph_part_states(process, part, workspace, &result->one, error);
    if (status == OPAC_OK)
        status =
            find_min_zero(process, part, reverse, target, workspace, &result->zero, choice, error);
    if (status == OPAC_OK)
        status = find_min_one(process, part, reverse, target, workspace, &result->zero,
                              &result->one, error);
    result->choice = choice;
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
