/* SPDX-License-Identifier: MIT */
/* Compares the questions of two runs: see checkpoint_question.h. */
#include "sample/checkpoint_question.h"

#include <stdbool.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/slice.h"

enum {
    SHOWN_NAME = 40, /* longer names are truncated */
    SHOWN_VALUE = 64 /* longer values are not shown */
};

static bool is_name_letter(char letter)
{
    return base_is_name_character(letter) || letter == '-' || letter == ' ';
}

/* Removes the first line from the text and returns it. */
static base_slice take_line(base_slice *text)
{
    if (text->length == 0)
        return *text;
    const char *end = memchr(text->bytes, '\n', text->length);
    size_t length = end != NULL ? (size_t)(end - text->bytes) : text->length;
    size_t taken = end != NULL ? length + 1 : length;
    base_slice line = {text->bytes, length};
    text->bytes += taken;
    text->length -= taken;
    return line;
}

/* Splits a line "name=value"; false if it has another form. */
static bool split(base_slice line, base_slice *name, base_slice *value)
{
    size_t at = 0;
    while (at < line.length && is_name_letter(line.bytes[at]))
        at++;
    if (at == 0 || at == line.length || line.bytes[at] != '=')
        return false;
    *name = (base_slice){line.bytes, at};
    *value = (base_slice){line.bytes + at + 1, line.length - at - 1};
    return true;
}

static opac_status refuse_item(const char *file, base_slice name, opac_error *error)
{
    char shown[SHOWN_NAME];
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "the checkpoint '%s' is of another run: %s is different there", file,
                     opac_text_show(name.bytes, name.length, shown, sizeof shown));
}

static opac_status refuse_value(const char *file, base_slice name, base_slice there,
                                base_slice here, opac_error *error)
{
    char shown[SHOWN_NAME], first[SHOWN_VALUE], second[SHOWN_VALUE];
    if (there.length >= SHOWN_VALUE || here.length >= SHOWN_VALUE)
        return refuse_item(file, name, error);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "the checkpoint '%s' is of another run: %s is %s there, and %s here", file,
                     opac_text_show(name.bytes, name.length, shown, sizeof shown),
                     opac_text_show(there.bytes, there.length, first, sizeof first),
                     opac_text_show(here.bytes, here.length, second, sizeof second));
}

/* Fails because of two different lines, in the item named `item`, which may be empty. */
static opac_status refuse(const char *file, base_slice item, base_slice there, base_slice here,
                          opac_error *error)
{
    base_slice name, value, other_name, other;
    bool is_item = split(here, &name, &value), was_item = split(there, &other_name, &other);
    if (is_item && was_item && base_slice_equal(name, other_name))
        return refuse_value(file, name, other, value, error);
    if (item.length > 0 && (!is_item || !was_item) && here.length > 0 && there.length > 0)
        return refuse_item(file, item, error);
    if (is_item)
        return refuse_item(file, name, error);
    if (was_item)
        return refuse_item(file, other_name, error);
    return refuse_item(file, item.length > 0 ? item : (base_slice){"the question", 12}, error);
}

static bool independence_refuted(base_slice there)
{
    size_t length = strlen(SAMPLE_QUESTION_UNLIKE);
    return there.length >= length && memcmp(there.bytes, SAMPLE_QUESTION_UNLIKE, length) == 0;
}

opac_status sample_question_compare(const char *name, const char *there, size_t there_length,
                                    const char *here, size_t here_length, opac_error *error)
{
    base_slice before = {there, there_length}, now = {here, here_length}, item = {"", 0};
    if (base_slice_equal(before, now))
        return OPAC_OK;
    if (independence_refuted(before))
        return base_fail(
            error, OPAC_ERROR_ARGUMENT,
            "the run of the checkpoint '%s' cannot be continued: the simulator's episodes are not "
            "independent, and one was dropped because of what it observed; start a new run",
            name);
    while (before.length > 0 || now.length > 0) {
        base_slice old = take_line(&before), new = take_line(&now), value;
        if (!base_slice_equal(old, new))
            return refuse(name, item, old, new, error);
        base_slice begun;
        if (split(new, &begun, &value))
            item = begun;
    }
    /* The texts differ in line ends, or after a NUL. */
    return refuse_item(name, (base_slice){"the question", 12}, error);
}
