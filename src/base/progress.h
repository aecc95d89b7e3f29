/* SPDX-License-Identifier: MIT */
/* Another clock for a progress object, so that a test decides what time it is. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <omegapac/progress.h>

/* Seconds from any beginning, never going back. */
typedef double (*base_progress_clock)(void *context);

/* To be called before the phase starts. */
void base_progress_set_clock(opac_progress *progress, base_progress_clock clock, void *context);

#endif
