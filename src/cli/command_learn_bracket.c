/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn with a bracket, from -T without --k or from --pmin or --graph: checks the options, reads
 * the graph, shows the bracket in the progress line, and writes the certificate.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/command_learn.h"
#include "cli/follow.h"
#include "cli/simulators.h"

enum {
    PROGRESS_DIGITS = 3
};

/* ---- options ---- */

static bool is_given(const cli_arguments *arguments, cli_option_id option)
{
    return arguments->values[option].given;
}

/* Whether a bracket without T is asked for. */
static bool has_support(const cli_arguments *arguments)
{
    return is_given(arguments, CLI_PMIN) || is_given(arguments, CLI_GRAPH);
}

/* Whether a bracket from T is asked for. */
static bool has_horizon_only(const cli_arguments *arguments)
{
    return is_given(arguments, CLI_KNOWN_HORIZON) && !is_given(arguments, CLI_K);
}

/* Whether nothing is known: a lower bound alone is asked for. */
static bool knows_nothing(const cli_arguments *arguments)
{
    return !is_given(arguments, CLI_KNOWN_HORIZON) && !has_support(arguments);
}

/* Refuses the first of the options that is given: "--stop requires ...". */
static opac_status refuse_given(const cli_arguments *arguments, const cli_option_id *options,
                                const char *reason, opac_error *error)
{
    char name[32];
    while (*options != CLI_NO_OPTION && !is_given(arguments, *options))
        options++;
    return *options == CLI_NO_OPTION
               ? OPAC_OK
               : cli_fail(error, "%s %s", cli_option_spelling(&cli_options[*options], name),
                          reason);
}

static opac_status refuse_both(const cli_arguments *arguments, opac_error *error)
{
    return cli_fail(error,
                    "-T and %s cannot be used together: give -T for a bracket from T or, with "
                    "--k, omega-PAC; or --pmin, --graph or both for a bracket without T",
                    is_given(arguments, CLI_PMIN) ? "--pmin" : "--graph");
}

/* Options of omega-PAC are refused in a bracket from T also if their value is the default. */
static opac_status check_horizon_only(const cli_arguments *arguments, opac_error *error)
{
    static const cli_option_id with_k[] = {CLI_SLACK, CLI_STOP, CLI_COUNTS, CLI_NO_OPTION};
    static const cli_option_id guaranteed[] = {CLI_CERTIFICATE, CLI_AT_LEAST, CLI_NO_OPTION};
    const cli_value *sampler = &arguments->values[CLI_SAMPLER];
    TRY(refuse_given(arguments, with_k, "belongs to --k: without --k, -T gives a bracket", error));
    if (sampler->given && strcmp(sampler->word, "population") == 0)
        return cli_fail(error, "--sampler population belongs to --k: without --k, -T gives a "
                               "bracket, which is sampled one transition at a time");
    return arguments->values[CLI_KNOWN_HORIZON].word == NULL
               ? OPAC_OK
               : refuse_given(arguments, guaranteed,
                              "cannot be used with -T auto, which gives no guarantee", error);
}

/* The words of --alike depend on the kind of system. */
static opac_status check_alike(const cli_arguments *arguments, opac_error *error)
{
    const cli_value *alike = &arguments->values[CLI_ALIKE];
    bool is_simulator = cli_is_simulator(arguments);
    if (!alike->given && is_given(arguments, CLI_PMIN_OUTCOME))
        return cli_fail(error, "--pmin-outcome requires --alike");
    if (alike->given && (strcmp(alike->word, "outcomes") == 0) != is_simulator)
        return cli_fail(error, is_simulator
                                   ? "--alike commands requires a PRISM program; for a simulator "
                                     "use --alike outcomes"
                                   : "--alike outcomes requires a simulator; for a PRISM program "
                                     "use --alike commands");
    return OPAC_OK;
}

