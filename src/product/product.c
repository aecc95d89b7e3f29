/* SPDX-License-Identifier: MIT */
/*
 * The explicit product. Pairs are expanded in the order of their numbers, so
 * there is no queue, and the arrays come out in order:
 *
 *     pairs     │ expanded …       │ pair │ met, not expanded … │
 *                                     │
 *               its choices and edges go behind those that there are
 *
 * How many they are is known from the model and the moves before the first is
 * written: room is made once a pair, and what follows cannot fail. Linear in
 * the product; beyond it 4 bytes a state of the model and column, or 11 to 21
 * bytes a pair (space_form.h).
 *
 * All branches of a choice go along with one move of the automaton, so either
 * all or none of them lead to the sink: then they are one edge of probability 1.
 */
#include "product/product.h"

#include <string.h>

#include "base/work.h"
#include "product/state_index_layout.h"

enum {
    CHECK_STATES = 1 << 13 /* from one look at the cancel handle to the next */
};

typedef struct build {
    const opac_model *model;
    const uint64_t *letters;
    product_options options;
    uint64_t max_states;
    product_move_table *move_table;
    product_index *index;
    uint64_t letter; /* the last one, and its class */
    uint32_t class;
    bool has_class;
    size_t choices, edges; /* of the arrays below, whose own counts are set at the end */
    base_u32_vec choice_begin, edge_begin, target, choice;
    base_u64_vec marks;
    base_double_vec prob;
    base_ratio *exact;
    size_t exact_capacity;
    base_u32_vec start_begin, start;
} build;

/* ---- room ---- */

static bool has_room(const build *b, size_t choices, size_t edges)
{
    return choices <= b->edge_begin.capacity && choices <= b->marks.capacity &&
           choices <= b->choice.capacity && edges <= b->target.capacity &&
           edges <= b->prob.capacity && (b->model->exact == NULL || edges <= b->exact_capacity);
}

