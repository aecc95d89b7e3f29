/* SPDX-License-Identifier: MIT */
/*
 * Shows a line of a text with a caret under a column. The line is split into characters, each as
 * opac_text_show displays it, and a window of them around the caret is shown. A long line is first
 * shortened to the part near the caret, so that a file of a single line of a hundred megabytes costs
 * little.
 */
#include <omegapac/text.h>

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

enum {
    PIECE_SIZE = 8, /* bytes of "\xNN" or of a character, and a NUL */
    DOTS = 3,
    NARROWEST_WITH_DOTS = 13 /* least width at which the dots do not cover the caret */
};

/* A character of the line as it is displayed. */
typedef struct shown_character {
    char bytes[PIECE_SIZE];
    size_t taken;   /* bytes of the line */
    size_t columns; /* of the display */
} shown_character;

static shown_character show_character(const char *line, size_t length)
{
    shown_character made;
    made.taken = base_utf8_length(line, length);
    if (made.taken == 0)
        made.taken = 1;
    if (line[0] == '\t') {
        strcpy(made.bytes, " ");
    } else {
        opac_text_show(line, made.taken, made.bytes, sizeof made.bytes);
        if (made.bytes[0] == '\\' && line[0] != '\\') { /* each byte of a character is escaped */
            made.taken = 1;
            opac_text_show(line, 1, made.bytes, sizeof made.bytes);
        }
    }
    made.columns = base_utf8_count(made.bytes, strlen(made.bytes));
    return made;
}

/* The line of that number; if there is none, the last line, and *number becomes 0. */
static const char *find_line(const char *text, size_t length, uint32_t *number, size_t *line_length)
{
    const char *end = text + length, *line = text;
    for (uint32_t at = 1; at < *number; at++) {
        const char *next = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
        if (next == NULL) {
            *number = 0;
            break;
        }
        line = next + 1;
    }
    const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    *line_length = (size_t)((stop != NULL ? stop : end) - line);
    if (*line_length > 0 && line[*line_length - 1] == '\r')
        --*line_length;
    return line;
}

/* The length in bytes of the first `characters` characters of the line, or of all of it. */
static size_t skip(const char *line, size_t length, size_t characters)
{
    size_t at = 0;
    for (; at < length && characters > 0; characters--) {
        size_t size = (signed char)line[at] >= 0 ? 1 : base_utf8_length(line + at, length - at);
        at += size > 0 ? size : 1;
    }
    return at;
}

/*
 * Shortens a line to the part near the column. On either side it keeps more characters than the window has
 * columns, so that the result does not change.
 */
static const char *cut_line(const char *line, size_t *length, size_t *column, size_t width)
{
    size_t near = 2 * width;
    if (*length <= 2 * near)
        return line;
    if (*column > 0 && skip(line, *length, *column - 1) == *length) /* at the end, or beyond */
        *column = base_utf8_count(line, *length) + 1;
    size_t left_out = *column > near ? *column - near : 0;
    size_t from = skip(line, *length, left_out);
    *column -= left_out;
    *length = skip(line + from, *length - from, 2 * near);
    return line + from;
}

/* The number of displayed columns before a column of the text; SIZE_MAX: of the whole line. */
static size_t shown_columns(const char *line, size_t length, size_t column)
{
    size_t at = 0, shown = 0;
    for (size_t i = 1; at < length && i < column; i++) {
        /* A character is one column of the text, even if its bytes are escaped one by one. */
        size_t size = base_utf8_length(line + at, length - at), stop = at + (size > 0 ? size : 1);
        while (at < stop) {
            shown_character next = show_character(line + at, length - at);
            at += next.taken;
            shown += next.columns;
        }
    }
    return shown;
}

/* Writes the displayed columns from … to-1. Blanks replace an escape that is only partly inside. */
static char *write_window(const char *line, size_t length, size_t from, size_t to, char *out)
{
    for (size_t at = 0, shown = 0; at < length && shown < to;) {
        shown_character next = show_character(line + at, length - at);
        size_t end = shown + next.columns;
        if (shown >= from && end <= to) {
            memcpy(out, next.bytes, strlen(next.bytes));
            out += strlen(next.bytes);
        } else if (end > from) { /* partly inside */
            size_t begin = shown > from ? shown : from, stop = end < to ? end : to;
            memset(out, ' ', stop - begin);
            out += stop - begin;
        }
        at += next.taken;
        shown = end;
    }
    return out;
}

/* The displayed columns that are written: from … to-1. */
typedef struct window {
    size_t from, to;
} window;

static window choose_window(size_t total, size_t caret, size_t width)
{
    window chosen = {0, total};
    if (total < width) /* one column is for a caret after the end */
        return chosen;
    size_t half = width / 2, last = total + 1 - width;
    chosen.from = caret > half ? caret - half : 0;
    chosen.from = chosen.from < last ? chosen.from : last;
    chosen.to = chosen.from + width < total ? chosen.from + width : total;
    return chosen;
}

static char *write_line(const char *line, size_t length, window shown, size_t total, size_t width,
                        char *out)
{
    bool has_dots = width >= NARROWEST_WITH_DOTS;
    size_t before = has_dots && shown.from > 0 ? DOTS : 0;
    size_t after = has_dots && shown.to < total ? DOTS : 0;
    memset(out, '.', before);
    out = write_window(line, length, shown.from + before, shown.to - after, out + before);
    memset(out, '.', after);
    return out + after;
}

const char *opac_text_caret(const char *text, size_t length, uint32_t line, uint32_t column,
                            size_t width, char *buffer, size_t size)
{
    size_t line_length, widest = size > 2 ? (size - 2) / 5 : 0;
    width = width < widest ? width : widest;
    if (width == 0) {
        if (size > 0)
            buffer[0] = '\0';
        return buffer;
    }
    line = line > 0 ? line : 1;
    const char *begin = find_line(text, length, &line, &line_length);
    size_t position = line > 0 ? column : SIZE_MAX;
    begin = cut_line(begin, &line_length, &position, width);
    size_t total = shown_columns(begin, line_length, SIZE_MAX);
    size_t caret = shown_columns(begin, line_length, position);
    window shown = choose_window(total, caret, width);
    char *out = write_line(begin, line_length, shown, total, width, buffer);
    *out++ = '\n';
    memset(out, ' ', caret - shown.from);
    out += caret - shown.from;
    *out++ = '^';
    *out = '\0';
    return buffer;
}
