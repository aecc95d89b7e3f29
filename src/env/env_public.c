/* SPDX-License-Identifier: MIT */
/*
 * The public functions of environments: opening by name, and running step by step. The caller need not bind
 * an environment: by default letters are over its own propositions.
 */
#include <math.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/json_key.h"
#include "env/kind.h"
#include "env/open.h"

enum {
    SHOWN_STATE = 1024 /* size of a state in words */
};

/* ---- by name ---- */

static const char exec_prefix[] = "exec:", plugin_prefix[] = "plugin:";

/* The rest of the name after the prefix; NULL if it does not begin with it. */
static const char *after_prefix(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

opac_environment_options opac_environment_defaults(void)
{
    return (opac_environment_options){.timeout = 10};
}

bool opac_environment_is_simulator(const char *name)
{
    return after_prefix(name, exec_prefix) != NULL || after_prefix(name, plugin_prefix) != NULL;
}

opac_status opac_environment_open(const char *name, const opac_environment_options *options,
                                  opac_environment **environment, opac_error *error)
{
    opac_environment_options chosen = options != NULL ? *options : opac_environment_defaults();
    const char *command = after_prefix(name, exec_prefix),
               *file = after_prefix(name, plugin_prefix);
    char shown[OPAC_SHOWN_SIZE];
    *environment = NULL;
    if (!isfinite(chosen.timeout) || chosen.timeout <= 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "timeout",
                                   "timeout must be above 0 and finite, not %g", chosen.timeout);
    if (command != NULL)
        return env_open_command(command, &chosen, environment, error);
    if (file != NULL)
        return env_open_plugin(file, environment, error);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "\"%s\" is not a simulator: expected exec:COMMAND or plugin:FILE.so",
                     opac_text_show(name, strlen(name), shown, sizeof shown));
}

/* ---- properties ---- */

opac_environment_traits opac_environment_get_traits(const opac_environment *environment)
{
    const env_traits *traits = &environment->traits;
    return (opac_environment_traits){.random_start = traits->random_start,
                                     .can_draw = traits->can_draw,
                                     .can_fork = traits->can_fork,
                                     .knows_graph = traits->knows_graph,
                                     .tells_outcomes = traits->tells_outcomes,
                                     .lanes = traits->lanes};
}

const char *opac_environment_proposition(const opac_environment *environment, size_t index)
{
    return environment->kind->proposition(environment->self, index);
}

/* ---- running ---- */

opac_status opac_environment_bind(opac_environment *environment, const char *const *names,
                                  size_t count, opac_error *error)
{
    return env_bind(environment, names, count, error);
}

opac_status opac_environment_bind_own(opac_environment *environment, opac_error *error)
{
    const char *names[ENV_MAX_PROPOSITIONS];
    size_t count = 0;
    while (count < ENV_MAX_PROPOSITIONS &&
           (names[count] = opac_environment_proposition(environment, count)) != NULL)
        count++;
    return env_bind(environment, names, count, error);
}

/* Binds the environment to its own propositions unless the caller has bound it. */
static opac_status ensure_bound(opac_environment *environment, opac_error *error)
{
    return environment->is_bound ? OPAC_OK : opac_environment_bind_own(environment, error);
}

opac_status opac_environment_reset(opac_environment *environment, uint64_t seed,
                                   opac_observation *observation, opac_error *error)
{
    TRY(ensure_bound(environment, error));
    return env_reset(environment, seed, observation, error);
}

opac_status opac_environment_step(opac_environment *environment, uint32_t action,
                                  opac_observation *observation, opac_error *error)
{
    return env_step(environment, action, observation, error);
}

opac_status opac_environment_step_many(opac_environment *environment,
                                       const opac_lane_request *requests,
                                       opac_observation *observations, opac_error *error)
{
    TRY(ensure_bound(environment, error));
    return env_step_many(environment, requests, observations, error);
}

uint64_t opac_environment_episode_seed(uint64_t seed, uint64_t episode)
{
    return env_episode_seed(seed, episode);
}

/* ---- for messages ---- */

const char *opac_environment_show(const opac_environment *environment, const void *key,
                                  size_t length, char *buffer, size_t size)
{
    return env_show(environment, key, length, buffer, size);
}

const char *opac_environment_action_name(const opac_environment *environment, const void *key,
                                         size_t length, uint32_t action)
{
    return env_action_name(environment, key, length, action);
}

void opac_environment_write_key_json(const opac_environment *environment, const void *key,
                                     size_t length, opac_json *json)
{
    char shown[SHOWN_STATE], plain[SHOWN_STATE];
    const char *bytes = length > 0 ? key : "";
    opac_text_show(bytes, length, plain, sizeof plain);
    env_show(environment, bytes, length, shown, sizeof shown);
    base_json_put_key(json, bytes, length);
    if (strcmp(shown, plain) == 0)
        return;
    opac_json_key(json, "state");
    opac_json_string(json, shown);
}

void opac_environment_write_labels_json(const opac_environment *environment, uint64_t letter,
                                        opac_json *json)
{
    opac_json_key(json, "labels");
    opac_json_begin_array(json);
    for (size_t i = 0; i < ENV_MAX_PROPOSITIONS; i++)
        if ((letter >> i & 1) != 0)
            opac_json_string(json, opac_environment_proposition(environment, i));
    opac_json_end_array(json);
}
