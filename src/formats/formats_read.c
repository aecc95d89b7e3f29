/* SPDX-License-Identifier: MIT */
/*
 * Reads models from files and texts of all formats. The suffix of a file's name selects the reader; for an
 * unknown suffix, the first bytes do. PRISM files are loaded into memory as a whole, explicit files are not.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "base/text.h"
#include "model/explicit.h"
#include "prism/prism_read.h"

enum {
    LARGEST_TEXT = 1 << 30,
    CHUNK = 1 << 16
};

/* ---- format ---- */

typedef struct suffix {
    const char *text;
    opac_model_format format;
} suffix;

static const suffix suffixes[] = {
    {".prism", OPAC_FORMAT_PRISM}, {".pm", OPAC_FORMAT_PRISM},   {".nm", OPAC_FORMAT_PRISM},
    {".mdp", OPAC_FORMAT_PRISM},   {".dtmc", OPAC_FORMAT_PRISM}, {".tra", OPAC_FORMAT_TRA},
    {".drn", OPAC_FORMAT_DRN},
};

bool opac_model_format_of(const char *path, opac_model_format *format)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(dot, suffixes[i].text) == 0) {
            *format = suffixes[i].format;
            return true;
        }
    return false;
}

static const char *skip_line(const char *at, const char *end)
{
    const char *next = memchr(at, '\n', (size_t)(end - at));
    return next != NULL ? next + 1 : end;
}

/* Skips blanks and comments, which are lines that begin with the mark. */
static const char *skip_comments(const char *at, const char *end, const char *mark)
{
    size_t length = strlen(mark);
    while (at < end)
        if (base_is_space(*at))
            at++;
        else if ((size_t)(end - at) >= length && memcmp(at, mark, length) == 0)
            at = skip_line(at, end);
        else
            break;
    return at;
}

/* After comments, DRN begins with '@' and .tra with a digit; a PRISM text begins with neither. */
opac_model_format opac_model_format_guess(const char *text, size_t length)
{
    const char *end = text + length;
    const char *first = skip_comments(text, end, "//");
    if (first < end && *first == '@')
        return OPAC_FORMAT_DRN;
    first = skip_comments(text, end, "#");
    return first < end && base_is_digit(*first) ? OPAC_FORMAT_TRA : OPAC_FORMAT_PRISM;
}

/* ---- texts ---- */

/* Explicit models may have variables too. This allows expressions over them as propositions. */
static opac_status add_variables(opac_status status, opac_model **model, opac_error *error)
{
    TRY(status);
    status = prism_vocabulary_of_layout(*model, error);
    if (status != OPAC_OK) {
        opac_model_free(*model);
        *model = NULL;
    }
    return status;
}

static opac_status read_text(const char *path, opac_model_format format, const char *text,
                             size_t length, const opac_model_options *options, opac_model **model,
                             opac_error *error)
{
    switch (format) {
    case OPAC_FORMAT_TRA:
        return add_variables(model_read_tra_text(text, length, options, model, error), model,
                             error);
    case OPAC_FORMAT_DRN:
        return add_variables(model_read_drn_text(text, length, options, model, error), model,
                             error);
    case OPAC_FORMAT_PRISM:
        return prism_read(path, text, length, options, model, error);
    }
    return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown format %d", (int)format);
}

opac_status opac_model_read_text(opac_model_format format, const char *text, size_t length,
                                 const opac_model_options *options, opac_model **model,
                                 opac_error *error)
{
    static const opac_model_options none = {0};
    return read_text(NULL, format, text, length, options != NULL ? options : &none, model, error);
}

/* ---- files ---- */

static opac_status fail_file(const char *path, const char *reason, opac_status code,
                             opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    return base_fail(error, code, "cannot read %s: %s",
                     opac_text_show_path(path, shown, sizeof shown), reason);
}

/* Fails with the reason given by errno. An interrupted wait for input is cancellation, not a file error. */
static opac_status fail_by_number(const char *path, int number, const opac_cancel *cancel,
                                  opac_error *error)
{
    if (number == EINTR && opac_cancel_requested(cancel))
        return base_fail_stopped(error, cancel, "reading the model");
    char shown[OPAC_SHOWN_SIZE], message[OPAC_SHOWN_SIZE + 32];
    snprintf(message, sizeof message, "cannot read %s",
             opac_text_show_path(path, shown, sizeof shown));
    return base_fail_system(error, number, message);
}

static opac_status load_stream(FILE *stream, const char *path, const opac_cancel *cancel,
                               base_text *text, opac_error *error)
{
    char chunk[CHUNK];
    size_t length = sizeof chunk;
    while (length == sizeof chunk) {
        errno = 0;
        length = fread(chunk, 1, sizeof chunk, stream);
        int reason = errno;
        if (opac_cancel_requested(cancel))
            return base_fail_stopped(error, cancel, "reading the model");
        if (ferror(stream))
            return fail_by_number(path, reason, cancel, error);
        base_text_add_bytes(text, chunk, length);
        if (text->length > LARGEST_TEXT)
            return fail_file(path, "it is larger than 1 GiB", OPAC_ERROR_LIMIT, error);
    }
    return base_text_check(text, error);
}

static opac_status load(const char *path, const opac_cancel *cancel, base_text *text,
                        opac_error *error)
{
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return fail_by_number(path, errno, cancel, error);
    opac_status status = load_stream(stream, path, cancel, text, error);
    fclose(stream);
    return status;
}

static opac_status read_loaded(const char *path, bool known, opac_model_format format,
                               const opac_model_options *options, opac_model **model,
                               opac_error *error)
{
    base_text text = {0};
    opac_status status = load(path, options->cancel, &text, error);
    const char *bytes = base_text_get(&text);
    if (!known)
        format = opac_model_format_guess(bytes, text.length);
    if (status == OPAC_OK)
        status = read_text(path, format, bytes, text.length, options, model, error);
    base_text_fini(&text);
    return status;
}

opac_model_options opac_model_defaults(void)
{
    return (opac_model_options){.max_states = MODEL_DEFAULT_MAX_STATES};
}

opac_status opac_model_read(const char *path, const opac_model_options *options, opac_model **model,
                            opac_error *error)
{
    static const opac_model_options none = {0};
    opac_model_format format = OPAC_FORMAT_PRISM;
    bool known = opac_model_format_of(path, &format);
    options = options != NULL ? options : &none;
    if (known && format == OPAC_FORMAT_TRA)
        return add_variables(model_read_tra(path, options, model, error), model, error);
    if (known && format == OPAC_FORMAT_DRN)
        return add_variables(model_read_drn(path, options, model, error), model, error);
    return read_loaded(path, known, format, options, model, error);
}
