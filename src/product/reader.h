/* SPDX-License-Identifier: MIT */
/*
 * An automaton made ready for reading letters: what it can do in each state on
 * each letter that occurs, as a table. Letters are few (those of the model's
 * states), so each is looked up in the labels once; it then has a number, its
 * class.
 *
 *     product_reader *reader;
 *     product_reader_new(automaton, &reader, error);
 *     product_reader_class(reader, letter, &class, error);
 *     const product_move *moves = product_reader_moves(reader, q, class, &count);
 *     product_reader_free(reader);
 *
 * Epsilon moves read nothing. A cycle of them is refused (OPAC_ERROR_UNSUPPORTED).
 */
#ifndef PRODUCT_READER_H
#define PRODUCT_READER_H

#include "aut/automaton.h"
#include "base/bitset.h"

typedef struct product_move {
    uint64_t marks;
    uint32_t target;
} product_move;

typedef struct product_reader product_reader;

/* The automaton is borrowed for as long as the reader lives. */
opac_status product_reader_new(const opac_automaton *automaton, product_reader **reader,
                               opac_error *error);
void product_reader_free(product_reader *reader);
const opac_automaton *product_reader_automaton(const product_reader *reader);

/* The class of a letter; the table grows when it is a new one, and moves are found elsewhere. */
opac_status product_reader_class(product_reader *reader, uint64_t letter, uint32_t *class,
                                 opac_error *error);
/* In the order of the automaton's edges; none: the run is rejected. */
const product_move *product_reader_moves(const product_reader *reader, uint32_t state,
                                         uint32_t class, uint32_t *count);
const product_move *product_reader_epsilons(const product_reader *reader, uint32_t state,
                                            uint32_t *count);
/* Whether every word is accepted from the state, as one sees at once: it can loop on every letter,
 * always with the same marks, and those satisfy the condition (universal.h). *marks: those,
 * without marks that the condition does not name. */
bool product_reader_is_universal(const product_reader *reader, uint32_t state, uint64_t *marks);

#endif
