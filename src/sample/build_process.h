/* SPDX-License-Identifier: MIT */
/*
 * Drawing what is known as a process, breadth first from the start: all choices of a pair, or those
 * of a policy; pairs in the order in which they are met, going through choices in
 * the order of their numbers, and through what they led to in the order of keys
 * (sample_statistics_order). So a drawing is a function of what is known, however
 * pairs and branches are numbered in the world, and by the environment.
 *
 * Probabilities are the frequencies. Where some branch of a row was never observed
 * (it is known from a graph), each branch has half an observation more, so that the drawing
 * has the edges that there are; without any observations all are alike.
 *
 * Linear in what is drawn.
 */
#ifndef SAMPLE_BUILD_PROCESS_H
#define SAMPLE_BUILD_PROCESS_H

#include "graph/process.h"
#include "sample/statistics.h"

typedef struct sample_process {
    base_u32_vec product_state; /* by node; SAMPLE_NONE: the sink */
    base_u32_vec choice_begin;  /* as in graph/process.h */
    base_u32_vec edge_begin;
    base_u32_vec target;
    base_double_vec prob;
    base_u64_vec marks;    /* by choice */
    base_u32_vec unknown;  /* choices that are, ascending */
    base_u32_vec policy;   /* of a chain: by node, the choice in the world */
    base_u32_vec node;     /* by pair; SAMPLE_NONE: not drawn */
    uint64_t observations; /* behind the last edge */
} sample_process;

/* What to draw. */
typedef struct sample_process_options {
    sample_statistics *stats;
    uint64_t named; /* marks that are of interest */
    /* A chain: the choice of a policy; one that is not known is left out. NULL: all choices. */
    uint32_t (*choice)(const void *context, uint32_t product_state);
    const void *context;
    /* Node 0 is a sink with a loop of these marks, to which unknown choices lead; else they lead
     * back to where they are taken. The start is the first node that is no sink. */
    bool has_sink;
    uint64_t sink_marks;
    /* An edge for each branch, also where several lead to one pair (the universal sink). */
    bool is_parallel;
    const opac_cancel *cancel; /* then it fails with OPAC_ERROR_CANCELLED; NULL: none */
} sample_process_options;

opac_status sample_build_process(sample_process *draft, const sample_process_options *drawing,
                                 opac_error *error);
void sample_process_fini(sample_process *draft);
/* Borrowed, until the next drawing. */
graph_process sample_process_get(const sample_process *draft);

#endif
