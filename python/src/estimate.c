/* SPDX-License-Identifier: MIT */
/* Estimation in a Markov chain, as in learn.c; for a model, the probability is then computed from it. */
#include "learn.h"

typedef struct estimating {
    learn_run
        run; /* options are read as for learn; self has environment, objective and exception */
    opac_estimate_options options;
    opac_estimation found;
    const opac_model *model;   /* NULL if the environment is not a model */
    bool wants_truth;          /* compute the probability from the model */
    uint64_t max_states;       /* limit on the product for the truth */
    opac_estimate_truth truth; /* the probability and the automaton */
} estimating;

static void report_progress(void *context, const opac_progress_report *report)
{
    learn_report_progress(&((estimating *)context)->run, report);
}

static opac_status work(void *context, const opac_cancel *cancel, opac_error *error)
{
    estimating *e = context;
    learning_object *self = e->run.self;
    e->options.cancel = cancel;
    self->exception.cancel = (opac_cancel *)cancel; /* not const: made in this module */
    learn_limit_time(&e->run);
    e->run.status =
        opac_estimate(self->environment, &self->objective.objective, &e->options, &e->found, error);
    e->run.status = core_report_deadline(e->run.status, cancel, error);
    opac_cancel_set_deadline(self->exception.cancel, 0);
    self->exception.cancel = NULL;
    return e->run.status;
}

static void set_options(estimating *e, opac_progress *progress)
{
    const opac_learn_options *o = &e->run.options;
    e->options.horizon = o->horizon;
    e->options.epsilon = o->epsilon;
    e->options.delta = o->delta;
    e->options.seed = o->seed;
    e->options.deterministic = o->deterministic;
    e->options.untested = o->untested;
    e->options.trial_steps = o->trial_steps;
    e->options.threads = o->threads;
    e->options.max_steps = o->max_steps;
    e->options.max_memory = o->max_memory;
    e->options.max_seconds = o->max_seconds;
    e->options.notice = core_notes_notice;
    e->options.notice_context = &e->run.notes;
    e->options.progress = progress;
}

/* ---- the truth ---- */

static opac_status find_truth(void *context, const opac_cancel *cancel, opac_error *error)
{
    estimating *e = context;
    learning_object *self = e->run.self;
    self->exception.cancel = (opac_cancel *)cancel;
    learn_limit_time(&e->run);
    e->run.status = opac_estimate_truth_find(
        e->wants_truth ? e->model : NULL, &self->objective.objective,
        &(opac_check_options){
            .max_states = e->max_states, .threads = e->options.threads, .cancel = cancel},
        &e->truth, error);
    opac_cancel_set_deadline(self->exception.cancel, 0);
    self->exception.cancel = NULL;
    return e->run.status;
}

static bool find_truth_now(estimating *e, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    saved_exception *exception = &e->run.self->exception;
    if (*is_interrupted) {
        e->truth =
            (opac_estimate_truth){.has_model = e->wants_truth,
                                  .probability = NAN,
                                  .note = {.code = OPAC_ERROR_CANCELLED, .message = "stopped"}};
        return true;
    }
    learn_work(e->run.self, find_truth, e, &error);
    *is_interrupted = exception_is_interrupt(exception);
    if (!*is_interrupted && exception_restore(exception))
        return false;
    if (e->run.status != OPAC_OK)
        core_raise(&error, NULL);
    return e->run.status == OPAC_OK;
}

/* Returns the JSON of the result as a str. */
static PyObject *result_json(const estimating *e, const char *name, const char *params,
                             const char *call)
{
    const opac_result_source source = {.model = name, .params = params, .call = call};
    const opac_estimate_answer answer = {.found = &e->found,
                                         .options = &e->options,
                                         .model = e->model,
                                         .objective = core_chars(e->run.self->objective.text),
                                         .truth = &e->truth};
    opac_result *result;
    opac_error error;
    if (opac_result_of_estimate(&answer, &source, &result, &error) == OPAC_OK)
        return core_consume_result(&result);
    core_raise(&error, NULL);
    return NULL;
}

