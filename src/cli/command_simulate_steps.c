/* SPDX-License-Identifier: MIT */
/*
 * omegapac simulate for a simulator: runs it step by step, with actions chosen uniformly at random or by a
 * policy, and writes the same form of trace as for models.
 *
 * Episodes have the seeds that the learner would give them. A random action is a function of the seed of the
 * episode and the number of the step.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "cli/command_simulate.h"
#include "cli/policies.h"
#include "cli/result.h"
#include "cli/simulators.h"

enum {
    WIDEST_ACTION = 24,
    NARROWEST_ACTION = 2,
    SHOWN_STATE = 1024
};

typedef struct run {
    cli_model model;
    opac_environment *environment;
    opac_policy *policy; /* NULL for random actions */
    cli_traces traces;
    opac_observation seen;
    int action_width, step_width, memory_width;
    uint64_t episode, step, seed; /* the seed is that of the episode */
    uint32_t choice;              /* that led to the current state; undefined at step 0 */
    char action[OPAC_SHOWN_SIZE]; /* its name; "" if it has none */
    bool had_others;              /* the state before had several actions */
    uint32_t memory;              /* of the policy, in the current state */
} run;

/* ---- text ---- */

/* Writes the name of the action, or, if it has none and there were others, its number from 0. */
static void write_action(const run *r)
{
    char shown[OPAC_SHOWN_SIZE] = "";
    if (r->step > 0 && *r->action != '\0')
        opac_text_show(r->action, strlen(r->action), shown, sizeof shown);
    else if (r->step > 0 && r->had_others)
        snprintf(shown, sizeof shown, "%" PRIu32, r->choice);
    opac_output_print(r->traces.out, "%-*s  ", r->action_width, shown);
}

static void write_labels(const run *r)
{
    const char *before = "  (";
    for (size_t i = 0; i < 64; i++)
        if ((r->seen.letter >> i & 1) != 0) {
            char shown[OPAC_SHOWN_SIZE];
            const char *name = opac_environment_proposition(r->environment, i);
            opac_text_show(name, strlen(name), shown, sizeof shown);
            opac_output_print(r->traces.out, "%s%s", before, shown);
            before = ", ";
        }
    opac_output_text(r->traces.out, *before == ',' ? ")" : "");
}

static void write_text(const run *r)
{
    opac_output *out = r->traces.out;
    char state[SHOWN_STATE];
    if (r->step == 0)
        opac_output_print(out, "%sepisode %" PRIu64 "\n", r->episode > 0 ? "\n" : "",
                          r->episode + 1);
    opac_output_print(out, "%*" PRIu64 "  ", r->step_width, r->step);
    write_action(r);
    if (r->policy != NULL)
        opac_output_print(out, "m%-*" PRIu32 "  ", r->memory_width, r->memory);
    opac_output_text(out, opac_environment_show(r->environment, r->seen.key, r->seen.length, state,
                                                sizeof state));
    write_labels(r);
    opac_output_text(out, r->seen.actions == 0 ? "  stays here\n" : "\n");
}

/* Pads actions to the longest name seen so far of at most WIDEST_ACTION characters. */
static void measure_actions(run *r)
{
    for (uint32_t i = 0; i < r->seen.actions && i < 1000; i++) {
        size_t length =
            strlen(opac_environment_action_name(r->environment, r->seen.key, r->seen.length, i));
        if (length <= WIDEST_ACTION && (int)length > r->action_width)
            r->action_width = (int)length;
    }
}

/* ---- JSON ---- */

static void put(opac_json *json, const char *key, uint64_t number)
{
    opac_json_key(json, key);
    opac_json_uint(json, number);
}

