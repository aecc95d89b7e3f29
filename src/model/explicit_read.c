/* SPDX-License-Identifier: MIT */
/* Reads a model from PRISM's explicit files, and the lines of each file. */
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

opac_status model_reader_open(model_reader *reader, const model_source *source, const char *what,
                              opac_error *error)
{
    *reader = (model_reader){.source = *source, .what = what};
    const opac_model_options *options = source->options;
    model_report_init(&reader->report, options->listener, options->listener_context, source->path,
                      source->text, source->length);
    TRY(open_source(source, &reader->input, error));
    if (options->progress != NULL)
        opac_progress_start(options->progress, what);
    return OPAC_OK;
}

opac_status model_reader_rewind(model_reader *reader, opac_error *error)
{
    reader->at_end = false;
    reader->report.input = NULL;
    return model_input_rewind(reader->input, error);
}

static void update_progress(const model_reader *reader)
{
    enum {
        LINES = 1024
    };
    opac_progress *progress = reader->source.options->progress;
    if (progress != NULL && reader->line.number % LINES == 0)
        opac_progress_update(progress, model_input_done(reader->input),
                             model_input_total(reader->input));
}

opac_status model_reader_next_raw(model_reader *reader, opac_error *error)
{
    const char *text;
    size_t length;
    TRY(model_input_next(reader->input, &text, &length, error));
    reader->at_end = text == NULL;
    if (text == NULL) {
        /* For messages about the end of the file: an empty line after the last one. */
        reader->line = (model_scanner){"", "", "", model_input_number(reader->input) + 1};
        reader->report.excerpt = NULL;
        reader->report.excerpt_length = 0;
        reader->report.input = reader->input;
        return OPAC_OK;
    }
    reader->line = (model_scanner){text, text, text + length, model_input_number(reader->input)};
    reader->report.excerpt = text;
    reader->report.excerpt_length = length;
    update_progress(reader);
    return OPAC_OK;
}

bool model_reader_is_comment(const model_reader *reader)
{
    const char *at = reader->line.begin;
    while (at < reader->line.end && base_is_space(*at))
        at++;
    return at == reader->line.end || *at == '#';
}

opac_status model_reader_next(model_reader *reader, opac_error *error)
{
    do {
        TRY(model_reader_next_raw(reader, error));
    } while (!reader->at_end && model_reader_is_comment(reader));
    return OPAC_OK;
}

opac_status model_reader_close(model_reader *reader, opac_status status, opac_error *error)
{
    opac_progress *progress = reader->source.options->progress;
    if (status != OPAC_OK && error != NULL && error->line > 0) {
        model_report_add(&reader->report, error);
        status = model_report_end(&reader->report, error);
    }
    if (progress != NULL && reader->input != NULL)
        opac_progress_finish(progress);
    model_report_fini(&reader->report);
    model_input_close(reader->input);
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
    opac_error own = {
        0}; /* model_reader_close reads the position from the error, so one is needed */
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
