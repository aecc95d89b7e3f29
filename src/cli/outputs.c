/* SPDX-License-Identifier: MIT */
/* Checks the output files of a command: see outputs.h. */
#include "cli/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omegapac/output.h>

#include "cli/command_convert.h"
#include "cli/files.h"
#include "cli/result.h"

enum {
    PREFIX = 4096, /* bytes by which a file is recognised */
    MOST_OUTPUTS = 12
};

/* ---- identity of files ---- */

/* The device and inode of a file; for a file that does not exist yet, those of its folder, and its name. */
typedef struct file_id {
    bool exists;
    bool is_known; /* it exists, or its folder does */
    mode_t mode;
    dev_t device;
    ino_t inode;
    const char *name; /* NULL if it exists */
} file_id;

static void set_file_id(file_id *at, const struct stat *found)
{
    at->is_known = true;
    at->mode = found->st_mode;
    at->device = found->st_dev;
    at->inode = found->st_ino;
}

static file_id find_file_id(const char *path)
{
    file_id at = {.is_known = false};
    struct stat found;
    char folder[CLI_MAX_PATH + 2];
    at.exists = stat(path, &found) == 0;
    if (!at.exists) {
        const char *slash = strrchr(path, '/');
        at.name = slash != NULL ? slash + 1 : path;
        snprintf(folder, sizeof folder, "%.*s.", (int)(at.name - path), path);
        if (stat(folder, &found) != 0)
            return at;
    }
    set_file_id(&at, &found);
    return at;
}

static file_id find_stream_id(int descriptor)
{
    file_id at = {.is_known = false};
    struct stat found;
    at.exists = fstat(descriptor, &found) == 0;
    if (at.exists)
        set_file_id(&at, &found);
    return at;
}

/* Only regular files conflict: several outputs may be /dev/null or one terminal. */
static bool is_same_file(const file_id *one, const file_id *other)
{
    if (one->exists != other->exists || !one->is_known || !other->is_known ||
        one->device != other->device || one->inode != other->inode)
        return false;
    return one->exists ? S_ISREG(one->mode) : strcmp(one->name, other->name) == 0;
}

/* Whether a path is written directly, as in src/base/atomic_file.c: it may stand for an open descriptor. */
static bool is_direct(const char *path)
{
    bool is_device = strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0;
    return is_device || strncmp(path, "/proc/", 6) == 0;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), own = strlen(suffix);
    return length > own && strcmp(path + length - own, suffix) == 0;
}

/* ---- outputs ---- */

typedef struct output {
    char option[32]; /* for messages */
    cli_file file;
    char path[CLI_MAX_PATH]; /* "" for standard output */
    file_id at;
} output;

typedef struct outputs {
    const cli_arguments *arguments;
    int count;
    output items[MOST_OUTPUTS];
} outputs;

/* Replaces the end of the path by the suffix, which has the same length or is "". */
static opac_status add_output(outputs *all, const char *option, const char *path,
                              const char *suffix, cli_file file, opac_error *error)
{
    output *added = &all->items[all->count++];
    int kept = (int)(strlen(path) - strlen(suffix));
    int length = snprintf(added->path, sizeof added->path, "%.*s%s", kept, path, suffix);
    if (length < 0 || length >= CLI_MAX_PATH)
        return cli_fail(error, "%s: %s: file name too long", option, cli_quote(path).text);
    snprintf(added->option, sizeof added->option, "%s", option);
    added->file = file;
    added->at = find_file_id(added->path);
    return OPAC_OK;
}

/* X.tra is written with X.lab and X.sta. */
static opac_status add_files(outputs *all, const char *option, const char *path, cli_file file,
                             opac_error *error)
{
    TRY(add_output(all, option, path, "", file, error));
    if (file != CLI_FILE_TRA || !has_suffix(path, ".tra"))
        return OPAC_OK;
    TRY(add_output(all, option, path, ".lab", CLI_FILE_LAB, error));
    return add_output(all, option, path, ".sta", CLI_FILE_STA, error);
}

