/* SPDX-License-Identifier: MIT */
/* Formats states for messages. */
#ifndef PRISM_FORMAT_STATE_H
#define PRISM_FORMAT_STATE_H

#include "prism/program.h"

enum {
    PRISM_STATE_SIZE = 200
};

/*
 * Writes "x=1, done=false", truncated with "..." if it does not fit; "" if there are no variables. Returns
 * buffer.
 */
const char *prism_format_state(const prism_program *program, const int64_t *values, char *buffer,
                               size_t size);

/*
 * Appends ", in state (x=1)" to the message of an error that has just been set; returns status. The error may
 * be NULL.
 */
opac_status prism_fail_in_state(const prism_program *program, const int64_t *values,
                                opac_status status, opac_error *error);

#endif
