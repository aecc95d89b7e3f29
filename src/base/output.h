/* SPDX-License-Identifier: MIT */
/* Outputs, for the library's own writers: what they cannot write is the output's failure. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <omegapac/output.h>

/*
 * Nothing is written from here on, and opac_output_commit reports this; if
 * there was a failure before, that one stays. Not after the commit.
 */
void base_output_fail(opac_output *out, opac_status code, const char *message);

/* After the commit of a file: a descriptor that keeps the file locked (flock) until the caller closes
 * it; -1: there is none. */
int base_output_take_lock(opac_output *out);

#endif
