/* SPDX-License-Identifier: MIT */
/*
 * Formats progress as one line:
 *
 *     exploring  42% [############..................] 3.43G of 8.1G, 12.3M/s, about 6 minutes left
 *     ╰── head ────╯ ╰── bar, 10 to 30 ─────────────╯ ╰─ counts ─╯  ╰ rate ╯  ╰─ time ──────────╯
 *
 * In a narrow terminal, parts are omitted in this order: bar, rate, counts, time. Then the head is truncated.
 */
#include <omegapac/progress.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <omegapac/text.h>

#include "base/quantity.h"
#include "base/utf8.h"

enum {
    SHORTEST_BAR = 10,
    LONGEST_BAR = 30,
    PART_SIZE = 128,
    DEFAULT_COLUMNS = 80
};

enum part {
    COUNTS,
    RATE,
    TIME,
    PARTS
};

typedef struct line_parts {
    char what[64], percent[8];   /* the head, with a blank between them */
    char part[PARTS][PART_SIZE]; /* "" if unknown or omitted */
} line_parts;

/* The share that is done, from 0 to 1; negative if unknown. */
static double share_of(const opac_progress_report *report)
{
    return report->share >= 0 ? (report->share < 1 ? report->share : 1) : -1;
}

static void make_head(const opac_progress_report *report, line_parts *parts)
{
    opac_text_show(report->what, strlen(report->what), parts->what, sizeof parts->what);
    double share = share_of(report);
    if (share >= 0)
        snprintf(parts->percent, sizeof parts->percent, "%3u%%", (unsigned)(share * 100));
}

static void make_parts(const opac_progress_report *report, line_parts *parts)
{
    char done[OPAC_QUANTITY_SIZE], total[OPAC_QUANTITY_SIZE], words[OPAC_QUANTITY_SIZE];
    base_units_format((double)report->done, done, sizeof done);
    if (report->total > 0)
        snprintf(parts->part[COUNTS], PART_SIZE, "%s of %s", done,
                 base_units_format((double)report->total, total, sizeof total));
    else
        snprintf(parts->part[COUNTS], PART_SIZE, "%s", done);
    if (report->rate > 0)
        snprintf(parts->part[RATE], PART_SIZE, "%s/s",
                 base_units_format(report->rate, words, sizeof words));
    if (report->seconds_left >= 0)
        snprintf(parts->part[TIME], PART_SIZE, "%s left",
                 opac_duration_format(report->seconds_left, words, sizeof words));
    else
        snprintf(parts->part[TIME], PART_SIZE, "for %s",
                 opac_duration_format(report->seconds, words, sizeof words));
}

static const char *blank_in_head(const line_parts *parts)
{
    return parts->what[0] != '\0' && parts->percent[0] != '\0' ? " " : "";
}

/* The columns of the head, the parts and their separators, without the bar. */
static size_t columns_of(const line_parts *parts)
{
    size_t columns = base_utf8_count(parts->what, strlen(parts->what)) +
                     strlen(blank_in_head(parts)) + strlen(parts->percent);
    for (int i = 0; i < PARTS; i++)
        if (parts->part[i][0] != '\0')
            columns += strlen(parts->part[i]) + (columns > 0 ? strlen(", ") : 0);
    return columns;
}

/* Omits parts until the rest fits, and truncates the head if necessary. Returns the columns left. */
static size_t fit(line_parts *parts, size_t width)
{
    static const enum part order[] = {RATE, COUNTS, TIME};
    for (int i = 0; i < PARTS && columns_of(parts) > width; i++)
        parts->part[order[i]][0] = '\0';
    size_t at = strlen(parts->what);
    while (columns_of(parts) > width && at > 0) {
        do
            at--;
        while (at > 0 && ((unsigned char)parts->what[at] & 0xC0) == 0x80); /* whole characters */
        parts->what[at] = '\0';
    }
    return width - columns_of(parts);
}

/* " [####....]", or nothing if it does not fit or the share is unknown. */
static void make_bar(double share, size_t columns, char *bar)
{
    const size_t frame = strlen(" []");
    bar[0] = '\0';
    if (share < 0 || columns < SHORTEST_BAR + frame)
        return;
    size_t length = columns - frame < LONGEST_BAR ? columns - frame : LONGEST_BAR;
    size_t full = (size_t)(share * (double)length);
    memcpy(bar, " [", 2);
    memset(bar + 2, '#', full);
    memset(bar + 2 + full, '.', length - full);
    memcpy(bar + 2 + length, "]", 2);
}

const char *opac_progress_line_format(const opac_progress_report *report, unsigned width,
                                      char *buffer, size_t size)
{
    line_parts parts = {.what = ""};
    char bar[LONGEST_BAR + 8];
    make_head(report, &parts);
    make_parts(report, &parts);
    make_bar(share_of(report), fit(&parts, width > 4 ? width : 4), bar);
    int used =
        snprintf(buffer, size, "%s%s%s%s", parts.what, blank_in_head(&parts), parts.percent, bar);
    const char *between = bar[0] != '\0' ? " " : ", ";
    for (int i = 0; i < PARTS && used >= 0 && (size_t)used < size; i++)
        if (parts.part[i][0] != '\0') {
            used += snprintf(buffer + used, size - (size_t)used, "%s%s", used > 0 ? between : "",
                             parts.part[i]);
            between = ", ";
        }
    return buffer;
}

static bool is_terminal(FILE *stream)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

static unsigned columns_of_terminal(FILE *stream)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
#endif
    (void)stream;
    return DEFAULT_COLUMNS;
}

/* The last column is not used, since some terminals wrap after a full line. */
void opac_progress_line_draw(void *stream, const opac_progress_report *report)
{
    static const char clear_to_end[] = "\033[K";
    char line[OPAC_PROGRESS_LINE_SIZE] = "";
    if (!is_terminal(stream))
        return;
    unsigned columns = columns_of_terminal(stream);
    if (!report->finished)
        opac_progress_line_format(report, columns - 1, line, sizeof line);
    fprintf(stream, "\r%s%s", line, clear_to_end);
    fflush(stream);
}
