/* SPDX-License-Identifier: MIT */
/*
 * Learning. A run on a model or a simulator has its own thread, while the calling thread handles
 * signals. A run on a Python environment stays in the calling thread and holds the GIL in
 * callbacks only, where Python handles signals itself.
 *
 * A run interrupted by Ctrl-C has a result: its status is OPAC_OK, and both the result and the
 * exception are returned to Python.
 */
#include "learn.h"

#include <math.h>
#include <string.h>

#include "gil.h"

/* ---- listeners ---- */

/* Whether a callback exists and may be called: no exception is saved. */
static bool may_call(const learn_run *run, PyObject *callback)
{
    return callback != NULL && !exception_is_saved(&run->self->exception);
}

static void call_back(learn_run *run, PyObject *callback, PyObject *arguments)
{
    PyObject *done = arguments == NULL ? NULL : PyObject_CallObject(callback, arguments);
    Py_XDECREF(arguments);
    Py_XDECREF(done);
    if (done == NULL)
        exception_save(&run->self->exception, NULL);
}

void learn_report_progress(learn_run *run, const opac_progress_report *report)
{
    GIL_HOLD gate;
    gil_acquire(&gate);
    if (!exception_is_saved(&run->self->exception) && PyErr_CheckSignals() != 0)
        exception_save(&run->self->exception, NULL);
    if (may_call(run, run->progress))
        call_back(run, run->progress,
                  Py_BuildValue("(sKKddddOdd)", report->what, (unsigned long long)report->done,
                                (unsigned long long)report->total, report->seconds, report->rate,
                                report->share, report->seconds_left,
                                report->finished ? Py_True : Py_False, run->lower, run->upper));
    gil_release(&gate);
}

static void report_progress(void *context, const opac_progress_report *report)
{
    learn_report_progress(context, report);
}

static PyObject *make_entry(const opac_trace_entry *entry)
{
    return Py_BuildValue("(KKKKddddK)", (unsigned long long)entry->episode,
                         (unsigned long long)entry->step, (unsigned long long)entry->known,
                         (unsigned long long)entry->horizon, entry->value, entry->lower,
                         entry->upper, entry->truth, (unsigned long long)entry->candidates);
}

static void report_trace(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    learn_run *run = context;
    run->lower = isnan(entry->lower) ? run->lower : entry->lower;
    run->upper = isnan(entry->upper) ? run->upper : entry->upper;
    if (run->truth.model != NULL)
        (void)opac_learn_truth_trace(&run->truth, learning, 0, entry, NULL);
    if (run->trace == NULL)
        return;
    GIL_HOLD gate;
    gil_acquire(&gate);
    if (may_call(run, run->trace))
        call_back(run, run->trace, make_entry(entry));
    gil_release(&gate);
}

/* ---- a run ---- */

void learn_limit_time(learn_run *run)
{
    double now = opac_clock_seconds();
    if (run->began == 0)
        run->began = now;
    if (run->options.max_seconds > 0)
        opac_cancel_set_deadline(run->self->exception.cancel,
                                 fmax(run->began + run->options.max_seconds - now, 1e-9));
}

static opac_status work(void *context, const opac_cancel *cancel, opac_error *error)
{
    learn_run *run = context;
    run->options.cancel = cancel;
    run->self->exception.cancel = (opac_cancel *)cancel; /* not const: made in this module */
    learn_limit_time(run);
    run->status = opac_learn(run->self->environment, &run->self->objective.objective, &run->options,
                             &run->self->learning, error);
    run->status = core_report_deadline(run->status, cancel, error);
    opac_cancel_set_deadline(run->self->exception.cancel, 0);
    run->self->exception.cancel = NULL;
    return run->status;
}

static void run_in_this_thread(core_work run_work, void *context, opac_error *error)
{
    opac_cancel *cancel;
    if (opac_cancel_new(&cancel, error) != OPAC_OK) {
        core_raise(error, NULL);
        return;
    }
    GIL_SUSPENSION outside = {.cancel = cancel};
    gil_suspend(&outside);
    run_work(context, cancel, error);
    gil_resume(&outside);
    opac_cancel_free(cancel);
}

void learn_work(learning_object *self, core_work run_work, void *context, opac_error *error)
{
    if (self->python != NULL)
        run_in_this_thread(run_work, context, error);
    else if (self->is_borrowed)
        core_run_with(run_work, context, simulator_cancel(self->owner), error);
    else
        core_run(run_work, context, error);
    if (PyErr_Occurred() != NULL)
        exception_save(&self->exception, NULL);
}

/*
 * True if the run has a result; *is_interrupted then tells whether KeyboardInterrupt is saved. False
 * with an exception.
 */