static bool estimate_now(estimating *e, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    opac_progress *progress = NULL;
    e->run.status = opac_progress_new(report_progress, e, &progress, &error);
    if (e->run.status != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    set_options(e, progress);
    learn_work(e->run.self, work, e, &error);
    opac_progress_free(progress);
    saved_exception *exception = &e->run.self->exception;
    *is_interrupted = exception_is_interrupt(exception) && e->run.status == OPAC_OK;
    if (*is_interrupted)
        return true;
    if (exception_restore(exception))
        return false;
    if (e->run.status != OPAC_OK)
        core_notes_raise(&e->run.notes, &error, NULL);
    return e->run.status == OPAC_OK;
}

static bool prepare(estimating *e, PyObject *given, PyObject *objective, PyObject *options)
{
    PyObject *model = core_is(given, CORE_MODEL) ? given : NULL;
    PyObject *progress = PyDict_GetItemString(options, "progress");
    PyObject *width = PyDict_GetItemString(options, "width");
    PyObject *states = PyDict_GetItemString(options, "max_states");
    e->run.progress = progress == Py_None ? NULL : progress;
    e->model = model != NULL ? ((core_model *)model)->model : NULL;
    e->wants_truth = model != NULL && PyDict_GetItemString(options, "truth") == Py_True;
    return core_objective_init(&e->run.self->objective, objective, false, false, model) &&
           learn_read_options(options, &e->run) &&
           (width == NULL || core_double(width, &e->options.width)) &&
           (states == NULL || core_positive_uint64(states, &e->max_states)) &&
           learn_open(e->run.self, given, &e->run);
}

/* estimate(env, objective, options, name of the environment, params, call)
 * -> (JSON, seconds, KeyboardInterrupt or None) */
static PyObject *estimate(PyObject *module, PyObject *args)
{
    PyObject *given, *objective, *options, *result = NULL;
    const char *name, *params, *call;
    bool is_interrupted = false;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!zss", &given, &objective, &PyDict_Type, &options, &name,
                          &params, &call))
        return NULL;
    learning_object *self = core_make(CORE_LEARNING);
    if (self == NULL)
        return NULL;
    estimating e = {.run = {.self = self, .upper = 1}};
    if (prepare(&e, given, objective, options) && estimate_now(&e, &is_interrupted) &&
        find_truth_now(&e, &is_interrupted) && core_notes_warn(&e.run.notes)) {
        PyObject *cause = is_interrupted ? exception_get(&self->exception) : Py_None;
        result =
            Py_BuildValue("(NdO)", result_json(&e, name, params, call), e.found.seconds, cause);
    }
    learn_close(self);
    opac_estimate_truth_fini(&e.truth);
    core_notes_fini(&e.run.notes);
    Py_XDECREF(e.run.checkpoint);
    Py_DECREF((PyObject *)self);
    return result;
}

/* ---- reading and formatting of numbers ---- */

static PyObject *read_number(PyObject *module, PyObject *args)
{
    double value = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&", core_double, &value))
        return NULL;
    return PyFloat_FromDouble(value);
}

static PyObject *format_with(char *(*format)(double, int, char *), PyObject *args)
{
    double value;
    int digits;
    char buffer[OPAC_NUMBER_SIZE];
    if (!PyArg_ParseTuple(args, "di", &value, &digits))
        return NULL;
    return core_str(format(value, digits, buffer));
}

static PyObject *format_up(PyObject *module, PyObject *args)
{
    (void)module;
    return format_with(opac_number_format_up, args);
}

static PyObject *format_down(PyObject *module, PyObject *args)
{
    (void)module;
    return format_with(opac_number_format_down, args);
}

static PyMethodDef functions[] = {
    {"estimate", estimate, METH_VARARGS, NULL},
    {"format_down", format_down, METH_VARARGS, NULL},
    {"format_up", format_up, METH_VARARGS, NULL},
    {"number", read_number, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_estimate_part = {NULL, 0, functions};
