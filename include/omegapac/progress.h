/* SPDX-License-Identifier: MIT */
/*
 * Reports the progress of a long computation. The computation updates a progress object, which calls a
 * callback at most ten times a second. A callback for a progress line on a terminal is included:
 *
 *     opac_progress *progress;
 *     opac_progress_new(opac_progress_line_draw, stderr, &progress, &error);
 *     opac_progress_start(progress, "exploring");
 *     for (uint64_t i = 0; i < n; i++) {
 *         …
 *         opac_progress_update(progress, i, n);
 *     }
 *     opac_progress_finish(progress);
 *     opac_progress_free(progress);
 *
 * prints
 *
 *     exploring  42% [############..................] 3.43G of 8.1G, 12.3M/s, about 6 minutes left
 *
 * An object must be updated by one thread at a time, and calls the callback in that thread. Functions
 * accept NULL for no progress.
 */
#ifndef OMEGAPAC_PROGRESS_H
#define OMEGAPAC_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_progress opac_progress;

/* The progress of a phase. */
typedef struct opac_progress_report {
    const char *what;     /* name of the phase; valid during the call */
    uint64_t done, total; /* total is 0 if unknown */
    double seconds;       /* since the start of the phase */
    double rate;          /* done per second, over about the last ten seconds */
    double share;         /* done/total, at most 1; negative if unknown */
    double seconds_left;  /* estimate; negative if unknown */
    bool finished;        /* the last report of this phase */
} opac_progress_report;

/* Receives a report, in the thread that computes. */
typedef void (*opac_progress_callback)(void *context, const opac_progress_report *report);

/* Makes a progress object. context is passed to each call and remains owned by the caller. */
OPAC_API opac_status opac_progress_new(opac_progress_callback callback, void *context,
                                       opac_progress **progress, opac_error *error);
OPAC_API void opac_progress_free(opac_progress *progress);

/* Begins a phase and restarts the clock. what, one or two words, is copied and may be truncated. */
OPAC_API void opac_progress_start(opac_progress *progress, const char *what);

/*
 * Updates the progress of the phase. It is cheap enough for an inner loop, because it reads the clock only
 * about every 25 milliseconds, and at least at every 64th call. So a report is late by at most 25
 * milliseconds or two calls, or by up to 64 calls when calls suddenly become slower. The first report comes
 * after 0.1 seconds.
 */
OPAC_API void opac_progress_update(opac_progress *progress, uint64_t done, uint64_t total);

/* Ends the phase, with a last report if there was one before. */
OPAC_API void opac_progress_finish(opac_progress *progress);

/* From now on every phase ends with a report, also if it was too short for others. */
OPAC_API void opac_progress_report_all_ends(opac_progress *progress);

/*
 * A callback whose context is a FILE *: prints a progress line in the width of the terminal, and clears it
 * at the end. Prints nothing if the stream is not a terminal or TERM is "dumb".
 */
OPAC_API void opac_progress_line_draw(void *stream, const opac_progress_report *report);

enum {
    OPAC_PROGRESS_LINE_SIZE = 512 /* sufficient for every line */
};

/* Formats the line in at most width columns (at least 4), without \r and \n. Returns the buffer. */
OPAC_API const char *opac_progress_line_format(const opac_progress_report *report, unsigned width,
                                               char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
