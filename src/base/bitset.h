/* SPDX-License-Identifier: MIT */
/*
 * Sets of small integers 0 … size-1, one bit each.
 *
 * Bits beyond `size` in the last word are always zero, so that counting and comparing need no mask. A zeroed
 * bitset is a set of size 0.
 */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct base_bitset {
    uint64_t *words;
    size_t size;
} base_bitset;

/* An empty set over 0 … size-1. */
opac_status base_bitset_init(base_bitset *set, size_t size, opac_error *error);
void base_bitset_fini(base_bitset *set);

static inline bool base_bitset_has(const base_bitset *set, size_t element)
{
    assert(element < set->size);
    return (set->words[element / 64] >> (element % 64)) & 1;
}

static inline void base_bitset_add(base_bitset *set, size_t element)
{
    assert(element < set->size);
    set->words[element / 64] |= UINT64_C(1) << (element % 64);
}

static inline void base_bitset_remove(base_bitset *set, size_t element)
{
    assert(element < set->size);
    set->words[element / 64] &= ~(UINT64_C(1) << (element % 64));
}

void base_bitset_clear(base_bitset *set);
void base_bitset_fill(base_bitset *set);
void base_bitset_complement(base_bitset *set);
size_t base_bitset_count(const base_bitset *set);

/* The least element that is >= from; size if there is none. */
size_t base_bitset_next(const base_bitset *set, size_t from);

/* Both sets must have the same size. */
void base_bitset_copy(base_bitset *set, const base_bitset *other);
void base_bitset_unite(base_bitset *set, const base_bitset *other);
void base_bitset_subtract(base_bitset *set, const base_bitset *other);
bool base_bitset_equal(const base_bitset *set, const base_bitset *other);

#endif
