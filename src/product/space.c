/* SPDX-License-Identifier: MIT */
/* Pairs: numbering them (space_form.h), and the choices that each has. */
#include "product/space_form.h"

#include <string.h>

#include "graph/process.h"

enum {
    MOST_COLUMNS = 8,    /* cells: at most 32 bytes a state */
    MOST_CELLS = 1 << 26 /* or 256 MiB in all, where it is known how many there will be */
};

/* ---- making one ---- */

static void number_columns(product_space *space, bool keep_universal)
{
    uint32_t states = product_reader_automaton(space->reader)->state_count;
    for (uint32_t q = 0; q < states; q++) {
        uint64_t marks;
        bool is_sink = !keep_universal && product_reader_is_universal(space->reader, q, &marks);
        space->column[q] = is_sink ? PRODUCT_NONE : space->columns++;
    }
}

opac_status product_space_make(product_reader *reader, bool keep_universal, uint32_t states,
                               product_space **space, opac_error *error)
{
    uint32_t memories = product_reader_automaton(reader)->state_count;
    product_space *made = base_alloc_zeroed(1, sizeof *made);
    uint32_t *column = base_alloc(memories, sizeof *column);
    if (made == NULL || column == NULL) {
        base_free(made);
        base_free(column);
        return base_fail_memory(error);
    }
    *made = (product_space){.reader = reader, .column = column, .sink = PRODUCT_NONE};
    number_columns(made, keep_universal);
    made->is_dense = made->columns <= MOST_COLUMNS ||
                     (states > 0 && (uint64_t)states * made->columns <= MOST_CELLS);
    *space = made;
    return OPAC_OK;
}

opac_status product_space_new(product_reader *reader, bool keep_universal, product_space **space,
                              opac_error *error)
{
    return product_space_make(reader, keep_universal, 0, space, error);
}

void product_space_free(product_space *space)
{
    if (space == NULL)
        return;
    base_free(space->column);
    base_free(space->cells);
    base_slots_fini(&space->slots);
    base_u32_vec_fini(&space->state);
    base_u32_vec_fini(&space->memory);
    base_free(space);
}

/* ---- room ---- */

/* Rows for at least `needed` states; the first time as many as were asked for, and no more. */
static opac_status grow_rows(product_space *space, uint64_t needed, opac_error *error)
{
    uint64_t rows = space->rows + space->rows / 2;
    size_t width = space->columns * sizeof *space->cells;
    rows = rows < needed ? needed : rows;
    if (width == 0 || space->rows >= needed) {
        space->rows = needed > space->rows ? needed : space->rows;
        return OPAC_OK;
    }
    if (rows > SIZE_MAX / width)
        return base_fail_memory(error);
    uint32_t *cells = base_allocate(space->cells, rows * width, space->cells == NULL);
    if (cells == NULL)
        return base_fail_memory(error);
    if (space->cells != NULL)
        memset(cells + space->rows * space->columns, 0, (rows - space->rows) * width);
    space->cells = cells;
    space->rows = rows;
    return OPAC_OK;
}

opac_status product_space_grow(product_space *space, uint64_t states, uint64_t pairs,
                               opac_error *error)
{
    uint64_t needed = space->state.count + pairs;
    if (needed > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u states of the product",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&space->state, needed, error));
    TRY(base_u32_vec_reserve(&space->memory, needed, error));
    return space->is_dense ? grow_rows(space, states, error)
                           : base_slots_grow(&space->slots, needed, error);
}

/* ---- pairs ---- */

opac_status product_space_meet(product_space *space, uint32_t state, uint32_t memory,
                               uint32_t *pair, opac_error *error)
{
    if (!product_space_has_room(space, state + UINT64_C(1), 1))
        TRY(product_space_grow(space, state + UINT64_C(1), 1, error));
    *pair = product_space_seek(space, state, memory);
    return OPAC_OK;
}

uint32_t product_space_count(const product_space *space)
{
    return (uint32_t)space->state.count;
}

uint32_t product_space_state(const product_space *space, uint32_t pair)
{
    return space->state.items[pair];
}

uint32_t product_space_memory(const product_space *space, uint32_t pair)
{
    return space->memory.items[pair];
}
