/* SPDX-License-Identifier: MIT */
/* Draws pictures into memory. */
#ifndef SUPPORT_PICTURE_H
#define SUPPORT_PICTURE_H

#include <omegapac/output.h>

typedef opac_status (*picture_artist)(const void *subject, opac_output *out, opac_error *error);

/* The picture as a string, for the caller to free; a failure fails the test. */
char *picture_draw(picture_artist artist, const void *subject);
/* Draws the picture and discards it, for tests of failing allocations. */
opac_status picture_try(picture_artist artist, const void *subject, opac_error *error);

#endif
