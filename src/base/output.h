/* SPDX-License-Identifier: MIT */
/* Functions of outputs for the writers of the library, which report their failures through the output. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <omegapac/output.h>

/*
 * Makes the output fail: nothing more is written, and opac_output_commit returns this failure, or an
 * earlier one. Must not be called after the commit.
 */
void base_output_fail(opac_output *out, opac_status code, const char *message);

/* After the commit of a file: a descriptor that keeps the file locked (flock) until the caller closes it;
 * -1 if there is none. */
int base_output_take_lock(opac_output *out);

#endif
