/* SPDX-License-Identifier: MIT */
#include "solve/rare_states.h"

enum {
    NODES = 1 << 13, /* approximate limit on the nodes of the unfolded component */
    LEAST = 2,
    MOST = 10,
    ROUNDS = 32 /* steps of the chain */
};

uint32_t solve_rare_states_count(uint32_t states)
{
    uint32_t wanted = MOST;
    while (wanted > LEAST && (uint64_t)states << (wanted + 1) > NODES)
        wanted--;
    return wanted < states ? wanted : states;
}

/* A step of the lazy chain, which stays with probability 1/2, so that periodic chains converge, too. */
static void lazy_step(const solve_chain *chain, const double *prob, uint32_t s, const double *now,
                      double *next)
{
    const graph_process *p = chain->process;
    uint32_t choice = chain->choice[s];
    next[s] += now[s] / 2;
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
        next[p->target[e]] += now[s] / 2 * prob[e];
}

void solve_rare_states_find(const solve_chain *chain, const double *prob, const uint32_t *states,
                            uint32_t count, double *share[2], uint32_t *rank, base_work *work)
{
    double *now = share[0], *next = share[1], *swap;
    uint32_t wanted = solve_rare_states_count(count);
    for (uint32_t i = 0; i < count; i++)
        now[states[i]] = 1;
    for (uint32_t round = 0; round < ROUNDS && !base_work_is_stopped(work); round++) {
        for (uint32_t i = 0; i < count; i++)
            next[states[i]] = 0;
        for (uint32_t i = 0; i < count && !base_work_spend(work, 2); i++)
            lazy_step(chain, prob, states[i], now, next);
        swap = now, now = next, next = swap;
    }
    for (uint32_t i = 0; i < count; i++)
        rank[states[i]] = SOLVE_UNFOLD_UNTRACKED;
    for (uint32_t k = 0; k < wanted; k++) {
        uint32_t rarest = GRAPH_NONE;
        for (uint32_t i = 0; i < count; i++)
            if (rank[states[i]] == SOLVE_UNFOLD_UNTRACKED &&
                (rarest == GRAPH_NONE || now[states[i]] < now[rarest]))
                rarest = states[i];
        rank[rarest] = k;
    }
}
