/* SPDX-License-Identifier: MIT */
/* UTF-8: one pass over the bytes, eight at a time while they are plain ASCII. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <omegapac/text.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The length that a first byte announces; 0 for one that cannot be first. */
static size_t announced(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2)
        return 0; /* a continuation, or the start of an overlong pair */
    if (first < 0xE0)
        return 2;
    if (first < 0xF0)
        return 3;
    return first < 0xF5 ? 4 : 0;
}

/* Some first bytes narrow the second: no overlong forms, surrogates, or code points too large. */
static bool second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second < 0xA0;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second < 0x90;
    default:
        return true;
    }
}

size_t base_utf8_length(const char *bytes, size_t length)
{
    if (length == 0)
        return 0;
    unsigned char first = (unsigned char)bytes[0];
    size_t size = announced(first);
    if (size > length)
        return 0;
    for (size_t i = 1; i < size; i++)
        if (!is_continuation((unsigned char)bytes[i]))
            return 0;
    return size < 2 || second_fits(first, (unsigned char)bytes[1]) ? size : 0;
}

/* The number of bytes at the start, in eights, that are below 0x80. */
static size_t ascii_prefix(const char *bytes, size_t length)
{
    size_t at = 0;
    for (; length - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        if ((word & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    return at;
}

static opac_status fail_at_byte(const char *bytes, size_t at, opac_error *error)
{
    uint32_t line = 1;
    size_t line_begin = 0;
    for (size_t i = 0; i < at; i++)
        if (bytes[i] == '\n') {
            line++;
            line_begin = i + 1;
        }
    size_t column = base_utf8_count(bytes + line_begin, at - line_begin) + 1;
    return base_fail_at(error, OPAC_ERROR_SYNTAX, line, (uint32_t)column,
                        "invalid UTF-8: unexpected byte 0x%02X",
                        (unsigned)(unsigned char)bytes[at]);
}

opac_status base_utf8_check(const char *bytes, size_t length, opac_error *error)
{
    for (size_t at = 0; at < length;) {
        at += ascii_prefix(bytes + at, length - at);
        if (at == length)
            break;
        size_t size = base_utf8_length(bytes + at, length - at);
        if (size == 0)
            return fail_at_byte(bytes, at, error);
        at += size;
    }
    return OPAC_OK;
}

size_t base_utf8_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; count++) {
        size_t size = base_utf8_length(bytes + at, length - at);
        at += size > 0 ? size : 1;
    }
    return count;
}

/* U+2028 … U+202E and U+2066 … U+2069: line separators, and marks that reorder what follows. */
static bool reorders(const unsigned char *bytes)
{
    if (bytes[0] != 0xE2)
        return false;
    return (bytes[1] == 0x80 && bytes[2] >= 0xA8 && bytes[2] <= 0xAE) ||
           (bytes[1] == 0x81 && bytes[2] >= 0xA6 && bytes[2] <= 0xA9);
}

/* Whether a valid character may go onto a terminal as it is. */
static bool is_harmless(const char *character, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)character;
    switch (size) {
    case 1:
        return bytes[0] >= 0x20 && bytes[0] != 0x7F;
    case 2:
        return bytes[0] != 0xC2 || bytes[1] >= 0xA0; /* U+0080 … U+009F are controls */
    case 3:
        return !reorders(bytes);
    default:
        return size == 4;
    }
}

static size_t write_escape(char *to, unsigned char byte)
{
    static const char digits[] = "0123456789ABCDEF";
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[byte >> 4];
    to[3] = digits[byte & 15];
    return 4;
}

/* How the bytes' first character is shown: how many are taken, and how many of the piece are used. */
static size_t show_character(const char *bytes, size_t length, char piece[4], size_t *shown)
{
    size_t taken = base_utf8_length(bytes, length);
    if (taken > 0 && is_harmless(bytes, taken)) {
        memcpy(piece, bytes, taken);
        *shown = taken;
        return taken;
    }
    *shown = write_escape(piece, (unsigned char)bytes[0]);
    return 1;
}

const char *opac_text_show(const char *bytes, size_t length, char *buffer, size_t size)
{
    if (size == 0)
        return buffer;
    size_t used = 0, cut = 0; /* cut: the last place where "..." would still fit */
    for (size_t at = 0; at < length;) {
        char piece[4];
        size_t shown, taken = show_character(bytes + at, length - at, piece, &shown);
        if (used + shown >= size) {
            size_t room = size - 1 - cut, dots = room < 3 ? room : 3;
            memset(buffer + cut, '.', dots);
            buffer[cut + dots] = '\0';
            return buffer;
        }
        memcpy(buffer + used, piece, shown);
        used += shown;
        at += taken;
        if (used + sizeof "..." <= size)
            cut = used;
    }
    buffer[used] = '\0';
    return buffer;
}

const char *opac_text_show_path(const char *path, char *buffer, size_t size)
{
    char piece[4];
    size_t length = strlen(path), whole = 0, shown;
    for (size_t at = 0; at < length; whole += shown)
        at += show_character(path + at, length - at, piece, &shown);
    if (whole < size || size < sizeof "...")
        return opac_text_show(path, length, buffer, size);
    size_t from = 0, room = size - sizeof "...";
    for (size_t rest = whole; rest > room; rest -= shown)
        from += show_character(path + from, length - from, piece, &shown);
    memset(buffer, '.', 3);
    opac_text_show(path + from, length - from, buffer + 3, size - 3);
    return buffer;
}
