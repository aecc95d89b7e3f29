/* SPDX-License-Identifier: MIT */
/* Graphs that are small enough to enumerate all sets of edges. */
#ifndef TESTS_AUT_EDGE_SETS_H
#define TESTS_AUT_EDGE_SETS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MOST_STATES = 5,
    MOST_EDGES = 9
};

typedef struct small_graph {
    uint32_t states, edges;
    uint32_t begin[MOST_STATES + 1], target[MOST_EDGES], source[MOST_EDGES];
    uint64_t marks[MOST_EDGES];
} small_graph;

/* Sets reach[s] to the set of states that are reachable from s by edges of the set, including s. */
static inline void close_over(const small_graph *graph, uint32_t set, uint32_t *reach)
{
    for (uint32_t s = 0; s < graph->states; s++)
        reach[s] = 1U << s;
    for (uint32_t round = 0; round < graph->states; round++)
        for (uint32_t e = 0; e < graph->edges; e++)
            for (uint32_t s = 0; s < graph->states; s++)
                if (((set >> e) & 1) && ((reach[s] >> graph->source[e]) & 1))
                    reach[s] |= 1U << graph->target[e];
}

/* Whether some closed walk takes exactly the edges of a set. */
static inline bool is_cycle(const small_graph *graph, uint32_t set)
{
    uint32_t reach[MOST_STATES];
    close_over(graph, set, reach);
    for (uint32_t a = 0; a < graph->edges; a++)
        for (uint32_t b = 0; b < graph->edges; b++)
            if (((set >> a) & 1) && ((set >> b) & 1) &&
                !((reach[graph->target[a]] >> graph->source[b]) & 1))
                return false;
    return set != 0;
}

/* The marks of a set of edges. */
static inline uint64_t marks_of(const small_graph *graph, uint32_t set)
{
    uint64_t marks = 0;
    for (uint32_t e = 0; e < graph->edges; e++)
        marks |= (set >> e) & 1 ? graph->marks[e] : 0;
    return marks;
}

#endif
