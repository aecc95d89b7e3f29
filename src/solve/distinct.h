/* SPDX-License-Identifier: MIT */
/*
 * Finds the distinct choices of each state: among choices with equal distributions, only the first is
 * kept. A state without choices has one distinct choice, GRAPH_NONE, which means staying.
 *
 * Linear, except that the edges of a choice are sorted and the choices of a state are compared pairwise.
 */
#ifndef SOLVE_DISTINCT_H
#define SOLVE_DISTINCT_H

#include "base/vec.h"
#include "base/work.h"
#include "graph/process.h"

typedef struct solve_distinct {
    base_u32_vec begin;  /* states + 1 items */
    base_u32_vec choice; /* by distinct choice: number in the process */
    base_u32_vec
        index; /* by choice of the process: index among the distinct choices of its state */
} solve_distinct;

opac_status solve_distinct_find(const graph_process *process, base_work *work,
                                solve_distinct *distinct, opac_error *error);
void solve_distinct_fini(solve_distinct *distinct);

static inline uint32_t solve_distinct_count(const solve_distinct *distinct, uint32_t state)
{
    return distinct->begin.items[state + 1] - distinct->begin.items[state];
}

static inline uint32_t solve_distinct_at(const solve_distinct *distinct, uint32_t state,
                                         uint32_t index)
{
    return distinct->choice.items[distinct->begin.items[state] + index];
}

/* Converts a policy from choices of the process (GRAPH_NONE: index 0) to indices of distinct choices. */
static inline void solve_distinct_indices(const solve_distinct *distinct, const uint32_t *choice,
                                          uint32_t states, uint32_t *index)
{
    for (uint32_t s = 0; s < states; s++)
        index[s] = choice[s] == GRAPH_NONE ? 0 : distinct->index.items[choice[s]];
}

#endif
