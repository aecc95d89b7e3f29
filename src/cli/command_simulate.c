/* SPDX-License-Identifier: MIT */
/*
 * omegapac simulate: samples traces of a model, with choices made uniformly at random or by a policy.
 *
 * Traces are written as they are sampled, so they may be of any length. If the program is stopped, standard
 * output has the part sampled so far; a file is written atomically at the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/simulation.h>
#include <omegapac/text.h>

#include "cli/command_simulate.h"
#include "cli/policies.h"
#include "cli/result.h"
#include "cli/simulators.h"

enum {
    WIDEST_ACTION = 24
};

typedef struct walk {
    cli_model model;
    opac_policy *policy; /* NULL for random choices */
    opac_simulation *simulation;
    cli_traces traces;
    int action_width, step_width, memory_width;
    uint64_t episode, step;
    uint32_t choice; /* that led to the current state; undefined at step 0 */
    uint32_t memory; /* of the policy, in the current state */
} walk;

/* ---- the output ---- */

opac_status cli_traces_open(cli_traces *traces, const cli_model *model, opac_error *error)
{
    const char *path = model->arguments->values[CLI_OUTPUT].text;
    *traces = (cli_traces){.model = model};
    traces->to_stream = path == NULL || strcmp(path, "-") == 0;
    return traces->to_stream ? opac_output_open_stream(stdout, &traces->out, error)
                             : opac_output_open_file(path, &traces->out, error);
}

bool cli_traces_are_over(const cli_traces *traces)
{
    return opac_cancel_requested(traces->model->cancel) || opac_output_failed(traces->out);
}

opac_status cli_traces_close(cli_traces *traces, opac_error *error)
{
    bool stopped = opac_cancel_requested(traces->model->cancel);
    opac_status status = OPAC_OK;
    if (!stopped || traces->to_stream)
        status = opac_output_commit(traces->out, error);
    if (!stopped)
        return status;
    *error = (opac_error){.code = OPAC_ERROR_CANCELLED,
                          .message = "the time limit was reached while sampling traces"};
    return error->code;
}

/* ---- text ---- */

static const char *action_of(const walk *w)
{
    return opac_model_choice_action(w->model.model, w->choice);
}

/* Writes the name of the action, or, if it has none and the state has several choices, the number of the
 * choice. */
static void write_action(const walk *w, uint32_t from)
{
    char shown[OPAC_SHOWN_SIZE] = "";
    const opac_model *model = w->model.model;
    const char *action = action_of(w);
    if (*action != '\0')
        opac_text_show(action, strlen(action), shown, sizeof shown);
    else if (opac_model_choice_count(model, from) > 1)
        snprintf(shown, sizeof shown, "#%" PRIu32,
                 w->choice - opac_model_choice_begin(model, from) + 1);
    opac_output_print(w->traces.out, "%-*s", w->action_width, shown);
}

static void write_labels(const walk *w, uint32_t state)
{
    const opac_model *model = w->model.model;
    const char *before = "  (";
    for (uint32_t i = 0; i < opac_model_label_count(model); i++)
        if (opac_model_has_label(model, state, i)) {
            char shown[OPAC_SHOWN_SIZE];
            const char *label = opac_model_label(model, i);
            opac_text_show(label, strlen(label), shown, sizeof shown);
            opac_output_print(w->traces.out, "%s%s", before, shown);
            before = ", ";
        }
    opac_output_text(w->traces.out, *before == ',' ? ")\n" : "\n");
}

static void write_text(const walk *w, uint32_t from, uint32_t state)
{
    if (w->step == 0)
        opac_output_print(w->traces.out, "%sepisode %" PRIu64 "\n", w->episode > 0 ? "\n" : "",
                          w->episode + 1);
    opac_output_print(w->traces.out, "%*" PRIu64 "  ", w->step_width, w->step);
    if (w->action_width > 0) {
        if (w->step > 0)
            write_action(w, from);
        else
            opac_output_print(w->traces.out, "%-*s", w->action_width, "");
        opac_output_text(w->traces.out, "  ");
    }
    if (w->policy != NULL)
        opac_output_print(w->traces.out, "m%-*" PRIu32 "  ", w->memory_width, w->memory);
    opac_model_write_state(w->model.model, state, w->traces.out);
    write_labels(w, state);
}

int cli_traces_digits(uint64_t number)
{
    char text[24];
    return snprintf(text, sizeof text, "%" PRIu64, number);
}

