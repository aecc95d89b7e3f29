/* SPDX-License-Identifier: MIT */
#include "cli/policy_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/files.h"
#include "cli/lines.h"

enum {
    PREFIX = 4096, /* bytes that tell what a file is */
    MOST_OUTPUTS = 8
};

/* What a path asks for: a chain in one of the explicit formats, or the policy itself. */
typedef enum output_form {
    FORM_POLICY,
    FORM_TRA,
    FORM_DRN
} output_form;

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path);
    size_t own = strlen(suffix);
    return length > own && strcmp(path + length - own, suffix) == 0;
}

static output_form find_form(const char *path)
{
    if (has_suffix(path, ".tra"))
        return FORM_TRA;
    return has_suffix(path, ".drn") ? FORM_DRN : FORM_POLICY;
}

/* ---- what will be written ---- */

typedef struct output_file {
    const char *option;
    const char *suffix; /* of a chain's file; "": none of these */
    char path[CLI_LONGEST_PATH];
} output_file;

typedef struct output_files {
    output_file items[MOST_OUTPUTS];
    int count;
} output_files;

/* A suffix takes the place of one of the same length. What is too long is noticed when it is opened. */
static void add_output(output_files *files, const char *option, const char *path,
                       const char *suffix)
{
    output_file *file = &files->items[files->count++];
    int kept = (int)(strlen(path) - strlen(suffix));
    file->option = option;
    file->suffix = suffix;
    snprintf(file->path, sizeof file->path, "%.*s%s", kept, path, suffix);
}

static void list_outputs(const cli_arguments *arguments, output_files *files)
{
    static const char *const suffixes[] = {"", ".tra", ".drn"};
    const char *policy = arguments->values[CLI_POLICY].text;
    const char *dot = arguments->values[CLI_DOT_FILE].text;
    const char *trace = arguments->values[CLI_TRACE].text;
    const char *checkpoint = arguments->values[CLI_CHECKPOINT].text;
    const char *certificate = arguments->values[CLI_CERTIFICATE].text;
    const char *result = arguments->values[CLI_OUTPUT].text;
    files->count = 0;
    output_form form = policy != NULL ? find_form(policy) : FORM_POLICY;
    if (policy != NULL)
        add_output(files, "--policy", policy, suffixes[form]);
    if (form == FORM_TRA) {
        add_output(files, "--policy", policy, ".lab");
        add_output(files, "--policy", policy, ".sta");
    }
    if (dot != NULL)
        add_output(files, "--dot", dot, "");
    if (trace != NULL)
        add_output(files, "--trace", trace, "");
    if (checkpoint != NULL)
        add_output(files, "--checkpoint", checkpoint, "");
    if (certificate != NULL)
        add_output(files, "--certificate", certificate, "");
    if (result != NULL && strcmp(result, "-") != 0)
        add_output(files, "-o", result, "");
}

/* ---- names that are taken ---- */

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Where the name begins behind the folders; found: the folder. */
static const char *find_folder(const char *path, struct stat *found)
{
    char folder[CLI_LONGEST_PATH];
    const char *slash = strrchr(path, '/');
    *found = (struct stat){0};
    snprintf(folder, sizeof folder, "%.*s.", slash != NULL ? (int)(slash - path) + 1 : 0, path);
    if (stat(folder, found) != 0)
        *found = (struct stat){0};
    return slash != NULL ? slash + 1 : path;
}

/* Several may be thrown into /dev/null. */
static bool is_same_file(const char *one, const char *other)
{
    struct stat first, second;
    bool is_there = stat(one, &first) == 0;
    if (is_there != (stat(other, &second) == 0))
        return false;
    if (is_there)
        return S_ISREG(first.st_mode) && is_same(&first, &second);
    return strcmp(find_folder(one, &first), find_folder(other, &second)) == 0 &&
           is_same(&first, &second);
}

static opac_status check_distinct(const output_files *files, opac_error *error)
{
    for (int i = 0; i < files->count; i++)
        for (int j = 0; j < i; j++)
            if (is_same_file(files->items[i].path, files->items[j].path))
                return cli_fail(error, "%s and %s name the same file, %s", files->items[j].option,
                                files->items[i].option, cli_quote(files->items[i].path).text);
    return OPAC_OK;
}

static opac_status check_input(const output_files *files, const char *input, opac_error *error)
{
    for (int i = 0; i < files->count; i++)
        if (is_same_file(files->items[i].path, input))
            return cli_fail(error, "%s: %s is what is read: it is not overwritten",
                            files->items[i].option, cli_quote(files->items[i].path).text);
    return OPAC_OK;
}

