/* SPDX-License-Identifier: MIT */
/*
 * Environments that are callbacks of the user. Their results are not trusted: status codes become
 * OPAC_ERROR_SIMULATOR, messages are cleaned up to one line, and letters are checked and converted to the
 * bound propositions.
 */
#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "env/kind.h"

typedef struct simulator {
    opac_environment_callbacks calls; /* its propositions point to `names` */
    void *context;
    char **names;
    /* Bit i of a converted letter is bit from[i] of the simulator's letter. */
    unsigned char from[ENV_MAX_PROPOSITIONS];
    size_t bound;
} simulator;

/* ---- results ---- */

opac_status env_convert_failure(opac_status status, const opac_error *found, opac_error *error)
{
    char shown[OPAC_MESSAGE_SIZE];
    if (status == OPAC_OK)
        return OPAC_OK;
    const char *end = memchr(found->message, '\0', sizeof found->message);
    size_t length = end == NULL ? sizeof found->message : (size_t)(end - found->message);
    bool is_kept = status == OPAC_ERROR_MEMORY || status == OPAC_ERROR_CANCELLED;
    opac_text_show(found->message, length, shown, sizeof shown);
    return base_fail(error, is_kept ? status : OPAC_ERROR_SIMULATOR, "%s",
                     length > 0                    ? shown
                     : status == OPAC_ERROR_MEMORY ? "out of memory"
                                                   : "the environment failed without a message");
}

/* Makes the message empty, without the cost of clearing all of it in each step. */
static void clear_message(opac_error *error)
{
    error->message[0] = '\0';
}

/* Converts the letter to the bound propositions. */
static opac_status convert(const void *self, opac_observation *observation, opac_error *error)
{
    const simulator *s = self;
    size_t count = s->calls.proposition_count;
    uint64_t letter = observation->letter, seen = 0;
    if (count < ENV_MAX_PROPOSITIONS && letter >> count != 0)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "the environment reported a letter with bits beyond its %zu propositions",
                         count);
    for (size_t i = 0; i < s->bound; i++)
        seen |= (letter >> s->from[i] & 1) << i;
    observation->letter = seen;
    return OPAC_OK;
}

/* ---- calls ---- */

static opac_status reset(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error)
{
    simulator *s = self;
    opac_error found;
    clear_message(&found);
    return env_convert_failure(s->calls.reset(s->context, seed, observation, &found), &found,
                               error);
}

static opac_status step(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    simulator *s = self;
    opac_error found;
    clear_message(&found);
    return env_convert_failure(s->calls.step(s->context, action, observation, &found), &found,
                               error);
}

static opac_status step_many(void *self, const opac_lane_request *requests,
                             opac_observation *observations, opac_error *error)
{
    simulator *s = self;
    opac_error found;
    clear_message(&found);
    return env_convert_failure(s->calls.step_many(s->context, requests, observations, &found),
                               &found, error);
}

static opac_status draw(void *self, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    simulator *s = self;
    opac_error found;
    clear_message(&found);
    opac_status status = s->calls.draw(s->context, key, length, action, n, seed, draws, &found);
    return env_convert_failure(status, &found, error);
}

static opac_status successors(void *self, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    simulator *s = self;
    opac_error found;
    clear_message(&found);
    opac_status status = s->calls.successors(s->context, key, length, action, draws, &found);
    return env_convert_failure(status, &found, error);
}

/* ---- names ---- */

static const char *proposition(const void *self, size_t index)
{
    const simulator *s = self;
    return index < s->calls.proposition_count ? s->names[index] : NULL;
}

static opac_status fail_unknown(const simulator *s, const char *name, opac_error *error)
{
    return env_fail_unknown("the environment", name, s->calls.propositions,
                            s->calls.proposition_count, error);
}

/* The index of a name among the first `count` names, or count if it is not there. */
static size_t find_name(char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static opac_status bind(void *self, const char *const *names, size_t count, opac_error *error)
{
    simulator *s = self;
    unsigned char from[ENV_MAX_PROPOSITIONS] = {0};
    for (size_t i = 0; i < count; i++) {
        size_t found = find_name(s->names, s->calls.proposition_count, names[i]);
        if (found == s->calls.proposition_count)
            return fail_unknown(s, names[i], error);
        from[i] = (unsigned char)found;
    }
    memcpy(s->from, from, sizeof from);
    s->bound = count;
    return OPAC_OK;
}

static opac_status copy_names(simulator *s, const char *const *names, size_t count,
                              opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    s->names = base_alloc_zeroed(count, sizeof *s->names);
    if (s->names == NULL)
        return base_fail_memory(error);
    s->calls.propositions = (const char *const *)s->names;
    s->calls.proposition_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (names[i] == NULL)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "proposition %zu of the environment has no name", i);
        if (find_name(s->names, i, names[i]) < i)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "the proposition \"%s\" of the environment occurs twice",
                             opac_text_show(names[i], strlen(names[i]), shown, sizeof shown));
        s->names[i] = base_copy_text(names[i], strlen(names[i]));
        if (s->names[i] == NULL)
            return base_fail_memory(error);
        s->calls.proposition_count++;
    }
    return OPAC_OK;
}

