/* SPDX-License-Identifier: MIT */
/*
 * Repeated learning runs on one model: the numbers of each run, its policy, on request its trace,
 * and the summary of all runs.
 */
#include "learn.h"

typedef struct repeating {
    learn_run run; /* only its options are used */
    core_objective objective;
    saved_exception exception; /* of pmin */
    const opac_model *model;
    opac_repetition_options options;
    opac_result_source source;
    opac_repetition *repetition;
    opac_learn_runs runs;
    opac_result *summary;
} repeating;

/* ---- the summary ---- */

static opac_status summarize(repeating *r, const opac_cancel *cancel, opac_error *error)
{
    opac_learn_truth truth;
    opac_learn_answer answer = {.options = &r->run.options,
                                .model = r->model,
                                .objective = core_chars(r->objective.text),
                                .truth = &truth};
    const opac_check_options options = {
        .kind = r->run.options.kind, .threads = r->run.options.threads, .cancel = cancel};
    opac_learn_truth_init(&truth, r->options.no_truth ? NULL : r->model, &r->objective.objective);
    OPAC_TRY(opac_learn_truth_find_optimum(&truth, &options, error));
    for (uint64_t i = 0; i < r->options.runs; i++) {
        truth.policy = opac_repetition_truth(r->repetition, i);
        answer.learning = opac_repetition_learning(r->repetition, i);
        OPAC_TRY(opac_learn_runs_add(&r->runs, &answer, error));
    }
    return opac_result_of_learn_runs(&r->runs, &answer, &r->source, &r->summary, error);
}

static opac_status work(void *context, const opac_cancel *cancel, opac_error *error)
{
    repeating *r = context;
    r->run.options.cancel = cancel;
    r->exception.cancel = (opac_cancel *)cancel; /* not const: made by core_run */
    r->options.learn = &r->run.options;
    OPAC_TRY(
        opac_learn_repeat(r->model, &r->objective.objective, &r->options, &r->repetition, error));
    return summarize(r, cancel, error);
}

/* ---- each run ---- */

static PyObject *make_policy(const repeating *r, const opac_learning *learning, PyObject *model)
{
    opac_policy *made = NULL;
    opac_error error;
    if (opac_learning_policy(learning, r->model, &made, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    return core_policy_wrap(made, model);
}

/* The members of omegapac.Run as a tuple, in their order. */
static PyObject *make_run(const repeating *r, uint64_t index, PyObject *model, bool wants_trace)
{
    const opac_learning *learning = opac_repetition_learning(r->repetition, index);
    const opac_learn_report *report = opac_learning_report(learning);
    PyObject *checked = report->horizon_check == OPAC_HORIZON_UNCHECKED ? Py_None
                        : report->horizon_check == OPAC_HORIZON_REFUTED ? Py_True
                                                                        : Py_False;
    PyObject *trace = wants_trace ? learn_trace(learning) : PyList_New(0);
    PyObject *policy = make_policy(r, learning, model);
    if (trace == NULL || policy == NULL) {
        Py_XDECREF(trace);
        Py_XDECREF(policy);
        return NULL;
    }
    return Py_BuildValue(
        "(KNNNNNNOOOKKKKKKKddNNKNN)", (unsigned long long)r->run.options.seed + index,
        learn_number(opac_repetition_truth(r->repetition, index)), learn_number(report->value),
        learn_number(report->lower), learn_number(report->upper),
        learn_number(report->optimum_upper),
        learn_number(report->is_bracket ? report->gap : report->error),
        report->holds ? Py_True : Py_False, report->end == OPAC_END_DONE ? Py_True : Py_False,
        checked, (unsigned long long)report->horizon_found, (unsigned long long)report->k,
        (unsigned long long)report->theory_states * report->theory_actions,
        (unsigned long long)report->steps, (unsigned long long)report->samples,
        (unsigned long long)report->episodes, (unsigned long long)report->known, report->seconds,
        report->sampling_seconds, policy, trace, (unsigned long long)report->candidates,
        learn_trial(report), learn_answer(report));
}

static PyObject *make_runs(const repeating *r, PyObject *model, bool wants_trace)
{
    PyObject *list = PyList_New((Py_ssize_t)r->options.runs);
    for (uint64_t i = 0; i < r->options.runs && list != NULL; i++) {
        PyObject *one = make_run(r, i, model, wants_trace);
        if (one == NULL || PyList_SetItem(list, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* ---- the function ---- */

static bool prepare(repeating *r, PyObject *model, PyObject *objective, PyObject *options)
{
    if (!core_expect(model, CORE_MODEL, "model") ||
        !core_objective_init(&r->objective, objective, false, false, model) ||
        !learn_read_options(options, &r->run))
        return false;
    r->model = ((core_model *)(void *)model)->model;
    r->run.pmin.is_model = true;
    r->run.pmin.exception = &r->exception;
    return true;
}

/* The members of each run, and the JSON of the summary. */
static PyObject *make_result(repeating *r, PyObject *model, bool wants_trace)
{
    PyObject *runs = make_runs(r, model, wants_trace);
    return runs == NULL ? NULL : Py_BuildValue("(NN)", runs, core_consume_result(&r->summary));
}

/* learn_runs(model, objective, options, runs, knows_graph, truth, trace, name of the model, params, call)
 * -> ([members of a Run], JSON of the summary) */
static PyObject *learn_runs(PyObject *module, PyObject *args)
{
    PyObject *model, *objective, *options, *found = NULL;
    int knows_graph, truth, trace;
    repeating r = {.repetition = NULL};
    opac_error error = {.code = OPAC_OK};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!O&pppzss", &model, &objective, &PyDict_Type, &options,
                          core_uint64, &r.options.runs, &knows_graph, &truth, &trace,
                          &r.source.model, &r.source.params, &r.source.call))
        return NULL;
    r.options.knows_graph = knows_graph != 0;
    r.options.no_truth = truth == 0;
    r.options.trace_truth = truth != 0 && trace != 0;
    if (prepare(&r, model, objective, options)) {
        opac_status status = core_run(work, &r, &error);
        if (PyErr_Occurred() == NULL && !exception_restore(&r.exception)) {
            if (status == OPAC_OK)
                found = make_result(&r, model, trace != 0);
            else
                core_raise(&error, NULL);
        }
    }
    exception_fini(&r.exception);
    opac_result_free(r.summary);
    opac_learn_runs_fini(&r.runs);
    opac_repetition_free(r.repetition);
    core_objective_fini(&r.objective);
    Py_XDECREF(r.run.checkpoint);
    return found;
}

static PyMethodDef functions[] = {
    {"learn_runs", learn_runs, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_runs_part = {NULL, 0, functions};
