/* SPDX-License-Identifier: MIT */
/* Progress: reports with a simulated clock, the line as text, and the line on a terminal. */
#define _XOPEN_SOURCE 700 /* posix_openpt */

#include <fcntl.h>
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <omegapac/progress.h>

#include "base/utf8.h"
#include "support/check.h"
#include "support/clock.h"
#include "support/faults.h"

typedef struct watch {
    double now;
    size_t looks;
    double looked, longest_blind; /* when last, and the longest time between two looks */
    size_t reports, finished;
    double first, last; /* times of reports */
    double shortest;    /* between two reports */
    opac_progress_report report;
    char what[64];
} watch;

static double look(void *context)
{
    watch *clock = context;
    clock->looks++;
    if (clock->now - clock->looked > clock->longest_blind)
        clock->longest_blind = clock->now - clock->looked;
    clock->looked = clock->now;
    return clock->now;
}

static void take(void *context, const opac_progress_report *report)
{
    watch *clock = context;
    double since = clock->now - clock->last;
    if (clock->reports == 0)
        clock->first = clock->now;
    else if (!report->finished && since < clock->shortest)
        clock->shortest = since;
    clock->last = clock->now;
    clock->reports++;
    clock->finished += report->finished;
    clock->report = *report;
    snprintf(clock->what, sizeof clock->what, "%s", report->what);
}

static opac_progress *new_progress(watch *clock)
{
    opac_progress *progress;
    opac_error error;
    *clock = (watch){.shortest = INFINITY};
    assert_ok(opac_progress_new(take, clock, &progress, &error), &error);
    clock_replace(look, clock);
    return progress;
}

static void end_progress(opac_progress *progress)
{
    clock_replace(NULL, NULL);
    opac_progress_free(progress);
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-6 * fabs(expected)))
        fail_msg("%g is not %g", value, expected);
}

/* Steady work at several speeds: ten reports a second at most, with the right numbers. */
static void steady_work(void **state)
{
    (void)state;
    static const double steps[] = {1e-7, 1e-5, 1e-3, 0.03, 0.25};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        watch clock;
        opac_progress *progress = new_progress(&clock);
        uint64_t total = (uint64_t)(2 / steps[i]), done = 0;
        opac_progress_start(progress, "working");
        for (; done < total / 2; clock.now += steps[i])
            opac_progress_update(progress, ++done, total);
        assert_in_range(clock.reports, 1, 10);
        assert_true(clock.shortest >= 0.1);
        assert_true(clock.first < 0.1 + 1.001 * fmax(0.025, 2 * steps[i]));
        assert_true(clock.longest_blind < 1.001 * fmax(0.025, 2 * steps[i]));
        opac_progress_finish(progress);
        assert_int_equal(clock.finished, 1);
        assert_string_equal(clock.what, "working");
        assert_int_equal(clock.report.done, done);
        assert_int_equal(clock.report.total, total);
        assert_near(clock.report.seconds, clock.now);
        assert_near(clock.report.rate, (double)done / clock.now);
        assert_near(clock.report.share, (double)done / (double)total);
        assert_near(clock.report.seconds_left, (double)(total - done) / clock.report.rate);
        end_progress(progress);
    }
}

static void fast_updates_rarely_read_the_clock(void **state)
{
    (void)state;
    watch clock;
    opac_progress *progress = new_progress(&clock);
    opac_progress_start(progress, "fast");
    for (uint64_t i = 0; i < 1000000; i++, clock.now += 1e-8)
        opac_progress_update(progress, i, 0);
    assert_in_range(clock.looks, 1000000 / 64, 1000000 / 64 + 10);
    end_progress(progress);
}

