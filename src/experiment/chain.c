/* SPDX-License-Identifier: MIT */
/*
 * The paper's chain: how good the learned policies are, by k.
 *
 * All runs are done first, k after k, with seeds of their own; the figure with 20 runs shows the first
 * 20 of each k in it. The truth about a policy is computed from its chain (trial.h), never taken from the
 * learner. Costs some half a millisecond a run, whatever k is: counts are drawn, not steps.
 */
#include "experiment/chain.h"

#include <stdlib.h>

#include "base/alloc.h"

const double experiment_chain_epsilon = 1.0 / 60, experiment_chain_delta = 1.0 / 10;

const uint64_t experiment_chain_exact_k[EXPERIMENT_CHAIN_EXACT] = {1, 2, 3, 5, 10, 20, 30, 50, 100};

experiment_chain_size experiment_chain_full(void)
{
    return (experiment_chain_size){.columns = 16, .fine = 16, .shown = 20, .runs = 1000};
}

/* ---- learning ---- */

static opac_learn_options paper_options(uint64_t seed, const opac_cancel *cancel)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = EXPERIMENT_CHAIN_HORIZON;
    options.epsilon = experiment_chain_epsilon;
    options.delta = experiment_chain_delta;
    options.seed = seed;
    options.cancel = cancel;
    return options;
}

opac_status experiment_chain_try(const experiment_question *question, uint64_t k, uint64_t seed,
                                 const opac_cancel *cancel, experiment_trial *trial,
                                 opac_error *error)
{
    opac_learn_options options = paper_options(seed, cancel);
    options.k = k;
    options.sampler = OPAC_SAMPLER_POPULATION; /* the same law as by steps, and the faster one */
    return experiment_question_try(question, &options, false, trial, error);
}

const experiment_chain_learner experiment_chain_learners[EXPERIMENT_CHAIN_LEARNERS] = {
    {"T = 8, rule paper", "6ε, by Theorem 1", OPAC_K_PAPER, false, 0, 0, 0},
    {"T = 8, rule sound", "6ε", OPAC_K_SOUND, false, 0, 0, 0},
    {"T = 8, rule l1", "4ε", OPAC_K_L1, false, 0, 0, 0},
    {"T = 8, rule l1 for 6ε", "6ε", OPAC_K_L1, false, 0.1, 0, 0},
    {"pmin = 1/64", "ε", OPAC_K_L1, false, 0, 1.0 / 64, 1.0 / 60},
    {"pmin = 1/64, for 6ε", "6ε", OPAC_K_L1, false, 0, 1.0 / 64, 0.1},
    {"the graph", "ε", OPAC_K_L1, true, 0, 0, 1.0 / 60},
    {"the graph, for 6ε", "6ε", OPAC_K_L1, true, 0, 0, 0.1},
};

static opac_status run_k(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    experiment_chain_runs *c = context;
    (void)worker;
    return experiment_chain_try(&c->question, c->k[index / c->size->runs],
                                experiment_lab_seed(c->lab, index), experiment_lab_cancel(c->lab),
                                &c->trials[index], error);
}

static opac_status run_learner(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    experiment_chain_runs *c = context;
    const experiment_chain_learner *one = &experiment_chain_learners[index / c->size->shown];
    uint64_t seed = experiment_lab_seed(c->lab, index % c->size->shown);
    opac_learn_options options = paper_options(seed, experiment_lab_cancel(c->lab));
    options.k_rule = one->rule;
    options.target = one->target;
    options.pmin = one->pmin;
    if (one->width > 0)
        options.epsilon = one->width;
    (void)worker;
    return experiment_question_try(&c->question, &options, one->knows_graph, &c->others[index],
                                   error);
}

/* ---- what is run ---- */

static int compare(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* The evenly spaced ones, and those of the exact table, each once. */
static void choose_k(experiment_chain_runs *c)
{
    uint64_t most = c->size->most != 0 ? c->size->most : c->rule_k[OPAC_K_PAPER].value;
    size_t count = experiment_spaced(most, c->size->fine, c->k);
    c->column_count = experiment_spaced(most, c->size->columns, c->column);
    for (size_t i = 0; i < EXPERIMENT_CHAIN_EXACT; i++)
        if (experiment_chain_exact_k[i] <= most)
            c->k[count++] = experiment_chain_exact_k[i];
    for (size_t i = 0; i < c->column_count; i++)
        c->k[count++] = c->column[i];
    qsort(c->k, count, sizeof *c->k, compare);
    c->k_count = 0;
    for (size_t i = 0; i < count; i++)
        if (c->k_count == 0 || c->k[i] != c->k[c->k_count - 1])
            c->k[c->k_count++] = c->k[i];
}

opac_status experiment_chain_prepare(experiment_chain_runs *c, opac_error *error)
{
    const experiment_chain_size *size = c->size;
    size_t most = size->fine + size->columns + EXPERIMENT_CHAIN_EXACT;
    opac_status status = experiment_question_open("chain", NULL, "G F won", &c->question, error);
    if (status == OPAC_OK)
        status = experiment_question_params(&c->question, experiment_chain_epsilon,
                                            experiment_chain_delta, EXPERIMENT_CHAIN_HORIZON,
                                            &c->params, error);
    for (int rule = 0; rule < 3 && status == OPAC_OK; rule++)
        status = opac_bound_k(&c->params, (opac_k_rule)rule, &c->rule_k[rule], error);
    if (status == OPAC_OK)
        status = experiment_question_optimum(&c->question, &c->optimum, error);
    if (status == OPAC_OK)
        status = experiment_question_time(&c->question, experiment_chain_epsilon, false, &c->time,
                                          error);
    if (status != OPAC_OK)
        return status;
    c->k = base_alloc(most, sizeof *c->k);
    c->column = base_alloc(size->columns, sizeof *c->column);
    c->trials = base_alloc(most * size->runs, sizeof *c->trials);
    c->others = base_alloc(EXPERIMENT_CHAIN_LEARNERS * size->shown, sizeof *c->others);
    if (c->k == NULL || c->column == NULL || c->trials == NULL || c->others == NULL)
        return base_fail_memory(error);
    choose_k(c);
    c->enough = experiment_chain_enough(experiment_chain_delta);
    return OPAC_OK;
}

void experiment_chain_release(experiment_chain_runs *c)
{
    experiment_question_close(&c->question);
    base_free(c->k);
    base_free(c->column);
    base_free(c->trials);
    base_free(c->others);
}

opac_status experiment_chain_run(experiment_chain_runs *c, opac_error *error)
{
    const experiment_chain_size *size = c->size;
    opac_status status =
        experiment_lab_repeat(c->lab, "runs by k", c->k_count * size->runs, run_k, c, error);
    if (status == OPAC_OK)
        status = experiment_lab_repeat(c->lab, "learners", EXPERIMENT_CHAIN_LEARNERS * size->shown,
                                       run_learner, c, error);
    return status;
}
