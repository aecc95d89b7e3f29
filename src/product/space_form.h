/* SPDX-License-Identifier: MIT */
/*
 * The inside of a product_space, for the explicit product, which meets a pair
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
 * columns, and where all of them take little (MOST_COLUMNS, MOST_CELLS in space.c).
 */
#ifndef PRODUCT_SPACE_FORM_H
#define PRODUCT_SPACE_FORM_H

#include "base/hash.h"
#include "base/slots.h"
#include "base/vec.h"
#include "product/space.h"

struct product_space {
    product_reader *reader; /* borrowed */
    uint32_t *column;
    uint32_t columns;
    bool is_dense; /* cells */
    uint32_t *cells;
    size_t rows; /* states that have cells */
    base_slots slots;
    base_u32_vec state, memory;
    uint32_t sink; /* PRODUCT_NONE: not met */
};

/* As product_space_new; states: how many there are, all of them met soon; 0: nobody knows. */
opac_status product_space_make(product_reader *reader, bool keep_universal, uint32_t states,
                               product_space **space, opac_error *error);

/* Room for so many more pairs, of states below `states`: meeting them cannot fail. */
opac_status product_space_grow(product_space *space, uint64_t states, uint64_t pairs,
                               opac_error *error);

static inline bool product_space_has_room(const product_space *space, uint64_t states,
                                          uint64_t pairs)
{
    uint64_t needed = space->state.count + pairs;
    return needed <= space->state.capacity && needed <= space->memory.capacity &&
           (space->is_dense ? states <= space->rows : base_slots_fit(&space->slots, needed));
}

static inline uint32_t product_space_add(product_space *space, uint32_t state, uint32_t memory)
{
    space->memory.items[space->memory.count++] = memory;
    space->state.items[space->state.count] = state;
    return (uint32_t)space->state.count++;
}

static inline uint32_t product_space_seek_cell(product_space *space, uint32_t state,
                                               uint32_t memory, uint32_t column)
{
    uint32_t *cell = &space->cells[(size_t)state * space->columns + column];
    if (*cell == 0)
        *cell = product_space_add(space, state, memory) + 1;
    return *cell - 1;
}

static inline uint32_t product_space_seek_slot(product_space *space, uint32_t state,
                                               uint32_t memory)
{
    uint64_t hash = base_hash_word((uint64_t)state << 32 | memory);
    uint64_t at = base_slots_home(&space->slots, hash);
    for (; !base_slots_is_empty(&space->slots, at); at = base_slots_next(&space->slots, at)) {
        if (!base_slots_may_hold(&space->slots, at, hash))
            continue;
        uint64_t pair = base_slots_position(&space->slots, at);
        if (space->state.items[pair] == state && space->memory.items[pair] == memory)
            return (uint32_t)pair;
    }
    base_slots_fill(&space->slots, at, hash, space->state.count);
    return product_space_add(space, state, memory);
}

/* The sink, which belongs to the first universal memory that was met. */
static inline uint32_t product_space_seek_sink(product_space *space, uint32_t memory)
{
    if (space->sink == PRODUCT_NONE)
        space->sink = product_space_add(space, PRODUCT_NONE, memory);
    return space->sink;
}

/* The number of a pair, which is a new one when it was not met before; there is room. */
static inline uint32_t product_space_seek(product_space *space, uint32_t state, uint32_t memory)
{
    uint32_t column = space->column[memory];
    if (column == PRODUCT_NONE)
        return product_space_seek_sink(space, memory);
    return space->is_dense ? product_space_seek_cell(space, state, memory, column)
                           : product_space_seek_slot(space, state, memory);
}

#endif
