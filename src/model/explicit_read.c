/* SPDX-License-Identifier: MIT */
/* PRISM's explicit files: which belong together, and going through one line by line. */
#include "model/explicit_read.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

/* ---- one file ---- */

static opac_status open_source(const model_source *source, model_input **input, opac_error *error)
{
    const opac_cancel *cancel = source->options->cancel;
    if (source->path != NULL)
        return model_input_open(source->path, cancel, input, error);
    return model_input_open_text(source->text, source->length, cancel, input, error);
}

opac_status model_reading_begin(model_reading *reading, const model_source *source,
                                const char *what, opac_error *error)
{
    *reading = (model_reading){.source = *source, .what = what};
    const opac_model_options *options = source->options;
    model_report_init(&reading->report, options->listener, options->listener_context, source->path,
                      source->text, source->length);
    TRY(open_source(source, &reading->input, error));
    if (options->progress != NULL)
        opac_progress_start(options->progress, what);
    return OPAC_OK;
}

opac_status model_reading_rewind(model_reading *reading, opac_error *error)
{
    reading->is_over = false;
    reading->report.input = NULL;
    return model_input_rewind(reading->input, error);
}

static void tell_progress(const model_reading *reading)
{
    enum {
        LINES = 1024
    };
    opac_progress *progress = reading->source.options->progress;
    if (progress != NULL && reading->line.number % LINES == 0)
        opac_progress_update(progress, model_input_done(reading->input),
                             model_input_total(reading->input));
}

opac_status model_reading_next_raw(model_reading *reading, opac_error *error)
{
    const char *text;
    size_t length;
    TRY(model_input_next(reading->input, &text, &length, error));
    reading->is_over = text == NULL;
    if (text == NULL) {
        /* For messages about the end: an empty line behind the last. */
        reading->line = (model_scan){"", "", "", model_input_number(reading->input) + 1};
        reading->report.excerpt = NULL;
        reading->report.excerpt_length = 0;
        reading->report.input = reading->input;
        return OPAC_OK;
    }
    reading->line = (model_scan){text, text, text + length, model_input_number(reading->input)};
    reading->report.excerpt = text;
    reading->report.excerpt_length = length;
    tell_progress(reading);
    return OPAC_OK;
}

bool model_reading_is_comment(const model_reading *reading)
{
    const char *at = reading->line.begin;
    while (at < reading->line.end && base_is_space(*at))
        at++;
    return at == reading->line.end || *at == '#';
}

opac_status model_reading_next(model_reading *reading, opac_error *error)
{
    do {
        TRY(model_reading_next_raw(reading, error));
    } while (!reading->is_over && model_reading_is_comment(reading));
    return OPAC_OK;
}

opac_status model_reading_end(model_reading *reading, opac_status status, opac_error *error)
{
    opac_progress *progress = reading->source.options->progress;
    if (status != OPAC_OK && error != NULL && error->line > 0) {
        model_report_add(&reading->report, error);
        status = model_report_end(&reading->report, error);
    }
    if (progress != NULL && reading->input != NULL)
        opac_progress_finish(progress);
    model_report_fini(&reading->report);
    model_input_close(reading->input);
    return status;
}

/* ---- the files of a model ---- */

/* The path of a file beside the .tra; NULL when out of memory. */
static char *path_beside(const char *path, const char *suffix)
{
    base_text made = {0};
    size_t length = strlen(path);
    if (length >= 4 && strcmp(path + length - 4, ".tra") == 0)
        length -= 4;
    base_text_add_bytes(&made, path, length);
    base_text_add(&made, suffix);
    return base_text_take(&made);
}

static opac_status read_labels(const char *path, const opac_model_options *options,
                               bool has_initial, opac_model *model, opac_error *error)
{
    model_source source = {.path = path_beside(path, ".lab"), .options = options};
    if (source.path == NULL)
        return base_fail_memory(error);
    opac_status status = OPAC_OK;
    if (access(source.path, F_OK) == 0)
        status = model_lab_read(&source, has_initial, model, error);
    base_free((void *)source.path);
    return status;
}

static opac_status read_values(const char *path, const opac_model_options *options,
                               opac_model *model, opac_error *error)
{
    model_source source = {.path = path_beside(path, ".sta"), .options = options};
    if (source.path == NULL)
        return base_fail_memory(error);
    opac_status status = OPAC_OK;
    if (access(source.path, F_OK) == 0)
        status = model_sta_read(&source, model, error);
    base_free((void *)source.path);
    return status;
}

static const opac_model_options no_options = {0};

opac_status model_read_tra(const char *path, const opac_model_options *options, opac_model **model,
                           opac_error *error)
{
    bool has_initial;
    opac_error own = {0}; /* places are looked for in the error, so there must be one */
    error = error != NULL ? error : &own;
    model_source source = {.path = path, .options = options != NULL ? options : &no_options};
    TRY(model_tra_read(&source, model, &has_initial, error));
    opac_status status;
    TRY_OR(done, read_labels(path, source.options, has_initial, *model, error));
    TRY_OR(done, read_values(path, source.options, *model, error));
    return OPAC_OK;
done:
    opac_model_free(*model);
    *model = NULL;
    return status;
}

opac_status model_read_tra_text(const char *text, size_t length, const opac_model_options *options,
                                opac_model **model, opac_error *error)
{
    bool has_initial;
    opac_error own = {0};
    model_source source = {
        .text = text, .length = length, .options = options != NULL ? options : &no_options};
    return model_tra_read(&source, model, &has_initial, error != NULL ? error : &own);
}
