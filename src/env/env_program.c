/* SPDX-License-Identifier: MIT */
/* The errors about a simulator program: the request, what the program did, and what was expected. */
#include "env/env_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/work.h"

enum {
    SHOWN = 96 /* size of a quoted line in a message */
};
static const double exit_seconds =
    0.25; /* to wait for the exit of a process that closed its output */

/* Sets the error, and stores it as the result of all further calls. */
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

base_slice env_program_trim(const char *bytes, size_t length)
{
    if (length > 0 && bytes[length - 1] == '\n')
        length--;
    if (length > 0 && bytes[length - 1] == '\r')
        length--;
    return (base_slice){bytes, length};
}

static base_slice request_of(const env_program *p)
{
    return env_program_trim(base_text_get(&p->channel.request), p->channel.request.length);
}

/* What the program was expected to do: `greet` or, if it has greeted, `answer` and the request. */
static void format_expected(const env_program *p, const char *greet, const char *answer, char *text,
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

/* The incomplete line received so far, if any. */
static void format_partial(const env_program *p, char *text, size_t size)
{
    char shown[SHOWN];
    text[0] = '\0';
    if (p->channel.used == 0)
        return;
    opac_text_show(p->channel.bytes, p->channel.used, shown, sizeof shown);
    snprintf(text, size, "; it wrote \"%s\" without a line feed", shown);
}

/* The program has closed its output or its input. If it has ended, the message contains how. */
static opac_status fail_ended(env_program *p, const char *closed, opac_error *error)
{
    char expected[2 * SHOWN], rest[2 * SHOWN], how[64], shown[SHOWN];
    int code;
    bool has_ended = env_process_has_ended(&p->process, exit_seconds, how, sizeof how, &code);
    format_expected(p, "before its greeting", "instead of answering", expected, sizeof expected);
    format_partial(p, rest, sizeof rest);
    opac_text_show(p->command, strlen(p->command), shown, sizeof shown);
    if (has_ended && !p->has_greeted && code == 127)
        return fail(p, error, "the shell did not find the command \"%s\" (exit status 127)", shown);
    if (has_ended && !p->has_greeted && code == 126)
        return fail(p, error, "the shell could not run the command \"%s\" (exit status 126)",
                    shown);
    return fail(p, error, "the simulator %s %s%s", has_ended ? how : closed, expected, rest);
}

/* The answer is late. If the program has ended and another process keeps its output open, reports that
 * instead. */
static opac_status fail_timeout(env_program *p, opac_error *error)
{
    char expected[2 * SHOWN], rest[2 * SHOWN], seconds[32], how[64];
    const char *hint = "; it must flush its output after each line";
    if (env_process_has_ended(&p->process, 0, how, sizeof how, NULL))
        return fail_ended(p, "", error);
    format_expected(p, "send its greeting", "answer", expected, sizeof expected);
    format_partial(p, rest, sizeof rest);
    fail(p, error, "the simulator did not %s within %s s%s", expected,
         opac_number_format(p->options.timeout, seconds),
         rest[0] == '\0' && !p->has_greeted ? hint : rest);
    base_set_parameter(&p->failure, "timeout", 0);
    base_set_parameter(error, "timeout", 0);
    return p->status;
}

static opac_status fail_unrequested(env_program *p, opac_error *error)
{
    char shown[SHOWN];
    const char *said = p->channel.bytes;
    size_t length = p->channel.used;
    if (p->channel.line > 0 && p->channel.line < length) {
        said += p->channel.line;
        length -= p->channel.line;
    }
    const char *end = memchr(said, '\n', length);
    base_slice line = env_program_trim(said, end == NULL ? length : (size_t)(end - said));
    return fail(p, error,
                "the simulator wrote \"%s\" without a request: expected one line for each request",
                opac_text_show(line.bytes, line.length, shown, sizeof shown));
}

static opac_status fail_too_long(env_program *p, opac_error *error)
{
    char shown[SHOWN];
    return fail(
        p, error, "the simulator wrote a line of more than %zu bytes, beginning with \"%s\"",
        p->channel.limit, opac_text_show(p->channel.bytes, p->channel.used, shown, sizeof shown));
}

opac_status env_program_fail_event(env_program *p, env_channel_event event, opac_error *error)
{
    switch (event) {
    case ENV_CHANNEL_LINE:
        return OPAC_OK;
    case ENV_CHANNEL_CANCELLED:
        return base_fail_stopped(error, p->options.cancel, "waiting for the simulator");
    case ENV_CHANNEL_TIMEOUT:
        return fail_timeout(p, error);
    case ENV_CHANNEL_UNREQUESTED:
        return fail_unrequested(p, error);
    case ENV_CHANNEL_TOO_LONG:
        return fail_too_long(p, error);
    case ENV_CHANNEL_OUTPUT_CLOSED:
        return fail_ended(p, "closed its output", error);
    case ENV_CHANNEL_INPUT_CLOSED:
        return fail_ended(p, "closed its input", error);
    case ENV_CHANNEL_MEMORY:
        break;
    }
    return base_fail_memory(error);
}

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
