/* SPDX-License-Identifier: MIT */
/*
 * Construction of the explicit product. Product states are expanded in the order of their numbers, so no
 * queue is needed, and choices and edges are appended to their arrays in order:
 *
 *     product states     │ expanded …       │ current │ numbered, not expanded … │
 *                                                │
 *                        its choices and edges are appended
 *
 * The model and the moves determine the number of choices and edges of a product state. Memory for them is
 * reserved before the first is written, so writing them cannot fail. Time is linear in the size of the
 * product. Besides the product, the index takes 4 bytes for each state of the model and column, or 11 to
 * 21 bytes for each product state (state_index_layout.h).
 *
 * All branches of a choice are combined with the same move of the automaton, so either all of them lead to
 * the sink or none. In the first case they become one edge of probability 1.
 */
#include "product/product.h"

#include <string.h>

#include "base/work.h"
#include "product/state_index_layout.h"

enum {
    CHECK_STATES = 1 << 13 /* product states between two checks for cancellation */
};

typedef struct build {
    const opac_model *model;
    const uint64_t *letters;
    product_options options;
    uint64_t max_states;
    product_move_table *move_table;
    product_index *index;
    uint64_t letter; /* the letter that was last classified, and its class */
    uint32_t class;
    bool has_class;
    size_t choices,
        edges; /* numbers of items; the counts of the vectors below are set at the end */
    base_u32_vec choice_begin, edge_begin, target, choice;
    base_u64_vec marks;
    base_double_vec prob;
    base_ratio *exact;
    size_t exact_capacity;
    base_u32_vec start_begin, start;
} build;

/* ---- capacity ---- */

static bool has_capacity(const build *b, size_t choices, size_t edges)
{
    return choices <= b->edge_begin.capacity && choices <= b->marks.capacity &&
           choices <= b->choice.capacity && edges <= b->target.capacity &&
           edges <= b->prob.capacity && (b->model->exact == NULL || edges <= b->exact_capacity);
}

/* Reserves memory for these total numbers of choices and edges. */
static opac_status reserve(build *b, uint64_t choices, uint64_t edges, opac_error *error)
{
    void *exact = b->exact;
    if (choices > GRAPH_LARGEST || edges > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "the product has more than %u %s",
                         (unsigned)GRAPH_LARGEST, edges > GRAPH_LARGEST ? "edges" : "choices");
    TRY(base_u32_vec_reserve(&b->edge_begin, choices, error));
    TRY(base_u64_vec_reserve(&b->marks, choices, error));
    TRY(base_u32_vec_reserve(&b->choice, choices, error));
    TRY(base_u32_vec_reserve(&b->target, edges, error));
    TRY(base_double_vec_reserve(&b->prob, edges, error));
    if (b->model->exact != NULL)
        TRY(base_reserve(&exact, &b->exact_capacity, edges, sizeof *b->exact, error));
    b->exact = exact;
    return OPAC_OK;
}

/* Reserves memory for this many more choices and edges, each of which may lead to a new product state. */
static opac_status reserve_more(build *b, uint64_t choices, uint64_t edges, opac_error *error)
{
    uint32_t states = b->model->process.state_count;
    if (!has_capacity(b, b->choices + choices, b->edges + edges))
        TRY(reserve(b, b->choices + choices, b->edges + edges, error));
    if (!product_index_has_capacity(b->index, states, edges))
        TRY(product_index_grow(b->index, states, edges, error));
    return OPAC_OK;
}

/* Reserves the initial memory. With one column the product is no larger than the model and the sink. */
static opac_status reserve_initial(build *b, opac_error *error)
{
    const graph_process *p = &b->model->process;
    uint64_t states = b->index->columns == 1 ? p->state_count + UINT64_C(1) : 1;
    TRY(product_index_grow(b->index, p->state_count, states, error));
    if (b->index->columns == 1)
        TRY(base_u32_vec_reserve(&b->choice_begin, states + 1, error));
    if (b->index->columns == 1 && p->edge_count < GRAPH_LARGEST)
        TRY(reserve(b, p->choice_count + UINT64_C(1), p->edge_count + UINT64_C(1), error));
    return OPAC_OK;
}

