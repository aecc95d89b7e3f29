/* SPDX-License-Identifier: MIT */
/*
 * Python objects as environments. Each callback takes the GIL, calls a bound
 * method that was looked up before, and finds the state's record in a dict.
 *
 * A callback that raises leaves its exception with the watch, and fails; so does each one behind it.
 */
#include "environment.h"

#include <stdio.h>
#include <string.h>

#include "gil.h"
#include "keys.h"
#include "states.h"

enum {
    NUMBERS = 64 /* actions whose int objects are kept */
};

/* A Python object, or one that its fork made. Optional members are NULL. */
struct instance {
    states *known;
    watch *w;
    PyObject *env, *reset, *step, *draw, *successors, *fork, *step_many;
    asking whom;
    PyObject *numbers[NUMBERS];
    PyObject *words[2]; /* "step", "reset" */
    opac_environment_callbacks calls;
};

/* ---- in and out ---- */

/* False: an exception is on its way already, or the object is gone; do nothing but leave. */
static bool enter(instance *i, gil_gate *g, opac_status *status, opac_error *error)
{
    gil_enter(g);
    *status = OPAC_OK;
    if (i->w->type == NULL && i->env != NULL)
        return true;
    snprintf(error->message, sizeof error->message, "the environment cannot be run any more");
    *status = watch_is_interrupt(i->w) ? OPAC_ERROR_CANCELLED : OPAC_ERROR_SIMULATOR;
    return false;
}

static opac_status leave(instance *i, gil_gate *g, opac_status status, opac_error *error)
{
    if (PyErr_Occurred() != NULL)
        status = watch_catch(i->w, error);
    gil_leave(g);
    return status;
}

static void observe(const record *r, opac_observation *seen)
{
    *seen = (opac_observation){
        .key = r->key, .length = r->length, .letter = r->letter, .actions = r->actions};
}

/* Takes the state, which may be NULL with an exception. */
static void arrive(instance *i, PyObject *state, const char *member, opac_observation *seen)
{
    if (state == NULL)
        return;
    const record *r = states_meet(i->known, &i->whom, state, member);
    if (r != NULL)
        observe(r, seen);
    Py_DECREF(state);
}

static PyObject *number_of(const instance *i, uint32_t action)
{
    PyObject *number = action < NUMBERS ? i->numbers[action] : PyLong_FromUnsignedLong(action);
    if (action < NUMBERS)
        Py_INCREF(number);
    return number;
}

/* ---- the two that must be ---- */

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    instance *i = context;
    GIL_GATE g;
    opac_status status;
    if (enter(i, &g, &status, error)) {
        PyObject *number = PyLong_FromUnsignedLongLong(seed);
        if (number != NULL)
            arrive(i, PyObject_CallFunctionObjArgs(i->reset, number, NULL), "reset", seen);
        Py_XDECREF(number);
    }
    return leave(i, &g, status, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    instance *i = context;
    GIL_GATE g;
    opac_status status;
    if (enter(i, &g, &status, error)) {
        PyObject *number = number_of(i, action);
        if (number != NULL)
            arrive(i, PyObject_CallFunctionObjArgs(i->step, number, NULL), "step", seen);
        Py_XDECREF(number);
    }
    return leave(i, &g, status, error);
}

/* ---- lanes ---- */

