/* SPDX-License-Identifier: MIT */
/* omegapac estimate: the probability of an objective in a Markov chain, from samples. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/check.h>
#include <omegapac/estimation.h>
#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/interrupt.h"
#include "cli/learn.h"
#include "cli/lines.h"
#include "cli/objectives.h"
#include "cli/result.h"
#include "cli/simulators.h"
#include "cli/source.h"

enum {
    MOST_DECIMALS = 17,
    SENTENCE_SIZE = OPAC_MESSAGE_SIZE + 80
};

typedef struct estimate {
    cli_model model;
    cli_source source; /* whom notes are about */
    cli_objectives *objectives;
    opac_environment *environment;
    opac_estimate_options options;
    opac_estimation found;
    /* What the model says, which the estimator does not see. */
    opac_solution *solution;       /* NULL: it was not computed */
    double truth;                  /* NAN: likewise */
    char note[sizeof(opac_error)]; /* why not */
    bool is_stopped;               /* that was a signal */
    opac_output *hoa;              /* the automaton's text, with --json */
} estimate;

/* ---- words ---- */

/* How far the estimate may be from the truth. */
static double error_of(const estimate *e)
{
    const opac_estimation *found = &e->found;
    if (found->holds)
        return e->options.width > 0 ? e->options.width : 2 * e->options.epsilon;
    return fmax(found->upper - found->value, found->value - found->lower); /* NAN: unknown */
}

static void make_statement(const estimate *e, char *sentence)
{
    char error[OPAC_NUMBER_SIZE], confidence[OPAC_NUMBER_SIZE];
    opac_number_format_up(error_of(e), 3, error);
    /* 1 - delta may be off by a rounding: 0.9, not 0.899999. But never 1. */
    opac_number_format_down(fmin(e->found.confidence + 1e-12, nextafter(1, 0)), 6, confidence);
    if (e->found.is_refuted)
        snprintf(sentence, SENTENCE_SIZE,
                 "none: the system is not deterministic, as was declared: %s", e->found.refutation);
    else if (isnan(e->found.value))
        snprintf(sentence, SENTENCE_SIZE,
                 "none: the run was ended before the first trajectory was complete");
    else if (e->found.holds)
        snprintf(sentence, SENTENCE_SIZE,
                 "the estimate is within %s of the probability with confidence %s, if T bounds "
                 "the epsilon-recurrence time",
                 error, confidence);
    else
        snprintf(sentence, SENTENCE_SIZE,
                 "not what was asked for, since the run was ended early%s: the estimate is only "
                 "within %s of the probability with confidence %s, if T bounds the "
                 "epsilon-recurrence time",
                 e->found.is_full ? " by the memory that was allowed" : "", error, confidence);
}

