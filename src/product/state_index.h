/* SPDX-License-Identifier: MIT */
/*
 * The pairs (state, memory) of a product that were seen so far, numbered by
 * first sight, and what can be done in each. The automaton reads the letter of
 * the state that it leaves: in (s, q), action a and a move q ► q' on L(s) are a
 * choice that leads to (s', q'), for each s' that a can lead to. An epsilon
 * move q ► q' is a choice that leads to (s, q').
 *
 * This is the code that the explicit product (product.h) and a learner that
 * meets states one by one share: neither needs to know a state's successors
 * before it has seen them.
 *
 * Choices are numbered: for each action in turn the moves of the automaton, then
 * the epsilon moves. So with a deterministic automaton the choices are the actions.
 *
 * All pairs whose memory is universal (move_table.h) are one, the sink: nothing more
 * needs to be known of such a run. (Not when `keep_universal` is set.)
 */
#ifndef PRODUCT_STATE_INDEX_H
#define PRODUCT_STATE_INDEX_H

#include "product/move_table.h"

#define PRODUCT_NONE UINT32_MAX

typedef struct product_index product_index;

/* The move_table is borrowed for as long as the index lives. */
opac_status product_index_new(product_move_table *move_table, bool keep_universal,
                              product_index **index, opac_error *error);
void product_index_free(product_index *index);

/*
 * The number of a pair, which is a new one when it was not met before. States
 * are numbered 0, 1, 2 … as they come: memory is taken for all up to the largest.
 */
opac_status product_index_find_or_add(product_index *index, uint32_t state, uint32_t memory,
                                      uint32_t *pair, opac_error *error);
uint32_t product_index_count(const product_index *index);
/* Of the sink, the state is PRODUCT_NONE. */
uint32_t product_index_state(const product_index *index, uint32_t pair);
uint32_t product_index_memory(const product_index *index, uint32_t pair);

#endif
