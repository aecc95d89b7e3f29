/* SPDX-License-Identifier: MIT */
/*
 * Intern tables: assign dense ids 0, 1, 2 … to distinct byte strings, in the order in which they are added.
 * Designed for ten million states and more.
 *
 *     base_intern table;
 *     base_intern_init_fixed(&table, sizeof(struct place));
 *     status = base_intern_add(&table, &place, sizeof place, &id, &is_new, error);
 *     ...
 *     base_intern_fini(&table);
 *
 *     slots   ┌─────┬─────┬─────┬───   hash ► id; see base/slots.h
 *             └─────┴─────┴─────┴───   10.7 to 21.3 bytes a key
 *
 *     keys    │ key 0 │ key 1  │ key 2 │ …      back to back, in order of id
 *     ends            ▲        ▲       ▲         one uint64_t a key; absent if
 *                  ends[0]  ends[1]  ends[2]     all keys have the same width
 *
 * Adding and finding cost one hash of the key, and usually one cache miss in the slots (and one in the
 * keys, if the key exists). Growing does not rehash keys. A failed call leaves the table unchanged.
 *
 * Several threads may read at the same time if no thread writes.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slots.h"

typedef struct base_intern {
    base_slots slots;
    unsigned char *keys;
    size_t keys_used, keys_capacity; /* in bytes */
    uint64_t *ends;
    size_t ends_capacity; /* in items */
    size_t width;         /* bytes of a key, if is_fixed */
    bool is_fixed;
    uint32_t count; /* ids are 0 … count-1 */
    uint32_t limit; /* largest count; UINT32_MAX, may be lowered after init */
} base_intern;

/* Keys of any length. Allocates nothing. */
void base_intern_init(base_intern *table);
/* Keys of exactly `width` bytes; if it is 0, there is only one key. Allocates nothing. */
void base_intern_init_fixed(base_intern *table, size_t width);
void base_intern_fini(base_intern *table);

/*
 * The id of a key, which is added if it is new. The key is copied, and must not point into the table. Fails
 * with OPAC_ERROR_LIMIT if there are `limit` ids already, or OPAC_ERROR_MEMORY. is_new may be NULL.
 */
opac_status base_intern_add(base_intern *table, const void *key, size_t length, uint32_t *id,
                            bool *is_new, opac_error *error);

/* Sets *id and returns true if the key exists. */
bool base_intern_find(const base_intern *table, const void *key, size_t length, uint32_t *id);

static inline uint64_t base_intern_key_begin(const base_intern *table, uint32_t id)
{
    if (table->is_fixed)
        return (uint64_t)id * table->width;
    return id > 0 ? table->ends[id - 1] : 0;
}

/* The bytes of a key, without a NUL; the pointer is valid until the next new key. */
static inline const unsigned char *base_intern_key(const base_intern *table, uint32_t id,
                                                   size_t *length)
{
    assert(id < table->count);
    uint64_t begin = base_intern_key_begin(table, id);
    *length = table->is_fixed ? table->width : (size_t)(table->ends[id] - begin);
    return table->keys + begin;
}

#endif
