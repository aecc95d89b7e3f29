/* SPDX-License-Identifier: MIT */
/*
 * The library's clock, opac_clock_seconds, under the control of a test. The linker sends all calls
 * from other files than the clock's own here.
 */
#ifndef SUPPORT_CLOCK_H
#define SUPPORT_CLOCK_H

/* Seconds from any beginning, never going back. */
typedef double (*clock_function)(void *context);

/* From now on the clock is this function; NULL: the real clock again. For one thread. */
void clock_replace(clock_function clock, void *context);

#endif
