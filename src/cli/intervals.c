/* SPDX-License-Identifier: MIT */
#include "cli/intervals.h"

#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "cli/lines.h"

enum {
    MOST_DIGITS = 17
};

/* More digits than the ends have in common. */
static int digits_of(opac_interval interval, int more)
{
    double width = interval.upper - interval.lower;
    if (!(width > 0))
        return MOST_DIGITS;
    double digits = more - floor(log10(width / interval.upper));
    return digits < MOST_DIGITS ? (int)digits : MOST_DIGITS;
}

/* Digits that mean something: one more than the ends have in common. What is cut is less than half
 * of the width, so a number in the middle stays between the ends. */
static double cut(opac_interval interval)
{
    char text[OPAC_NUMBER_SIZE + 8];
    double value;
    opac_error error;
    snprintf(text, sizeof text, "%.*e", digits_of(interval, 1) - 1, interval.value);
    return opac_number_parse(text, &value, &error) == OPAC_OK && value >= interval.lower &&
                   value <= interval.upper
               ? value
               : interval.value;
}

void cli_interval_write(opac_interval interval, const char *fraction, opac_output *out)
{
    int digits = digits_of(interval, 3); /* which say all there is to say */
    char value[OPAC_NUMBER_SIZE], lower[OPAC_NUMBER_SIZE], upper[OPAC_NUMBER_SIZE];
    if (fraction != NULL) {
        opac_output_text(out, fraction);
        return;
    }
    opac_output_print(out, "%s [%s, %s]", opac_number_format(cut(interval), value),
                      opac_number_format_down(interval.lower, digits, lower),
                      opac_number_format_up(interval.upper, digits, upper));
}

void cli_interval_echo(opac_interval interval, const char *fraction, opac_json *json)
{
    opac_json_key(json, "value");
    opac_json_double(json, interval.value);
    opac_json_key(json, "lower");
    opac_json_double(json, interval.lower);
    opac_json_key(json, "upper");
    opac_json_double(json, interval.upper);
    if (fraction != NULL) {
        opac_json_key(json, "exact");
        opac_json_string(json, fraction);
    }
}

void cli_interval_write_decimal(opac_interval interval, const char *fraction, opac_output *out)
{
    char value[OPAC_NUMBER_SIZE];
    if (fraction == NULL)
        return;
    cli_write_key(out, "decimal");
    opac_output_print(out, "%s\n", opac_number_format(interval.value, value));
}

void cli_interval_write_wide(opac_output *out)
{
    cli_write_key(out, "precision");
    opac_output_text(out, "not reached: the enclosure is wider than asked for\n");
}
