/* SPDX-License-Identifier: MIT */
/*
 * The counterexample to the paper's definition of the recurrence time: times, learners that know
 * something true, and learners that take the literal T.
 *
 * A run costs milliseconds whatever k and r are, since counts are drawn, not steps; but for
 * omega-PAC with our T, whose episodes have 3/r steps.
 */
#include "experiment/counterexample.h"

#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "base/alloc.h"

static const double epsilon = 0.05, delta = 0.1;

const opac_k_rule experiment_counter_rules[EXPERIMENT_COUNTER_RULES] = {OPAC_K_PAPER, OPAC_K_L1};

static const double all_r[] = {1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7,
                               1e-6,  1e-5,  1e-4,  1e-3, 1e-2, 1e-1};
static const double share_r[] = {1e-12, 3e-12, 1e-11, 3e-11, 1e-10, 3e-10,
                                 1e-9,  3e-9,  1e-8,  3e-8,  1e-7};

experiment_counter_size experiment_counter_full(void)
{
    return (experiment_counter_size){.r = all_r,
                                     .r_count = sizeof all_r / sizeof *all_r,
                                     .least = 1e-4,
                                     .shares = share_r,
                                     .share_count = sizeof share_r / sizeof *share_r,
                                     .runs = 100};
}

static opac_status open_system(double r, experiment_question *question, opac_error *error)
{
    char constants[OPAC_NUMBER_SIZE + 2], text[OPAC_NUMBER_SIZE];
    snprintf(constants, sizeof constants, "r=%s", opac_number_format(r, text));
    return experiment_question_open("counterexample", constants, "G F good", question, error);
}

static opac_learn_options usual_options(experiment_lab *lab, uint64_t index)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = epsilon;
    options.delta = delta;
    options.seed = experiment_lab_seed(lab, index);
    options.cancel = experiment_lab_cancel(lab);
    return options;
}

/* ---- what is true ---- */

typedef struct work {
    experiment_lab *lab;
    const experiment_counter_size *size;
    experiment_counter_point *points;
} work;

static opac_status find_k(const experiment_question *question, uint64_t horizon, opac_count k[3],
                          opac_error *error)
{
    opac_bound_params params;
    opac_status status =
        experiment_question_params(question, epsilon, delta, horizon, &params, error);
    for (int rule = 0; rule < 3 && status == OPAC_OK; rule++)
        status = opac_bound_k(&params, (opac_k_rule)rule, &k[rule], error);
    return status;
}

static opac_status find_times(const experiment_question *question, experiment_counter_point *point,
                              opac_error *error)
{
    opac_status status = experiment_question_time(question, epsilon, true, &point->literal, error);
    if (status == OPAC_OK)
        status = experiment_question_time(question, epsilon, false, &point->covered, error);
    if (status == OPAC_OK)
        status = find_k(question, point->literal, point->literal_k, error);
    if (status == OPAC_OK)
        status = find_k(question, point->covered, point->covered_k, error);
    return status;
}

static opac_status try_learners(const work *w, const experiment_question *question,
                                experiment_counter_point *point, opac_error *error)
{
    opac_learn_options usual = usual_options(w->lab, 0), options = usual;
    opac_status status = OPAC_OK;
    point->is_covered_run = point->r >= w->size->least;
    options.horizon = point->covered;
    if (point->is_covered_run)
        status = experiment_question_try(question, &options, false, &point->known_time, error);
    options = usual;
    options.pmin = fmin(point->r, 0.01); /* from s1 to s2 */
    options.explore = OPAC_EXPLORE_GENERATIVE;
    if (status == OPAC_OK)
        status = experiment_question_try(question, &options, false, &point->known_least, error);
    if (status == OPAC_OK)
        status = experiment_question_try(question, &usual, true, &point->known_graph, error);
    return status;
}

static opac_status run_point(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    work *w = context;
    experiment_counter_point *point = &w->points[index];
    experiment_question question;
    (void)worker;
    *point = (experiment_counter_point){.r = w->size->r[index]};
    opac_status status = open_system(point->r, &question, error);
    if (status != OPAC_OK)
        return status;
    status = find_times(&question, point, error);
    if (status == OPAC_OK)
        status = try_learners(w, &question, point, error);
    experiment_question_close(&question);
    return status;
}

opac_status experiment_counter_run(experiment_lab *lab, const experiment_counter_size *size,
                                   experiment_counter_point *points, opac_error *error)
{
    work w = {.lab = lab, .size = size, .points = points};
    return experiment_lab_repeat(lab, "times and learners", size->r_count, run_point, &w, error);
}

/* ---- what the literal T leads to ---- */

typedef struct literal {
    experiment_lab *lab;
    const experiment_counter_size *size;
    experiment_trial *trials; /* by r, rule, run */
} literal;

static opac_status run_literal(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    literal *l = context;
    uint64_t runs = l->size->runs, rule = index / runs % EXPERIMENT_COUNTER_RULES;
    experiment_question question;
    opac_learn_options options = usual_options(l->lab, index);
    (void)worker;
    opac_status status =
        open_system(l->size->shares[index / (runs * EXPERIMENT_COUNTER_RULES)], &question, error);
    if (status != OPAC_OK)
        return status;
    options.k_rule = experiment_counter_rules[rule];
    status = experiment_question_time(&question, epsilon, true, &options.horizon, error);
    if (status == OPAC_OK)
        status = experiment_question_try(&question, &options, false, &l->trials[index], error);
    experiment_question_close(&question);
    return status;
}

static void count_runs(const experiment_trial *trials, uint64_t runs, int rule,
                       experiment_counter_share *share)
{
    double sum = 0;
    share->k[rule] = trials[0].k;
    for (uint64_t i = 0; i < runs; i++) {
        bool is_safe = trials[i].truth > 0.75;
        sum += trials[i].truth;
        share->safe[rule] += is_safe;
        share->refuted[rule] += is_safe && trials[i].horizon_check == OPAC_HORIZON_REFUTED;
        share->confident[rule] +=
            !is_safe && trials[i].holds && trials[i].horizon_check == OPAC_HORIZON_CONSISTENT;
    }
    share->worth[rule] = sum / (double)runs;
}

opac_status experiment_counter_count(experiment_lab *lab, const experiment_counter_size *size,
                                     experiment_counter_share *shares, opac_error *error)
{
    uint64_t count = size->share_count * EXPERIMENT_COUNTER_RULES * size->runs;
    literal l = {.lab = lab, .size = size, .trials = base_alloc(count, sizeof *l.trials)};
    if (l.trials == NULL)
        return base_fail_memory(error);
    opac_status status = experiment_lab_repeat(lab, "the literal T", count, run_literal, &l, error);
    for (size_t i = 0; i < size->share_count && status == OPAC_OK; i++) {
        shares[i] = (experiment_counter_share){.r = size->shares[i]};
        for (int rule = 0; rule < EXPERIMENT_COUNTER_RULES; rule++)
            count_runs(&l.trials[(i * EXPERIMENT_COUNTER_RULES + (size_t)rule) * size->runs],
                       size->runs, rule, &shares[i]);
    }
    base_free(l.trials);
    return status;
}
