/* SPDX-License-Identifier: MIT */
/*
 * A queue of small numbers by a small key that changes: which state of a
 * component is eliminated next. All operations take constant time, but that the
 * least key is looked for upwards from the last one.
 *
 *     head     by key: the first number with it      ─┐  lists in both directions,
 *     next, before   by number                       ─┘  last in, first out
 */
#ifndef POLICY_EVALUATE_ORDER_H
#define POLICY_EVALUATE_ORDER_H

#include <stdint.h>

#include "base/error.h"

typedef struct policy_order {
    uint32_t *head;                /* keys 0 … capacity; larger ones count as the last */
    uint32_t *next, *before, *key; /* by number below the capacity */
    uint32_t capacity, least, count;
} policy_order;

opac_status policy_order_init(policy_order *order, uint32_t capacity, opac_error *error);
void policy_order_fini(policy_order *order);

/* Empties it. */
void policy_order_clear(policy_order *order);
/* A number that is not in it. */
void policy_order_add(policy_order *order, uint32_t number, uint64_t key);
/* A number that is in it. */
void policy_order_remove(policy_order *order, uint32_t number);
/* Takes out one of the least key; UINT32_MAX: it is empty. */
uint32_t policy_order_take(policy_order *order);

#endif