/* Pads actions to the longest one of at most WIDEST_ACTION characters; to 0 if there are no names or
 * numbers. */
static void measure(walk *w)
{
    const opac_model *model = w->model.model;
    w->step_width = cli_traces_digits(w->model.arguments->values[CLI_STEPS].count);
    for (uint32_t i = 0; i < opac_model_action_count(model); i++) {
        size_t length = strlen(opac_model_action(model, i));
        if (length <= WIDEST_ACTION && (int)length > w->action_width)
            w->action_width = (int)length;
    }
    if (w->action_width == 0 && opac_model_choices(model) > opac_model_states(model))
        w->action_width = 2;
    if (w->policy != NULL)
        w->memory_width = cli_traces_digits(opac_policy_memory(w->policy) - 1);
}

/* ---- JSON ---- */

static void write_json(const walk *w, uint32_t from, uint32_t state)
{
    const opac_model *model = w->model.model;
    opac_json json;
    opac_json_init(&json, w->traces.out);
    opac_json_begin_object(&json);
    opac_json_key(&json, "episode");
    opac_json_uint(&json, w->episode + 1);
    opac_json_key(&json, "step");
    opac_json_uint(&json, w->step);
    if (w->step > 0) {
        opac_json_key(&json, "choice");
        opac_json_uint(&json, w->choice - opac_model_choice_begin(model, from));
        opac_json_key(&json, "action");
        opac_json_string(&json, action_of(w));
    }
    if (w->policy != NULL) {
        opac_json_key(&json, "memory");
        opac_json_uint(&json, w->memory);
    }
    opac_json_key(&json, "state");
    opac_json_uint(&json, state);
    opac_json_key(&json, "values");
    opac_model_write_values_json(model, state, &json);
    opac_json_key(&json, "labels");
    opac_model_write_labels_json(model, state, &json);
    opac_json_end_object(&json);
    opac_output_text(w->traces.out, "\n");
}

/* ---- the walk ---- */

static void write_step(const walk *w, uint32_t from)
{
    uint32_t state = opac_simulation_state(w->simulation);
    if (w->model.arguments->values[CLI_JSON].given)
        write_json(w, from, state);
    else
        write_text(w, from, state);
}

static uint32_t choose(walk *w, uint32_t state)
{
    return w->policy != NULL ? opac_policy_act(w->policy, state, &w->memory)
                             : opac_simulation_choose(w->simulation);
}

static void walk_episode(walk *w)
{
    uint64_t steps = w->model.arguments->values[CLI_STEPS].count;
    opac_simulation_reset(w->simulation, w->episode);
    if (w->policy != NULL)
        w->memory = opac_policy_start(w->policy, opac_simulation_state(w->simulation));
    w->step = 0;
    write_step(w, 0);
    while (w->step < steps && !cli_traces_are_over(&w->traces)) {
        uint32_t from = opac_simulation_state(w->simulation);
        w->choice = choose(w, from);
        opac_simulation_step(w->simulation, w->choice);
        w->step++;
        write_step(w, from);
    }
}

static opac_status walk_all(walk *w, opac_error *error)
{
    uint64_t episodes = w->model.arguments->values[CLI_EPISODES].count;
    uint64_t seed = w->model.arguments->values[CLI_SEED].count;
    TRY(opac_simulation_new(w->model.model, seed, &w->simulation, error));
    TRY(cli_traces_open(&w->traces, &w->model, error));
    measure(w);
    for (w->episode = 0; w->episode < episodes && !cli_traces_are_over(&w->traces); w->episode++)
        walk_episode(w);
    return cli_traces_close(&w->traces, error);
}

static opac_status run(walk *w, const cli_arguments *arguments, opac_error *error)
{
    TRY(cli_model_begin(&w->model, arguments, error));
    TRY(cli_model_load(&w->model, arguments->operands[0], error));
    TRY(cli_model_check_constants(&w->model, error));
    if (arguments->values[CLI_POLICY].given)
        TRY(cli_policy_load(&w->model, &w->policy, error));
    return walk_all(w, error);
}

cli_exit cli_run_simulate(const cli_arguments *arguments)
{
    walk w = {0};
    opac_error error;
    if (cli_is_simulator(arguments))
        return cli_simulate_steps(arguments);
    opac_status status = run(&w, arguments, &error);
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_model_report(&w.model, &error);
    opac_output_free(w.traces.out);
    opac_simulation_free(w.simulation);
    opac_policy_free(w.policy);
    cli_model_end(&w.model);
    return exit;
}