/* After a sudden slow-down, the clock is read at the 64th slow update at the latest, and then at each. */
static void sudden_slow_down_costs_few_updates(void **state)
{
    (void)state;
    for (uint64_t fast = 100000; fast < 100064; fast++) { /* at every place within a stride */
        watch clock;
        opac_progress *progress = new_progress(&clock);
        opac_progress_start(progress, "");
        for (uint64_t i = 0; i < fast; i++, clock.now += 1e-8)
            opac_progress_update(progress, i, 0);
        assert_int_equal(clock.reports, 0);
        uint64_t slow = 0;
        for (; clock.reports == 0; slow++, clock.now += 1)
            opac_progress_update(progress, slow, 0);
        assert_in_range(slow, 1, 65); /* the first of them came in the rhythm of the fast ones */
        size_t before = clock.looks;
        for (uint64_t i = 0; i < 10; i++, clock.now += 1)
            opac_progress_update(progress, i, 0);
        assert_int_equal(clock.looks - before, 10);
        assert_int_equal(clock.reports, 11);
        end_progress(progress);
    }
}

/* Repeatedly ten times slower: the time between two readings never exceeds ten times the usual one. */
static void gradual_slow_down_is_followed(void **state)
{
    (void)state;
    watch clock;
    opac_progress *progress = new_progress(&clock);
    opac_progress_start(progress, "");
    for (double step = 1e-8; step < 0.02; step *= 10)
        for (uint64_t i = 0; i < 1000; i++, clock.now += step)
            opac_progress_update(progress, i, 0);
    assert_true(clock.longest_blind < 1.001 * 10 * 0.025);
    end_progress(progress);
}

/* After one fast update among slow ones, or if the clock does not advance, the stride only doubles. */
static void stride_grows_slowly(void **state)
{
    (void)state;
    watch clock;
    opac_progress *progress = new_progress(&clock);
    opac_progress_start(progress, "");
    for (uint64_t i = 0; i < 10; i++, clock.now += 1)
        opac_progress_update(progress, i, 0);
    clock.now -= 1;
    size_t before = clock.looks;
    opac_progress_update(progress, 10, 0); /* at once: a stride of 2 */
    assert_int_equal(clock.looks - before, 1);
    clock.now += 1;
    opac_progress_update(progress, 11, 0);
    assert_int_equal(clock.looks - before, 1);
    opac_progress_update(progress, 12, 0);
    assert_int_equal(clock.looks - before, 2);
    clock.now += 1;
    opac_progress_update(progress, 13, 0); /* and of 1 again */
    assert_int_equal(clock.looks - before, 3);
    end_progress(progress);
}

/* After a minute at another speed the rate is the new one, not the mean of all. */
static void rate_follows_the_speed(void **state)
{
    (void)state;
    watch clock;
    opac_progress *progress = new_progress(&clock);
    uint64_t done = 0;
    opac_progress_start(progress, "");
    for (int i = 0; i < 6000; i++, clock.now += 0.01)
        opac_progress_update(progress, done += 10, 0);
    assert_true(clock.report.rate > 999);
    assert_true(clock.report.rate < 1001);
    for (int i = 0; i < 6000; i++, clock.now += 0.01)
        opac_progress_update(progress, done += 1, 0);
    assert_true(clock.report.rate > 100);
    assert_true(clock.report.rate < 105);
    assert_true(clock.report.share < 0);
    assert_true(clock.report.seconds_left < 0);
    end_progress(progress);
}

static void unusual_updates_do_no_harm(void **state)
{
    (void)state;
    watch clock;
    opac_progress *progress = new_progress(&clock);
    opac_progress_finish(progress); /* without a start, without a report */
    assert_int_equal(clock.reports, 0);
    opac_progress_start(progress, "a name that is much longer than any line would have room for");
    clock.now += 1;
    opac_progress_update(progress, 50, 10); /* more than all */
    assert_near(clock.report.share, 1);
    assert_true(clock.report.seconds_left == 0);
    assert_true(strlen(clock.what) < 40);
    clock.now += 1;
    opac_progress_update(progress, 3, 10); /* backwards */
    assert_true(clock.report.rate >= 0);
    clock.now += 1;
    opac_progress_update(progress, 0, UINT64_MAX);
    assert_true(clock.report.share == 0);
    opac_progress_start(progress, "next");
    opac_progress_finish(progress); /* a phase without a report ends without one */
    assert_int_equal(clock.finished, 0);
    end_progress(progress);
    opac_progress_start(NULL, "");
    opac_progress_update(NULL, 1, 2);
    opac_progress_finish(NULL);
    opac_progress_free(NULL);
}

