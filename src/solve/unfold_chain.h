/* SPDX-License-Identifier: MIT */
/*
 * A Markov chain unfolded by what its runs still have to show: a node is a
 * transient state, or a state of a bottom component B with the states of B that
 * are still to be seen. Runs that have shown all are done, and gone.
 *
 *     covered twice    the states of B that are to be seen, in the first round or in the second,
 *                      which begins with the state that ended the first
 *     literally        the states that are to be seen once more, and those twice
 *
 * Only what can be reached is unfolded, breadth first from the start, node 0.
 *
 *     node      0        1            2
 *     begin     0        2            5      its edges: begin[n] … begin[n+1] - 1
 *     target    1  2     …                   a node; GRAPH_NONE: done
 *     first     7        …                   edge i of the node has probability prob[first + i]
 *
 * (Of a large component, some of its states, if a lower bound will do: rare_states.h.)
 * At most |B| 2^|B| nodes for a component B of two states or more, or |B| 3^|B|
 * literally. One object serves many chains and keeps its memory.
 */
#ifndef SOLVE_UNFOLD_CHAIN_H
#define SOLVE_UNFOLD_CHAIN_H

#include <omegapac/cancel.h>

#include "base/double_double.h"
#include "base/map.h"
#include "base/vec.h"
#include "graph/process.h"
#include "graph/workspace.h"

enum {
    SOLVE_UNFOLD_LARGEST_COVERED = 31, /* states of a component, whatever the limit */
    SOLVE_UNFOLD_LARGEST_LITERAL = 20,
    SOLVE_UNFOLD_WORK = 16 /* elementary steps that an edge costs */
};

/* The rank of a state of a bottom component that is not among those to be seen (rare_states.h). */
#define SOLVE_UNFOLD_UNTRACKED (GRAPH_NONE - 1)

BASE_VEC(base_dd_vec, base_dd);

/* One choice of a process in each state; GRAPH_NONE: the run stays. */
typedef struct solve_chain {
    const graph_process *process;
    const uint32_t *choice; /* by state */
    uint32_t start;
    /* By state: what is done there is open, and a run that comes there is never done. NULL: none. */
    const bool *open;
} solve_chain;

typedef struct solve_unfold_options {
    bool literal;
    uint32_t max_component;
    bool
        allow_partial; /* of larger components some states are to be seen, instead of none at all */
    uint64_t max_work; /* 0: no limit */
    const opac_cancel *cancel;
} solve_unfold_options;

typedef struct solve_unfold {
    base_map nodes;
    base_u32_vec begin, target, first;
    const double *prob;  /* by edge of the process, and 1 behind them */
    const base_dd *wide; /* the same */
    uint32_t largest_in; /* the greatest number of edges into a node */
    bool is_partial;     /* some component was unfolded in part: runs are done too early */
    /* scratch */
    base_u32_vec incoming;
    graph_workspace workspace;
    base_dd_vec wide_room;
    base_double_vec prob_room;
} solve_unfold;

void solve_unfold_fini(solve_unfold *unfold);

/*
 * The probabilities of a process, for all chains that follow: each is read as the fraction that it
 * stands for, and the greatest of a choice as what the others leave to 1.
 */
opac_status solve_unfold_read_probabilities(solve_unfold *unfold, const graph_process *process,
                                            opac_error *error);

/* *fits: false when a component or the work is beyond the limit. Adds to *work. */
opac_status solve_unfold_chain(solve_unfold *unfold, const solve_chain *chain,
                               const solve_unfold_options *options, bool *fits, uint64_t *work,
                               opac_error *error);

static inline uint32_t solve_unfold_count(const solve_unfold *unfold)
{
    return (uint32_t)unfold->first.count;
}

static inline uint32_t solve_unfold_edges(const solve_unfold *unfold)
{
    return (uint32_t)unfold->target.count;
}

#endif
