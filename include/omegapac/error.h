/* SPDX-License-Identifier: MIT */
/*
 * Status codes, and the error value that every function that can fail sets.
 *
 *     opac_error error;
 *     double epsilon;
 *     if (opac_number_parse("1/60", &epsilon, &error) != OPAC_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *
 * An error is owned by the caller and needs no release. A function writes it only if it fails. It may be
 * NULL if only the status is of interest.
 */
#ifndef OMEGAPAC_ERROR_H
#define OMEGAPAC_ERROR_H

#include <stdint.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes. The numbers are part of the interface; new codes are added at the end. */
typedef enum opac_status {
    OPAC_OK = 0,                /* success */
    OPAC_ERROR_ARGUMENT = 1,    /* a value is out of its range, or contradicts another */
    OPAC_ERROR_SYNTAX = 2,      /* a syntax error in a text; line and column are set */
    OPAC_ERROR_UNSUPPORTED = 3, /* valid input that the library does not support */
    OPAC_ERROR_IO = 4,          /* the operating system failed to read or write */
    OPAC_ERROR_MEMORY = 5,      /* out of memory */
    OPAC_ERROR_LIMIT = 6,     /* a stated limit (states, size, depth, a 64-bit count) was reached */
    OPAC_ERROR_CANCELLED = 7, /* stopped on request or at a deadline */
    OPAC_ERROR_SIMULATOR = 8, /* the environment failed or violated its contract */
    OPAC_ERROR_INTERNAL = 9   /* a bug of the library */
} opac_status;

enum {
    OPAC_MESSAGE_SIZE = 480 /* of a message, its NUL included */
};

/*
 * An error, with its place in a text if it has one.
 *
 * `parameter` names the member of the options, or the argument, that the error is about, such as
 * "max_states"; if several can be changed, all of them: "states actions k". `limit` is the value of a limit
 * that was reached, including a default. A program can use them to tell its user which setting to change.
 */
typedef struct opac_error {
    opac_status code; /* what the function returned */
    uint32_t line;    /* from 1; 0 if the error has no place in a text */
    uint32_t column;  /* from 1, in characters (UTF-8 code points); 0 if unknown */
    /* one line, without a full stop, truncated if it is too long */
    char message[OPAC_MESSAGE_SIZE];
    const char *parameter; /* static text; may be NULL */
    uint64_t limit;        /* in the unit of the parameter; 0 if there is none */
} opac_error;

/*
 * Macros for functions that return an opac_status, to propagate a failure:
 *
 *     OPAC_TRY(read_header(reader, error));            returns the status unless it is OPAC_OK
 *
 *     opac_status status;
 *     OPAC_TRY_OR(done, read_header(reader, error));   jumps to `done` unless it is OPAC_OK;
 *     OPAC_TRY_OR(done, read_body(reader, error));     `status` has the failure there
 * done:
 *     reader_close(reader);
 *     return status;
 */
#define OPAC_TRY(expression)                                                                       \
    do {                                                                                           \
        const opac_status opac_try_status = (expression);                                          \
        if (opac_try_status != OPAC_OK)                                                            \
            return opac_try_status;                                                                \
    } while (0)
#define OPAC_TRY_OR(label, expression)                                                             \
    do {                                                                                           \
        status = (expression);                                                                     \
        if (status != OPAC_OK)                                                                     \
            goto label;                                                                            \
    } while (0)

/* A short lower-case name of a status ("syntax"), for logs and bindings; never NULL. */
OPAC_API const char *opac_status_name(opac_status status);

#ifdef __cplusplus
}
#endif

#endif
