/* SPDX-License-Identifier: MIT */
/*
 * The explicit product of a model and an automaton, its reachable part, breadth
 * first from the initial states: a decision process whose choices carry marks.
 *
 *     process      a pair (state, memory) a state; one that the automaton has no move
 *                  for has no choice: its runs are rejected
 *     marks        by choice: those of the automaton's edge
 *     choice       by choice: that of the model; PRODUCT_NONE: epsilon, or the sink's loop
 *     start        the pairs that a run may begin with, by initial state of the model
 */
#ifndef PRODUCT_PRODUCT_H
#define PRODUCT_PRODUCT_H

#include <omegapac/cancel.h>
#include <omegapac/progress.h>

#include "graph/process.h"
#include "model/model.h"
#include "product/state_index.h"

typedef struct product_options {
    bool keep_universal; /* no sink: pairs whose memory accepts everything are kept apart */
    uint64_t max_states; /* more are OPAC_ERROR_LIMIT; 0: 50 million */
    const opac_cancel *cancel;
    opac_progress *progress;
} product_options;

typedef struct product_process {
    graph_process process; /* owned */
    uint64_t *marks;
    uint32_t *choice;
    base_ratio *exact;        /* by edge; NULL unless the model has them */
    uint32_t *state, *memory; /* by state; of the sink, state is PRODUCT_NONE */
    /* The pairs for initial state i of the model are start[start_begin[i]] …: one for each
     * initial state of the automaton (perhaps the sink twice); none when it has none. */
    base_u32_vec start_begin, start;
    uint64_t full; /* states of the model times states of the automaton */
} product_process;

/* letters: by state of the model, over the automaton's propositions. options may be NULL. */
opac_status product_build(const opac_model *model, const uint64_t *letters,
                          const opac_automaton *automaton, const product_options *options,
                          product_process *product, opac_error *error);
void product_fini(product_process *product);

#endif
