/* SPDX-License-Identifier: MIT */
/*
 * Making a process in the order of its arrays: a state, its choices, the edges
 * of each, the next state.
 *
 *     graph_builder builder = {.weighted = true};
 *     graph_builder_state(&builder, &error);
 *     graph_builder_choice(&builder, &error);
 *     graph_builder_edge(&builder, 1, 0.5, &error);
 *     …
 *     graph_builder_finish(&builder, &process, &error);
 *
 * Amortised constant time a call. A call that fails leaves the builder as it
 * was. Targets may be states that are added later; nothing is checked but the
 * number of things. A builder of all zeros is empty and makes a process without
 * probabilities.
 */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "base/vec.h"
#include "graph/process.h"

typedef struct graph_builder {
    base_u32_vec choice_begin, edge_begin, target;
    base_double_vec prob;
    bool weighted; /* keep the probabilities of edges; set before the first call */
} graph_builder;

/* Makes room for this many of each in all; not needed, but spares growing. */
opac_status graph_builder_reserve(graph_builder *builder, size_t states, size_t choices,
                                  size_t edges, opac_error *error);

/* The next state; it has no choices yet. */
opac_status graph_builder_state(graph_builder *builder, opac_error *error);

/* The next choice of the state that was added last; there is one. */
opac_status graph_builder_choice(graph_builder *builder, opac_error *error);

/* An edge of the choice that was added last; there is one. */
opac_status graph_builder_edge(graph_builder *builder, uint32_t target, double prob,
                               opac_error *error);

/* The process owns the arrays from here on, and the builder is empty; on failure as before. */
opac_status graph_builder_finish(graph_builder *builder, graph_process *process, opac_error *error);

void graph_builder_fini(graph_builder *builder);

#endif
