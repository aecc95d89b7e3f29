/* SPDX-License-Identifier: MIT */
/*
 * Small processes for oracles: sets of states are bit masks, and a part is represented by a process of its
 * own. The oracles share no code with the graph module. Also generates random cases for property tests.
 */
#ifndef TESTS_GRAPH_SMALL_H
#define TESTS_GRAPH_SMALL_H

#include "graph/part.h"
#include "graph/reverse.h"
#include "support/check.h"
#include "support/random_process.h"

enum {
    SMALL_STATES = 8,
    SMALL_CHOICES = 32
};

typedef struct small_process {
    uint32_t states;  /* number */
    uint32_t inside;  /* mask of the states that exist */
    uint32_t choices; /* number */
    bool exists[SMALL_CHOICES];
    uint32_t owner[SMALL_CHOICES], successors[SMALL_CHOICES]; /* successors: mask */
} small_process;

/* Treatment of edges out of the part, as in part.h. */
typedef enum leaving {
    LEAVING_EDGE_IS_CUT,    /* the choice keeps its other edges; without any it is removed */
    LEAVING_CHOICE_IS_GONE, /* the choice is removed */
    LEAVING_RUN_IS_LOST     /* the edge leads to an additional deadlock state */
} leaving;

static inline uint32_t bit(uint32_t state)
{
    return UINT32_C(1) << state;
}

static inline uint32_t mask_of(const base_bitset *set)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < set->size; i++)
        if (base_bitset_has(set, i))
            mask |= bit(i);
    return mask;
}

static inline void small_choice(small_process *small, const graph_process *process, graph_part part,
                                uint32_t s, uint32_t c, leaving rule)
{
    uint32_t all = 0;
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
        all |= bit(process->target[e]);
    uint32_t kept = all & small->inside;
    small->owner[c] = s;
    small->successors[c] = kept;
    small->exists[c] = (small->inside & bit(s)) != 0 &&
                       (part.choices == NULL || base_bitset_has(part.choices, c)) && all != 0;
    if (kept == all)
        return;
    if (rule == LEAVING_RUN_IS_LOST)
        small->successors[c] |= bit(process->state_count);
    else if (rule == LEAVING_CHOICE_IS_GONE || kept == 0)
        small->exists[c] = false;
}

static inline small_process small_from(const graph_process *process, graph_part part, leaving rule)
{
    small_process small = {.states = process->state_count, .choices = process->choice_count};
    small.inside = part.states != NULL ? mask_of(part.states) : bit(process->state_count) - 1;
    for (uint32_t s = 0; s < process->state_count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            small_choice(&small, process, part, s, c, rule);
    if (rule == LEAVING_RUN_IS_LOST) {
        small.inside |= bit(small.states);
        small.states++;
    }
    return small;
}

/* closure[s]: the states that can be reached from s in one step or more (Warshall). */
static inline void small_close(uint32_t states, uint32_t *closure)
{
    for (uint32_t k = 0; k < states; k++)
        for (uint32_t s = 0; s < states; s++)
            if (closure[s] & bit(k))
                closure[s] |= closure[k];
}

static inline void small_edges(const small_process *small, uint32_t *edges)
{
    for (uint32_t s = 0; s < small->states; s++)
        edges[s] = 0;
    for (uint32_t c = 0; c < small->choices; c++)
        if (small->exists[c])
            edges[small->owner[c]] |= small->successors[c];
}

/* A random small process and part of it; a third of the parts is the whole process. */
typedef struct small_case {
    graph_process process;
    base_bitset states, choices;
    graph_part part;
} small_case;

static inline void small_case_init(small_case *sample, uint64_t *random)
{
    random_shape shape = {
        .states = random_below(random, SMALL_STATES),
        .most_choices = 1 + random_below(random, 3),
        .most_edges = 1 + random_below(random, 3),
    };
    random_process(random, shape, &sample->process);
    random_set(random, sample->process.state_count, 80, &sample->states);
    random_set(random, sample->process.choice_count, 80, &sample->choices);
    sample->part = (graph_part){0};
    if (random_below(random, 2) == 0)
        sample->part.states = &sample->states;
    if (random_below(random, 2) == 0)
        sample->part.choices = &sample->choices;
}

static inline void small_case_fini(small_case *sample)
{
    graph_process_fini(&sample->process);
    base_bitset_fini(&sample->states);
    base_bitset_fini(&sample->choices);
}

/* A property test of a case. What it allocates in the workspace is released afterwards. */
typedef void (*small_check)(const small_case *sample, uint64_t *random, graph_workspace *workspace);

static inline void for_each_small_case(uint64_t seed, uint32_t rounds, small_check check)
{
    uint64_t random = random_seed(seed);
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < rounds; i++) {
        small_case sample;
        graph_place place = graph_workspace_mark(&workspace);
        small_case_init(&sample, &random);
        check(&sample, &random, &workspace);
        small_case_fini(&sample);
        graph_workspace_release(&workspace, place);
    }
    graph_workspace_fini(&workspace);
}

/* The reverse of the whole process or of the part, at random: results must not depend on it. */
static inline graph_reverse small_reverse(const small_case *sample, uint64_t *random,
                                          graph_workspace *workspace)
{
    graph_reverse reverse;
    opac_error error = {0};
    graph_part known = random_below(random, 2) == 0 ? sample->part : (graph_part){0};
    assert_ok(graph_reverse_build(&sample->process, known, workspace, &reverse, &error), &error);
    return reverse;
}

#endif