opac_status cli_learn_check_known(const cli_arguments *arguments, opac_error *error)
{
    static const cli_option_id with_horizon[] = {CLI_K,      CLI_TARGET,  CLI_SLACK,    CLI_STOP,
                                                 CLI_COUNTS, CLI_SAMPLER, CLI_NO_OPTION};
    static const cli_option_id with_support[] = {CLI_PMIN_START, CLI_EXPLORE, CLI_ALIKE,
                                                 CLI_PMIN_OUTCOME, CLI_NO_OPTION};
    static const cli_option_id with_any[] = {CLI_STATES, CLI_ACTIONS, CLI_BRANCHING, CLI_NO_OPTION};
    static const cli_option_id with_bracket[] = {CLI_CERTIFICATE, CLI_AT_LEAST, CLI_NO_OPTION};
    if (is_given(arguments, CLI_KNOWN_HORIZON) && has_support(arguments))
        return refuse_both(arguments, error);
    TRY(check_alike(arguments, error));
    if (knows_nothing(arguments)) {
        TRY(refuse_given(arguments, with_horizon, "requires -T", error));
        TRY(refuse_given(arguments, with_support, "requires --pmin or --graph", error));
        return refuse_given(arguments, with_any, "requires -T, --pmin or --graph", error);
    }
    if (has_support(arguments))
        return refuse_given(arguments, with_horizon,
                            "requires -T, and cannot be used with --pmin or --graph", error);
    TRY(refuse_given(arguments, with_support,
                     "requires --pmin or --graph, and cannot be used with -T", error));
    if (!is_given(arguments, CLI_EPSILON))
        return cli_fail(error, "-T requires --epsilon, the epsilon of the recurrence time");
    if (has_horizon_only(arguments))
        return check_horizon_only(arguments, error);
    return refuse_given(arguments, with_bracket,
                        "requires a bracket, and cannot be used with --k, which selects omega-PAC",
                        error);
}

/* ---- the graph ---- */

static void name_graph(const char *path, opac_error *error)
{
    char before[96];
    if (error->code == OPAC_ERROR_MEMORY)
        return;
    snprintf(before, sizeof before, "--graph %s: ", cli_quote(path).text);
    cli_prepend(error, before);
}

/* Uses the same constants (-D). Messages name the graph file. */
static opac_status load_graph(cli_learn *l, const char *path, opac_error *error)
{
    l->graph = l->model;
    l->graph.model = NULL;
    l->graph.options.listener_context = &l->graph;
    opac_status status = cli_model_load(&l->graph, path, error);
    l->model.is_reported |= l->graph.is_reported;
    return status;
}

/* Checks the options against the capabilities of an open simulator. */
static opac_status check_simulator(const cli_learn *l, opac_error *error)
{
    const cli_value *graph = &l->model.arguments->values[CLI_GRAPH];
    opac_environment_traits traits = opac_environment_get_traits(l->environment);
    if (graph->given && strcmp(graph->text, "model") != 0)
        return cli_fail(error, "--graph FILE requires a model file, whose states it shares; for a "
                               "simulator use --pmin, or --graph model if the simulator knows its "
                               "graph");
    if (graph->given && !traits.knows_graph)
        return cli_fail(error, "--graph model: this simulator does not know the successors of its "
                               "actions (a plugin with `successors` does); use --pmin");
    if (l->options.alike && !traits.tells_outcomes)
        return cli_fail(error, "--alike outcomes: this simulator does not tell outcomes (an exec: "
                               "simulator greets with outcomes=yes)");
    if (l->options.explore == OPAC_EXPLORE_GENERATIVE && !traits.can_draw)
        return cli_fail(error,
                        "--explore generative: this simulator cannot sample successors of an "
                        "arbitrary state (a plugin with `draw` can); use --explore episodes");
    return OPAC_OK;
}

