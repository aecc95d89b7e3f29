/* SPDX-License-Identifier: MIT */
/*
 * Calls the functions of a kind. Checks the arguments before and the results after each call, so that an
 * error of the caller does not reach the simulator, and an error of the simulator does not reach the
 * caller.
 */
#include "env/env.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "env/kind.h"
#include "env/walk.h"

enum {
    FORKS_AT_ONCE = 16 /* forks that start in parallel; more would only compete for processors */
};

opac_status env_new(const env_kind *kind, void *self, const env_traits *traits,
                    opac_environment **environment, opac_error *error)
{
    opac_environment *env = base_alloc_zeroed(1, sizeof *env);
    env_lane *lanes = NULL;
    if (env != NULL && traits->lanes > 1)
        lanes = base_alloc_zeroed(traits->lanes, sizeof *lanes);
    if (env == NULL || (traits->lanes > 1 && lanes == NULL)) {
        base_free(env);
        kind->release(self);
        *environment = NULL;
        return base_fail_memory(error);
    }
    *env = (opac_environment){.kind = kind, .self = self, .traits = *traits, .lanes = lanes};
    *environment = env;
    return OPAC_OK;
}

void opac_environment_free(opac_environment *environment)
{
    if (environment == NULL)
        return;
    environment->kind->release(environment->self);
    base_free(environment->lanes);
    base_free(environment);
}

env_traits env_get_traits(const opac_environment *env)
{
    return env->traits;
}

opac_status env_bind(opac_environment *env, const char *const *names, size_t count,
                     opac_error *error)
{
    if (count > ENV_MAX_PROPOSITIONS)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "there are %zu propositions, but an objective may have at most %d", count,
                         ENV_MAX_PROPOSITIONS);
    TRY(env->kind->bind(env->self, names, count, error));
    env->is_bound = true;
    return OPAC_OK;
}

/*
 * Hashes twice. The first hash makes the episodes of consecutive seeds unrelated. For one seed, the results
 * of different episodes differ before the shift, since the second hash is a bijection.
 */
uint64_t env_episode_seed(uint64_t seed, uint64_t episode)
{
    uint64_t spread = base_hash_word(seed + UINT64_C(0x9E3779B97F4A7C15));
    return base_hash_word(spread ^ episode) >> 1;
}

/* ---- names ---- */

/* "\"a\", \"b\" and 3 more", with as many names as fit. */
static void list_names(const char *const *names, size_t count, char *buffer, size_t size)
{
    char shown[OPAC_SHOWN_SIZE];
    const size_t spare = sizeof shown + 32;
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        opac_text_show(names[i], strlen(names[i]), shown, sizeof shown);
        if (used + spare > size) {
            snprintf(buffer + used, size - used, " and %zu more", count - i);
            return;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s\"%s\"",
                                 i == 0           ? ""
                                 : i + 1 == count ? " and "
                                                  : ", ",
                                 shown);
    }
}

opac_status env_fail_unknown(const char *subject, const char *name, const char *const *names,
                             size_t count, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], list[OPAC_MESSAGE_SIZE / 2];
    const char *nearest = opac_text_nearest(name, names, count);
    opac_text_show(name, strlen(name), shown, sizeof shown);
    list_names(names, count, list, sizeof list);
    if (count == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown proposition \"%s\"; %s has none",
                         shown, subject);
    if (nearest == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown proposition \"%s\"; %s has %s", shown,
                         subject, list);
    char meant[OPAC_SHOWN_SIZE];
    opac_text_show(nearest, strlen(nearest), meant, sizeof meant);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "unknown proposition \"%s\"; did you mean \"%s\"? (%s has %s)", shown, meant,
                     subject, list);
}

/* ---- one step ---- */

