/* SPDX-License-Identifier: MIT */
/*
 * A numbering of the states, and an order of their edges, that depend on the
 * automaton and not on how it happens to be stored.
 *
 * States are numbered breadth first from the initial ones, following edges in
 * the order of their labels as functions, then of their marks. In a
 * deterministic automaton labels of a state differ, so that this leaves no
 * choice for the states that can be reached. Elsewhere (initial states, edges
 * that differ in their target alone, states that cannot be reached) colours
 * decide: hashes of what surrounds a state, refined round after round
 * (Weisfeiler, Leman 1968). What has the same colour keeps the order in which
 * it is stored; for automata with symmetric parts, that can be a choice.
 *
 * Numbering an automaton that is stored in this order gives the same order.
 *
 * Reads the automaton only, also its labels. O(edges · log edges), and as much
 * for each round of colours.
 */
#ifndef AUT_HOA_ORDER_H
#define AUT_HOA_ORDER_H

#include "aut/automaton.h"

typedef struct hoa_order {
    uint32_t *state;  /* by new number: the state */
    uint32_t *number; /* by state: its new number */
    aut_edge *edges;  /* of each state where they were, in the new order, with new targets */
} hoa_order;

opac_status hoa_order_init(hoa_order *order, const opac_automaton *automaton, opac_error *error);
void hoa_order_fini(hoa_order *order);

/* Functions by their truth tables, whose first letter has no proposition; epsilon comes last. */
int hoa_compare_labels(const aut_bdd_store *store, aut_bdd f, aut_bdd g);

#endif
