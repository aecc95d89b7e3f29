/* SPDX-License-Identifier: MIT */
#include "result/lines.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/rounding.h"
#include "result/result_read.h"

enum {
    LINE_WIDTH = 80,
    FEW_DIGITS = 6,
    MOST_DIGITS = 17
};

static const char unknown[] = "unknown";

/* ---- lines ---- */

void result_line_key(opac_output *out, const char *key)
{
    opac_output_print(out, "%-*s", OPAC_KEY_WIDTH, key);
}

/* Writes a text with unprintable bytes escaped, without truncation. */
static void show_whole(opac_output *out, const char *text, size_t length)
{
    char *shown =
        length < SIZE_MAX / 4 ? base_alloc(4 * length + 1, 1) : NULL; /* \xNN for each byte */
    if (shown == NULL)
        base_output_fail(out, OPAC_ERROR_MEMORY, "out of memory");
    else
        opac_output_text(out, opac_text_show(text, length, shown, 4 * length + 1));
    base_free(shown);
}

/* The length of the first line of a wrapped text: the words that fit, at least one. */
static size_t line_length(const char *text, size_t most)
{
    size_t columns = 0, best = 0;
    for (size_t i = 0;; i++) {
        bool is_end = text[i] == ' ' || text[i] == '\0';
        if (is_end && (columns <= most || best == 0))
            best = i;
        if (text[i] == '\0' || (columns > most && best > 0))
            return best;
        columns += ((unsigned char)text[i] & 0xC0) != 0x80; /* characters, not bytes */
    }
}

void result_line_wrapped(opac_output *out, const char *key, const char *text)
{
    if (text == NULL)
        return;
    do {
        size_t length = line_length(text, LINE_WIDTH - OPAC_KEY_WIDTH);
        result_line_key(out, key);
        show_whole(out, text, length);
        opac_output_text(out, "\n");
        text += length + (text[length] == ' ');
        key = "";
    } while (*text != '\0');
}

void result_line_shown(opac_output *out, const char *key, const char *text)
{
    result_line_key(out, key);
    result_show(out, text);
    opac_output_text(out, "\n");
}

void result_line_path(opac_output *out, const char *key, const char *path)
{
    result_line_key(out, key);
    result_show_path(out, path);
    opac_output_text(out, "\n");
}

void result_line_seconds(opac_output *out, const char *key, double seconds)
{
    char duration[OPAC_QUANTITY_SIZE];
    if (isnan(seconds))
        return;
    result_line_key(out, key);
    opac_output_print(out, "%s\n", opac_duration_format(seconds, duration, sizeof duration));
}

void result_line_model(opac_output *out, base_json_value inputs)
{
    const char *type = result_get_text(inputs, "type");
    if (type == NULL) {
        result_line_shown(out, "simulator", result_get_text(inputs, "model"));
        return;
    }
    result_line_key(out, "model");
    result_show(out, type);
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(inputs, "states"), "state");
    opac_output_text(out, "\n");
}

void result_lines_assumptions(opac_output *out, base_json_value guarantee, size_t first)
{
    base_json_value items = result_get(guarantee, "assumes");
    for (size_t i = first; i < result_count(items); i++)
        result_line_wrapped(out, i == first ? "assumes" : "", result_item_text(items, i));
    if (result_get_text(guarantee, "tested") != NULL)
        result_line_wrapped(out, "tested", result_get_text(guarantee, "tested"));
}

void result_line_contradiction(opac_output *out, base_json_value truth)
{
    if (result_get_bool(truth, "contradicts"))
        result_line_wrapped(
            out, "contradiction",
            "the model contradicts the guarantee: either an assumption is false, or this is "
            "one of the runs in which the guarantee may fail");
}

void result_line_policy(opac_output *out, uint64_t decisions, uint64_t memory)
{
    result_line_key(out, "policy");
    result_show_count(out, decisions, "decision");
    if (memory > 0) {
        opac_output_text(out, ", ");
        result_show_count(out, memory, "memory value");
    }
    opac_output_text(out, "\n");
}

void result_lines_initial(opac_output *out, base_json_value found, const char *remark)
{
    base_json_value initial = result_get(found, "initial");
    for (size_t i = 0; i < result_count(initial); i++) {
        result_line_key(out, "from");
        result_show_state(out, result_item(initial, i));
        opac_output_text(out, ": ");
        result_show_interval(out, result_item(initial, i));
        opac_output_print(out, "%s\n", remark);
    }
}

