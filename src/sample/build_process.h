/* SPDX-License-Identifier: MIT */
/*
 * Builds a graph_process from the statistics: the MDP of all choices that are reached from the start, or the
 * Markov chain of a policy. Nodes are numbered breadth first, through choices in the order of their numbers
 * and successors in the order of their keys (sample_statistics_order). So the process is a function of what
 * is known, and does not depend on how product states and branches are numbered.
 *
 * Probabilities are the observed frequencies. If some branch of a row was never observed (it is known from a
 * graph), half an observation is added to each branch of the row, so that the process has all edges; without
 * any observations they are uniform.
 *
 * Cost: linear in the process.
 */
#ifndef SAMPLE_BUILD_PROCESS_H
#define SAMPLE_BUILD_PROCESS_H

#include "graph/process.h"
#include "sample/statistics.h"

typedef struct sample_process {
    base_u32_vec product_state; /* by node; SAMPLE_NONE for the sink */
    base_u32_vec choice_begin;  /* as in graph/process.h, like edge_begin, target and prob */
    base_u32_vec edge_begin;
    base_u32_vec target;
    base_double_vec prob;
    base_u64_vec marks; /* by choice */
    base_u32_vec
        number; /* by choice: its number in the statistics; SAMPLE_NONE for that of the sink */
    base_u32_vec unknown;  /* unknown choices of the process, ascending */
    base_u32_vec policy;   /* of a chain, by node: the choice, numbered as in the statistics */
    base_u32_vec node;     /* by product state; SAMPLE_NONE if it is not in the process */
    uint64_t observations; /* of the last edge */
} sample_process;

/* What to build. */
typedef struct sample_process_options {
    sample_statistics *stats;
    uint64_t named; /* marks to keep; others are dropped */
    /* For a chain, the choice of a policy; SAMPLE_NONE: the node has none. NULL: all choices. */
    uint32_t (*choice)(const void *context, uint32_t product_state);
    const void *context;
    bool known_only; /* unknown choices are left out; then there is no use for has_sink */
    bool no_turns;   /* choices that take turns count as unknown (sample_statistics_takes_turns) */
    /* Whether node 0 is a sink, with a loop with these marks, to which unknown choices lead; otherwise they
     * are loops. The start is the first other node. */
    bool has_sink;
    uint64_t sink_marks;
    /* An edge for each branch, even if several lead to the same product state (the universal sink). */
    bool is_parallel;
    const opac_cancel *cancel; /* polled; may be NULL */
} sample_process_options;

opac_status sample_build_process(sample_process *process, const sample_process_options *options,
                                 opac_error *error);
void sample_process_fini(sample_process *process);
/* Borrowed, until the process is built again. */
graph_process sample_process_get(const sample_process *process);

#endif