/* The kind of file of the result of translate, by its flags. */
static cli_file form_of_result(const cli_arguments *arguments, cli_file file)
{
    if (file != CLI_FILE_HOA)
        return file;
    if (arguments->values[CLI_JSON].given)
        return CLI_FILE_RESULT;
    if (arguments->values[CLI_SIMPLIFY].given)
        return CLI_FILE_FORMULAS;
    return arguments->values[CLI_DOT].given ? CLI_FILE_DOT : file;
}

static opac_status add_option(outputs *all, cli_option_id id, opac_error *error)
{
    char name[32] = "-o";
    const char *path = all->arguments->values[id].text;
    cli_file file = cli_command_writes(all->arguments->command, id);
    if (id != CLI_OUTPUT)
        cli_option_spelling(&cli_options[id], name);
    if (strcmp(path, "-") == 0 && id == CLI_OUTPUT)
        return OPAC_OK;
    if (strcmp(path, "-") == 0)
        return cli_fail(error, "%s must be a file name: standard output is for the result", name);
    if (id == CLI_OUTPUT)
        file = form_of_result(all->arguments, file);
    else if (file == CLI_FILE_POLICY)
        file = cli_file_of_policy(path);
    return add_files(all, name, path, file, error);
}

static opac_status add_stdout(outputs *all, opac_error *error)
{
    opac_status status = add_output(all, "standard output", "", "", CLI_FILE_NONE, error);
    all->items[all->count - 1].at = find_stream_id(STDOUT_FILENO);
    return status;
}

/* Whether standard output is written: the result, unless -o FILE or OUT is given. */
static bool writes_stdout(const cli_arguments *arguments, const char *out)
{
    const char *result = arguments->values[CLI_OUTPUT].text;
    if (out != NULL && arguments->values[CLI_JSON].given)
        return true;
    const char *path = out != NULL ? out : result;
    return path == NULL || strcmp(path, "-") == 0;
}

static opac_status list_outputs(outputs *all, opac_error *error)
{
    const cli_arguments *arguments = all->arguments;
    const cli_command *command = arguments->command;
    const char *out = NULL;
    for (size_t i = 0; i < CLI_MAX_OPERANDS && command->operands[i].name != NULL; i++)
        if (command->operands[i].writes != CLI_FILE_NONE)
            out = arguments->operands[i];
    if (out != NULL && strcmp(out, "-") != 0)
        TRY(add_files(all, "OUT", out, cli_convert_writes(arguments), error));
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (cli_command_writes(command, use->option) != CLI_FILE_NONE &&
            arguments->values[use->option].is_set)
            TRY(add_option(all, use->option, error));
    return writes_stdout(arguments, out) ? add_stdout(all, error) : OPAC_OK;
}

static opac_status check_distinct(const outputs *all, opac_error *error)
{
    for (int i = 0; i < all->count; i++)
        for (int j = 0; j < i; j++)
            if (is_same_file(&all->items[i].at, &all->items[j].at))
                return cli_fail(error, "%s and %s name the same file, %s", all->items[j].option,
                                all->items[i].option, cli_quote(all->items[j].path).text);
    return OPAC_OK;
}

/* ---- inputs ---- */

static opac_status check_not_input(const outputs *all, const char *role, const file_id *input,
                                   opac_error *error)
{
    for (int i = 0; i < all->count; i++) {
        const output *out = &all->items[i];
        if (!is_same_file(&out->at, input))
            continue;
        if (*out->path == '\0')
            return cli_fail(error, "standard output is also the input %s, which is not overwritten",
                            role);
        return cli_fail(error, "%s: %s is also the input %s, which is not overwritten", out->option,
                        cli_quote(out->path).text, role);
    }
    return OPAC_OK;
}

