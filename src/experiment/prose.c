/* SPDX-License-Identifier: MIT */
/*
 * Texts of experiments as pages show them: `code` between backquotes, and whole numbers of five
 * digits or more in groups of three, 71,394,132, as in reports. Files for programs have them as
 * they are.
 */
#include <ctype.h>
#include <string.h>

#include "experiment/record.h"
#include "report/html.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters, digits, and all bytes of a sign that is not ASCII, such as the · of 1.5·10⁹. */
static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether what ends here leads on to digits: "x12", "1.5", "1e-5", "2^10". */
static bool leads_on(const char *begin, const char *end)
{
    if (end == begin)
        return false;
    if (end[-1] == '-')
        return end - begin > 1 && (is_word(end[-2]) || end[-2] == '^');
    return is_word(end[-1]) || end[-1] == '.' || end[-1] == '^';
}

/* Whether digits are continued by what begins here, so that they are no whole number. */
static bool goes_on(const char *at, const char *end)
{
    return at < end && (is_word(*at) || (*at == '.' && at + 1 < end && is_digit(at[1])));
}

static void write_digits(opac_output *out, const char *digits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            opac_output_text(out, ",");
        opac_output_write(out, digits + i, 1);
    }
}

static void write_plain(opac_output *out, const char *text, size_t length)
{
    const char *end = text + length, *done = text;
    for (const char *at = text; at < end;) {
        size_t digits = 0;
        while (at + digits < end && is_digit(at[digits]))
            digits++;
        if (digits >= 5 && !leads_on(text, at) && !goes_on(at + digits, end)) {
            report_html_bytes(out, done, (size_t)(at - done));
            write_digits(out, at, digits);
            done = at + digits;
        }
        at += digits > 0 ? digits : 1;
    }
    report_html_bytes(out, done, (size_t)(end - done));
}

void experiment_prose_write(opac_output *out, const char *text)
{
    bool is_code = false;
    for (;;) {
        size_t run = strcspn(text, "`");
        if (is_code)
            report_html_bytes(out, text, run);
        else
            write_plain(out, text, run);
        text += run;
        if (*text++ == '\0')
            break;
        is_code = !is_code;
        opac_output_text(out, is_code ? "<code>" : "</code>");
    }
    if (is_code)
        opac_output_text(out, "</code>");
}
