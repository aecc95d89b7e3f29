/* SPDX-License-Identifier: MIT */
/*
 * The explicit product of a model and an automaton (docs/theory.md, Definition 3): a decision process whose
 * choices have marks. It contains the states that are reachable from the initial ones, in breadth-first
 * order.
 *
 *     process      each state is a product state (state, memory); one without a move of the automaton
 *                  has no choice, and its runs are rejected
 *     marks        by choice: the marks of the automaton's edge
 *     choice       by choice: the choice of the model; PRODUCT_NONE for an epsilon move and the
 *                  loop of the sink
 *     start        the product states in which a run may start, by initial state of the model
 */
#ifndef PRODUCT_PRODUCT_H
#define PRODUCT_PRODUCT_H

#include <omegapac/cancel.h>
#include <omegapac/progress.h>

#include "graph/process.h"
#include "model/model.h"
#include "product/state_index.h"

typedef struct product_options {
    bool keep_universal; /* no sink: product states with a universal memory remain distinct */
    uint64_t max_states; /* a larger product is OPAC_ERROR_LIMIT; 0: 50 million */
    const opac_cancel *cancel;
    opac_progress *progress;
} product_options;

typedef struct product_process {
    graph_process process; /* owned */
    uint64_t *marks;
    uint32_t *choice;
    base_ratio *exact;        /* by edge, as fractions; NULL unless the model has them */
    uint32_t *state, *memory; /* by product state; the state of the sink is PRODUCT_NONE */
    /* The product states for initial state i of the model are start[start_begin[i]] to
     * start[start_begin[i + 1] - 1]: one for each initial state of the automaton, which may be none.
     * The sink may occur several times. */
    base_u32_vec start_begin, start;
    uint64_t full; /* number of states of the model times number of states of the automaton */
} product_process;

/* `letters` are indexed by state of the model, over the automaton's propositions. options may be NULL. */
opac_status product_build(const opac_model *model, const uint64_t *letters,
                          const opac_automaton *automaton, const product_options *options,
                          product_process *product, opac_error *error);
void product_fini(product_process *product);

#endif
