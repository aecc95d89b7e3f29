/* SPDX-License-Identifier: MIT */
/*
 * The channel to a simulator. An exchange costs one read that detects unrequested output, a write between
 * two changes of the thread's signal mask, and a poll and a read for each part of the answer. Nothing is
 * allocated once the buffer has reached its size.
 */
#include "env/channel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

enum {
    READ_SIZE = 1 << 16,   /* least number of bytes that a read asks for is half of this */
    POLL_MILLISECONDS = 40 /* between two polls of the cancel handle */
};

/* ---- writing ---- */

/*
 * Writes without raising SIGPIPE. The signal is sent to the writing thread, so it is blocked there, and
 * consumed if this write has raised it. A SIGPIPE that was pending before belongs to the host.
 */
static ssize_t write_quietly(int to, const char *bytes, size_t length)
{
    sigset_t broken, before, pending;
    bool was_pending = false;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    int failed = pthread_sigmask(SIG_BLOCK, &broken, &before);
    if (failed != 0) {
        errno = failed;
        return -1;
    }
    bool was_blocked = sigismember(&before, SIGPIPE) == 1;
    if (was_blocked && sigpending(&pending) == 0)
        was_pending = sigismember(&pending, SIGPIPE) == 1;
    ssize_t written = write(to, bytes, length);
    int number = errno;
    if (written < 0 && number == EPIPE && !was_pending) {
        int taken;
        if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
            sigwait(&broken, &taken);
    }
    if (!was_blocked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return written;
}

static bool is_transient(int number)
{
    return number == EAGAIN || number == EWOULDBLOCK || number == EINTR;
}

/* False if the peer has closed its input. */
static bool send_some(env_channel *c)
{
    while (c->sent < c->request.length) {
        ssize_t written =
            write_quietly(c->in, c->request.bytes + c->sent, c->request.length - c->sent);
        if (written < 0)
            return is_transient(errno);
        c->sent += (size_t)written;
    }
    return true;
}

void env_channel_send(env_channel *channel, const char *text)
{
    if (channel->in >= 0 && channel->sent == channel->request.length)
        (void)write_quietly(channel->in, text, strlen(text));
}

/* ---- reading ---- */

/* Makes space for the next read; false if memory is exhausted. */
static bool reserve(env_channel *c)
{
    void *bytes = c->bytes;
    if (c->capacity - c->used >= READ_SIZE / 2)
        return true;
    opac_status status = base_reserve(&bytes, &c->capacity, c->used + READ_SIZE, 1, NULL);
    c->bytes = bytes;
    return status == OPAC_OK;
}

/* Reads once. ENV_CHANNEL_LINE: the line is complete, or (c->line is 0) not yet. */
static env_channel_event read_some(env_channel *c)
{
    if (!reserve(c))
        return ENV_CHANNEL_MEMORY;
    ssize_t got = read(c->out, c->bytes + c->used, c->capacity - c->used);
    if (got < 0)
        return is_transient(errno) ? ENV_CHANNEL_LINE : ENV_CHANNEL_OUTPUT_CLOSED;
    if (got == 0)
        return ENV_CHANNEL_OUTPUT_CLOSED;
    const char *end = memchr(c->bytes + c->used, '\n', (size_t)got);
    c->used += (size_t)got;
    if (end != NULL)
        c->line = (size_t)(end - c->bytes) + 1;
    if ((end != NULL ? c->line : c->used) > c->limit)
        return ENV_CHANNEL_TOO_LONG;
    if (end != NULL && (c->used > c->line || c->sent < c->request.length))
        return ENV_CHANNEL_UNREQUESTED;
    return ENV_CHANNEL_LINE;
}

/* ---- waiting ---- */

static int poll_timeout(double seconds)
{
    if (seconds * 1000 >= POLL_MILLISECONDS)
        return POLL_MILLISECONDS;
    return seconds > 0 ? 1 + (int)(seconds * 1000) : 0;
}

/* Before a request, there must be no unread output. */
static env_channel_event check_unrequested(env_channel *c)
{
    env_channel_event event = read_some(c);
    if (event == ENV_CHANNEL_LINE && c->used > 0)
        return ENV_CHANNEL_UNREQUESTED;
    return event;
}

/* Waits until there is output, the request can be written further, or the timeout. ENV_CHANNEL_LINE: the
 * line is complete, or (c->line is 0) not yet. */
static env_channel_event wait_once(env_channel *c, double seconds)
{
    bool is_sent = c->sent == c->request.length;
    struct pollfd ends[2] = {{.fd = c->out, .events = POLLIN}, {.fd = c->in, .events = POLLOUT}};
    int ready = poll(ends, is_sent ? 1 : 2, poll_timeout(seconds));
    if (ready <= 0 || ends[0].revents == 0)
        return ENV_CHANNEL_LINE;
    return read_some(c);
}

void env_channel_begin(env_channel *channel)
{
    channel->sent = 0;
    channel->is_pending = true;
}

static env_channel_event await_until(env_channel *c, double end, const opac_cancel *cancel)
{
    for (;;) {
        if (!send_some(c))
            return ENV_CHANNEL_INPUT_CLOSED;
        double left = end - opac_clock_seconds();
        env_channel_event event = wait_once(c, left);
        if (event != ENV_CHANNEL_LINE || c->line > 0)
            return event;
        if (opac_cancel_requested(cancel))
            return ENV_CHANNEL_CANCELLED;
        if (left <= 0)
            return ENV_CHANNEL_TIMEOUT;
    }
}

env_channel_event env_channel_await(env_channel *channel, double seconds, const opac_cancel *cancel)
{
    double end = opac_clock_seconds() + seconds;
    if (channel->sent == 0 && channel->request.length > 0) {
        env_channel_event event = check_unrequested(channel);
        if (event != ENV_CHANNEL_LINE)
            return event;
    }
    env_channel_event event = await_until(channel, end, cancel);
    if (event == ENV_CHANNEL_LINE)
        channel->is_pending = false;
    return event;
}

void env_channel_discard(env_channel *channel)
{
    channel->used = channel->line = 0;
}

void env_channel_fini(env_channel *channel)
{
    base_text_fini(&channel->request);
    base_free(channel->bytes);
    *channel = (env_channel){.in = -1, .out = -1};
}
