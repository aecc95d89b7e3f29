/* SPDX-License-Identifier: MIT */
/*
 * The moves of an automaton by state and letter, as a table. A move is an edge whose label the letter
 * satisfies. Few letters occur in a model or a sample, so the labels are evaluated once for each of them;
 * the letter then has a number, its class.
 *
 *     product_move_table *move_table;
 *     product_move_table_new(automaton, &move_table, error);
 *     product_move_table_class(move_table, letter, &class, error);
 *     const product_move *moves = product_move_table_moves(move_table, q, class, &count);
 *     product_move_table_free(move_table);
 *
 * Epsilon moves read no letter. An automaton with a cycle of them is OPAC_ERROR_UNSUPPORTED.
 */
#ifndef PRODUCT_MOVE_TABLE_H
#define PRODUCT_MOVE_TABLE_H

#include "aut/automaton.h"
#include "base/bitset.h"

typedef struct product_move {
    uint64_t marks;
    uint32_t target;
} product_move;

typedef struct product_move_table product_move_table;

/* The automaton is borrowed and must outlive the table. */
opac_status product_move_table_new(const opac_automaton *automaton, product_move_table **move_table,
                                   opac_error *error);
void product_move_table_free(product_move_table *move_table);
const opac_automaton *product_move_table_automaton(const product_move_table *move_table);

/* The class of a letter. A new letter adds moves to the table, which invalidates pointers to moves. */
opac_status product_move_table_class(product_move_table *move_table, uint64_t letter,
                                     uint32_t *class, opac_error *error);
/* The moves in the order of the automaton's edges. If there are none, the run is rejected. */
const product_move *product_move_table_moves(const product_move_table *move_table, uint32_t state,
                                             uint32_t class, uint32_t *count);
const product_move *product_move_table_epsilons(const product_move_table *move_table,
                                                uint32_t state, uint32_t *count);
/* Whether the state is universal by the criterion of universal_states.h: it has self-loops on every letter,
 * all with the same marks, and these satisfy the condition. *marks is set to these marks, without those
 * that the condition does not mention. */
bool product_move_table_is_universal(const product_move_table *move_table, uint32_t state,
                                     uint64_t *marks);

#endif