/* ---- appending; memory is reserved ---- */

static void put_choice(build *b, uint32_t choice, uint64_t marks, size_t edge)
{
    size_t at = b->choices++;
    b->edge_begin.items[at] = (uint32_t)edge;
    b->choice.items[at] = choice;
    b->marks.items[at] = marks;
}

static void put_certain_edge(build *b, uint32_t target)
{
    size_t at = b->edges++;
    b->target.items[at] = target;
    b->prob.items[at] = 1;
    if (b->model->exact != NULL)
        b->exact[at] = base_ratio_of_integer(1);
}

/* The edges begin … end-1 of the model, combined with a memory that is not universal. */
static void put_edges(build *b, uint32_t begin, uint32_t end, uint32_t memory)
{
    const graph_process *p = &b->model->process;
    product_index *index = b->index;
    const uint32_t *from = p->target + begin;
    const double *prob_from = p->prob + begin;
    uint32_t *target = b->target.items + b->edges, column = index->column[memory];
    double *prob = b->prob.items + b->edges;
    size_t count = end - begin;
    if (index->is_dense)
        for (size_t i = 0; i < count; i++)
            target[i] = product_index_get_cell(index, from[i], memory, column);
    else
        for (size_t i = 0; i < count; i++)
            target[i] = product_index_get_slot(index, from[i], memory);
    for (size_t i = 0; i < count; i++)
        prob[i] = prob_from[i];
    if (b->model->exact != NULL)
        memcpy(b->exact + b->edges, b->model->exact + begin, count * sizeof(base_ratio));
    b->edges += count;
}

/* ---- one product state ---- */

static opac_status put_sink(build *b, opac_error *error)
{
    uint64_t marks;
    uint32_t sink = b->index->sink;
    TRY(reserve_more(b, 1, 1, error));
    product_move_table_is_universal(b->move_table, b->index->memory.items[sink], &marks);
    put_choice(b, PRODUCT_NONE, marks, b->edges);
    put_certain_edge(b, sink);
    return OPAC_OK;
}

static bool leads_to_sink(const build *b, const product_move *move)
{
    return b->index->column[move->target] == PRODUCT_NONE;
}

/* If there is only one move on the letter, the edges of all choices are copied at once. */
static void put_single_move(build *b, uint32_t state, const product_move *move)
{
    const graph_process *p = &b->model->process;
    uint32_t begin = p->choice_begin[state], end = p->choice_begin[state + 1];
    uint32_t first = p->edge_begin[begin];
    for (uint32_t c = begin; c < end; c++)
        put_choice(b, c, move->marks, b->edges + (p->edge_begin[c] - first));
    put_edges(b, first, p->edge_begin[end], move->target);
}

/* All moves for each choice in turn. */
static void put_moves(build *b, uint32_t state, const product_move *moves, uint32_t count)
{
    const graph_process *p = &b->model->process;
    if (count == 1 && !leads_to_sink(b, moves)) {
        put_single_move(b, state, moves);
        return;
    }
    for (uint32_t c = p->choice_begin[state]; c < p->choice_begin[state + 1]; c++) {
        for (uint32_t i = 0; i < count; i++) {
            put_choice(b, c, moves[i].marks, b->edges);
            if (leads_to_sink(b, &moves[i]))
                put_certain_edge(b, product_index_get_sink(b->index, moves[i].target));
            else
                put_edges(b, p->edge_begin[c], p->edge_begin[c + 1], moves[i].target);
        }
    }
}

