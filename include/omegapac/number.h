/* SPDX-License-Identifier: MIT */
/*
 * Parses and formats numbers, independently of the locale.
 *
 *     double epsilon;
 *     char text[OPAC_NUMBER_SIZE];
 *     if (opac_number_parse("1/60", &epsilon, &error) == OPAC_OK)
 *         puts(opac_number_format(epsilon, text));    // 0.016666666666666666
 *
 * The functions have no state and are thread-safe.
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
 * Parses a decimal (12, .5, 1e-3, -2.25) or a fraction of two decimals (1/60), which must be the whole
 * text. A decimal is rounded to the nearest double; a fraction is the rounded quotient of its rounded
 * parts. Overflow, and underflow to 0, are OPAC_ERROR_ARGUMENT; other text is OPAC_ERROR_SYNTAX.
 */
OPAC_API opac_status opac_number_parse(const char *text, double *value, opac_error *error);

/*
 * Parses such a text exactly, and rounds up: the value is the least double that is not below the number. A
 * double x is thus at least the number if and only if x >= value, and below it if and only if x < value. More
 * than some 600 digits are OPAC_ERROR_LIMIT.
 */
OPAC_API opac_status opac_number_parse_up(const char *text, double *value, opac_error *error);

/* Parses an integer from 0 to 2^64-1; 1e9 and 2.5e3 are also integers. A larger number is
 * OPAC_ERROR_LIMIT. */
OPAC_API opac_status opac_number_parse_whole(const char *text, uint64_t *value, opac_error *error);

enum {
    OPAC_NUMBER_SIZE = 32 /* size of a buffer for a number */
};

/*
 * Writes the shortest decimal that reads back as the same double ("0.1", "1e100", "-0", "inf", "nan") into
 * a buffer of OPAC_NUMBER_SIZE characters. Returns the buffer.
 */
OPAC_API char *opac_number_format(double value, char *buffer);

/*
 * The same, rounded up (down) to at most `digits` digits, from 1 to 17: the decimal is never below (above)
 * the value.
 */
OPAC_API char *opac_number_format_up(double value, int digits, char *buffer);
OPAC_API char *opac_number_format_down(double value, int digits, char *buffer);

#ifdef __cplusplus
}
#endif

#endif
