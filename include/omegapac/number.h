/* SPDX-License-Identifier: MIT */
/*
 * Numbers as people write them, in every locale alike.
 *
 *     double epsilon;
 *     char text[OPAC_NUMBER_SIZE];
 *     if (opac_number_parse("1/60", &epsilon, &error) == OPAC_OK)
 *         puts(opac_number_format(epsilon, text));    // 0.016666666666666666
 *
 * Buffers are the caller's. Nothing is kept between calls: any number of threads may make them.
 */
#ifndef OMEGAPAC_NUMBER_H
#define OMEGAPAC_NUMBER_H

#include <stdint.h>

#include <omegapac/error.h>
#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A decimal (12, .5, 1e-3, -2.25) or a fraction of two decimals (1/60), which
 * must be all of the text. The decimal is rounded to the nearest double; a
 * fraction is the rounded quotient of its rounded parts. A number that is too
 * large for a double, or too small and not 0, is OPAC_ERROR_ARGUMENT.
 */
OPAC_API opac_status opac_number_parse(const char *text, double *value, opac_error *error);

/* A whole number from 0 to 2^64-1; 1e9 and 2.5e3 are whole numbers too. */
OPAC_API opac_status opac_number_parse_whole(const char *text, uint64_t *value, opac_error *error);

enum {
    OPAC_NUMBER_SIZE = 32 /* of a buffer for a number */
};

/*
 * The shortest decimal that reads back as the same double ("0.1", "1e100",
 * "-0", "inf", "nan"), written into a buffer of OPAC_NUMBER_SIZE characters.
 * Returns the buffer.
 */
OPAC_API char *opac_number_format(double value, char *buffer);

/*
 * Rounded up (down): a decimal of at most `digits` digits, from 1 to 17, that is never below (never
 * above) the value. Infinities and NaN as above.
 */
OPAC_API char *opac_number_format_up(double value, int digits, char *buffer);
OPAC_API char *opac_number_format_down(double value, int digits, char *buffer);

#ifdef __cplusplus
}
#endif

#endif