static opac_status find_class(build *b, uint64_t letter, opac_error *error)
{
    if (b->has_class && letter == b->letter)
        return OPAC_OK;
    opac_status status = product_move_table_class(b->move_table, letter, &b->class, error);
    b->letter = letter;
    b->has_class = status == OPAC_OK;
    return status;
}

static opac_status expand(build *b, uint32_t number, opac_error *error)
{
    const graph_process *p = &b->model->process;
    uint32_t s = b->index->state.items[number], q = b->index->memory.items[number];
    uint32_t count, epsilon_count;
    if (number == b->index->sink)
        return put_sink(b, error);
    TRY(find_class(b, b->letters[s], error));
    const product_move *moves = product_move_table_moves(b->move_table, q, b->class, &count);
    const product_move *epsilons = product_move_table_epsilons(b->move_table, q, &epsilon_count);
    uint32_t first = p->choice_begin[s], last = p->choice_begin[s + 1];
    uint64_t edges = p->edge_begin[last] - p->edge_begin[first];
    TRY(reserve_more(b, (uint64_t)count * (last - first) + epsilon_count,
                     count * edges + epsilon_count, error));
    put_moves(b, s, moves, count);
    for (uint32_t i = 0; i < epsilon_count; i++) {
        put_choice(b, PRODUCT_NONE, epsilons[i].marks, b->edges);
        put_certain_edge(b, product_index_get(b->index, s, epsilons[i].target));
    }
    return OPAC_OK;
}

/* ---- all product states ---- */

static opac_status check_limits(const build *b, opac_error *error)
{
    uint32_t states = b->model->process.state_count;
    uint32_t memories = product_move_table_automaton(b->move_table)->state_count;
    if (b->index->state.count <= b->max_states)
        return OPAC_OK;
    return base_fail_limit(error, "max_states", b->max_states,
                           "the product of %u and %u states has more than %llu", (unsigned)states,
                           (unsigned)memories, (unsigned long long)b->max_states);
}

static opac_status add_initial(build *b, opac_error *error)
{
    const opac_automaton *a = product_move_table_automaton(b->move_table);
    const base_u32_vec *initial = &b->model->initial;
    TRY(base_u32_vec_push(&b->start_begin, 0, error));
    for (size_t i = 0; i < initial->count; i++) {
        for (uint32_t j = 0; j < a->initial_count; j++) {
            uint32_t start;
            TRY(product_index_find_or_add(b->index, initial->items[i], a->initial[j], &start,
                                          error));
            TRY(base_u32_vec_push(&b->start, start, error));
        }
        TRY(base_u32_vec_push(&b->start_begin, (uint32_t)b->start.count, error));
    }
    return OPAC_OK;
}

static opac_status expand_all(build *b, opac_error *error)
{
    for (uint32_t number = 0; number < b->index->state.count; number++) {
        if (number % CHECK_STATES == 0) {
            if (opac_cancel_requested(b->options.cancel))
                return base_fail_stopped(error, b->options.cancel,
                                         "building the product of model and automaton");
            opac_progress_update(b->options.progress, number, 0);
        }
        TRY(base_u32_vec_push(&b->choice_begin, (uint32_t)b->choices, error));
        TRY(expand(b, number, error));
        TRY(check_limits(b, error));
    }
    return OPAC_OK;
}

/* ---- result ---- */

/* The array, shrunk to its number of items, at least one. */
static void *trimmed(void *items, size_t count, size_t size, opac_status *status)
{
    void *fit = base_allocate(items, (count > 0 ? count : 1) * size, false);
    if (fit == NULL)
        *status = OPAC_ERROR_MEMORY;
    return fit != NULL ? fit : items;
}

#define TRIM(vec)                                                                                  \
    ((vec)->items = trimmed((vec)->items, (vec)->count, sizeof *(vec)->items, &status))

