/* SPDX-License-Identifier: MIT */
/*
 * Stops a long computation on request, or at a deadline.
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
 *     …                                   // pass `cancel` in the options of a computation
 *     opac_cancel_free(cancel);
 *
 * A function with a handle polls it at least every 50 milliseconds. After a request it returns
 * OPAC_ERROR_CANCELLED or its partial result, as documented there. A request remains until it is reset.
 * Several computations may share a handle.
 */
#ifndef OMEGAPAC_CANCEL_H
#define OMEGAPAC_CANCEL_H

#include <stdbool.h>

#include <omegapac/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_cancel opac_cancel;

/* Makes a handle without a request. The caller frees it after all computations that use it have returned. */
OPAC_API opac_status opac_cancel_new(opac_cancel **cancel, opac_error *error);
OPAC_API void opac_cancel_free(opac_cancel *cancel);

/* Requests to stop. May be called from any thread and from a signal handler. */
OPAC_API void opac_cancel_request(opac_cancel *cancel);

/*
 * Whether a stop was requested or the deadline has passed. Cheap; may be called from any thread. False for
 * NULL.
 */
OPAC_API bool opac_cancel_requested(const opac_cancel *cancel);

/* Clears the request and the deadline, for another computation. */
OPAC_API void opac_cancel_reset(opac_cancel *cancel);

/*
 * Sets a deadline, in seconds from now, at which the handle counts as requested. It bounds the total time
 * of all computations that use the handle. 0, negative numbers and NaN remove the deadline. May be called
 * from any thread.
 */
OPAC_API void opac_cancel_set_deadline(opac_cancel *cancel, double seconds);

/* The monotonic clock of deadlines, in seconds; only differences are meaningful. */
OPAC_API double opac_clock_seconds(void);

/* Why opac_cancel_requested is true. */
typedef enum opac_cancel_reason {
    OPAC_CANCEL_NONE = 0,    /* it is false */
    OPAC_CANCEL_REQUEST = 1, /* opac_cancel_request was called */
    OPAC_CANCEL_TIME = 2     /* the deadline has passed without a request */
} opac_cancel_reason;

/* The current reason; a request takes precedence over the deadline. */
OPAC_API opac_cancel_reason opac_cancel_get_reason(const opac_cancel *cancel);

#ifdef __cplusplus
}
#endif

#endif
