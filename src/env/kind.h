/* SPDX-License-Identifier: MIT */
/*
 * What a kind of environment is: a table of functions, and the traits that say
 * which of them there are. env.c asks only for what the traits promise, and has
 * checked the arguments: the action is one of the state's, names are at most 64.
 */
#ifndef ENV_KIND_H
#define ENV_KIND_H

#include "env/env.h"
#include "env/env_rows.h"

enum {
    ENV_MAX_PROPOSITIONS = 64,
    ENV_MAX_LANES = 65536
};

/* The error of env_bind: an unknown name, with the nearest known one, or all of them. */
opac_status env_fail_unknown(const char *who, const char *name, const char *const *names,
                             size_t count, opac_error *error);

typedef struct env_kind {
    /* The propositions that it knows by name; NULL: no such index. */
    const char *(*proposition)(const void *self, size_t index);
    opac_status (*bind)(void *self, const char *const *names, size_t count, opac_error *error);
    opac_status (*reset)(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error);
    opac_status (*step)(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error);
    /* When traits.lanes > 1. */
    opac_status (*step_many)(void *self, const opac_lane_request *orders,
                             opac_observation *observations, opac_error *error);
    /* When traits.can_draw; tells each successor by opac_draws_add. */
    opac_status (*draw)(void *self, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error);
    /* When traits.knows_graph; likewise. */
    opac_status (*successors)(void *self, const void *key, size_t length, uint32_t action,
                              opac_draws *successors, opac_error *error);
    /* When traits.can_fork. */
    opac_status (*fork)(void *self, void **other, opac_error *error);
    /* What is left to do with a fork before it is used, and takes its time; NULL: nothing. On failure
     * it can only be released. */
    opac_status (*ready)(const void *self, void *other, opac_error *error);
    void (*release)(void *self);
    /* A state in words (false: the key is not one of its own), and one of its actions; NULL: by its
     * bytes, and by its number. */
    bool (*show)(const void *self, const void *key, size_t length, char *buffer, size_t size);
    const char *(*action)(const void *self, const void *key, size_t length, uint32_t action);
    /* See env_fingerprint; NULL: it has none. */
    uint64_t (*fingerprint)(const void *self);
    /* Of each observation, before others see it; NULL: nothing to do. */
    opac_status (*admit)(const void *self, opac_observation *observation, opac_error *error);

    /* When traits.is_tabulated. */
    opac_status (*row)(void *self, const void *key, size_t length, uint32_t action, uint32_t *row,
                       uint32_t *width, opac_error *error);
    opac_status (*branch)(void *self, uint32_t row, uint32_t branch, opac_observation *observation,
                          opac_error *error);
    uint32_t (*last_branch)(const void *self);
    const env_rows *(*rows)(const void *self);
    stat_rng *(*rng)(void *self); /* of the episode under way */
    /* The episode is in the state behind a branch of one of these rows. */
    void (*land)(void *self, uint32_t row, uint32_t branch, opac_observation *observation);
} env_kind;

/* What one lane may do next. */
typedef struct env_lane {
    bool has_begun;
    uint32_t actions; /* of the state that it is in */
} env_lane;

struct opac_environment {
    const env_kind *kind;
    void *self;
    env_traits traits;
    bool is_bound;   /* to names that somebody chose */
    env_lane one;    /* of reset and step */
    env_lane *lanes; /* of step_many; NULL when there is one lane */
};

/* Takes self, which is released by the kind, also on failure. */
opac_status env_new(const env_kind *kind, void *self, const env_traits *traits,
                    opac_environment **environment, opac_error *error);

/* What a failure of somebody else's function becomes: see opac_environment_callbacks. */
opac_status env_translate(opac_status status, const opac_error *found, opac_error *error);

/* For env_fingerprint; a graph is hashed without probabilities. */
uint64_t env_fingerprint_model(const opac_model *model, bool is_graph);
/* A model's state in words; false: no memory, and nothing is written. */
bool env_show_state(const opac_model *model, uint32_t state, char *buffer, size_t size);

#endif