/* ---- for messages ---- */

/* The simulator's description of a state, with unprintable bytes escaped. */
static bool show(const void *self, const void *key, size_t length, char *buffer, size_t size)
{
    const simulator *s = self;
    char words[OPAC_MESSAGE_SIZE] = "";
    if (s->calls.show == NULL || !s->calls.show(s->context, key, length, words, sizeof words))
        return false;
    words[sizeof words - 1] = '\0';
    opac_text_show(words, strlen(words), buffer, size);
    return true;
}

static const char *action_name(const void *self, const void *key, size_t length, uint32_t action)
{
    const simulator *s = self;
    return s->calls.action_name == NULL ? NULL
                                        : s->calls.action_name(s->context, key, length, action);
}

/* ---- creation and release ---- */

static void release(void *self)
{
    simulator *s = self;
    if (s->calls.release != NULL)
        s->calls.release(s->context);
    for (size_t i = 0; i < s->calls.proposition_count; i++)
        base_free(s->names[i]);
    base_free(s->names);
    base_free(s);
}

/* Creates a simulator, which owns the context; on failure the context is released. The callbacks were checked
 * before. */
static opac_status create(const opac_environment_callbacks *calls, void *context, simulator **made,
                          opac_error *error)
{
    simulator *s = base_alloc_zeroed(1, sizeof *s);
    *made = s;
    if (s == NULL) {
        if (calls->release != NULL)
            calls->release(context);
        return base_fail_memory(error);
    }
    s->calls = *calls;
    s->calls.proposition_count = 0; /* number of copies so far */
    s->context = context;
    opac_status status = copy_names(s, calls->propositions, calls->proposition_count, error);
    if (status != OPAC_OK) {
        release(s);
        *made = NULL;
    }
    return status;
}

static opac_status fork_simulator(void *self, void **other, opac_error *error)
{
    simulator *s = self, *made = NULL;
    opac_error found;
    void *context = NULL;
    *other = NULL;
    clear_message(&found);
    TRY(env_convert_failure(s->calls.fork(s->context, &context, &found), &found, error));
    TRY(create(&s->calls, context, &made, error));
    memcpy(made->from, s->from, sizeof made->from);
    made->bound = s->bound;
    *other = made;
    return OPAC_OK;
}

static const env_kind callback_kind = {.proposition = proposition,
                                       .bind = bind,
                                       .reset = reset,
                                       .step = step,
                                       .step_many = step_many,
                                       .draw = draw,
                                       .successors = successors,
                                       .fork = fork_simulator,
                                       .release = release,
                                       .show = show,
                                       .action_name = action_name,
                                       .convert = convert};

static opac_status check_callbacks(const opac_environment_callbacks *calls, opac_error *error)
{
    if (calls->reset == NULL || calls->step == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the callbacks reset and step must not be NULL");
    if ((calls->step_many == NULL) != (calls->lanes == 0))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the members step_many and lanes must be set together");
    if (calls->lanes > ENV_MAX_LANES)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "an environment has %u lanes, but may have at most %d",
                         (unsigned)calls->lanes, ENV_MAX_LANES);
    if (calls->proposition_count > ENV_MAX_PROPOSITIONS)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "an environment has %zu propositions, but may have at most %d",
                         calls->proposition_count, ENV_MAX_PROPOSITIONS);
    if (calls->proposition_count > 0 && calls->propositions == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "an environment has %zu propositions, but their names are NULL",
                         calls->proposition_count);
    return OPAC_OK;
}

opac_status opac_environment_new(const opac_environment_callbacks *callbacks, void *context,
                                 opac_environment **environment, opac_error *error)
{
    simulator *made = NULL;
    *environment = NULL;
    opac_status status = check_callbacks(callbacks, error);
    if (status != OPAC_OK) {
        if (callbacks->release != NULL)
            callbacks->release(context);
        return status;
    }
    TRY(create(callbacks, context, &made, error));
    env_traits traits = {.random_start = callbacks->random_start,
                         .tells_outcomes = callbacks->tells_outcomes,
                         .can_draw = callbacks->draw != NULL,
                         .can_fork = callbacks->fork != NULL,
                         .knows_graph = callbacks->successors != NULL,
                         .lanes = callbacks->lanes > 1 ? callbacks->lanes : 1};
    return env_new(&callback_kind, made, &traits, environment, error);
}
