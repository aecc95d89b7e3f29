/* SPDX-License-Identifier: MIT */
/*
 * Environments that are programs. Requests are written to the program; its answers are parsed and compared
 * with earlier ones (state_table.h). After a failure the program gets no further requests: every call
 * returns the first error.
 *
 * A step allocates nothing once the buffers have reached their sizes, unless the state is new. If a call is
 * cancelled, its answer is still pending: the next call waits for it and discards it.
 *
 * With several lanes, reset and step use lane 0, and the other lanes are idle: each request resets them with
 * the same seed. So reset and step end the episodes of step_many, and vice versa. If the idle lanes answer
 * with the same bytes as before, these are not parsed again.
 */
#include <string.h>

#include "base/alloc.h"
#include "env/env_program.h"
#include "env/kind.h"
#include "env/open.h"

enum {
    MAX_LINE = 1 << 20,     /* bytes of a line */
    LINE_PER_LANE = 1 << 16 /* added for each lane, if there are several */
};

/* ---- requests ---- */

static env_channel_event await(env_program *p)
{
    return env_channel_await(&p->channel, p->options.timeout, p->options.cancel);
}

/* Whether there is a line, followed by unrequested output. */
static bool has_extra_output(const env_program *p, env_channel_event event)
{
    return event == ENV_CHANNEL_UNREQUESTED && p->channel.line > 0 &&
           p->channel.sent == p->channel.request.length;
}

/* Prepares for the next request: returns an earlier failure, and discards the answer to a request that was
 * cancelled. */
static opac_status finish_pending(env_program *p, opac_error *error)
{
    if (p->status != OPAC_OK && error != NULL)
        *error = p->failure;
    if (p->status != OPAC_OK || !p->channel.is_pending)
        return p->status;
    TRY(env_program_fail_event(p, await(p), error));
    env_channel_discard(&p->channel);
    return OPAC_OK;
}

static void write_lane_request(env_program *p, uint32_t lane, const opac_lane_request *order)
{
    base_text *request = &p->channel.request;
    if (lane > 0)
        base_text_add_bytes(request, " ; ", 3);
    if (order->is_reset) {
        protocol_write_reset(request, order->seed);
        return;
    }
    const env_signature *signature = env_state_table_signature(&p->table, p->states[lane]);
    if (signature->names == NULL)
        protocol_write_step(request, order->action);
    else
        protocol_write_named_step(request, signature->names[order->action]);
}

static opac_status write_request(env_program *p, const opac_lane_request *requests,
                                 opac_error *error)
{
    base_text *request = &p->channel.request;
    uint32_t busy = p->is_single ? 1 : p->greeting.lanes;
    base_text_clear(request);
    for (uint32_t i = 0; i < busy; i++)
        write_lane_request(p, i, &requests[i]);
    if (p->is_single)
        base_text_add_bytes(request, p->idle_request.bytes, p->idle_request.length);
    base_text_add_bytes(request, "\n", 1);
    return base_text_check(request, error);
}

/* Whether the rest of a line is the same as the last valid answers of the idle lanes. */
static bool is_idle_repetition(const env_program *p, base_slice rest)
{
    const base_text *before = &p->idle_answers;
    return before->length > 0 && rest.length == before->length &&
           memcmp(rest.bytes, before->bytes, rest.length) == 0;
}

static opac_status keep_idle_answers(env_program *p, base_slice rest, opac_error *error)
{
    base_text_clear(&p->idle_answers);
    base_text_add_bytes(&p->idle_answers, rest.bytes, rest.length);
    return base_text_check(&p->idle_answers, error);
}

/* Keeps the class and the outcome of an answer. */
static opac_status keep_pair(env_program *p, uint32_t lane, bool is_reset, base_slice pair,
                             opac_error *error)
{
    base_slice row_class, outcome;
    if (!p->greeting.tells_outcomes)
        return OPAC_OK;
    TRY(protocol_read_pair(pair, is_reset, &row_class, &outcome, error));
    base_text_clear(&p->pairs[lane]);
    base_text_add_bytes(&p->pairs[lane], pair.bytes, pair.length);
    p->class_lengths[lane] = row_class.length;
    return base_text_check(&p->pairs[lane], error);
}

static void observe(const env_program *p, uint32_t lane, opac_observation *observation)
{
    env_state_table_observe(&p->table, p->states[lane], observation);
    if (!p->greeting.tells_outcomes || p->class_lengths[lane] == 0)
        return;
    observation->row_class = p->pairs[lane].bytes;
    observation->row_class_length = p->class_lengths[lane];
    observation->outcome = p->pairs[lane].bytes + p->class_lengths[lane] + 1;
    observation->outcome_length = p->pairs[lane].length - p->class_lengths[lane] - 1;
}

