/* SPDX-License-Identifier: MIT */
/*
 * The last strongly connected component of what a walk has seen, at any moment,
 * by Gabow's path-based algorithm ("Path-based depth-first search for strong and
 * biconnected components", 2000) without the search: a walk is one path, so all
 * its components lie one behind the other on the stack.
 *
 *     parts   │ first 0 │ first 3 │ first 4 │       states by the order of first visit
 *                                      ▲ top: 4, 5, 6 … and the walk is here
 *
 * A state for the first time is a part of its own. One that was visited before
 * closes a cycle: its part and all above become one. Each part is made once and
 * goes once, so a step costs constant time in the mean.
 *
 * Marks belong to the states that edges leave, as in products with deterministic
 * automata: in a part with an edge, each state has one that stays inside.
 */
#ifndef ESTIMATE_TAIL_H
#define ESTIMATE_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct estimate_tail_part {
    uint64_t marks; /* of all its states */
    uint32_t first; /* the order of its first state */
    bool has_edge;
} estimate_tail_part;
BASE_VEC(estimate_tail_part_vec, estimate_tail_part);

typedef struct estimate_tail {
    estimate_tail_part_vec parts;
    uint32_t visited; /* different states, so far */
    uint32_t walk;    /* a number for each walk, never 0 */
} estimate_tail;

/* What a walk writes at a state; zero before the first walk. */
typedef struct estimate_visit {
    uint32_t walk;  /* that visited it last */
    uint32_t order; /* of its first visit there */
} estimate_visit;

/* Another walk begins. False: the numbers of walks are used up, and all visits must be zeroed. */
static inline bool estimate_tail_begin(estimate_tail *tail)
{
    tail->parts.count = 0;
    tail->visited = 0;
    tail->walk++;
    if (tail->walk != 0)
        return true;
    tail->walk = 1;
    return false;
}

static inline void estimate_tail_close(estimate_tail *tail, uint32_t order)
{
    estimate_tail_part *top = tail->parts.items + tail->parts.count - 1;
    uint64_t marks = top->marks;
    while (top->first > order) {
        top--;
        marks |= top->marks;
    }
    top->marks = marks;
    top->has_edge = true;
    tail->parts.count = (size_t)(top - tail->parts.items) + 1;
}

/* The walk is now in a state, whose outgoing edges have these marks. */
static inline opac_status estimate_tail_visit(estimate_tail *tail, estimate_visit *visit,
                                              uint64_t marks, opac_error *error)
{
    if (visit->walk == tail->walk) {
        estimate_tail_close(tail, visit->order);
        return OPAC_OK;
    }
    *visit = (estimate_visit){.walk = tail->walk, .order = tail->visited++};
    estimate_tail_part part = {.marks = marks, .first = visit->order};
    return estimate_tail_part_vec_push(&tail->parts, part, error);
}

/* The component of the state that the walk is in. */
static inline estimate_tail_part estimate_tail_last(const estimate_tail *tail)
{
    return tail->parts.items[tail->parts.count - 1];
}

static inline void estimate_tail_fini(estimate_tail *tail)
{
    estimate_tail_part_vec_fini(&tail->parts);
}

#endif
