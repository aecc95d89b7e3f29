/* SPDX-License-Identifier: MIT */
/*
 * The computing part of `sequence`: runs whose policies are judged one after the other.
 *
 * A policy lasts from the step at which it was found to that of the next one. The last one lasts
 * for ever: a run that has stopped goes on with it. So the number of steps with a bad policy is
 * that of the run, if the last one is good, and has no bound if it is not.
 */
#include "base/alloc.h"
#include "experiment/sequence.h"

typedef struct listener {
    const experiment_question *question;
    double threshold;
    experiment_sequence_course *course;
    uint64_t step; /* when the present policy began */
    bool is_bad;   /* it is worth less than the threshold */
    opac_status status;
    opac_error *error;
} listener;

static void close_policy(listener *l, uint64_t step)
{
    if (l->is_bad) {
        l->course->bad_policies++;
        l->course->bad_steps += step - l->step;
    }
    l->step = step;
    l->is_bad = false;
}

static void hear(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    listener *l = context;
    close_policy(l, entry->step);
    l->course->policies++;
    if (l->status == OPAC_OK)
        l->status = experiment_question_truth(l->question, learning, &entry->truth, l->error);
    l->is_bad = l->status == OPAC_OK && entry->truth < l->threshold;
}

opac_status experiment_sequence_run(const experiment_question *question,
                                    const opac_learn_options *options, double threshold,
                                    experiment_sequence_course *course, opac_error *error)
{
    experiment_trial trial;
    opac_error wrong = {0};
    listener l = {.question = question, .threshold = threshold, .course = course, .error = &wrong};
    opac_learn_options heard = *options;
    *course = (experiment_sequence_course){0};
    heard.trace = hear;
    heard.trace_context = &l;
    opac_status status = experiment_question_try(question, &heard, false, &trial, error);
    if (status != OPAC_OK)
        return status;
    if (l.status != OPAC_OK)
        return base_fail(error, l.status, "%s", wrong.message);
    close_policy(&l, trial.steps); /* of a run that has ended by itself, no step remains */
    course->steps = trial.steps;
    course->k = trial.k;
    course->last = trial.truth;
    course->ends_well = trial.truth >= threshold;
    return OPAC_OK;
}

/* ---- many ---- */

typedef struct work {
    experiment_lab *lab;
    experiment_question question;
    opac_learn_options options;
    double threshold;
    experiment_sequence_course *courses;
} work;

static opac_status run_one(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    work *w = context;
    opac_learn_options options = w->options;
    (void)worker;
    options.seed = experiment_lab_seed(w->lab, index);
    return experiment_sequence_run(&w->question, &options, w->threshold, &w->courses[index], error);
}

static opac_learn_options options_of(const experiment_sequence_setting *setting)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = setting->horizon;
    options.epsilon = setting->epsilon;
    options.delta = 0.1;
    options.k_rule = setting->rule;
    options.k = setting->k;
    options.count_pairs = true; /* as in the paper */
    return options;
}

static opac_status find_bounds(const experiment_sequence_setting *setting, uint64_t k,
                               experiment_sequence_bounds *bounds, opac_error *error)
{
    opac_bound_params params = {.states = setting->states,
                                .actions = setting->actions,
                                .horizon = setting->horizon,
                                .epsilon = setting->epsilon,
                                .delta = 0.1};
    opac_count count = opac_count_of(k);
    opac_bound_offer offer;
    opac_status status = opac_bound_offer_for(&params, &count, &offer, error);
    if (status != OPAC_OK)
        return status;
    bounds->published = offer.policy_steps;
    /* Refused where so small a k leaves more unknown than 9 epsilon. */
    if (opac_bound_bad_steps(&params, &offer, 9 * setting->epsilon, &bounds->proven, NULL) !=
        OPAC_OK)
        bounds->proven = (opac_count){0};
    return OPAC_OK;
}

opac_status experiment_sequence_repeat(experiment_lab *lab,
                                       const experiment_sequence_setting *setting, size_t runs,
                                       experiment_sequence_course *courses,
                                       experiment_sequence_bounds *bounds, opac_error *error)
{
    work w = {.lab = lab, .options = options_of(setting), .courses = courses};
    double optimum;
    w.options.cancel = experiment_lab_cancel(lab);
    opac_status status =
        experiment_question_open(setting->model, NULL, setting->formula, &w.question, error);
    if (status != OPAC_OK)
        return status;
    status = experiment_question_optimum(&w.question, &optimum, error);
    if (status == OPAC_OK) {
        w.threshold = optimum - 9 * setting->epsilon;
        status = experiment_lab_repeat(lab, setting->name, runs, run_one, &w, error);
    }
    if (status == OPAC_OK)
        status = find_bounds(setting, courses[0].k, bounds, error);
    experiment_question_close(&w.question);
    return status;
}
