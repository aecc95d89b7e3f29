/* SPDX-License-Identifier: MIT */
#include "cli/files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/result.h"

opac_status cli_check_stop(const opac_cancel *cancel, opac_error *error)
{
    if (!opac_cancel_requested(cancel))
        return OPAC_OK;
    *error = (opac_error){.code = OPAC_ERROR_CANCELLED,
                          .message = "the time limit was reached while writing"};
    return error->code;
}

opac_status cli_files_open(cli_files *files, const char *path, opac_output **out, opac_error *error)
{
    bool is_stdout = strcmp(path, "-") == 0;
    if (strlen(path) >= CLI_MAX_PATH)
        return cli_fail(error, "%s: file name too long", cli_quote(path).text);
    if (files->count == CLI_MAX_FILES)
        return cli_fail(error, "%s: too many output files", cli_quote(path).text);
    TRY(is_stdout ? opac_output_open_stream(stdout, out, error)
                  : opac_output_open_file(path, out, error));
    if (files->keep_digests)
        opac_output_keep_digest(*out);
    files->out[files->count++] = *out;
    if (!is_stdout)
        memcpy(files->held, path, strlen(path) + 1);
    return OPAC_OK;
}

opac_status cli_files_commit(cli_files *files, const opac_cancel *cancel, opac_error *error)
{
    sigset_t before;
    opac_status status = cli_check_stop(cancel, error);
    sigprocmask(SIG_BLOCK, NULL, &before);
    if (files->held[0] != '\0')
        cli_signals_hold(files->held, &before);
    for (int i = 0; i < files->count && status == OPAC_OK; i++)
        status = opac_output_commit(files->out[i], error);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

void cli_files_close(cli_files *files)
{
    for (int i = 0; i < files->count; i++)
        opac_output_free(files->out[i]);
    *files = (cli_files){0};
}

/* ---- explicit files ---- */

/* Replaces the suffix .tra of a path. */
static opac_status find_path(const char *path, const char *suffix, char *other, opac_error *error)
{
    int kept = (int)(strlen(path) - strlen(".tra"));
    int length = snprintf(other, CLI_MAX_PATH, "%.*s%s", kept, path, suffix);
    if (length >= 0 && length < CLI_MAX_PATH)
        return OPAC_OK;
    return cli_fail(error, "%s: file name too long", cli_quote(path).text);
}

typedef void (*model_writer)(const opac_model *model, opac_output *out);

static opac_status write_model(cli_files *files, const char *path, const opac_model *model,
                               model_writer writer, const opac_cancel *cancel, opac_error *error)
{
    opac_output *out = NULL;
    TRY(cli_files_open(files, path, &out, error));
    writer(model, out);
    return cli_check_stop(cancel, error);
}

/* Refuses a .sta file of another model, which would be read with the new .tra. */
static opac_status check_stale(const char *path, opac_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return OPAC_OK;
    return cli_fail(error,
                    "%s exists, but the model has no variables: remove it, because it would "
                    "be read with the new .tra file",
                    cli_quote(path).text);
}

static opac_status write_beside(cli_files *files, const char *path, const opac_model *model,
                                const opac_cancel *cancel, opac_error *error)
{
    char other[CLI_MAX_PATH];
    TRY(find_path(path, ".sta", other, error));
    if (opac_model_variable_count(model) == 0)
        TRY(check_stale(other, error));
    else
        TRY(write_model(files, other, model, opac_model_write_sta, cancel, error));
    TRY(find_path(path, ".lab", other, error));
    return write_model(files, other, model, opac_model_write_lab, cancel, error);
}

opac_status cli_files_write_explicit(cli_files *files, const char *path, const opac_model *model,
                                     const opac_cancel *cancel, opac_error *error)
{
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".tra") == 0)
        TRY(write_beside(files, path, model, cancel, error));
    return write_model(files, path, model, opac_model_write_tra, cancel, error);
}
