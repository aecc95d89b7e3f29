/* SPDX-License-Identifier: MIT */
/*
 * The computing part of `samples`: k by rule, and learners run on families of questions.
 *
 * A family's questions are opened one after the other, and then all runs are one loop over
 * (learner, question, seed), so that long ones and short ones share the threads. ω-PAC's steps are
 * drawn by counts, so that its cost does not depend on k; the others' are taken one by one.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "experiment/samples.h"

/* ---- k ---- */

const char *experiment_samples_rule_name(experiment_samples_rule rule)
{
    static const char *const names[EXPERIMENT_SAMPLES_RULES] = {"paper", "sound", "l1",
                                                                "l1, error 6ε", "l1, m unknown"};
    return (unsigned)rule < EXPERIMENT_SAMPLES_RULES ? names[rule] : "";
}

opac_status experiment_samples_k(const opac_bound_params *params, experiment_samples_rule rule,
                                 opac_count *k, opac_error *error)
{
    static const opac_k_rule rules[EXPERIMENT_SAMPLES_RULES] = {OPAC_K_PAPER, OPAC_K_SOUND,
                                                                OPAC_K_L1, OPAC_K_L1, OPAC_K_L1};
    opac_bound_params used = *params;
    if (rule == EXPERIMENT_SAMPLES_UNKNOWN)
        used.branching = 0;
    if (rule == EXPERIMENT_SAMPLES_TARGET)
        return opac_bound_k_for_accuracy(&used, 2 * used.epsilon, k, error);
    return opac_bound_k(&used, rules[rule], k, error);
}

opac_bound_params experiment_samples_at(const opac_bound_params *params,
                                        experiment_samples_variable variable, double first,
                                        double factor, size_t index)
{
    opac_bound_params found = *params;
    double value = first * pow(factor, (double)index);
    if (variable == EXPERIMENT_SAMPLES_STATES)
        found.states = (uint64_t)llround(value);
    else if (variable == EXPERIMENT_SAMPLES_HORIZON)
        found.horizon = (uint64_t)llround(value);
    else
        found.epsilon = value;
    return found;
}

double experiment_samples_slope(const double *x, const double *y, size_t count)
{
    return log(y[count - 1] / y[0]) / log(x[count - 1] / x[0]);
}

/* ---- learners ---- */

const char *experiment_samples_learner_name(experiment_samples_learner learner)
{
    static const char *const names[EXPERIMENT_SAMPLES_LEARNERS] = {
        "ω-PAC, paper's k", "ω-PAC, l1", "ω-PAC, l1, error 6ε", "bracket with pmin",
        "bracket with the graph"};
    return (unsigned)learner < EXPERIMENT_SAMPLES_LEARNERS ? names[learner] : "";
}

static opac_learn_options options_of(const experiment_samples_setting *setting,
                                     experiment_samples_learner learner)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = setting->epsilon;
    options.delta = 0.1;
    if (learner <= EXPERIMENT_SAMPLES_BY_TARGET)
        options.horizon = setting->horizon;
    if (learner == EXPERIMENT_SAMPLES_BY_PAPER) {
        options.k_rule = OPAC_K_PAPER;
        options.count_pairs = true;
    }
    if (learner == EXPERIMENT_SAMPLES_BY_TARGET)
        options.target = 6 * setting->epsilon;
    if (learner == EXPERIMENT_SAMPLES_BY_PMIN)
        options.pmin = setting->pmin;
    return options;
}

/* ---- runs ---- */

typedef struct work {
    experiment_lab *lab;
    experiment_samples_setting settings[EXPERIMENT_SAMPLES_SETTINGS]; /* with T */
    experiment_question questions[EXPERIMENT_SAMPLES_SETTINGS];
    double optimum[EXPERIMENT_SAMPLES_SETTINGS];
    size_t setting_count, learner_count, runs;
    experiment_samples_learner learners[EXPERIMENT_SAMPLES_LEARNERS];
    experiment_trial *trials; /* by learner, question, run */
} work;

static opac_status open_question(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    work *w = context;
    experiment_samples_setting *setting = &w->settings[index];
    const experiment_question *question = &w->questions[index];
    (void)worker;
    opac_status status = experiment_question_optimum(question, &w->optimum[index], error);
    if (status == OPAC_OK && setting->horizon == 0)
        status =
            experiment_question_time(question, setting->epsilon, false, &setting->horizon, error);
    return status;
}

static opac_status open_all(work *w, const experiment_samples_family *family, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < family->setting_count && status == OPAC_OK; i++) {
        w->settings[i] = family->settings[i];
        status = experiment_question_open(family->model, family->settings[i].constants,
                                          family->formula, &w->questions[i], error);
        if (status == OPAC_OK)
            w->setting_count++;
    }
    if (status == OPAC_OK)
        status =
            experiment_lab_repeat(w->lab, family->name, w->setting_count, open_question, w, error);
    return status;
}