static PyObject *make_orders(const instance *i, const opac_lane_request *orders)
{
    PyObject *list = PyList_New(i->calls.lanes);
    for (uint32_t k = 0; k < i->calls.lanes && list != NULL; k++) {
        bool is_reset = orders[k].is_reset;
        PyObject *number =
            is_reset ? PyLong_FromUnsignedLongLong(orders[k].seed) : number_of(i, orders[k].action);
        PyObject *pair = number == NULL ? NULL : PyTuple_Pack(2, i->words[is_reset], number);
        Py_XDECREF(number);
        if (pair == NULL || PyList_SetItem(list, k, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Whether the exception, if there is one, only says that a value has not the form that it should
 * have. Others, such as KeyboardInterrupt, are not ours to replace. */
static bool is_about_form(void)
{
    return PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError) != 0 ||
           PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
}

static void arrive_all(instance *i, PyObject *given, opac_observation *seen)
{
    PyObject *list = PyUnicode_Check(given) ? NULL : PySequence_List(given);
    if (list == NULL && !is_about_form())
        return;
    if (list == NULL || PyList_Size(list) != (Py_ssize_t)i->calls.lanes) {
        PyErr_Format(PyExc_TypeError,
                     "step_many gave %s, not a list of one state for each of %u "
                     "lanes",
                     list == NULL ? "no list" : "a list of another length",
                     (unsigned)i->calls.lanes);
        Py_XDECREF(list);
        return;
    }
    for (uint32_t k = 0; k < i->calls.lanes && PyErr_Occurred() == NULL; k++) {
        PyObject *state = PyList_GetItem(list, k);
        Py_INCREF(state);
        arrive(i, state, "step_many", &seen[k]);
    }
    Py_DECREF(list);
}

static opac_status step_many(void *context, const opac_lane_request *orders, opac_observation *seen,
                             opac_error *error)
{
    instance *i = context;
    GIL_GATE g;
    opac_status status;
    if (enter(i, &g, &status, error)) {
        PyObject *list = make_orders(i, orders);
        PyObject *given =
            list == NULL ? NULL : PyObject_CallFunctionObjArgs(i->step_many, list, NULL);
        if (given != NULL)
            arrive_all(i, given, seen);
        Py_XDECREF(list);
        Py_XDECREF(given);
    }
    return leave(i, &g, status, error);
}

/* ---- draws and successors ---- */

/* A state that only a process before this one met, from its key: Python reads it back if it is made
 * of numbers, strings and tuples. NULL with an exception. */
static const record *recall(instance *i, const void *key, size_t length)
{
    PyObject *ast = PyImport_ImportModule("ast");
    PyObject *state = ast == NULL ? NULL
                                  : PyObject_CallMethod(ast, "literal_eval", "s#",
                                                        (const char *)key, (Py_ssize_t)length);
    const record *r = NULL;
    bool is_read = state != NULL && i->whom.key == NULL;
    if (is_read)
        r = states_meet(i->known, &i->whom, state, "a checkpoint");
    Py_XDECREF(ast);
    Py_XDECREF(state);
    if (r != NULL && r->length == length && memcmp(r->key, key, length) == 0)
        return r;
    if (r == NULL && (is_read || PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)))
        return NULL;
    PyObject *shown = PyUnicode_DecodeUTF8(key, (Py_ssize_t)length, "replace");
    PyErr_Clear();
    if (shown != NULL)
        PyErr_Format(PyExc_ValueError,
                     "the state %U was met in another process only, and cannot be made of its "
                     "repr: draw and successors cannot be asked about it",
                     shown);
    Py_XDECREF(shown);
    return NULL;
}

/* A state of one's choice and its action; both None for the reset. False with an exception. */
static bool find_pair(instance *i, const void *key, size_t length, uint32_t action,
                      PyObject **state, PyObject **number)
{
    const record *r = key == NULL ? NULL : states_find(i->known, key, length);
    if (key != NULL && r == NULL && (r = recall(i, key, length)) == NULL)
        return false;
    *state = r == NULL ? Py_None : r->state;
    Py_INCREF(*state);
    *number = r == NULL ? Py_None : number_of(i, action);
    if (r == NULL)
        Py_INCREF(Py_None);
    return *number != NULL;
}

static opac_status tell_one(instance *i, PyObject *state, uint64_t count, const char *member,
                            opac_draws *draws, opac_error *error)
{
    const record *r = states_meet(i->known, &i->whom, state, member);
    opac_observation seen;
    if (r == NULL)
        return OPAC_ERROR_SIMULATOR;
    observe(r, &seen);
    return opac_draws_add(draws, &seen, count, error);
}

static opac_status tell_counts(instance *i, PyObject *counts, opac_draws *draws, opac_error *error)
{
    opac_status status = OPAC_OK;
    PyObject *state, *count;
    Py_ssize_t at = 0;
    if (!PyDict_Check(counts)) {
        PyErr_SetString(PyExc_TypeError,
                        "draw gave no dict of states and how often each was drawn");
        return OPAC_ERROR_SIMULATOR;
    }
    PyObject *copy = PyDict_Copy(counts); /* what labels does may change it */
    while (copy != NULL && status == OPAC_OK && PyDict_Next(copy, &at, &state, &count)) {
        PyObject *number = PyNumber_Index(count);
        unsigned long long n = number == NULL ? 0 : PyLong_AsUnsignedLongLong(number);
        Py_XDECREF(number);
        if (PyErr_Occurred() != NULL) {
            if (is_about_form())
                PyErr_SetString(PyExc_TypeError,
                                "draw gave a count that is no whole number from 0 on");
            status = OPAC_ERROR_SIMULATOR;
        } else if (n > 0)
            status = tell_one(i, state, n, "draw", draws, error);
    }
    Py_XDECREF(copy);
    return status;
}

/* Whoever lists one twice means it once. */
static opac_status tell_all(instance *i, PyObject *given, opac_draws *draws, opac_error *error)
{
    PyObject *told = PySet_New(NULL), *iterator = told == NULL ? NULL : PyObject_GetIter(given);
    PyObject *state;
    opac_status status = OPAC_OK;
    while (status == OPAC_OK && iterator != NULL && (state = PyIter_Next(iterator)) != NULL) {
        const record *r = states_meet(i->known, &i->whom, state, "successors");
        PyObject *mark = r == NULL ? NULL : PyLong_FromVoidPtr((void *)r);
        int is_told = mark == NULL ? -1 : PySet_Contains(told, mark);
        if (is_told < 0 || PySet_Add(told, mark) != 0)
            status = OPAC_ERROR_SIMULATOR;
        else if (is_told == 0)
            status = tell_one(i, state, 1, "successors", draws, error);
        Py_XDECREF(mark);
        Py_DECREF(state);
    }
    Py_XDECREF(told);
    Py_XDECREF(iterator);
    return status;
}

static opac_status draw(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    instance *i = context;
    PyObject *state = NULL, *number = NULL;
    GIL_GATE g;
    opac_status status;
    if (enter(i, &g, &status, error) && find_pair(i, key, length, action, &state, &number)) {
        PyObject *many = PyLong_FromUnsignedLongLong(n),
                 *random = PyLong_FromUnsignedLongLong(seed);
        PyObject *counts =
            many == NULL || random == NULL
                ? NULL
                : PyObject_CallFunctionObjArgs(i->draw, state, number, many, random, NULL);
        if (counts != NULL)
            status = tell_counts(i, counts, draws, error);
        Py_XDECREF(counts);
        Py_XDECREF(many);
        Py_XDECREF(random);
    }
    Py_XDECREF(state);
    Py_XDECREF(number);
    return leave(i, &g, status, error);
}

static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    instance *i = context;
    PyObject *state = NULL, *number = NULL;
    GIL_GATE g;
    opac_status status;
    if (enter(i, &g, &status, error) && find_pair(i, key, length, action, &state, &number)) {
        PyObject *given = PyObject_CallFunctionObjArgs(i->successors, state, number, NULL);
        if (given != NULL)
            status = tell_all(i, given, draws, error);
        Py_XDECREF(given);
    }
    Py_XDECREF(state);
    Py_XDECREF(number);
    return leave(i, &g, status, error);
}

/* ---- for people ---- */

static const char *action_name(void *context, const void *key, size_t length, uint32_t action)
{
    const instance *i = context;
    GIL_GATE g;
    gil_enter(&g);
    const record *r = states_find(i->known, key, length);
    const char *name = NULL;
    if (r != NULL && r->names != NULL && action < r->actions)
        name = PyBytes_AsString(PyTuple_GetItem(r->names, (Py_ssize_t)action));
    gil_leave(&g);
    return name;
}

/* ---- birth and death ---- */

void environment_retire(instance *i)
{
    PyObject **members[] = {&i->env,          &i->reset,   &i->step,      &i->draw,
                            &i->successors,   &i->fork,    &i->step_many, &i->whom.labels,
                            &i->whom.actions, &i->whom.key};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        Py_CLEAR(*members[k]);
}

static void release(void *context)
{
    instance *i = context;
    GIL_GATE g;
    gil_enter(&g);
    environment_retire(i);
    for (int k = 0; k < NUMBERS; k++)
        Py_XDECREF(i->numbers[k]);
    Py_XDECREF(i->words[0]);
    Py_XDECREF(i->words[1]);
    states_release(i->known);
    PyMem_Free(i);
    gil_leave(&g);
}

/* A member that can be called; absent or None: NULL. False with an exception. */
static bool get_member(PyObject *env, const char *name, bool is_needed, PyObject **member)
{
    PyObject *type = (PyObject *)Py_TYPE(env);
    *member = PyObject_GetAttrString(env, name);
    if (*member == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return false;
    PyErr_Clear();
    if (!is_needed && *member == Py_None)
        Py_CLEAR(*member);
    if (*member == NULL && is_needed)
        PyErr_Format(PyExc_TypeError,
                     "an environment has the members propositions, reset, step, labels and "
                     "actions; %R has no %s",
                     type, name);
    else if (*member != NULL && !PyCallable_Check(*member)) {
        PyErr_Format(PyExc_TypeError, "the member %s of %R cannot be called", name, type);
        Py_CLEAR(*member);
    }
    return PyErr_Occurred() == NULL;
}

static bool get_members(instance *i, PyObject *env)
{
    Py_INCREF(env);
    i->env = env;
    return get_member(env, "reset", true, &i->reset) && get_member(env, "step", true, &i->step) &&
           get_member(env, "labels", true, &i->whom.labels) &&
           get_member(env, "actions", true, &i->whom.actions) &&
           get_member(env, "key", false, &i->whom.key) &&
           get_member(env, "draw", false, &i->draw) &&
           get_member(env, "successors", false, &i->successors) &&
           get_member(env, "fork", false, &i->fork) &&
           get_member(env, "step_many", false, &i->step_many);
}

static bool make_constants(instance *i)
{
    i->words[0] = PyUnicode_FromString("step");
    i->words[1] = PyUnicode_FromString("reset");
    for (long k = 0; k < NUMBERS; k++)
        i->numbers[k] = PyLong_FromLong(k);
    return PyErr_Occurred() == NULL;
}

/* NULL with an exception. known: a user of it more. */
static instance *make(PyObject *env, watch *w, states *known)
{
    instance *i = PyMem_Calloc(1, sizeof *i);
    if (i == NULL) {
        PyErr_NoMemory();
        states_release(known);
        return NULL;
    }
    i->known = known;
    i->w = w;
    if (get_members(i, env) && make_constants(i))
        return i;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    release(i);
    PyErr_Restore(type, value, trace);
    return NULL;
}

static opac_status fork_instance(void *context, void **other, opac_error *error)
{
    instance *i = context, *made = NULL;
    GIL_GATE g;
    opac_status status;
    if (enter(i, &g, &status, error)) {
        PyObject *env = PyObject_CallFunctionObjArgs(i->fork, NULL);
        if (env == i->env)
            PyErr_SetString(PyExc_TypeError,
                            "fork gave the environment itself, not another instance of it");
        else if (env != NULL) {
            i->known->users++;
            made = make(env, i->w, i->known);
        }
        if (made != NULL) {
            made->calls = i->calls;
            if ((made->step_many == NULL) != (i->step_many == NULL) ||
                (made->draw == NULL) != (i->draw == NULL) ||
                (made->successors == NULL) != (i->successors == NULL)) {
                PyErr_SetString(PyExc_TypeError,
                                "fork gave an environment that has not the same members");
                release(made);
                made = NULL;
            }
        }
        Py_XDECREF(env);
    }
    *other = made;
    return leave(i, &g, status, error);
}

/* ---- what it says of itself ---- */

/* Names as a tuple of UTF-8 bytes. NULL with an exception. */
static PyObject *get_propositions(PyObject *env, PyObject **names)
{
    PyObject *given = PyObject_GetAttrString(env, "propositions");
    bool is_there = given != NULL;
    *names = !is_there || PyUnicode_Check(given) ? NULL : PySequence_Tuple(given);
    Py_XDECREF(given);
    if (*names == NULL) {
        bool is_ours = PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError) ||
                       PyErr_ExceptionMatches(PyExc_AttributeError);
        if (!is_ours)
            return NULL;
        PyErr_Clear();
        bool is_gym = !is_there && PyObject_HasAttrString(env, "observation_space");
        PyErr_Format(PyExc_TypeError,
                     is_gym ? "environments of Gymnasium are wrapped first: "
                              "omegapac.gym.wrap(env, labels); %R has no propositions%s"
                            : "an environment has the member propositions, a list or tuple of "
                              "str; %R has %s",
                     (PyObject *)Py_TYPE(env),
                     is_gym     ? ""
                     : is_there ? "something else"
                                : "none");
        return NULL;
    }
    PyObject *texts = PyTuple_New(PyTuple_Size(*names));
    for (Py_ssize_t i = 0; i < PyTuple_Size(*names) && texts != NULL; i++) {
        PyObject *text = NULL;
        if (core_text(PyTuple_GetItem(*names, i), &text) == 0 ||
            PyTuple_SetItem(texts, i, text) != 0)
            Py_CLEAR(texts);
    }
    return texts;
}

static bool get_flag(PyObject *env, const char *name, bool otherwise, bool *flag)
{
    PyObject *given = PyObject_GetAttrString(env, name);
    if (given == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return false;
    PyErr_Clear();
    int truth = given == NULL || given == Py_None ? otherwise : PyObject_IsTrue(given);
    Py_XDECREF(given);
    *flag = truth == 1;
    return truth >= 0;
}

/* 0: it has no lanes. */
static bool get_lanes(PyObject *env, bool has_many, uint32_t *lanes)
{
    PyObject *given = has_many ? PyObject_GetAttrString(env, "lanes") : NULL;
    PyObject *number = given == NULL ? NULL : PyNumber_Index(given);
    long count = number == NULL ? 0 : PyLong_AsLong(number);
    Py_XDECREF(given);
    Py_XDECREF(number);
    *lanes = 0;
    if (!has_many)
        return true;
    if (number == NULL && !is_about_form() && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return false;
    if (number == NULL || count < 1 || count > 65536) {
        PyErr_SetString(PyExc_TypeError,
                        "an environment with step_many has lanes, an int from 1 to 65536");
        return false;
    }
    *lanes = (uint32_t)count;
    return true;
}

static bool describe(instance *i, PyObject *env)
{
    opac_environment_callbacks *calls = &i->calls;
    *calls = (opac_environment_callbacks){.reset = reset,
                                          .step = step,
                                          .draw = i->draw == NULL ? NULL : draw,
                                          .successors = i->successors == NULL ? NULL : successors,
                                          .fork = i->fork == NULL ? NULL : fork_instance,
                                          .release = release,
                                          .action_name = action_name};
    if (!get_flag(env, "random_start", true, &calls->random_start) ||
        !get_lanes(env, i->step_many != NULL, &calls->lanes))
        return false;
    calls->step_many = calls->lanes > 0 ? step_many : NULL;
    return true;
}

/* Takes the instance. */
static opac_environment *open_environment(instance *i, PyObject *texts)
{
    const char *names[64];
    opac_error error;
    opac_environment *environment = NULL;
    opac_environment_callbacks calls = i->calls;
    Py_ssize_t count = PyTuple_Size(texts);
    if (count > 64) {
        PyErr_Format(PyExc_ValueError, "an environment has at most 64 propositions, not %zd",
                     count);
        release(i);
        return NULL;
    }
    for (Py_ssize_t k = 0; k < count; k++)
        names[k] = PyBytes_AsString(PyTuple_GetItem(texts, k));
    calls.propositions = names;
    calls.proposition_count = (size_t)count;
    if (opac_environment_new(&calls, i, &environment, &error) != OPAC_OK)
        core_raise(&error, NULL);
    return environment;
}

opac_environment *environment_new(PyObject *given, watch *w, instance **made)
{
    PyObject *names, *texts = get_propositions(given, &names);
    opac_environment *environment = NULL;
    *made = NULL;
    states *known = texts == NULL ? NULL : states_new(names);
    instance *i = known == NULL ? NULL : make(given, w, known);
    if (i != NULL && describe(i, given)) {
        environment = open_environment(i, texts);
        *made = environment == NULL ? NULL : i;
    } else if (i != NULL) {
        release(i);
    }
    Py_XDECREF(names);
    Py_XDECREF(texts);
    return environment;
}
