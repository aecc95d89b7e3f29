/* SPDX-License-Identifier: MIT */
/*
 * Example 1 of the paper: runs for all p, and runs of a learner that is wrong about T.
 *
 * Omega-PAC takes some 3 / p steps an episode and 1 / p² episodes; counts are drawn, not steps, so
 * that a run costs time in 1 / p alone: about a second for p = 1e-5.
 */
#include "experiment/robust.h"

#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "base/alloc.h"

static const double epsilon = 0.05, delta = 0.1;

static const double all_p[] = {1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4,
                               1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1,  0.2,  0.5};
static const double wrong_p[] = {1e-9, 3e-9, 1e-8, 3e-8, 1e-7, 2e-7, 5e-7,
                                 1e-6, 2e-6, 5e-6, 1e-5, 1e-4, 1e-3};

experiment_robust_size experiment_robust_full(void)
{
    return (experiment_robust_size){.p = all_p,
                                    .p_count = sizeof all_p / sizeof *all_p,
                                    .least = 1e-5,
                                    .runs = 3,
                                    .wrong = wrong_p,
                                    .wrong_count = sizeof wrong_p / sizeof *wrong_p,
                                    .wrong_runs = 200};
}

/* The system in which a leaves with probability q, and b with p. */
static opac_status open_system(double p, double q, const char *formula,
                               experiment_question *question, opac_error *error)
{
    char constants[2 * OPAC_NUMBER_SIZE + 8], one[OPAC_NUMBER_SIZE], other[OPAC_NUMBER_SIZE];
    snprintf(constants, sizeof constants, "p=%s,q=%s", opac_number_format(p, one),
             opac_number_format(q, other));
    return experiment_question_open("robust", constants, formula, question, error);
}

static opac_status find_time(double p, const char *formula, uint64_t *steps, opac_error *error)
{
    experiment_question question;
    opac_status status = open_system(p, 0, formula, &question, error);
    if (status != OPAC_OK)
        return status;
    status = experiment_question_time(&question, epsilon, false, steps, error);
    experiment_question_close(&question);
    return status;
}

/* T by computation and by formula, and k. */
static opac_status compute(experiment_robust_point *point, opac_error *error)
{
    double stays = log1p(-point->p);
    opac_bound_params params = {
        .states = 2, .actions = 2, .branching = 2, .epsilon = epsilon, .delta = delta};
    opac_status status = find_time(point->p, "G F s0", &point->recurrent, error);
    if (status == OPAC_OK)
        status = find_time(point->p, "G s0", &point->safe, error);
    params.horizon = point->safe;
    for (int rule = 0; rule < 3 && status == OPAC_OK; rule++)
        status = opac_bound_k(&params, (opac_k_rule)rule, &point->k[rule], error);
    point->formula = 1 + (uint64_t)ceil(log(epsilon) / stays);
    point->needed = (uint64_t)ceil(log(delta) / stays);
    return status;
}

/* ---- learners who know something ---- */

typedef struct work {
    experiment_lab *lab;
    const experiment_robust_size *size;
    experiment_robust_point *points;
    experiment_trial *trials; /* by point, learner, run */
} work;

static opac_status compute_point(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    work *w = context;
    (void)worker;
    w->points[index] = (experiment_robust_point){.p = w->size->p[index]};
    return compute(&w->points[index], error);
}

static bool is_run(const work *w, size_t point, int learner)
{
    return learner != EXPERIMENT_ROBUST_TIME || w->size->p[point] >= w->size->least;
}

static opac_status run_learner(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    work *w = context;
    uint64_t runs = w->size->runs;
    size_t at = (size_t)(index / (runs * EXPERIMENT_ROBUST_LEARNERS));
    int learner = (int)(index / runs % EXPERIMENT_ROBUST_LEARNERS);
    experiment_question question;
    opac_learn_options options = opac_learn_defaults();
    (void)worker;
    if (!is_run(w, at, learner))
        return OPAC_OK;
    opac_status status = open_system(w->points[at].p, 0, "G s0", &question, error);
    if (status != OPAC_OK)
        return status;
    options.epsilon = epsilon;
    options.delta = delta;
    options.horizon = learner == EXPERIMENT_ROBUST_TIME ? w->points[at].safe : 0;
    options.pmin = learner == EXPERIMENT_ROBUST_LEAST ? w->points[at].p : 0;
    options.seed = experiment_lab_seed(w->lab, index % runs);
    options.cancel = experiment_lab_cancel(w->lab);
    status = experiment_question_try(&question, &options, learner == EXPERIMENT_ROBUST_GRAPH,
                                     &w->trials[index], error);
    experiment_question_close(&question);
    return status;
}