static opac_status trim(build *b, opac_error *error)
{
    opac_status status = OPAC_OK;
    TRIM(&b->choice_begin);
    TRIM(&b->edge_begin);
    TRIM(&b->target);
    TRIM(&b->choice);
    TRIM(&b->marks);
    TRIM(&b->prob);
    TRIM(&b->index->state);
    TRIM(&b->index->memory);
    if (b->model->exact != NULL)
        b->exact = trimmed(b->exact, b->edges, sizeof *b->exact, &status);
    return status == OPAC_OK ? OPAC_OK : base_fail_memory(error);
}

/* Moves the arrays to the product. */
static void move_arrays(build *b, product_process *product)
{
    product->process = (graph_process){
        .state_count = (uint32_t)b->index->state.count,
        .choice_count = (uint32_t)b->choices,
        .edge_count = (uint32_t)b->edges,
        .choice_begin = b->choice_begin.items,
        .edge_begin = b->edge_begin.items,
        .target = b->target.items,
        .prob = b->prob.items,
        .owned = true,
    };
    product->marks = b->marks.items;
    product->choice = b->choice.items;
    product->exact = b->exact;
    product->state = b->index->state.items;
    product->memory = b->index->memory.items;
    product->start_begin = b->start_begin;
    product->start = b->start;
    product->full = (uint64_t)b->model->process.state_count *
                    product_move_table_automaton(b->move_table)->state_count;
    b->choice_begin = b->edge_begin = b->target = b->choice = (base_u32_vec){0};
    b->start_begin = b->start = b->index->state = b->index->memory = (base_u32_vec){0};
    b->marks = (base_u64_vec){0};
    b->prob = (base_double_vec){0};
    b->exact = NULL;
}

static opac_status finish(build *b, product_process *product, opac_error *error)
{
    b->edge_begin.count = b->choice.count = b->marks.count = b->choices;
    b->target.count = b->prob.count = b->edges;
    TRY(base_u32_vec_push(&b->choice_begin, (uint32_t)b->choices, error));
    TRY(base_u32_vec_push(&b->edge_begin, (uint32_t)b->edges, error));
    TRY(trim(b, error));
    move_arrays(b, product);
    return OPAC_OK;
}

static void build_fini(build *b)
{
    product_index_free(b->index);
    product_move_table_free(b->move_table);
    base_u32_vec_fini(&b->choice_begin);
    base_u32_vec_fini(&b->edge_begin);
    base_u32_vec_fini(&b->target);
    base_u32_vec_fini(&b->choice);
    base_u64_vec_fini(&b->marks);
    base_double_vec_fini(&b->prob);
    base_free(b->exact);
    base_u32_vec_fini(&b->start_begin);
    base_u32_vec_fini(&b->start);
}

opac_status product_build(const opac_model *model, const uint64_t *letters,
                          const opac_automaton *automaton, const product_options *options,
                          product_process *product, opac_error *error)
{
    build b = {.model = model, .letters = letters};
    if (options != NULL)
        b.options = *options;
    b.max_states = b.options.max_states > 0 ? b.options.max_states : MODEL_DEFAULT_MAX_STATES;
    *product = (product_process){0};
    opac_status status;
    opac_progress_start(b.options.progress, "building the product");
    TRY_OR(done, product_move_table_new(automaton, &b.move_table, error));
    TRY_OR(done, product_index_make(b.move_table, b.options.keep_universal,
                                    model->process.state_count, &b.index, error));
    TRY_OR(done, reserve_initial(&b, error));
    TRY_OR(done, add_initial(&b, error));
    TRY_OR(done, expand_all(&b, error));
    status = finish(&b, product, error);
done:
    opac_progress_finish(b.options.progress);
    build_fini(&b);
    return status;
}

void product_fini(product_process *product)
{
    graph_process_fini(&product->process);
    base_free(product->marks);
    base_free(product->choice);
    base_free(product->exact);
    base_free(product->state);
    base_free(product->memory);
    base_u32_vec_fini(&product->start_begin);
    base_u32_vec_fini(&product->start);
    *product = (product_process){0};
}
