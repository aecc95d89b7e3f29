/* SPDX-License-Identifier: MIT */
/* Simulators as MODEL: opening, refusing and suggesting them, and their states in JSON. */
#include "cli/simulators.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omegapac/text.h>

#include "cli/automata.h"
#include "cli/lines.h"
#include "cli/result.h"

enum {
    MOST_PROPOSITIONS = 64, /* bits of a letter */
    SHOWN_STATE = 1024
};

bool cli_is_simulator(const cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    return name != NULL && opac_environment_is_simulator(name);
}

/* ---- opening ---- */

/* Options that say something about the file of a model. */
static opac_status check_options(const cli_arguments *arguments, opac_error *error)
{
    const cli_option_id options[] = {CLI_CONSTANTS, CLI_FROM, CLI_MODEL_STATES};
    char name[32];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (arguments->values[options[i]].given)
            return cli_fail(error, "%s is for model files, and %s is a simulator",
                            cli_option_spelling(&cli_options[options[i]], name),
                            cli_quote(arguments->operands[0]).text);
    return OPAC_OK;
}

opac_status cli_simulator_open(cli_model *m, opac_environment **environment, opac_error *error)
{
    const char *name = m->arguments->operands[0];
    opac_environment_options options = opac_environment_defaults();
    double start = cli_milliseconds();
    opac_status status = check_options(m->arguments, error);
    if (status != OPAC_OK)
        return status;
    options.timeout = m->arguments->values[CLI_ENV_TIMEOUT].number;
    options.cancel = m->cancel;
    /* learn and estimate have a limit of their own, and a result when they come to it. */
    bool is_limited = cli_command_use(m->arguments->command, CLI_EPSILON) != NULL;
    options.max_memory = is_limited ? UINT64_MAX : m->arguments->values[CLI_MAX_MEMORY].count << 20;
    m->name = name;
    status = opac_environment_open(name, &options, environment, error);
    m->simulator = *environment;
    m->seconds = (cli_milliseconds() - start) * 1e-3;
    return status;
}

opac_status cli_simulator_bind_own(opac_environment *environment, opac_error *error)
{
    const char *names[MOST_PROPOSITIONS];
    size_t count = 0;
    for (const char *name; count < MOST_PROPOSITIONS &&
                           (name = opac_environment_proposition(environment, count)) != NULL;)
        names[count++] = name;
    return opac_environment_bind(environment, names, count, error);
}

/* ---- refusing and suggesting ---- */

opac_status cli_simulator_refuse(const cli_arguments *arguments, const char *path,
                                 opac_error *error)
{
    return cli_fail(error,
                    "%s is a simulator, and %s needs a model; learn, estimate, simulate and env "
                    "check take simulators",
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

/* Whether a file begins as scripts and programs do. */
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

opac_status cli_simulator_suspect(const cli_arguments *arguments, const char *path,
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
    return cli_fail(error, "%s is no model file; a simulator is given as '%s%s%s'",
                    cli_quote(path).text, how, is_named ? "" : "./", cli_show(path).text);
}

/* ---- telling ---- */

void cli_simulator_tell_full(const cli_model *m)
{
    opac_error error = {.code = OPAC_ERROR_LIMIT,
                        .message = "the run took more memory than is allowed, and has ended; "
                                   "--max-memory allows more"};
    cli_report(m->arguments->command, &error);
}

void cli_write_simulator(opac_output *out, const cli_arguments *arguments)
{
    cli_write_key(out, "simulator");
    cli_write_shown(out, arguments->operands[0]);
    opac_output_text(out, "\n");
}

/* How many bytes a character of UTF-8 has that begins so; 0: none does. */
static size_t character_length(unsigned char first)
{
    return first < 0x80                     ? 1
           : first >= 0xC2 && first <= 0xDF ? 2
           : (first & 0xF0) == 0xE0         ? 3
           : first >= 0xF0 && first <= 0xF4 ? 4
                                            : 0;
}

/* Whether bytes are a text that JSON can hold: UTF-8, and no NUL. */
static bool is_text(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t width = character_length(bytes[i]);
        if (bytes[i] == 0 || width == 0 || width > length - i)
            return false;
        for (size_t j = 1; j < width; j++)
            if ((bytes[i + j] & 0xC0) != 0x80)
                return false;
        unsigned char second = width > 1 ? bytes[i + 1] : 0;
        if ((bytes[i] == 0xE0 && second < 0xA0) || (bytes[i] == 0xED && second > 0x9F) ||
            (bytes[i] == 0xF0 && second < 0x90) || (bytes[i] == 0xF4 && second > 0x8F))
            return false; /* too long, a surrogate, or beyond the last character */
        i += width;
    }
    return true;
}

static void echo_hexadecimal(opac_json *json, const unsigned char *bytes, size_t length)
{
    opac_output *text = NULL;
    const char *digits = NULL;
    size_t count = 0;
    if (opac_output_open_memory(&text, NULL) == OPAC_OK) {
        for (size_t i = 0; i < length; i++)
            opac_output_print(text, "%02x", bytes[i]);
        digits = opac_output_bytes(text, &count);
    }
    if (digits != NULL)
        opac_json_bytes(json, digits, count);
    else
        opac_json_null(json); /* there is no memory for it */
    opac_output_free(text);
}

void cli_echo_key(opac_json *json, const opac_environment *environment, const void *key,
                  size_t length)
{
    char shown[SHOWN_STATE], plain[SHOWN_STATE];
    const char *bytes = length > 0 ? key : "";
    bool is_plain = is_text((const unsigned char *)bytes, length);
    opac_text_show(bytes, length, plain, sizeof plain);
    opac_environment_show(environment, bytes, length, shown, sizeof shown);
    opac_json_key(json, is_plain ? "key" : "key_hex");
    if (is_plain)
        opac_json_bytes(json, bytes, length);
    else
        echo_hexadecimal(json, (const unsigned char *)bytes, length);
    if (strcmp(shown, plain) != 0)
        cli_echo_text(json, "state", shown);
}

void cli_echo_letter(opac_json *json, const opac_environment *environment, uint64_t letter)
{
    opac_json_key(json, "labels");
    opac_json_begin_array(json);
    for (size_t i = 0; i < MOST_PROPOSITIONS; i++)
        if ((letter >> i & 1) != 0)
            opac_json_string(json, opac_environment_proposition(environment, i));
    opac_json_end_array(json);
}
