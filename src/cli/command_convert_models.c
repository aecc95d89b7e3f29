/* SPDX-License-Identifier: MIT */
/*
 * omegapac convert for models. The model is read completely before anything is written.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command_convert.h"
#include "cli/files.h"
#include "cli/models.h"
#include "cli/result.h"
#include "cli/source.h"

typedef void (*model_writer)(const opac_model *model, opac_output *out);

typedef struct work {
    const cli_conversion *conversion;
    cli_model model;
    opac_model_summary summary; /* for JSON */
    cli_files files;
} work;

/* ---- writing ---- */

static opac_status open_file(work *w, opac_output **out, opac_error *error)
{
    return cli_files_open(&w->files, w->conversion->out, out, error);
}

static opac_status write_file(work *w, model_writer writer, opac_error *error)
{
    opac_output *out;
    TRY(open_file(w, &out, error));
    writer(w->model.model, out);
    return cli_check_stop(w->model.cancel, error);
}

static opac_status write_values(work *w, opac_error *error)
{
    if (opac_model_variable_count(w->model.model) == 0)
        return cli_fail(error, "cannot write .sta: the model has no variables");
    return write_file(w, opac_model_write_sta, error);
}

static opac_status write_dot(work *w, opac_error *error)
{
    opac_output *out;
    uint64_t limit = w->model.arguments->values[CLI_DOT_LIMIT].count;
    if (opac_model_states(w->model.model) > limit) {
        cli_fail(error, "the model has %lu states, more than --dot-limit %llu allows",
                 (unsigned long)opac_model_states(w->model.model), (unsigned long long)limit);
        return error->code = OPAC_ERROR_LIMIT;
    }
    TRY(open_file(w, &out, error));
    return opac_model_write_dot(w->model.model, (uint32_t)limit, out, error);
}

/* The result of omegapac info. */
static opac_status write_json(const work *w, opac_output *out, opac_error *error)
{
    const opac_info_answer answer = {
        .model = w->model.model, .summary = &w->summary, .is_converted = true};
    cli_frame frame;
    TRY(cli_frame_open(&frame, w->model.arguments, CLI_NO_OPTION, error));
    frame.source.read_seconds = w->model.seconds;
    opac_status status = opac_result_of_info(&answer, &frame.source, &frame.result, error);
    if (status == OPAC_OK)
        cli_put_json(frame.result, out);
    cli_frame_close(&frame);
    return status;
}

static opac_status write_summary(work *w, opac_error *error)
{
    opac_output *out;
    TRY(open_file(w, &out, error));
    return write_json(w, out, error);
}

static opac_status write_model(work *w, opac_error *error)
{
    switch (w->conversion->to) {
    case CLI_FORMAT_TRA:
        return cli_files_write_explicit(&w->files, w->conversion->out, w->model.model,
                                        w->model.cancel, error);
    case CLI_FORMAT_LAB:
        return write_file(w, opac_model_write_lab, error);
    case CLI_FORMAT_STA:
        return write_values(w, error);
    case CLI_FORMAT_DRN:
        return write_file(w, opac_model_write_drn, error);
    case CLI_FORMAT_DOT:
        return write_dot(w, error);
    default:
        return write_summary(w, error);
    }
}

/* With --json, the summary replaces the model on standard output. */
static opac_status write_beside(work *w, opac_error *error)
{
    opac_output *out = NULL;
    TRY(opac_output_open_stream(stdout, &out, error));
    opac_status status = write_json(w, out, error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static opac_status write_all(work *w, opac_error *error)
{
    bool json = w->model.arguments->values[CLI_JSON].given;
    bool alone = json && strcmp(w->conversion->out, "-") == 0;
    if (json || w->conversion->to == CLI_FORMAT_JSON)
        TRY(opac_model_summarize(w->model.model, w->model.cancel, &w->summary, error));
    if (!alone)
        TRY(write_model(w, error));
    TRY(cli_files_commit(&w->files, w->model.cancel, error));
    /* Last, so that it is printed only if the files have been written. */
    return json ? write_beside(w, error) : OPAC_OK;
}

static opac_status load(work *w, opac_error *error)
{
    const cli_conversion *c = w->conversion;
    size_t length;
    if (c->text != NULL) {
        const char *bytes = opac_output_bytes(c->text, &length);
        TRY(cli_model_load_text(&w->model, c->in, bytes, length, error));
    } else {
        TRY(cli_model_load(&w->model, c->in, error));
    }
    return cli_model_check_constants(&w->model, error);
}

static opac_status run(work *w, opac_error *error)
{
    TRY(cli_model_begin(&w->model, w->conversion->arguments, error));
    TRY(load(w, error));
    return write_all(w, error);
}

cli_exit cli_convert_model(const cli_conversion *conversion)
{
    work w = {.conversion = conversion};
    opac_error error;
    opac_status status = run(&w, &error);
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_model_report(&w.model, &error);
    cli_files_close(&w.files);
    cli_model_end(&w.model);
    return exit;
}
