/* SPDX-License-Identifier: MIT */
/*
 * Gaussian elimination. Rows are unsorted lists of cells; each column has a list of the rows that contain
 * it. To add a row to another, the positions of the columns of the latter are stored in an array over all
 * columns, so that the cost is linear in the length of both rows.
 */
#include "solve/modular.h"

#include "base/work.h"

solve_field solve_field_of(uint64_t prime)
{
    solve_field field = {.prime = prime};
    uint64_t inverse = 1; /* of prime modulo 2^64; each Newton step doubles the correct bits */
    for (int bits = 1; bits < 64; bits *= 2)
        inverse *= 2 - prime * inverse;
    field.negative = UINT64_C(0) - inverse;
    uint64_t power = 1;
    for (int i = 0; i < 128; i++)
        power = solve_field_subtract(&field, power, prime - power);
    field.square = power;
    return field;
}

/* 1 / a by Fermat's little theorem; both have a factor of 2^64. */
static uint64_t invert(const solve_field *field, uint64_t a)
{
    uint64_t result = solve_field_multiply(field, field->square, 1);
    for (uint64_t exponent = field->prime - 2; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = solve_field_multiply(field, result, a);
        a = solve_field_multiply(field, a, a);
    }
    return result;
}

/* ---- the remaining matrix ---- */

typedef struct elimination {
    solve_factors *factors;
    const opac_cancel *cancel;
    opac_error *error;
    size_t most_cells;
    solve_cell_vec *row;       /* by row, until it is eliminated */
    base_u32_vec *column_rows; /* by column: the rows that contain it, and some eliminated rows */
    uint32_t *column_count;    /* by column: number of remaining rows that contain it */
    uint32_t *position;        /* by column: 1 + its index in the current row; 0 if absent */
    bool *eliminated;
    size_t cells; /* of the remaining rows */
    base_u64_vec heap;
} elimination;

static void elimination_fini(elimination *work, uint32_t count)
{
    for (uint32_t v = 0; v < count; v++) {
        if (work->row != NULL)
            solve_cell_vec_fini(&work->row[v]);
        if (work->column_rows != NULL)
            base_u32_vec_fini(&work->column_rows[v]);
    }
    base_free(work->row);
    base_free(work->column_rows);
    base_free(work->column_count);
    base_free(work->position);
    base_free(work->eliminated);
    base_u64_vec_fini(&work->heap);
}

static opac_status add_cell(elimination *work, uint32_t row, uint32_t column, uint64_t value)
{
    TRY(solve_cell_vec_push(&work->row[row], (solve_cell){column, value}, work->error));
    TRY(base_u32_vec_push(&work->column_rows[column], row, work->error));
    work->column_count[column]++;
    work->cells++;
    return OPAC_OK;
}

static opac_status elimination_init(elimination *work, const solve_residues *matrix)
{
    uint32_t count = matrix->count;
    work->row = base_alloc_zeroed(count, sizeof *work->row);
    work->column_rows = base_alloc_zeroed(count, sizeof *work->column_rows);
    work->column_count = base_alloc_zeroed(count, sizeof *work->column_count);
    work->position = base_alloc_zeroed(count, sizeof *work->position);
    work->eliminated = base_alloc_zeroed(count, sizeof *work->eliminated);
    if (work->row == NULL || work->column_rows == NULL || work->column_count == NULL ||
        work->position == NULL || work->eliminated == NULL)
        return base_fail_memory(work->error);
    const solve_field *field = &work->factors->field;
    for (uint32_t v = 0; v < count; v++)
        for (size_t i = matrix->begin[v]; i < matrix->begin[v + 1]; i++) {
            uint64_t value = solve_field_multiply(field, matrix->value[i], field->square);
            TRY(add_cell(work, v, matrix->column[i], value));
        }
    return OPAC_OK;
}

/* ---- the next pivot: a heap with possibly several entries for a row, of which only one is current ---- */

