/* SPDX-License-Identifier: MIT */
/*
 * A part of a process: the states and the choices that an algorithm may see.
 * `(graph_part){0}` is the whole process.
 *
 * What becomes of an edge out of the part depends on what an edge means. Where
 * only paths matter (components, reachability, attractors) it is not there. An
 * end component cannot contain a choice with such an edge. Where probability
 * matters (almost_sure.h) a run that takes it is lost: it reaches no target.
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

/* Whether a set of states, and the sets of a part, are made for this process: for assertions. */
static inline bool graph_set_fits(const graph_process *process, const base_bitset *states)
{
    return states->size == process->state_count;
}

static inline bool graph_part_fits(const graph_process *process, graph_part part)
{
    return (part.states == NULL || part.states->size == process->state_count) &&
           (part.choices == NULL || part.choices->size == process->choice_count);
}

/* Says nothing of the state that owns the choice. */
static inline bool graph_part_has_choice(graph_part part, uint32_t choice)
{
    return part.choices == NULL || base_bitset_has(part.choices, choice);
}

/* Does every edge of the choice end in a state of the part? */
static inline bool graph_part_keeps(const graph_process *process, graph_part part, uint32_t choice)
{
    if (part.states == NULL)
        return true;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++)
        if (!base_bitset_has(part.states, process->target[e]))
            return false;
    return true;
}

/* The states of the part, as a set of its own in the workspace. */
opac_status graph_part_states(const graph_process *process, graph_part part,
                              graph_workspace *workspace, base_bitset *states, opac_error *error);

#endif
