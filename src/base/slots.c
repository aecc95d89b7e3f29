/* SPDX-License-Identifier: MIT */
/* Grows the slots of a hash table, by a sequential pass over them. */
#include "base/slots.h"

#include <string.h>

#include "base/alloc.h"

enum {
    FIRST_BITS = 4,
    LARGEST_BITS = 60,
    SLOTS_PER_UNIT = 16 /* slots that count as a unit of work */
};

/* The least number of bits, at least `bits`, for which three quarters of the slots are enough; 0 if there
 * is none. */
static unsigned bits_for(uint64_t count, unsigned bits)
{
    for (; bits <= LARGEST_BITS; bits++) {
        uint64_t mask = (UINT64_C(1) << bits) - 1;
        if (count <= mask - mask / 4)
            return bits;
    }
    return 0;
}

/* Moves a slot to the grown table; the hash bits in the place of the longer position are dropped. */
static void move_slot(base_slots *table, uint64_t slot, uint64_t old_mask)
{
    uint64_t hash = slot & ~old_mask, position = (slot & old_mask) - 1;
    uint64_t at = base_slots_first(table, hash);
    while (!base_slots_is_empty(table, at))
        at = base_slots_next(table, at);
    base_slots_fill(table, at, hash, position);
}

opac_status base_slots_grow(base_slots *table, uint64_t count, opac_error *error)
{
    if (base_slots_fit(table, count))
        return OPAC_OK;
    unsigned bits = bits_for(count, table->slots != NULL ? 64 - table->shift + 1 : FIRST_BITS);
    if (bits == 0 || UINT64_C(1) << bits > SIZE_MAX / sizeof *table->slots)
        return base_fail_memory(error);
    base_slots grown = {.mask = (UINT64_C(1) << bits) - 1, .shift = 64 - bits, .work = table->work};
    grown.slots = base_alloc_zeroed((size_t)grown.mask + 1, sizeof *grown.slots);
    if (grown.slots == NULL)
        return base_fail_memory(error);
    for (uint64_t at = 0; table->slots != NULL && at <= table->mask; at++) {
        if (at % SLOTS_PER_UNIT == 0 && base_work_spend(table->work, 1)) {
            base_free(grown.slots);
            return base_work_fail(table->work, "growing a table", error);
        }
        if (!base_slots_is_empty(table, at))
            move_slot(&grown, table->slots[at], table->mask);
    }
    base_slots_fini(table);
    *table = grown;
    return OPAC_OK;
}

void base_slots_clear(base_slots *table)
{
    if (table->slots != NULL)
        memset(table->slots, 0, base_slots_memory(table));
}

size_t base_slots_memory(const base_slots *table)
{
    return table->slots != NULL ? ((size_t)table->mask + 1) * sizeof *table->slots : 0;
}

void base_slots_fini(base_slots *table)
{
    base_free(table->slots);
    *table = (base_slots){0};
}
