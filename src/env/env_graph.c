/* SPDX-License-Identifier: MIT */
/*
 * A model that serves as the graph of another one. Its states have the keys of the other model. It cannot be
 * run: it only knows the successors of state-action pairs, and its probabilities are not used.
 *
 *     key of 4 bytes   a state of both: its number in the other model
 *     key of 8 bytes   a state of the graph only: its number in the graph
 */
#include <string.h>

#include "base/alloc.h"
#include "env/graph_match.h"
#include "env/kind.h"
#include "model/propositions.h"

typedef struct graph_view {
    const opac_model *graph, *model;
    const opac_properties *properties; /* over the graph; may be NULL */
    env_match match;
    uint64_t *letters; /* by state of the graph; NULL before the first bind */
    uint64_t shown;    /* key of the last observation */
} graph_view;

/* ---- observations ---- */

static void observe(graph_view *v, uint32_t state, opac_observation *observation)
{
    uint32_t number = v->match.of_graph[state];
    bool is_shared = number != ENV_UNMATCHED;
    v->shown = state;
    if (is_shared)
        memcpy(&v->shown, &number, sizeof number);
    *observation = (opac_observation){.key = &v->shown,
                                      .length = is_shared ? sizeof number : sizeof v->shown,
                                      .letter = v->letters == NULL ? 0 : v->letters[state],
                                      .actions = opac_model_choice_count(v->graph, state)};
}

static opac_status find_state(const graph_view *v, const void *key, size_t length, uint32_t *state,
                              opac_error *error)
{
    uint32_t number;
    uint64_t own;
    *state = ENV_UNMATCHED;
    if (length == sizeof number) {
        memcpy(&number, key, sizeof number);
        if (number < opac_model_states(v->model))
            *state = v->match.of_model[number];
        if (*state == ENV_UNMATCHED)
            return base_fail(error, OPAC_ERROR_ARGUMENT, "the graph has no state %u",
                             (unsigned)number);
        return OPAC_OK;
    }
    if (length != sizeof own)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the key of a state of a graph must have 4 or 8 bytes, not %zu", length);
    memcpy(&own, key, sizeof own);
    if (own >= opac_model_states(v->graph) || v->match.of_graph[own] != ENV_UNMATCHED)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "no state of the graph has this key");
    *state = (uint32_t)own;
    return OPAC_OK;
}

static opac_status report(graph_view *v, const uint32_t *targets, size_t count, opac_draws *draws,
                          opac_error *error)
{
    opac_observation seen;
    for (size_t i = 0; i < count; i++) {
        observe(v, targets[i], &seen);
        TRY(opac_draws_add(draws, &seen, 1, error));
    }
    return OPAC_OK;
}

static opac_status successors(void *self, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    graph_view *v = self;
    const graph_process *process = &v->graph->process;
    uint32_t state;
    if (key == NULL)
        return report(v, v->graph->initial.items, v->graph->initial.count, draws, error);
    TRY(find_state(v, key, length, &state, error));
    if (action >= opac_model_choice_count(v->graph, state))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "no action %u in state %u of the graph, which has %u", (unsigned)action,
                         (unsigned)state, (unsigned)opac_model_choice_count(v->graph, state));
    uint32_t choice = opac_model_choice_begin(v->graph, state) + action;
    uint32_t begin = process->edge_begin[choice], end = process->edge_begin[choice + 1];
    return report(v, process->target + begin, end - begin, draws, error);
}

/* ---- unsupported operations ---- */

static opac_status refuse(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_UNSUPPORTED, "a graph cannot be run");
}

static opac_status reset(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error)
{
    (void)self, (void)seed, (void)observation;
    return refuse(error);
}

static opac_status step(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    (void)self, (void)action, (void)observation;
    return refuse(error);
}

/* ---- names ---- */

static const char *proposition(const void *self, size_t index)
{
    const graph_view *v = self;
    const opac_model *model = v->graph;
    return index < opac_model_label_count(model) ? opac_model_label(model, (uint32_t)index) : NULL;
}

static opac_status evaluate(const void *context, const char *proposition, uint64_t *bits,
                            opac_error *error)
{
    const graph_view *v = context;
    opac_error found;
    opac_status status = v->properties != NULL
                             ? opac_properties_evaluate(v->properties, proposition, bits, &found)
                             : opac_model_evaluate(v->graph, proposition, bits, &found);
    if (status == OPAC_OK)
        return OPAC_OK;
    return model_fail_proposition(proposition, " in the graph", status, &found, error);
}

static opac_status bind(void *self, const char *const *names, size_t count, opac_error *error)
{
    graph_view *v = self;
    uint32_t states = opac_model_states(v->graph);
    uint64_t *made = base_alloc(states, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    opac_status status = model_make_letters(states, names, count, evaluate, v, made, error);
    if (status != OPAC_OK) {
        base_free(made);
        return status;
    }
    base_free(v->letters);
    v->letters = made;
    return OPAC_OK;
}

static bool show(const void *self, const void *key, size_t length, char *buffer, size_t size)
{
    const graph_view *v = self;
    uint32_t state;
    return find_state(v, key, length, &state, NULL) == OPAC_OK &&
           env_show_state(v->graph, state, buffer, size);
}

static uint64_t fingerprint(const void *self)
{
    const graph_view *v = self;
    return env_fingerprint_model(v->graph, true);
}

/* ---- creation and release ---- */

static void release(void *self)
{
    graph_view *v = self;
    env_match_fini(&v->match);
    base_free(v->letters);
    base_free(v);
}

static const env_kind graph_kind = {.proposition = proposition,
                                    .bind = bind,
                                    .reset = reset,
                                    .step = step,
                                    .successors = successors,
                                    .show = show,
                                    .fingerprint = fingerprint,
                                    .release = release};

opac_status opac_environment_of_graph(const opac_model *graph, const opac_model *model,
                                      const opac_properties *properties,
                                      opac_environment **environment, opac_error *error)
{
    graph_view *made = base_alloc_zeroed(1, sizeof *made);
    env_traits traits = {.random_start = graph->initial.count > 1, .knows_graph = true, .lanes = 1};
    *environment = NULL;
    if (made == NULL)
        return base_fail_memory(error);
    made->graph = graph;
    made->model = model;
    made->properties = properties;
    opac_status status = env_match_init(&made->match, graph, model, error);
    if (status != OPAC_OK) {
        release(made);
        return status;
    }
    return env_new(&graph_kind, made, &traits, environment, error);
}
