/* SPDX-License-Identifier: MIT */
/*
 * Numbers that people read: whole ones in groups of three digits, others with six digits, of which
 * the last is rounded as it was asked for; all digits are there for who points at it.
 */
#include <math.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "report/page.h"

enum {
    DIGITS = 6,      /* of a number that is read at a glance */
    MOST_TEXT = 100, /* characters of a number that is grouped */
    FEWEST_GROUPED = 5
};

/* Digits in groups of three, if five or more stand before the point. */
static void put_digits(report_page *page, const char *text)
{
    size_t sign = text[0] == '-', length = strlen(text), digits = strspn(text + sign, "0123456789");
    const char *rest = text + sign + digits;
    if (digits < FEWEST_GROUPED || length > MOST_TEXT || (*rest != '\0' && *rest != '.')) {
        report_put(page, text);
        return;
    }
    char grouped[2 * MOST_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < sign + digits; i++) {
        if (i > sign && (sign + digits - i) % 3 == 0)
            grouped[used++] = ',';
        grouped[used++] = text[i];
    }
    grouped[used] = '\0';
    report_raw(page, grouped);
    report_put(page, rest);
}

/* Of a number >= 0. */
static void round_to(double value, report_rounding how, char *buffer)
{
    char up[OPAC_NUMBER_SIZE], down[OPAC_NUMBER_SIZE];
    double above = 0, below = 0;
    opac_number_format_up(value, DIGITS, up);
    opac_number_format_down(value, DIGITS, down);
    bool is_up = how == REPORT_UP;
    if (how == REPORT_NEAREST && opac_number_parse(up, &above, NULL) == OPAC_OK &&
        opac_number_parse(down, &below, NULL) == OPAC_OK)
        is_up = above - value < value - below;
    strcpy(buffer, is_up ? up : down);
}

/* Into a buffer of OPAC_NUMBER_SIZE, and one more for a sign. */
static const char *rounded(double value, report_rounding how, char *buffer)
{
    if (!(value < 0)) {
        round_to(value, how, buffer);
        return buffer;
    }
    buffer[0] = '-';
    round_to(-value,
             how == REPORT_UP     ? REPORT_DOWN
             : how == REPORT_DOWN ? REPORT_UP
                                  : how,
             buffer + 1);
    return buffer;
}

report_rounding report_confidence_rounding(double confidence)
{
    return confidence > 1 - 1e-5 ? REPORT_DOWN : REPORT_NEAREST;
}

void report_put_rounded(report_page *page, double value, report_rounding how)
{
    char text[OPAC_NUMBER_SIZE + 1];
    if (isnan(value))
        report_raw(page, "unknown");
    else if (isfinite(value) && value == floor(value))
        put_digits(page, opac_number_format(value, text));
    else
        put_digits(page, rounded(value, how, text));
}

void report_put_glance(report_page *page, double value, report_rounding how)
{
    char all[OPAC_NUMBER_SIZE], text[OPAC_NUMBER_SIZE + 1];
    bool is_cut = isfinite(value) && value != floor(value) &&
                  strcmp(opac_number_format(value, all), rounded(value, how, text)) != 0;
    if (is_cut)
        report_print(page, "<span title=\"%s\">", all);
    report_put_rounded(page, value, how);
    report_raw(page, is_cut ? "</span>" : "");
}

void report_put_number_value(report_page *page, report_value value, report_rounding how)
{
    const char *text = "";
    double number = 0;
    report_fail(page, base_json_number_text(value, &text, page->error));
    if (report_failed(page))
        return;
    bool is_whole = strspn(text, "-0123456789") == strlen(text);
    if (!is_whole && base_json_double(value, &number, NULL) == OPAC_OK)
        report_put_glance(page, number, how);
    else /* exact, or beyond all doubles */
        put_digits(page, text);
}

void report_put_interval(report_page *page, double lower, double upper)
{
    report_raw(page, "[");
    report_put_glance(page, lower, REPORT_DOWN);
    report_raw(page, ", ");
    report_put_glance(page, upper, REPORT_UP);
    report_raw(page, "]");
}

void report_put_duration(report_page *page, double seconds)
{
    char text[OPAC_QUANTITY_SIZE];
    report_put(page, opac_duration_format(seconds, text, sizeof text));
}