static opac_status read_answers(env_program *p, const opac_lane_request *requests,
                                opac_error *error)
{
    base_slice line = env_program_trim(p->channel.bytes, p->channel.line), rest = line;
    base_slice idle = {NULL, 0};
    uint32_t lanes = p->greeting.lanes;
    for (uint32_t i = 0; i < lanes; i++) {
        if (i == 1 && p->is_single && is_idle_repetition(p, rest))
            return OPAC_OK;
        if (i == 1)
            idle = rest;
        protocol_answer answer;
        opac_error found = {0};
        opac_status status = protocol_next_answer(&p->greeting, &rest, i, &answer, &found);
        if (status == OPAC_OK)
            status = keep_pair(p, i, requests[i].is_reset, answer.pair, &found);
        if (status == OPAC_OK)
            status = env_state_table_add(&p->table, &answer, &p->states[i], &found);
        if (status == OPAC_ERROR_SIMULATOR)
            return env_program_fail_answer(p, line, i, &found, error);
        if (status != OPAC_OK && error != NULL)
            *error = found;
        if (status != OPAC_OK)
            return status;
    }
    return p->is_single && lanes > 1 ? keep_idle_answers(p, idle, error) : OPAC_OK;
}

/* Sends a request for each lane, and stores the states of their answers in p->states. */
static opac_status exchange(env_program *p, const opac_lane_request *requests, opac_error *error)
{
    TRY(finish_pending(p, error));
    TRY(write_request(p, requests, error));
    env_channel_begin(&p->channel);
    env_channel_event event = await(p);
    /* If two lines were received, an error in the first one is reported, else the second one. */
    if (has_extra_output(p, event))
        TRY(read_answers(p, requests, error));
    TRY(env_program_fail_event(p, event, error));
    opac_status status = read_answers(p, requests, error);
    env_channel_discard(&p->channel);
    return status;
}

/* ---- the kind ---- */

static opac_status fail_other_episode(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "a simulator with lanes runs either one episode or one in each lane: call "
                     "reset before the first step");
}

static opac_status run_single(env_program *p, const opac_lane_request *order,
                              opac_observation *observation, opac_error *error)
{
    if (!order->is_reset && !p->is_single)
        return fail_other_episode(error);
    p->is_single = true;
    p->requests[0] = *order;
    TRY(exchange(p, p->requests, error));
    observe(p, 0, observation);
    return OPAC_OK;
}

static opac_status reset(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error)
{
    const opac_lane_request order = {.is_reset = true, .seed = seed};
    return run_single(self, &order, observation, error);
}

static opac_status step(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    const opac_lane_request order = {.action = action};
    return run_single(self, &order, observation, error);
}

static opac_status step_many(void *self, const opac_lane_request *requests,
                             opac_observation *observations, opac_error *error)
{
    env_program *p = self;
    uint32_t lanes = p->greeting.lanes;
    for (uint32_t i = 0; i < lanes && p->is_single; i++)
        if (!requests[i].is_reset)
            return fail_other_episode(error);
    p->is_single = false;
    TRY(exchange(p, requests, error));
    for (uint32_t i = 0; i < lanes; i++)
        observe(p, i, &observations[i]);
    return OPAC_OK;
}

static opac_status fail_unknown(const env_program *p, const char *name, opac_error *error)
{
    return env_fail_unknown("the simulator", name, p->names, p->greeting.names.count, error);
}

static opac_status bind(void *self, const char *const *names, size_t count, opac_error *error)
{
    env_program *p = self;
    uint32_t from[ENV_MAX_PROPOSITIONS];
    for (size_t i = 0; i < count; i++)
        if (!base_intern_find(&p->greeting.names, names[i], strlen(names[i]), &from[i]))
            return fail_unknown(p, names[i], error);
    env_state_table_bind(&p->table, from, (uint32_t)count);
    return OPAC_OK;
}

static const char *proposition(const void *self, size_t index)
{
    const env_program *p = self;
    return index < p->greeting.names.count ? p->names[index] : NULL;
}

static const char *action_name(const void *self, const void *key, size_t length, uint32_t action)
{
    const env_program *p = self;
    uint32_t state;
    if (!base_intern_find(&p->table.states, key, length, &state))
        return NULL;
    const env_signature *signature = env_state_table_signature(&p->table, state);
    return signature->names != NULL && action < signature->actions ? signature->names[action]
                                                                   : NULL;
}

static void release(void *self)
{
    env_program *p = self;
    bool is_polite = p->status == OPAC_OK && p->has_greeted && !p->channel.is_pending &&
                     !env_process_is_foreign(&p->process);
    if (is_polite)
        env_channel_send(&p->channel, "bye\n");
    env_process_end(&p->process, is_polite);
    env_channel_fini(&p->channel);
    if (p->has_greeted) {
        env_state_table_fini(&p->table);
        protocol_greeting_fini(&p->greeting);
    }
    base_arena_fini(&p->arena);
    base_text_fini(&p->idle_request);
    base_text_fini(&p->idle_answers);
    for (uint32_t i = 0; p->pairs != NULL && i < p->greeting.lanes; i++)
        base_text_fini(&p->pairs[i]);
    base_free(p->pairs);
    base_free(p->class_lengths);
    base_free(p->states);
    base_free(p->requests);
    base_free(p->command);
    base_free(p);
}

/* ---- creation ---- */

