/* SPDX-License-Identifier: MIT */
/* omegapac learn --json: the member "sample", one trajectory under the policy. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/automata.h"
#include "cli/learn.h"
#include "cli/lines.h"
#include "cli/simulators.h"

enum {
    MOST_SAMPLE = 100 /* steps */
};

static void echo_place(const cli_learn *l, uint32_t state, uint32_t memory, opac_json *json)
{
    const opac_model *model = l->model.model;
    cli_echo_state(json, model, state);
    opac_json_key(json, "labels");
    opac_model_echo_labels(model, state, json);
    cli_echo_number(json, "memory", memory);
}

static uint64_t count_steps(const cli_learn *l)
{
    uint64_t horizon = opac_learning_report(l->learning)->horizon;
    return horizon < MOST_SAMPLE && !l->is_bracket ? horizon : MOST_SAMPLE;
}

static void walk(const cli_learn *l, opac_simulation *simulation, opac_json *json)
{
    uint64_t steps = count_steps(l);
    opac_simulation_reset(simulation, 0);
    uint32_t memory = opac_policy_start(l->policy, opac_simulation_state(simulation));
    for (uint64_t i = 0; i <= steps; i++) {
        uint32_t state = opac_simulation_state(simulation);
        opac_json_begin_object(json);
        echo_place(l, state, memory, json);
        uint32_t choice = opac_policy_act(l->policy, state, &memory);
        if (i < steps)
            cli_echo_text(json, "action", opac_model_choice_action(l->model.model, choice));
        opac_json_end_object(json);
        opac_simulation_step(simulation, choice);
    }
}

/* ---- of a simulator ---- */

/* Whoever was stopped, or out of time, does not wait for a simulator any more. */
static bool is_in_a_hurry(const cli_learn *l)
{
    opac_learn_end end = opac_learning_report(l->learning)->end;
    return end == OPAC_END_CANCELLED || end == OPAC_END_SECONDS;
}

static opac_status add_visit(cli_learn *l, const opac_observation *seen, uint32_t *memory,
                             opac_error *error)
{
    cli_visit *visit = &l->visits[l->visit_count];
    void *key = malloc(seen->length + 1);
    if (key == NULL)
        return cli_fail_memory(error);
    if (seen->length > 0)
        memcpy(key, seen->key, seen->length);
    *visit = (cli_visit){.seen = *seen, .memory = *memory};
    visit->seen.key = key;
    visit->action = opac_policy_act_at(l->policy, key, seen->length, memory);
    l->visit_count++;
    return OPAC_OK;
}

static opac_status visit_all(cli_learn *l, opac_error *error)
{
    opac_observation seen;
    uint64_t steps = count_steps(l);
    opac_status status = cli_simulator_bind_own(l->environment, error);
    if (status == OPAC_OK)
        status = opac_environment_reset(
            l->environment, opac_environment_episode_seed(l->options.seed, 0), &seen, error);
    if (status != OPAC_OK)
        return status;
    uint32_t memory = opac_policy_start_at(l->policy, seen.key, seen.length);
    status = add_visit(l, &seen, &memory, error);
    for (uint64_t i = 0; status == OPAC_OK && i < steps; i++) {
        uint32_t action = l->visits[l->visit_count - 1].action;
        if (action >= seen.actions)
            return OPAC_OK;
        status = opac_environment_step(l->environment, action, &seen, error);
        if (status == OPAC_OK)
            status = add_visit(l, &seen, &memory, error);
    }
    return status;
}

opac_status cli_learn_take_sample(cli_learn *l, opac_error *error)
{
    if (is_in_a_hurry(l))
        return OPAC_OK;
    l->visits = calloc(MOST_SAMPLE + 1, sizeof *l->visits);
    if (l->visits == NULL)
        return cli_fail_memory(error);
    opac_status status = visit_all(l, error);
    return status == OPAC_ERROR_MEMORY ? status : OPAC_OK;
}

void cli_learn_drop_sample(cli_learn *l)
{
    for (size_t i = 0; i < l->visit_count; i++)
        free((void *)l->visits[i].seen.key);
    free(l->visits);
    l->visits = NULL;
    l->visit_count = 0;
}

static void echo_visit(const cli_learn *l, const cli_visit *visit, bool is_last, opac_json *json)
{
    const opac_observation *seen = &visit->seen;
    opac_json_begin_object(json);
    cli_echo_key(json, l->environment, seen->key, seen->length);
    cli_echo_letter(json, l->environment, seen->letter);
    cli_echo_number(json, "memory", visit->memory);
    if (!is_last)
        cli_echo_text(
            json, "action",
            opac_environment_action_name(l->environment, seen->key, seen->length, visit->action));
    opac_json_end_object(json);
}

void cli_learn_echo_sample(const cli_learn *l, opac_json *json)
{
    opac_json_key(json, "sample");
    opac_json_begin_array(json);
    for (size_t i = 0; i < l->visit_count; i++)
        echo_visit(l, &l->visits[i], i + 1 == l->visit_count, json);
    if (l->model.simulator == NULL)
        walk(l, l->simulation, json);
    opac_json_end_array(json);
}