/* The index-th thing that is assumed; NULL: there are no more. Of a model all but T is known. */
static const char *assumption(const estimate *e, size_t index, char *sentence)
{
    bool is_simulator = e->model.simulator != NULL;
    char epsilon[OPAC_NUMBER_SIZE];
    const struct {
        bool is_made;
        const char *text;
    } others[] = {
        {is_simulator, "episodes are independent, and the same action in the same state always has "
                       "the same probabilities"},
        {e->options.deterministic, "the system is deterministic: it has one initial state, and a "
                                   "state always leads to the same state"},
        {is_simulator && e->found.met_terminal, "a run stays for ever in a state without actions"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others && index > 0; i++)
        if (others[i].is_made && --index == 0)
            return others[i].text;
    if (index > 0)
        return NULL;
    snprintf(sentence, SENTENCE_SIZE,
             "T = %" PRIu64 " bounds the %s-recurrence time of the product of chain and automaton",
             e->options.horizon, opac_number_format(e->options.epsilon, epsilon));
    return sentence;
}

/* ---- text ---- */

/* By more than the error of what is computed. */
static bool is_contradicted(const estimate *e)
{
    return e->truth < e->found.lower - CLI_TOLERANCE || e->truth > e->found.upper + CLI_TOLERANCE;
}

/* Decimals that mean something, the same for all three numbers; the ends rounded outward. */
static void write_result(const estimate *e, opac_output *out)
{
    const opac_estimation *found = &e->found;
    double width = found->upper - found->lower, scale;
    int decimals = width > 0 ? 3 - (int)floor(log10(width)) : MOST_DECIMALS;
    char value[OPAC_NUMBER_SIZE] = "unknown", lower[OPAC_NUMBER_SIZE], upper[OPAC_NUMBER_SIZE];
    decimals = decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS;
    scale = pow(10, decimals);
    if (!isnan(found->value))
        opac_number_format(fmin(fmax(round(found->value * scale) / scale, 0), 1), value);
    opac_number_format(fmax(floor(found->lower * scale) / scale, 0), lower);
    opac_number_format(fmin(ceil(found->upper * scale) / scale, 1), upper);
    opac_output_print(out, "Result: %s [%s, %s]%s\n", value, lower, upper,
                      is_contradicted(e) ? " (contradicted by the model)" : "");
}

static void write_sizes(const estimate *e, opac_output *out)
{
    const opac_estimation *found = &e->found;
    cli_write_key(out, "objective");
    cli_write_shown(out, cli_objectives_get(e->objectives, 0)->text);
    opac_output_text(out, "\n");
    if (e->model.simulator != NULL)
        cli_write_simulator(out, e->model.arguments);
    else
        cli_write_model(out, e->model.model);
    cli_write_key(out, "automaton");
    cli_write_count(out, found->automaton_states, "state");
    opac_output_text(out, "\n");
    cli_write_key(out, "trajectories");
    opac_output_print(out, "%" PRIu64 " of at most %" PRIu64 " transitions, %" PRIu64 " won\n",
                      found->trajectories, e->options.horizon, found->won);
    cli_write_key(out, "sampled");
    cli_write_count(out, found->steps, "step");
    opac_output_text(out, ", ");
    cli_write_count(out, found->states_seen, "state");
    opac_output_text(out, " seen\n");
}

static void write_truth(const estimate *e, opac_output *out)
{
    char number[OPAC_NUMBER_SIZE];
    opac_output_text(out, "\nComputed from the model, not from samples:\n");
    if (!isnan(e->truth)) {
        cli_write_key(out, "probability");
        opac_output_print(out, "%s\n", cli_learn_number(e->truth, number));
    } else {
        cli_write_key(out, "not computed");
        opac_output_print(out, "%s\n", e->note);
    }
    if (is_contradicted(e))
        cli_write_wrapped(out, "contradiction", CLI_CONTRADICTION);
}

/* The guarantee names T. */
static void write_assumptions(const estimate *e, opac_output *out)
{
    char sentence[SENTENCE_SIZE];
    const char *item;
    for (size_t i = 1; (item = assumption(e, i, sentence)) != NULL; i++)
        cli_write_wrapped(out, i == 1 ? "assumes" : "", item);
    if (e->found.tested != NULL)
        cli_write_wrapped(out, "tested", e->found.tested);
}

static void write_text(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const estimate *e = result;
    char sentence[SENTENCE_SIZE], duration[OPAC_QUANTITY_SIZE];
    write_result(e, out);
    make_statement(e, sentence);
    opac_output_text(out, "\n");
    cli_write_wrapped(out, "guarantee", sentence);
    write_assumptions(e, out);
    write_sizes(e, out);
    if (!arguments->values[CLI_NO_TIMING].given) {
        cli_write_key(out, "estimated in");
        opac_output_print(out, "%s\n",
                          opac_duration_format(e->found.seconds, duration, sizeof duration));
    }
    if (e->model.simulator == NULL)
        write_truth(e, out);
}

/* ---- JSON ---- */

static void echo_inputs(const estimate *e, opac_json *json)
{
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    cli_echo_text(json, "model", e->model.arguments->operands[0]);
    cli_echo_text(json, "objective", cli_objectives_get(e->objectives, 0)->text);
    if (e->model.model != NULL)
        cli_echo_number(json, "states", opac_model_states(e->model.model));
    cli_echo_number(json, "automaton_states", e->found.automaton_states);
    opac_json_end_object(json);
}

static void echo_guarantee(const estimate *e, opac_json *json)
{
    char sentence[SENTENCE_SIZE];
    opac_json_key(json, "guarantee");
    opac_json_begin_object(json);
    opac_json_key(json, "holds");
    opac_json_bool(json, e->found.holds && !is_contradicted(e));
    if (is_contradicted(e)) {
        opac_json_key(json, "contradicted");
        opac_json_bool(json, true);
    }
    make_statement(e, sentence);
    cli_echo_text(json, "statement", sentence);
    cli_echo_double(json, "error", error_of(e));
    cli_echo_double(json, "confidence", e->found.confidence);
    opac_json_key(json, "assumes");
    opac_json_begin_array(json);
    const char *item;
    for (size_t i = 0; (item = assumption(e, i, sentence)) != NULL; i++)
        opac_json_string(json, item);
    opac_json_end_array(json);
    if (e->found.tested != NULL)
        cli_echo_text(json, "tested", e->found.tested);
    opac_json_end_object(json);
}

static void echo_stats(const estimate *e, opac_json *json)
{
    char wanted[OPAC_COUNT_SIZE];
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    cli_echo_number(json, "episodes", e->found.trajectories);
    cli_echo_number(json, "won", e->found.won);
    opac_json_key(json, "wanted");
    opac_json_number(json, opac_count_text(&e->found.wanted, wanted));
    cli_echo_number(json, "steps", e->found.steps);
    cli_echo_number(json, "states_seen", e->found.states_seen);
    if (!e->model.arguments->values[CLI_NO_TIMING].given) {
        cli_echo_seconds(json, "read_seconds", e->model.seconds);
        cli_echo_seconds(json, "seconds", e->found.seconds);
    }
    opac_json_end_object(json);
}

static void echo_truth(const estimate *e, opac_json *json)
{
    opac_json_key(json, "truth");
    opac_json_begin_object(json);
    cli_echo_double(json, "probability", e->truth);
    if (*e->note != '\0')
        cli_echo_text(json, "note", e->note);
    if (is_contradicted(e)) {
        opac_json_key(json, "contradicts");
        opac_json_bool(json, true);
    }
    opac_json_end_object(json);
}

static void echo_automaton(const estimate *e, opac_json *json)
{
    size_t length;
    if (e->hoa == NULL)
        return;
    const char *bytes = opac_output_bytes(e->hoa, &length);
    opac_json_key(json, "automaton");
    opac_json_bytes(json, bytes, length);
}

static void write_json(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const estimate *e = result;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    cli_echo_number(&json, "seed", e->options.seed);
    echo_inputs(e, &json);
    cli_echo_params_but(arguments, CLI_SEED, &json);
    opac_json_key(&json, "result");
    opac_json_begin_object(&json);
    cli_echo_double(&json, "value", e->found.value);
    cli_echo_double(&json, "lower", e->found.lower);
    cli_echo_double(&json, "upper", e->found.upper);
    opac_json_end_object(&json);
    echo_guarantee(e, &json);
    echo_stats(e, &json);
    if (e->model.simulator == NULL)
        echo_truth(e, &json);
    echo_automaton(e, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

/* ---- the command ---- */

/* A progress line that stands there goes first. */
static void notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    estimate *e = context;
    if (e->model.progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
    cli_notice(&e->source, line, column, text);
}

static opac_status set_options(estimate *e, opac_error *error)
{
    const cli_value *values = e->model.arguments->values;
    e->options = (opac_estimate_options){.horizon = values[CLI_HORIZON].count,
                                         .epsilon = values[CLI_EPSILON].number,
                                         .delta = values[CLI_DELTA].number,
                                         .width = values[CLI_WIDTH].number,
                                         .seed = values[CLI_SEED].count,
                                         .threads = (unsigned)values[CLI_THREADS].count,
                                         .deterministic = values[CLI_DETERMINISTIC].given,
                                         .untested = values[CLI_TEST_STEPS].given &&
                                                     values[CLI_TEST_STEPS].count == 0,
                                         .trial_steps = values[CLI_TEST_STEPS].count,
                                         .max_steps = values[CLI_MAX_STEPS].count,
                                         .max_seconds = values[CLI_MAX_SECONDS].number,
                                         .max_memory = values[CLI_MAX_MEMORY].count << 20,
                                         .notice = notice,
                                         .notice_context = e,
                                         .cancel = e->model.cancel,
                                         .progress = e->model.progress};
    if (values[CLI_WIDTH].given && e->options.width <= e->options.epsilon)
        return cli_fail(error, "--width must be above epsilon, which is %s",
                        opac_number_format(e->options.epsilon, (char[OPAC_NUMBER_SIZE]){0}));
    return OPAC_OK;
}

static opac_status prepare(estimate *e, opac_error *error)
{
    opac_status status = set_options(e, error);
    if (status == OPAC_OK)
        status = cli_is_simulator(e->model.arguments)
                     ? cli_simulator_open(&e->model, &e->environment, error)
                     : cli_model_load(&e->model, e->model.arguments->operands[0], error);
    if (status == OPAC_OK)
        status = cli_objectives_read(&e->model, &e->objectives, error);
    if (status == OPAC_OK && cli_objectives_count(e->objectives) > 1)
        status = cli_fail(error, "one objective at a time is estimated, not %zu",
                          cli_objectives_count(e->objectives));
    if (status == OPAC_OK)
        status = cli_model_check_constants(&e->model, error);
    return status == OPAC_OK ? cli_objectives_check(&e->model, e->objectives, error) : status;
}

static opac_status run(estimate *e, opac_error *error)
{
    opac_status status = prepare(e, error);
    if (status == OPAC_OK && e->environment == NULL)
        status = opac_environment_of_model(e->model.model, NULL, &e->environment, error);
    return status == OPAC_OK
               ? opac_estimate(e->environment, &cli_objectives_get(e->objectives, 0)->objective,
                               &e->options, &e->found, error)
               : status;
}

/* ---- what the model says ---- */

/* The automaton is the same: made from the same objective in the same way. */
static opac_status keep_automaton(estimate *e, const opac_automaton *automaton, opac_error *error)
{
    opac_status status = opac_output_open_memory(&e->hoa, error);
    if (status != OPAC_OK)
        return status;
    opac_automaton_write_hoa(automaton, e->hoa);
    return opac_output_bytes(e->hoa, &(size_t){0}) != NULL ? OPAC_OK
                                                           : opac_output_commit(e->hoa, error);
}

static opac_status make_automaton(estimate *e, opac_error *error)
{
    const opac_objective *objective = &cli_objectives_get(e->objectives, 0)->objective;
    const opac_automaton_options options = {.kind = OPAC_KIND_DETERMINISTIC,
                                            .acceptance = OPAC_ACCEPTANCE_RABIN,
                                            .cancel = e->model.cancel};
    opac_automaton *made = NULL;
    opac_status status = objective->formula != NULL
                             ? opac_automaton_translate(objective->formula, &options, &made, error)
                             : opac_automaton_convert(objective->automaton, &options, &made, error);
    if (status == OPAC_OK)
        status = keep_automaton(e, made, error);
    opac_automaton_free(made);
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}

/* Of several initial states one is drawn, all alike. */
static double average(const opac_solution *solution, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_solution_interval(solution, i).value;
    return sum / count;
}

/* No reason to fail, unless memory is short: it is only beside what was asked for. */
static opac_status find_truth(estimate *e, opac_error *error)
{
    const cli_value *values = e->model.arguments->values;
    const opac_check_options options = {.kind = OPAC_KIND_DETERMINISTIC,
                                        .max_states = values[CLI_MODEL_STATES].count,
                                        .threads = e->options.threads,
                                        .cancel = e->model.cancel,
                                        .progress = e->model.progress};
    e->truth = NAN;
    if (e->model.model == NULL)
        return values[CLI_JSON].given ? make_automaton(e, error) : OPAC_OK;
    opac_status status =
        opac_check(e->model.model, &cli_objectives_get(e->objectives, 0)->objective, &options,
                   &e->solution, error);
    if (status == OPAC_OK) {
        e->truth = average(e->solution, opac_model_initial_count(e->model.model));
        return values[CLI_JSON].given
                   ? keep_automaton(e, opac_solution_automaton(e->solution), error)
                   : OPAC_OK;
    }
    if (status == OPAC_ERROR_MEMORY)
        return status;
    e->is_stopped = status == OPAC_ERROR_CANCELLED && !cli_interrupt_is_late();
    snprintf(e->note, sizeof e->note, "%s", error->message);
    return OPAC_OK;
}

static cli_exit exit_of(const estimate *e)
{
    if (e->found.is_cancelled || e->is_stopped)
        return cli_interrupt_exit();
    if (e->found.is_full)
        return CLI_EXIT_RESOURCE;
    return e->found.holds && !is_contradicted(e) ? CLI_EXIT_DONE : CLI_EXIT_UNGUARANTEED;
}

cli_exit cli_run_estimate(const cli_arguments *arguments)
{
    estimate e = {.source = {.arguments = arguments, .name = "objective", .first_line = 1}};
    opac_error error;
    opac_status status = cli_model_begin(&e.model, arguments, &error);
    if (status == OPAC_OK)
        status = run(&e, &error);
    if (status == OPAC_OK)
        status = find_truth(&e, &error);
    if (status == OPAC_OK && e.found.is_full)
        cli_simulator_tell_full(&e.model);
    cli_exit exit = status == OPAC_OK ? cli_write_result(arguments, &e, write_text, write_json)
                                      : cli_model_report(&e.model, &error);
    if (exit == CLI_EXIT_DONE)
        exit = exit_of(&e);
    opac_output_free(e.hoa);
    opac_solution_free(e.solution);
    opac_environment_free(e.environment);
    cli_objectives_free(e.objectives);
    cli_model_end(&e.model);
    return exit;
}
