/* SPDX-License-Identifier: MIT */
/*
 * A canonical numbering of the states and order of their edges: it depends on the automaton, not on how it is
 * stored.
 *
 * States are numbered breadth first from the initial states, following edges in the order of their labels as
 * functions, then of their marks. In a deterministic automaton the labels of a state differ, so this
 * determines the numbers of all reachable states. In other cases (several initial states, edges that differ
 * only in their target, unreachable states) the order is by colour: a hash of the neighbourhood of a state,
 * by colour refinement (Weisfeiler, Leman 1968). States of equal colour keep the order in which they are
 * stored, so for automata with symmetries the result can depend on that order.
 *
 * The numbering of an automaton that is stored in this order is the identity.
 *
 * It does not modify the automaton or its label store. O(m log m) for m edges, plus O(m) for each round of
 * refinement.
 */
#ifndef AUT_HOA_ORDER_H
#define AUT_HOA_ORDER_H

#include "aut/automaton.h"

typedef struct hoa_order {
    uint32_t *state;  /* by new number */
    uint32_t *number; /* by state: its new number */
    aut_edge
        *edges; /* those of each state at the same indices, in the new order, with new targets */
} hoa_order;

opac_status hoa_order_init(hoa_order *order, const opac_automaton *automaton, opac_error *error);
void hoa_order_fini(hoa_order *order);

/* Compares labels by their truth tables, which start with the empty letter. Epsilon is the last label. */
int hoa_compare_labels(const aut_bdd_store *store, aut_bdd f, aut_bdd g);

#endif
