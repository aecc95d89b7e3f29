/* SPDX-License-Identifier: MIT */
/*
 * The recurrence time of a Markov chain: exactly, by dynamic programming over
 * (state, what is still to be seen), bottom component by bottom component. See
 * omegapac/recurrence.h for what it is.
 *
 * A state without choices stays where it is: a bottom component of one state.
 */
#ifndef SOLVE_RECURRENCE_H
#define SOLVE_RECURRENCE_H

#include <omegapac/cancel.h>

#include "graph/process.h"

typedef struct solve_recurrence_options {
    double epsilon;
    bool literal;           /* every state of some bottom component twice, in whatever order */
    uint32_t max_component; /* states of a bottom component; 0: 20 */
    uint64_t max_work;      /* 0: no limit */
    uint64_t max_steps;     /* beyond, only "more than that" is known; 0: no limit */
    /* A lower bound will do, soon: doubles alone decide step by step, each unclear step as reached, and of
       components above max_component only the rarest states are followed (rare_states.h). */
    bool lower_bound_only;
    /* Policies of the process to try first, by state a choice of the process (GRAPH_NONE: the first). */
    const uint32_t *const *initial_policies;
    uint32_t initial_policy_count;
    bool
        search_only; /* of a process: not all policies, only the search; the time is a lower bound */
    const opac_cancel *cancel;
} solve_recurrence_options;

typedef enum solve_recurrence_outcome {
    SOLVE_RECURRENCE_FOUND,
    SOLVE_RECURRENCE_LONGER, /* than max_steps */
    SOLVE_RECURRENCE_TOO_BIG /* a component, or the work: steps is a lower bound */
} solve_recurrence_outcome;

typedef struct solve_recurrence {
    solve_recurrence_outcome outcome;
    uint64_t steps;
    double before, reached; /* the probability by steps - 1 and by steps */
    uint64_t work;
} solve_recurrence;

/* The chain from state `start`: a process with one choice a state, or none. */
opac_status solve_recurrence_chain(const graph_process *chain, uint32_t start,
                                   const solve_recurrence_options *options,
                                   solve_recurrence *result, opac_error *error);

/* The chain of a policy: by state, a choice of the process; GRAPH_NONE: runs stay, or never come. */
opac_status solve_recurrence_policy(const graph_process *process, const uint32_t *choice,
                                    uint32_t start, const solve_recurrence_options *options,
                                    solve_recurrence *result, opac_error *error);

/*
 * The greatest of all positional policies of a process, which are enumerated on
 * the part that they reach; choices with equal distributions are one. *policies:
 * how many were looked at. When the work runs out: TOO_BIG, and the greatest found.
 * choice (may be NULL): by state, the choice of the policy that it is the time of;
 * GRAPH_NONE where its runs never come.
 */
opac_status solve_recurrence_process(const graph_process *process, uint32_t start,
                                     const solve_recurrence_options *options,
                                     solve_recurrence *result, uint32_t *choice, uint64_t *policies,
                                     opac_error *error);

#endif
