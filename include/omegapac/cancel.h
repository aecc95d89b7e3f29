/* SPDX-License-Identifier: MIT */
/*
 * Stopping a long computation from outside.
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
 * A function that was given a handle looks at it often (at least every tenth
 * of a second or so) and, once a request is there, returns
 * OPAC_ERROR_CANCELLED or its result so far, as its declaration says. The
 * request stays until it is reset. One handle may serve several computations.
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

/* Whether a request is there; cheap, safe from any thread. No handle (NULL): never. */
OPAC_API bool opac_cancel_requested(const opac_cancel *cancel);

/* Takes the request back, for another computation. */
OPAC_API void opac_cancel_reset(opac_cancel *cancel);

#ifdef __cplusplus
}
#endif

#endif