static bool finish(learn_run *run, const opac_error *error, bool *is_interrupted)
{
    saved_exception *exception = &run->self->exception;
    *is_interrupted = exception_is_interrupt(exception) && run->self->learning != NULL;
    if (*is_interrupted)
        return true;
    if (exception_restore(exception))
        return false;
    if (run->status != OPAC_OK)
        core_notes_raise(&run->notes, error, NULL);
    return run->status == OPAC_OK;
}

static bool learn_now(learn_run *run, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    opac_progress *progress = NULL;
    run->pmin.python = run->self->python;
    run->pmin.is_model = core_is(run->self->owner, CORE_MODEL);
    run->pmin.exception = &run->self->exception;
    run->status = opac_progress_new(report_progress, run, &progress, &error);
    if (run->status != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    run->options.progress = progress;
    run->options.trace = report_trace;
    run->options.trace_context = run;
    run->options.notice = core_notes_notice;
    run->options.notice_context = &run->notes;
    learn_work(run->self, work, run, &error);
    opac_progress_free(progress);
    return finish(run, &error, is_interrupted);
}

/* ---- after a run ---- */

static const opac_model *model_of(const learning_object *self)
{
    bool is_model = self->owner != NULL && core_is(self->owner, CORE_MODEL);
    return is_model ? ((core_model *)(void *)self->owner)->model : NULL;
}

static const opac_policy *policy_of(const learn_run *run)
{
    return ((core_policy *)(void *)run->policy)->policy;
}

static bool make_policy(learn_run *run)
{
    const learning_object *self = run->self;
    const opac_model *model = model_of(self);
    opac_policy *policy = NULL;
    opac_error error;
    if (opac_learning_policy(self->learning, model, &policy, &error) != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    run->policy = core_policy_wrap(policy, model == NULL ? NULL : self->owner);
    return run->policy != NULL;
}

static opac_status sample_trajectory(learn_run *run, opac_error *error)
{
    const learning_object *self = run->self;
    return self->is_borrowed
               ? opac_learn_sample_new(self->environment, self->learning, policy_of(run),
                                       run->options.seed, &run->sample, error)
               : OPAC_OK;
}

/* Computes the truth for a model, or a trajectory in a simulator, in the remaining time. */
static opac_status finish_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    learn_run *run = context;
    learning_object *self = run->self;
    const opac_check_options options = {
        .kind = run->options.kind, .threads = run->options.threads, .cancel = cancel};
    self->exception.cancel = (opac_cancel *)cancel; /* not const: made in this module */
    learn_limit_time(run);
    run->status = opac_learn_truth_find(&run->truth, policy_of(run), &options, error);
    if (run->status == OPAC_OK)
        run->status = sample_trajectory(run, error);
    opac_cancel_set_deadline(self->exception.cancel, 0);
    self->exception.cancel = NULL;
    return run->status;
}

static bool finish_result(learn_run *run, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    saved_exception *exception = &run->self->exception;
    if (*is_interrupted) {
        opac_learn_truth_skip(&run->truth, false);
        run->status = sample_trajectory(run, &error);
    } else if (run->truth.model != NULL || run->self->is_borrowed) {
        learn_work(run->self, finish_work, run, &error);
        *is_interrupted = exception_is_interrupt(exception);
        if (!*is_interrupted && exception_restore(exception))
            return false;
    }
    if (run->status != OPAC_OK)
        core_raise(&error, NULL);
    return run->status == OPAC_OK;
}

/* Returns the JSON of the result as a str. */
static PyObject *result_json(const learn_run *run, const opac_result_source *source)
{
    const learning_object *self = run->self;
    const opac_learn_answer answer = {.learning = self->learning,
                                      .options = &run->options,
                                      .environment = self->environment,
                                      .model = model_of(self),
                                      .policy = policy_of(run),
                                      .objective = core_chars(self->objective.text),
                                      .truth = &run->truth,
                                      .sample = run->sample};
    opac_result *result;
    opac_error error;
    if (opac_result_of_learn(&answer, source, &result, &error) == OPAC_OK)
        return core_consume_result(&result);
    core_raise(&error, NULL);
    return NULL;
}

/* ---- opening ---- */

static bool open_model(learning_object *self, PyObject *given, learn_run *run)
{
    opac_error error;
    const opac_model *model = ((core_model *)given)->model;
    opac_status status = run->options.alike
                             ? opac_environment_of_commands(model, NULL, &self->environment, &error)
                             : opac_environment_of_model(model, NULL, &self->environment, &error);
    if (status == OPAC_ERROR_UNSUPPORTED) {
        PyErr_SetString(PyExc_ValueError,
                        "alike needs a model of a program in the PRISM language that was read with "
                        "commands=True");
        return false;
    }
    if (status != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    opac_learn_truth_init(&run->truth, run->wants_truth ? model : NULL, &self->objective.objective);
    return true;
}

bool learn_open(learning_object *self, PyObject *given, learn_run *run)
{
    Py_INCREF(given);
    self->owner = given;
    if (core_is(given, CORE_MODEL))
        return open_model(self, given, run);
    if (core_is(given, CORE_SIMULATOR)) {
        self->environment = simulator_acquire(given);
        self->is_borrowed = self->environment != NULL;
        return self->is_borrowed;
    }
    self->environment = environment_new(given, &self->exception, &self->python);
    return self->environment != NULL;
}

void learn_close(learning_object *self)
{
    if (self->is_borrowed)
        simulator_release(self->owner);
    if (self->python != NULL) {
        environment_release_object(self->python);
        Py_CLEAR(self->owner);
    }
}

static bool open_graph(learning_object *self, PyObject *graph, opac_learn_options *options)
{
    opac_error error;
    if (graph == Py_None)
        return true;
    if (graph == Py_True) {
        options->graph = self->environment;
        return true;
    }
    if (!core_expect(graph, CORE_MODEL, "graph"))
        return false;
    if (!core_is(self->owner, CORE_MODEL)) {
        PyErr_SetString(PyExc_TypeError,
                        "graph can be a Model only if the environment is a Model; for an "
                        "environment with the method successors, pass True");
        return false;
    }
    Py_INCREF(graph);
    self->graph_model = graph;
    if (opac_environment_of_graph(((core_model *)graph)->model, ((core_model *)self->owner)->model,
                                  NULL, &self->graph, &error) != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    options->graph = self->graph;
    return true;
}

/* ---- the function ---- */

static PyObject *get(PyObject *options, const char *name)
{
    PyObject *value = PyDict_GetItemString(options, name);
    return value == Py_None ? NULL : value;
}

static bool prepare(learning_object *self, learn_run *run, PyObject *given, PyObject *objective,
                    PyObject *options)
{
    PyObject *graph = PyDict_GetItemString(options, "graph");
    PyObject *model = core_is(given, CORE_MODEL) ? given : NULL;
    run->progress = get(options, "progress");
    run->trace = get(options, "trace");
    run->wants_truth = get(options, "truth") == Py_True;
    opac_learn_truth_init(&run->truth, NULL, NULL);
    return core_objective_init(&self->objective, objective, false, false, model) &&
           learn_read_options(options, run) && learn_open(self, given, run) &&
           open_graph(self, graph == NULL ? Py_None : graph, &run->options);
}

/* learn(env, objective, options, name of the environment, params, call)
 * -> (Learning, Policy, JSON, KeyboardInterrupt or None) */
static PyObject *learn(PyObject *module, PyObject *args)
{
    PyObject *given, *objective, *options, *result = NULL;
    opac_result_source source = {.model = NULL};
    bool is_interrupted = false;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!zss", &given, &objective, &PyDict_Type, &options,
                          &source.model, &source.params, &source.call))
        return NULL;
    learning_object *self = core_make(CORE_LEARNING);
    if (self == NULL)
        return NULL;
    learn_run run = {.self = self, .lower = 0, .upper = 1};
    if (prepare(self, &run, given, objective, options) && learn_now(&run, &is_interrupted) &&
        make_policy(&run) && finish_result(&run, &is_interrupted) && core_notes_warn(&run.notes)) {
        PyObject *cause = is_interrupted ? exception_get(&self->exception) : Py_None;
        result = Py_BuildValue("(OONO)", (PyObject *)self, run.policy, result_json(&run, &source),
                               cause);
        exception_fini(&self->exception);
    }
    learn_close(self);
    opac_learn_sample_free(run.sample);
    core_notes_fini(&run.notes);
    Py_XDECREF(run.policy);
    Py_XDECREF(run.checkpoint);
    Py_DECREF((PyObject *)self);
    return result;
}

static void dealloc(PyObject *object)
{
    learning_object *self = (learning_object *)(void *)object;
    opac_learning_free(self->learning);
    opac_environment_free(self->graph);
    if (!self->is_borrowed)
        opac_environment_free(self->environment);
    core_objective_fini(&self->objective);
    exception_fini(&self->exception);
    Py_XDECREF(self->owner);
    Py_XDECREF(self->graph_model);
    core_free(object);
}

/* ---- the part ---- */

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_new, (void *)core_refuse_new},
    {Py_tp_methods, learn_methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "omegapac._core.Learning",
    .basicsize = sizeof(learning_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static const core_part_type types[] = {{CORE_LEARNING, &spec}};

static PyMethodDef functions[] = {
    {"learn", learn, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_learn_part = {types, 1, functions};
