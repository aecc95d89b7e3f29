/* SPDX-License-Identifier: MIT */
/*
 * The interface that each kind of environment implements: a table of functions, and traits that say
 * which of them it has. env.c calls a function only if the traits allow it, and checks the arguments
 * before: the action exists in the state, and there are at most 64 propositions.
 */
#ifndef ENV_KIND_H
#define ENV_KIND_H

#include "env/env.h"
#include "env/env_rows.h"

enum {
    ENV_MAX_PROPOSITIONS = 64,
    ENV_MAX_LANES = 65536
};

/* Sets the error of env_bind for an unknown proposition; the message lists the known ones. `subject` is
 * the subject of its sentence. */
opac_status env_fail_unknown(const char *subject, const char *name, const char *const *names,
                             size_t count, opac_error *error);

typedef struct env_kind {
    /* The name of a proposition; NULL if there are not that many. */
    const char *(*proposition)(const void *self, size_t index);
    opac_status (*bind)(void *self, const char *const *names, size_t count, opac_error *error);
    opac_status (*reset)(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error);
    opac_status (*step)(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error);
    /* Required if traits.lanes > 1. */
    opac_status (*step_many)(void *self, const opac_lane_request *requests,
                             opac_observation *observations, opac_error *error);
    /* Required if traits.can_draw; passes each successor to opac_draws_add. */
    opac_status (*draw)(void *self, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error);
    /* Required if traits.knows_graph; passes each successor to opac_draws_add. */
    opac_status (*successors)(void *self, const void *key, size_t length, uint32_t action,
                              opac_draws *successors, opac_error *error);
    /* Required if traits.can_fork. */
    opac_status (*fork)(void *self, void **other, opac_error *error);
    /* The part of a fork that waits (for the greeting of a program), so that several forks can be begun
     * before the first is waited for; may be NULL. After a failure `other` can only be released. */
    opac_status (*finish_fork)(const void *self, void *other, opac_error *error);
    void (*release)(void *self);
    /* Describes a state, or returns false if it does not know the key; NULL: the key is shown. */
    bool (*show)(const void *self, const void *key, size_t length, char *buffer, size_t size);
    /* The name of an action of a state, or NULL; NULL: no action has a name. */
    const char *(*action_name)(const void *self, const void *key, size_t length, uint32_t action);
    /* Implements env_fingerprint; NULL: there is none. */
    uint64_t (*fingerprint)(const void *self);
    /* Validates each observation and converts its letter to the bound propositions; may be NULL. */
    opac_status (*convert)(const void *self, opac_observation *observation, opac_error *error);

    /* Required if traits.is_tabulated. */
    opac_status (*row)(void *self, const void *key, size_t length, uint32_t action, uint32_t *row,
                       uint32_t *width, opac_error *error);
    opac_status (*branch)(void *self, uint32_t row, uint32_t branch, opac_observation *observation,
                          opac_error *error);
    uint32_t (*last_branch)(const void *self);
    const env_rows *(*rows)(const void *self);
    stat_rng *(*rng)(void *self); /* of the current episode */
    /* Moves the current episode to the successor of a branch of a row. */
    void (*move_to)(void *self, uint32_t row, uint32_t branch, opac_observation *observation);
} env_kind;

/* The state of an episode, as far as the next request must fit it. */
typedef struct env_lane {
    bool has_begun;
    uint32_t actions; /* number of actions in the current state */
} env_lane;

struct opac_environment {
    const env_kind *kind;
    void *self;
    env_traits traits;
    bool is_bound;   /* env_bind was called */
    env_lane single; /* of reset and step */
    env_lane *lanes; /* of step_many; NULL if there is one lane */
    uint64_t taken;  /* steps so far, on all lanes */
};

/* Creates an environment, which owns self. On failure self is released. */
opac_status env_new(const env_kind *kind, void *self, const env_traits *traits,
                    opac_environment **environment, opac_error *error);

/* Converts a failure of a callback, as opac_environment_callbacks specifies: cleans up the message, and
 * replaces the status by OPAC_ERROR_SIMULATOR except for memory and cancellation. */
opac_status env_convert_failure(opac_status status, const opac_error *found, opac_error *error);

/* Implements env_fingerprint; a graph is hashed without its probabilities. */
uint64_t env_fingerprint_model(const opac_model *model, bool is_graph);
/* Describes a state of a model; false, with the buffer unchanged, if memory is exhausted. */
bool env_show_state(const opac_model *model, uint32_t state, char *buffer, size_t size);

#endif
