/* SPDX-License-Identifier: MIT */
/*
 * The frame of a page, and texts in it. Style and script are written into the page as they are:
 * they must hold neither "</style" nor "</script", which a test looks after.
 */
#include "report/html.h"

#include <stdbool.h>
#include <string.h>

#include <omegapac/text.h>
#include <omegapac/version.h>

#include "base/sha256.h"
#include "drawing/text.h"

enum {
    PIECE = 256 /* bytes that are shown at a time */
};

/* Where to cut, at most PIECE bytes on: not within a character. */
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

/* "'sha256-...'" of the script as it stands in the page, in base 64: no other one is run. */
static void write_script_hash(opac_output *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char digest[BASE_SHA256_BYTES + 1] = {0}; /* whole groups of three bytes */
    char text[BASE_SHA256_BYTES / 3 * 4 + 5];
    size_t used = 0;
    base_sha256 hash;
    base_sha256_init(&hash);
    base_sha256_add(&hash, "\n", 1);
    base_sha256_add(&hash, report_script, strlen(report_script));
    base_sha256_finish(&hash, digest);
    for (size_t i = 0; i < BASE_SHA256_BYTES; i += 3) {
        unsigned bits = (unsigned)digest[i] << 16 | (unsigned)digest[i + 1] << 8 | digest[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            text[used++] = digits[bits >> shift & 63];
    }
    text[used - 1] = '='; /* the byte that was none */
    text[used] = '\0';
    opac_output_print(out, "'sha256-%s'", text);
}

void report_html_begin(opac_output *out, const char *title, bool with_script)
{
    opac_output_text(out,
                     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"generator\" content=\"omegapac\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; img-src data:; script-src ");
    if (with_script)
        write_script_hash(out);
    else
        opac_output_text(out, "'none'");
    opac_output_text(out, "\">\n<title>");
    report_html_text(out, title);
    opac_output_text(out, "</title>\n<style>\n");
    opac_output_text(out, report_style);
    opac_output_text(out, "</style>\n");
    if (with_script) { /* deferred by standing in a module: all is there when it runs */
        opac_output_text(out, "<script type=\"module\">\n");
        opac_output_text(out, report_script);
        opac_output_text(out, "</script>\n");
    }
    opac_output_text(
        out, "</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
             "<main id=\"content\" tabindex=\"-1\">\n");
}

void report_html_end(opac_output *out)
{
    opac_output_text(out,
                     "</main>\n<footer>omegapac " OPAC_VERSION "</footer>\n</body>\n</html>\n");
}
