/* SPDX-License-Identifier: MIT */
/*
 * Builds a process in the order of its arrays: a state, its choices, the edges of each choice, the next
 * state.
 *
 *     graph_builder builder = {.weighted = true};
 *     graph_builder_state(&builder, &error);
 *     graph_builder_choice(&builder, &error);
 *     graph_builder_edge(&builder, 1, 0.5, &error);
 *     …
 *     graph_builder_finish(&builder, &process, &error);
 *
 * Each call takes amortised constant time. A call that fails leaves the builder unchanged. Targets may
 * be states that are added later. The builder checks the numbers of states, choices and edges, nothing
 * else. A zeroed builder is empty and builds a process without probabilities.
 */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "base/vec.h"
#include "graph/process.h"

typedef struct graph_builder {
    base_u32_vec choice_begin, edge_begin, target;
    base_double_vec prob;
    bool weighted; /* whether to store the probabilities of edges; set before the first call */
} graph_builder;

/* Reserves memory for these total numbers. Optional. */
opac_status graph_builder_reserve(graph_builder *builder, size_t states, size_t choices,
                                  size_t edges, opac_error *error);

/* Appends a state without choices. */
opac_status graph_builder_state(graph_builder *builder, opac_error *error);

/* Appends a choice to the last state, which must exist. */
opac_status graph_builder_choice(graph_builder *builder, opac_error *error);

/* Appends an edge to the last choice, which must exist. */
opac_status graph_builder_edge(graph_builder *builder, uint32_t target, double prob,
                               opac_error *error);

/* Moves the arrays to the process and empties the builder. On failure the builder is unchanged. */
opac_status graph_builder_finish(graph_builder *builder, graph_process *process, opac_error *error);

void graph_builder_fini(graph_builder *builder);

#endif
