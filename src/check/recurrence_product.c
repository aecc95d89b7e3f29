/* SPDX-License-Identifier: MIT */
#include "check/recurrence_product.h"

#include "graph/graph_builder.h"

typedef struct building {
    const product_process *product;
    graph_builder builder;
    uint32_t sink; /* its number */
    bool has_sink;
} building;

static opac_status add_single(building *b, uint32_t target, opac_error *error)
{
    TRY(graph_builder_choice(&b->builder, error));
    return graph_builder_edge(&b->builder, target, 1, error);
}

static opac_status add_choice(building *b, uint32_t choice, opac_error *error)
{
    const graph_process *p = &b->product->process;
    TRY(graph_builder_choice(&b->builder, error));
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
        TRY(graph_builder_edge(&b->builder, p->target[e], p->prob[e], error));
    return OPAC_OK;
}

static opac_status add_product_state(building *b, uint32_t product_state, opac_error *error)
{
    const graph_process *p = &b->product->process;
    uint32_t begin = p->choice_begin[product_state], end = p->choice_begin[product_state + 1];
    TRY(graph_builder_state(&b->builder, error));
    for (uint32_t c = begin; c < end; c++)
        TRY(add_choice(b, c, error));
    if (begin == end) {
        b->has_sink = true;
        TRY(add_single(b, b->sink, error));
    }
    return OPAC_OK;
}

static opac_status add_sink(building *b, opac_error *error)
{
    TRY(graph_builder_state(&b->builder, error));
    return add_single(b, b->sink, error);
}

/* The choice of initial state `index` of the automaton: uniform over the initial states of the model. */
static opac_status add_beginning(building *b, size_t index, opac_error *error)
{
    const product_process *p = b->product;
    size_t count = p->start_begin.count - 1;
    TRY(graph_builder_choice(&b->builder, error));
    for (size_t i = 0; i < count; i++)
        TRY(graph_builder_edge(&b->builder, p->start.items[p->start_begin.items[i] + index],
                               1 / (double)count, error));
    return OPAC_OK;
}

static opac_status add_start(building *b, uint32_t *start, opac_error *error)
{
    const product_process *p = b->product;
    size_t initial = p->start_begin.count - 1;
    size_t choices = initial > 0 ? p->start.count / initial : 0;
    if (choices == 0) {
        *start = b->sink;
        return OPAC_OK;
    }
    if (p->start.count == 1) {
        *start = p->start.items[0];
        return OPAC_OK;
    }
    *start = b->sink + (b->has_sink ? 1 : 0);
    TRY(graph_builder_state(&b->builder, error));
    for (size_t i = 0; i < choices; i++)
        TRY(add_beginning(b, i, error));
    return OPAC_OK;
}

static opac_status add_all(building *b, uint32_t *start, opac_error *error)
{
    b->has_sink = b->product->start.count == 0;
    b->sink = b->product->process.state_count;
    for (uint32_t i = 0; i < b->sink; i++)
        TRY(add_product_state(b, i, error));
    if (b->has_sink)
        TRY(add_sink(b, error));
    return add_start(b, start, error);
}

static double least_of(const graph_process *process)
{
    double least = 1;
    for (uint32_t e = 0; e < process->edge_count; e++)
        if (process->prob[e] < least)
            least = process->prob[e];
    return least;
}

opac_status check_recurrence_product_init(check_recurrence_product *target,
                                          const product_process *product, opac_error *error)
{
    building b = {.product = product, .builder = {.weighted = true}};
    opac_status status;
    *target = (check_recurrence_product){0};
    TRY_OR(done, add_all(&b, &target->start, error));
    TRY_OR(done, graph_builder_finish(&b.builder, &target->process, error));
    target->least = least_of(&target->process);
done:
    graph_builder_fini(&b.builder);
    return status;
}

void check_recurrence_product_fini(check_recurrence_product *target)
{
    graph_process_fini(&target->process);
}
