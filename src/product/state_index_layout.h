/* SPDX-License-Identifier: MIT */
/*
 * The inside of a product_index, for the explicit product, which meets a pair
 * for each of its edges and cannot afford a call for it.
 *
 *     column   by memory: its number among those that are not universal; PRODUCT_NONE: the sink
 *     cells    │ state 0: column 0, column 1, … │ state 1: … │      pair + 1; 0: not met
 *     slots    hash of (state, memory) ► pair; see base/slots.h
 *     state, memory                                                 by pair
 *
 * Either the cells are used or the slots. Cells take 4 bytes a state and column
 * whether the pair is met or not, one look, and neighbours of a state are
 * neighbours there; slots take 11 to 21 bytes a pair that is met, a hash and some
 * three cache misses, three to six times as long in all. So cells for few
 * columns, and where all of them take little (MOST_COLUMNS, MOST_CELLS in index.c).
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
    bool is_dense; /* cells */
    uint32_t *cells;
    size_t rows; /* states that have cells */
    base_slots slots;
    base_u32_vec state, memory;
    uint32_t sink; /* PRODUCT_NONE: not met */
};

/* As product_index_new; states: how many there are, all of them met soon; 0: nobody knows. */
opac_status product_index_make(product_move_table *move_table, bool keep_universal, uint32_t states,
                               product_index **index, opac_error *error);

/* Room for so many more pairs, of states below `states`: meeting them cannot fail. */
opac_status product_index_grow(product_index *index, uint64_t states, uint64_t pairs,
                               opac_error *error);

static inline bool product_index_has_room(const product_index *index, uint64_t states,
                                          uint64_t pairs)
{
    uint64_t needed = index->state.count + pairs;
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
        uint64_t pair = base_slots_position(&index->slots, at);
        if (index->state.items[pair] == state && index->memory.items[pair] == memory)
            return (uint32_t)pair;
    }
    base_slots_fill(&index->slots, at, hash, index->state.count);
    return product_index_add(index, state, memory);
}

/* The sink, which belongs to the first universal memory that was met. */
static inline uint32_t product_index_get_sink(product_index *index, uint32_t memory)
{
    if (index->sink == PRODUCT_NONE)
        index->sink = product_index_add(index, PRODUCT_NONE, memory);
    return index->sink;
}

/* The number of a pair, which is a new one when it was not met before; there is room. */
static inline uint32_t product_index_get(product_index *index, uint32_t state, uint32_t memory)
{
    uint32_t column = index->column[memory];
    if (column == PRODUCT_NONE)
        return product_index_get_sink(index, memory);
    return index->is_dense ? product_index_get_cell(index, state, memory, column)
                           : product_index_get_slot(index, state, memory);
}

#endif