static void write_json(const run *r)
{
    opac_json json;
    opac_json_init(&json, r->traces.out);
    opac_json_begin_object(&json);
    put(&json, "episode", r->episode + 1);
    put(&json, "step", r->step);
    if (r->step > 0) {
        put(&json, "choice", r->choice);
        opac_json_key(&json, "action");
        opac_json_string(&json, r->action);
    }
    if (r->policy != NULL)
        put(&json, "memory", r->memory);
    opac_environment_write_key_json(r->environment, r->seen.key, r->seen.length, &json);
    put(&json, "actions", r->seen.actions);
    opac_environment_write_labels_json(r->environment, r->seen.letter, &json);
    opac_json_end_object(&json);
    opac_output_text(r->traces.out, "\n");
}

/* ---- the run ---- */

static void write_step(run *r)
{
    if (r->model.arguments->values[CLI_JSON].given) {
        write_json(r);
        return;
    }
    measure_actions(r);
    write_text(r);
}

/* The state must have actions. */
static uint32_t choose(run *r)
{
    if (r->policy == NULL)
        return (uint32_t)(opac_environment_episode_seed(r->seed, r->step) % r->seen.actions);
    uint32_t action = opac_policy_act_at(r->policy, r->seen.key, r->seen.length, &r->memory);
    return action < r->seen.actions ? action : 0;
}

static opac_status take_step(run *r, opac_error *error)
{
    r->choice = choose(r);
    r->had_others = r->seen.actions > 1;
    snprintf(r->action, sizeof r->action, "%s",
             opac_environment_action_name(r->environment, r->seen.key, r->seen.length, r->choice));
    TRY(opac_environment_step(r->environment, r->choice, &r->seen, error));
    r->step++;
    write_step(r);
    return OPAC_OK;
}

static opac_status run_episode(run *r, opac_error *error)
{
    uint64_t steps = r->model.arguments->values[CLI_STEPS].count;
    r->seed = opac_environment_episode_seed(r->model.arguments->values[CLI_SEED].count, r->episode);
    TRY(opac_environment_reset(r->environment, r->seed, &r->seen, error));
    if (r->policy != NULL)
        r->memory = opac_policy_start_at(r->policy, r->seen.key, r->seen.length);
    r->step = 0;
    write_step(r);
    while (r->step < steps && r->seen.actions > 0 && !cli_traces_are_over(&r->traces))
        TRY(take_step(r, error));
    return OPAC_OK;
}

/* After a failure, standard output has the part sampled so far, as after Ctrl-C. */
static opac_status run_all(run *r, opac_error *error)
{
    uint64_t episodes = r->model.arguments->values[CLI_EPISODES].count;
    opac_status status = cli_traces_open(&r->traces, &r->model, error);
    if (status != OPAC_OK)
        return status;
    r->step_width = cli_traces_digits(r->model.arguments->values[CLI_STEPS].count);
    r->action_width = NARROWEST_ACTION;
    if (r->policy != NULL)
        r->memory_width = cli_traces_digits(opac_policy_memory(r->policy) - 1);
    for (r->episode = 0;
         status == OPAC_OK && r->episode < episodes && !cli_traces_are_over(&r->traces);
         r->episode++)
        status = run_episode(r, error);
    if (status == OPAC_OK || status == OPAC_ERROR_CANCELLED)
        return cli_traces_close(&r->traces, error);
    if (r->traces.to_stream)
        opac_output_commit(r->traces.out, NULL);
    return status;
}

static opac_status prepare(run *r, opac_error *error)
{
    TRY(cli_simulator_open(&r->model, &r->environment, error));
    TRY(opac_environment_bind_own(r->environment, error));
    if (r->model.arguments->values[CLI_POLICY].given)
        TRY(cli_policy_load(&r->model, &r->policy, error));
    return OPAC_OK;
}

cli_exit cli_simulate_steps(const cli_arguments *arguments)
{
    run r = {0};
    opac_error error;
    opac_status status = cli_model_begin(&r.model, arguments, &error);
    if (status == OPAC_OK)
        status = prepare(&r, &error);
    if (status == OPAC_OK)
        status = run_all(&r, &error);
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_model_report(&r.model, &error);
    opac_output_free(r.traces.out);
    opac_policy_free(r.policy);
    opac_environment_free(r.environment);
    cli_model_end(&r.model);
    return exit;
}