/* Validates an observation. An empty key becomes "", since NULL stands for no key elsewhere. */
static opac_status validate(const opac_environment *env, opac_observation *observation,
                            opac_error *error)
{
    if (observation->key == NULL && observation->length > 0)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "the environment reported a state whose key is NULL and has %zu bytes",
                         observation->length);
    if (observation->key == NULL)
        observation->key = "";
    if (observation->actions > OPAC_MAX_ACTIONS && !env->traits.is_tabulated)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a state has %u actions, but may have at most %u",
                         (unsigned)observation->actions, (unsigned)OPAC_MAX_ACTIONS);
    return env->kind->convert == NULL ? OPAC_OK : env->kind->convert(env->self, observation, error);
}

/* Checks the class and the outcome of a step; without them, or after a reset, clears them. */
static opac_status check_outcome(const opac_environment *env, bool is_reset,
                                 opac_observation *observation, opac_error *error)
{
    if (env->traits.tells_outcomes && !is_reset) {
        if (observation->row_class == NULL || observation->row_class_length == 0)
            return base_fail(error, OPAC_ERROR_SIMULATOR,
                             "the environment did not report the class of a step");
        if (observation->outcome == NULL || observation->outcome_length == 0)
            return base_fail(error, OPAC_ERROR_SIMULATOR,
                             "the environment did not report the outcome of a step");
        return OPAC_OK;
    }
    observation->row_class = observation->outcome = NULL;
    observation->row_class_length = observation->outcome_length = 0;
    return OPAC_OK;
}

static opac_status finish_request(const opac_environment *env, env_lane *lane, bool is_reset,
                                  opac_observation *observation, opac_error *error)
{
    opac_status status = validate(env, observation, error);
    if (status == OPAC_OK)
        status = check_outcome(env, is_reset, observation, error);
    *lane = (env_lane){.has_begun = status == OPAC_OK, .actions = observation->actions};
    return status;
}

static opac_status check_action(const env_lane *lane, uint32_t action, opac_error *error)
{
    if (!lane->has_begun)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "an environment must be reset before its first step and after a failure");
    if (action >= lane->actions)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "no action %u: the state has %u, numbered from 0", (unsigned)action,
                         (unsigned)lane->actions);
    return OPAC_OK;
}

opac_status env_reset(opac_environment *env, uint64_t seed, opac_observation *observation,
                      opac_error *error)
{
    *observation = (opac_observation){0};
    env->single.has_begun = false;
    TRY(env->kind->reset(env->self, seed, observation, error));
    return finish_request(env, &env->single, true, observation, error);
}

opac_status env_step(opac_environment *env, uint32_t action, opac_observation *observation,
                     opac_error *error)
{
    *observation = (opac_observation){0};
    TRY(check_action(&env->single, action, error));
    env->single.has_begun = false;
    env->taken++;
    TRY(env->kind->step(env->self, action, observation, error));
    return finish_request(env, &env->single, false, observation, error);
}

uint64_t env_steps_taken(const opac_environment *env)
{
    return env->taken;
}

/* ---- several lanes ---- */

static opac_status request_one(opac_environment *env, const opac_lane_request *request,
                               opac_observation *observation, opac_error *error)
{
    return request->is_reset ? env_reset(env, request->seed, observation, error)
                             : env_step(env, request->action, observation, error);
}

opac_status env_step_many(opac_environment *env, const opac_lane_request *requests,
                          opac_observation *observations, opac_error *error)
{
    uint32_t lanes = env->traits.lanes;
    if (lanes <= 1)
        return request_one(env, requests, observations, error);
    for (uint32_t i = 0; i < lanes; i++)
        if (!requests[i].is_reset)
            TRY(check_action(&env->lanes[i], requests[i].action, error));
    memset(observations, 0, lanes * sizeof *observations);
    for (uint32_t i = 0; i < lanes; i++) {
        env->lanes[i].has_begun = false;
        env->taken += !requests[i].is_reset;
    }
    TRY(env->kind->step_many(env->self, requests, observations, error));
    for (uint32_t i = 0; i < lanes; i++)
        TRY(finish_request(env, &env->lanes[i], requests[i].is_reset, &observations[i], error));
    return OPAC_OK;
}

/* ---- many successors ---- */

/* A call of env_draw or env_successors. A failure of the listener is returned to the caller, even if the
 * simulator ignores it. */