/* And the files beside it. */
static opac_status check_model(const output_files *files, const char *model, opac_error *error)
{
    output_files beside = {0};
    opac_status status = check_input(files, model, error);
    if (find_form(model) == FORM_TRA) {
        add_output(&beside, "", model, ".lab");
        add_output(&beside, "", model, ".sta");
    }
    for (int i = 0; i < beside.count && status == OPAC_OK; i++)
        status = check_input(files, beside.items[i].path, error);
    return status;
}

static opac_status check_inputs(const cli_arguments *arguments, const output_files *files,
                                opac_error *error)
{
    const cli_option_id options[] = {CLI_PROPERTIES, CLI_AUTOMATON};
    const char *graph = arguments->values[CLI_GRAPH].text;
    opac_status status = OPAC_OK;
    if (!opac_environment_is_simulator(arguments->operands[0]))
        status = check_model(files, arguments->operands[0], error);
    if (status == OPAC_OK && graph != NULL && strcmp(graph, "model") != 0)
        status = check_model(files, graph, error);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        cli_walk walk = {0};
        for (const char *path;
             status == OPAC_OK && (path = cli_next_value(arguments, options[i], &walk)) != NULL;)
            status = check_input(files, path, error);
    }
    return status;
}

/* ---- what is there already ---- */

static bool is_checkpoint(const char *bytes)
{
    static const char begin[] = "omegapac checkpoint ";
    return strncmp(bytes, begin, sizeof begin - 1) == 0;
}

/* As they are written: the schema is the first member. */
static bool is_certificate(const char *bytes)
{
    static const char *const begin[] = {"{", "\"schema\"", ":", "\"omegapac.certificate/"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        bytes += strspn(bytes, " \t\r\n");
        if (strncmp(bytes, begin[i], strlen(begin[i])) != 0)
            return false;
        bytes += strlen(begin[i]);
    }
    return true;
}

static bool may_replace(const output_file *old, const char *bytes, size_t length)
{
    const char *suffix = old->suffix;
    if (length == 0)
        return true;
    if (strcmp(old->option, "--checkpoint") == 0)
        return is_checkpoint(bytes);
    if (strcmp(old->option, "--certificate") == 0)
        return is_certificate(bytes);
    if (strcmp(suffix, ".tra") == 0)
        return opac_model_format_guess(bytes, length) == OPAC_FORMAT_TRA;
    if (strcmp(suffix, ".drn") == 0)
        return opac_model_format_guess(bytes, length) == OPAC_FORMAT_DRN;
    if (strcmp(suffix, ".lab") == 0)
        return bytes[0] >= '0' && bytes[0] <= '9' && strstr(bytes, "=\"") != NULL;
    if (strcmp(suffix, ".sta") == 0)
        return bytes[0] == '(';
    return opac_policy_is_file(bytes, length);
}

static opac_status check_old(const output_file *old, opac_error *error)
{
    char bytes[PREFIX + 1], kind[16];
    FILE *file = fopen(old->path, "rb");
    size_t length = file != NULL ? fread(bytes, 1, PREFIX, file) : 0;
    bool is_read = file != NULL && ferror(file) == 0;
    bytes[length] = '\0';
    if (file != NULL)
        fclose(file);
    if (is_read && may_replace(old, bytes, length))
        return OPAC_OK;
    snprintf(kind, sizeof kind, "%s file", old->suffix);
    return cli_fail(error, "%s: %s is there and is no %s: it is not overwritten", old->option,
                    cli_quote(old->path).text,
                    *old->suffix != '\0' ? kind : old->option + strlen("--"));
}

/* A new file is begun and dropped again, to know whether its folder takes one. Of those that are
 * there, only a regular file has something to lose. */
static opac_status check_place(const output_file *file, opac_error *error)
{
    struct stat found;
    opac_output *out;
    bool is_there = stat(file->path, &found) == 0;
    bool is_kind = strcmp(file->option, "--policy") == 0 ||
                   strcmp(file->option, "--checkpoint") == 0 ||
                   strcmp(file->option, "--certificate") == 0; /* and not any file */
    if (is_there && S_ISREG(found.st_mode) && is_kind)
        return check_old(file, error);
    if (is_there && !S_ISDIR(found.st_mode))
        return OPAC_OK;
    opac_status status = opac_output_open_file(file->path, &out, error);
    if (status == OPAC_OK)
        opac_output_free(out);
    return status;
}

