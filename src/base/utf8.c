/* SPDX-License-Identifier: MIT */
/* UTF-8: a single pass over the bytes, eight at a time while they are ASCII. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <omegapac/text.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The length of a character by its first byte; 0 for a byte that cannot be first. */
static size_t expected_length(unsigned char first)
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

/* After some first bytes, the second one is restricted, to exclude overlong forms, surrogates and too large
 * code points. */
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
    size_t size = expected_length(first);
    if (size > length)
        return 0;
    for (size_t i = 1; i < size; i++)
        if (!is_continuation((unsigned char)bytes[i]))
            return 0;
    return size < 2 || second_fits(first, (unsigned char)bytes[1]) ? size : 0;
}

/* The number of ASCII bytes at the start, as a multiple of eight. */
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

void base_utf8_place(const char *bytes, size_t at, uint32_t *line, uint32_t *column)
{
    size_t line_begin = 0;
    *line = 1;
    for (size_t i = 0; i < at; i++)
        if (bytes[i] == '\n') {
            ++*line;
            line_begin = i + 1;
        }
    *column = (uint32_t)base_utf8_count(bytes + line_begin, at - line_begin) + 1;
}

static opac_status fail_at_byte(const char *bytes, size_t at, opac_error *error)
{
    uint32_t line, column;
    base_utf8_place(bytes, at, &line, &column);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, line, column,
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

/* The code point of a valid character. */
static uint32_t decode(const unsigned char *bytes, size_t size)
{
    static const unsigned char first[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t point = bytes[0] & first[size];
    for (size_t i = 1; i < size; i++)
        point = point << 6 | (bytes[i] & 0x3F);
    return point;
}

/*
 * Characters that are invisible, or change how others are displayed: controls, format characters, line
 * separators, and ignorable characters (fillers, variation selectors, tags). From the general categories
 * Cc, Cf, Zl and Zp and the property Default_Ignorable_Code_Point of Unicode 15; ascending.
 */
static const struct {
    uint32_t first, last;
} invisible[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},
    {0x0600, 0x0605},   {0x061C, 0x061C},   {0x06DD, 0x06DD},   {0x070F, 0x070F},
    {0x0890, 0x0891},   {0x08E2, 0x08E2},   {0x115F, 0x1160},   {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

/* Whether a valid character can be written to a terminal as it is. */
static bool is_harmless(const char *character, size_t size)
{
    uint32_t point = decode((const unsigned char *)character, size);
    if (point >= 0x20 && point < 0x7F)
        return true;
    for (size_t i = 0; i < sizeof invisible / sizeof *invisible && invisible[i].first <= point; i++)
        if (point <= invisible[i].last)
            return false;
    return true;
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

/* Writes the first character, or the escape of the first byte, to the piece. Returns the number of bytes
 * read; *shown is the number of bytes written. */
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
    size_t used = 0, cut = 0; /* cut: the last position at which "..." still fits */
    for (size_t at = 0; at < length;) {
        char piece[4];
        size_t shown, taken = show_character(bytes + at, length - at, piece, &shown);
        if (used + shown >= size) {
            size_t space = size - 1 - cut, dots = space < 3 ? space : 3;
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
    size_t from = 0, space = size - sizeof "...";
    for (size_t rest = whole; rest > space; rest -= shown)
        from += show_character(path + from, length - from, piece, &shown);
    memset(buffer, '.', 3);
    opac_text_show(path + from, length - from, buffer + 3, size - 3);
    return buffer;
}
