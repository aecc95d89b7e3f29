/* SPDX-License-Identifier: MIT */
/*
 * Checks whether a simulator conforms to its specification. It is run as a learner runs it, and in some other
 * ways; each check reports one or more findings.
 *
 * Cost: episodes · steps for the exploration, and about as much for the other checks; memory for the observed
 * states and for CONF_MAX_TRACES episodes.
 */
#include "env/conformance.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

opac_conformance_options opac_conformance_defaults(void)
{
    return (opac_conformance_options){.timeout = 10, .episodes = 100, .steps = 100, .seed = 1};
}

const char *opac_finding_kind_name(opac_finding_kind kind)
{
    static const char *const words[] = {"ok", "note", "warning", "error"};
    return (unsigned)kind < sizeof words / sizeof words[0] ? words[kind] : "unknown";
}

/* ---- findings ---- */

static void report(conf_session *session, opac_finding_kind kind, const char *check,
                   const char *parameter, const char *format, va_list arguments)
{
    char text[CONF_TEXT_SIZE];
    opac_conformance *outcome = session->outcome;
    uint32_t *counts[] = {&outcome->passed, &outcome->notes, &outcome->warnings, &outcome->errors};
    vsnprintf(text, sizeof text, format, arguments);
    *counts[kind] += 1;
    if (session->listener != NULL)
        session->listener(
            session->context,
            &(opac_finding){.kind = kind, .check = check, .text = text, .parameter = parameter});
}

void conf_report(conf_session *session, opac_finding_kind kind, const char *check,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(session, kind, check, NULL, format, arguments);
    va_end(arguments);
}

void conf_report_parameter(conf_session *session, opac_finding_kind kind, const char *check,
                           const char *parameter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(session, kind, check, parameter, format, arguments);
    va_end(arguments);
}

opac_status conf_report_failure(conf_session *session, const char *check, const char *requests,
                                const opac_error *found, opac_error *error)
{
    opac_status code = found->code;
    if (code == OPAC_OK || code == OPAC_ERROR_MEMORY || code == OPAC_ERROR_CANCELLED ||
        code == OPAC_ERROR_LIMIT) {
        if (error != NULL)
            *error = *found;
        return code;
    }
    conf_report_parameter(session, OPAC_FINDING_ERROR, check, found->parameter, "%s%s%s",
                          found->message, *requests != '\0' ? "; requests: " : "", requests);
    return OPAC_OK;
}

const char *conf_show_state(const conf_session *session, uint32_t state, char *buffer)
{
    size_t length;
    char shown[CONF_SHOWN];
    const unsigned char *bytes = base_intern_key(&session->states, state, &length);
    const char *key = length > 0 ? (const char *)bytes : "";
    if (session->env == NULL) /* no instance can describe it */
        return opac_text_show(key, length, buffer, CONF_SHOWN);
    env_show(session->env, key, length, shown, sizeof shown);
    return opac_text_show(shown, strlen(shown), buffer, CONF_SHOWN);
}

void conf_append_step(const conf_session *session, const opac_environment *env, uint32_t state,
                      uint32_t action, char *buffer)
{
    char shown[CONF_SHOWN];
    size_t length, used = strlen(buffer);
    const unsigned char *key = base_intern_key(&session->states, state, &length);
    const char *name = env_action_name(env, length > 0 ? (const void *)key : "", length, action);
    opac_text_show(name, strlen(name), shown, 40);
    if (*name != '\0')
        snprintf(buffer + used, CONF_REQUESTS_SIZE - used, ", step %s", shown);
    else
        snprintf(buffer + used, CONF_REQUESTS_SIZE - used, ", step %u", (unsigned)action);
}

const char *conf_format_requests(const conf_session *session, const opac_environment *env,
                                 const conf_trace *trace, size_t end, char *buffer)
{
    enum {
        MAX_SHOWN = 5 /* number of steps shown; each takes less than 50 bytes */
    };
    const conf_step *steps = trace->steps.items;
    size_t from = end > MAX_SHOWN + 1 ? end - MAX_SHOWN : 1;
    snprintf(buffer, CONF_REQUESTS_SIZE, "reset %" PRIu64, trace->seed);
    if (from > 1)
        snprintf(buffer + strlen(buffer), CONF_REQUESTS_SIZE - strlen(buffer), ", %zu steps",
                 from - 1);
    for (size_t i = from; i < end; i++)
        conf_append_step(session, env, steps[i - 1].state, steps[i].action, buffer);
    return buffer;
}

