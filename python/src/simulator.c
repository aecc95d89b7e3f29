/* SPDX-License-Identifier: MIT */
/*
 * The type Simulator: a program or a plugin, opened by its name. The user steps it directly, or
 * passes it to a learner; it has one user at a time.
 */
#include "learn.h"

#include <string.h>
#include <unistd.h>

#include "gil.h"

typedef struct simulator {
    PyObject_HEAD opac_environment *environment;
    opac_cancel *cancel; /* cancels waiting for an answer */
    pid_t host;          /* the process that opened it; a forked process must not use it */
    bool is_program;     /* a program, whose answers may take long; otherwise a plugin */
    bool is_busy;        /* in use by a thread */
    bool is_bound;       /* letters use its own propositions, not those of a learner's objective */
} simulator;

static simulator *as_simulator(PyObject *object)
{
    return (simulator *)(void *)object;
}

static bool acquire(simulator *self)
{
    if (self->environment == NULL)
        PyErr_SetString(PyExc_ValueError, "the simulator is closed");
    else if (self->host != getpid())
        PyErr_SetString(PyExc_RuntimeError, "the simulator was opened before this process was "
                                            "forked: open another one in this process");
    else if (self->is_busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "the simulator is in use by another thread: open another one");
    else
        self->is_busy = true;
    return PyErr_Occurred() == NULL;
}

opac_environment *simulator_acquire(PyObject *object)
{
    simulator *self = as_simulator(object);
    if (!acquire(self))
        return NULL;
    self->is_bound = false;
    opac_cancel_reset(self->cancel);
    return self->environment;
}

void simulator_release(PyObject *object)
{
    as_simulator(object)->is_busy = false;
}

opac_cancel *simulator_cancel(PyObject *object)
{
    return as_simulator(object)->cancel;
}

/* ---- opening and closing ---- */

typedef struct opening {
    const char *name;
    opac_environment_options options;
    opac_environment *environment;
} opening;

static opac_status open_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    opening *o = context;
    (void)cancel;
    return opac_environment_open(o->name, &o->options, &o->environment, error);
}

/* open_simulator(name, timeout) */
static PyObject *open_simulator(PyObject *module, PyObject *args)
{
    PyObject *name = NULL;
    opening o = {.options = opac_environment_defaults()};
    opac_error error = {.code = OPAC_OK};
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&", core_text, &name, core_double, &o.options.timeout))
        return NULL;
    simulator *self = core_make(CORE_SIMULATOR);
    opac_status status = self == NULL ? OPAC_ERROR_MEMORY : opac_cancel_new(&self->cancel, &error);
    if (status == OPAC_OK) {
        o.name = core_chars(name);
        self->host = getpid();
        self->is_program = strncmp(o.name, "exec:", 5) == 0;
        o.options.cancel = self->cancel;
        status = core_run_with(open_work, &o, self->cancel, &error);
        self->environment = o.environment;
    }
    if (status != OPAC_OK && self != NULL)
        core_raise(&error, NULL);
    if (status != OPAC_OK)
        Py_CLEAR(self);
    Py_DECREF(name);
    return (PyObject *)self;
}

/* Closes the environment without the GIL, because a program may take long to end. */
static void close_environment(simulator *self)
{
    opac_environment *environment = self->environment;
    self->environment = NULL;
    if (environment == NULL)
        return;
    GIL_SUSPENSION outside = {.cancel = NULL};
    gil_suspend(&outside);
    opac_environment_free(environment);
    gil_resume(&outside);
}

static void dealloc(PyObject *object)
{
    close_environment(as_simulator(object));
    opac_cancel_free(as_simulator(object)->cancel);
    core_free(object);
}

/* Closes the simulator; RuntimeError while a run uses it. */
static PyObject *close_simulator(PyObject *object, PyObject *unused)
{
    (void)unused;
    simulator *self = as_simulator(object);
    if (self->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "the simulator is in use");
        return NULL;
    }
    close_environment(self);
    Py_RETURN_NONE;
}

/* ---- stepping ---- */

enum {
    MAX_NAMES = 64
};

/* Binds the simulator to its own propositions; a learner may have bound it to others. */
static opac_status bind_own(simulator *self, opac_error *error)
{
    if (self->is_bound)
        return OPAC_OK;
    self->is_bound = true;
    return opac_environment_bind_own(self->environment, error);
}

typedef struct request {
    simulator *self;
    bool is_reset;
    uint64_t number;
    opac_observation seen;
} request;

static opac_status execute(void *context, const opac_cancel *cancel, opac_error *error)
{
    request *o = context;
    (void)cancel;
    if (!o->is_reset)
        return opac_environment_step(o->self->environment, (uint32_t)o->number, &o->seen, error);
    opac_status status = bind_own(o->self, error);
    return status == OPAC_OK
               ? opac_environment_reset(o->self->environment, o->number, &o->seen, error)
               : status;
}

