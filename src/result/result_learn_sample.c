/* SPDX-License-Identifier: MIT */
/* The member sample of a run: one trajectory under the policy, of at most min(T, MOST_SAMPLE) steps. */
#include <string.h>

#include <omegapac/simulation.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "result/members.h"
#include "result/result_learn.h"

enum {
    MOST_SAMPLE = 100 /* steps */
};

/* A state of the trajectory. */
typedef struct visit {
    opac_observation seen; /* owns the key */
    uint32_t memory;       /* memory of the policy */
    uint32_t action;       /* action that the policy takes */
} visit;

struct opac_learn_sample {
    visit visits[MOST_SAMPLE + 1];
    size_t count;
};

static uint64_t count_steps(const opac_learning *learning)
{
    const opac_learn_report *report = opac_learning_report(learning);
    return report->horizon < MOST_SAMPLE && !report->is_bracket ? report->horizon : MOST_SAMPLE;
}

/* ---- in a simulator ---- */

static opac_status add_visit(opac_learn_sample *sample, const opac_policy *policy,
                             const opac_observation *seen, uint32_t *memory, opac_error *error)
{
    visit *next = &sample->visits[sample->count];
    void *key = base_alloc(seen->length + 1, 1);
    if (key == NULL)
        return base_fail_memory(error);
    if (seen->length > 0)
        memcpy(key, seen->key, seen->length);
    *next = (visit){.seen = *seen, .memory = *memory};
    next->seen.key = key;
    next->action = opac_policy_act_at(policy, key, seen->length, memory);
    sample->count++;
    return OPAC_OK;
}

static opac_status visit_all(opac_learn_sample *sample, opac_environment *environment,
                             const opac_policy *policy, uint64_t seed, uint64_t steps,
                             opac_error *error)
{
    opac_observation seen;
    TRY(opac_environment_bind_own(environment, error));
    TRY(opac_environment_reset(environment, opac_environment_episode_seed(seed, 0), &seen, error));
    uint32_t memory = opac_policy_start_at(policy, seen.key, seen.length);
    TRY(add_visit(sample, policy, &seen, &memory, error));
    for (uint64_t i = 0; i < steps; i++) {
        uint32_t action = sample->visits[sample->count - 1].action;
        if (action >= seen.actions)
            return OPAC_OK;
        TRY(opac_environment_step(environment, action, &seen, error));
        TRY(add_visit(sample, policy, &seen, &memory, error));
    }
    return OPAC_OK;
}

opac_status opac_learn_sample_new(opac_environment *environment, const opac_learning *learning,
                                  const opac_policy *policy, uint64_t seed,
                                  opac_learn_sample **sample, opac_error *error)
{
    opac_learn_end end = opac_learning_report(learning)->end;
    *sample = base_allocate(NULL, sizeof **sample, true);
    if (*sample == NULL)
        return base_fail_memory(error);
    if (end == OPAC_END_CANCELLED || end == OPAC_END_SECONDS)
        return OPAC_OK; /* no time is left to wait for the simulator */
    opac_status status =
        visit_all(*sample, environment, policy, seed, count_steps(learning), error);
    if (status != OPAC_ERROR_MEMORY)
        return OPAC_OK;
    opac_learn_sample_free(*sample);
    *sample = NULL;
    return status;
}

void opac_learn_sample_free(opac_learn_sample *sample)
{
    for (size_t i = 0; sample != NULL && i < sample->count; i++)
        base_free((void *)sample->visits[i].seen.key);
    base_free(sample);
}

static void put_visit(opac_json *json, const opac_environment *environment, const visit *at,
                      bool is_last)
{
    const opac_observation *seen = &at->seen;
    opac_json_begin_object(json);
    opac_environment_write_key_json(environment, seen->key, seen->length, json);
    opac_environment_write_labels_json(environment, seen->letter, json);
    result_put_uint(json, "memory", at->memory);
    if (!is_last)
        result_put_text(
            json, "action",
            opac_environment_action_name(environment, seen->key, seen->length, at->action));
    opac_json_end_object(json);
}

/* ---- in a model ---- */

static void put_place(opac_json *json, const opac_model *model, uint32_t state, uint32_t memory)
{
    result_put_state(json, model, state);
    opac_json_key(json, "labels");
    opac_model_write_labels_json(model, state, json);
    result_put_uint(json, "memory", memory);
}

static void walk(opac_json *json, const opac_learn_answer *answer, opac_simulation *simulation)
{
    uint64_t steps = count_steps(answer->learning);
    opac_simulation_reset(simulation, 0);
    uint32_t memory = opac_policy_start(answer->policy, opac_simulation_state(simulation));
    for (uint64_t i = 0; i <= steps; i++) {
        uint32_t state = opac_simulation_state(simulation);
        opac_json_begin_object(json);
        put_place(json, answer->model, state, memory);
        uint32_t choice = opac_policy_act(answer->policy, state, &memory);
        if (i < steps)
            result_put_text(json, "action", opac_model_choice_action(answer->model, choice));
        opac_json_end_object(json);
        opac_simulation_step(simulation, choice);
    }
}

/* ---- both ---- */

void result_put_sample(opac_json *json, const opac_learn_answer *answer)
{
    const opac_learn_sample *sample = answer->sample;
    opac_simulation *simulation = NULL;
    opac_error error;
    if (sample == NULL && answer->model == NULL)
        return;
    opac_json_key(json, "sample");
    opac_json_begin_array(json);
    if (answer->model == NULL)
        for (size_t i = 0; i < sample->count; i++)
            put_visit(json, answer->environment, &sample->visits[i], i + 1 == sample->count);
    else if (opac_simulation_new(answer->model, answer->options->seed, &simulation, &error) ==
             OPAC_OK)
        walk(json, answer, simulation);
    else
        base_output_fail(json->out, error.code, error.message);
    opac_json_end_array(json);
    opac_simulation_free(simulation);
}