void result_line_precision(opac_output *out, base_json_value found)
{
    if (!base_json_is_there(result_get(found, "precise")) || result_get_bool(found, "precise"))
        return;
    result_line_key(out, "precision");
    opac_output_text(out, "not reached: the enclosure is wider than requested\n");
}

/* ---- within lines ---- */

void result_show(opac_output *out, const char *text)
{
    char shown[OPAC_SHOWN_SIZE];
    if (text != NULL)
        opac_output_text(out, opac_text_show(text, strlen(text), shown, sizeof shown));
}

void result_show_named(opac_output *out, const char *name, const char *text)
{
    if (name != NULL) {
        opac_output_text(out, "\"");
        result_show(out, name);
        opac_output_text(out, "\": ");
    }
    result_show(out, text);
}

void result_show_path(opac_output *out, const char *path)
{
    show_whole(out, path, strlen(path));
}

void result_show_count(opac_output *out, uint64_t count, const char *noun)
{
    opac_output_print(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

static void show_value(opac_output *out, base_json_value value)
{
    bool is_true = false;
    const char *digits = "?";
    if (base_json_kind_of(value) == BASE_JSON_BOOL) {
        (void)base_json_bool(value, &is_true, NULL);
        digits = is_true ? "true" : "false";
    } else if (base_json_kind_of(value) == BASE_JSON_NUMBER) {
        (void)base_json_number_text(value, &digits, NULL);
    }
    result_show(out, value.key);
    opac_output_print(out, "=%s", digits);
}

void result_show_state(opac_output *out, base_json_value state)
{
    base_json_value values = result_get(state, "values"), value = {0};
    if (!base_json_is_there(values) || base_json_kind_of(values) != BASE_JSON_OBJECT) {
        opac_output_print(out, "%" PRIu64, result_get_uint(state, "state"));
        return;
    }
    for (const char *before = ""; base_json_next(values, &value); before = ", ") {
        opac_output_text(out, before);
        show_value(out, value);
    }
}

const char *result_format_number(double value, char *buffer)
{
    return isnan(value) ? unknown : opac_number_format(value, buffer);
}

const char *result_format_down(double value, int digits, char *buffer)
{
    return isnan(value) ? unknown : opac_number_format_down(value, digits, buffer);
}

const char *result_format_up(double value, int digits, char *buffer)
{
    return isnan(value) ? unknown : opac_number_format_up(value, digits, buffer);
}

void result_show_number(opac_output *out, double value)
{
    char number[OPAC_NUMBER_SIZE];
    double cut = base_round_digits(value, FEW_DIGITS);
    if (!isfinite(cut) || (cut >= 1) != (value >= 1) || (cut > 0) != (value > 0))
        cut = value;
    opac_output_text(out, result_format_number(cut, number));
}

/* ---- intervals ---- */

/* The number of digits in which the ends agree plus `more`; all digits if they do not differ. */
static int digits_of(double lower, double upper, int more)
{
    double digits = more - floor(log10((upper - lower) / upper));
    return digits >= 1 && digits < MOST_DIGITS ? (int)digits : MOST_DIGITS;
}

/* Rounds to one digit more than the ends have in common. The change is below half of the width, so the
 * midpoint stays between the ends. */
static double cut(double value, double lower, double upper)
{
    double shorter = base_round_digits(value, digits_of(lower, upper, 1));
    return shorter >= lower && shorter <= upper ? shorter : value;
}

void result_show_interval(opac_output *out, base_json_value interval)
{
    const char *fraction = result_get_text(interval, "exact");
    double lower = result_get_double(interval, "lower"),
           upper = result_get_double(interval, "upper");
    int digits = digits_of(lower, upper, 3); /* enough to tell the ends apart */
    char value[OPAC_NUMBER_SIZE], low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    if (fraction != NULL) {
        result_show_path(out, fraction); /* the answer itself is never truncated */
        return;
    }
    opac_output_print(
        out, "%s [%s, %s]",
        result_format_number(cut(result_get_double(interval, "value"), lower, upper), value),
        result_format_down(lower, digits, low), result_format_up(upper, digits, high));
}

void result_line_decimal(opac_output *out, base_json_value interval)
{
    char value[OPAC_NUMBER_SIZE];
    if (result_get_text(interval, "exact") == NULL)
        return;
    result_line_key(out, "decimal");
    opac_output_print(out, "%s\n",
                      result_format_number(result_get_double(interval, "value"), value));
}