static opac_status copy_names(env_program *p, opac_error *error)
{
    uint32_t count = p->greeting.names.count;
    p->names = base_arena_alloc_zeroed(&p->arena, (size_t)count + 1, sizeof *p->names);
    if (p->names == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const char *name = (const char *)base_intern_key(&p->greeting.names, i, &length);
        p->names[i] = base_arena_copy_text(&p->arena, name, length);
        if (p->names[i] == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

static opac_status create_lanes(env_program *p, opac_error *error)
{
    uint32_t lanes = p->greeting.lanes;
    p->states = base_alloc_zeroed(lanes, sizeof *p->states);
    p->requests = base_alloc_zeroed(lanes, sizeof *p->requests);
    p->pairs = base_alloc_zeroed(lanes, sizeof *p->pairs);
    p->class_lengths = base_alloc_zeroed(lanes, sizeof *p->class_lengths);
    if (p->states == NULL || p->requests == NULL || p->pairs == NULL || p->class_lengths == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < lanes; i++)
        p->requests[i] = (opac_lane_request){.is_reset = true};
    for (uint32_t i = 1; i < lanes; i++) {
        base_text_add_bytes(&p->idle_request, " ; ", 3);
        protocol_write_reset(&p->idle_request, 0);
    }
    p->channel.limit = MAX_LINE + (lanes > 1 ? (size_t)lanes * LINE_PER_LANE : 0);
    return base_text_check(&p->idle_request, error);
}

static opac_status read_greeting(env_program *p, opac_error *error)
{
    opac_error found = {0};
    base_slice line = env_program_trim(p->channel.bytes, p->channel.line);
    opac_status status = protocol_read_greeting(line.bytes, line.length, &p->greeting, &found);
    if (status == OPAC_ERROR_SIMULATOR)
        return env_program_fail_greeting(p, line, &found, error);
    if (status != OPAC_OK)
        return base_fail_memory(error);
    p->has_greeted = true;
    env_state_table_init(&p->table, &p->greeting);
    base_meter_init(&p->table.meter, p->options.max_memory);
    return OPAC_OK;
}

static opac_status greet(env_program *p, opac_error *error)
{
    env_channel_begin(&p->channel);
    env_channel_event event = await(p);
    opac_status status = OPAC_OK;
    if (event == ENV_CHANNEL_LINE || has_extra_output(p, event))
        TRY_OR(done, read_greeting(p, error));
    TRY_OR(done, env_program_fail_event(p, event, error));
    TRY_OR(done, copy_names(p, error));
    status = create_lanes(p, error);
done:
    env_channel_discard(&p->channel);
    return status;
}

static opac_status start(env_program *p, env_siblings *siblings, opac_error *error)
{
    TRY(env_process_start(&p->process, p->command, siblings, error));
    p->channel = (env_channel){.in = p->process.in, .out = p->process.out, .limit = MAX_LINE};
    return OPAC_OK;
}

/* Starts a program, whose greeting is not read yet. */
static opac_status create(const char *command, const opac_environment_options *options,
                          env_siblings *siblings, env_program **made, opac_error *error)
{
    env_program *p = base_alloc_zeroed(1, sizeof *p);
    *made = NULL;
    if (p == NULL)
        return base_fail_memory(error);
    p->options = *options;
    p->command = base_copy_text(command, strlen(command));
    opac_status status = p->command == NULL ? base_fail_memory(error) : start(p, siblings, error);
    if (status == OPAC_OK)
        *made = p;
    else
        release(p);
    return status;
}

static opac_status fork_program(void *self, void **other, opac_error *error)
{
    const env_program *p = self;
    env_program *made;
    opac_status status = create(p->command, &p->options, p->process.siblings, &made, error);
    *other = made;
    return status;
}

static opac_status finish_fork(const void *self, void *other, opac_error *error)
{
    const env_program *p = self;
    env_program *made = other;
    TRY(greet(made, error));
    if (!protocol_greeting_equals(&p->greeting, &made->greeting))
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "the simulator was started again and sent another greeting than before");
    env_state_table_bind(&made->table, p->table.from, p->table.bound);
    return OPAC_OK;
}

static const env_kind program_kind = {.proposition = proposition,
                                      .bind = bind,
                                      .reset = reset,
                                      .step = step,
                                      .step_many = step_many,
                                      .fork = fork_program,
                                      .finish_fork = finish_fork,
                                      .release = release,
                                      .action_name = action_name};

opac_status env_open_command(const char *command, const opac_environment_options *options,
                             opac_environment **environment, opac_error *error)
{
    env_program *made;
    *environment = NULL;
    if (command[strspn(command, " \t\n")] == '\0')
        return base_fail(error, OPAC_ERROR_ARGUMENT, "expected a command after \"exec:\"");
    TRY(create(command, options, NULL, &made, error));
    opac_status status = greet(made, error);
    if (status != OPAC_OK) {
        release(made);
        return status;
    }
    env_traits traits = {.random_start = made->greeting.random_start,
                         .tells_outcomes = made->greeting.tells_outcomes,
                         .can_fork = true,
                         .lanes = made->greeting.lanes};
    return env_new(&program_kind, made, &traits, environment, error);
}
