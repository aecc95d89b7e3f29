/* SPDX-License-Identifier: MIT */
/*
 * The data structure of a product_index, with inline lookup for the explicit product, which looks up a
 * product state for each of its edges.
 *
 *     column   by memory: its number among those that are not universal; PRODUCT_NONE: universal
 *     cells    │ state 0: column 0, column 1, … │ state 1: … │      number + 1; 0: not numbered yet
 *     slots    hash of (state, memory) ► number; see base/slots.h
 *     state, memory                                                 by number
 *
 * Either the cells or the slots are used. Cells take 4 bytes for each state and column, whether the
 * product state is reached or not; a lookup is one memory access, near those for neighbouring states.
 * Slots take 11 to 21 bytes for each product state that is reached; a lookup computes a hash, has about
 * three cache misses and takes three to six times as long. Cells are therefore used if there are few
 * columns, or if all cells together are small (MOST_COLUMNS, MOST_CELLS in state_index.c).
 */
#ifndef PRODUCT_STATE_INDEX_LAYOUT_H
#define PRODUCT_STATE_INDEX_LAYOUT_H

#include "base/hash.h"
#include "base/slots.h"
#include "base/vec.h"
#include "product/state_index.h"

struct product_index {
    product_move_table *move_table; /* borrowed */
    uint32_t *column;
    uint32_t columns;
    bool is_dense; /* whether cells are used */
    uint32_t *cells;
    size_t rows; /* states that have cells */
    base_slots slots;
    base_u32_vec state, memory;
    uint32_t sink; /* its number; PRODUCT_NONE if it is not numbered yet */
};

/* As product_index_new. `states` is the number of states, most of which will occur; 0 if unknown. */
opac_status product_index_make(product_move_table *move_table, bool keep_universal, uint32_t states,
                               product_index **index, opac_error *error);

/* Reserves capacity so that adding `more` product states, of states below `states`, cannot fail. */
opac_status product_index_grow(product_index *index, uint64_t states, uint64_t more,
                               opac_error *error);

/* Whether product_index_grow would do nothing. */
static inline bool product_index_has_capacity(const product_index *index, uint64_t states,
                                              uint64_t more)
{
    uint64_t needed = index->state.count + more;
    return needed <= index->state.capacity && needed <= index->memory.capacity &&
           (index->is_dense ? states <= index->rows : base_slots_fit(&index->slots, needed));
}

static inline uint32_t product_index_add(product_index *index, uint32_t state, uint32_t memory)
{
    index->memory.items[index->memory.count++] = memory;
    index->state.items[index->state.count] = state;
    return (uint32_t)index->state.count++;
}

static inline uint32_t product_index_get_cell(product_index *index, uint32_t state, uint32_t memory,
                                              uint32_t column)
{
    uint32_t *cell = &index->cells[(size_t)state * index->columns + column];
    if (*cell == 0)
        *cell = product_index_add(index, state, memory) + 1;
    return *cell - 1;
}

static inline uint32_t product_index_get_slot(product_index *index, uint32_t state, uint32_t memory)
{
    uint64_t hash = base_hash_word((uint64_t)state << 32 | memory);
    uint64_t at = base_slots_first(&index->slots, hash);
    for (; !base_slots_is_empty(&index->slots, at); at = base_slots_next(&index->slots, at)) {
        if (!base_slots_may_hold(&index->slots, at, hash))
            continue;
        uint64_t number = base_slots_position(&index->slots, at);
        if (index->state.items[number] == state && index->memory.items[number] == memory)
            return (uint32_t)number;
    }
    base_slots_fill(&index->slots, at, hash, index->state.count);
    return product_index_add(index, state, memory);
}

/* The number of the sink, whose memory is the first universal one that occurred. */
static inline uint32_t product_index_get_sink(product_index *index, uint32_t memory)
{
    if (index->sink == PRODUCT_NONE)
        index->sink = product_index_add(index, PRODUCT_NONE, memory);
    return index->sink;
}

/* The number of a product state, which is added if it is new. There must be capacity for it. */
static inline uint32_t product_index_get(product_index *index, uint32_t state, uint32_t memory)
{
    uint32_t column = index->column[memory];
    if (column == PRODUCT_NONE)
        return product_index_get_sink(index, memory);
    return index->is_dense ? product_index_get_cell(index, state, memory, column)
                           : product_index_get_slot(index, state, memory);
}

#endif
