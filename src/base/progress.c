/* SPDX-License-Identifier: MIT */
/*
 * Progress objects: decide when to read the clock and when to report, and estimate the rate. During the
 * first ten seconds the rate is the mean; afterwards it is an exponential moving average with that time
 * constant, so that the remaining time adapts to changes of speed.
 */
#include <omegapac/progress.h>

#include <string.h>

#include <omegapac/cancel.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/gmp_run.h"

#define REPORT_SECONDS 0.1
#define CHECK_SECONDS  0.025 /* between two readings of the clock, at a constant rate */
#define MEMORY_SECONDS 10.0

/*
 * Largest number of updates between two readings of the clock. It limits the delay after a sudden
 * slow-down: the stride was chosen for fast updates, and that many slow ones pass until the slow-down is
 * detected. Reading the clock takes some 25 ns; a 64th of that is less than the cost of an update.
 */
enum {
    LARGEST_STRIDE = 64
};

struct opac_progress {
    opac_progress_callback callback;
    void *context;
    char what[40];
    uint64_t done, total;
    unsigned countdown;      /* updates until the clock is read again */
    unsigned stride;         /* initial value of the countdown */
    double started, checked; /* seconds on the clock */
    double reported, rate;   /* time of the last report, and the rate at that time */
    uint64_t reported_done;
    bool has_reported;
    bool is_running;       /* between start and finish */
    bool reports_all_ends; /* also of phases that were too short for a report */
};

opac_status opac_progress_new(opac_progress_callback callback, void *context,
                              opac_progress **progress, opac_error *error)
{
    *progress = base_alloc_zeroed(1, sizeof **progress);
    if (*progress == NULL)
        return base_fail_memory(error);
    (*progress)->callback = callback;
    (*progress)->context = context;
    opac_progress_start(*progress, "");
    (*progress)->is_running = false;
    return OPAC_OK;
}

void opac_progress_free(opac_progress *progress)
{
    base_free(progress);
}

void opac_progress_start(opac_progress *progress, const char *what)
{
    if (progress == NULL)
        return;
    opac_text_show(what, strlen(what), progress->what, sizeof progress->what);
    progress->started = opac_clock_seconds();
    progress->checked = progress->reported = progress->started;
    progress->done = progress->total = progress->reported_done = 0;
    progress->rate = 0;
    progress->stride = progress->countdown = 1;
    progress->has_reported = false;
    progress->is_running = true;
}

void opac_progress_report_all_ends(opac_progress *progress)
{
    if (progress != NULL)
        progress->reports_all_ends = true;
}

/* The new rate, including the progress since the last report. */
static double rate_at(const opac_progress *progress, double now)
{
    double span = now - progress->reported, age = now - progress->started;
    if (span <= 0)
        return progress->rate;
    double more = progress->done > progress->reported_done
                      ? (double)(progress->done - progress->reported_done)
                      : 0;
    double memory = age < MEMORY_SECONDS ? age : MEMORY_SECONDS;
    double weight = span < memory ? span / memory : 1;
    return progress->rate + weight * (more / span - progress->rate);
}

static void report(opac_progress *progress, double now, bool finished)
{
    progress->rate = rate_at(progress, now);
    progress->reported = now;
    progress->reported_done = progress->done;
    progress->has_reported = true;
    opac_progress_report report = {
        .what = progress->what,
        .done = progress->done,
        .total = progress->total,
        .seconds = now - progress->started,
        .rate = progress->rate,
        .share = -1,
        .seconds_left = -1,
        .finished = finished,
    };
    if (report.total > 0) {
        uint64_t left = report.done < report.total ? report.total - report.done : 0;
        report.share = left > 0 ? (double)report.done / (double)report.total : 1;
        if (report.rate > 0 || left == 0)
            report.seconds_left = left > 0 ? (double)left / report.rate : 0;
    }
    struct base_gmp_run *run = base_gmp_suspend(); /* the callback may use GMP itself */
    progress->callback(progress->context, &report);
    base_gmp_resume(run);
}

/*
 * Adapts the stride after the last `stride` updates took `span` seconds: as many updates as fit in
 * CHECK_SECONDS at this rate, but at most twice as many as before, so that a few fast updates have little
 * effect.
 */
static void adapt_stride(opac_progress *progress, double span)
{
    unsigned most = progress->stride < LARGEST_STRIDE / 2 ? progress->stride * 2 : LARGEST_STRIDE;
    double fitting = span > 0 ? progress->stride * CHECK_SECONDS / span : LARGEST_STRIDE;
    if (fitting >= most)
        progress->stride = most;
    else
        progress->stride = fitting > 1 ? (unsigned)fitting : 1;
}

void opac_progress_update(opac_progress *progress, uint64_t done, uint64_t total)
{
    if (progress == NULL)
        return;
    progress->done = done;
    progress->total = total;
    if (--progress->countdown > 0)
        return;
    double now = opac_clock_seconds();
    adapt_stride(progress, now - progress->checked);
    progress->checked = now;
    progress->countdown = progress->stride;
    if (now - progress->reported >= REPORT_SECONDS)
        report(progress, now, false);
}

void opac_progress_finish(opac_progress *progress)
{
    if (progress == NULL)
        return;
    if (progress->has_reported || (progress->reports_all_ends && progress->is_running))
        report(progress, opac_clock_seconds(), true);
    progress->has_reported = progress->is_running = false;
}
