/* SPDX-License-Identifier: MIT */
/*
 * Writes small policies in the DOT format of Graphviz: the reachable product states (state and memory), and
 * the branches of the action that is taken in each.
 *
 *     ──►(x=0, memory 0)──se 0.4──►(x=1, memory 0)
 *               └────────se 0.6──►(x=0, memory 1)
 *
 * The transitions of a simulator are not known: for its policy, all product states with a decision are
 * written, with the decision, and without edges.
 */
#include <omegapac/text.h>

#include "base/error.h"
#include "model/model_dot.h"
#include "policy/chain_nodes.h"

typedef struct dot_picture {
    const opac_policy *policy;
    uint32_t max_states;
    policy_nodes nodes;
    model_writer *writer;
} dot_picture;

/* ---- nodes ---- */

static void put_state(model_writer *writer, const opac_policy *policy, uint32_t state)
{
    const opac_model *model = policy->domain.model;
    size_t length;
    char shown[OPAC_SHOWN_SIZE];
    const void *key = opac_policy_key(policy, state, &length);
    if (key != NULL) {
        model_dot_name(writer, opac_text_show(key, length, shown, sizeof shown));
        return;
    }
    if (model->layout.count == 0) {
        model_put_text(writer, "state ");
        model_put_uint(writer, state);
    }
    model_dot_values(writer, model, state);
}

/* Writes the name of an action or, if it has none, its number from 1 if the state has several actions.
 * Returns whether anything was written. */
static bool put_action(model_writer *writer, const opac_policy *policy, uint32_t state,
                       uint32_t action)
{
    const char *name = opac_policy_action_name(policy, state, action);
    bool has_others = policy_domain_actions(&policy->domain, state) > 1;
    if (*name != '\0') {
        model_dot_name(writer, name);
    } else if (has_others) {
        model_put_char(writer, '#');
        model_put_uint(writer, action + 1);
    }
    return *name != '\0' || has_others;
}

/* For a simulator: the action, and the memory if it changes. */
static void put_decision(const dot_picture *picture, policy_node node)
{
    model_writer *writer = picture->writer;
    uint32_t memory = node.memory;
    uint32_t action = policy_act(picture->policy, node.state, &memory);
    model_put_text(writer, "\\n");
    put_action(writer, picture->policy, node.state, action);
    if (memory != node.memory) {
        model_put_text(writer, ", then memory ");
        model_put_uint(writer, memory);
    }
}

/* The memory is written only if there are several memory values. */
static void put_node(const dot_picture *picture, uint32_t number)
{
    model_writer *writer = picture->writer;
    policy_node node = policy_nodes_at(&picture->nodes, number);
    model_put_text(writer, "  ");
    model_put_uint(writer, number);
    model_put_text(writer, " [label=\"");
    put_state(writer, picture->policy, node.state);
    if (picture->policy->memory_count > 1) {
        model_put_text(writer, "\\nmemory ");
        model_put_uint(writer, node.memory);
    }
    if (opac_policy_has_keys(picture->policy))
        put_decision(picture, node);
    else
        model_dot_labels(writer, picture->policy->domain.model, node.state);
    model_put_text(writer, "\"]\n");
}

static void put_start(const dot_picture *picture, uint32_t number)
{
    model_writer *writer = picture->writer;
    model_put_text(writer, "  start");
    model_put_uint(writer, number);
    model_put_text(writer, " [label=\"\", shape=point, width=0.05]\n  start");
    model_put_uint(writer, number);
    model_put_text(writer, " -> ");
    model_put_uint(writer, number);
    model_put_char(writer, '\n');
}

/* ---- edges ---- */