/* The end of each phase is reported once, also if it was too short for other reports, but only if it has
 * begun. */
static void ends_are_reported(void **state)
{
    (void)state;
    watch clock;
    opac_progress *progress = new_progress(&clock);
    opac_progress_report_all_ends(progress);
    opac_progress_finish(progress);
    assert_int_equal(clock.reports, 0);
    opac_progress_start(progress, "short");
    clock.now += 0.01;
    opac_progress_update(progress, 7, 0);
    opac_progress_finish(progress);
    opac_progress_finish(progress);
    assert_int_equal(clock.reports, 1);
    assert_int_equal(clock.finished, 1);
    assert_int_equal(clock.report.done, 7);
    assert_near(clock.report.seconds, 0.01);
    assert_string_equal(clock.what, "short");
    opac_progress_start(progress, "long");
    clock.now += 1;
    opac_progress_update(progress, 8, 0);
    opac_progress_finish(progress);
    assert_int_equal(clock.reports, 3);
    assert_int_equal(clock.finished, 2);
    end_progress(progress);
    opac_progress_report_all_ends(NULL);
}

static opac_status make_and_drop(void *context, opac_error *error)
{
    opac_progress *progress;
    opac_status status = opac_progress_new(take, context, &progress, error);
    opac_progress_free(progress);
    return status;
}

static void failed_allocation_is_reported(void **state)
{
    (void)state;
    assert_int_equal(faults_sweep(make_and_drop, NULL), 1);
}

static const opac_progress_report halfway = {.what = "exploring",
                                             .done = 3430000000,
                                             .total = 8100000000,
                                             .seconds = 278,
                                             .rate = 12300000,
                                             .share = 0.4234,
                                             .seconds_left = 379};

