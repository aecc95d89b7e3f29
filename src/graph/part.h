/* SPDX-License-Identifier: MIT */
/*
 * A part of a process: restricts an algorithm to some of the states and choices. `(graph_part){0}` is
 * the whole process.
 *
 * The treatment of edges that lead out of the part depends on the algorithm. Strongly connected
 * components, reachability and attractors ignore them. An end component contains no choice with such an
 * edge. In almost_sure.h, a run that takes such an edge never reaches the target.
 */
#ifndef GRAPH_PART_H
#define GRAPH_PART_H

#include "base/bitset.h"
#include "graph/process.h"
#include "graph/workspace.h"

typedef struct graph_part {
    const base_bitset *states;  /* NULL: all */
    const base_bitset *choices; /* NULL: all */
} graph_part;

static inline bool graph_part_has_state(graph_part part, uint32_t state)
{
    return part.states == NULL || base_bitset_has(part.states, state);
}

/* Whether the sizes of a set of states, or of the sets of a part, match the process. For assertions. */
static inline bool graph_set_fits(const graph_process *process, const base_bitset *states)
{
    return states->size == process->state_count;
}

static inline bool graph_part_fits(const graph_process *process, graph_part part)
{
    return (part.states == NULL || part.states->size == process->state_count) &&
           (part.choices == NULL || part.choices->size == process->choice_count);
}

/* Does not check that the state of the choice is in the part. */
static inline bool graph_part_has_choice(graph_part part, uint32_t choice)
{
    return part.choices == NULL || base_bitset_has(part.choices, choice);
}

/* Whether every edge of the choice ends in a state of the part. */
static inline bool graph_part_keeps(const graph_process *process, graph_part part, uint32_t choice)
{
    if (part.states == NULL)
        return true;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++)
        if (!base_bitset_has(part.states, process->target[e]))
            return false;
    return true;
}

/* Copies the states of the part into a new set in the workspace. */
opac_status graph_part_states(const graph_process *process, graph_part part,
                              graph_workspace *workspace, base_bitset *states, opac_error *error);

#endif