/* For so many choices and edges in all. */
static opac_status reserve(build *b, uint64_t choices, uint64_t edges, opac_error *error)
{
    void *exact = b->exact;
    if (choices > GRAPH_LARGEST || edges > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u %s of the product",
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

/* For so many more choices and edges, each of which may lead to a new pair. */
static opac_status make_room(build *b, uint64_t choices, uint64_t edges, opac_error *error)
{
    uint32_t states = b->model->process.state_count;
    if (!has_room(b, b->choices + choices, b->edges + edges))
        TRY(reserve(b, b->choices + choices, b->edges + edges, error));
    if (!product_index_has_room(b->index, states, edges))
        TRY(product_index_grow(b->index, states, edges, error));
    return OPAC_OK;
}

/* With one column the product is no larger than the model and its sink. */
static opac_status reserve_at_once(build *b, opac_error *error)
{
    const graph_process *p = &b->model->process;
    uint64_t pairs = b->index->columns == 1 ? p->state_count + UINT64_C(1) : 1;
    TRY(product_index_grow(b->index, p->state_count, pairs, error));
    if (b->index->columns == 1)
        TRY(base_u32_vec_reserve(&b->choice_begin, pairs + 1, error));
    if (b->index->columns == 1 && p->edge_count < GRAPH_LARGEST)
        TRY(reserve(b, p->choice_count + UINT64_C(1), p->edge_count + UINT64_C(1), error));
    return OPAC_OK;
}

/* ---- writing; there is room ---- */

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

/* The edges begin … end-1 of the model, which go along with a memory that is not the sink's. */
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

/* ---- one pair ---- */

static opac_status put_sink(build *b, uint32_t pair, opac_error *error)
{
    uint64_t marks;
    TRY(make_room(b, 1, 1, error));
    product_move_table_is_universal(b->move_table, b->index->memory.items[pair], &marks);
    put_choice(b, PRODUCT_NONE, marks, b->edges);
    put_certain_edge(b, pair);
    return OPAC_OK;
}

static bool is_sink(const build *b, const product_move *move)
{
    return b->index->column[move->target] == PRODUCT_NONE;
}

/* The one move on this letter: the edges of all choices are taken over in one go. */
static void put_move(build *b, uint32_t state, const product_move *move)
{
    const graph_process *p = &b->model->process;
    uint32_t begin = p->choice_begin[state], end = p->choice_begin[state + 1];
    uint32_t first = p->edge_begin[begin];
    for (uint32_t c = begin; c < end; c++)
        put_choice(b, c, move->marks, b->edges + (p->edge_begin[c] - first));
    put_edges(b, first, p->edge_begin[end], move->target);
}

/* For each choice in turn, all moves. */
static void put_moves(build *b, uint32_t state, const product_move *moves, uint32_t count)
{
    const graph_process *p = &b->model->process;
    if (count == 1 && !is_sink(b, moves)) {
        put_move(b, state, moves);
        return;
    }
    for (uint32_t c = p->choice_begin[state]; c < p->choice_begin[state + 1]; c++) {
        for (uint32_t i = 0; i < count; i++) {
            put_choice(b, c, moves[i].marks, b->edges);
            if (is_sink(b, &moves[i]))
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

static opac_status expand(build *b, uint32_t pair, opac_error *error)
{
    const graph_process *p = &b->model->process;
    uint32_t s = b->index->state.items[pair], q = b->index->memory.items[pair], count, silent;
    if (pair == b->index->sink)
        return put_sink(b, pair, error);
    TRY(find_class(b, b->letters[s], error));
    const product_move *moves = product_move_table_moves(b->move_table, q, b->class, &count);
    const product_move *epsilons = product_move_table_epsilons(b->move_table, q, &silent);
    uint32_t first = p->choice_begin[s], last = p->choice_begin[s + 1];
    uint64_t edges = p->edge_begin[last] - p->edge_begin[first];
    TRY(make_room(b, (uint64_t)count * (last - first) + silent, count * edges + silent, error));
    put_moves(b, s, moves, count);
    for (uint32_t i = 0; i < silent; i++) {
        put_choice(b, PRODUCT_NONE, epsilons[i].marks, b->edges);
        put_certain_edge(b, product_index_get(b->index, s, epsilons[i].target));
    }
    return OPAC_OK;
}

/* ---- all pairs ---- */

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

static opac_status meet_initial(build *b, opac_error *error)
{
    const opac_automaton *a = product_move_table_automaton(b->move_table);
    const base_u32_vec *initial = &b->model->initial;
    TRY(base_u32_vec_push(&b->start_begin, 0, error));
    for (size_t i = 0; i < initial->count; i++) {
        for (uint32_t j = 0; j < a->initial_count; j++) {
            uint32_t pair;
            TRY(product_index_find_or_add(b->index, initial->items[i], a->initial[j], &pair,
                                          error));
            TRY(base_u32_vec_push(&b->start, pair, error));
        }
        TRY(base_u32_vec_push(&b->start_begin, (uint32_t)b->start.count, error));
    }
    return OPAC_OK;
}

static opac_status expand_all(build *b, opac_error *error)
{
    for (uint32_t pair = 0; pair < b->index->state.count; pair++) {
        if (pair % CHECK_STATES == 0) {
            if (opac_cancel_requested(b->options.cancel))
                return base_fail_stopped(error, b->options.cancel,
                                         "building the product of model and automaton");
            opac_progress_update(b->options.progress, pair, 0);
        }
        TRY(base_u32_vec_push(&b->choice_begin, (uint32_t)b->choices, error));
        TRY(expand(b, pair, error));
        TRY(check_limits(b, error));
    }
    return OPAC_OK;
}

/* ---- the end ---- */

/* The array in the size that it needs, at least one item. */
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

/* The product owns the arrays from here on. */
static void hand_over(build *b, product_process *product)
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
    hand_over(b, product);
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
    TRY_OR(done, reserve_at_once(&b, error));
    TRY_OR(done, meet_initial(&b, error));
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