struct opac_draws {
    const opac_environment *env;
    env_successor_listener listener;
    void *context;
    base_intern *reported; /* of env_successors: the keys so far; NULL for env_draw */
    uint64_t n, left;      /* of env_draw: successors requested, and not drawn yet */
    opac_status status;    /* of the listener, or of the checks before it */
    opac_error error;
};

static opac_status refuse_count(opac_draws *draws)
{
    return base_fail(&draws->error, OPAC_ERROR_SIMULATOR,
                     "the environment drew more than the %llu requested successors",
                     (unsigned long long)draws->n);
}

/* env_draw: the counts must not exceed n. env_successors: each successor must occur once, with count 1. */
static opac_status check_count(opac_draws *draws, const opac_observation *successor, uint64_t count)
{
    uint32_t id;
    bool is_new;
    if (draws->reported == NULL)
        return count > draws->left ? refuse_count(draws) : OPAC_OK;
    if (count != 1)
        return base_fail(
            &draws->error, OPAC_ERROR_SIMULATOR,
            "the environment reported a successor with count %llu: when all successors "
            "are requested, each must have count 1",
            (unsigned long long)count);
    TRY(base_intern_add(draws->reported, successor->key, successor->length, &id, &is_new,
                        &draws->error));
    if (!is_new)
        return base_fail(&draws->error, OPAC_ERROR_SIMULATOR,
                         "the environment reported the same successor twice");
    return OPAC_OK;
}

static opac_status add_successor(opac_draws *draws, opac_observation *successor, uint64_t count)
{
    TRY(validate(draws->env, successor, &draws->error));
    TRY(check_count(draws, successor, count));
    if (count == 0)
        return OPAC_OK;
    draws->left -= draws->reported == NULL ? count : 0;
    return draws->listener(draws->context, successor, count, &draws->error);
}

/* After a failure, and for a count of 0, the listener is not called. */
opac_status opac_draws_add(opac_draws *draws, const opac_observation *successor, uint64_t count,
                           opac_error *error)
{
    opac_observation converted = *successor;
    if (draws->status == OPAC_OK)
        draws->status = add_successor(draws, &converted, count);
    if (draws->status != OPAC_OK && error != NULL)
        *error = draws->error;
    return draws->status;
}

static opac_status check_request(const opac_observation *state, uint32_t action, opac_error *error)
{
    if (state->key != NULL && action >= state->actions)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "no action %u: the state has %u, numbered from 0", (unsigned)action,
                         (unsigned)state->actions);
    return OPAC_OK;
}

opac_status env_draw(opac_environment *env, const opac_observation *state, uint32_t action,
                     uint64_t n, uint64_t seed, env_successor_listener listener, void *context,
                     opac_error *error)
{
    opac_draws draws = {.env = env, .listener = listener, .context = context, .n = n, .left = n};
    if (!env->traits.can_draw)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "this environment cannot draw successors of a given state");
    TRY(check_request(state, action, error));
    opac_status status =
        env->kind->draw(env->self, state->key, state->length, action, n, seed, &draws, error);
    if (draws.status != OPAC_OK) {
        if (error != NULL)
            *error = draws.error;
        return draws.status;
    }
    if (status == OPAC_OK && draws.left > 0)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "the environment drew %llu of %llu requested successors",
                         (unsigned long long)(n - draws.left), (unsigned long long)n);
    return status;
}

opac_status env_successors(opac_environment *env, const opac_observation *state, uint32_t action,
                           env_successor_listener listener, void *context, opac_error *error)
{
    base_intern reported;
    opac_draws draws = {
        .env = env, .listener = listener, .context = context, .reported = &reported};
    if (!env->traits.knows_graph)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "this environment does not know the successors of its actions");
    TRY(check_request(state, action, error));
    base_intern_init(&reported);
    opac_status status =
        env->kind->successors(env->self, state->key, state->length, action, &draws, error);
    if (draws.status != OPAC_OK) {
        if (error != NULL)
            *error = draws.error;
        status = draws.status;
    } else if (status == OPAC_OK && reported.count == 0)
        status = base_fail(error, OPAC_ERROR_SIMULATOR,
                           "the environment reported no successor of an action");
    base_intern_fini(&reported);
    return status;
}