/* ---- instances ---- */

/* Binds the environment to its first 64 propositions. */
static opac_status bind_all(opac_environment *env, opac_error *error)
{
    const char *names[64];
    size_t count = 0;
    while (count < 64 && opac_environment_proposition(env, count) != NULL) {
        names[count] = opac_environment_proposition(env, count);
        count++;
    }
    return env_bind(env, names, count, error);
}

opac_status conf_open(conf_session *session, const char *check, opac_environment **env,
                      opac_error *error)
{
    opac_environment_options options = opac_environment_defaults();
    opac_error found = {0};
    options.timeout = session->options->timeout;
    options.cancel = session->options->cancel;
    options.max_memory = session->options->max_memory;
    *env = NULL;
    opac_status status = opac_environment_open(session->name, &options, env, &found);
    if (status == OPAC_ERROR_IO) { /* the file cannot be read, so there is no simulator to check */
        if (error != NULL)
            *error = found;
        return status;
    }
    if (status == OPAC_OK)
        status = bind_all(*env, &found);
    if (status == OPAC_OK)
        return OPAC_OK;
    opac_environment_free(*env);
    *env = NULL;
    return conf_report_failure(session, check, "", &found, error);
}

opac_status conf_ensure_open(conf_session *session, const char *check, opac_error *error)
{
    return session->env != NULL ? OPAC_OK : conf_open(session, check, &session->env, error);
}

void conf_close(conf_session *session)
{
    opac_environment_free(session->env);
    session->env = NULL;
}

/* ---- observations ---- */

static opac_status fail_changed(const conf_session *session, uint32_t state,
                                const opac_observation *seen, opac_error *error)
{
    char shown[CONF_SHOWN];
    conf_state before = session->facts.items[state];
    conf_show_state(session, state, shown);
    if (before.actions != seen->actions)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "state \"%s\" has %u actions now and had %u before; give states with "
                         "different actions different names",
                         shown, (unsigned)seen->actions, (unsigned)before.actions);
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "state \"%s\" has other labels now than before; give states with different "
                     "labels different names",
                     shown);
}

opac_status conf_add_state(conf_session *session, const opac_observation *seen, uint32_t *state,
                           bool *is_new, opac_error *error)
{
    TRY(conf_state_vec_reserve(&session->facts, session->facts.count + 1, error));
    TRY(base_intern_add(&session->states, seen->key, seen->length, state, is_new, error));
    if (*is_new && base_meter_is_full(&session->meter))
        return env_fail_memory_limit(session->states.count, &session->meter, error);
    if (*is_new)
        session->facts.items[session->facts.count++] = (conf_state){seen->letter, seen->actions};
    conf_state before = session->facts.items[*state];
    if (before.letter != seen->letter || before.actions != seen->actions)
        return fail_changed(session, *state, seen, error);
    session->held |= seen->letter;
    return OPAC_OK;
}

