/* SPDX-License-Identifier: MIT */
/*
 * The process whose recurrence time is computed: the product of a model and a completed automaton.
 *
 *     0 … n-1     the product states (product.h)
 *     sink        if some product state has no choice: the target of missing edges of the automaton
 *     start       if there are several initial states: a choice for each initial state of the
 *                 automaton, uniform over the initial states of the model
 */
#ifndef CHECK_RECURRENCE_PRODUCT_H
#define CHECK_RECURRENCE_PRODUCT_H

#include "product/product.h"

typedef struct check_recurrence_product {
    graph_process process; /* owned */
    uint32_t start;
    double least; /* least positive probability */
} check_recurrence_product;

/* Without an initial state of the automaton, the start is the sink. */
opac_status check_recurrence_product_init(check_recurrence_product *target,
                                          const product_process *product, opac_error *error);
void check_recurrence_product_fini(check_recurrence_product *target);

#endif
