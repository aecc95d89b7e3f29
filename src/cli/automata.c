/* SPDX-License-Identifier: MIT */
#include "cli/automata.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double cli_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* One spelling, --kind, has two defaults: that of translate, and that of convert. */
static const char *kind_word(const cli_value *values)
{
    return values[CLI_KIND].word != NULL ? values[CLI_KIND].word : values[CLI_ANY_KIND].word;
}

opac_status cli_automaton_options(const cli_arguments *arguments, const opac_cancel *cancel,
                                  opac_automaton_options *options, opac_error *error)
{
    const cli_value *values = arguments->values;
    *options = (opac_automaton_options){.state_based = values[CLI_STATE_BASED].given,
                                        .complete = values[CLI_COMPLETE].given,
                                        .state_limit = (uint32_t)values[CLI_MAX_STATES].count,
                                        .work_limit = values[CLI_TRANSLATION_WORK].count,
                                        .cancel = cancel};
    opac_status status = opac_automaton_kind_parse(kind_word(values), &options->kind, error);
    if (status == OPAC_OK)
        status = opac_acceptance_parse(values[CLI_ACCEPTANCE].word, &options->acceptance, error);
    /* Said once, before a batch begins. */
    if (status == OPAC_OK && options->kind == OPAC_KIND_LDBA &&
        options->acceptance != OPAC_ACCEPTANCE_ANY && options->acceptance != OPAC_ACCEPTANCE_BUCHI)
        status = cli_fail(error, "--kind ldba has Buchi acceptance: --acceptance any or buchi");
    return status;
}

/* What a function of the library writes, as a string. */
typedef void (*automaton_writer)(const opac_automaton *automaton, opac_output *out);

static opac_status echo_written(const opac_automaton *automaton, automaton_writer writer,
                                opac_json *json, opac_error *error)
{
    opac_output *text;
    size_t length;
    opac_status status = opac_output_open_memory(&text, error);
    if (status != OPAC_OK)
        return status;
    writer(automaton, text);
    const char *bytes = opac_output_bytes(text, &length);
    if (bytes != NULL)
        opac_json_bytes(json, bytes, length);
    else
        status = opac_output_commit(text, error);
    opac_output_free(text);
    return status;
}

static const char *advice(const cli_arguments *arguments, bool deterministic,
                          const opac_error *error)
{
    const cli_value *values = arguments->values;
    if (error->code == OPAC_ERROR_UNSUPPORTED && deterministic &&
        strcmp(kind_word(values), "ldba") != 0 && strcmp(values[CLI_ACCEPTANCE].word, "buchi") == 0)
        return "; use --kind ldba";
    if (error->code == OPAC_ERROR_LIMIT && strstr(error->message, "states") != NULL)
        return "; --max-states allows more";
    if (error->code == OPAC_ERROR_LIMIT && strstr(error->message, "units of work") != NULL)
        return "; --max-work allows more";
    return "";
}

void cli_automaton_advise(const cli_arguments *arguments, bool deterministic, opac_error *error)
{
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, "%s",
             advice(arguments, deterministic, error));
}

static opac_status echo_sizes(const opac_automaton *automaton, opac_json *json, opac_error *error)
{
    uint32_t live = 0;
    opac_status status = opac_automaton_live_states(automaton, &live, error);
    opac_json_key(json, "states");
    opac_json_uint(json, opac_automaton_states(automaton));
    opac_json_key(json, "live_states");
    opac_json_uint(json, live);
    opac_json_key(json, "edges");
    opac_json_uint(json, opac_automaton_edges(automaton));
    opac_json_key(json, "marks");
    opac_json_uint(json, opac_automaton_marks(automaton));
    return status;
}

static opac_status echo_condition(const opac_automaton *automaton, opac_json *json,
                                  opac_error *error)
{
    opac_json_key(json, "acceptance");
    opac_status status = echo_written(automaton, opac_automaton_write_acceptance, json, error);
    if (status != OPAC_OK)
        return status;
    opac_json_key(json, "acceptance_name");
    return echo_written(automaton, opac_automaton_write_acceptance_name, json, error);
}

static opac_status echo_properties(const opac_automaton *automaton, opac_json *json,
                                   opac_error *error)
{
    bool limit_deterministic = false;
    opac_status status =
        opac_automaton_is_limit_deterministic(automaton, &limit_deterministic, error);
    opac_json_key(json, "propositions");
    opac_json_begin_array(json);
    for (size_t i = 0; i < opac_automaton_proposition_count(automaton); i++)
        opac_json_string(json, opac_automaton_proposition(automaton, i));
    opac_json_end_array(json);
    opac_json_key(json, "deterministic");
    opac_json_bool(json, opac_automaton_is_deterministic(automaton));
    opac_json_key(json, "complete");
    opac_json_bool(json, opac_automaton_is_complete(automaton));
    opac_json_key(json, "limit_deterministic");
    opac_json_bool(json, limit_deterministic);
    return status;
}

void cli_stats_echo(const cli_arguments *arguments, double milliseconds, opac_json *json)
{
    if (arguments->values[CLI_NO_TIMING].given)
        return;
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    opac_json_key(json, "milliseconds");
    opac_json_double(json, round(milliseconds * 1e3) / 1e3);
    opac_json_end_object(json);
}

opac_status cli_automaton_echo(const opac_automaton *automaton, const cli_arguments *arguments,
                               double milliseconds, opac_json *json, opac_error *error)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    opac_status status = echo_sizes(automaton, json, error);
    if (status == OPAC_OK)
        status = echo_condition(automaton, json, error);
    if (status == OPAC_OK)
        status = echo_properties(automaton, json, error);
    if (status != OPAC_OK)
        return status;
    opac_json_end_object(json);
    cli_stats_echo(arguments, milliseconds, json);
    opac_json_key(json, "automaton");
    return echo_written(automaton, opac_automaton_write_hoa, json, error);
}
