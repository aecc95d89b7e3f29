/* SPDX-License-Identifier: MIT */
/* The streaming JSON writer: checks the order of calls, and writes commas and escapes. Uses constant
 * memory. */
#include <omegapac/json.h>

#include <math.h>
#include <string.h>

#include <omegapac/number.h>

#include "base/digits.h"
#include "base/output.h"
#include "base/utf8.h"

void opac_json_init(opac_json *json, opac_output *out)
{
    *json = (opac_json){.out = out};
}

/*
 * A call that is not allowed here makes the output fail. It changes nothing else, so the state is
 * consistent for the following calls, whose text is discarded.
 */
static bool misuse(opac_json *json, const char *message)
{
    base_output_fail(json->out, OPAC_ERROR_ARGUMENT, message);
    return false;
}

/* The bit of the innermost open container, which must exist. */
static uint64_t innermost(const opac_json *json)
{
    return UINT64_C(1) << (json->depth - 1);
}

static bool in_object(const opac_json *json)
{
    return json->depth > 0 && (json->is_object & innermost(json)) != 0;
}

/* Writes the separator between two items of the innermost container. */
static void separate(opac_json *json)
{
    if (json->has_members & innermost(json))
        opac_output_write(json->out, ", ", 2);
    json->has_members |= innermost(json);
}

/* Called before each value; false if a value is not allowed here. */
static bool begin_value(opac_json *json)
{
    if (json->depth == 0) {
        if (json->has_value)
            return misuse(json, "JSON: a second value after the first");
        json->has_value = true;
    } else if (!in_object(json)) {
        separate(json);
    } else if (!json->after_key) {
        return misuse(json, "JSON: a value without a key in an object");
    }
    json->after_key = false;
    return true;
}

static void begin(opac_json *json, bool is_object)
{
    if (json->depth == OPAC_JSON_DEPTH) {
        misuse(json, "JSON: nested too deep");
        return;
    }
    if (!begin_value(json))
        return;
    opac_output_write(json->out, is_object ? "{" : "[", 1);
    json->depth++;
    json->has_members &= ~innermost(json);
    json->is_object &= ~innermost(json);
    if (is_object)
        json->is_object |= innermost(json);
}

static void end(opac_json *json, bool is_object)
{
    if (json->depth == 0)
        misuse(json, "JSON: an end without a beginning");
    else if (is_object != in_object(json))
        misuse(json, is_object ? "JSON: the end of an object in an array"
                               : "JSON: the end of an array in an object");
    else if (json->after_key)
        misuse(json, "JSON: a key without a value");
    else {
        json->depth--;
        opac_output_write(json->out, is_object ? "}" : "]", 1);
    }
}

void opac_json_begin_object(opac_json *json)
{
    begin(json, true);
}

void opac_json_end_object(opac_json *json)
{
    end(json, true);
}

void opac_json_begin_array(opac_json *json)
{
    begin(json, false);
}

void opac_json_end_array(opac_json *json)
{
    end(json, false);
}

static void write_control(opac_output *out, unsigned char c)
{
    switch (c) {
    case '"':
        opac_output_write(out, "\\\"", 2);
        break;
    case '\\':
        opac_output_write(out, "\\\\", 2);
        break;
    case '\n':
        opac_output_write(out, "\\n", 2);
        break;
    case '\t':
        opac_output_write(out, "\\t", 2);
        break;
    case '\r':
        opac_output_write(out, "\\r", 2);
        break;
    default:
        opac_output_print(out, "\\u%04x", c);
    }
}

/* The length of the longest prefix that needs no escapes. */
static size_t plain_prefix(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length) {
        unsigned char c = (unsigned char)bytes[at];
        size_t size = c < 0x80 ? 1 : base_utf8_length(bytes + at, length - at);
        if (size == 0 || c < 0x20 || c == '"' || c == '\\' || c == 0x7F)
            break;
        at += size;
    }
    return at;
}

static void write_quoted(opac_output *out, const char *bytes, size_t length)
{
    opac_output_write(out, "\"", 1);
    while (length > 0) {
        size_t plain = plain_prefix(bytes, length);
        opac_output_write(out, bytes, plain);
        bytes += plain;
        length -= plain;
        if (length == 0)
            break;
        if ((unsigned char)*bytes < 0x80)
            write_control(out, (unsigned char)*bytes);
        else
            opac_output_write(out, "\xEF\xBF\xBD", 3); /* U+FFFD */
        bytes++;
        length--;
    }
    opac_output_write(out, "\"", 1);
}

void opac_json_key(opac_json *json, const char *key)
{
    if (!in_object(json))
        misuse(json, "JSON: a key outside of an object");
    else if (json->after_key)
        misuse(json, "JSON: a key without a value");
    else {
        separate(json);
        write_quoted(json->out, key, strlen(key));
        opac_output_write(json->out, ": ", 2);
        json->after_key = true;
    }
}

void opac_json_bytes(opac_json *json, const char *bytes, size_t length)
{
    if (begin_value(json))
        write_quoted(json->out, bytes, length);
}

void opac_json_string(opac_json *json, const char *text)
{
    opac_json_bytes(json, text, strlen(text));
}

static void write_digits(opac_output *out, bool is_negative, uint64_t value)
{
    char text[1 + BASE_MAX_DIGITS], *end = text + sizeof text, *begin = base_digits(value, end);
    if (is_negative)
        *--begin = '-';
    opac_output_write(out, begin, (size_t)(end - begin));
}

void opac_json_uint(opac_json *json, uint64_t value)
{
    if (begin_value(json))
        write_digits(json->out, false, value);
}

void opac_json_int(opac_json *json, int64_t value)
{
    if (begin_value(json))
        write_digits(json->out, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void opac_json_number(opac_json *json, const char *text)
{
    if (begin_value(json))
        opac_output_text(json->out, text);
}

void opac_json_double(opac_json *json, double value)
{
    char text[OPAC_NUMBER_SIZE];
    opac_json_number(json, isfinite(value) ? opac_number_format(value, text) : "null");
}

void opac_json_bool(opac_json *json, bool value)
{
    opac_json_number(json, value ? "true" : "false");
}

void opac_json_null(opac_json *json)
{
    opac_json_number(json, "null");
}
