/* SPDX-License-Identifier: MIT */
/*
 * Learning. A run on a model or a simulator goes to a thread of its own, and
 * the calling one waits for signals; a run on a Python object stays in the
 * calling thread, without the GIL but for the callbacks, where Python itself sees to signals.
 *
 * A run that Ctrl-C ends has a result: the status is then OPAC_OK, and both go back.
 */
#include "learn.h"

#include <math.h>
#include <string.h>

#include "gil.h"

/* ---- listeners ---- */

/* Whether a callback may be called: none has raised so far. */
static bool may_tell(const learn_run *run, PyObject *callback)
{
    return callback != NULL && !watch_has_caught(&run->self->w);
}

static void call(learn_run *run, PyObject *callback, PyObject *arguments)
{
    PyObject *done = arguments == NULL ? NULL : PyObject_CallObject(callback, arguments);
    Py_XDECREF(arguments);
    Py_XDECREF(done);
    if (done == NULL)
        watch_catch(&run->self->w, NULL);
}

void learn_tell_progress(learn_run *run, const opac_progress_report *report)
{
    GIL_GATE gate;
    gil_enter(&gate);
    if (!watch_has_caught(&run->self->w) && PyErr_CheckSignals() != 0)
        watch_catch(&run->self->w, NULL);
    if (may_tell(run, run->progress))
        call(run, run->progress,
             Py_BuildValue("(sKKddddOdd)", report->what, (unsigned long long)report->done,
                           (unsigned long long)report->total, report->seconds, report->rate,
                           report->share, report->seconds_left,
                           report->finished ? Py_True : Py_False, run->lower, run->upper));
    gil_leave(&gate);
}

static void tell_progress(void *context, const opac_progress_report *report)
{
    learn_tell_progress(context, report);
}

static PyObject *make_entry(const opac_trace_entry *entry)
{
    return Py_BuildValue("(KKKKdddd)", (unsigned long long)entry->episode,
                         (unsigned long long)entry->step, (unsigned long long)entry->known,
                         (unsigned long long)entry->horizon, entry->value, entry->lower,
                         entry->upper, entry->truth);
}

static void tell_trace(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    learn_run *run = context;
    run->lower = isnan(entry->lower) ? run->lower : entry->lower;
    run->upper = isnan(entry->upper) ? run->upper : entry->upper;
    if (run->truth.model != NULL)
        (void)opac_learn_truth_trace(&run->truth, learning, 0, entry, NULL);
    if (run->trace == NULL)
        return;
    GIL_GATE gate;
    gil_enter(&gate);
    if (may_tell(run, run->trace))
        call(run, run->trace, make_entry(entry));
    gil_leave(&gate);
}

/* ---- a run ---- */

void learn_limit_time(learn_run *run)
{
    double now = opac_clock_seconds();
    if (run->began == 0)
        run->began = now;
    if (run->options.max_seconds > 0)
        opac_cancel_set_deadline(run->self->w.cancel,
                                 fmax(run->began + run->options.max_seconds - now, 1e-9));
}

static opac_status work(void *context, const opac_cancel *cancel, opac_error *error)
{
    learn_run *run = context;
    run->options.cancel = cancel;
    run->self->w.cancel = (opac_cancel *)cancel; /* ours to request */
    learn_limit_time(run);
    run->status = opac_learn(run->self->environment, &run->self->objective.objective, &run->options,
                             &run->self->learning, error);
    run->status = core_name_late(run->status, cancel, error);
    opac_cancel_set_deadline(run->self->w.cancel, 0);
    run->self->w.cancel = NULL;
    return run->status;
}

static void run_here(core_work work_of_run, void *context, opac_error *error)
{
    opac_cancel *cancel;
    if (opac_cancel_new(&cancel, error) != OPAC_OK) {
        core_raise(error, NULL);
        return;
    }
    GIL_BREAK outside = {.cancel = cancel};
    gil_pause(&outside);
    work_of_run(context, cancel, error);
    gil_resume(&outside);
    opac_cancel_free(cancel);
}

void learn_work(learned *self, core_work work_of_run, void *context, opac_error *error)
{
    if (self->python != NULL)
        run_here(work_of_run, context, error);
    else if (self->is_borrowed)
        core_run_with(work_of_run, context, simulator_cancel(self->owner), error);
    else
        core_run(work_of_run, context, error);
    if (PyErr_Occurred() != NULL)
        watch_catch(&self->w, NULL);
}

/*
 * True: there is a learning. is_interrupted: and KeyboardInterrupt is with the watch. False with an
 * exception.
 */
static bool finish(learn_run *run, const opac_error *error, bool *is_interrupted)
{
    watch *w = &run->self->w;
    *is_interrupted = watch_is_interrupt(w) && run->self->learning != NULL;
    if (*is_interrupted)
        return true;
    if (watch_raise(w))
        return false;
    if (run->status != OPAC_OK)
        core_notes_raise(&run->notes, error, NULL);
    return run->status == OPAC_OK;
}