/* Checks a part of a path or a command as a path, with the suffix appended. */
static opac_status check_part(const outputs *all, const char *role, const char *part, size_t length,
                              const char *suffix, opac_error *error)
{
    char path[CLI_MAX_PATH];
    size_t end = strlen(suffix);
    if (length + end >= sizeof path)
        return OPAC_OK; /* cannot be a file */
    memcpy(path, part, length);
    memcpy(path + length, suffix, end + 1);
    file_id at = find_file_id(path);
    return check_not_input(all, role, &at, error);
}

/* Checks the words of a command that may be files, such as a script and its inputs. */
static opac_status check_command(const outputs *all, const char *role, const char *command,
                                 opac_error *error)
{
    static const char between[] = " \t\n'\"=<>|&;()";
    while (*command != '\0') {
        command += strspn(command, between);
        size_t length = strcspn(command, between);
        if (length > 0)
            TRY(check_part(all, role, command, length, "", error));
        command += length;
    }
    return OPAC_OK;
}

static opac_status check_model(const outputs *all, const char *role, const char *path,
                               opac_error *error)
{
    static const char exec[] = "exec:", plugin[] = "plugin:";
    size_t length = strlen(path);
    if (strncmp(path, exec, sizeof exec - 1) == 0)
        return check_command(all, role, path + sizeof exec - 1, error);
    if (strncmp(path, plugin, sizeof plugin - 1) == 0) {
        path += sizeof plugin - 1;
        return check_part(all, role, path, strcspn(path, "?"), "", error);
    }
    TRY(check_part(all, role, path, length, "", error));
    if (!has_suffix(path, ".tra"))
        return OPAC_OK;
    TRY(check_part(all, role, path, length - 4, ".lab", error));
    return check_part(all, role, path, length - 4, ".sta", error);
}

static opac_status check_input(const outputs *all, const char *role, cli_reads reads,
                               const char *text, opac_error *error)
{
    if (reads == CLI_READS_NOTHING)
        return OPAC_OK;
    if (strcmp(text, "-") == 0) {
        file_id at = find_stream_id(STDIN_FILENO);
        return check_not_input(all, role, &at, error);
    }
    if (reads == CLI_READS_MODEL)
        return check_model(all, role, text, error);
    return reads == CLI_READS_FILE ? check_part(all, role, text, strlen(text), "", error) : OPAC_OK;
}

static opac_status check_operands(const outputs *all, size_t index, opac_error *error)
{
    const cli_operand *operand = &all->arguments->command->operands[index];
    cli_walk walk = {0};
    for (const char *text; (text = cli_next_operand(all->arguments, index, &walk)) != NULL;)
        TRY(check_input(all, operand->name, operand->reads, text, error));
    return OPAC_OK;
}

static opac_status check_values(const outputs *all, cli_option_id id, opac_error *error)
{
    char role[32];
    cli_walk walk = {0};
    cli_option_spelling(&cli_options[id], role);
    for (const char *text; (text = cli_next_value(all->arguments, id, &walk)) != NULL;)
        TRY(check_input(all, role, cli_options[id].reads, text, error));
    return OPAC_OK;
}

static opac_status check_inputs(const outputs *all, opac_error *error)
{
    const cli_command *command = all->arguments->command;
    for (size_t i = 0; i < CLI_MAX_OPERANDS && command->operands[i].name != NULL; i++)
        if (command->operands[i].reads != CLI_READS_NOTHING)
            TRY(check_operands(all, i, error));
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (cli_options[use->option].reads != CLI_READS_NOTHING &&
            cli_command_writes(command, use->option) == CLI_FILE_NONE)
            TRY(check_values(all, use->option, error));
    return OPAC_OK;
}

/* ---- existing files ---- */

/* The kind of a file; CLI_FILE_NONE also if it cannot be read. *is_empty: an empty file may be replaced by
 * any kind. */
static cli_file recognise_file(const char *path, bool *is_empty)
{
    char bytes[PREFIX + 1];
    FILE *file = fopen(path, "rb");
    size_t length = file != NULL ? fread(bytes, 1, PREFIX, file) : 0;
    *is_empty = file != NULL && length == 0 && ferror(file) == 0;
    bytes[length] = '\0';
    if (file != NULL)
        fclose(file);
    return cli_file_recognise(bytes, length);
}

