/* SPDX-License-Identifier: MIT */
/*
 * Questions, learners that are tried on them, and numbers as texts and figures show them. The truth
 * about a policy is computed from the model; a learner's own report is only copied.
 */
#include "experiment/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/check.h>
#include <omegapac/number.h>

#include "base/error.h"
#include "experiment/lab.h"
#include "stat/beta.h"

/* ---- questions ---- */

static opac_status read_model(const char *name, opac_constants *constants, opac_model **model,
                              opac_error *error)
{
    opac_model_options options = opac_model_defaults();
    const char *text = experiment_model_text(name);
    if (text == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "there is no model of that name");
    options.constants = constants;
    return opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &options, model, error);
}

opac_status experiment_question_open(const char *model, const char *constants, const char *formula,
                                     experiment_question *question, opac_error *error)
{
    opac_constants *values = NULL;
    *question = (experiment_question){0};
    opac_status status = opac_constants_new(&values, error);
    if (status == OPAC_OK && constants != NULL)
        status = opac_constants_add(values, constants, error);
    if (status == OPAC_OK)
        status = read_model(model, values, &question->model, error);
    if (status == OPAC_OK)
        status = opac_formula_parse(formula, NULL, &question->formula, error);
    opac_constants_free(values);
    if (status != OPAC_OK)
        experiment_question_close(question);
    else
        question->objective = (opac_objective){.formula = question->formula};
    return status;
}

void experiment_question_close(experiment_question *question)
{
    opac_formula_free(question->formula);
    opac_model_free(question->model);
    *question = (experiment_question){0};
}

opac_status experiment_question_time(const experiment_question *question, double epsilon,
                                     bool literal, uint64_t *steps, opac_error *error)
{
    opac_recurrence_options options = opac_recurrence_defaults();
    opac_recurrence found;
    options.epsilon = epsilon;
    options.literal = literal;
    options.threads = 1;
    opac_status status =
        opac_recurrence_time(question->model, &question->objective, &options, &found, error);
    if (status != OPAC_OK)
        return status;
    if (found.kind != OPAC_RECURRENCE_EXACT || found.steps.value == UINT64_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "the recurrence time is not known exactly");
    *steps = found.steps.value;
    return OPAC_OK;
}

opac_status experiment_question_optimum(const experiment_question *question, double *optimum,
                                        opac_error *error)
{
    opac_solution *solution;
    opac_check_options options = opac_check_defaults();
    options.threads = 1;
    opac_status status =
        opac_check(question->model, &question->objective, &options, &solution, error);
    if (status != OPAC_OK)
        return status;
    *optimum = opac_solution_interval(solution, 0).value;
    opac_solution_free(solution);
    return OPAC_OK;
}

opac_status experiment_question_params(const experiment_question *question, double epsilon,
                                       double delta, uint64_t steps, opac_bound_params *params,
                                       opac_error *error)
{
    opac_model_summary summary;
    opac_status status = opac_model_summarize(question->model, NULL, &summary, error);
    if (status == OPAC_OK)
        *params = (opac_bound_params){.states = summary.states,
                                      .actions = summary.most_choices,
                                      .branching = summary.most_branches,
                                      .horizon = steps,
                                      .epsilon = epsilon,
                                      .delta = delta};
    return status;
}

/* ---- trials ---- */

/* By the policy's own automaton, if that will do: then the formula is not translated again. */
opac_status experiment_question_truth(const experiment_question *question,
                                      const opac_learning *learning, double *truth,
                                      opac_error *error)
{
    opac_policy *policy;
    opac_evaluation *evaluation = NULL;
    opac_status status = opac_learning_policy(learning, question->model, &policy, error);
    if (status != OPAC_OK)
        return status;
    const opac_automaton *automaton = opac_policy_automaton(policy);
    opac_objective own = {.automaton = automaton};
    bool is_own = automaton != NULL && opac_automaton_is_deterministic(automaton);
    status = opac_evaluate(policy, is_own ? &own : &question->objective, NULL, &evaluation, error);
    if (status == OPAC_OK)
        *truth = opac_evaluation_interval(evaluation, 0).value;
    opac_evaluation_free(evaluation);
    opac_policy_free(policy);
    return status;
}

static void copy_report(const opac_learn_report *report, experiment_trial *trial)
{
    *trial = (experiment_trial){.truth = NAN,
                                .value = report->value,
                                .lower = report->lower,
                                .upper = report->is_bracket ? report->optimum_upper : report->upper,
                                .error = report->is_bracket ? report->gap : report->error,
                                .k = report->k,
                                .steps = report->steps,
                                .episodes = report->episodes,
                                .samples = report->samples,
                                .budget = (double)report->k * (double)report->theory_states *
                                          (double)report->theory_actions,
                                .holds = report->holds,
                                .end = report->end,
                                .horizon_check = report->horizon_check};
}

