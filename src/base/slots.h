/* SPDX-License-Identifier: MIT */
/*
 * The common part of hash tables: an open-addressing index from 64-bit hashes to positions 0, 1, 2 … in an
 * array of the caller. Linear probing, 2^k slots of one word each; entries cannot be removed.
 *
 *                  63            k k-1          0
 *     slot         │ top of hash  │ position + 1 │       an empty slot is 0
 *     first slot   ╰─ k bits ─╯                          (slot without its position) >> (64 - k)
 *
 * Positions are below 2^k, since the table is never full, so they replace the low k bits of the hash.
 * Storing 64 - k bits of the hash instead of a tag of fixed size has two advantages:
 *
 *   - A slot whose bits agree almost always holds the key: with 2^24 slots, 16 bits more than the index of
 *     the first slot are compared before any key is read.
 *   - The first slot in a table of twice the size follows from the slot alone. Growing reads no keys, and
 *     since the order of first slots is preserved, it reads and writes memory sequentially.
 *
 * Above 2^32 slots, the index of the first slot has fewer than k bits, and its low bits are zero: the table
 * still works, with longer probe sequences.
 *
 * The load is at most 3/4. At that load, a search for an absent key examines 8.5 adjacent slots on average
 * ((1 + 1/(1-a)^2)/2, Knuth), in one or two cache lines; the slots take 11 to 21 bytes a key. A load of 7/8
 * would need 32 slots, for 9 to 18 bytes a key.
 *
 * A zeroed base_slots is empty, and must be grown before it is probed. Several threads may read at the same
 * time if no thread writes.
 */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"

typedef struct base_slots {
    uint64_t *slots;
    uint64_t mask;   /* 2^k - 1 */
    unsigned shift;  /* 64 - k */
    base_work *work; /* borrowed; counts the work of growing, and can stop it; may be NULL */
} base_slots;

/* Probing: for (at = first; !empty(at); at = next(at)) if (may_hold(at, hash)) compare with position(at). */
static inline uint64_t base_slots_first(const base_slots *table, uint64_t hash)
{
    return (hash & ~table->mask) >> table->shift;
}

static inline uint64_t base_slots_next(const base_slots *table, uint64_t at)
{
    return (at + 1) & table->mask;
}

static inline bool base_slots_is_empty(const base_slots *table, uint64_t at)
{
    return table->slots[at] == 0;
}

/* Whether the hash bits of the slot agree. */
static inline bool base_slots_may_hold(const base_slots *table, uint64_t at, uint64_t hash)
{
    return (table->slots[at] ^ hash) <= table->mask;
}

static inline uint64_t base_slots_position(const base_slots *table, uint64_t at)
{
    return (table->slots[at] & table->mask) - 1;
}

/* Fills the empty slot at which probing for the hash ended. */
static inline void base_slots_fill(base_slots *table, uint64_t at, uint64_t hash, uint64_t position)
{
    assert(table->slots[at] == 0 && position < table->mask);
    table->slots[at] = (hash & ~table->mask) | (position + 1);
}

/* Whether `count` positions fit; none fits a zeroed table. */
static inline bool base_slots_fit(const base_slots *table, uint64_t count)
{
    return table->slots != NULL && count <= table->mask - table->mask / 4;
}

/* Grows the table so that `count` positions fit. On failure the table is unchanged. */
opac_status base_slots_grow(base_slots *table, uint64_t count, opac_error *error);
void base_slots_clear(base_slots *table);
size_t base_slots_memory(const base_slots *table);
void base_slots_fini(base_slots *table);

#endif
