/* SPDX-License-Identifier: MIT */
/*
 * Policies as pictures, for Graphviz, and so for small ones only: the pairs of
 * state and memory that can be reached, and from each the arrows of the choice
 * that is taken.
 *
 *     ──►(x=0, memory 0)──se 0.4──►(x=1, memory 0)
 *               └────────se 0.6──►(x=0, memory 1)
 *
 * Where a simulator goes is not known: of its policy there are all pairs that are decided, with
 * what is done there, and no arrows.
 */
#include <omegapac/text.h>

#include "base/error.h"
#include "model/model_dot.h"
#include "policy/chain_nodes.h"

typedef struct dot_picture {
    const opac_policy *policy;
    uint32_t max_states;
    policy_nodes pairs;
    model_writer *writer;
} dot_picture;

/* ---- pairs ---- */

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

/* The name of the action; without one, its number from 1 where there are others. False: neither. */
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

/* Of a simulator: what is done, and what is remembered. */
static void put_deed(const dot_picture *picture, policy_node pair)
{
    model_writer *writer = picture->writer;
    uint32_t memory = pair.memory;
    uint32_t action = policy_act(picture->policy, pair.state, &memory);
    model_put_text(writer, "\\n");
    put_action(writer, picture->policy, pair.state, action);
    if (memory != pair.memory) {
        model_put_text(writer, ", then memory ");
        model_put_uint(writer, memory);
    }
}

/* With one memory value there is nothing to remember, and nothing is said of it. */
static void put_pair(const dot_picture *picture, uint32_t number)
{
    model_writer *writer = picture->writer;
    policy_node pair = policy_nodes_at(&picture->pairs, number);
    model_put_text(writer, "  ");
    model_put_uint(writer, number);
    model_put_text(writer, " [label=\"");
    put_state(writer, picture->policy, pair.state);
    if (picture->policy->memory_count > 1) {
        model_put_text(writer, "\\nmemory ");
        model_put_uint(writer, pair.memory);
    }
    if (opac_policy_has_keys(picture->policy))
        put_deed(picture, pair);
    else
        model_dot_labels(writer, picture->policy->domain.model, pair.state);
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

/* ---- arrows ---- */

static void put_arrow(const dot_picture *picture, uint32_t number, uint32_t target, uint32_t action,
                      uint32_t branch)
{
    model_writer *writer = picture->writer;
    model_put_text(writer, "  ");
    model_put_uint(writer, number);
    model_put_text(writer, " -> ");
    model_put_uint(writer, target);
    model_put_text(writer, " [label=\"");
    if (put_action(writer, picture->policy, policy_nodes_at(&picture->pairs, number).state, action))
        model_put_char(writer, ' ');
    model_put_probability(writer, picture->policy->domain.model, branch);
    model_put_text(writer, "\"]\n");
}

/* The arrows of a pair; without a writer, only the pairs that they lead to are met. */
static opac_status follow(dot_picture *picture, uint32_t number, opac_error *error)
{
    const graph_process *process = &picture->policy->domain.model->process;
    policy_node pair = policy_nodes_at(&picture->pairs, number);
    uint32_t action = policy_act(picture->policy, pair.state, &pair.memory);
    uint32_t choice = process->choice_begin[pair.state] + action;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        uint32_t target = 0;
        TRY(policy_nodes_add(&picture->pairs, process->target[e], pair.memory, &target, error));
        if (picture->writer != NULL)
            put_arrow(picture, number, target, action, e);
    }
    return OPAC_OK;
}

/* ---- the whole ---- */

/* Of a simulator: behind those that runs begin with, all that are decided. */
static opac_status meet_decided(dot_picture *picture, opac_error *error)
{
    const opac_policy *policy = picture->policy;
    uint32_t number;
    for (uint32_t s = 0; s < opac_policy_states(policy); s++)
        for (uint32_t i = policy->begin[s];
             i < policy->begin[s + 1] && policy_nodes_count(&picture->pairs) <= picture->max_states;
             i++)
            TRY(policy_nodes_add(&picture->pairs, s, policy->decisions[i].memory, &number, error));
    return OPAC_OK;
}

static opac_status explore(dot_picture *picture, opac_error *error)
{
    bool is_simulator = opac_policy_has_keys(picture->policy);
    TRY(policy_nodes_begin(&picture->pairs, picture->policy, error));
    if (is_simulator)
        TRY(meet_decided(picture, error));
    for (uint32_t i = 0; !is_simulator && i < policy_nodes_count(&picture->pairs) &&
                         policy_nodes_count(&picture->pairs) <= picture->max_states;
         i++)
        TRY(follow(picture, i, error));
    if (policy_nodes_count(&picture->pairs) > picture->max_states)
        return base_fail_limit(
            error, "max_states", picture->max_states,
            "the policy reaches more than %u pairs of state and memory, too many "
            "for a picture",
            (unsigned)picture->max_states);
    return OPAC_OK;
}

static opac_status draw(dot_picture *picture, opac_error *error)
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
    for (uint32_t i = 0; i < policy_nodes_count(&picture->pairs); i++)
        put_pair(picture, i);
    bool has_arrows = !opac_policy_has_keys(picture->policy);
    for (uint32_t i = 0; has_arrows && i < policy_nodes_count(&picture->pairs); i++)
        TRY(follow(picture, i, error));
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
        status = picture.writer != NULL ? draw(&picture, error) : base_fail_memory(error);
        model_writer_close(picture.writer);
    }
    policy_nodes_fini(&picture.pairs);
    return status;
}
