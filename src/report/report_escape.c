/* SPDX-License-Identifier: MIT */
#include "report/report_escape.h"

#include <stdint.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/sha256.h"
#include "base/utf8.h"
#include "drawing/draw_text.h"

enum {
    PIECE = 256 /* most bytes that are escaped at a time */
};

/* The length of the next piece: at most PIECE bytes, and not ending within a character. */
static size_t piece_length(const char *text, size_t length)
{
    if (length <= PIECE)
        return length;
    size_t cut = PIECE;
    while (cut > PIECE - 4 && ((unsigned char)text[cut] & 0xC0) == 0x80)
        cut--;
    return cut;
}

void report_html_bytes(opac_output *out, const char *text, size_t length)
{
    char shown[PIECE * 4 + 8]; /* an escaped byte has four characters */
    while (length > 0) {
        size_t piece = piece_length(text, length);
        drawing_text_write(out, opac_text_show(text, piece, shown, sizeof shown));
        text += piece;
        length -= piece;
    }
}

void report_html_text(opac_output *out, const char *text)
{
    report_html_bytes(out, text, strlen(text));
}

void report_html_lines(opac_output *out, const char *text, size_t length)
{
    for (const char *end = text + length, *feed; text < end; text = feed + 1) {
        feed = memchr(text, '\n', (size_t)(end - text));
        report_html_bytes(out, text, (size_t)((feed != NULL ? feed : end) - text));
        if (feed == NULL)
            return;
        opac_output_text(out, "\n");
    }
}

/* Writes a UTF-8 character of 2 to 4 bytes as UTF-16 escapes. */
static void write_utf16(opac_output *out, const char *bytes, size_t size)
{
    uint32_t code = (unsigned char)bytes[0] & (0x7FU >> size);
    for (size_t i = 1; i < size; i++)
        code = code << 6 | ((unsigned char)bytes[i] & 0x3FU);
    if (code < 0x10000) {
        opac_output_print(out, "\\u%04x", (unsigned)code);
        return;
    }
    code -= 0x10000;
    opac_output_print(out, "\\u%04x\\u%04x", (unsigned)(0xD800 + (code >> 10)),
                      (unsigned)(0xDC00 + (code & 0x3FF)));
}

static bool is_plain(char c)
{
    return (unsigned char)c < 0x7F && c != '<' && c != '>' && c != '&';
}

void report_json_bytes(opac_output *out, const char *json, size_t length)
{
    for (const char *end = json + length; json < end;) {
        size_t run = 0, size;
        while (json + run < end && is_plain(json[run]))
            run++;
        opac_output_write(out, json, run);
        json += run;
        if (json == end)
            return;
        size = base_utf8_length(json, (size_t)(end - json));
        if (size > 1)
            write_utf16(out, json, size);
        else
            opac_output_print(out, "\\u%04x", (unsigned)(unsigned char)*json);
        json += size > 1 ? size : 1;
    }
}

void report_hash(opac_output *out, const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char digest[BASE_SHA256_BYTES + 1] = {0}; /* whole groups of three bytes */
    char text[BASE_SHA256_BYTES / 3 * 4 + 5];
    size_t used = 0;
    base_sha256 hash;
    base_sha256_init(&hash);
    base_sha256_add(&hash, bytes, length);
    base_sha256_finish(&hash, digest);
    for (size_t i = 0; i < BASE_SHA256_BYTES; i += 3) {
        unsigned bits = (unsigned)digest[i] << 16 | (unsigned)digest[i + 1] << 8 | digest[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            text[used++] = digits[bits >> shift & 63];
    }
    text[used - 1] = '='; /* the byte that pads the last group */
    text[used] = '\0';
    opac_output_print(out, "'sha256-%s'", text);
}
