/* SPDX-License-Identifier: MIT */
/* Counting sort of the edges by target. */
#include "graph/reverse.h"

#include <assert.h>

/*
 * Data of the passes for a state. Both members share a cache line, because a pass visits targets in random
 * order.
 */
typedef struct slot {
    uint32_t fill; /* in the first pass the number of choices, then the position of the next one */
    uint32_t last_choice; /* last choice counted; further edges of that choice are ignored */
} slot;

static void count_choice(const graph_process *process, graph_part part, slot *slots, uint32_t c)
{
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        uint32_t t = process->target[e];
        if (slots[t].last_choice != c && graph_part_has_state(part, t)) {
            slots[t].last_choice = c;
            slots[t].fill++;
        }
    }
}

static void place_choice(const graph_process *process, graph_part part, slot *slots, uint32_t c,
                         uint32_t *choice)
{
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        uint32_t t = process->target[e];
        if (slots[t].last_choice != c && graph_part_has_state(part, t)) {
            slots[t].last_choice = c;
            choice[slots[t].fill++] = c;
        }
    }
}

/* One pass over the choices of the part: counts them, or stores them if `choice` is not NULL. */
static void pass(const graph_process *process, graph_part part, slot *slots, uint32_t *choice,
                 const graph_workspace *workspace)
{
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (graph_spend(workspace, 1 + graph_state_edges(process, s)))
            return;
        if (!graph_part_has_state(part, s))
            continue;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            if (!graph_part_has_choice(part, c))
                continue;
            if (choice == NULL)
                count_choice(process, part, slots, c);
            else
                place_choice(process, part, slots, c, choice);
        }
    }
}

static void sum_counts(slot *slots, uint32_t state_count, uint32_t *begin)
{
    uint32_t sum = 0;
    for (uint32_t s = 0; s < state_count; s++) {
        uint32_t count = slots[s].fill;
        begin[s] = sum;
        slots[s] = (slot){.fill = sum, .last_choice = GRAPH_NONE};
        sum += count;
    }
    begin[state_count] = sum;
}

static void fill_owner(const graph_process *process, uint32_t *owner)
{
    for (uint32_t s = 0; s < process->state_count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            owner[c] = s;
}

/* An upper bound on the number of entries, so that the result can be allocated before the scratch. */
static uint32_t count_edges(const graph_process *process, graph_part part)
{
    if (part.states == NULL && part.choices == NULL)
        return process->edge_count;
    uint32_t count = 0;
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (!graph_part_has_state(part, s))
            continue;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (graph_part_has_choice(part, c))
                count += process->edge_begin[c + 1] - process->edge_begin[c];
    }
    return count;
}

opac_status graph_reverse_build(const graph_process *process, graph_part part,
                                graph_workspace *workspace, graph_reverse *reverse,
                                opac_error *error)
{
    assert(graph_part_fits(process, part));
    graph_place start = graph_workspace_mark(workspace);
    uint32_t *begin = graph_take_u32(workspace, (size_t)process->state_count + 1);
    uint32_t *owner = graph_take_u32(workspace, process->choice_count);
    uint32_t *choice = graph_take_u32(workspace, count_edges(process, part));
    graph_place scratch = graph_workspace_mark(workspace);
    slot *slots = graph_take(workspace, process->state_count, sizeof *slots);
    if (begin == NULL || owner == NULL || choice == NULL || slots == NULL) {
        graph_workspace_release(workspace, start);
        return base_fail_memory(error);
    }
    for (uint32_t s = 0; s < process->state_count; s++)
        slots[s] = (slot){.fill = 0, .last_choice = GRAPH_NONE};
    pass(process, part, slots, NULL, workspace);
    sum_counts(slots, process->state_count, begin);
    pass(process, part, slots, choice, workspace);
    fill_owner(process, owner);
    *reverse = (graph_reverse){.begin = begin, .choice = choice, .owner = owner};
    opac_status status = graph_workspace_check(workspace, error);
    graph_workspace_release(workspace, status == OPAC_OK ? scratch : start);
    return status;
}
