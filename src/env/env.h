/* SPDX-License-Identifier: MIT */
/*
 * The interface through which all other modules use an environment, whatever its kind: a model, a
 * program, a plugin or callbacks. Each kind implements the table of functions in kind.h.
 *
 * Letters are over the propositions bound with env_bind: bit i is the proposition names[i], whatever
 * its number in the environment itself.
 */
#ifndef ENV_ENV_H
#define ENV_ENV_H

#include <omegapac/environment.h>

#include "base/error.h"
#include "base/memory.h"
#include "stat/rng.h"

/* The operations that a kind supports, and the bounds that it knows. */
typedef struct env_traits {
    bool random_start;   /* reset may return different states */
    bool can_draw;       /* supports env_draw */
    bool can_fork;       /* supports env_fork */
    bool knows_graph;    /* supports env_successors */
    bool is_model;       /* the library simulates it: it is not tested as a simulator is */
    bool tells_outcomes; /* observations of steps have a class and an outcome */
    bool is_tabulated;   /* supports walk.h; then it can also draw and fork */
    uint32_t lanes;      /* lanes of env_step_many; 1: only reset and step */
    /* Proven upper bounds on the numbers of states, of actions of a state and of successors of a
     * state-action pair; 0: unknown. */
    uint64_t states, actions, branching;
} env_traits;

env_traits env_get_traits(const opac_environment *env);

/*
 * Sets the propositions that letters are over from now on, at most 64. Fails if the environment does
 * not have one of them; the message suggests the nearest name.
 */
opac_status env_bind(opac_environment *env, const char *const *names, size_t count,
                     opac_error *error);

/* The seed of an episode of a run: a function of both numbers, below 2^63. */
uint64_t env_episode_seed(uint64_t seed, uint64_t episode);

/* An observation is valid until the next call of any function on the environment. */
opac_status env_reset(opac_environment *env, uint64_t seed, opac_observation *observation,
                      opac_error *error);
opac_status env_step(opac_environment *env, uint32_t action, opac_observation *observation,
                     opac_error *error);
opac_status env_step_many(opac_environment *env, const opac_lane_request *requests,
                          opac_observation *observations, opac_error *error);

/* Number of steps that this environment was asked for, without those of its forks; not those of walks (walk.h). */
uint64_t env_steps_taken(const opac_environment *env);

/* Receives a successor and how often it was drawn. The observation is valid during the call only. */
typedef opac_status (*env_successor_listener)(void *context, const opac_observation *successor,
                                              uint64_t count, opac_error *error);

/* Draws n independent successors of a state-action pair, or n initial states if state->key is NULL.
 * Calls the listener once for each distinct successor. Fails if the counts do not add up to n. */
opac_status env_draw(opac_environment *env, const opac_observation *state, uint32_t action,
                     uint64_t n, uint64_t seed, env_successor_listener listener, void *context,
                     opac_error *error);

/* Passes all successors of a state-action pair, or all initial states if state->key is NULL, to the
 * listener, each with count 1. Fails if the environment reports none, the same one twice, or another
 * count; the listener may have been called before the failure. */
opac_status env_successors(opac_environment *env, const opac_observation *state, uint32_t action,
                           env_successor_listener listener, void *context, opac_error *error);

/* Sets OPAC_ERROR_LIMIT: the states observed so far take more memory than the meter allows. */
opac_status env_fail_memory_limit(uint64_t states, const base_meter *meter, opac_error *error);

/* A hash of the graph, the probabilities and the initial states of a model; 0 for simulators. */
uint64_t env_fingerprint(const opac_environment *env);
/* For messages: a state in words ("x=1, y=0"), or else its key, truncated to the size of the buffer. */
const char *env_show(const opac_environment *env, const void *key, size_t length, char *buffer,
                     size_t size);
/* The name of an action of a state, borrowed; "" if it has none. */
const char *env_action_name(const opac_environment *env, const void *key, size_t length,
                            uint32_t action);

/* Another instance of the same environment, bound to the same propositions. */
opac_status env_fork(opac_environment *env, opac_environment **other, opac_error *error);

/* Creates `count` instances, or none on failure. Programs are started in parallel, several at a time,
 * since each may take seconds to start. */
opac_status env_fork_many(opac_environment *env, opac_environment **others, size_t count,
                          opac_error *error);

#endif
