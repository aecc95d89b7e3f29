/* SPDX-License-Identifier: MIT */
/*
 * A bucket queue: small numbers with small keys that may change. It gives the next state of a component
 * to eliminate. All operations take constant time, except that taking a number searches the least key
 * upwards from the last one.
 *
 *     head           by key: the first number with it   ─┐  doubly linked lists,
 *     next, before   by number                           ─┘  last in, first out
 */
#ifndef EVALUATE_ORDER_H
#define EVALUATE_ORDER_H

#include <stdint.h>

#include "base/error.h"

typedef struct evaluate_order {
    uint32_t *head;                /* keys 0 … capacity; larger keys are treated as capacity */
    uint32_t *next, *before, *key; /* by number below the capacity */
    uint32_t capacity, least, count;
} evaluate_order;

opac_status evaluate_order_init(evaluate_order *order, uint32_t capacity, opac_error *error);
void evaluate_order_fini(evaluate_order *order);

/* Removes all numbers. */
void evaluate_order_clear(evaluate_order *order);
/* Adds a number that is not in the queue. */
void evaluate_order_add(evaluate_order *order, uint32_t number, uint64_t key);
/* Removes a number that is in the queue. */
void evaluate_order_remove(evaluate_order *order, uint32_t number);
/* Removes and returns a number with the least key; UINT32_MAX if the queue is empty. */
uint32_t evaluate_order_take(evaluate_order *order);

#endif