/* ---- forks ---- */

static opac_status begin_fork(opac_environment *env, opac_environment **other, opac_error *error)
{
    void *self = NULL;
    if (!env->traits.can_fork)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "this environment cannot be forked, so only one thread can use it");
    TRY(env->kind->fork(env->self, &self, error));
    TRY(env_new(env->kind, self, &env->traits, other, error));
    (*other)->is_bound = env->is_bound;
    return OPAC_OK;
}

/* Begins all forks before it waits for the first one. */
static opac_status fork_some(opac_environment *env, opac_environment **others, size_t count,
                             opac_error *error)
{
    for (size_t i = 0; i < count; i++)
        TRY(begin_fork(env, &others[i], error));
    for (size_t i = 0; i < count && env->kind->finish_fork != NULL; i++)
        if (others[i] != NULL) /* always true; for static analysis */
            TRY(env->kind->finish_fork(env->self, others[i]->self, error));
    return OPAC_OK;
}

opac_status env_fork_many(opac_environment *env, opac_environment **others, size_t count,
                          opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < count; i++)
        others[i] = NULL;
    for (size_t i = 0; i < count && status == OPAC_OK; i += FORKS_AT_ONCE)
        status = fork_some(env, others + i, count - i < FORKS_AT_ONCE ? count - i : FORKS_AT_ONCE,
                           error);
    for (size_t i = 0; i < count && status != OPAC_OK; i++) {
        opac_environment_free(others[i]);
        others[i] = NULL;
    }
    return status;
}

opac_status env_fork(opac_environment *env, opac_environment **other, opac_error *error)
{
    return env_fork_many(env, other, 1, error);
}

uint64_t env_fingerprint(const opac_environment *env)
{
    return env->kind->fingerprint != NULL ? env->kind->fingerprint(env->self) : 0;
}

/* ---- tables ---- */

opac_status env_row(opac_environment *env, const void *key, size_t length, uint32_t action,
                    uint32_t *row, uint32_t *width, opac_error *error)
{
    if (!env->traits.is_tabulated)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED, "this environment has no tables");
    return env->kind->row(env->self, key, length, action, row, width, error);
}

opac_status env_branch(opac_environment *env, uint32_t row, uint32_t branch,
                       opac_observation *observation, opac_error *error)
{
    if (!env->traits.is_tabulated)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED, "this environment has no tables");
    return env->kind->branch(env->self, row, branch, observation, error);
}

uint32_t env_last_branch(const opac_environment *env)
{
    return env->traits.is_tabulated ? env->kind->last_branch(env->self) : 0;
}

void env_row_draw(const opac_environment *env, uint32_t row, uint64_t n, stat_rng *rng,
                  uint64_t *counts)
{
    if (row == ENV_NO_STEP)
        counts[0] += n;
    else
        env_rows_draw(env->kind->rows(env->self), row, n, rng, counts);
}

/* ---- for messages ---- */

opac_status env_fail_memory_limit(uint64_t states, const base_meter *meter, opac_error *error)
{
    return base_fail_limit(
        error, "max_memory", meter->most,
        "the %llu states observed so far take more than the allowed %llu MiB of memory",
        (unsigned long long)states, (unsigned long long)(meter->most >> 20));
}

const char *env_show(const opac_environment *env, const void *key, size_t length, char *buffer,
                     size_t size)
{
    if (env->kind->show == NULL || !env->kind->show(env->self, key, length, buffer, size))
        opac_text_show(length > 0 ? key : "", length, buffer, size);
    return buffer;
}

const char *env_action_name(const opac_environment *env, const void *key, size_t length,
                            uint32_t action)
{
    const char *name = env->kind->action_name != NULL
                           ? env->kind->action_name(env->self, key, length, action)
                           : NULL;
    return name != NULL ? name : "";
}
