/* SPDX-License-Identifier: MIT */
/*
 * The strongly connected component of the current state of a walk, in the graph of the edges taken so far,
 * after every step. This is Gabow's path-based algorithm ("Path-based depth-first search for strong and
 * biconnected components", 2000) without the search: a walk is a single path, so its components are
 * consecutive on a stack.
 *
 *     stack   │ first 0 │ first 3 │ first 4 │       states by the order of their first visits
 *                                      ▲ top: states 4, 5, 6, …, with the current one
 *
 * A state that is visited for the first time is a new component. One that was visited before closes a
 * cycle: its component and all above it become one. Each component is pushed once and removed at most once,
 * so a step takes amortised constant time.
 *
 * Marks belong to the states that edges leave, as in products with deterministic automata: in a component
 * with an edge, each state has an edge that stays inside.
 */
#ifndef SAMPLE_LAST_COMPONENT_H
#define SAMPLE_LAST_COMPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct sample_component {
    uint64_t marks; /* of all its states */
    uint32_t first; /* the least order of its states */
    bool has_edge;
} sample_component;
BASE_VEC(sample_component_vec, sample_component);

typedef struct sample_components {
    sample_component_vec stack;
    uint32_t visited; /* number of different states so far */
    uint32_t walk;    /* number of the walk, never 0 */
} sample_components;

/* Data of a state; zero before the first walk. */
typedef struct sample_component_visit {
    uint32_t walk;  /* the last walk that visited it */
    uint32_t order; /* the order of its first visit in that walk */
} sample_component_visit;

/* Begins another walk. Returns false if the numbers of walks are used up: then all visits must be zeroed. */
static inline bool sample_components_begin(sample_components *components)
{
    components->stack.count = 0;
    components->visited = 0;
    components->walk++;
    if (components->walk != 0)
        return true;
    components->walk = 1;
    return false;
}

static inline void sample_components_close_cycle(sample_components *components, uint32_t order)
{
    sample_component *top = components->stack.items + components->stack.count - 1;
    uint64_t marks = top->marks;
    while (top->first > order) {
        top--;
        marks |= top->marks;
    }
    top->marks = marks;
    top->has_edge = true;
    components->stack.count = (size_t)(top - components->stack.items) + 1;
}

/* The walk enters a state, whose outgoing edges have these marks. */
static inline opac_status sample_components_visit(sample_components *components,
                                                  sample_component_visit *visit, uint64_t marks,
                                                  opac_error *error)
{
    if (visit->walk == components->walk) {
        sample_components_close_cycle(components, visit->order);
        return OPAC_OK;
    }
    *visit = (sample_component_visit){.walk = components->walk, .order = components->visited++};
    sample_component component = {.marks = marks, .first = visit->order};
    return sample_component_vec_push(&components->stack, component, error);
}

/* The component of the current state. */
static inline sample_component sample_components_last(const sample_components *components)
{
    return components->stack.items[components->stack.count - 1];
}

static inline void sample_components_fini(sample_components *components)
{
    sample_component_vec_fini(&components->stack);
}

#endif
