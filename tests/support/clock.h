/* SPDX-License-Identifier: MIT */
/*
 * Lets a test control the clock of the library, opac_clock_seconds. The linker redirects all calls from
 * other files to this module.
 */
#ifndef SUPPORT_CLOCK_H
#define SUPPORT_CLOCK_H

/* Seconds from any beginning, never going back. */
typedef double (*clock_function)(void *context);

/* Replaces the clock by this function; NULL restores the real clock. For single-threaded tests. */
void clock_replace(clock_function clock, void *context);

#endif