static opac_status open_graph(cli_learn *l, opac_error *error)
{
    const char *path = l->model.arguments->values[CLI_GRAPH].text;
    if (l->model.simulator != NULL)
        TRY(check_simulator(l, error));
    if (path == NULL)
        return OPAC_OK;
    if (strcmp(path, "model") == 0) {
        l->options.graph = l->environment;
        return OPAC_OK;
    }
    TRY(load_graph(l, path, error));
    opac_status status = opac_environment_of_graph(l->graph.model, l->model.model, NULL,
                                                   &l->graph_environment, error);
    if (status != OPAC_OK)
        name_graph(path, error);
    l->options.graph = l->graph_environment;
    return status;
}

/* ---- the progress line ---- */

/* What was tried so far, "24 pairs, 2 policies, "; with p_min or a graph the pairs are those that are complete. */
static void format_tried(const cli_learn *l, char *buffer, size_t size)
{
    char pairs[OPAC_QUANTITY_SIZE], policies[OPAC_QUANTITY_SIZE];
    snprintf(buffer, size, "%s %spair%s, %s polic%s, ",
             opac_quantity_format((double)l->pairs, pairs, sizeof pairs),
             l->has_trial ? "" : "complete ", l->pairs == 1 ? "" : "s",
             opac_quantity_format((double)l->candidates, policies, sizeof policies),
             l->candidates == 1 ? "y" : "ies");
}

/* "[0.412, 0.931] steps sampled". The remaining time is known only with --max-steps. */
static void draw_line(void *context, const opac_progress_report *report)
{
    const cli_learn *l = context;
    char what[128], tried[64], lower[OPAC_NUMBER_SIZE], upper[OPAC_NUMBER_SIZE];
    opac_progress_report line = *report;
    format_tried(l, tried, sizeof tried);
    snprintf(what, sizeof what, "[%s, %s] %s%.24s",
             opac_number_format_down(l->lower, PROGRESS_DIGITS, lower),
             opac_number_format_up(l->upper, PROGRESS_DIGITS, upper), tried, report->what);
    line.what = what;
    if (l->options.max_steps == 0) {
        line.total = 0;
        line.share = line.seconds_left = -1;
    }
    opac_progress_line_draw(stderr, &line);
    cli_follow_report(l->model.arguments, report);
}

/* ---- opening and closing ---- */

static opac_status find_model_digest(cli_learn *l, opac_error *error)
{
    const char *path = l->model.arguments->operands[0];
    if (!l->model.arguments->values[CLI_CERTIFICATE].given || strcmp(path, "-") == 0 ||
        l->model.simulator != NULL)
        return OPAC_OK;
    return opac_digest_file(path, l->model_digest, error);
}

static opac_status open_support(cli_learn *l, opac_error *error)
{
    const cli_value *values = l->model.arguments->values;
    l->options.pmin = values[CLI_PMIN].given ? values[CLI_PMIN].number : 0;
    l->options.pmin_start = values[CLI_PMIN_START].given ? values[CLI_PMIN_START].number : 0;
    l->options.alike = values[CLI_ALIKE].given;
    l->options.pmin_outcome = values[CLI_PMIN_OUTCOME].given ? values[CLI_PMIN_OUTCOME].number : 0;
    if (values[CLI_EXPLORE].given)
        l->options.explore =
            (opac_learn_explore)cli_learn_value_of(OPAC_ENUM_EXPLORE, &values[CLI_EXPLORE]);
    return open_graph(l, error);
}

opac_status cli_learn_open_bracket(cli_learn *l, opac_error *error)
{
    l->has_horizon = has_horizon_only(l->model.arguments);
    l->has_trial = l->has_horizon || knows_nothing(l->model.arguments);
    l->is_bracket = l->has_trial || has_support(l->model.arguments);
    if (!l->is_bracket)
        return OPAC_OK;
    l->upper = 1;
    l->options.trace = cli_learn_trace;
    l->options.trace_context = l;
    if (!l->has_trial)
        TRY(open_support(l, error));
    TRY(find_model_digest(l, error));
    TRY(cli_follow(l->model.arguments, draw_line, l, &l->progress, error));
    l->options.progress = l->progress;
    return OPAC_OK;
}