/* ω-PAC's runs differ by less than a thousandth, and its long ones are dear: fewer will do. */
static size_t runs_of(const work *w, experiment_samples_learner learner)
{
    bool is_few = learner <= EXPERIMENT_SAMPLES_BY_TARGET && w->runs > EXPERIMENT_SAMPLES_FEW;
    return is_few ? EXPERIMENT_SAMPLES_FEW : w->runs;
}

static opac_status run_one(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    work *w = context;
    uint64_t row = index / w->runs, run = index % w->runs;
    size_t place = (size_t)(row % w->setting_count);
    experiment_samples_learner learner = w->learners[row / w->setting_count];
    opac_learn_options options = options_of(&w->settings[place], learner);
    (void)worker;
    if (run >= runs_of(w, learner))
        return OPAC_OK;
    options.seed = experiment_lab_seed(w->lab, run);
    options.cancel = experiment_lab_cancel(w->lab);
    return experiment_question_try(&w->questions[place], &options,
                                   learner == EXPERIMENT_SAMPLES_BY_GRAPH, &w->trials[index],
                                   error);
}

static void sum_up(const work *w, size_t row, uint64_t *numbers,
                   experiment_samples_outcome *outcome)
{
    const experiment_trial *trials = &w->trials[row * w->runs];
    const experiment_samples_setting *setting = &w->settings[row % w->setting_count];
    experiment_samples_learner learner = w->learners[row / w->setting_count];
    double optimum = w->optimum[row % w->setting_count];
    bool has_time = learner <= EXPERIMENT_SAMPLES_BY_TARGET;
    size_t runs = runs_of(w, learner);
    *outcome = (experiment_samples_outcome){.x = setting->x,
                                            .epsilon = setting->epsilon,
                                            .horizon = has_time ? setting->horizon : 0,
                                            .learner = learner,
                                            .k = has_time ? trials[0].k : 0,
                                            .budget = has_time ? trials[0].budget : NAN,
                                            .runs = runs};
    for (size_t i = 0; i < runs; i++) {
        double error = trials[i].holds ? trials[i].error : NAN;
        numbers[i] = trials[i].samples;
        outcome->done += trials[i].end == OPAC_END_DONE;
        outcome->error = isnan(error) || error > outcome->error ? error : outcome->error;
        outcome->shortfall = fmax(outcome->shortfall, optimum - trials[i].truth);
    }
    outcome->samples = experiment_median(numbers, runs);
    for (size_t i = 0; i < runs; i++)
        numbers[i] = trials[i].steps;
    outcome->steps = experiment_quartiles_of(numbers, runs);
}

static opac_status run_all(work *w, const experiment_samples_family *family,
                           experiment_samples_outcome **outcomes, size_t *count, opac_error *error)
{
    size_t rows = w->learner_count * w->setting_count;
    uint64_t *numbers = base_alloc_zeroed(w->runs, sizeof *numbers);
    experiment_samples_outcome *found = base_alloc_zeroed(rows, sizeof *found);
    w->trials = base_alloc_zeroed(rows * w->runs, sizeof *w->trials);
    opac_status status =
        numbers == NULL || found == NULL || w->trials == NULL
            ? base_fail_memory(error)
            : experiment_lab_repeat(w->lab, family->name, rows * w->runs, run_one, w, error);
    for (size_t i = 0; i < rows && status == OPAC_OK; i++)
        sum_up(w, i, numbers, &found[i]);
    base_free(numbers);
    base_free(w->trials);
    if (status != OPAC_OK) {
        base_free(found);
        return status;
    }
    *outcomes = found;
    *count = rows;
    return OPAC_OK;
}

opac_status experiment_samples_run(experiment_lab *lab, const experiment_samples_family *family,
                                   size_t runs, experiment_samples_outcome **outcomes,
                                   size_t *count, opac_error *error)
{
    work w = {.lab = lab, .runs = runs};
    *outcomes = NULL;
    *count = 0;
    if (runs == 0 || family->setting_count == 0 ||
        family->setting_count > EXPERIMENT_SAMPLES_SETTINGS)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "a family without runs, or of too many questions");
    for (unsigned i = 0; i < EXPERIMENT_SAMPLES_LEARNERS; i++)
        if ((family->learners >> i & 1) != 0)
            w.learners[w.learner_count++] = (experiment_samples_learner)i;
    opac_status status = open_all(&w, family, error);
    if (status == OPAC_OK)
        status = run_all(&w, family, outcomes, count, error);
    for (size_t i = 0; i < w.setting_count; i++)
        experiment_question_close(&w.questions[i]);
    return status;
}
