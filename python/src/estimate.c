/* SPDX-License-Identifier: MIT */
/* Estimating: as learn.c, with a Markov chain; then what the model says, as the command line does it. */
#include "learn.h"

#include <math.h>

/* What a model says, which the estimator does not see, and the automaton of the objective. */
typedef struct estimate_truth {
    const opac_model *model; /* NULL: it is not asked */
    uint64_t max_states;     /* of the product */
    opac_solution *solution;
    opac_automaton *automaton; /* without a model */
    double value;              /* NAN: not known */
    opac_error note;           /* code OPAC_OK: none; else why not */
} estimate_truth;

typedef struct estimating {
    learn_run run; /* its options are read for both; self has environment, objective and watch */
    opac_estimate_options options;
    opac_estimation found;
    estimate_truth truth;
} estimating;

static void tell_progress(void *context, const opac_progress_report *report)
{
    learn_tell_progress(&((estimating *)context)->run, report);
}

static opac_status work(void *context, const opac_cancel *cancel, opac_error *error)
{
    estimating *e = context;
    learned *self = e->run.self;
    e->options.cancel = cancel;
    self->w.cancel = (opac_cancel *)cancel; /* ours to request */
    opac_cancel_set_deadline(self->w.cancel, e->options.max_seconds);
    e->run.status =
        opac_estimate(self->environment, &self->objective.objective, &e->options, &e->found, error);
    e->run.status = core_name_late(e->run.status, cancel, error);
    opac_cancel_set_deadline(self->w.cancel, 0);
    self->w.cancel = NULL;
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

static opac_status check_model(estimating *e, const opac_cancel *cancel, opac_error *error)
{
    estimate_truth *t = &e->truth;
    const opac_check_options options = {.kind = OPAC_KIND_DETERMINISTIC,
                                        .max_states = t->max_states,
                                        .threads = e->options.threads,
                                        .cancel = cancel};
    uint32_t count = opac_model_initial_count(t->model);
    double sum = 0;
    opac_status status =
        opac_check(t->model, &e->run.self->objective.objective, &options, &t->solution, error);
    for (uint32_t i = 0; status == OPAC_OK && i < count; i++)
        sum += opac_solution_interval(t->solution, i).value;
    if (status == OPAC_OK)
        t->value = sum / count;
    return status;
}

/* The automaton of the run: made from the same objective in the same way. */
static opac_status make_automaton(estimating *e, const opac_cancel *cancel, opac_error *error)
{
    const opac_objective *objective = &e->run.self->objective.objective;
    const opac_automaton_options options = {
        .kind = OPAC_KIND_DETERMINISTIC, .acceptance = OPAC_ACCEPTANCE_RABIN, .cancel = cancel};
    return objective->formula != NULL
               ? opac_automaton_translate(objective->formula, &options, &e->truth.automaton, error)
               : opac_automaton_convert(objective->automaton, &options, &e->truth.automaton, error);
}

static opac_status find_truth(void *context, const opac_cancel *cancel, opac_error *error)
{
    estimating *e = context;
    learned *self = e->run.self;
    double left = e->options.max_seconds - e->found.seconds;
    self->w.cancel = (opac_cancel *)cancel;
    if (e->options.max_seconds > 0)
        opac_cancel_set_deadline(self->w.cancel, fmax(left, 1e-9));
    e->run.status =
        e->truth.model != NULL ? check_model(e, cancel, error) : make_automaton(e, cancel, error);
    opac_cancel_set_deadline(self->w.cancel, 0);
    self->w.cancel = NULL;
    return e->run.status;
}

/* No reason to fail, unless memory is short: it is only beside what was asked for. */
static bool find_truth_now(estimating *e, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    watch *w = &e->run.self->w;
    if (*is_interrupted) {
        e->truth.note = (opac_error){.code = OPAC_ERROR_CANCELLED, .message = "stopped"};
        return true;
    }
    learn_work(e->run.self, find_truth, e, &error);
    if (e->run.status != OPAC_OK)
        e->truth.note = error;
    *is_interrupted = watch_is_interrupt(w);
    if (!*is_interrupted && watch_raise(w))
        return false;
    if (e->run.status == OPAC_ERROR_MEMORY)
        core_raise(&error, NULL);
    return e->run.status != OPAC_ERROR_MEMORY;
}

/* ---- the report ---- */

static PyObject *number(double value)
{
    if (isnan(value))
        Py_RETURN_NONE;
    return PyFloat_FromDouble(value);
}

static PyObject *whole(uint64_t value)
{
    return PyLong_FromUnsignedLongLong(value);
}

static PyObject *none(void)
{
    Py_RETURN_NONE;
}

static PyObject *automaton_of(const estimate_truth *truth)
{
    if (truth->solution != NULL)
        return core_automaton_copy(opac_solution_automaton(truth->solution));
    return truth->automaton != NULL ? core_automaton_copy(truth->automaton) : none();
}

static bool put_truth(PyObject *d, const estimate_truth *truth)
{
    const char *note = truth->note.code == OPAC_OK ? NULL : truth->note.message;
    return core_put(d, "automaton", automaton_of(truth)) &&
           core_put(d, "truth", number(truth->value)) &&
           core_put(d, "note", core_str_or_none(note));
}

static PyObject *report(const estimating *e)
{
    const opac_estimation *found = &e->found;
    PyObject *d = PyDict_New();
    if (d != NULL && core_put(d, "value", number(found->value)) &&
        core_put(d, "lower", number(found->lower)) && core_put(d, "upper", number(found->upper)) &&
        core_put(d, "confidence", number(found->confidence)) &&
        core_put(d, "holds", PyBool_FromLong(found->holds)) &&
        core_put(d, "trajectories", whole(found->trajectories)) &&
        core_put(d, "won", whole(found->won)) && core_put(d, "steps", whole(found->steps)) &&
        core_put(d, "wanted", core_count(&found->wanted)) &&
        core_put(d, "automaton_states", whole(found->automaton_states)) &&
        core_put(d, "states_seen", whole(found->states_seen)) &&
        core_put(d, "met_terminal", PyBool_FromLong(found->met_terminal)) &&
        core_put(d, "refutation", found->is_refuted ? core_str(found->refutation) : none()) &&
        core_put(d, "tested", found->tested != NULL ? core_str(found->tested) : none()) &&
        core_put(d, "seconds", number(found->seconds)) &&
        core_put(d, "is_full", PyBool_FromLong(found->is_full)) &&
        core_put(d, "is_cancelled", PyBool_FromLong(found->is_cancelled)) &&
        put_truth(d, &e->truth))
        return d;
    Py_XDECREF(d);
    return NULL;
}

static bool estimate_now(estimating *e, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    opac_progress *progress = NULL;
    e->run.status = opac_progress_new(tell_progress, e, &progress, &error);
    if (e->run.status != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    set_options(e, progress);
    learn_work(e->run.self, work, e, &error);
    opac_progress_free(progress);
    watch *w = &e->run.self->w;
    *is_interrupted = watch_is_interrupt(w) && e->run.status == OPAC_OK;
    if (*is_interrupted)
        return true;
    if (watch_raise(w))
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
    e->truth = (estimate_truth){.value = NAN};
    if (model != NULL && PyDict_GetItemString(options, "truth") == Py_True)
        e->truth.model = ((core_model *)model)->model;
    return core_objective_init(&e->run.self->objective, objective, false, false, model) &&
           learn_read_options(options, &e->run) &&
           (width == NULL || core_number(width, &e->options.width)) &&
           (states == NULL || core_above_zero(states, &e->truth.max_states)) &&
           learn_open(e->run.self, given, &e->run);
}

/* estimate(env, objective, options) -> (report, text of the objective, interrupt or None) */
static PyObject *estimate(PyObject *module, PyObject *args)
{
    PyObject *given, *objective, *options, *result = NULL;
    bool is_interrupted = false;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!", &given, &objective, &PyDict_Type, &options))
        return NULL;
    learned *self = core_make(CORE_LEARNING);
    if (self == NULL)
        return NULL;
    estimating e = {.run = {.self = self, .upper = 1}};
    if (prepare(&e, given, objective, options) && estimate_now(&e, &is_interrupted) &&
        find_truth_now(&e, &is_interrupted) && core_notes_warn(&e.run.notes)) {
        PyObject *cause = is_interrupted ? watch_exception(&self->w) : Py_None;
        result =
            Py_BuildValue("(NNO)", report(&e), core_str(core_chars(self->objective.text)), cause);
    }
    learn_close(self);
    opac_solution_free(e.truth.solution);
    opac_automaton_free(e.truth.automaton);
    core_notes_fini(&e.run.notes);
    Py_XDECREF(e.run.checkpoint);
    Py_DECREF((PyObject *)self);
    return result;
}

/* ---- numbers for words ---- */

static PyObject *read_number(PyObject *module, PyObject *args)
{
    double value = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&", core_number, &value))
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

static PyObject *format_number(PyObject *module, PyObject *args)
{
    double value;
    char buffer[OPAC_NUMBER_SIZE];
    (void)module;
    if (!PyArg_ParseTuple(args, "d", &value))
        return NULL;
    return core_str(opac_number_format(value, buffer));
}

static PyMethodDef functions[] = {
    {"estimate", estimate, METH_VARARGS, NULL},
    {"format_down", format_down, METH_VARARGS, NULL},
    {"format_number", format_number, METH_VARARGS, NULL},
    {"format_up", format_up, METH_VARARGS, NULL},
    {"number", read_number, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_estimate_part = {NULL, 0, functions};
