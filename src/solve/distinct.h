/* SPDX-License-Identifier: MIT */
/*
 * The choices of a process that differ: of those of a state that lead to the
 * same states with the same probabilities, the first. A state without choices
 * has one, GRAPH_NONE: to stay.
 *
 * Linear, but for the sorting of edges and for the choices of a state, which are
 * compared with one another.
 */
#ifndef SOLVE_DISTINCT_H
#define SOLVE_DISTINCT_H

#include "base/vec.h"
#include "graph/process.h"

typedef struct solve_distinct {
    base_u32_vec begin; /* states + 1 */
    base_u32_vec choice;
} solve_distinct;

opac_status solve_distinct_find(const graph_process *process, solve_distinct *distinct,
                                opac_error *error);
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

#endif
