/* SPDX-License-Identifier: MIT */
/*
 * Columns are only used to find the rows with an entry for the pivot. They are lists that grow;
 * eliminated rows are not removed, but skipped when a list is read, which happens once. Rows contain
 * exactly the entries of remaining states. The arrays of rows are reused for the next component.
 */
#include "evaluate/elimination.h"

#include "base/work.h"

#include <string.h>

enum {
    POLL_EVERY = 64 /* pivots between two polls of the cancel handle */
};

opac_status evaluate_elimination_init(evaluate_elimination *e, uint32_t capacity, opac_error *error)
{
    e->capacity = capacity;
    e->rows = base_alloc_zeroed(capacity, sizeof *e->rows);
    e->sources = base_alloc_zeroed(capacity, sizeof *e->sources);
    e->source_count = base_alloc(capacity, sizeof *e->source_count);
    e->sequence = base_alloc(capacity, sizeof *e->sequence);
    e->mark = base_alloc_zeroed(capacity, sizeof *e->mark);
    e->gone = base_alloc(capacity, sizeof *e->gone);
    if (e->rows == NULL || e->sources == NULL || e->source_count == NULL || e->sequence == NULL ||
        e->mark == NULL || e->gone == NULL)
        return base_fail_memory(error);
    return evaluate_order_init(&e->order, capacity, error);
}

void evaluate_elimination_fini(evaluate_elimination *e)
{
    for (uint32_t i = 0; e->rows != NULL && i < e->capacity; i++) {
        base_free(e->rows[i].column);
        base_free(e->rows[i].weight);
    }
    for (uint32_t i = 0; e->sources != NULL && i < e->capacity; i++)
        base_u32_vec_fini(&e->sources[i]);
    base_free(e->rows);
    base_free(e->sources);
    base_free(e->source_count);
    base_free(e->sequence);
    base_free(e->mark);
    base_free(e->gone);
    base_u32_vec_fini(&e->place);
    evaluate_order_fini(&e->order);
}

void evaluate_elimination_begin(evaluate_elimination *e, uint32_t count)
{
    e->count = count;
    e->work = e->entries = 0;
    for (uint32_t i = 0; i < count; i++) {
        e->rows[i].count = 0;
        e->sources[i].count = 0;
        e->source_count[i] = 0;
        e->gone[i] = false;
    }
}

static opac_status append(evaluate_elimination *e, evaluate_row *row, uint32_t i, uint32_t column,
                          opac_error *error)
{
    size_t needed = (size_t)row->count + 1;
    void *items = row->column;
    TRY(base_reserve(&items, &row->column_capacity, needed, sizeof *row->column, error));
    row->column = items;
    TRY(base_reserve(&row->weight, &row->weight_capacity, needed, e->kernel->weight_size, error));
    TRY(base_u32_vec_push(&e->sources[column], i, error));
    row->column[row->count++] = column;
    e->source_count[column]++;
    e->entries++;
    return OPAC_OK;
}

static void *weight_at(const evaluate_elimination *e, const evaluate_row *row, uint32_t entry)
{
    return (char *)row->weight + entry * e->kernel->weight_size;
}

opac_status evaluate_elimination_entry(evaluate_elimination *e, uint32_t i, uint32_t column,
                                       void **weight, opac_error *error)
{
    TRY(append(e, &e->rows[i], i, column, error));
    *weight = weight_at(e, &e->rows[i], e->rows[i].count - 1);
    return OPAC_OK;
}

static void remove_entry(const evaluate_elimination *e, evaluate_row *row, uint32_t entry)
{
    uint32_t last = --row->count;
    row->column[entry] = row->column[last];
    if (entry != last)
        memcpy(weight_at(e, row, entry), weight_at(e, row, last), e->kernel->weight_size);
}

static uint64_t neighbours(const evaluate_elimination *e, uint32_t i)
{
    return (uint64_t)e->rows[i].count + e->source_count[i];
}

/*
 * Replaces the entry for the pivot k in row i by the entries of row k. `mark` must be set for row k.
 */
