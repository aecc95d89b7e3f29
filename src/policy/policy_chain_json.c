/* SPDX-License-Identifier: MIT */
/*
 * What pictures of a policy need of its model, as JSON: the Markov chain that it makes, as pairs of
 * state and memory in the order in which they are met, and what leads from one to another; and all
 * states, also those that are never entered, or where nothing is left to be decided.
 */
#include "base/error.h"
#include "base/output.h"
#include "policy/chain_nodes.h"

/* All pairs that can be reached, or one more than `most` of them, at least. */
static opac_status find_pairs(const opac_policy *policy, uint32_t most, policy_nodes *pairs,
                              opac_error *error)
{
    const opac_model *model = policy->domain.model;
    for (uint32_t i = 0; i < policy_nodes_count(pairs) && policy_nodes_count(pairs) <= most; i++) {
        policy_node pair = policy_nodes_at(pairs, i);
        uint32_t choice = opac_policy_act(policy, pair.state, &pair.memory), number;
        uint32_t begin = opac_model_branch_begin(model, choice);
        uint32_t end = begin + opac_model_branch_count(model, choice);
        for (uint32_t k = begin; k < end; k++)
            TRY(policy_nodes_add(pairs, opac_model_branch_target(model, k), pair.memory, &number,
                                 error));
    }
    return OPAC_OK;
}

static void echo_number(opac_json *json, const char *key, uint32_t number)
{
    opac_json_key(json, key);
    opac_json_uint(json, number);
}

/* Its number, its values, and what holds. */
static void echo_state(const opac_model *model, uint32_t state, opac_json *json)
{
    echo_number(json, "state", state);
    if (opac_model_variable_count(model) > 0) {
        opac_json_key(json, "values");
        opac_model_write_values_json(model, state, json);
    }
    opac_json_key(json, "labels");
    opac_model_write_labels_json(model, state, json);
}

static void echo_node(const opac_policy *policy, policy_node pair, opac_json *json)
{
    const opac_model *model = policy->domain.model;
    uint32_t memory = pair.memory, choice = opac_policy_act(policy, pair.state, &memory);
    opac_json_begin_object(json);
    echo_state(model, pair.state, json);
    echo_number(json, "memory", pair.memory);
    opac_json_key(json, "action");
    opac_json_string(json, opac_model_choice_action(model, choice));
    opac_json_end_object(json);
}

/* All targets are met already. */
static opac_status echo_edges(const opac_policy *policy, policy_nodes *pairs, uint32_t from,
                              opac_json *json, opac_error *error)
{
    const opac_model *model = policy->domain.model;
    policy_node pair = policy_nodes_at(pairs, from);
    uint32_t choice = opac_policy_act(policy, pair.state, &pair.memory), to = 0;
    uint32_t begin = opac_model_branch_begin(model, choice);
    uint32_t end = begin + opac_model_branch_count(model, choice);
    for (uint32_t k = begin; k < end; k++) {
        TRY(policy_nodes_add(pairs, opac_model_branch_target(model, k), pair.memory, &to, error));
        opac_json_begin_object(json);
        echo_number(json, "from", from);
        echo_number(json, "to", to);
        opac_json_key(json, "probability");
        opac_json_double(json, opac_model_branch_probability(model, k));
        opac_json_end_object(json);
    }
    return OPAC_OK;
}

static opac_status echo_pairs(const opac_policy *policy, policy_nodes *pairs, uint32_t initial,
                              opac_json *json, opac_error *error)
{
    opac_status status = OPAC_OK;
    uint32_t count = policy_nodes_count(pairs);
    opac_json_key(json, "chain");
    opac_json_begin_object(json);
    opac_json_key(json, "initial");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < initial; i++)
        opac_json_uint(json, i);
    opac_json_end_array(json);
    opac_json_key(json, "nodes");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < count; i++)
        echo_node(policy, policy_nodes_at(pairs, i), json);
    opac_json_end_array(json);
    opac_json_key(json, "edges");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < count && status == OPAC_OK; i++)
        status = echo_edges(policy, pairs, i, json, error);
    opac_json_end_array(json);
    opac_json_end_object(json);
    return status;
}

void opac_policy_write_chain_json(const opac_policy *policy, uint32_t most, opac_json *json)
{
    policy_nodes pairs = {0};
    opac_error error = {0};
    if (opac_policy_has_keys(policy))
        return;
    opac_status status;
    TRY_OR(done, policy_nodes_begin(&pairs, policy, &error));
    uint32_t initial = policy_nodes_count(&pairs);
    TRY_OR(done, find_pairs(policy, most, &pairs, &error));
    if (policy_nodes_count(&pairs) <= most)
        status = echo_pairs(policy, &pairs, initial, json, &error);
done:
    if (status != OPAC_OK)
        base_output_fail(json->out, status, error.message);
    policy_nodes_fini(&pairs);
}

void opac_policy_write_states_json(const opac_policy *policy, uint32_t most, opac_json *json)
{
    const opac_model *model = policy->domain.model;
    if (opac_policy_has_keys(policy) || opac_model_states(model) > most)
        return;
    opac_json_key(json, "states");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_states(model); i++) {
        opac_json_begin_object(json);
        echo_state(model, i, json);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}
