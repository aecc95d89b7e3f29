/* SPDX-License-Identifier: MIT */
/*
 * Formats rounded durations and counts for messages, independently of the locale.
 *
 *     char time[OPAC_QUANTITY_SIZE], steps[OPAC_QUANTITY_SIZE];
 *     printf("%s steps, %s\n", opac_quantity_format(3.43e9, steps, sizeof steps),
 *            opac_duration_format(129600, time, sizeof time));
 *                                               // 3.43e9 steps, about 36 hours
 *
 * The functions have no state and are thread-safe.
 */
#ifndef OMEGAPAC_QUANTITY_H
#define OMEGAPAC_QUANTITY_H

#include <stddef.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OPAC_QUANTITY_SIZE = 48 /* sufficient for every result */
};

/*
 * "0 s", "under 1 ms", "340 ms", "3.4 s", "95 s", "about 36 hours", "about 5 years", "longer than the age
 * of the universe"; "forever" for infinity, and "unknown" for a negative number or NaN. From two minutes
 * on, it uses the largest unit that is contained at least twice. Returns the buffer; truncates the text to
 * its size.
 */
OPAC_API const char *opac_duration_format(double seconds, char *buffer, size_t size);

/*
 * The nearest integer below a million ("71394"), otherwise three digits ("3.43e9", "1e12"); "infinite";
 * "unknown" for NaN. Returns the buffer; truncates the text to its size.
 */
OPAC_API const char *opac_quantity_format(double count, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
