/* SPDX-License-Identifier: MIT */
/* The final offsets are appended by graph_builder_finish. */
#include "graph/graph_builder.h"

#include <assert.h>

/* Pushes an offset or a target; fails if the array already has GRAPH_LARGEST items. */
static opac_status push(base_u32_vec *vec, size_t value, const char *what, opac_error *error)
{
    if (vec->count >= GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u %s", (unsigned)GRAPH_LARGEST, what);
    return base_u32_vec_push(vec, (uint32_t)value, error);
}

opac_status graph_builder_reserve(graph_builder *builder, size_t states, size_t choices,
                                  size_t edges, opac_error *error)
{
    if (states > GRAPH_LARGEST || choices > GRAPH_LARGEST || edges > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u states, choices or edges",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&builder->choice_begin, states + 1, error));
    TRY(base_u32_vec_reserve(&builder->edge_begin, choices + 1, error));
    TRY(base_u32_vec_reserve(&builder->target, edges, error));
    if (builder->weighted)
        TRY(base_double_vec_reserve(&builder->prob, edges, error));
    return OPAC_OK;
}

opac_status graph_builder_state(graph_builder *builder, opac_error *error)
{
    return push(&builder->choice_begin, builder->edge_begin.count, "states", error);
}

opac_status graph_builder_choice(graph_builder *builder, opac_error *error)
{
    assert(builder->choice_begin.count > 0);
    return push(&builder->edge_begin, builder->target.count, "choices", error);
}

opac_status graph_builder_edge(graph_builder *builder, uint32_t target, double prob,
                               opac_error *error)
{
    assert(builder->edge_begin.count > 0);
    TRY(push(&builder->target, target, "edges", error));
    if (!builder->weighted)
        return OPAC_OK;
    opac_status status = base_double_vec_push(&builder->prob, prob, error);
    if (status != OPAC_OK)
        builder->target.count--;
    return status;
}

opac_status graph_builder_finish(graph_builder *builder, graph_process *process, opac_error *error)
{
    base_u32_vec *states = &builder->choice_begin, *choices = &builder->edge_begin;
    TRY(base_u32_vec_reserve(states, states->count + 1, error));
    TRY(base_u32_vec_reserve(choices, choices->count + 1, error));
    /* `target` must not be NULL even if there are no edges. */
    TRY(base_u32_vec_reserve(&builder->target, 1, error));
    states->items[states->count] = (uint32_t)choices->count;
    choices->items[choices->count] = (uint32_t)builder->target.count;
    *process = (graph_process){
        .state_count = (uint32_t)states->count,
        .choice_count = (uint32_t)choices->count,
        .edge_count = (uint32_t)builder->target.count,
        .choice_begin = states->items,
        .edge_begin = choices->items,
        .target = builder->target.items,
        .prob = builder->prob.items,
        .owned = true,
    };
    *builder = (graph_builder){.weighted = builder->weighted};
    return OPAC_OK;
}

void graph_builder_fini(graph_builder *builder)
{
    base_u32_vec_fini(&builder->choice_begin);
    base_u32_vec_fini(&builder->edge_begin);
    base_u32_vec_fini(&builder->target);
    base_double_vec_fini(&builder->prob);
}
