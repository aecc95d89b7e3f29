/* SPDX-License-Identifier: MIT */
/*
 * omegapac convert, of models. One is read whole before anything is written, so
 * OUT may be IN. Files are written beside their names first; when all are
 * whole, they take them, the .tra last: who finds it new finds all new. Only
 * when the system fails in between, by a name that it refuses after others, are
 * some files new and some old; the message then names the one.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/convert.h"
#include "cli/info.h"
#include "cli/result.h"
#include "cli/source.h"

enum {
    MOST_FILES = 3,
    LONGEST_PATH = 4096
};

typedef void (*model_writer)(const opac_model *model, opac_output *out);

typedef struct file {
    char path[LONGEST_PATH];
    opac_output *out;
} file;

typedef struct work {
    const cli_conversion *conversion;
    cli_model model;
    opac_model_summary summary; /* for JSON */
    file files[MOST_FILES];
    int count;
} work;

/* ---- files ---- */

/* The path of OUT, or (suffix not NULL) the same with another suffix than .tra. */
static opac_status find_path(const work *w, const char *suffix, char *path, opac_error *error)
{
    const char *out = w->conversion->out;
    int kept = (int)(strlen(out) - (suffix != NULL ? strlen(".tra") : 0));
    int length = snprintf(path, LONGEST_PATH, "%.*s%s", kept, out, suffix != NULL ? suffix : "");
    if (length >= 0 && length < LONGEST_PATH)
        return OPAC_OK;
    return cli_fail(error, "OUT %s: the name is too long", cli_quote(out).text);
}

static opac_status open_file(work *w, const char *suffix, opac_output **out, opac_error *error)
{
    file *f = &w->files[w->count];
    opac_status status = find_path(w, suffix, f->path, error);
    if (status == OPAC_OK)
        status = strcmp(f->path, "-") == 0 ? opac_output_open_stream(stdout, &f->out, error)
                                           : opac_output_open_file(f->path, &f->out, error);
    if (status != OPAC_OK)
        return status;
    *out = f->out;
    w->count++;
    return OPAC_OK;
}

static opac_status check_stop(const work *w, opac_error *error)
{
    if (!opac_cancel_requested(w->model.cancel))
        return OPAC_OK;
    *error = (opac_error){.code = OPAC_ERROR_CANCELLED};
    return error->code;
}