/* The possible fill-in of a pivot, at most 2^32 - 1, followed by its index. */
static uint64_t heap_key(const elimination *work, uint32_t v)
{
    uint64_t across = work->row[v].count - 1, down = work->column_count[v] - 1;
    uint64_t cost = across * down;
    return (cost < UINT32_MAX ? cost : UINT32_MAX) << 32 | v;
}

static opac_status heap_push(elimination *work, uint32_t v)
{
    TRY(base_u64_vec_push(&work->heap, 0, work->error));
    uint64_t key = heap_key(work, v), *keys = work->heap.items;
    size_t at = work->heap.count - 1;
    for (; at > 0 && keys[(at - 1) / 2] > key; at = (at - 1) / 2)
        keys[at] = keys[(at - 1) / 2];
    keys[at] = key;
    return OPAC_OK;
}

static uint64_t heap_pop(base_u64_vec *heap)
{
    uint64_t *keys = heap->items, least = keys[0], last = keys[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        child += child + 1 < heap->count && keys[child + 1] < keys[child];
        if (keys[child] >= last)
            break;
        keys[at] = keys[child];
    }
    keys[at] = last;
    return least;
}

/* The cheapest remaining pivot. Skips entries with an outdated cost. */
static uint32_t next_pivot(elimination *work)
{
    for (;;) {
        uint64_t key = heap_pop(&work->heap);
        uint32_t v = (uint32_t)key;
        if (!work->eliminated[v] && key == heap_key(work, v))
            return v;
    }
}

/* ---- a step ---- */

/* Subtracts the multiple of row v from row u that cancels column v, and stores the factor in `lower`. */
static opac_status subtract_row(elimination *work, uint32_t u, uint32_t v, uint64_t inverse)
{
    const solve_field *field = &work->factors->field;
    solve_cell_vec *row = &work->row[u];
    const solve_cell_vec *pivot = &work->row[v];
    size_t before = row->count;
    for (size_t i = 0; i < before; i++)
        work->position[row->items[i].index] = (uint32_t)i + 1;
    uint32_t own = work->position[v] - 1;
    uint64_t factor = solve_field_multiply(field, row->items[own].value, inverse);
    for (size_t i = 0; i < pivot->count; i++) {
        uint64_t loss = solve_field_multiply(field, factor, pivot->items[i].value);
        uint32_t column = pivot->items[i].index, at = work->position[column];
        if (at != 0)
            row->items[at - 1].value = solve_field_subtract(field, row->items[at - 1].value, loss);
        else
            TRY(add_cell(work, u, column, solve_field_subtract(field, 0, loss)));
    }
    for (size_t i = 0; i < before; i++)
        work->position[row->items[i].index] = 0;
    row->items[own] = row->items[--row->count];
    work->cells--;
    return solve_cell_vec_push(&work->factors->lower, (solve_cell){u, factor}, work->error);
}

/* Moves the cells of row v, except the pivot, to the factors. */
static opac_status move_row(elimination *work, uint32_t v)
{
    for (size_t i = 0; i < work->row[v].count; i++) {
        solve_cell cell = work->row[v].items[i];
        work->column_count[cell.index]--;
        if (cell.index == v)
            continue;
        TRY(solve_cell_vec_push(&work->factors->upper, cell, work->error));
        TRY(heap_push(work, cell.index));
    }
    work->cells -= work->row[v].count;
    solve_cell_vec_fini(&work->row[v]);
    return OPAC_OK;
}

/* The diagonal element of row v; 0 if it is absent. */
static uint64_t pivot_of(const elimination *work, uint32_t v)
{
    for (size_t i = 0; i < work->row[v].count; i++)
        if (work->row[v].items[i].index == v)
            return work->row[v].items[i].value;
    return 0;
}

