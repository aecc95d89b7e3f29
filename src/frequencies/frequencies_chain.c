/* SPDX-License-Identifier: MIT */
/* The Markov chain of a positional policy in the model of the frequencies: see frequencies.h. */
#include "frequencies/frequencies_form.h"

enum {
    LEAST_SWEEPS = 64
};
#define MOST_WORK 40000000.0 /* edges that the sweeps of one question visit */

uint64_t frequencies_most_sweeps(const graph_process *process)
{
    double each = (double)process->state_count + process->edge_count + 1;
    double most = MOST_WORK / each;
    return most > LEAST_SWEEPS ? (uint64_t)most : LEAST_SWEEPS;
}

/* ---- building ---- */

typedef struct chosen {
    const sample_positional *policy;
    const sample_statistics *stats;
    const sample_candidate *candidate; /* NULL, or without a choice where its episodes are lost */
} chosen;

static uint32_t choice_of(const void *context, uint32_t product_state)
{
    const chosen *c = context;
    if (c->candidate != NULL && sample_candidate_loses_at(c->candidate, c->stats, product_state))
        return SAMPLE_NONE;
    return sample_positional_choice(c->policy, c->stats, product_state);
}

static opac_status build_chain(frequencies_model *f, const sample_positional *policy,
                               const sample_candidate *candidate, const opac_cancel *cancel,
                               opac_error *error)
{
    const chosen context = {policy, f->stats, candidate};
    const sample_process_options options = {.stats = f->stats,
                                            .named = f->named,
                                            .choice = choice_of,
                                            .context = &context,
                                            .known_only = true,
                                            .is_parallel = true,
                                            .cancel = cancel};
    if (f->stats->start == SAMPLE_NONE)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "nothing was observed yet");
    return frequencies_build_process(f, &f->chain, &options, error);
}

static opac_status build(frequencies_model *f, const sample_positional *policy,
                         const opac_cancel *cancel, opac_error *error)
{
    return build_chain(f, policy, NULL, cancel, error);
}

opac_status frequencies_chain(frequencies_model *f, const sample_positional *policy,
                              sample_chain *chain, opac_error *error)
{
    TRY(build(f, policy, NULL, error));
    *chain = (sample_chain){.process = sample_process_get(&f->chain),
                            .product_states = f->chain.product_state.items,
                            .choice = f->chain.policy.items};
    return OPAC_OK;
}

/* ---- values ---- */

static opac_status solve_chain(frequencies_model *f, const opac_cancel *cancel, double *value,
                               opac_error *error)
{
    graph_process process = sample_process_get(&f->chain);
    const solve_problem problem = {.process = &process,
                                   .marks = f->chain.marks.items,
                                   .pairs = f->pairs.items,
                                   .pair_count = (uint32_t)f->pairs.count};
    const solve_options options = {
        .precision = f->options.precision, .no_policy = true, .cancel = cancel};
    solve_result result;
    TRY(solve_run(f->solver, &problem, &options, &result, error));
    *value = result.lower[0];
    return OPAC_OK;
}

opac_status frequencies_value(frequencies_model *f, const sample_positional *policy,
                              const opac_cancel *cancel, double *value, opac_error *error)
{
    TRY(build(f, policy, cancel, error));
    return solve_chain(f, cancel, value, error);
}

opac_status frequencies_trial_value(frequencies_model *f, const sample_candidate *candidate,
                                    const opac_cancel *cancel, double *value, opac_error *error)
{
    TRY(build_chain(f, &candidate->policy, candidate, cancel, error));
    return solve_chain(f, cancel, value, error);
}

/* ---- reaching a target ---- */

/* By product state, so that they ascend. */
static opac_status list_lost(const frequencies_model *f, const double *value, base_u32_vec *lost,
                             opac_error *error)
{
    lost->count = 0;
    for (uint32_t i = 0; i < f->chain.node.count; i++) {
        uint32_t node = f->chain.node.items[i];
        if (node != SAMPLE_NONE && value[node] <= 0)
            TRY(base_u32_vec_push(lost, i, error));
    }
    return OPAC_OK;
}

static opac_status find_target(frequencies_model *f, frequencies_target target, base_bitset *nodes,
                               opac_error *error)
{
    TRY(graph_take_set(&f->workspace, f->chain.product_state.count, nodes, error));
    for (uint32_t s = 0; s < f->chain.product_state.count; s++)
        if (f->chain.product_state.items[s] == f->stats->sink)
            base_bitset_add(nodes, s);
    for (size_t i = 0; i < target.count; i++) {
        uint32_t at = target.items[i];
        if (at < f->chain.node.count && f->chain.node.items[at] != SAMPLE_NONE)
            base_bitset_add(nodes, f->chain.node.items[at]);
    }
    return OPAC_OK;
}

static opac_status reach(frequencies_model *f, frequencies_target target, uint64_t steps,
                         const opac_cancel *cancel, double *value, base_u32_vec *lost,
                         opac_error *error)
{
    graph_process process = sample_process_get(&f->chain);
    base_bitset nodes;
    solve_horizon_result result;
    TRY(find_target(f, target, &nodes, error));
    const solve_problem problem = {.process = &process};
    const solve_horizon question = {
        .target = &nodes, .steps = steps, .most_sweeps = frequencies_most_sweeps(&process)};
    TRY(solve_run_horizon(f->solver, &problem, &question, cancel, &result, error));
    *value = result.value[0];
    return lost != NULL ? list_lost(f, result.value, lost, error) : OPAC_OK;
}

opac_status frequencies_reach(frequencies_model *f, const sample_positional *policy,
                              frequencies_target target, uint64_t steps, const opac_cancel *cancel,
                              double *value, base_u32_vec *lost, opac_error *error)
{
    TRY(build(f, policy, cancel, error));
    graph_place place = graph_workspace_mark(&f->workspace);
    opac_status status = reach(f, target, steps, cancel, value, lost, error);
    graph_workspace_release(&f->workspace, place);
    return status;
}

opac_status frequencies_fit_length(frequencies_model *f, const sample_positional *policy,
                                   frequencies_target target, double wanted, uint64_t longest,
                                   const opac_cancel *cancel, uint64_t *length, opac_error *error)
{
    double value = 0;
    for (*length = 1; *length < longest; *length *= 2) {
        TRY(frequencies_reach(f, policy, target, *length, cancel, &value, NULL, error));
        if (value >= wanted)
            return OPAC_OK;
    }
    *length = longest;
    return OPAC_OK;
}