static opac_status commit_all(work *w, opac_error *error)
{
    sigset_t before;
    opac_status status = check_stop(w, error);
    sigprocmask(SIG_BLOCK, NULL, &before);
    if (strcmp(w->conversion->out, "-") != 0)
        cli_signals_hold(w->conversion->out, &before);
    for (int i = 0; i < w->count && status == OPAC_OK; i++)
        status = opac_output_commit(w->files[i].out, error);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

static void close_files(work *w)
{
    for (int i = 0; i < w->count; i++)
        opac_output_free(w->files[i].out);
}

/* ---- writing ---- */

static opac_status write_file(work *w, const char *suffix, model_writer writer, opac_error *error)
{
    opac_output *out;
    opac_status status = open_file(w, suffix, &out, error);
    if (status != OPAC_OK)
        return status;
    writer(w->model.model, out);
    return check_stop(w, error);
}

static bool has_variables(const work *w)
{
    return opac_model_variable_count(w->model.model) > 0;
}

/* A .sta of another model beside the new .tra would be read with it. */
static opac_status check_stale(const work *w, opac_error *error)
{
    struct stat found;
    char path[LONGEST_PATH];
    opac_status status = find_path(w, ".sta", path, error);
    if (status != OPAC_OK || stat(path, &found) != 0)
        return status;
    return cli_fail(error,
                    "%s would be read with the new .tra, but this model has no variables: remove "
                    "it first",
                    cli_quote(path).text);
}

/* With the labels and values beside it, where the name says where. */
static opac_status write_explicit(work *w, opac_error *error)
{
    const char *out = w->conversion->out;
    size_t length = strlen(out);
    opac_status status = OPAC_OK;
    if (length > 4 && strcmp(out + length - 4, ".tra") == 0) {
        status = has_variables(w) ? write_file(w, ".sta", opac_model_write_sta, error)
                                  : check_stale(w, error);
        if (status == OPAC_OK)
            status = write_file(w, ".lab", opac_model_write_lab, error);
    }
    return status == OPAC_OK ? write_file(w, NULL, opac_model_write_tra, error) : status;
}

static opac_status write_values(work *w, opac_error *error)
{
    if (!has_variables(w))
        return cli_fail(error, "the states of this model have no variables to write as .sta");
    return write_file(w, NULL, opac_model_write_sta, error);
}

static opac_status write_dot(work *w, opac_error *error)
{
    opac_output *out;
    uint64_t limit = w->model.arguments->values[CLI_DOT_LIMIT].count;
    if (opac_model_states(w->model.model) > limit) {
        cli_fail(error, "%lu states are too many to draw: --dot-limit allows %llu",
                 (unsigned long)opac_model_states(w->model.model), (unsigned long long)limit);
        return error->code = OPAC_ERROR_LIMIT;
    }
    opac_status status = open_file(w, NULL, &out, error);
    return status == OPAC_OK ? opac_model_write_dot(w->model.model, (uint32_t)limit, out, error)
                             : status;
}

static opac_status write_summary(work *w, opac_error *error)
{
    opac_output *out;
    opac_status status = open_file(w, NULL, &out, error);
    if (status == OPAC_OK)
        cli_info_write_json(&w->model, &w->summary, out);
    return status;
}

static opac_status write_model(work *w, opac_error *error)
{
    switch (w->conversion->to) {
    case CLI_FORMAT_TRA:
        return write_explicit(w, error);
    case CLI_FORMAT_LAB:
        return write_file(w, NULL, opac_model_write_lab, error);
    case CLI_FORMAT_STA:
        return write_values(w, error);
    case CLI_FORMAT_DRN:
        return write_file(w, NULL, opac_model_write_drn, error);
    case CLI_FORMAT_DOT:
        return write_dot(w, error);
    default:
        return write_summary(w, error);
    }
}

/* --json: the summary on standard output, where it replaces what else would go there. */
static opac_status write_beside(work *w, opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = opac_output_open_stream(stdout, &out, error);
    if (status != OPAC_OK)
        return status;
    cli_info_write_json(&w->model, &w->summary, out);
    status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static opac_status write_all(work *w, opac_error *error)
{
    bool json = w->model.arguments->values[CLI_JSON].given;
    bool alone = json && strcmp(w->conversion->out, "-") == 0;
    opac_status status = OPAC_OK;
    if (json || w->conversion->to == CLI_FORMAT_JSON)
        status = opac_model_summarize(w->model.model, w->model.cancel, &w->summary, error);
    if (status == OPAC_OK && !alone)
        status = write_model(w, error);
    if (status == OPAC_OK)
        status = commit_all(w, error);
    /* Last, so that nothing is told of files that did not come to be. */
    return status == OPAC_OK && json ? write_beside(w, error) : status;
}

static opac_status load(work *w, opac_error *error)
{
    const cli_conversion *c = w->conversion;
    size_t length;
    opac_status status;
    if (c->text != NULL) {
        const char *bytes = opac_output_bytes(c->text, &length);
        status = cli_model_load_text(&w->model, c->in, bytes, length, error);
    } else {
        status = cli_model_load(&w->model, c->in, error);
    }
    return status == OPAC_OK ? cli_model_check_constants(&w->model, error) : status;
}

cli_exit cli_convert_model(const cli_conversion *conversion)
{
    work w = {.conversion = conversion};
    opac_error error;
    opac_status status = cli_model_begin(&w.model, conversion->arguments, &error);
    if (status == OPAC_OK)
        status = load(&w, &error);
    if (status == OPAC_OK)
        status = write_all(&w, &error);
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_model_report(&w.model, &error);
    close_files(&w);
    cli_model_end(&w.model);
    return exit;
}
