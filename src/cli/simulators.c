/* SPDX-License-Identifier: MIT */
/* Opens simulators given as MODEL, and reports paths that look like one. */
#include "cli/simulators.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/automata.h"
#include "cli/result.h"

bool cli_is_simulator(const cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    return name != NULL && opac_environment_is_simulator(name);
}

/* ---- opening ---- */

/* Refuses options that only apply to model files. */
static opac_status check_options(const cli_arguments *arguments, opac_error *error)
{
    const cli_option_id options[] = {CLI_CONSTANTS, CLI_FROM, CLI_MODEL_STATES};
    char name[32];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (arguments->values[options[i]].given)
            return cli_fail(error, "%s requires a model file, but %s is a simulator",
                            cli_option_spelling(&cli_options[options[i]], name),
                            cli_quote(arguments->operands[0]).text);
    return OPAC_OK;
}

opac_status cli_simulator_open(cli_model *m, opac_environment **environment, opac_error *error)
{
    const char *name = m->arguments->operands[0];
    opac_environment_options options = opac_environment_defaults();
    double start = opac_clock_seconds();
    TRY(check_options(m->arguments, error));
    options.timeout = m->arguments->values[CLI_ENV_TIMEOUT].number;
    options.cancel = m->cancel;
    /* learn and estimate apply the limit themselves, and then report a result. */
    bool is_limited = cli_command_use(m->arguments->command, CLI_EPSILON) != NULL;
    options.max_memory = is_limited ? UINT64_MAX : m->arguments->values[CLI_MAX_MEMORY].count << 20;
    m->name = name;
    opac_status status = opac_environment_open(name, &options, environment, error);
    m->simulator = *environment;
    m->seconds = opac_clock_seconds() - start;
    return status;
}

/* ---- refusing and suggesting ---- */

opac_status cli_simulator_refuse(const cli_arguments *arguments, const char *path,
                                 opac_error *error)
{
    return cli_fail(error,
                    "%s is a simulator, but %s requires a model; learn, estimate, simulate "
                    "and env check accept simulators",
                    cli_quote(path).text, arguments->command->name);
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

static bool is_library(const char *path)
{
    return has_suffix(path, ".so") || strstr(path, ".so.") != NULL || has_suffix(path, ".dylib");
}

/* Whether a file is executable and begins like a script or a program. */
static bool is_program(const char *path)
{
    char bytes[4] = "";
    FILE *file = fopen(path, "rb");
    size_t length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file != NULL)
        fclose(file);
    return access(path, X_OK) == 0 &&
           ((length >= 2 && memcmp(bytes, "#!", 2) == 0) || (length == 4 && memcmp(bytes,
                                                                                   "\x7F"
                                                                                   "ELF",
                                                                                   4) == 0));
}

opac_status cli_simulator_check_path(const cli_arguments *arguments, const char *path,
                                     opac_error *error)
{
    struct stat found;
    opac_model_format format;
    if (cli_command_use(arguments->command, CLI_ENV_TIMEOUT) == NULL ||
        arguments->values[CLI_FROM].given || opac_model_format_of(path, &format) ||
        stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return OPAC_OK;
    const char *how = is_library(path)          ? "plugin:"
                      : is_program(path)        ? "exec:"
                      : has_suffix(path, ".py") ? "exec:python3 "
                                                : NULL;
    if (how == NULL)
        return OPAC_OK;
    bool is_named = strchr(path, '/') != NULL || how[strlen(how) - 1] == ' ';
    bool takes_models = cli_command_use(arguments->command, CLI_FROM) != NULL;
    return cli_fail(error, "%s is not %s; to run it as a simulator, give '%s%s%s'",
                    cli_quote(path).text, takes_models ? "a model file" : "the name of a simulator",
                    how, is_named ? "" : "./", cli_show(path).text);
}

/* ---- messages ---- */

void cli_report_memory_limit(const cli_model *m)
{
    opac_error error = {
        .code = OPAC_ERROR_LIMIT,
        .message = "the run ended because it reached the memory limit; --max-memory allows "
                   "more"};
    cli_report(m->arguments->command, &error);
}
