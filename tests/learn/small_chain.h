/* SPDX-License-Identifier: MIT */
/*
 * Small Markov chains behind callbacks: a table, a stream of random numbers, and some kinds of
 * misbehaviour.
 */
#ifndef TESTS_LEARN_SMALL_CHAIN_H
#define TESTS_LEARN_SMALL_CHAIN_H

#include <omegapac/omegapac.h>

#include "stat/rng.h"
#include "support/check.h"

enum {
    SMALL_MOST = 8
};

typedef struct small_chain {
    uint32_t states;
    double to[SMALL_MOST][SMALL_MOST]; /* all zeros: terminal */
    uint64_t letter[SMALL_MOST];       /* over a, b */
    uint32_t most_actions;             /* 0: as a chain; else what state 1 says of itself */
    uint64_t fail_at;                  /* the step that fails, from 1; 0: none */
    uint64_t lie_at;                   /* the step that shows another letter; 0: none */
    uint64_t end_at;                   /* the step from which all states are terminal; 0: none */
    bool no_fork, is_unseeded;
    /* ---- of an instance ---- */
    stat_rng rng;
    uint32_t at;
    uint64_t steps;
} small_chain;

static inline bool small_is_terminal(const small_chain *chain, uint32_t state)
{
    double sum = 0;
    for (uint32_t i = 0; i < chain->states; i++)
        sum += chain->to[state][i];
    return sum == 0;
}

static inline void small_observe(const small_chain *chain, opac_observation *seen)
{
    uint64_t lie = chain->lie_at > 0 && chain->steps >= chain->lie_at ? 1 : 0;
    uint32_t actions = chain->most_actions > 0 && chain->at == 1 ? chain->most_actions : 1;
    bool is_over = chain->end_at > 0 && chain->steps >= chain->end_at;
    if (is_over || small_is_terminal(chain, chain->at))
        actions = 0;
    *seen = (opac_observation){.key = &chain->at,
                               .length = sizeof chain->at,
                               .letter = chain->letter[chain->at] ^ lie,
                               .actions = actions};
}

static inline opac_status small_reset(void *context, uint64_t seed, opac_observation *seen,
                                      opac_error *error)
{
    small_chain *chain = context;
    (void)error;
    if (!chain->is_unseeded)
        stat_rng_init(&chain->rng, seed, 7);
    chain->at = 0;
    small_observe(chain, seen);
    return OPAC_OK;
}

static inline opac_status small_step(void *context, uint32_t action, opac_observation *seen,
                                     opac_error *error)
{
    small_chain *chain = context;
    double drawn = stat_rng_uniform(&chain->rng);
    uint32_t next = 0;
    (void)action;
    if (++chain->steps == chain->fail_at) {
        snprintf(error->message, sizeof error->message, "the motor is on fire");
        return OPAC_ERROR_SIMULATOR;
    }
    while (next + 1 < chain->states && drawn >= chain->to[chain->at][next])
        drawn -= chain->to[chain->at][next++];
    chain->at = next;
    small_observe(chain, seen);
    return OPAC_OK;
}

static inline opac_status small_fork(void *context, void **other, opac_error *error)
{
    (void)error;
    small_chain *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, context, sizeof *copy);
    *other = copy;
    return OPAC_OK;
}

/* The environment has a copy of its own. */
static inline opac_environment *small_environment(const small_chain *chain)
{
    static const char *const names[] = {"a", "b"};
    opac_environment_callbacks callbacks = {.reset = small_reset,
                                            .step = small_step,
                                            .fork = chain->no_fork ? NULL : small_fork,
                                            .release = free,
                                            .propositions = names,
                                            .proposition_count = 2};
    opac_environment *environment;
    opac_error error;
    void *copy;
    small_fork((void *)chain, &copy, &error);
    assert_ok(opac_environment_new(&callbacks, copy, &environment, &error), &error);
    return environment;
}

#endif
