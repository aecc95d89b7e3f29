/* SPDX-License-Identifier: MIT */
/*
 * The Markov chain that a policy induces on a model. Its states are the reachable product states, in
 * breadth-first order. Cost: linear in the size of the chain, expected (hashing).
 */
#include <stdio.h>
#include <string.h>

#include "base/work.h"
#include "model/builder.h"
#include "policy/chain_nodes.h"

enum {
    POLL_STATES = 1 << 12 /* states between two polls of the cancel handle */
};

typedef struct inducing {
    const opac_policy *policy;
    const opac_model *model;
    const opac_cancel *cancel;
    policy_nodes nodes;
    opac_builder *builder;
} inducing;

/* ---- names ---- */

/* Adds the variable "_memory", with a number appended if the model has a variable of that name. */
static opac_status add_memory(inducing *work, opac_error *error)
{
    char name[32] = "_memory";
    const model_layout *layout = &work->model->layout;
    for (unsigned i = 1; model_layout_find(layout, name, strlen(name)) != UINT32_MAX; i++)
        snprintf(name, sizeof name, "_memory_%u", i);
    return opac_builder_variable(work->builder, name, OPAC_VALUE_INT, 0,
                                 (int64_t)work->policy->memory_count - 1, error);
}

/* Adds the variables and all labels of the model, so that labels keep their numbers. */
static opac_status add_names(inducing *work, opac_error *error)
{
    const opac_model *model = work->model;
    for (uint32_t v = 0; v < model->layout.count; v++) {
        const model_variable *variable = &model->layout.variables[v];
        TRY(opac_builder_variable(work->builder, variable->name, variable->type, variable->low,
                                  variable->high, error));
    }
    TRY(add_memory(work, error));
    for (size_t i = 0; i < model->labels.count; i++) {
        uint32_t label;
        const char *name = model->labels.items[i].name;
        TRY(model_builder_intern_label(work->builder, name, strlen(name), &label, error));
    }
    return OPAC_OK;
}

/* ---- states ---- */

static opac_status add_values(inducing *work, policy_node node, opac_error *error)
{
    const model_layout *layout = &work->model->layout;
    TRY(opac_builder_state(work->builder, error));
    for (uint32_t v = 0; v < layout->count; v++)
        TRY(opac_builder_value(
            work->builder, v,
            model_value_get(&layout->variables[v], model_row(work->model, node.state)), error));
    return opac_builder_value(work->builder, layout->count, node.memory, error);
}

/* Adds all labels but "init", which belongs to the initial nodes. */
static opac_status add_labels(inducing *work, uint32_t number, uint32_t state, opac_error *error)
{
    const model_label_vec *labels = &work->model->labels;
    for (size_t i = MODEL_LABEL_DEADLOCK; i < labels->count; i++)
        if (base_bitset_has(&labels->items[i].states, state))
            TRY(model_builder_set_label(work->builder, (uint32_t)i, number, error));
    return OPAC_OK;
}

static opac_status add_branches(inducing *work, uint32_t choice, uint32_t memory, opac_error *error)
{
    const graph_process *process = &work->model->process;
    const char *action = opac_model_choice_action(work->model, choice);
    TRY(model_builder_choice(work->builder, action, strlen(action), error));
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        uint32_t target = 0;
        base_ratio ratio = work->model->exact != NULL ? work->model->exact[e] : MODEL_RATIO_NONE;
        TRY(policy_nodes_add(&work->nodes, process->target[e], memory, &target, error));
        TRY(model_builder_branch(work->builder, target, process->prob[e], ratio, error));
    }
    return OPAC_OK;
}

static opac_status add_state(inducing *work, uint32_t number, opac_error *error)
{
    if (number % POLL_STATES == 0 && opac_cancel_requested(work->cancel))
        return base_fail_stopped(error, work->cancel, "building the Markov chain of the policy");
    policy_node node = policy_nodes_at(&work->nodes, number);
    TRY(add_values(work, node, error));
    TRY(add_labels(work, number, node.state, error));
    uint32_t choice = opac_policy_act(work->policy, node.state, &node.memory);
    return add_branches(work, choice, node.memory, error);
}

static opac_status add_all(inducing *work, opac_error *error)
{
    TRY(add_names(work, error));
    TRY(policy_nodes_begin(&work->nodes, work->policy, error));
    uint32_t initial = policy_nodes_count(&work->nodes);
    for (uint32_t i = 0; i < initial; i++)
        TRY(opac_builder_initial(work->builder, i, error));
    for (uint32_t i = 0; i < policy_nodes_count(&work->nodes); i++)
        TRY(add_state(work, i, error));
    return OPAC_OK;
}

opac_status opac_policy_induce(const opac_policy *policy, const opac_cancel *cancel,
                               opac_model **chain, opac_error *error)
{
    inducing work = {.policy = policy, .model = policy->domain.model, .cancel = cancel};
    model_report report;
    TRY(policy_require_model(policy, "its Markov chain", error));
    TRY(opac_builder_new(OPAC_MODEL_DTMC, &work.builder, error));
    opac_status status = add_all(&work, error);
    policy_nodes_fini(&work.nodes);
    model_report_init(&report, NULL, NULL, NULL, NULL, 0);
    if (status == OPAC_OK)
        status = model_builder_finish(work.builder, policy->domain.model->exact != NULL, NULL,
                                      &report, chain, error);
    model_report_fini(&report);
    opac_builder_free(work.builder);
    return status;
}
