/* SPDX-License-Identifier: MIT */
/* Intern tables. All memory is reserved before a key is added. */
#include "base/intern.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

void base_intern_init(base_intern *table)
{
    *table = (base_intern){.limit = UINT32_MAX};
}

void base_intern_init_fixed(base_intern *table, size_t width)
{
    *table = (base_intern){.limit = UINT32_MAX, .is_fixed = true, .width = width};
}

void base_intern_fini(base_intern *table)
{
    base_slots_fini(&table->slots);
    base_free(table->keys);
    base_free(table->ends);
    *table = (base_intern){0};
}

static bool has_key(const base_intern *table, uint32_t id, const void *key, size_t length)
{
    size_t found_length;
    const unsigned char *found = base_intern_key(table, id, &found_length);
    return found_length == length && (length == 0 || memcmp(found, key, length) == 0);
}

/* The slot that holds the key, or the empty one where it belongs. */
static uint64_t probe(const base_intern *table, const void *key, size_t length, uint64_t hash)
{
    const base_slots *slots = &table->slots;
    uint64_t at = base_slots_first(slots, hash);
    while (!base_slots_is_empty(slots, at)) {
        if (base_slots_may_hold(slots, at, hash) &&
            has_key(table, (uint32_t)base_slots_position(slots, at), key, length))
            break;
        at = base_slots_next(slots, at);
    }
    return at;
}

bool base_intern_find(const base_intern *table, const void *key, size_t length, uint32_t *id)
{
    assert(!table->is_fixed || length == table->width);
    if (table->count == 0)
        return false;
    uint64_t at = probe(table, key, length, base_hash_bytes(key, length));
    if (base_slots_is_empty(&table->slots, at))
        return false;
    *id = (uint32_t)base_slots_position(&table->slots, at);
    return true;
}

static opac_status reserve_keys(base_intern *table, size_t more, opac_error *error)
{
    if (more > SIZE_MAX - table->keys_used)
        return base_fail_memory(error);
    size_t needed = table->keys_used + more;
    void *keys = table->keys;
    opac_status status =
        base_reserve(&keys, &table->keys_capacity, needed > 0 ? needed : 1, 1, error);
    table->keys = keys;
    return status;
}

static opac_status reserve_ends(base_intern *table, size_t needed, opac_error *error)
{
    if (table->is_fixed)
        return OPAC_OK;
    void *ends = table->ends;
    opac_status status =
        base_reserve(&ends, &table->ends_capacity, needed, sizeof *table->ends, error);
    table->ends = ends;
    return status;
}

/* Reserves memory for one more key. */
static opac_status reserve_one(base_intern *table, size_t length, opac_error *error)
{
    if (table->count >= table->limit)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u distinct keys",
                         (unsigned)table->limit);
    TRY(reserve_keys(table, length, error));
    return reserve_ends(table, (size_t)table->count + 1, error);
}

static void append(base_intern *table, const void *key, size_t length)
{
    if (length > 0)
        memcpy(table->keys + table->keys_used, key, length);
    table->keys_used += length;
    if (!table->is_fixed)
        table->ends[table->count] = table->keys_used;
    table->count++;
}

/* The slots grow before probing, so that the slot found can be filled. */
opac_status base_intern_add(base_intern *table, const void *key, size_t length, uint32_t *id,
                            bool *is_new, opac_error *error)
{
    assert(!table->is_fixed || length == table->width);
    TRY(base_slots_grow(&table->slots, (uint64_t)table->count + 1, error));
    uint64_t hash = base_hash_bytes(key, length);
    uint64_t at = probe(table, key, length, hash);
    bool absent = base_slots_is_empty(&table->slots, at);
    if (absent) {
        TRY(reserve_one(table, length, error));
        base_slots_fill(&table->slots, at, hash, table->count);
        append(table, key, length);
    }
    *id = (uint32_t)base_slots_position(&table->slots, at);
    if (is_new != NULL)
        *is_new = absent;
    return OPAC_OK;
}
