/* SPDX-License-Identifier: MIT */
/* Construction and growth of the index of product states (state_index_layout.h). */
#include "product/state_index_layout.h"

#include <string.h>

#include "graph/process.h"

enum {
    MOST_COLUMNS = 8,    /* cells take at most 32 bytes for each state */
    MOST_CELLS = 1 << 26 /* or 256 MiB in total, if the number of states is known */
};

/* ---- construction ---- */

static void number_columns(product_index *index, bool keep_universal)
{
    uint32_t states = product_move_table_automaton(index->move_table)->state_count;
    for (uint32_t q = 0; q < states; q++) {
        uint64_t marks;
        bool is_sink =
            !keep_universal && product_move_table_is_universal(index->move_table, q, &marks);
        index->column[q] = is_sink ? PRODUCT_NONE : index->columns++;
    }
}

opac_status product_index_make(product_move_table *move_table, bool keep_universal, uint32_t states,
                               product_index **index, opac_error *error)
{
    uint32_t memories = product_move_table_automaton(move_table)->state_count;
    product_index *made = base_alloc_zeroed(1, sizeof *made);
    uint32_t *column = base_alloc(memories, sizeof *column);
    if (made == NULL || column == NULL) {
        base_free(made);
        base_free(column);
        return base_fail_memory(error);
    }
    *made = (product_index){.move_table = move_table, .column = column, .sink = PRODUCT_NONE};
    number_columns(made, keep_universal);
    made->is_dense = made->columns <= MOST_COLUMNS ||
                     (states > 0 && (uint64_t)states * made->columns <= MOST_CELLS);
    *index = made;
    return OPAC_OK;
}

opac_status product_index_new(product_move_table *move_table, bool keep_universal,
                              product_index **index, opac_error *error)
{
    return product_index_make(move_table, keep_universal, 0, index, error);
}

void product_index_free(product_index *index)
{
    if (index == NULL)
        return;
    base_free(index->column);
    base_free(index->cells);
    base_slots_fini(&index->slots);
    base_u32_vec_fini(&index->state);
    base_u32_vec_fini(&index->memory);
    base_free(index);
}

/* ---- capacity ---- */

/* Allocates rows for at least `needed` states: exactly that many at first, later half as many again. */
static opac_status grow_rows(product_index *index, uint64_t needed, opac_error *error)
{
    uint64_t rows = index->rows + index->rows / 2;
    size_t width = index->columns * sizeof *index->cells;
    rows = rows < needed ? needed : rows;
    if (width == 0 || index->rows >= needed) {
        index->rows = needed > index->rows ? needed : index->rows;
        return OPAC_OK;
    }
    if (rows > SIZE_MAX / width)
        return base_fail_memory(error);
    uint32_t *cells = base_allocate(index->cells, rows * width, index->cells == NULL);
    if (cells == NULL)
        return base_fail_memory(error);
    if (index->cells != NULL)
        memset(cells + index->rows * index->columns, 0, (rows - index->rows) * width);
    index->cells = cells;
    index->rows = rows;
    return OPAC_OK;
}

opac_status product_index_grow(product_index *index, uint64_t states, uint64_t more,
                               opac_error *error)
{
    uint64_t needed = index->state.count + more;
    if (needed > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "the product has more than %u states",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&index->state, needed, error));
    TRY(base_u32_vec_reserve(&index->memory, needed, error));
    return index->is_dense ? grow_rows(index, states, error)
                           : base_slots_grow(&index->slots, needed, error);
}

/* ---- product states ---- */

opac_status product_index_find_or_add(product_index *index, uint32_t state, uint32_t memory,
                                      uint32_t *number, opac_error *error)
{
    if (!product_index_has_capacity(index, state + UINT64_C(1), 1))
        TRY(product_index_grow(index, state + UINT64_C(1), 1, error));
    *number = product_index_get(index, state, memory);
    return OPAC_OK;
}

uint32_t product_index_count(const product_index *index)
{
    return (uint32_t)index->state.count;
}

uint32_t product_index_state(const product_index *index, uint32_t number)
{
    return index->state.items[number];
}

uint32_t product_index_memory(const product_index *index, uint32_t number)
{
    return index->memory.items[number];
}
