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
#include "base/work.h"
#include "graph/process.h"

typedef struct solve_distinct {
    base_u32_vec begin; /* states + 1 */
    base_u32_vec choice;
    base_u32_vec
        index; /* by choice of the process: its number among the distinct ones of its state */
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

/* The numbers of the choices of a policy, by state a choice of the process; of GRAPH_NONE, 0. */
static inline void solve_distinct_number(const solve_distinct *distinct, const uint32_t *choice,
                                         uint32_t states, uint32_t *index)
{
    for (uint32_t s = 0; s < states; s++)
        index[s] = choice[s] == GRAPH_NONE ? 0 : distinct->index.items[choice[s]];
}

#endif
