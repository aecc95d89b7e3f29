/* SPDX-License-Identifier: MIT */
/*
 * A conversation in lines over two pipes: a request goes out, one line comes
 * back. Neither side can make us wait for longer than we want, keep more than
 * `limit` bytes, or fill both pipes for ever: we read while we write. A write to
 * a process that is gone raises no SIGPIPE in the host.
 *
 * What the wait ends with is an event; words for it are found elsewhere.
 */
#ifndef ENV_CHANNEL_H
#define ENV_CHANNEL_H

#include <omegapac/cancel.h>

#include "base/text.h"

typedef enum env_channel_event {
    ENV_CHANNEL_LINE,      /* the answer is there */
    ENV_CHANNEL_CANCELLED, /* and may be waited for again */
    ENV_CHANNEL_TIMEOUT,
    ENV_CHANNEL_UNASKED, /* output before the request was out, or behind the answer's line */
    ENV_CHANNEL_ENDLESS, /* a line of more than `limit` bytes */
    ENV_CHANNEL_CLOSED,  /* no more output */
    ENV_CHANNEL_DEAF,    /* it has closed its input */
    ENV_CHANNEL_MEMORY
} env_channel_event;

typedef struct env_channel {
    int in, out;       /* borrowed, non-blocking */
    base_text request; /* whoever fills it calls env_channel_begin */
    size_t sent;
    bool is_open; /* an answer is owed to us */
    size_t limit; /* of a line */
    /* What has come: the line that was taken last, then what is behind it. */
    char *bytes;
    size_t used, capacity, line;
} env_channel;

/* An answer is owed from now on: that to `request`, which may be empty. */
void env_channel_begin(env_channel *channel);

/* Sends what is left of the request, and waits for the line. */
env_channel_event env_channel_await(env_channel *channel, double seconds,
                                    const opac_cancel *cancel);

/* Forgets the line that has come. */
void env_channel_take(env_channel *channel);

/* A few bytes that nobody waits for the delivery of. */
void env_channel_tell(env_channel *channel, const char *text);

void env_channel_fini(env_channel *channel);

#endif
