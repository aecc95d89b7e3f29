/* SPDX-License-Identifier: MIT */
/*
 * Quantities for people: durations and counts, rounded and in words, in every
 * locale alike.
 *
 *     char time[OPAC_QUANTITY_SIZE], steps[OPAC_QUANTITY_SIZE];
 *     printf("%s steps, %s\n", opac_quantity_format(3.43e9, steps, sizeof steps),
 *            opac_duration_format(129600, time, sizeof time));
 *                                               // 3.43e9 steps, about 36 hours
 *
 * Buffers are the caller's. Nothing is kept between calls: any number of threads may make them.
 */
#ifndef OMEGAPAC_QUANTITY_H
#define OMEGAPAC_QUANTITY_H

#include <stddef.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OPAC_QUANTITY_SIZE = 48 /* holds every result */
};

/*
 * "0 s", "under 1 ms", "340 ms", "3.4 s", "95 s", "about 36 hours", "about 5
 * years", "longer than the age of the universe"; "forever" for infinity, and
 * "unknown" for a negative number or NaN. From two minutes on, the unit is the
 * largest of which there are two. Returns buffer; what does not fit is cut.
 */
OPAC_API const char *opac_duration_format(double seconds, char *buffer, size_t size);

/*
 * Below a million the nearest whole number ("71394"), else three digits
 * ("3.43e9", "1e12"); "infinite", and "unknown" for NaN. Returns buffer; what
 * does not fit is cut.
 */
OPAC_API const char *opac_quantity_format(double count, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
