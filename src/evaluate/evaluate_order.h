/* SPDX-License-Identifier: MIT */
/*
 * A queue of small numbers by a small key that changes: which state of a
 * component is eliminated next. All operations take constant time, but that the
 * least key is looked for upwards from the last one.
 *
 *     head     by key: the first number with it      ─┐  lists in both directions,
 *     next, before   by number                       ─┘  last in, first out
 */
#ifndef EVALUATE_ORDER_H
#define EVALUATE_ORDER_H

#include <stdint.h>

#include "base/error.h"

typedef struct evaluate_order {
    uint32_t *head;                /* keys 0 … capacity; larger ones count as the last */
    uint32_t *next, *before, *key; /* by number below the capacity */
    uint32_t capacity, least, count;
} evaluate_order;

opac_status evaluate_order_init(evaluate_order *order, uint32_t capacity, opac_error *error);
void evaluate_order_fini(evaluate_order *order);

/* Empties it. */
void evaluate_order_clear(evaluate_order *order);
/* A number that is not in it. */
void evaluate_order_add(evaluate_order *order, uint32_t number, uint64_t key);
/* A number that is in it. */
void evaluate_order_remove(evaluate_order *order, uint32_t number);
/* Takes out one of the least key; UINT32_MAX: it is empty. */
uint32_t evaluate_order_take(evaluate_order *order);

#endif
