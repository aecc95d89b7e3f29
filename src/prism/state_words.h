/* SPDX-License-Identifier: MIT */
/* States in messages. */
#ifndef PRISM_STATE_WORDS_H
#define PRISM_STATE_WORDS_H

#include "prism/program.h"

enum {
    PRISM_STATE_SIZE = 200
};

/* "x=1, done=false", cut with "..." where it is too long; "" without variables. Returns buffer. */
const char *prism_state_words(const prism_program *program, const int64_t *values, char *buffer,
                              size_t size);

/* Adds "in state (x=1)" to a message that was just made; returns its code. error may be NULL. */
opac_status prism_fail_in_state(const prism_program *program, const int64_t *values,
                                opac_status status, opac_error *error);

#endif