/* Whether a running process has locked the file as its checkpoint, even before it has written it. --force
 * does not override this. */
static bool is_in_use(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_locked =
        descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (descriptor >= 0)
        close(descriptor);
    return is_locked;
}

static opac_status refuse_kind(const output *out, cli_file found, opac_error *error)
{
    cli_piece path = cli_quote(out->path);
    if (found == CLI_FILE_CHECKPOINT && out->file == CLI_FILE_CHECKPOINT)
        return cli_fail(error,
                        "%s: %s is the checkpoint of a run; --resume continues that run, "
                        "--force replaces the checkpoint",
                        out->option, path.text);
    if (found != CLI_FILE_NONE)
        return cli_fail(error, "%s: %s is %s, not %s; --force replaces it", out->option, path.text,
                        cli_file_words(found), cli_file_words(out->file));
    return cli_fail(error, "%s: %s exists and is not %s; --force replaces it", out->option,
                    path.text, cli_file_words(out->file));
}

static opac_status check_kind(const outputs *all, const output *out, opac_error *error)
{
    bool is_empty, resumes = all->arguments->values[CLI_RESUME].given;
    bool is_checkpoint = out->file == CLI_FILE_CHECKPOINT;
    if (!is_checkpoint && S_ISREG(out->at.mode) && is_in_use(out->path))
        return cli_fail(error, "%s: %s is the checkpoint of a run in progress", out->option,
                        cli_quote(out->path).text);
    if (all->arguments->values[CLI_FORCE].given || is_direct(out->path) ||
        out->file == CLI_FILE_NONE || (is_checkpoint && resumes)) /* --resume reads it first */
        return OPAC_OK;
    cli_file found = recognise_file(out->path, &is_empty);
    bool may_replace = is_empty || (found == out->file && !is_checkpoint);
    return may_replace ? OPAC_OK : refuse_kind(out, found, error);
}

/* Neither a regular file nor a folder; only block devices need --force. */
static opac_status check_special(const outputs *all, const output *out, opac_error *error)
{
    bool is_forced = all->arguments->values[CLI_FORCE].given;
    if (S_ISSOCK(out->at.mode))
        return cli_fail(error, "%s: %s is a socket", out->option, cli_quote(out->path).text);
    if (S_ISBLK(out->at.mode) && !is_forced)
        return cli_fail(error, "%s: %s is a block device; --force writes to it", out->option,
                        cli_quote(out->path).text);
    if (access(out->path, W_OK) == 0)
        return OPAC_OK;
    cli_fail(error, "%s: %s is not writable", out->option, cli_quote(out->path).text);
    return error->code = OPAC_ERROR_IO;
}

/* Opens and discards an output, to check that its folder is writable. */
static opac_status check_output(const outputs *all, const output *out, opac_error *error)
{
    opac_output *trial;
    sigset_t before;
    if (*out->path == '\0')
        return OPAC_OK;
    if (out->at.exists && !S_ISREG(out->at.mode) && !S_ISDIR(out->at.mode))
        return check_special(all, out, error);
    if (out->at.exists && S_ISREG(out->at.mode))
        TRY(check_kind(all, out, error));
    cli_signals_hold(out->path, &before);
    opac_status status = opac_output_open_file(out->path, &trial, error);
    if (status == OPAC_OK)
        opac_output_free(trial);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

opac_status cli_outputs_check(const cli_arguments *arguments, opac_error *error)
{
    outputs all = {.arguments = arguments, .count = 0};
    TRY(list_outputs(&all, error));
    TRY(check_distinct(&all, error));
    TRY(check_inputs(&all, error));
    for (int i = 0; i < all.count; i++)
        TRY(check_output(&all, &all.items[i], error));
    return OPAC_OK;
}