static uint64_t make_key(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

bool conf_has_pair(const conf_session *session, uint32_t state, uint32_t action)
{
    return base_map_find(&session->pair_of, make_key(state, action)) != NULL;
}

opac_status conf_add_transition(conf_session *session, uint32_t state, uint32_t action,
                                uint32_t next, opac_error *error)
{
    uint64_t *pair, *edge;
    TRY(conf_pair_vec_reserve(&session->pairs, session->pairs.count + 1, error));
    TRY(base_map_at(&session->pair_of, make_key(state, action), &pair, error));
    if (*pair == 0) {
        session->pairs.items[session->pairs.count++] =
            (conf_pair){.state = state, .action = action, .first = next};
        *pair = session->pairs.count;
    }
    conf_pair *known = &session->pairs.items[*pair - 1];
    known->varies = known->varies || known->first != next;
    if (!session->traits.knows_graph)
        return OPAC_OK;
    return base_map_at(&session->edges, make_key((uint32_t)(*pair - 1), next), &edge, error);
}

opac_status conf_step_lanes(opac_environment *env, uint32_t lanes,
                            const opac_lane_request *requests, opac_observation *observations,
                            opac_error *error)
{
    if (lanes > 1)
        return env_step_many(env, requests, observations, error);
    return requests->is_reset ? env_reset(env, requests->seed, observations, error)
                              : env_step(env, requests->action, observations, error);
}

/* ---- the session ---- */

/* "goal, trap and 3 more". */
static void list_propositions(const conf_session *session, char *buffer, size_t size)
{
    enum {
        MAX_SHOWN = 8
    };
    char shown[40];
    buffer[0] = '\0';
    for (size_t i = 0; i < session->propositions && i < MAX_SHOWN; i++) {
        const char *name = opac_environment_proposition(session->env, i);
        size_t used = strlen(buffer);
        opac_text_show(name, strlen(name), shown, sizeof shown);
        snprintf(buffer + used, size - used, "%s%s", i > 0 ? ", " : "", shown);
    }
    if (session->propositions > MAX_SHOWN) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, " and %zu more", session->propositions - MAX_SHOWN);
    }
}

static void report_greeting(conf_session *session)
{
    char names[CONF_REQUESTS_SIZE];
    env_traits traits = session->traits = env_get_traits(session->env);
    while (opac_environment_proposition(session->env, session->propositions) != NULL)
        session->propositions++;
    list_propositions(session, names, sizeof names);
    conf_report(session, OPAC_FINDING_PASSED, "greeting", "the simulator has %zu proposition%s%s%s",
                session->propositions, session->propositions == 1 ? "" : "s",
                *names != '\0' ? ": " : "", names);
    if (session->propositions == 0)
        conf_report(session, OPAC_FINDING_NOTE, "greeting",
                    "without propositions, an objective can only be true or false");
    if (traits.lanes > 1)
        conf_report(session, OPAC_FINDING_NOTE, "lanes",
                    "the simulator runs %u episodes in parallel", (unsigned)traits.lanes);
}

static opac_status run(conf_session *session, opac_error *error)
{
    TRY(conf_open(session, "greeting", &session->env, error));
    if (session->env == NULL)
        return OPAC_OK;
    report_greeting(session);
    TRY(conf_explore(session, error));
    TRY(conf_check_replay(session, error));
    TRY(conf_check_successors(session, error));
    conf_summarize(session);
    conf_close(session);
    return conf_check_exit(session, error);
}

static void fini(conf_session *session)
{
    conf_close(session);
    base_intern_fini(&session->states);
    conf_state_vec_fini(&session->facts);
    base_map_fini(&session->pair_of);
    conf_pair_vec_fini(&session->pairs);
    base_map_fini(&session->edges);
    base_map_fini(&session->starts);
    base_intern_fini(&session->classes);
    base_intern_fini(&session->outcomes);
    base_map_fini(&session->class_of);
    base_map_fini(&session->successor_of);
    for (size_t i = 0; i < CONF_MAX_TRACES; i++)
        conf_step_vec_fini(&session->traces[i].steps);
}

opac_status opac_conformance_check(const char *name, const opac_conformance_options *options,
                                   opac_finding_listener listener, void *context,
                                   opac_conformance *outcome, opac_error *error)
{
    opac_conformance_options defaults = opac_conformance_defaults();
    conf_session session = {.name = name,
                            .options = options != NULL ? options : &defaults,
                            .listener = listener,
                            .context = context,
                            .outcome = outcome};
    *outcome = (opac_conformance){0};
    if (!opac_environment_is_simulator(name))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "expected a simulator, exec:COMMAND or plugin:FILE.so");
    base_intern_init(&session.states);
    base_intern_init(&session.classes);
    base_intern_init(&session.outcomes);
    base_meter_init(&session.meter, session.options->max_memory);
    opac_status status = run(&session, error);
    outcome->states = session.states.count;
    outcome->conforms = status == OPAC_OK && outcome->errors == 0;
    fini(&session);
    return status;
}
