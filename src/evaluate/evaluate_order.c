/* SPDX-License-Identifier: MIT */
#include "evaluate/evaluate_order.h"

#include "base/alloc.h"

#define NONE UINT32_MAX

opac_status evaluate_order_init(evaluate_order *order, uint32_t capacity, opac_error *error)
{
    *order = (evaluate_order){.capacity = capacity};
    order->head = base_alloc((size_t)capacity + 1, sizeof *order->head);
    order->next = base_alloc(capacity, sizeof *order->next);
    order->before = base_alloc(capacity, sizeof *order->before);
    order->key = base_alloc(capacity, sizeof *order->key);
    if (order->head == NULL || order->next == NULL || order->before == NULL || order->key == NULL)
        return base_fail_memory(error);
    for (uint32_t k = 0; k <= capacity; k++)
        order->head[k] = NONE;
    return OPAC_OK;
}

void evaluate_order_fini(evaluate_order *order)
{
    base_free(order->head);
    base_free(order->next);
    base_free(order->before);
    base_free(order->key);
    *order = (evaluate_order){0};
}

void evaluate_order_clear(evaluate_order *order)
{
    while (evaluate_order_take(order) != NONE)
        ;
    order->least = 0;
}

void evaluate_order_add(evaluate_order *order, uint32_t number, uint64_t key)
{
    uint32_t k = key < order->capacity ? (uint32_t)key : order->capacity;
    order->count++;
    uint32_t first = order->head[k];
    order->key[number] = k;
    order->next[number] = first;
    order->before[number] = NONE;
    if (first != NONE)
        order->before[first] = number;
    order->head[k] = number;
    if (k < order->least)
        order->least = k;
}

void evaluate_order_remove(evaluate_order *order, uint32_t number)
{
    uint32_t next = order->next[number], before = order->before[number];
    order->count--;
    if (next != NONE)
        order->before[next] = before;
    if (before != NONE)
        order->next[before] = next;
    else
        order->head[order->key[number]] = next;
}

uint32_t evaluate_order_take(evaluate_order *order)
{
    if (order->count == 0)
        return NONE;
    while (order->head[order->least] == NONE)
        order->least++;
    uint32_t number = order->head[order->least];
    evaluate_order_remove(order, number);
    return number;
}
