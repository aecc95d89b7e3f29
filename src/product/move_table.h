/* SPDX-License-Identifier: MIT */
/*
 * An automaton made ready for reading letters: what it can do in each state on
 * each letter that occurs, as a table. Letters are few (those of the model's
 * states), so each is looked up in the labels once; it then has a number, its
 * class.
 *
 *     product_move_table *move_table;
 *     product_move_table_new(automaton, &move_table, error);
 *     product_move_table_class(move_table, letter, &class, error);
 *     const product_move *moves = product_move_table_moves(move_table, q, class, &count);
 *     product_move_table_free(move_table);
 *
 * Epsilon moves read nothing. A cycle of them is refused (OPAC_ERROR_UNSUPPORTED).
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

/* The automaton is borrowed for as long as the move_table lives. */
opac_status product_move_table_new(const opac_automaton *automaton, product_move_table **move_table,
                                   opac_error *error);
void product_move_table_free(product_move_table *move_table);
const opac_automaton *product_move_table_automaton(const product_move_table *move_table);

/* The class of a letter; the table grows when it is a new one, and moves are found elsewhere. */
opac_status product_move_table_class(product_move_table *move_table, uint64_t letter,
                                     uint32_t *class, opac_error *error);
/* In the order of the automaton's edges; none: the run is rejected. */
const product_move *product_move_table_moves(const product_move_table *move_table, uint32_t state,
                                             uint32_t class, uint32_t *count);
const product_move *product_move_table_epsilons(const product_move_table *move_table,
                                                uint32_t state, uint32_t *count);
/* Whether every word is accepted from the state, as one sees at once: it can loop on every letter,
 * always with the same marks, and those satisfy the condition (universal.h). *marks: those,
 * without marks that the condition does not name. */
bool product_move_table_is_universal(const product_move_table *move_table, uint32_t state,
                                     uint64_t *marks);

#endif
