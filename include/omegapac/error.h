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

/*
 * An error, with its place in a text.
 *
 * `parameter` names the member of the options, or the argument, that the error is about: "max_states".
 * If several parameters help, it names all of them: "states actions k". `limit` is the value of a limit
 * that was reached, also if it is the default. A program can tell its user how to set the parameter.
 */
typedef struct opac_error {
    opac_status code;                /* what the function returned */
    uint32_t line;                   /* from 1; 0 when the error is not about a place in a text */
    uint32_t column;                 /* from 1, in characters (UTF-8 code points); 0 likewise */
    char message[OPAC_MESSAGE_SIZE]; /* one line, without a full stop, cut if too long */
    const char *parameter;           /* static; NULL: none */
    uint64_t limit;                  /* in the parameter's unit; 0: none */
} opac_error;

/*
 * For functions that return an opac_status themselves, the two ways to pass a failure on:
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

/* A short lower-case name ("syntax"), for logs and bindings; never NULL. */
OPAC_API const char *opac_status_name(opac_status status);

#ifdef __cplusplus
}
#endif

#endif