static void lines_at_some_widths(void **state)
{
    (void)state;
    static const struct {
        unsigned width;
        const char *line;
    } cases[] = {
        {200, "exploring  42% [############..................] 3.43G of 8.1G, 12.3M/s, about 6 "
              "minutes left"},
        {80, "exploring  42% [#######..........] 3.43G of 8.1G, 12.3M/s, about 6 minutes left"},
        {70, "exploring  42%, 3.43G of 8.1G, 12.3M/s, about 6 minutes left"},
        {60, "exploring  42%, 3.43G of 8.1G, 12.3M/s, about 6 minutes left"},
        {52, "exploring  42%, 3.43G of 8.1G, about 6 minutes left"},
        {40, "exploring  42%, about 6 minutes left"},
        {30, "exploring  42% [#####........]"},
        {20, "exploring  42%"},
        {10, "explo  42%"},
        {5, " 42%"},
        {4, " 42%"},
        {0, " 42%"},
    };
    char line[OPAC_PROGRESS_LINE_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(opac_progress_line_format(&halfway, cases[i].width, line, sizeof line),
                            cases[i].line);
    opac_progress_report report = halfway;
    report.total = 0;
    report.share = report.seconds_left = -1;
    assert_string_equal(opac_progress_line_format(&report, 80, line, sizeof line),
                        "exploring, 3.43G, 12.3M/s, for about 5 minutes");
    report.what = "";
    report.rate = 0;
    assert_string_equal(opac_progress_line_format(&report, 80, line, sizeof line),
                        "3.43G, for about 5 minutes");
    report.what = "\x1B[31m\n\xC3\xA9t\xC3\xA9";
    assert_string_equal(opac_progress_line_format(&report, 80, line, sizeof line),
                        "\\x1B[31m\\x0A\xC3\xA9t\xC3\xA9, 3.43G, for about 5 minutes");
}

/* For all kinds of reports and widths, the line fits. */
static void every_line_fits(void **state)
{
    (void)state;
    static const double numbers[] = {-1, 0, 0.5, 1, 2, 1e9, 1e300, INFINITY, NAN};
    static const char *const names[] = {"", "x", "exploring",
                                        "\xC3\xA9\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 and so on",
                                        "a name that is much longer than any line has room for"};
    for (unsigned width = 4; width <= 200; width++)
        for (size_t i = 0; i < 405; i++) { /* 9 numbers, 9 numbers, 5 names */
            opac_progress_report report = {.what = names[i % 5],
                                           .done = i * i * i * i * i,
                                           .total = i % 3 == 0 ? 0 : i * i * i * i * i * i,
                                           .rate = numbers[i / 5 % 9],
                                           .share = numbers[i / 45],
                                           .seconds_left = numbers[i / 5 % 9]};
            char line[OPAC_PROGRESS_LINE_SIZE];
            opac_progress_line_format(&report, width, line, sizeof line);
            assert_true(base_utf8_count(line, strlen(line)) <= width);
            assert_status(base_utf8_check(line, strlen(line), NULL), OPAC_OK);
        }
}

/* All that can be read without waiting. */
static size_t read_available(int fd, char *buffer, size_t size)
{
    fcntl(fd, F_SETFL, O_NONBLOCK);
    ssize_t count = read(fd, buffer, size - 1);
    size_t length = count > 0 ? (size_t)count : 0;
    buffer[length] = '\0';
    return length;
}

static void terminals_get_a_line_that_goes_away(void **state)
{
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    FILE *terminal = fopen(ptsname(master), "w");
    assert_non_null(terminal);
    struct winsize size = {.ws_row = 24, .ws_col = 41};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    char text[1000];
    setenv("TERM", "xterm", 1);
    opac_progress_line_draw(terminal, &halfway);
    read_available(master, text, sizeof text);
    assert_string_equal(text, "\rexploring  42%, about 6 minutes left\033[K");
    opac_progress_report last = halfway;
    last.finished = true;
    opac_progress_line_draw(terminal, &last);
    read_available(master, text, sizeof text);
    assert_string_equal(text, "\r\033[K");
    size.ws_col = 0; /* unknown: taken as 80 columns, of which the last stays free */
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    opac_progress_line_draw(terminal, &halfway);
    assert_in_range(read_available(master, text, sizeof text), 1 + 70 + 3, 1 + 79 + 3);
    setenv("TERM", "dumb", 1);
    opac_progress_line_draw(terminal, &halfway);
    assert_int_equal(read_available(master, text, sizeof text), 0);
    fclose(terminal);
    close(master);
}

static void pipes_get_nothing(void **state)
{
    (void)state;
    int ends[2];
    char text[100];
    assert_int_equal(pipe(ends), 0);
    FILE *stream = fdopen(ends[1], "w");
    assert_non_null(stream);
    setenv("TERM", "xterm", 1);
    opac_progress_report last = halfway;
    last.finished = true;
    opac_progress_line_draw(stream, &halfway);
    opac_progress_line_draw(stream, &last);
    fclose(stream);
    assert_int_equal(read_available(ends[0], text, sizeof text), 0);
    close(ends[0]);
}

SUITE(progress)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_work),
        cmocka_unit_test(fast_updates_rarely_read_the_clock),
        cmocka_unit_test(sudden_slow_down_costs_few_updates),
        cmocka_unit_test(gradual_slow_down_is_followed),
        cmocka_unit_test(stride_grows_slowly),
        cmocka_unit_test(rate_follows_the_speed),
        cmocka_unit_test(unusual_updates_do_no_harm),
        cmocka_unit_test(ends_are_reported),
        cmocka_unit_test(failed_allocation_is_reported),
        cmocka_unit_test(lines_at_some_widths),
        cmocka_unit_test(every_line_fits),
        cmocka_unit_test(terminals_get_a_line_that_goes_away),
        cmocka_unit_test(pipes_get_nothing),
    };
    return cmocka_run_group_tests_name("base.progress", tests, NULL, NULL);
}
