/* SPDX-License-Identifier: MIT */
/* Word-parallel set operations; each is linear in size/64. */
#include "base/bitset.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bits.h"

static size_t word_count(size_t size)
{
    return size / 64 + (size % 64 != 0);
}

static void clear_padding(base_bitset *set)
{
    if (set->size % 64 != 0)
        set->words[set->size / 64] &= (UINT64_C(1) << (set->size % 64)) - 1;
}

opac_status base_bitset_init(base_bitset *set, size_t size, opac_error *error)
{
    *set = (base_bitset){0};
    set->words = base_alloc_zeroed(word_count(size), sizeof *set->words);
    if (set->words == NULL)
        return base_fail_memory(error);
    set->size = size;
    return OPAC_OK;
}

void base_bitset_fini(base_bitset *set)
{
    base_free(set->words);
    *set = (base_bitset){0};
}

void base_bitset_clear(base_bitset *set)
{
    for (size_t i = 0; i < word_count(set->size); i++)
        set->words[i] = 0;
}

void base_bitset_fill(base_bitset *set)
{
    for (size_t i = 0; i < word_count(set->size); i++)
        set->words[i] = UINT64_MAX;
    clear_padding(set);
}

void base_bitset_complement(base_bitset *set)
{
    for (size_t i = 0; i < word_count(set->size); i++)
        set->words[i] = ~set->words[i];
    clear_padding(set);
}

size_t base_bitset_count(const base_bitset *set)
{
    size_t count = 0;
    for (size_t i = 0; i < word_count(set->size); i++)
        count += base_popcount(set->words[i]);
    return count;
}

size_t base_bitset_next(const base_bitset *set, size_t from)
{
    if (from >= set->size)
        return set->size;
    size_t index = from / 64;
    uint64_t word = set->words[index] >> (from % 64) << (from % 64);
    while (word == 0) {
        if (++index == word_count(set->size))
            return set->size;
        word = set->words[index];
    }
    return index * 64 + base_lowest_bit(word);
}

void base_bitset_copy(base_bitset *set, const base_bitset *other)
{
    assert(set->size == other->size);
    for (size_t i = 0; i < word_count(set->size); i++)
        set->words[i] = other->words[i];
}

void base_bitset_unite(base_bitset *set, const base_bitset *other)
{
    assert(set->size == other->size);
    for (size_t i = 0; i < word_count(set->size); i++)
        set->words[i] |= other->words[i];
}

void base_bitset_subtract(base_bitset *set, const base_bitset *other)
{
    assert(set->size == other->size);
    for (size_t i = 0; i < word_count(set->size); i++)
        set->words[i] &= ~other->words[i];
}

bool base_bitset_equal(const base_bitset *set, const base_bitset *other)
{
    assert(set->size == other->size);
    return set->size == 0 ||
           memcmp(set->words, other->words, word_count(set->size) * sizeof *set->words) == 0;
}
