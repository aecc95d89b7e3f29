/* SPDX-License-Identifier: MIT */
/*
 * Writes the data for drawings of a policy as JSON: the Markov chain that it induces, with its nodes in the
 * order in which they are reached; and all states of the model, including unreachable ones.
 */
#include "base/error.h"
#include "base/output.h"
#include "policy/chain_nodes.h"

/* Adds all reachable nodes; stops when there are more than `most`. */
static opac_status find_nodes(const opac_policy *policy, uint32_t max_nodes, policy_nodes *nodes,
                              opac_error *error)
{
    const opac_model *model = policy->domain.model;
    for (uint32_t i = 0; i < policy_nodes_count(nodes) && policy_nodes_count(nodes) <= max_nodes;
         i++) {
        policy_node node = policy_nodes_at(nodes, i);
        uint32_t choice = opac_policy_act(policy, node.state, &node.memory), number;
        uint32_t begin = opac_model_branch_begin(model, choice);
        uint32_t end = begin + opac_model_branch_count(model, choice);
        for (uint32_t k = begin; k < end; k++)
            TRY(policy_nodes_add(nodes, opac_model_branch_target(model, k), node.memory, &number,
                                 error));
    }
    return OPAC_OK;
}

static void write_number(opac_json *json, const char *key, uint32_t number)
{
    opac_json_key(json, key);
    opac_json_uint(json, number);
}

/* The number of a state, its values and its labels. */
static void write_state(const opac_model *model, uint32_t state, opac_json *json)
{
    write_number(json, "state", state);
    if (opac_model_variable_count(model) > 0) {
        opac_json_key(json, "values");
        opac_model_write_values_json(model, state, json);
    }
    opac_json_key(json, "labels");
    opac_model_write_labels_json(model, state, json);
}

static void write_node(const opac_policy *policy, policy_node node, opac_json *json)
{
    const opac_model *model = policy->domain.model;
    uint32_t memory = node.memory, choice = opac_policy_act(policy, node.state, &memory);
    opac_json_begin_object(json);
    write_state(model, node.state, json);
    write_number(json, "memory", node.memory);
    opac_json_key(json, "action");
    opac_json_string(json, opac_model_choice_action(model, choice));
    opac_json_end_object(json);
}

/* All targets are nodes already. */
static opac_status write_edges(const opac_policy *policy, policy_nodes *nodes, uint32_t from,
                               opac_json *json, opac_error *error)
{
    const opac_model *model = policy->domain.model;
    policy_node node = policy_nodes_at(nodes, from);
    uint32_t choice = opac_policy_act(policy, node.state, &node.memory), to = 0;
    uint32_t begin = opac_model_branch_begin(model, choice);
    uint32_t end = begin + opac_model_branch_count(model, choice);
    for (uint32_t k = begin; k < end; k++) {
        TRY(policy_nodes_add(nodes, opac_model_branch_target(model, k), node.memory, &to, error));
        opac_json_begin_object(json);
        write_number(json, "from", from);
        write_number(json, "to", to);
        opac_json_key(json, "probability");
        opac_json_double(json, opac_model_branch_probability(model, k));
        opac_json_end_object(json);
    }
    return OPAC_OK;
}

static opac_status write_chain(const opac_policy *policy, policy_nodes *nodes, uint32_t initial,
                               opac_json *json, opac_error *error)
{
    opac_status status = OPAC_OK;
    uint32_t count = policy_nodes_count(nodes);
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
        write_node(policy, policy_nodes_at(nodes, i), json);
    opac_json_end_array(json);
    opac_json_key(json, "edges");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < count && status == OPAC_OK; i++)
        status = write_edges(policy, nodes, i, json, error);
    opac_json_end_array(json);
    opac_json_end_object(json);
    return status;
}

void opac_policy_write_chain_json(const opac_policy *policy, uint32_t max_nodes, opac_json *json)
{
    policy_nodes nodes = {0};
    opac_error error = {0};
    if (opac_policy_has_keys(policy))
        return;
    opac_status status;
    TRY_OR(done, policy_nodes_begin(&nodes, policy, &error));
    uint32_t initial = policy_nodes_count(&nodes);
    TRY_OR(done, find_nodes(policy, max_nodes, &nodes, &error));
    if (policy_nodes_count(&nodes) <= max_nodes)
        status = write_chain(policy, &nodes, initial, json, &error);
done:
    if (status != OPAC_OK)
        base_output_fail(json->out, status, error.message);
    policy_nodes_fini(&nodes);
}

void opac_policy_write_states_json(const opac_policy *policy, uint32_t max_nodes, opac_json *json)
{
    const opac_model *model = policy->domain.model;
    if (opac_policy_has_keys(policy) || opac_model_states(model) > max_nodes)
        return;
    opac_json_key(json, "states");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_states(model); i++) {
        opac_json_begin_object(json);
        write_state(model, i, json);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}