static opac_status substitute(evaluate_elimination *e, uint32_t i, uint32_t k, opac_error *error)
{
    evaluate_row *row = &e->rows[i];
    const evaluate_row *pivot = &e->rows[k];
    uint32_t *place = e->place.items, old = row->count, at = 0;
    opac_status status = OPAC_OK;
    for (uint32_t t = 0; t < pivot->count; t++)
        place[t] = EVALUATE_NO_PLACE;
    for (uint32_t entry = 0; entry < old; entry++) {
        uint32_t column = row->column[entry];
        if (column == k)
            at = entry;
        else if (e->mark[column] != 0)
            place[e->mark[column] - 1] = entry;
    }
    for (uint32_t t = 0; status == OPAC_OK && t < pivot->count; t++)
        if (place[t] == EVALUATE_NO_PLACE && pivot->column[t] != i) {
            place[t] = row->count;
            status = append(e, row, i, pivot->column[t], error);
        }
    if (status != OPAC_OK) {
        row->count = old; /* the kernel never saw the others */
        return status;
    }
    e->kernel->add(e->context, i, row, old, at, k, pivot, place);
    remove_entry(e, row, at);
    e->entries--;
    e->work += (uint64_t)old + pivot->count;
    return OPAC_OK;
}

static void set_marks(evaluate_elimination *e, const evaluate_row *row, bool set)
{
    for (uint32_t t = 0; t < row->count; t++)
        e->mark[row->column[t]] = set ? t + 1 : 0;
}

/* Updates the queue for the states whose numbers of neighbours have changed. */
static void requeue(evaluate_elimination *e, uint32_t k)
{
    const evaluate_row *row = &e->rows[k];
    const base_u32_vec *sources = &e->sources[k];
    for (uint32_t t = 0; t < row->count; t++) {
        uint32_t j = row->column[t];
        e->source_count[j]--;
        evaluate_order_remove(&e->order, j);
        evaluate_order_add(&e->order, j, neighbours(e, j));
    }
    for (size_t s = 0; s < sources->count; s++) {
        uint32_t i = sources->items[s];
        if (e->gone[i])
            continue;
        evaluate_order_remove(&e->order, i);
        evaluate_order_add(&e->order, i, neighbours(e, i));
    }
}

static opac_status eliminate(evaluate_elimination *e, uint32_t k, opac_error *error)
{
    evaluate_row *row = &e->rows[k];
    const base_u32_vec *sources = &e->sources[k];
    e->kernel->divide(e->context, k, row);
    e->gone[k] = true;
    opac_status status = base_u32_vec_reserve(&e->place, row->count, error);
    set_marks(e, row, true);
    for (size_t s = 0; status == OPAC_OK && s < sources->count; s++)
        if (!e->gone[sources->items[s]])
            status = substitute(e, sources->items[s], k, error);
    set_marks(e, row, false);
    if (status == OPAC_OK)
        requeue(e, k);
    return status;
}

static bool is_beyond(const evaluate_elimination *e)
{
    return (e->most_work != 0 && e->work > e->most_work) ||
           (e->most_entries != 0 && e->entries > e->most_entries);
}

opac_status evaluate_elimination_run(evaluate_elimination *e, bool *done, opac_error *error)
{
    *done = false;
    evaluate_order_clear(&e->order);
    for (uint32_t i = e->count; i-- > 0;)
        evaluate_order_add(&e->order, i, neighbours(e, i));
    for (uint32_t n = 0; n < e->count; n++) {
        if (is_beyond(e))
            return OPAC_OK;
        if (n % POLL_EVERY == POLL_EVERY - 1 && opac_cancel_requested(e->cancel))
            return base_fail_stopped(error, e->cancel, "evaluating the policy");
        e->sequence[n] = evaluate_order_take(&e->order);
        TRY(eliminate(e, e->sequence[n], error));
    }
    for (uint32_t n = e->count; n-- > 0;)
        e->kernel->resolve(e->context, e->sequence[n], &e->rows[e->sequence[n]]);
    *done = true;
    return OPAC_OK;
}
