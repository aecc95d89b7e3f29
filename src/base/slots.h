/* SPDX-License-Identifier: MIT */
/*
 * The part that hash tables share: an open-addressing index from 64-bit hashes
 * to positions 0, 1, 2 … in an array that somebody else keeps. Linear probing,
 * 2^k slots of one word each; nothing is ever removed.
 *
 *                63            k k-1          0
 *     slot       │ top of hash  │ position + 1 │       an empty slot is 0
 *     home       ╰─ k bits ─╯                          (slot without its position) >> (64 - k)
 *
 * Positions stay below 2^k since the table is never full, so the low k bits of
 * the hash make room for them. Two things follow from keeping 64 - k bits of
 * the hash rather than a fixed tag:
 *
 *   - A slot whose kept bits agree is nearly always the right one: at 2^24
 *     slots, 16 bits beyond the home are compared before any key is touched.
 *   - The home in a table of twice the size is known from the slot alone.
 *     Growing touches no key, and since the homes keep their order it reads
 *     and writes memory front to back.
 *
 * Beyond 2^32 slots the home has fewer than k bits and its low ones are zero;
 * the table works on, with longer runs.
 *
 * Load: at most 3/4. An absent key then costs some 8 adjacent slots at worst
 * ((1 + 1/(1-a)^2)/2, Knuth), one or two cache lines; the slots cost 11 to 21
 * bytes a key. At 7/8 it would be 32 slots, for 9 to 18 bytes.
 *
 * A base_slots of all zeros is empty and owns nothing; it must be grown before
 * it is probed. Reading from several threads is safe while nobody writes.
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
    base_work *work; /* borrowed: growing is counted in it, and can be stopped; NULL: not */
} base_slots;

/* Probing: for (at = home; !empty(at); at = next(at)) if (maybe(at, hash)) look at position(at). */
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

/* Whether the slot's part of the hash agrees. */
static inline bool base_slots_may_hold(const base_slots *table, uint64_t at, uint64_t hash)
{
    return (table->slots[at] ^ hash) <= table->mask;
}

static inline uint64_t base_slots_position(const base_slots *table, uint64_t at)
{
    return (table->slots[at] & table->mask) - 1;
}

/* Fills the empty slot at which a probe for hash ended. */
static inline void base_slots_fill(base_slots *table, uint64_t at, uint64_t hash, uint64_t position)
{
    assert(table->slots[at] == 0 && position < table->mask);
    table->slots[at] = (hash & ~table->mask) | (position + 1);
}

/* Whether `count` positions fit; a table of all zeros fits none. */
static inline bool base_slots_fit(const base_slots *table, uint64_t count)
{
    return table->slots != NULL && count <= table->mask - table->mask / 4;
}

/* Makes room for `count` positions. On failure the table is as it was. */
opac_status base_slots_grow(base_slots *table, uint64_t count, opac_error *error);
void base_slots_clear(base_slots *table);
size_t base_slots_memory(const base_slots *table);
void base_slots_fini(base_slots *table);

#endif
