/* SPDX-License-Identifier: MIT */
/*
 * Following a long computation. The computation feeds a progress object; the
 * object calls back at most ten times a second. Ready-made: one line on a
 * terminal that rewrites itself.
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
 * draws
 *
 *     exploring  42% [############..................] 3.43G of 8.1G, 12.3M/s, about 6 minutes left
 *
 * An object is fed by one thread at a time, and calls back in that thread.
 * Where a function takes a progress object, NULL means none.
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

/* How far a phase is. */
typedef struct opac_progress_report {
    const char *what;     /* as given to start; dies with the call */
    uint64_t done, total; /* total 0: unknown */
    double seconds;       /* since start */
    double rate;          /* done per second, of the last ten seconds or so */
    double share;         /* done/total, at most 1; negative: unknown */
    double seconds_left;  /* negative: unknown */
    bool finished;        /* the last report of this phase */
} opac_progress_report;

/* Is told how far it is, in the thread that computes. */
typedef void (*opac_progress_callback)(void *context, const opac_progress_report *report);

/* A follower that calls back. context is handed to each call and stays the caller's. */
OPAC_API opac_status opac_progress_new(opac_progress_callback callback, void *context,
                                       opac_progress **progress, opac_error *error);
OPAC_API void opac_progress_free(opac_progress *progress);

/* A phase begins: the clock starts anew. what, a word or two, is copied and may be cut. */
OPAC_API void opac_progress_start(opac_progress *progress, const char *what);

/*
 * How far the phase is. Cheap enough for an inner loop: the clock is read only
 * now and then, at a steady pace every 25 milliseconds (or at each call, if
 * they come more rarely), and at every 64th call at the latest. So a report is
 * late by 25 milliseconds or two calls at most; only when the calls suddenly
 * slow down, up to 64 of them may pass first. The first report comes after a
 * tenth of a second.
 */
OPAC_API void opac_progress_update(opac_progress *progress, uint64_t done, uint64_t total);

/* The phase ends: one last report, if there was any before. */
OPAC_API void opac_progress_finish(opac_progress *progress);

/* From now on every phase has that last report, also one that was too short for others. */
OPAC_API void opac_progress_report_all_ends(opac_progress *progress);

/*
 * A callback whose context is a FILE *: draws the line there, in the width of
 * the terminal, and clears it at the end. Writes nothing when the stream is no
 * terminal, or TERM is "dumb".
 */
OPAC_API void opac_progress_line_draw(void *stream, const opac_progress_report *report);

enum {
    OPAC_PROGRESS_LINE_SIZE = 512 /* holds every line */
};

/* The line alone, in at most width columns (at least 4), without \r and \n. Returns buffer. */
OPAC_API const char *opac_progress_line_format(const opac_progress_report *report, unsigned width,
                                               char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
