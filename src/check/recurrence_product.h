/* SPDX-License-Identifier: MIT */
/*
 * The process whose recurrence time is asked for: the product of a model and a
 * complete automaton, as the definition has it.
 *
 *     0 … n-1     the pairs of the product (product.h)
 *     sink        if some pair has no choice: where runs go that the automaton cannot follow
 *     start       if it is random, or the automaton may choose: a choice for each of its
 *                 initial states, uniform over those of the model
 */
#ifndef CHECK_RECURRENCE_PRODUCT_H
#define CHECK_RECURRENCE_PRODUCT_H

#include "product/product.h"

typedef struct check_recurrence_product {
    graph_process process; /* owned */
    uint32_t start;
    double least; /* the least positive probability */
} check_recurrence_product;

/* Where the automaton has no initial state, the sink is all that there is. */
opac_status check_recurrence_product_init(check_recurrence_product *target,
                                          const product_process *product, opac_error *error);
void check_recurrence_product_fini(check_recurrence_product *target);

#endif
