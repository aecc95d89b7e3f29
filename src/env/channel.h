/* SPDX-License-Identifier: MIT */
/*
 * Exchanges requests and answers, one line each, over two pipes. The peer can neither block the caller
 * beyond a timeout, nor make it buffer more than `limit` bytes, nor cause a deadlock by filling both
 * pipes: the channel reads while it writes. Writing to a process that has ended raises no SIGPIPE in the
 * host.
 *
 * The result of a wait is an event; env_program.c turns events into messages.
 */
#ifndef ENV_CHANNEL_H
#define ENV_CHANNEL_H

#include <omegapac/cancel.h>

#include "base/text.h"

typedef enum env_channel_event {
    ENV_CHANNEL_LINE,      /* the answer has arrived */
    ENV_CHANNEL_CANCELLED, /* the answer is still pending and may be awaited again */
    ENV_CHANNEL_TIMEOUT,
    ENV_CHANNEL_UNREQUESTED,   /* output before the request was sent, or after the answer's line */
    ENV_CHANNEL_TOO_LONG,      /* a line of more than `limit` bytes */
    ENV_CHANNEL_OUTPUT_CLOSED, /* the peer has closed its output */
    ENV_CHANNEL_INPUT_CLOSED,  /* the peer has closed its input */
    ENV_CHANNEL_MEMORY
} env_channel_event;

typedef struct env_channel {
    int in, out; /* the pipes to the peer's input and from its output; borrowed, non-blocking */
    base_text request; /* filled by the caller before env_channel_begin */
    size_t sent;       /* bytes of the request */
    bool is_pending;   /* an answer is expected */
    size_t limit;      /* bytes of a line */
    /* Received bytes: the current line of `line` bytes, then what follows it. */
    char *bytes;
    size_t used, capacity, line;
} env_channel;

/* Starts an exchange: an answer to `request`, which may be empty, is pending from now on. */
void env_channel_begin(env_channel *channel);

/* Sends the rest of the request and waits for the line of the answer. */
env_channel_event env_channel_await(env_channel *channel, double seconds,
                                    const opac_cancel *cancel);

/* Discards the received line. */
void env_channel_discard(env_channel *channel);

/* Sends a short text without waiting until it is delivered. */
void env_channel_send(env_channel *channel, const char *text);

void env_channel_fini(env_channel *channel);

#endif
