/* SPDX-License-Identifier: MIT */
/*
 * The type Simulator: a program of its own or a plugin, by name. It is run by
 * hand, or by a learner; by one of them at a time.
 */
#include "learn.h"

#include <string.h>
#include <unistd.h>

#include "gil.h"

typedef struct simulator {
    PyObject_HEAD opac_environment *environment;
    opac_cancel *cancel; /* what it waits for may be given up */
    pid_t host;          /* the process that opened it: a fork has only a copy */
    bool is_program;     /* its answers may take long */
    bool is_busy;        /* a thread is in it */
    bool is_bound;       /* letters are over its own propositions */
} simulator;

static simulator *of(PyObject *object)
{
    return (simulator *)(void *)object;
}

static bool take(simulator *self)
{
    if (self->environment == NULL)
        PyErr_SetString(PyExc_ValueError, "the simulator is closed");
    else if (self->host != getpid())
        PyErr_SetString(PyExc_RuntimeError, "the simulator was opened by the process that this one "
                                            "is a fork of: open another one here");
    else if (self->is_busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "the simulator is in use: one at a time runs it, so open another one");
    else
        self->is_busy = true;
    return PyErr_Occurred() == NULL;
}

opac_environment *simulator_take(PyObject *object)
{
    simulator *self = of(object);
    if (!take(self))
        return NULL;
    self->is_bound = false;
    opac_cancel_reset(self->cancel);
    return self->environment;
}

void simulator_give_back(PyObject *object)
{
    of(object)->is_busy = false;
}

opac_cancel *simulator_cancel(PyObject *object)
{
    return of(object)->cancel;
}

/* ---- birth and death ---- */

typedef struct opening {
    const char *name;
    opac_environment_options options;
    opac_environment *environment;
} opening;

static opac_status open_it(void *context, const opac_cancel *cancel, opac_error *error)
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
    if (!PyArg_ParseTuple(args, "O&O&", core_text, &name, core_number, &o.options.timeout))
        return NULL;
    simulator *self = core_make(CORE_SIMULATOR);
    opac_status status = self == NULL ? OPAC_ERROR_MEMORY : opac_cancel_new(&self->cancel, &error);
    if (status == OPAC_OK) {
        o.name = core_chars(name);
        self->host = getpid();
        self->is_program = strncmp(o.name, "exec:", 5) == 0;
        o.options.cancel = self->cancel;
        status = core_run_with(open_it, &o, self->cancel, &error);
        self->environment = o.environment;
    }
    if (status != OPAC_OK && self != NULL)
        core_raise(&error, NULL);
    if (status != OPAC_OK)
        Py_CLEAR(self);
    Py_DECREF(name);
    return (PyObject *)self;
}

/* A program may take its time to say good-bye. */
static void shut(simulator *self)
{
    opac_environment *environment = self->environment;
    self->environment = NULL;
    if (environment == NULL)
        return;
    GIL_BREAK outside = {.cancel = NULL};
    gil_pause(&outside);
    opac_environment_free(environment);
    gil_resume(&outside);
}

static void dealloc(PyObject *object)
{
    shut(of(object));
    opac_cancel_free(of(object)->cancel);
    core_free(object);
}

/* Not while something was learned with it that is still there: that borrows it. */
static PyObject *close_simulator(PyObject *object, PyObject *unused)
{
    (void)unused;
    simulator *self = of(object);
    if (self->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "the simulator is in use");
        return NULL;
    }
    shut(self);
    Py_RETURN_NONE;
}

/* ---- running it by hand ---- */

enum {
    MOST_NAMES = 64
};

/* What a learner bound it to is undone. */
static opac_status bind_own(simulator *self, opac_error *error)
{
    if (self->is_bound)
        return OPAC_OK;
    self->is_bound = true;
    return opac_environment_bind_own(self->environment, error);
}

typedef struct order {
    simulator *self;
    bool is_reset;
    uint64_t number;
    opac_observation seen;
} order;

static opac_status obey(void *context, const opac_cancel *cancel, opac_error *error)
{
    order *o = context;
    (void)cancel;
    if (!o->is_reset)
        return opac_environment_step(o->self->environment, (uint32_t)o->number, &o->seen, error);
    opac_status status = bind_own(o->self, error);
    return status == OPAC_OK
               ? opac_environment_reset(o->self->environment, o->number, &o->seen, error)
               : status;
}

/* (key, letter, number of actions, names of them or None) */
static PyObject *observe(const simulator *self, const opac_observation *seen)
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
        if (!is_named && i > MOST_NAMES)
            break;
    }
    if (names == NULL)
        return NULL;
    PyObject *all = Py_BuildValue("(y#KkO)", (const char *)seen->key, (Py_ssize_t)seen->length,
                                  (unsigned long long)seen->letter, (unsigned long)seen->actions,
                                  is_named ? names : Py_None);
    Py_DECREF(names);
    return all;
}

/* A step of a plugin is short; a program may let one wait, so that Ctrl-C is looked for. The
 * simulator stays in use until what was seen is read: Python may run anything in between. */
static PyObject *run(PyObject *object, bool is_reset, uint64_t number)
{
    simulator *self = of(object);
    order o = {.self = self, .is_reset = is_reset, .number = number};
    opac_error error = {.code = OPAC_OK};
    if (!take(self))
        return NULL;
    opac_cancel_reset(self->cancel);
    opac_status status;
    if (self->is_program) {
        status = core_run_with(obey, &o, self->cancel, &error);
    } else {
        GIL_BREAK outside = {.cancel = self->cancel};
        gil_pause(&outside);
        status = obey(&o, self->cancel, &error);
        gil_resume(&outside);
    }
    PyObject *seen = status == OPAC_OK ? observe(self, &o.seen) : core_raise(&error, NULL);
    self->is_busy = false;
    return seen;
}

static PyObject *reset(PyObject *object, PyObject *args)
{
    uint64_t seed = 0;
    if (!PyArg_ParseTuple(args, "O&", core_whole, &seed))
        return NULL;
    return run(object, true, seed);
}

static PyObject *step(PyObject *object, PyObject *args)
{
    uint32_t action = 0;
    if (!PyArg_ParseTuple(args, "O&", core_small, &action))
        return NULL;
    return run(object, false, action);
}

/* ---- what it is ---- */

static PyObject *propositions(PyObject *object, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const char *name;
    (void)unused;
    if (of(object)->environment == NULL)
        return list;
    for (size_t i = 0;
         list != NULL && (name = opac_environment_proposition(of(object)->environment, i)) != NULL;
         i++) {
        PyObject *text = core_str(name);
        if (text == NULL || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* (random_start, can_draw, can_fork, knows_graph, lanes) */
static PyObject *traits(PyObject *object, PyObject *unused)
{
    opac_environment_traits t = {.lanes = 1};
    (void)unused;
    if (of(object)->environment != NULL)
        t = opac_environment_get_traits(of(object)->environment);
    return Py_BuildValue("(NNNNk)", PyBool_FromLong(t.random_start), PyBool_FromLong(t.can_draw),
                         PyBool_FromLong(t.can_fork), PyBool_FromLong(t.knows_graph),
                         (unsigned long)t.lanes);
}

static PyObject *episode_seed(PyObject *module, PyObject *args)
{
    uint64_t seed = 0, episode = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&", core_whole, &seed, core_whole, &episode))
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