static opac_status eliminate(elimination *work, uint32_t step, uint32_t v)
{
    solve_factors *factors = work->factors;
    factors->order[step] = v;
    factors->inverse[step] = invert(&factors->field, pivot_of(work, v));
    work->eliminated[v] = true;
    for (size_t i = 0; i < work->column_rows[v].count; i++) {
        uint32_t u = work->column_rows[v].items[i];
        if (work->eliminated[u])
            continue;
        TRY(subtract_row(work, u, v, factors->inverse[step]));
    }
    TRY(move_row(work, v));
    for (size_t i = factors->lower_begin[step]; i < factors->lower.count; i++)
        TRY(heap_push(work, factors->lower.items[i].index));
    base_u32_vec_fini(&work->column_rows[v]);
    factors->lower_begin[step + 1] = factors->lower.count;
    factors->upper_begin[step + 1] = factors->upper.count;
    if (work->cells + factors->lower.count + factors->upper.count > work->most_cells)
        return base_fail(work->error, OPAC_ERROR_LIMIT,
                         "an exact solution of %u equations that depend on each other needs more "
                         "than %zu coefficients",
                         (unsigned)factors->count, work->most_cells);
    return OPAC_OK;
}

static opac_status run(elimination *work, bool *lucky)
{
    solve_factors *factors = work->factors;
    for (uint32_t v = 0; v < factors->count; v++)
        TRY(heap_push(work, v));
    for (uint32_t step = 0; step < factors->count; step++) {
        if (opac_cancel_requested(work->cancel))
            return base_fail_stopped(work->error, work->cancel, "solving");
        uint32_t v = next_pivot(work);
        *lucky = pivot_of(work, v) != 0;
        if (!*lucky)
            return OPAC_OK;
        TRY(eliminate(work, step, v));
    }
    return OPAC_OK;
}

opac_status solve_factors_find(solve_residues matrix, uint64_t prime, size_t most_cells,
                               const opac_cancel *cancel, solve_factors *factors, bool *lucky,
                               opac_error *error)
{
    size_t count = matrix.count;
    *lucky = true;
    *factors = (solve_factors){
        .field = solve_field_of(prime),
        .count = matrix.count,
        .order = base_alloc(count, sizeof *factors->order),
        .inverse = base_alloc(count, sizeof *factors->inverse),
        .lower_begin = base_alloc_zeroed(count + 1, sizeof *factors->lower_begin),
        .upper_begin = base_alloc_zeroed(count + 1, sizeof *factors->upper_begin),
    };
    elimination work = {
        .factors = factors, .cancel = cancel, .error = error, .most_cells = most_cells};
    opac_status status;
    if (factors->order == NULL || factors->inverse == NULL || factors->lower_begin == NULL ||
        factors->upper_begin == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, elimination_init(&work, &matrix));
    status = run(&work, lucky);
done:
    elimination_fini(&work, matrix.count);
    if (status != OPAC_OK || !*lucky)
        solve_factors_fini(factors);
    return status;
}

void solve_factors_fini(solve_factors *factors)
{
    base_free(factors->order);
    base_free(factors->inverse);
    base_free(factors->lower_begin);
    base_free(factors->upper_begin);
    solve_cell_vec_fini(&factors->lower);
    solve_cell_vec_fini(&factors->upper);
    *factors = (solve_factors){0};
}

void solve_factors_apply(const solve_factors *factors, uint64_t *vector)
{
    const solve_field *field = &factors->field;
    for (uint32_t step = 0; step < factors->count; step++) {
        uint64_t value = vector[factors->order[step]];
        for (size_t i = factors->lower_begin[step]; i < factors->lower_begin[step + 1]; i++) {
            solve_cell cell = factors->lower.items[i];
            vector[cell.index] = solve_field_subtract(
                field, vector[cell.index], solve_field_multiply(field, cell.value, value));
        }
    }
    for (uint32_t step = factors->count; step-- > 0;) {
        uint64_t value = vector[factors->order[step]];
        for (size_t i = factors->upper_begin[step]; i < factors->upper_begin[step + 1]; i++) {
            solve_cell cell = factors->upper.items[i];
            value = solve_field_subtract(
                field, value, solve_field_multiply(field, cell.value, vector[cell.index]));
        }
        vector[factors->order[step]] = solve_field_multiply(field, factors->inverse[step], value);
    }
}
