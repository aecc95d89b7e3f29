/* SPDX-License-Identifier: MIT */
/* What a program did wrong, in words: what it was asked, what it did, and what was expected. */
#include "env/env_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

enum {
    SHOWN = 96 /* bytes of theirs in a message */
};
static const double lingering = 0.25; /* seconds between the end of output and that of a process */

/* From now on this is what it says. */
BASE_PRINTF(3, 4)
static opac_status fail(env_program *p, opac_error *error, const char *format, ...)
{
    char message[2 * OPAC_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    p->status = base_fail(&p->failure, OPAC_ERROR_SIMULATOR, "%s", message);
    if (error != NULL)
        *error = p->failure;
    return p->status;
}

/* A line of theirs or ours, without its end. */
base_slice env_program_strip(const char *bytes, size_t length)
{
    if (length > 0 && bytes[length - 1] == '\n')
        length--;
    if (length > 0 && bytes[length - 1] == '\r')
        length--;
    return (base_slice){bytes, length};
}

static base_slice request_of(const env_program *p)
{
    return env_program_strip(base_text_get(&p->channel.request), p->channel.request.length);
}

/* What it should have done: greet, or answer a request. */
static void tell_task(const env_program *p, const char *greet, const char *answer, char *text,
                      size_t size)
{
    char shown[SHOWN];
    base_slice request = request_of(p);
    opac_text_show(request.bytes, request.length, shown, sizeof shown);
    if (!p->has_greeted)
        snprintf(text, size, "%s", greet);
    else
        snprintf(text, size, "%s \"%s\"", answer, shown);
}

/* What it has said so far, if it was not a whole line. */
static void tell_rest(const env_program *p, char *text, size_t size)
{
    char shown[SHOWN];
    text[0] = '\0';
    if (p->channel.used == 0)
        return;
    opac_text_show(p->channel.bytes, p->channel.used, shown, sizeof shown);
    snprintf(text, size, "; it has written \"%s\", without the end of a line", shown);
}

/* After the end of its output, or of its input: what has become of it? */
static opac_status fail_ended(env_program *p, const char *closed, opac_error *error)
{
    char task[2 * SHOWN], rest[2 * SHOWN], fate[64], shown[SHOWN];
    int code;
    bool has_ended = env_process_has_ended(&p->process, lingering, fate, sizeof fate, &code);
    tell_task(p, "before it had greeted", "instead of answering", task, sizeof task);
    tell_rest(p, rest, sizeof rest);
    opac_text_show(p->command, strlen(p->command), shown, sizeof shown);
    if (has_ended && !p->has_greeted && code == 127)
        return fail(p, error,
                    "the shell did not find a command in \"%s\" (it exited with status 127)",
                    shown);
    if (has_ended && !p->has_greeted && code == 126)
        return fail(p, error,
                    "the shell could not run a command in \"%s\" (it exited with status 126)",
                    shown);
    return fail(p, error, "the simulator %s %s%s", has_ended ? fate : closed, task, rest);
}

/* A process that has gone, and left somebody behind who keeps its output open, has ended, too. */
static opac_status fail_late(env_program *p, opac_error *error)
{
    char task[2 * SHOWN], rest[2 * SHOWN], seconds[32], fate[64];
    const char *hint = "; it must flush its output";
    if (env_process_has_ended(&p->process, 0, fate, sizeof fate, NULL))
        return fail_ended(p, "", error);
    tell_task(p, "greet", "answer", task, sizeof task);
    tell_rest(p, rest, sizeof rest);
    fail(p, error, "the simulator did not %s within %s s%s", task,
         opac_number_format(p->options.timeout, seconds),
         rest[0] == '\0' && !p->has_greeted ? hint : rest);
    base_set_parameter(&p->failure, "timeout", 0);
    base_set_parameter(error, "timeout", 0);
    return p->status;
}

static opac_status fail_unasked(env_program *p, opac_error *error)
{
    char shown[SHOWN];
    const char *said = p->channel.bytes;
    size_t length = p->channel.used;
    if (p->channel.line > 0 && p->channel.line < length) {
        said += p->channel.line;
        length -= p->channel.line;
    }
    const char *end = memchr(said, '\n', length);
    base_slice line = env_program_strip(said, end == NULL ? length : (size_t)(end - said));
    return fail(
        p, error,
        "the simulator wrote \"%s\", which nobody had asked for: expected one line for each "
        "request",
        opac_text_show(line.bytes, line.length, shown, sizeof shown));
}

static opac_status fail_endless(env_program *p, opac_error *error)
{
    char shown[SHOWN];
    return fail(
        p, error, "the simulator wrote a line of more than %zu bytes, which begins with \"%s\"",
        p->channel.limit, opac_text_show(p->channel.bytes, p->channel.used, shown, sizeof shown));
}

opac_status env_program_fail_event(env_program *p, env_channel_event event, opac_error *error)
{
    switch (event) {
    case ENV_CHANNEL_LINE:
        return OPAC_OK;
    case ENV_CHANNEL_CANCELLED:
        return base_fail(error, OPAC_ERROR_CANCELLED,
                         "cancelled while the simulator was waited for");
    case ENV_CHANNEL_TIMEOUT:
        return fail_late(p, error);
    case ENV_CHANNEL_UNASKED:
        return fail_unasked(p, error);
    case ENV_CHANNEL_ENDLESS:
        return fail_endless(p, error);
    case ENV_CHANNEL_CLOSED:
        return fail_ended(p, "closed its output", error);
    case ENV_CHANNEL_DEAF:
        return fail_ended(p, "closed its input", error);
    case ENV_CHANNEL_MEMORY:
        break;
    }
    return base_fail_memory(error);
}

/* An answer that means nothing, or something else than before. */
opac_status env_program_fail_answer(env_program *p, base_slice line, uint32_t lane,
                                    const opac_error *found, opac_error *error)
{
    char asked[SHOWN], answered[SHOWN], where[32] = "";
    base_slice request = protocol_lane_part(request_of(p), lane);
    base_slice answer = p->greeting.lanes > 1 ? protocol_lane_part(line, lane) : line;
    if (p->greeting.lanes > 1)
        snprintf(where, sizeof where, " in lane %u", (unsigned)lane);
    opac_text_show(request.bytes, request.length, asked, sizeof asked);
    opac_text_show(answer.bytes, answer.length, answered, sizeof answered);
    return fail(p, error, "the simulator answered \"%s\"%s with \"%s\": %s", asked, where, answered,
                found->message);
}

opac_status env_program_fail_greeting(env_program *p, base_slice line, const opac_error *found,
                                      opac_error *error)
{
    char shown[SHOWN];
    return fail(p, error, "the simulator greeted with \"%s\": %s",
                opac_text_show(line.bytes, line.length, shown, sizeof shown), found->message);
}