/* (class, outcome) of a step as bytes; None if the simulator does not tell outcomes, and after a reset. */
static PyObject *make_outcome(const opac_observation *seen)
{
    if (seen->outcome == NULL)
        Py_RETURN_NONE;
    return Py_BuildValue("(y#y#)", (const char *)seen->row_class,
                         (Py_ssize_t)seen->row_class_length, (const char *)seen->outcome,
                         (Py_ssize_t)seen->outcome_length);
}

/* (key, letter, number of actions, their names or None, make_outcome) */
static PyObject *make_observation(const simulator *self, const opac_observation *seen)
{
    PyObject *names = PyList_New(0);
    bool is_named = false;
    for (uint32_t i = 0; i < seen->actions && names != NULL; i++) {
        const char *name =
            opac_environment_action_name(self->environment, seen->key, seen->length, i);
        PyObject *text = core_str(name == NULL ? "" : name);
        is_named |= name != NULL && *name != '\0';
        if (text == NULL || PyList_Append(names, text) != 0)
            Py_CLEAR(names);
        Py_XDECREF(text);
        if (!is_named && i > MAX_NAMES)
            break;
    }
    if (names == NULL)
        return NULL;
    PyObject *all = Py_BuildValue("(y#KkON)", (const char *)seen->key, (Py_ssize_t)seen->length,
                                  (unsigned long long)seen->letter, (unsigned long)seen->actions,
                                  is_named ? names : Py_None, make_outcome(seen));
    Py_DECREF(names);
    return all;
}

/*
 * Resets or steps the simulator. A program may take long, so it runs in another thread, while
 * this one handles Ctrl-C; a plugin is called directly. The simulator stays in use until the
 * observation is converted, because Python may run other code meanwhile.
 */
static PyObject *run(PyObject *object, bool is_reset, uint64_t number)
{
    simulator *self = as_simulator(object);
    request o = {.self = self, .is_reset = is_reset, .number = number};
    opac_error error = {.code = OPAC_OK};
    if (!acquire(self))
        return NULL;
    opac_cancel_reset(self->cancel);
    opac_status status;
    if (self->is_program) {
        status = core_run_with(execute, &o, self->cancel, &error);
    } else {
        GIL_SUSPENSION outside = {.cancel = self->cancel};
        gil_suspend(&outside);
        status = execute(&o, self->cancel, &error);
        gil_resume(&outside);
    }
    PyObject *seen = status == OPAC_OK ? make_observation(self, &o.seen) : core_raise(&error, NULL);
    self->is_busy = false;
    return seen;
}

static PyObject *reset(PyObject *object, PyObject *args)
{
    uint64_t seed = 0;
    if (!PyArg_ParseTuple(args, "O&", core_uint64, &seed))
        return NULL;
    return run(object, true, seed);
}

static PyObject *step(PyObject *object, PyObject *args)
{
    uint32_t action = 0;
    if (!PyArg_ParseTuple(args, "O&", core_uint32, &action))
        return NULL;
    return run(object, false, action);
}

/* ---- properties ---- */

static PyObject *propositions(PyObject *object, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const char *name;
    (void)unused;
    if (as_simulator(object)->environment == NULL)
        return list;
    for (size_t i = 0;
         list != NULL &&
         (name = opac_environment_proposition(as_simulator(object)->environment, i)) != NULL;
         i++) {
        PyObject *text = core_str(name);
        if (text == NULL || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* (random_start, can_draw, can_fork, knows_graph, lanes, tells_outcomes) */
static PyObject *traits(PyObject *object, PyObject *unused)
{
    opac_environment_traits t = {.lanes = 1};
    (void)unused;
    if (as_simulator(object)->environment != NULL)
        t = opac_environment_get_traits(as_simulator(object)->environment);
    return Py_BuildValue("(NNNNkN)", PyBool_FromLong(t.random_start), PyBool_FromLong(t.can_draw),
                         PyBool_FromLong(t.can_fork), PyBool_FromLong(t.knows_graph),
                         (unsigned long)t.lanes, PyBool_FromLong(t.tells_outcomes));
}

static PyObject *episode_seed(PyObject *module, PyObject *args)
{
    uint64_t seed = 0, episode = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&", core_uint64, &seed, core_uint64, &episode))
        return NULL;
    return PyLong_FromUnsignedLongLong(opac_environment_episode_seed(seed, episode));
}

/* ---- the part ---- */

static PyMethodDef methods[] = {
    {"_close", close_simulator, METH_NOARGS, NULL},
    {"_propositions", propositions, METH_NOARGS, NULL},
    {"_reset", reset, METH_VARARGS, NULL},
    {"_step", step, METH_VARARGS, NULL},
    {"_traits", traits, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_new, (void *)core_refuse_new},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "omegapac._core.Simulator",
    .basicsize = sizeof(simulator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static const core_part_type types[] = {{CORE_SIMULATOR, &spec}};

static PyMethodDef functions[] = {
    {"episode_seed", episode_seed, METH_VARARGS, NULL},
    {"open_simulator", open_simulator, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_simulator_part = {types, 1, functions};
