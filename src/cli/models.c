/* SPDX-License-Identifier: MIT */
/*
 * Loads the model of a MODEL operand. The listener prints errors with a place, each with its line and a
 * caret; the reading function then returns the first of them, which is not printed again.
 */
#include "cli/models.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "cli/automata.h"
#include "cli/follow.h"
#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/simulators.h"
#include "cli/source.h"

bool cli_is_automaton(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".hoa") == 0;
}

/* ---- messages ---- */

static void clear_progress(const cli_model *m)
{
    if (m->progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
}

void cli_model_listen(void *context, const opac_message *message)
{
    cli_model *m = context;
    bool warning = message->code == OPAC_OK;
    const char *path = message->path != NULL ? message->path : m->name;
    cli_source source = {.arguments = m->arguments,
                         .name = path,
                         .first_line = message->line > 0 ? message->line : 1,
                         .text = message->excerpt,
                         .length = message->excerpt != NULL ? message->excerpt_length : 0};
    opac_error error = {.code = message->code,
                        .line = message->line > 0 ? 1 : 0,
                        .column = message->column,
                        .parameter = message->parameter};
    snprintf(error.message, sizeof error.message, "%s", message->text);
    if (warning && m->arguments->values[CLI_QUIET].given)
        return;
    clear_progress(m);
    if (warning) {
        cli_warn(&source, error.line, error.column, message->text);
    } else {
        cli_report_at(&source, &error);
        m->is_reported = true;
    }
}

cli_exit cli_model_report(cli_model *m, opac_error *error)
{
    cli_source source = {.arguments = m->arguments, .name = m->name, .first_line = 1};
    clear_progress(m);
    if (m->is_reported && error->line > 0)
        return cli_exit_for(error->code);
    return cli_report_at(&source, error);
}

/* ---- options ---- */

static opac_status add_constants(cli_model *m, opac_error *error)
{
    cli_walk walk = {0};
    opac_status status = opac_constants_new(&m->constants, error);
    for (const char *text; status == OPAC_OK &&
                           (text = cli_next_value(m->arguments, CLI_CONSTANTS, &walk)) != NULL;) {
        status = opac_constants_add(m->constants, text, error);
        if (status != OPAC_OK && status != OPAC_ERROR_MEMORY) {
            char before[96];
            snprintf(before, sizeof before, "-D %s: ", cli_quote(text).text);
            cli_prepend(error, before);
            error->line = error->column = 0; /* the place is within the argument */
        }
    }
    return status;
}

/* Refuses - for several inputs. */
static opac_status check_input_once(const cli_arguments *arguments, opac_error *error)
{
    const cli_option_id options[] = {CLI_PROPERTIES, CLI_AUTOMATON, CLI_POLICY, CLI_GRAPH};
    const char *operand = arguments->operands[0];
    int count = operand != NULL && strcmp(operand, "-") == 0 ? 1 : 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        cli_walk walk = {0};
        for (const char *path; (path = cli_next_value(arguments, options[i], &walk)) != NULL;)
            count += strcmp(path, "-") == 0 ? 1 : 0;
    }
    return count < 2
               ? OPAC_OK
               : cli_fail(error, "- is given %d times, but standard input can be read only once",
                          count);
}

static uint64_t states_limit(const cli_arguments *arguments)
{
    const cli_value *states = &arguments->values[CLI_MODEL_STATES];
    return states->is_set ? states->count : arguments->values[CLI_ANY_STATES].count;
}

opac_status cli_model_begin(cli_model *m, const cli_arguments *arguments, opac_error *error)
{
    *m = (cli_model){.arguments = arguments, .name = "model"};
    TRY(cli_interrupt_begin(arguments, &m->cancel, error));
    TRY(check_input_once(arguments, error));
    TRY(add_constants(m, error));
    TRY(cli_follow(arguments, cli_follow_draw, (void *)arguments, &m->progress, error));
    m->options = (opac_model_options){
        .constants = m->constants,
        .max_states = states_limit(arguments),
        .max_memory = arguments->values[CLI_MAX_MEMORY].count << 20,
        .exact = arguments->values[CLI_EXACT].given,
        .commands = arguments->values[CLI_ALIKE].given,
        .listener = cli_model_listen,
        .listener_context = m,
        .progress = m->progress,
        .cancel = m->cancel,
    };
    return OPAC_OK;
}