opac_status cli_policy_files_check(const cli_arguments *arguments, opac_error *error)
{
    const char *policy = arguments->values[CLI_POLICY].text;
    const char *dot = arguments->values[CLI_DOT_FILE].text;
    output_files files;
    if (policy != NULL && strcmp(policy, "-") == 0)
        return cli_fail(error, "--policy needs the name of a file: standard output is for the "
                               "result");
    if (dot != NULL && strcmp(dot, "-") == 0)
        return cli_fail(error, "--dot needs the name of a file: standard output is for the result");
    list_outputs(arguments, &files);
    opac_status status = check_distinct(&files, error);
    if (status == OPAC_OK)
        status = check_inputs(arguments, &files, error);
    for (int i = 0; i < files.count && status == OPAC_OK; i++)
        status = check_place(&files.items[i], error);
    return status;
}

/* ---- writing ---- */

static opac_status write_drn(const opac_model *chain, const char *path, cli_files *files,
                             opac_error *error)
{
    opac_output *out;
    opac_status status = cli_files_open(files, path, &out, error);
    if (status == OPAC_OK)
        opac_model_write_drn(chain, out);
    return status;
}

static opac_status write_chain(const cli_model *m, const opac_policy *policy, const char *path,
                               cli_files *files, opac_error *error)
{
    opac_model *chain = NULL;
    opac_status status = opac_policy_induce(policy, m->cancel, &chain, error);
    if (status == OPAC_OK && find_form(path) == FORM_DRN)
        status = write_drn(chain, path, files, error);
    else if (status == OPAC_OK)
        status = cli_files_write_explicit(files, path, chain, m->cancel, error);
    opac_model_free(chain);
    return status;
}

static opac_status write_policy(const cli_model *m, const opac_policy *policy, const char *path,
                                cli_files *files, opac_error *error)
{
    opac_output *out;
    if (find_form(path) != FORM_POLICY)
        return write_chain(m, policy, path, files, error);
    opac_status status = cli_files_open(files, path, &out, error);
    if (status == OPAC_OK)
        opac_policy_write(policy, out);
    return status;
}

static opac_status write_dot(const cli_model *m, const opac_policy *policy, const char *path,
                             cli_files *files, opac_error *error)
{
    opac_output *out;
    uint32_t limit = (uint32_t)m->arguments->values[CLI_DOT_LIMIT].count;
    opac_status status = cli_files_open(files, path, &out, error);
    if (status == OPAC_OK)
        status = opac_policy_write_dot(policy, limit, out, error);
    if (status == OPAC_ERROR_LIMIT) {
        size_t length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length,
                 "; --dot-limit allows more");
    }
    return status;
}

opac_status cli_policy_files_write(const cli_model *m, const opac_policy *policy, uint64_t *digest,
                                   opac_error *error)
{
    const char *path = m->arguments->values[CLI_POLICY].text;
    const char *dot = m->arguments->values[CLI_DOT_FILE].text;
    cli_files files = {.keep_digests = m->arguments->values[CLI_JSON].given};
    opac_status status = OPAC_OK;
    if (dot != NULL)
        status = write_dot(m, policy, dot, &files, error);
    if (status == OPAC_OK && path != NULL)
        status = write_policy(m, policy, path, &files, error);
    if (status == OPAC_OK)
        status = cli_files_commit(&files, m->cancel, error);
    if (status == OPAC_OK && path != NULL && files.keep_digests)
        *digest = opac_output_digest(files.out[files.count - 1]); /* of X.tra, too: it is last */
    cli_files_close(&files);
    return status;
}

void cli_policy_echo(const opac_policy *policy, const char *path, uint64_t digest, opac_json *json)
{
    opac_json_key(json, "policy");
    if (opac_policy_decisions(policy) <= CLI_MOST_EMBEDDED) {
        opac_policy_echo(policy, json);
        opac_policy_echo_chain(policy, OPAC_MOST_CHAIN, json);
        opac_policy_echo_states(policy, OPAC_MOST_LISTED, json);
        return;
    }
    opac_json_begin_object(json);
    if (path != NULL) {
        char text[32];
        snprintf(text, sizeof text, "fnv1a64:%016" PRIx64, digest);
        opac_json_key(json, "path");
        opac_json_string(json, path);
        opac_json_key(json, "digest");
        opac_json_string(json, text);
    }
    cli_echo_number(json, "decisions", opac_policy_decisions(policy));
    opac_json_end_object(json);
}
