/* SPDX-License-Identifier: MIT */
/* Lines, words and numbers of a DRN file. */
#include <stdarg.h>
#include <stdio.h>

#include <omegapac/text.h>

#include "base/utf8.h"
#include "model/drn_reader.h"
#include "model/line_scanner.h"

opac_status drn_next(drn_reader *reader, opac_error *error)
{
    size_t length = 0;
    if (reader->is_pushed_back) {
        reader->is_pushed_back = false;
    } else {
        TRY(model_input_next(reader->input, &reader->line, &length, error));
        reader->number = model_input_number(reader->input);
        reader->end = reader->line == NULL ? NULL : reader->line + length;
        while (reader->end > reader->line && base_is_blank(reader->end[-1]))
            reader->end--;
        if (reader->report.text == NULL) {
            reader->report.excerpt = reader->line;
            reader->report.excerpt_length = length;
            reader->report.excerpt_line = reader->number;
        }
    }
    reader->at = reader->line;
    if (reader->line != NULL)
        drn_skip_blanks(reader);
    return OPAC_OK;
}

base_slice drn_read_word(drn_reader *reader)
{
    base_slice word = {.bytes = reader->at};
    while (reader->at < reader->end && !base_is_blank(*reader->at))
        reader->at++;
    word.length = (size_t)(reader->at - word.bytes);
    return word;
}

bool drn_is_text(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' && name[i] != '\t')
            return false;
    return base_utf8_check(name, length, NULL) == OPAC_OK;
}

uint32_t drn_column(const drn_reader *reader, const char *at)
{
    return at == NULL ? 1
                      : (uint32_t)base_utf8_count(reader->line, (size_t)(at - reader->line)) + 1;
}

void drn_error(drn_reader *reader, opac_status code, const char *at, const char *format, ...)
{
    opac_error error = {.code = code, .line = reader->number > 0 ? reader->number : 1};
    va_list arguments;
    error.column = drn_column(reader, at);
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    model_report_add(&reader->report, &error);
}

/* ---- probabilities ---- */

static bool find_placeholder(drn_reader *reader, base_slice word, drn_number *number)
{
    char shown[OPAC_SHOWN_SIZE];
    uint32_t id;
    if (base_intern_find(&reader->header.placeholders, word.bytes + 1, word.length - 1, &id)) {
        *number = reader->header.placeholder_values.items[id];
        return true;
    }
    drn_error(reader, OPAC_ERROR_SYNTAX, word.bytes, "'%s' is not defined in @placeholders",
              opac_text_show(word.bytes, word.length, shown, sizeof shown));
    return false;
}

opac_status drn_read_number(drn_reader *reader, base_slice word, drn_number *number, bool *found,
                            opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_error inner = {0};
    bool exact = reader->options->exact;
    *found = false;
    number->ratio = (base_ratio){0, 0};
    if (word.length > 0 && word.bytes[0] == '$') {
        *found = find_placeholder(reader, word, number);
        return OPAC_OK;
    }
    if (word.length > 0 && word.bytes[0] == '[') {
        drn_error(reader, OPAC_ERROR_UNSUPPORTED, word.bytes,
                  "interval probabilities are not supported");
        return OPAC_OK;
    }
    opac_status status = model_parse_number(word.bytes, word.length, &number->value,
                                            exact ? &number->ratio : NULL, &inner);
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    *found = status == OPAC_OK && (!exact || base_ratio_is_known(number->ratio));
    if (*found) {
        if (exact)
            number->value = base_ratio_to_double(number->ratio);
        return OPAC_OK;
    }
    opac_text_show(word.bytes, word.length, shown, sizeof shown);
    if (word.length == 0)
        drn_error(reader, OPAC_ERROR_SYNTAX, word.bytes, "expected a probability");
    else if (status == OPAC_ERROR_SYNTAX)
        drn_error(reader, OPAC_ERROR_SYNTAX, word.bytes, "expected a probability, found '%s'",
                  shown);
    else if (status != OPAC_OK)
        drn_error(reader, OPAC_ERROR_SYNTAX, word.bytes, "the probability '%s': %s", shown,
                  inner.message);
    else
        drn_error(reader, OPAC_ERROR_LIMIT, word.bytes,
                  "'%s' does not fit in a fraction of 64-bit numbers, which exact results need",
                  shown);
    return OPAC_OK;
}
