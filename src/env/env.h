/* SPDX-License-Identifier: MIT */
/*
 * The waist of the house: what a learner may ask of a system, whatever it is.
 * Behind it are the kinds of environment; each is a table of functions (kind.h).
 *
 * Letters are over the propositions that somebody has asked for with env_bind,
 * bit i for name i, whatever the environment itself calls them.
 */
#ifndef ENV_ENV_H
#define ENV_ENV_H

#include <omegapac/environment.h>

#include "base/error.h"
#include "base/memory.h"
#include "stat/rng.h"

/* What a kind can do, and what it knows of itself. */
typedef struct env_traits {
    bool random_start; /* reset may return different states */
    bool can_draw;     /* env_draw */
    bool can_fork;     /* env_fork */
    bool knows_graph;  /* env_successors */
    bool is_tabulated; /* walk.h; then it can draw and fork, too */
    uint32_t lanes;    /* of env_step_many; 1: there is only reset and step */
    /* Bounds that it is certain of; 0: unknown. */
    uint64_t states, actions, branching;
} env_traits;

env_traits env_get_traits(const opac_environment *env);

/*
 * Letters are over these names from now on, at most 64; one that the environment
 * does not know is an error that names it (and the nearest that it knows).
 */
opac_status env_bind(opac_environment *env, const char *const *names, size_t count,
                     opac_error *error);

/* The seed of an episode of a run: below 2^63, a function of the two numbers. */
uint64_t env_episode_seed(uint64_t seed, uint64_t episode);

/* Observations live until the next call, of whatever function. */
opac_status env_reset(opac_environment *env, uint64_t seed, opac_observation *observation,
                      opac_error *error);
opac_status env_step(opac_environment *env, uint32_t action, opac_observation *observation,
                     opac_error *error);
opac_status env_step_many(opac_environment *env, const opac_lane_request *orders,
                          opac_observation *observations, opac_error *error);

/* Who hears what was drawn; an observation dies with the call. */
typedef opac_status (*env_successor_listener)(void *context, const opac_observation *successor,
                                              uint64_t count, opac_error *error);

/* n independent successors of a state (key NULL: resets), each successor told once. The counts
 * add up to n, or it is an error of the simulator. */
opac_status env_draw(opac_environment *env, const opac_observation *state, uint32_t action,
                     uint64_t n, uint64_t seed, env_successor_listener listener, void *context,
                     opac_error *error);

/* All that an action of a state can lead to (key NULL: resets), each told once, with count 1. A
 * simulator that gives one twice, with another count, or none at all is in error; what it said
 * before was told by then. */
opac_status env_successors(opac_environment *env, const opac_observation *state, uint32_t action,
                           env_successor_listener listener, void *context, opac_error *error);

/* More memory is taken than was allowed, for so many states: OPAC_ERROR_LIMIT. */
opac_status env_fail_memory_limit(uint64_t states, const base_meter *meter, opac_error *error);

/* A hash of the model behind it: its graph, its probabilities and its start; 0: there is none, as of
 * simulators. */
uint64_t env_fingerprint(const opac_environment *env);
/* For messages: a state in words, "x=1, y=0", or else its key, cut where the buffer ends; the name of an
 * action of a state, "" where it has none, borrowed. */
const char *env_show(const opac_environment *env, const void *key, size_t length, char *buffer,
                     size_t size);
const char *env_action_name(const opac_environment *env, const void *key, size_t length,
                            uint32_t action);

/* Another of the same, bound to the same names. */
opac_status env_fork(opac_environment *env, opac_environment **other, opac_error *error);

/* So many of them; all or none. Programs start side by side, some at a time: each may take seconds. */
opac_status env_fork_many(opac_environment *env, opac_environment **others, size_t count,
                          opac_error *error);

#endif
