/* SPDX-License-Identifier: MIT */
/* Large processes of known structure, with one choice in each state. */
#ifndef TESTS_GRAPH_SHAPES_H
#define TESTS_GRAPH_SHAPES_H

#include "graph/graph_builder.h"
#include "support/check.h"

static inline void shape_state(graph_builder *builder)
{
    assert_status(graph_builder_state(builder, NULL), OPAC_OK);
    assert_status(graph_builder_choice(builder, NULL), OPAC_OK);
}

static inline void shape_edge(graph_builder *builder, uint32_t target)
{
    assert_status(graph_builder_edge(builder, target, 1, NULL), OPAC_OK);
}

static inline void shape_done(graph_builder *builder, graph_process *process)
{
    assert_status(graph_builder_finish(builder, process, NULL), OPAC_OK);
}

/* 0 → 1 → … → n-1, with a loop on n-1; as a cycle, an edge back to 0. */
static inline void shape_path(uint32_t states, bool cycle, graph_process *process)
{
    graph_builder builder = {0};
    for (uint32_t s = 0; s < states; s++) {
        shape_state(&builder);
        shape_edge(&builder, s + 1 < states ? s + 1 : (cycle ? 0 : s));
    }
    shape_done(&builder, process);
}

static inline void shape_complete(uint32_t states, graph_process *process)
{
    graph_builder builder = {0};
    for (uint32_t s = 0; s < states; s++) {
        shape_state(&builder);
        for (uint32_t t = 0; t < states; t++)
            shape_edge(&builder, t);
    }
    shape_done(&builder, process);
}

#endif