void cli_learn_close_bracket(cli_learn *l)
{
    opac_progress_free(l->progress);
    opac_environment_free(l->graph_environment);
    opac_model_free(l->graph.model);
}

/* ---- the certificate ---- */

/* The values of all -D options, joined by commas. */
static opac_status write_constants(const cli_learn *l, opac_output **constants, opac_error *error)
{
    cli_walk walk = {0};
    const char *joint = "";
    TRY(opac_output_open_memory(constants, error));
    for (const char *text;
         (text = cli_next_value(l->model.arguments, CLI_CONSTANTS, &walk)) != NULL;) {
        opac_output_text(*constants, joint);
        opac_output_text(*constants, text);
        joint = ",";
    }
    opac_output_write(*constants, "", 1);
    return opac_output_bytes(*constants, &(size_t){0}) != NULL
               ? OPAC_OK
               : opac_output_commit(*constants, error);
}

/* Makes and checks the certificate in memory first, where signals still interrupt it: this may take long. */
static opac_status write_certificate(const cli_learn *l, const char *path,
                                     const opac_certificate_inputs *inputs, opac_error *error)
{
    opac_output *text;
    size_t length;
    opac_status status;
    TRY(opac_output_open_memory(&text, error));
    TRY_OR(done, opac_learning_write_certificate(l->learning, inputs, text, error));
    const char *bytes = opac_output_bytes(text, &length);
    status = bytes != NULL ? cli_write_output(path, bytes, length, error)
                           : opac_output_commit(text, error);
done:
    opac_output_free(text);
    return status;
}

/* Only regular files have a digest. */
static opac_status find_digest(cli_learn *l, const char *path, opac_error *error)
{
    struct stat found;
    if (!l->model.arguments->values[CLI_JSON].given || stat(path, &found) != 0 ||
        !S_ISREG(found.st_mode))
        return OPAC_OK;
    return opac_digest_file(path, l->certificate_digest, error);
}

/* Says why there is no certificate. One of an earlier run is not removed, and must not be taken for one of this run. */
static void explain(cli_learn *l, const char *path, const char *why)
{
    struct stat found;
    char note[OPAC_MESSAGE_SIZE + 32];
    bool is_there = stat(path, &found) == 0 && S_ISREG(found.st_mode);
    snprintf(l->uncertified, sizeof l->uncertified, "%s%s%s%s", why, is_there ? "; " : "",
             is_there ? cli_quote(path).text : "",
             is_there ? " was there before this run, and is unchanged" : "");
    snprintf(note, sizeof note, "no certificate is written: %s", l->uncertified);
    cli_notice(&l->source, 0, 0, note);
}

/* Whether the run has a bracket to certify; prints a note if not. */
static bool is_certifiable(cli_learn *l, const char *path)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    bool has_bracket = !isnan(report->lower) && !isnan(report->upper);
    if (has_bracket && (report->lower > 0 || report->upper < 1))
        return true;
    explain(l, path, has_bracket ? "the bracket is [0, 1]" : "there is no valid bracket");
    return false;
}

opac_status cli_learn_write_certificate(cli_learn *l, opac_error *error)
{
    const cli_arguments *arguments = l->model.arguments;
    const char *path = arguments->values[CLI_CERTIFICATE].text;
    bool is_piped = strcmp(arguments->operands[0], "-") == 0;
    opac_output *constants = NULL;
    opac_status status;
    size_t length;
    if (!is_certifiable(l, path))
        return OPAC_OK;
    TRY_OR(done, write_constants(l, &constants, error));
    const opac_certificate_inputs inputs = {
        .model = is_piped ? NULL : arguments->operands[0],
        .model_digest = *l->model_digest != '\0' ? l->model_digest : NULL,
        .constants =
            arguments->values[CLI_CONSTANTS].given ? opac_output_bytes(constants, &length) : NULL};
    TRY_OR(done, write_certificate(l, path, &inputs, error));
    l->certified = true;
    status = find_digest(l, path, error);
done:
    opac_output_free(constants);
    return status;
}