void cli_model_end(cli_model *m)
{
    opac_model_free(m->model);
    opac_progress_free(m->progress);
    opac_constants_free(m->constants);
    cli_interrupt_end(m->cancel);
}

/* ---- reading ---- */

static const char *wanted_format(const cli_arguments *arguments)
{
    const cli_value *from = &arguments->values[CLI_FROM];
    return from->given ? from->word : arguments->values[CLI_FROM_ANY].word;
}

static opac_model_format format_of_word(const char *word)
{
    if (strcmp(word, "tra") == 0)
        return OPAC_FORMAT_TRA;
    return strcmp(word, "drn") == 0 ? OPAC_FORMAT_DRN : OPAC_FORMAT_PRISM;
}

opac_status cli_model_load_text(cli_model *m, const char *path, const char *text, size_t length,
                                opac_error *error)
{
    const char *wanted = wanted_format(m->arguments);
    opac_model_format format =
        wanted != NULL ? format_of_word(wanted) : opac_model_format_guess(text, length);
    double start = opac_clock_seconds();
    m->name = cli_file_name(path);
    opac_status status = opac_model_read_text(format, text, length, &m->options, &m->model, error);
    m->seconds = opac_clock_seconds() - start;
    return status;
}

static opac_status load_text(cli_model *m, const char *path, opac_error *error)
{
    opac_output *text = NULL;
    size_t length;
    TRY(cli_read_file(path, m->cancel, &text, error));
    const char *bytes = opac_output_bytes(text, &length);
    opac_status status = cli_model_load_text(m, path, bytes, length, error);
    opac_output_free(text);
    return status;
}

/* A path whose suffix differs from --from is read as text; of explicit files, only the .tra is read. */
static bool is_read_as_text(const cli_model *m, const char *path)
{
    opac_model_format format;
    const char *wanted = wanted_format(m->arguments);
    if (strcmp(path, "-") == 0)
        return true;
    return wanted != NULL &&
           !(opac_model_format_of(path, &format) && format == format_of_word(wanted));
}

opac_status cli_model_load(cli_model *m, const char *path, opac_error *error)
{
    if (opac_environment_is_simulator(path))
        return cli_simulator_refuse(m->arguments, path, error);
    if (m->arguments->values[CLI_ENV_TIMEOUT].given)
        return cli_fail(error, "--env-timeout requires a simulator, but %s is a model file",
                        cli_quote(path).text);
    if (cli_is_automaton(path) && wanted_format(m->arguments) == NULL)
        return cli_fail(error,
                        "%s has the suffix of an automaton, but a model is expected; use "
                        ".prism, .pm, .nm, .mdp, .dtmc, .tra or .drn, or give --from",
                        cli_quote(path).text);
    TRY(cli_simulator_check_path(m->arguments, path, error));
    if (is_read_as_text(m, path))
        return load_text(m, path, error);
    double start = opac_clock_seconds();
    m->name = path;
    cli_interrupt_begin_wait();
    opac_status status = opac_model_read(path, &m->options, &m->model, error);
    cli_interrupt_end_wait();
    m->seconds = opac_clock_seconds() - start;
    return status;
}

opac_status cli_model_check_constants(const cli_model *m, opac_error *error)
{
    const char *unused = opac_constants_unused(m->constants);
    if (unused == NULL)
        return OPAC_OK;
    char name[OPAC_SHOWN_SIZE];
    const char *meant = opac_constants_suggest(m->constants, unused);
    opac_text_show_path(m->name, name, sizeof name);
    return cli_fail(error, "-D: %s is not a constant of %s%s%s%s", cli_quote(unused).text, name,
                    meant != NULL ? "; did you mean " : "",
                    meant != NULL ? cli_show(meant).text : "", meant != NULL ? "?" : "");
}
