/* SPDX-License-Identifier: MIT */
/*
 * Many runs of a learner in parallel, each with its own environment and seed. Results are stored by index.
 */
#include <math.h>

#include <omegapac/repetition.h>
#include <omegapac/result.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/work.h"

typedef struct run {
    opac_environment *environment;
    opac_learning *learning;
    double truth;
} run;

struct opac_repetition {
    uint64_t count;
    run *runs;
};

typedef struct work {
    const opac_model *model;
    const opac_objective *objective;
    const opac_repetition_options *options;
    run *runs;
} work;

/* The context of evaluate_entry, which evaluates the policies of one run's trace. */
typedef struct trace_evaluation {
    opac_learn_truth truth;
    opac_status status;
    opac_error error;
} trace_evaluation;

static void evaluate_entry(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    trace_evaluation *l = context;
    if (l->status == OPAC_OK)
        l->status = opac_learn_truth_trace(&l->truth, learning, 0, entry, &l->error);
}

/* Uses the policy's own automaton if that is deterministic, which avoids a translation each time. */
static opac_status find_truth(const work *w, run *one, opac_error *error)
{
    opac_policy *policy = NULL;
    opac_learn_truth truth;
    const opac_check_options options = {.cancel = w->options->learn->cancel};
    TRY(opac_learning_policy(one->learning, w->model, &policy, error));
    const opac_automaton *automaton = opac_policy_automaton(policy);
    const opac_objective own = {.automaton = automaton};
    bool is_own = automaton != NULL && opac_automaton_is_deterministic(automaton);
    opac_learn_truth_init(&truth, w->model, is_own ? &own : w->objective);
    opac_status status = opac_learn_truth_find_policy(&truth, policy, &options, error);
    if (status == OPAC_OK && truth.note.code != OPAC_OK)
        status = base_fail(error, truth.note.code, "%s", truth.note.message);
    one->truth = truth.policy;
    opac_policy_free(policy);
    return status;
}

static opac_status run_one(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    const work *w = context;
    run *one = &w->runs[index];
    trace_evaluation l = {.status = OPAC_OK};
    opac_learn_options options = *w->options->learn;
    (void)worker;
    options.seed += index;
    options.threads = 1;
    TRY(opac_environment_of_model(w->model, NULL, &one->environment, error));
    options.graph = w->options->knows_graph ? one->environment : NULL;
    if (w->options->trace_truth) {
        opac_learn_truth_init(&l.truth, w->model, w->objective);
        options.trace = evaluate_entry;
        options.trace_context = &l;
    }
    TRY(opac_learn(one->environment, w->objective, &options, &one->learning, error));
    if (l.status != OPAC_OK)
        return base_fail(error, l.status, "%s", l.error.message);
    if (opac_learning_report(one->learning)->end == OPAC_END_CANCELLED)
        return base_fail_stopped(error, options.cancel, "learning");
    return w->options->no_truth ? OPAC_OK : find_truth(w, one, error);
}

static opac_status check(const opac_repetition_options *options, opac_error *error)
{
    const opac_learn_options *learn = options->learn;
    if (options->runs == 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "runs",
                                   "the number of runs must be at least 1");
    if (learn->seed > UINT64_MAX - (options->runs - 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "seed",
                                   "the last seed would exceed 2^64 - 1");
    if (learn->graph != NULL || learn->checkpoint != NULL || learn->trace != NULL ||
        learn->progress != NULL)
        return base_fail(
            error, OPAC_ERROR_ARGUMENT,
            "graph, checkpoint, trace and progress are only available for a single run");
    return OPAC_OK;
}

static opac_status run_all(work *w, opac_error *error)
{
    const opac_learn_options *learn = w->options->learn;
    base_pool *pool;
    TRY(base_pool_new(learn->threads, &pool, error));
    opac_status status = base_pool_for(pool, w->options->runs, run_one, w, learn->cancel, error);
    base_pool_free(pool);
    return status;
}

opac_status opac_learn_repeat(const opac_model *model, const opac_objective *objective,
                              const opac_repetition_options *options, opac_repetition **repetition,
                              opac_error *error)
{
    *repetition = NULL;
    TRY(check(options, error));
    opac_repetition *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    made->runs = base_alloc_zeroed(options->runs, sizeof *made->runs);
    if (made->runs == NULL) {
        base_free(made);
        return base_fail_memory(error);
    }
    made->count = options->runs;
    for (uint64_t i = 0; i < made->count; i++)
        made->runs[i].truth = NAN;
    work w = {.model = model, .objective = objective, .options = options, .runs = made->runs};
    opac_status status = run_all(&w, error);
    if (status == OPAC_OK)
        *repetition = made;
    else
        opac_repetition_free(made);
    return status;
}

void opac_repetition_free(opac_repetition *repetition)
{
    if (repetition == NULL)
        return;
    for (uint64_t i = 0; i < repetition->count; i++) {
        opac_learning_free(repetition->runs[i].learning);
        opac_environment_free(repetition->runs[i].environment);
    }
    base_free(repetition->runs);
    base_free(repetition);
}

const opac_learning *opac_repetition_learning(const opac_repetition *repetition, uint64_t index)
{
    return repetition->runs[index].learning;
}

double opac_repetition_truth(const opac_repetition *repetition, uint64_t index)
{
    return repetition->runs[index].truth;
}
