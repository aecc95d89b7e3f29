/* SPDX-License-Identifier: MIT */
/*
 * Computes where a positional policy wins almost surely, and with positive probability, on small processes:
 * from the transitive closure of its chain, without probabilities and without the graph module. Also small
 * problems written by hand.
 */
#ifndef TESTS_SOLVE_CHAINS_H
#define TESTS_SOLVE_CHAINS_H

#include "base/bitset.h"
#include "graph/graph_builder.h"
#include "solve/problem.h"
#include "support/check.h"

enum {
    CHAIN_STATES = 12,
    HAND_MOST = 64 /* choices */
};

typedef struct chain_wins {
    uint32_t surely, perhaps; /* masks of states */
} chain_wins;

static inline uint32_t chain_bit(uint32_t state)
{
    return UINT32_C(1) << state;
}

static inline bool chain_accepts(const solve_problem *problem, uint64_t marks)
{
    for (uint32_t i = 0; i < problem->pair_count; i++)
        if ((marks & problem->pairs[i].fin) == 0 && (marks & problem->pairs[i].inf) != 0)
            return true;
    return false;
}

/* reach[s]: the states that s can reach, itself among them. policy[s] GRAPH_NONE: stays. */
static inline void chain_close(const graph_process *process, const uint32_t *policy,
                               uint32_t *reach)
{
    uint32_t n = process->state_count;
    assert_true(n <= CHAIN_STATES);
    for (uint32_t s = 0; s < n; s++) {
        reach[s] = chain_bit(s);
        if (policy[s] == GRAPH_NONE)
            continue;
        assert_in_range(policy[s], process->choice_begin[s], process->choice_begin[s + 1] - 1);
        for (uint32_t e = process->edge_begin[policy[s]]; e < process->edge_begin[policy[s] + 1];
             e++)
            reach[s] |= chain_bit(process->target[e]);
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t s = 0; s < n; s++)
            if (reach[s] & chain_bit(k))
                reach[s] |= reach[k];
}

/* Is the state in a bottom component that is accepted? */
static inline bool chain_bottom_wins(const solve_problem *problem, const uint32_t *policy,
                                     const uint32_t *reach, uint32_t s)
{
    uint64_t marks = 0;
    for (uint32_t t = 0; t < problem->process->state_count; t++) {
        if (!(reach[s] & chain_bit(t)))
            continue;
        if (!(reach[t] & chain_bit(s)))
            return false;
        if (policy[t] != GRAPH_NONE)
            marks |= problem->marks[policy[t]];
    }
    return chain_accepts(problem, marks);
}

static inline chain_wins chain_judge(const solve_problem *problem, const uint32_t *policy)
{
    uint32_t reach[CHAIN_STATES], goal = 0, n = problem->process->state_count;
    chain_wins wins = {0};
    chain_close(problem->process, policy, reach);
    for (uint32_t s = 0; s < n; s++)
        goal |= chain_bottom_wins(problem, policy, reach, s) ? chain_bit(s) : 0;
    for (uint32_t s = 0; s < n; s++)
        wins.perhaps |= (reach[s] & goal) != 0 ? chain_bit(s) : 0;
    for (uint32_t s = 0; s < n; s++)
        wins.surely |= (reach[s] & ~wins.perhaps) == 0 ? chain_bit(s) : 0;
    return wins;
}

/* The next policy in lexicographic order; false after the last. */
static inline bool chain_next_policy(const graph_process *process, uint32_t *policy)
{
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (policy[s] == GRAPH_NONE)
            continue;
        if (++policy[s] < process->choice_begin[s + 1])
            return true;
        policy[s] = process->choice_begin[s];
    }
    return false;
}

/* Over all positional policies; Rabin conditions need no others. */
static inline chain_wins chain_best(const solve_problem *problem)
{
    const graph_process *process = problem->process;
    uint32_t policy[CHAIN_STATES];
    chain_wins best = {0};
    for (uint32_t s = 0; s < process->state_count; s++)
        policy[s] = process->choice_begin[s] < process->choice_begin[s + 1]
                        ? process->choice_begin[s]
                        : GRAPH_NONE;
    do {
        chain_wins wins = chain_judge(problem, policy);
        best.surely |= wins.surely;
        best.perhaps |= wins.perhaps;
    } while (chain_next_policy(process, policy));
    return best;
}

static inline uint32_t chain_mask(const base_bitset *set)
{
    uint32_t mask = 0;
    for (uint32_t s = 0; s < set->size; s++)
        mask |= base_bitset_has(set, s) ? chain_bit(s) : 0;
    return mask;
}

/* ---- problems by hand ---- */

typedef struct hand {
    graph_builder builder;
    graph_process process;
    uint64_t marks[HAND_MOST];
    solve_rabin_pair pairs[4];
    solve_problem problem;
} hand;

static inline void hand_begin(hand *h)
{
    *h = (hand){.builder = {.weighted = true}};
}

static inline void hand_state(hand *h)
{
    assert_status(graph_builder_state(&h->builder, NULL), OPAC_OK);
}

static inline void hand_choice(hand *h, uint64_t marks)
{
    size_t c = h->builder.edge_begin.count;
    assert_true(c < HAND_MOST);
    assert_status(graph_builder_choice(&h->builder, NULL), OPAC_OK);
    h->marks[c] = marks;
}

static inline void hand_edge(hand *h, uint32_t target, double prob)
{
    assert_status(graph_builder_edge(&h->builder, target, prob, NULL), OPAC_OK);
}

/* A choice that leads to one state with probability 1. */
static inline void hand_move(hand *h, uint64_t marks, uint32_t target)
{
    hand_choice(h, marks);
    hand_edge(h, target, 1);
}

static inline void hand_end(hand *h, uint32_t pair_count)
{
    assert_status(graph_builder_finish(&h->builder, &h->process, NULL), OPAC_OK);
    h->problem = (solve_problem){
        .process = &h->process,
        .marks = h->marks,
        .pairs = h->pairs,
        .pair_count = pair_count,
    };
}

static inline void hand_fini(hand *h)
{
    graph_process_fini(&h->process);
}

#endif
