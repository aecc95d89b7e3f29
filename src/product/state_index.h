/* SPDX-License-Identifier: MIT */
/*
 * Numbers the product states (state, memory) in the order of their first occurrence.
 *
 * The automaton reads the letter of the state that it leaves: in (s, q), an action a and a move q ► q' on
 * the letter L(s) form a choice that leads to (s', q') for each successor s' of a. An epsilon move q ► q'
 * is a choice that leads to (s, q').
 *
 * The choices of a product state are numbered: for each action in turn the moves of the automaton, then
 * the epsilon moves. With a deterministic automaton the choices are therefore the actions.
 *
 * Both the explicit product (product.h) and a learner, which discovers states one by one, use this index:
 * it does not need to know the successors of a state in advance.
 *
 * All product states with a universal memory (move_table.h) are the same one, the sink: such a run is
 * accepted whatever happens later. With `keep_universal` there is no sink.
 */
#ifndef PRODUCT_STATE_INDEX_H
#define PRODUCT_STATE_INDEX_H

#include "product/move_table.h"

#define PRODUCT_NONE UINT32_MAX

typedef struct product_index product_index;

/* The move table is borrowed and must outlive the index. */
opac_status product_index_new(product_move_table *move_table, bool keep_universal,
                              product_index **index, opac_error *error);
void product_index_free(product_index *index);

/*
 * The number of a product state, which is added if it is new. States of the model or environment must be
 * numbered consecutively from 0, because the index may allocate memory for all up to the largest one.
 */
opac_status product_index_find_or_add(product_index *index, uint32_t state, uint32_t memory,
                                      uint32_t *number, opac_error *error);
uint32_t product_index_count(const product_index *index);
/* The state and the memory of a product state. The state of the sink is PRODUCT_NONE. */
uint32_t product_index_state(const product_index *index, uint32_t number);
uint32_t product_index_memory(const product_index *index, uint32_t number);

#endif