static opac_status try_in(opac_environment *environment, const experiment_question *question,
                          const opac_learn_options *options, experiment_trial *trial,
                          opac_error *error)
{
    opac_learning *learning;
    opac_status status = opac_learn(environment, &question->objective, options, &learning, error);
    if (status != OPAC_OK)
        return status;
    copy_report(opac_learning_report(learning), trial);
    if (trial->end == OPAC_END_CANCELLED)
        status = base_fail(error, OPAC_ERROR_CANCELLED, "cancelled");
    else
        status = experiment_question_truth(question, learning, &trial->truth, error);
    opac_learning_free(learning);
    return status;
}

opac_status experiment_question_try(const experiment_question *question,
                                    const opac_learn_options *options, bool knows_graph,
                                    experiment_trial *trial, opac_error *error)
{
    opac_environment *environment;
    opac_learn_options alone = *options;
    opac_status status = opac_environment_of_model(question->model, NULL, &environment, error);
    if (status != OPAC_OK)
        return status;
    alone.threads = 1;
    alone.graph = knows_graph ? environment : NULL;
    status = try_in(environment, question, &alone, trial, error);
    opac_environment_free(environment);
    return status;
}

/* ---- numbers ---- */

const char *experiment_number(double value, int digits, char *buffer)
{
    char text[OPAC_NUMBER_SIZE];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return opac_number_format(strtod(text, NULL), buffer); /* both know the locale */
}

static void add_exponent(int exponent, char *text, size_t size)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[OPAC_NUMBER_SIZE];
    snprintf(digits, sizeof digits, "%d", exponent);
    size_t length = strlen(text);
    length += (size_t)snprintf(text + length, size - length, "·10");
    for (const char *d = digits; *d != '\0' && length < size; d++)
        length += (size_t)snprintf(text + length, size - length, "%s", raised[*d - '0']);
}

experiment_digits experiment_show(double value, int digits)
{
    experiment_digits shown;
    char rounded[OPAC_NUMBER_SIZE];
    if (!isfinite(value) || value < 1e5) {
        experiment_number(value, digits, shown.text);
        return shown;
    }
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value);
    char *mark = strchr(rounded, 'e');
    long exponent = mark != NULL ? strtol(mark + 1, NULL, 10) : 0;
    if (mark != NULL)
        *mark = '\0';
    opac_number_format(strtod(rounded, NULL), shown.text);
    add_exponent((int)exponent, shown.text, sizeof shown.text);
    return shown;
}

static int compare(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

uint64_t experiment_median(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    return numbers[(count - 1) / 2];
}

experiment_quartiles experiment_quartiles_of(uint64_t *numbers, size_t count)
{
    size_t last = count - 1;
    uint64_t median = experiment_median(numbers, count); /* and they are sorted */
    return (experiment_quartiles){numbers[0], numbers[last / 4], median, numbers[last - last / 4],
                                  numbers[last]};
}

static int compare_doubles(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

double experiment_middle(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_doubles);
    return numbers[(count - 1) / 2];
}

size_t experiment_spaced(uint64_t most, size_t count, uint64_t *numbers)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double part = (double)i / (double)(count - 1);
        uint64_t number = i + 1 == count ? most : (uint64_t)llround(pow((double)most, part));
        if (kept == 0 || number > numbers[kept - 1])
            numbers[kept++] = number;
    }
    return kept;
}

/* ---- shares of runs ---- */

/* The least j with P(Binomial(n, p) <= j) >= level. */
static uint64_t quantile(uint64_t n, double p, double level)
{
    uint64_t j = 0;
    while (j < n && stat_beta_above(p, (double)j + 1, (double)(n - j)) < level)
        j++;
    return j;
}

void experiment_band(uint64_t runs, double probability, double alpha, double *lower, double *upper)
{
    *lower = (double)quantile(runs, probability, alpha / 2) / (double)runs;
    *upper = (double)quantile(runs, probability, 1 - alpha / 2) / (double)runs;
}

void experiment_curve_missed(experiment_curve *curve, double low, double high, uint64_t k,
                             uint64_t runs, double alpha)
{
    for (size_t i = 0; i < EXPERIMENT_CURVE; i++) {
        double part = (double)i / (EXPERIMENT_CURVE - 1);
        curve->x[i] = low * pow(high / low, part);
        curve->y[i] = exp((double)k * log1p(-curve->x[i]));
        experiment_band(runs, curve->y[i], alpha, &curve->lower[i], &curve->upper[i]);
    }
}