static void put_edge(const dot_picture *picture, uint32_t number, uint32_t target, uint32_t action,
                     uint32_t branch)
{
    model_writer *writer = picture->writer;
    model_put_text(writer, "  ");
    model_put_uint(writer, number);
    model_put_text(writer, " -> ");
    model_put_uint(writer, target);
    model_put_text(writer, " [label=\"");
    if (put_action(writer, picture->policy, policy_nodes_at(&picture->nodes, number).state, action))
        model_put_char(writer, ' ');
    model_put_probability(writer, picture->policy->domain.model, branch);
    model_put_text(writer, "\"]\n");
}

/* Adds the successors of a node and, if there is a writer, writes the edges to them. */
static opac_status visit_edges(dot_picture *picture, uint32_t number, opac_error *error)
{
    const graph_process *process = &picture->policy->domain.model->process;
    policy_node node = policy_nodes_at(&picture->nodes, number);
    uint32_t action = policy_act(picture->policy, node.state, &node.memory);
    uint32_t choice = process->choice_begin[node.state] + action;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        uint32_t target = 0;
        TRY(policy_nodes_add(&picture->nodes, process->target[e], node.memory, &target, error));
        if (picture->writer != NULL)
            put_edge(picture, number, target, action, e);
    }
    return OPAC_OK;
}

/* ---- the whole ---- */

/* For a simulator: adds all nodes with a decision after the initial ones. */
static opac_status add_decided(dot_picture *picture, opac_error *error)
{
    const opac_policy *policy = picture->policy;
    uint32_t number;
    for (uint32_t s = 0; s < opac_policy_states(policy); s++)
        for (uint32_t i = policy->begin[s];
             i < policy->begin[s + 1] && policy_nodes_count(&picture->nodes) <= picture->max_states;
             i++)
            TRY(policy_nodes_add(&picture->nodes, s, policy->decisions[i].memory, &number, error));
    return OPAC_OK;
}

static opac_status explore(dot_picture *picture, opac_error *error)
{
    bool is_simulator = opac_policy_has_keys(picture->policy);
    TRY(policy_nodes_begin(&picture->nodes, picture->policy, error));
    if (is_simulator)
        TRY(add_decided(picture, error));
    for (uint32_t i = 0; !is_simulator && i < policy_nodes_count(&picture->nodes) &&
                         policy_nodes_count(&picture->nodes) <= picture->max_states;
         i++)
        TRY(visit_edges(picture, i, error));
    if (policy_nodes_count(&picture->nodes) > picture->max_states)
        return base_fail_limit(
            error, "max_states", picture->max_states,
            "the policy reaches more than %u product states, too many for a drawing",
            (unsigned)picture->max_states);
    return OPAC_OK;
}

static opac_status write_dot(dot_picture *picture, opac_error *error)
{
    model_writer *writer = picture->writer;
    model_put_text(writer, "digraph policy {\n"
                           "  rankdir=LR\n"
                           "  labelloc=t\n"
                           "  label=\"");
    model_dot_name(writer, picture->policy->objective);
    model_put_text(writer, "\"\n"
                           "  node [shape=box, style=rounded]\n");
    for (uint32_t i = 0; i < policy_domain_initial(&picture->policy->domain)->count; i++)
        put_start(picture, i);
    for (uint32_t i = 0; i < policy_nodes_count(&picture->nodes); i++)
        put_node(picture, i);
    bool has_edges = !opac_policy_has_keys(picture->policy);
    for (uint32_t i = 0; has_edges && i < policy_nodes_count(&picture->nodes); i++)
        TRY(visit_edges(picture, i, error));
    model_put_text(writer, "}\n");
    return OPAC_OK;
}

opac_status opac_policy_write_dot(const opac_policy *policy, uint32_t max_states, opac_output *out,
                                  opac_error *error)
{
    dot_picture picture = {.policy = policy, .max_states = max_states};
    opac_status status = explore(&picture, error);
    if (status == OPAC_OK) {
        picture.writer = model_writer_open(out);
        status = picture.writer != NULL ? write_dot(&picture, error) : base_fail_memory(error);
        model_writer_close(picture.writer);
    }
    policy_nodes_fini(&picture.nodes);
    return status;
}
