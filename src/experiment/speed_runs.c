/* SPDX-License-Identifier: MIT */
/* The computing part of `speed`: learners that are measured, one at a time, alone. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "experiment/speed.h"

/* The graph of the bare walk, where two successors are alike, in the words of a model. */
static opac_status open_graph(uint32_t states, experiment_question *question, opac_error *error)
{
    char text[512];
    int length =
        snprintf(text, sizeof text,
                 "mdp module m s : [0..%u] init 0; [] true -> 1/2 : (s'=mod(2*s,%u)) + 1/2 : "
                 "(s'=mod(2*s+1,%u)); endmodule label \"low\" = s=0;\n",
                 (unsigned)(states - 1), (unsigned)states, (unsigned)states);
    *question = (experiment_question){0};
    opac_status status = opac_model_read_text(OPAC_FORMAT_PRISM, text, (size_t)length, NULL,
                                              &question->model, error);
    if (status == OPAC_OK)
        status = opac_formula_parse("G F low", NULL, &question->formula, error);
    if (status != OPAC_OK)
        experiment_question_close(question);
    else
        question->objective = (opac_objective){.formula = question->formula};
    return status;
}

opac_status experiment_speed_open(const experiment_speed_case *one, experiment_question *question,
                                  opac_error *error)
{
    if (strcmp(one->name, "gridworld") == 0)
        return experiment_question_open("gridworld", NULL, "(G F s) & (G F g)", question, error);
    return open_graph(one->states, question, error);
}

static opac_learn_options options_of(const experiment_speed_case *one, unsigned threads)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = one->horizon;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.k_rule = OPAC_K_PAPER;
    options.count_pairs = true;
    options.sampler = one->sampler;
    options.threads = threads;
    options.recurrence_work = 1; /* what T is checked against is not measured here */
    if (one->steps != 0) {
        options.k = UINT64_C(1) << 40; /* never reached: the policy stays, and steps are all */
        options.max_steps = one->steps * threads;
    }
    return options;
}

static opac_status measure_in(opac_environment *environment, const experiment_question *question,
                              const opac_learn_options *options, experiment_speed_run *run,
                              opac_error *error)
{
    opac_learning *learning;
    opac_status status = opac_learn(environment, &question->objective, options, &learning, error);
    if (status != OPAC_OK)
        return status;
    const opac_learn_report *report = opac_learning_report(learning);
    *run = (experiment_speed_run){.steps = report->steps,
                                  .episodes = report->episodes,
                                  .k = report->k,
                                  .seconds = report->sampling_seconds};
    if (report->end == OPAC_END_CANCELLED)
        status = base_fail(error, OPAC_ERROR_CANCELLED, "cancelled");
    opac_learning_free(learning);
    return status;
}

opac_status experiment_speed_measure(const experiment_question *question,
                                     const experiment_speed_case *one, unsigned threads,
                                     uint64_t seed, const opac_cancel *cancel,
                                     experiment_speed_run *run, opac_error *error)
{
    opac_environment *environment;
    opac_learn_options options = options_of(one, threads);
    opac_status status = opac_environment_of_model(question->model, NULL, &environment, error);
    if (status != OPAC_OK)
        return status;
    options.seed = seed;
    options.cancel = cancel;
    status = measure_in(environment, question, &options, run, error);
    opac_environment_free(environment);
    return status;
}
