/* SPDX-License-Identifier: MIT */
/*
 * Unfolds a Markov chain by the states that its runs still have to visit (docs/theory.md, Definition 8). A
 * node is a transient state, or a state of a bottom component B together with the states of B that are not
 * visited yet. A run that has visited all states is done and leaves the unfolded chain.
 *
 *     covered twice        the states of B still to be visited, in the first or the second round; the
 *                          second round begins with the state that completed the first
 *     literal definition   the states to be visited at least once more, and those to be visited twice
 *
 * Only reachable nodes are created, breadth first from the initial node 0.
 *
 *     node      0        1            2
 *     begin     0        2            5      edges of node n: begin[n] … begin[n+1] - 1
 *     target    1  2     …                   a node; GRAPH_NONE: the run is done
 *     first     7        …                   edge i of the node has probability prob[first + i]
 *
 * If a lower bound suffices, only some states of a large component are tracked: rare_states.h. A component B
 * with at least two states yields at most |B| 2^|B| nodes, or |B| 3^|B| with the literal definition. An
 * object can unfold many chains in turn and reuses its memory.
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
    SOLVE_UNFOLD_LARGEST_COVERED = 31, /* absolute limit on the states of a component */
    SOLVE_UNFOLD_LARGEST_LITERAL = 20, /* the same for the literal definition */
    SOLVE_UNFOLD_WORK = 16             /* elementary steps that an edge costs */
};

/* The rank of a state of a bottom component that is not tracked (rare_states.h). */
#define SOLVE_UNFOLD_UNTRACKED (GRAPH_NONE - 1)

BASE_VEC(base_dd_vec, base_dd);

/* The Markov chain of a policy. */
typedef struct solve_chain {
    const graph_process *process;
    const uint32_t *choice; /* by state; GRAPH_NONE: the run stays in the state */
    uint32_t start;
    const bool *undecided; /* by state: runs that reach it are never done; NULL: none */
} solve_chain;

typedef struct solve_unfold_options {
    bool literal;
    uint32_t max_component;
    bool allow_partial; /* track only some states of larger components; otherwise they do not fit */
    uint64_t max_work;  /* 0: no limit */
    const opac_cancel *cancel;
} solve_unfold_options;

typedef struct solve_unfold {
    base_map nodes;
    base_u32_vec begin, target, first;
    const double *prob;     /* by edge of the process, followed by 1 */
    const base_dd *prob_dd; /* the same in double-doubles */
    uint32_t largest_in;    /* the greatest number of edges into a node */
    bool is_partial;        /* whether some state is not tracked, so that runs are done too early */
    /* scratch */
    base_u32_vec incoming;
    graph_workspace workspace;
    base_dd_vec prob_dd_buffer;
    base_double_vec prob_buffer;
} solve_unfold;

void solve_unfold_fini(solve_unfold *unfold);

/*
 * Reads the probabilities of a process, for all following chains. Each probability is converted to the
 * fraction that its double represents, and the greatest of a choice to 1 minus the others.
 */
opac_status solve_unfold_read_probabilities(solve_unfold *unfold, const graph_process *process,
                                            opac_error *error);

/* *fits: false if a component or the work exceeds its limit. Adds to *work. */
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
