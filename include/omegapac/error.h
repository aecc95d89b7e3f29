/* SPDX-License-Identifier: MIT */
/*
 * Status codes and the error value that every fallible function fills.
 *
 *     opac_error error;
 *     double epsilon;
 *     if (opac_number_parse("1/60", &epsilon, &error) != OPAC_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *
 * An error belongs to the caller and needs no release. A function writes it
 * only when it fails; it may be NULL when only the status is of interest.
 */
#ifndef OMEGAPAC_ERROR_H
#define OMEGAPAC_ERROR_H

#include <stdint.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are part of the interface: new codes are added at the end. */
typedef enum opac_status {
    OPAC_OK = 0,                /* it went well */
    OPAC_ERROR_ARGUMENT = 1,    /* a value is out of its range, or contradicts another */
    OPAC_ERROR_SYNTAX = 2,      /* a text does not follow its grammar; line and column are set */
    OPAC_ERROR_UNSUPPORTED = 3, /* well-formed, but of a kind that this library does not handle */
    OPAC_ERROR_IO = 4,          /* the operating system refused to read or write */
    OPAC_ERROR_MEMORY = 5,      /* out of memory */
    OPAC_ERROR_LIMIT = 6,     /* a stated limit (states, size, depth, a 64-bit count) was reached */
    OPAC_ERROR_CANCELLED = 7, /* stopped on request */
    OPAC_ERROR_SIMULATOR = 8, /* the environment failed or broke its contract */
    OPAC_ERROR_INTERNAL = 9   /* a mistake of the library itself */
} opac_status;

enum {
    OPAC_MESSAGE_SIZE = 480 /* of a message, its NUL included */
};

/* What went wrong, and where. */
typedef struct opac_error {
    opac_status code;                /* what the function returned */
    uint32_t line;                   /* from 1; 0 when the error is not about a place in a text */
    uint32_t column;                 /* from 1, in characters (UTF-8 code points); 0 likewise */
    char message[OPAC_MESSAGE_SIZE]; /* one line, without a full stop, cut if too long */
} opac_error;

/* A short lower-case name ("syntax"), for logs and bindings; never NULL. */
OPAC_API const char *opac_status_name(opac_status status);

#ifdef __cplusplus
}
#endif

#endif
