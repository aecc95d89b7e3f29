/* SPDX-License-Identifier: MIT */
/*
 * Stopping a long computation: on request, or when its time is up.
 *
 *     static opac_cancel *cancel;
 *
 *     static void on_interrupt(int signal)
 *     {
 *         (void)signal;
 *         opac_cancel_request(cancel);
 *     }
 *
 *     opac_cancel_new(&cancel, &error);
 *     signal(SIGINT, on_interrupt);
 *     …                                   // hand `cancel` to what shall be stoppable
 *     opac_cancel_free(cancel);
 *
 * A function that was given a handle polls it at least every 50 milliseconds
 * and, once a request is there, returns OPAC_ERROR_CANCELLED or its result so
 * far, as its declaration says. The request stays until it is reset. One handle
 * may serve several computations.
 */
#ifndef OMEGAPAC_CANCEL_H
#define OMEGAPAC_CANCEL_H

#include <stdbool.h>

#include <omegapac/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_cancel opac_cancel;

/* A handle without a request; the caller releases it when nobody uses it any more. */
OPAC_API opac_status opac_cancel_new(opac_cancel **cancel, opac_error *error);
OPAC_API void opac_cancel_free(opac_cancel *cancel);

/* Asks to stop. Safe from any thread, and from a signal handler. */
OPAC_API void opac_cancel_request(opac_cancel *cancel);

/*
 * Whether a request is there, or the deadline has passed; cheap, safe from any thread. No handle
 * (NULL): never.
 */
OPAC_API bool opac_cancel_requested(const opac_cancel *cancel);

/* Takes the request and the deadline back, for another computation. */
OPAC_API void opac_cancel_reset(opac_cancel *cancel);

/*
 * A deadline, that many seconds from now: once it has passed, the handle counts as requested.
 * So one number bounds everything that gets the handle: reading, translation, exploration,
 * solving, sampling. 0 or less, or NaN: no deadline. Safe from any thread.
 */
OPAC_API void opac_cancel_set_deadline(opac_cancel *cancel, double seconds);

/* Seconds on the monotonic clock that deadlines are measured on; only differences mean something. */
OPAC_API double opac_clock_seconds(void);

/* Why opac_cancel_requested is true. */
typedef enum opac_cancel_reason {
    OPAC_CANCEL_NONE = 0,    /* it is not */
    OPAC_CANCEL_REQUEST = 1, /* opac_cancel_request was called */
    OPAC_CANCEL_TIME = 2     /* the deadline has passed, and nothing was requested */
} opac_cancel_reason;

/* The reason at this moment; a request comes before the deadline. */
OPAC_API opac_cancel_reason opac_cancel_get_reason(const opac_cancel *cancel);

#ifdef __cplusplus
}
#endif

#endif