static bool learn_now(learn_run *run, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    opac_progress *progress = NULL;
    run->status = opac_progress_new(tell_progress, run, &progress, &error);
    if (run->status != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    run->options.progress = progress;
    run->options.trace = tell_trace;
    run->options.trace_context = run;
    run->options.notice = core_notes_notice;
    run->options.notice_context = &run->notes;
    learn_work(run->self, work, run, &error);
    opac_progress_free(progress);
    return finish(run, &error, is_interrupted);
}

/* ---- behind a run ---- */

static const opac_model *model_of(const learned *self)
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
    const learned *self = run->self;
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

static opac_status take_sample(learn_run *run, opac_error *error)
{
    const learned *self = run->self;
    return self->is_borrowed
               ? opac_learn_sample_new(self->environment, self->learning, policy_of(run),
                                       run->options.seed, &run->sample, error)
               : OPAC_OK;
}

/* The truth of a model, a trajectory in a simulator, in the time that is left. */
static opac_status look(void *context, const opac_cancel *cancel, opac_error *error)
{
    learn_run *run = context;
    learned *self = run->self;
    const opac_check_options options = {
        .kind = run->options.kind, .threads = run->options.threads, .cancel = cancel};
    self->w.cancel = (opac_cancel *)cancel; /* ours to request */
    learn_limit_time(run);
    run->status = opac_learn_truth_find(&run->truth, policy_of(run), &options, error);
    if (run->status == OPAC_OK)
        run->status = take_sample(run, error);
    opac_cancel_set_deadline(self->w.cancel, 0);
    self->w.cancel = NULL;
    return run->status;
}

static bool look_behind(learn_run *run, bool *is_interrupted)
{
    opac_error error = {.code = OPAC_OK};
    watch *w = &run->self->w;
    if (*is_interrupted) {
        opac_learn_truth_skip(&run->truth, false);
        run->status = take_sample(run, &error);
    } else if (run->truth.model != NULL || run->self->is_borrowed) {
        learn_work(run->self, look, run, &error);
        *is_interrupted = watch_is_interrupt(w);
        if (!*is_interrupted && watch_raise(w))
            return false;
    }
    if (run->status != OPAC_OK)
        core_raise(&error, NULL);
    return run->status == OPAC_OK;
}

/* The JSON of the result. */
static PyObject *tell(const learn_run *run, const opac_result_source *source)
{
    const learned *self = run->self;
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
        return core_take_result(&result);
    core_raise(&error, NULL);
    return NULL;
}

/* ---- opening ---- */

static bool open_model(learned *self, PyObject *given, learn_run *run)
{
    opac_error error;
    const opac_model *model = ((core_model *)given)->model;
    if (opac_environment_of_model(model, NULL, &self->environment, &error) != OPAC_OK) {
        core_raise(&error, NULL);
        return false;
    }
    opac_learn_truth_init(&run->truth, run->wants_truth ? model : NULL, &self->objective.objective);
    return true;
}

bool learn_open(learned *self, PyObject *given, learn_run *run)
{
    Py_INCREF(given);
    self->owner = given;
    if (core_is(given, CORE_MODEL))
        return open_model(self, given, run);
    if (core_is(given, CORE_SIMULATOR)) {
        self->environment = simulator_take(given);
        self->is_borrowed = self->environment != NULL;
        return self->is_borrowed;
    }
    self->environment = environment_new(given, &self->w, &self->python);
    return self->environment != NULL;
}

/* Python's objects are not held by what was learned from them. */
void learn_close(learned *self)
{
    if (self->is_borrowed)
        simulator_give_back(self->owner);
    if (self->python != NULL) {
        environment_retire(self->python);
        Py_CLEAR(self->owner);
    }
}

static bool open_graph(learned *self, PyObject *graph, opac_learn_options *options)
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
                        "graph: a Model is the graph of a Model; of an environment with "
                        "successors, give True");
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

static bool prepare(learned *self, learn_run *run, PyObject *given, PyObject *objective,
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
 * -> (Learning, Policy, JSON, exception of an interrupt or None) */
static PyObject *learn(PyObject *module, PyObject *args)
{
    PyObject *given, *objective, *options, *result = NULL;
    opac_result_source source = {.model = NULL};
    bool is_interrupted = false;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!zss", &given, &objective, &PyDict_Type, &options,
                          &source.model, &source.params, &source.call))
        return NULL;
    learned *self = core_make(CORE_LEARNING);
    if (self == NULL)
        return NULL;
    learn_run run = {.self = self, .lower = 0, .upper = 1};
    if (prepare(self, &run, given, objective, options) && learn_now(&run, &is_interrupted) &&
        make_policy(&run) && look_behind(&run, &is_interrupted) && core_notes_warn(&run.notes)) {
        PyObject *cause = is_interrupted ? watch_exception(&self->w) : Py_None;
        result = Py_BuildValue("(OONO)", (PyObject *)self, run.policy, tell(&run, &source), cause);
        watch_fini(&self->w);
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
    learned *self = (learned *)(void *)object;
    opac_learning_free(self->learning);
    opac_environment_free(self->graph);
    if (!self->is_borrowed)
        opac_environment_free(self->environment);
    core_objective_fini(&self->objective);
    watch_fini(&self->w);
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
    .basicsize = sizeof(learned),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static const core_part_type types[] = {{CORE_LEARNING, &spec}};

static PyMethodDef functions[] = {
    {"learn", learn, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_learn_part = {types, 1, functions};