/* The medians of a point's learners. */
static void summarize(work *w, size_t at, uint64_t *numbers)
{
    experiment_robust_point *point = &w->points[at];
    uint64_t runs = w->size->runs;
    for (int learner = 0; learner < EXPERIMENT_ROBUST_LEARNERS; learner++) {
        const experiment_trial *trials =
            &w->trials[(at * EXPERIMENT_ROBUST_LEARNERS + (size_t)learner) * runs];
        point->steps[learner] = UINT64_MAX;
        if (!is_run(w, at, learner))
            continue;
        for (uint64_t i = 0; i < runs; i++) {
            numbers[i] = trials[i].steps;
            point->right += trials[i].truth == 1 && trials[i].holds;
        }
        point->runs += runs;
        point->steps[learner] = experiment_median(numbers, runs);
    }
}

opac_status experiment_robust_run(experiment_lab *lab, const experiment_robust_size *size,
                                  experiment_robust_point *points, opac_error *error)
{
    uint64_t count = size->p_count * EXPERIMENT_ROBUST_LEARNERS * size->runs;
    work w = {.lab = lab, .size = size, .points = points};
    uint64_t *numbers = base_alloc(size->runs, sizeof *numbers);
    w.trials = base_alloc(count, sizeof *w.trials);
    opac_status status = numbers == NULL || w.trials == NULL ? base_fail_memory(error) : OPAC_OK;
    if (status == OPAC_OK)
        status =
            experiment_lab_repeat(lab, "recurrence times", size->p_count, compute_point, &w, error);
    if (status == OPAC_OK)
        status = experiment_lab_repeat(lab, "learners", count, run_learner, &w, error);
    for (size_t i = 0; i < size->p_count && status == OPAC_OK; i++)
        summarize(&w, i, numbers);
    base_free(w.trials);
    base_free(numbers);
    return status;
}

/* ---- one who is wrong ---- */

typedef struct mistake {
    experiment_lab *lab;
    const experiment_robust_size *size;
    uint64_t horizon;
    experiment_trial *trials; /* by p, then by run */
} mistake;

static opac_status run_wrong(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    mistake *m = context;
    experiment_question question;
    opac_learn_options options = opac_learn_defaults();
    double p = m->size->wrong[index / m->size->wrong_runs];
    (void)worker;
    opac_status status = open_system(0, p, "G s0", &question, error);
    if (status != OPAC_OK)
        return status;
    options.epsilon = epsilon;
    options.delta = delta;
    options.horizon = m->horizon;
    options.seed = experiment_lab_seed(m->lab, index);
    options.cancel = experiment_lab_cancel(m->lab);
    status = experiment_question_try(&question, &options, false, &m->trials[index], error);
    experiment_question_close(&question);
    return status;
}

static void count_wrong(const mistake *m, size_t at, uint64_t k, experiment_robust_wrong *wrong)
{
    const experiment_trial *trials = &m->trials[at * m->size->wrong_runs];
    double p = m->size->wrong[at];
    *wrong = (experiment_robust_wrong){.p = p, .exact = exp((double)k * log1p(-p))};
    for (uint64_t i = 0; i < m->size->wrong_runs; i++)
        if (trials[i].truth < 0.5) {
            wrong->wrong++;
            wrong->confirmed +=
                trials[i].holds && trials[i].horizon_check == OPAC_HORIZON_CONSISTENT;
        }
}

opac_status experiment_robust_mislead(experiment_lab *lab, const experiment_robust_size *size,
                                      experiment_robust_wrong *wrong, uint64_t *wrong_k,
                                      opac_error *error)
{
    uint64_t count = size->wrong_count * size->wrong_runs;
    experiment_robust_point usual = {.p = 0.1};
    mistake m = {.lab = lab, .size = size, .trials = base_alloc(count, sizeof *m.trials)};
    opac_status status = m.trials == NULL ? base_fail_memory(error) : compute(&usual, error);
    m.horizon = usual.safe;
    *wrong_k = usual.k[OPAC_K_L1].value;
    if (status == OPAC_OK)
        status = experiment_lab_repeat(lab, "a wrong T", count, run_wrong, &m, error);
    for (size_t i = 0; i < size->wrong_count && status == OPAC_OK; i++)
        count_wrong(&m, i, *wrong_k, &wrong[i]);
    base_free(m.trials);
    return status;
}
