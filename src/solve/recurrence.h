/* SPDX-License-Identifier: MIT */
/*
 * The ε-recurrence time of a Markov chain, or the maximum over the positional policies of a process. It is
 * computed exactly, from the chain unfolded by the states of a bottom component that are still to be visited
 * (unfold_chain.h). See omegapac/recurrence.h for the definition.
 *
 * A run stays in a state without choices, which is a bottom component of one state.
 */
#ifndef SOLVE_RECURRENCE_H
#define SOLVE_RECURRENCE_H

#include <omegapac/cancel.h>

#include "graph/process.h"

typedef struct solve_recurrence_options {
    double epsilon;
    bool literal; /* literal definition: every state of a bottom component twice, in any order */
    uint32_t max_component; /* most states of a bottom component; 0: 20 */
    uint64_t max_work;      /* 0: no limit */
    uint64_t max_steps;     /* longer times are reported as LONGER; 0: no limit */
    /* A lower bound suffices. Uses doubles only, where an unclear step counts as enough, and tracks only the
       rarest states of components with more than max_component states (rare_states.h). */
    bool lower_bound_only;
    /* Policies that the search begins with; by state, a choice of the process (GRAPH_NONE: the first). */
    const uint32_t *const *initial_policies;
    uint32_t initial_policy_count;
    bool search_only; /* search for a long time instead of enumerating all policies of a process */
    const opac_cancel *cancel;
} solve_recurrence_options;

typedef enum solve_recurrence_outcome {
    SOLVE_RECURRENCE_FOUND,
    SOLVE_RECURRENCE_LONGER, /* the time exceeds max_steps */
    SOLVE_RECURRENCE_TOO_BIG /* a component or the work exceeds its limit: steps is a lower bound */
} solve_recurrence_outcome;

typedef struct solve_recurrence {
    solve_recurrence_outcome outcome;
    uint64_t steps;
    double before,
        reached; /* probability that a run is done after steps - 1 and after steps; NAN: unknown */
    uint64_t work;
} solve_recurrence;

/* For a process with at most one choice in each state. */
opac_status solve_recurrence_chain(const graph_process *chain, uint32_t start,
                                   const solve_recurrence_options *options,
                                   solve_recurrence *result, opac_error *error);

/* For a policy: by state, a choice of the process; GRAPH_NONE: runs stay, or never reach the state. */
opac_status solve_recurrence_policy(const graph_process *process, const uint32_t *choice,
                                    uint32_t start, const solve_recurrence_options *options,
                                    solve_recurrence *result, opac_error *error);

/*
 * The maximum over all positional policies of a process. Policies that differ only in states that their
 * runs do not reach count once, as do choices with equal distributions. *policies: the number of policies
 * examined. If the work is exhausted, the outcome is TOO_BIG, and the time is the longest found. choice
 * (may be NULL): by state, the choice of the policy with this time; GRAPH_NONE in states that its runs do
 * not reach.
 */
opac_status solve_recurrence_process(const graph_process *process, uint32_t start,
                                     const solve_recurrence_options *options,
                                     solve_recurrence *result, uint32_t *choice, uint64_t *policies,
                                     opac_error *error);

#endif
