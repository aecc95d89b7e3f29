/* SPDX-License-Identifier: MIT */
/*
 * Python objects as environments. Each callback acquires the GIL, calls a bound method (looked
 * up once), and finds the record of the returned state in a dict.
 *
 * If a method raises, the callback saves the exception and fails, and so do all later callbacks.
 */
#include "environment.h"

#include <stdio.h>
#include <string.h>

#include "gil.h"
#include "keys.h"
#include "states.h"

enum {
    CACHED_NUMBERS = 64 /* actions below this have cached int objects */
};

/* A Python environment, or a fork of it. Absent optional members are NULL. */
struct instance {
    states *known;
    saved_exception *exception;
    PyObject *env, *reset, *step, *draw, *successors, *fork, *step_many, *outcome, *outcomes;
    PyObject *
        pairs; /* of the last call: a list with (class, outcome) as bytes, or None, for each lane */
    state_methods methods;
    PyObject *numbers[CACHED_NUMBERS];
    PyObject *request_names[2]; /* "step", "reset" */
    opac_environment_callbacks calls;
};

/* ---- begin and end of a callback ---- */

/* Acquires the GIL. False with an error if an exception is saved already, or if the object was
 * released; the callback must then only call end_callback. */
static bool begin_callback(instance *i, gil_hold *g, opac_status *status, opac_error *error)
{
    gil_acquire(g);
    *status = OPAC_OK;
    if (i->exception->type == NULL && i->env != NULL)
        return true;
    snprintf(error->message, sizeof error->message, "the environment has been released");
    *status = exception_is_interrupt(i->exception) ? OPAC_ERROR_CANCELLED : OPAC_ERROR_SIMULATOR;
    return false;
}

static opac_status end_callback(instance *i, gil_hold *g, opac_status status, opac_error *error)
{
    if (PyErr_Occurred() != NULL)
        status = exception_save(i->exception, error);
    gil_release(g);
    return status;
}

static void set_observation(const record *r, opac_observation *seen)
{
    *seen = (opac_observation){
        .key = r->key, .length = r->length, .letter = r->letter, .actions = r->actions};
}

/* Stores the observation of a state returned by a member. Takes the reference to the state, which
 * is NULL if the member raised an exception. */
static void observe_state(instance *i, PyObject *state, const char *member, opac_observation *seen)
{
    if (state == NULL)
        return;
    const record *r = states_find_or_add(i->known, &i->methods, state, member);
    if (r != NULL)
        set_observation(r, seen);
    Py_DECREF(state);
}

static PyObject *action_number(const instance *i, uint32_t action)
{
    PyObject *number =
        action < CACHED_NUMBERS ? i->numbers[action] : PyLong_FromUnsignedLong(action);
    if (action < CACHED_NUMBERS)
        Py_INCREF(number);
    return number;
}

/* ---- outcomes ---- */

/* The bytes of a class or an outcome: a str in UTF-8, bytes as they are, others by their key. */
static PyObject *name_bytes(PyObject *name)
{
    if (PyUnicode_Check(name))
        return PyUnicode_AsUTF8String(name);
    if (PyBytes_Check(name)) {
        Py_INCREF(name);
        return name;
    }
    return keys_make(name);
}

/* Sets the class and the outcome of a step from what `outcome` returned, and keeps their bytes for the lane. */
static void set_outcome(instance *i, uint32_t lane, PyObject *given, opac_observation *seen)
{
    if (!PyTuple_Check(given) || PyTuple_Size(given) != 2) {
        PyErr_SetString(PyExc_TypeError,
                        "outcome must return a pair (class, outcome) after a step");
        return;
    }
    PyObject *row_class = name_bytes(PyTuple_GetItem(given, 0));
    PyObject *outcome = row_class == NULL ? NULL : name_bytes(PyTuple_GetItem(given, 1));
    PyObject *pair = outcome == NULL ? NULL : PyTuple_Pack(2, row_class, outcome);
    if (pair != NULL && PyList_SetItem(i->pairs, (Py_ssize_t)lane, pair) == 0) {
        seen->row_class = PyBytes_AsString(row_class);
        seen->row_class_length = (size_t)PyBytes_Size(row_class);
        seen->outcome = PyBytes_AsString(outcome);
        seen->outcome_length = (size_t)PyBytes_Size(outcome);
    }
    Py_XDECREF(row_class);
    Py_XDECREF(outcome);
}

/* After a step, if the environment has the member. */
static void observe_outcome(instance *i, opac_observation *seen)
{
    if (i->outcome == NULL || PyErr_Occurred() != NULL)
        return;
    PyObject *given = PyObject_CallFunctionObjArgs(i->outcome, NULL);
    if (given != NULL)
        set_outcome(i, 0, given, seen);
    Py_XDECREF(given);
}

/* After the steps of lanes. */
static void observe_outcomes(instance *i, const opac_lane_request *requests, opac_observation *seen)
{
    if (i->outcome == NULL || PyErr_Occurred() != NULL)
        return;
    PyObject *given = PyObject_CallFunctionObjArgs(i->outcomes, NULL);
    PyObject *list = given == NULL ? NULL : PySequence_List(given);
    if (list != NULL && PyList_Size(list) != (Py_ssize_t)i->calls.lanes)
        PyErr_Format(PyExc_TypeError, "outcomes must return one item for each of %u lanes",
                     (unsigned)i->calls.lanes);
    for (uint32_t k = 0; k < i->calls.lanes && list != NULL && PyErr_Occurred() == NULL; k++)
        if (!requests[k].is_reset)
            set_outcome(i, k, PyList_GetItem(list, k), &seen[k]);
    Py_XDECREF(given);
    Py_XDECREF(list);
}

/* ---- the required methods ---- */

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    instance *i = context;
    GIL_HOLD g;
    opac_status status;
    if (begin_callback(i, &g, &status, error)) {
        PyObject *number = PyLong_FromUnsignedLongLong(seed);
        if (number != NULL)
            observe_state(i, PyObject_CallFunctionObjArgs(i->reset, number, NULL), "reset", seen);
        Py_XDECREF(number);
    }
    return end_callback(i, &g, status, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    instance *i = context;
    GIL_HOLD g;
    opac_status status;
    if (begin_callback(i, &g, &status, error)) {
        PyObject *number = action_number(i, action);
        if (number != NULL)
            observe_state(i, PyObject_CallFunctionObjArgs(i->step, number, NULL), "step", seen);
        observe_outcome(i, seen);
        Py_XDECREF(number);
    }
    return end_callback(i, &g, status, error);
}

/* ---- lanes ---- */

static PyObject *make_requests(const instance *i, const opac_lane_request *requests)
{
    PyObject *list = PyList_New(i->calls.lanes);
    for (uint32_t k = 0; k < i->calls.lanes && list != NULL; k++) {
        bool is_reset = requests[k].is_reset;
        PyObject *number = is_reset ? PyLong_FromUnsignedLongLong(requests[k].seed)
                                    : action_number(i, requests[k].action);
        PyObject *pair =
            number == NULL ? NULL : PyTuple_Pack(2, i->request_names[is_reset], number);
        Py_XDECREF(number);
        if (pair == NULL || PyList_SetItem(list, k, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Whether there is no exception, or one that reports a failed conversion, for which the caller has a
 * better message. Other exceptions, such as KeyboardInterrupt, must not be replaced. */
static bool is_conversion_error(void)
{
    return PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError) != 0 ||
           PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
}

static void observe_all(instance *i, PyObject *given, opac_observation *seen)
{
    PyObject *list = PyUnicode_Check(given) ? NULL : PySequence_List(given);
    if (list == NULL && !is_conversion_error())
        return;
    if (list == NULL || PyList_Size(list) != (Py_ssize_t)i->calls.lanes) {
        PyErr_Format(PyExc_TypeError,
                     "step_many must return a list with one state for each of %u lanes, not %s",
                     (unsigned)i->calls.lanes,
                     list == NULL ? "another type" : "a list of another length");
        Py_XDECREF(list);
        return;
    }
    for (uint32_t k = 0; k < i->calls.lanes && PyErr_Occurred() == NULL; k++) {
        PyObject *state = PyList_GetItem(list, k);
        Py_INCREF(state);
        observe_state(i, state, "step_many", &seen[k]);
    }
    Py_DECREF(list);
}

static opac_status step_many(void *context, const opac_lane_request *requests,
                             opac_observation *seen, opac_error *error)
{
    instance *i = context;
    GIL_HOLD g;
    opac_status status;
    if (begin_callback(i, &g, &status, error)) {
        PyObject *list = make_requests(i, requests);
        PyObject *given =
            list == NULL ? NULL : PyObject_CallFunctionObjArgs(i->step_many, list, NULL);
        if (given != NULL)
            observe_all(i, given, seen);
        if (given != NULL)
            observe_outcomes(i, requests, seen);
        Py_XDECREF(list);
        Py_XDECREF(given);
    }
    return end_callback(i, &g, status, error);
}

/* ---- draws and successors ---- */

/* The record of a state that is known from a checkpoint only. ast.literal_eval reconstructs the
 * state from its key if it consists of numbers, strings and tuples. NULL with an exception. */
static const record *state_from_key(instance *i, const void *key, size_t length)
{
    PyObject *ast = PyImport_ImportModule("ast");
    PyObject *state = ast == NULL ? NULL
                                  : PyObject_CallMethod(ast, "literal_eval", "s#",
                                                        (const char *)key, (Py_ssize_t)length);
    const record *r = NULL;
    bool is_read = state != NULL && i->methods.key == NULL;
    if (is_read)
        r = states_find_or_add(i->known, &i->methods, state, "a checkpoint");
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
                     "the state %U is known from the checkpoint only, and cannot be reconstructed "
                     "from its repr to call draw, successors or pmin: use states made of numbers, "
                     "strings and tuples",
                     shown);
    Py_XDECREF(shown);
    return NULL;
}

PyObject *environment_state(instance *i, const void *key, size_t length)
{
    const record *r = states_find_key(i->known, key, length);
    if (r == NULL && (r = state_from_key(i, key, length)) == NULL)
        return NULL;
    Py_INCREF(r->state);
    return r->state;
}

/* The state with a key and the action as Python objects; both are None for the reset (key NULL).
 * False with an exception. */
static bool find_pair(instance *i, const void *key, size_t length, uint32_t action,
                      PyObject **state, PyObject **number)
{
    const record *r = key == NULL ? NULL : states_find_key(i->known, key, length);
    if (key != NULL && r == NULL && (r = state_from_key(i, key, length)) == NULL)
        return false;
    *state = r == NULL ? Py_None : r->state;
    Py_INCREF(*state);
    *number = r == NULL ? Py_None : action_number(i, action);
    if (r == NULL)
        Py_INCREF(Py_None);
    return *number != NULL;
}

static opac_status add_draw(instance *i, PyObject *state, uint64_t count, const char *member,
                            opac_draws *draws, opac_error *error)
{
    const record *r = states_find_or_add(i->known, &i->methods, state, member);
    opac_observation seen;
    if (r == NULL)
        return OPAC_ERROR_SIMULATOR;
    set_observation(r, &seen);
    return opac_draws_add(draws, &seen, count, error);
}

static opac_status add_counts(instance *i, PyObject *counts, opac_draws *draws, opac_error *error)
{
    opac_status status = OPAC_OK;
    PyObject *state, *count;
    Py_ssize_t at = 0;
    if (!PyDict_Check(counts)) {
        PyErr_SetString(PyExc_TypeError, "draw must return a dict from states to their counts");
        return OPAC_ERROR_SIMULATOR;
    }
    PyObject *copy = PyDict_Copy(counts); /* the methods labels and actions might change the dict */
    while (copy != NULL && status == OPAC_OK && PyDict_Next(copy, &at, &state, &count)) {
        PyObject *number = PyNumber_Index(count);
        unsigned long long n = number == NULL ? 0 : PyLong_AsUnsignedLongLong(number);
        Py_XDECREF(number);
        if (PyErr_Occurred() != NULL) {
            if (is_conversion_error())
                PyErr_SetString(PyExc_TypeError,
                                "draw returned a count that is not an int of at least 0");
            status = OPAC_ERROR_SIMULATOR;
        } else if (n > 0)
            status = add_draw(i, state, n, "draw", draws, error);
    }
    Py_XDECREF(copy);
    return status;
}

/* Adds the successors in an iterable; duplicates count once. */
static opac_status add_successors(instance *i, PyObject *given, opac_draws *draws,
                                  opac_error *error)
{
    PyObject *added = PySet_New(NULL), *iterator = added == NULL ? NULL : PyObject_GetIter(given);
    PyObject *state;
    opac_status status = OPAC_OK;
    while (status == OPAC_OK && iterator != NULL && (state = PyIter_Next(iterator)) != NULL) {
        const record *r = states_find_or_add(i->known, &i->methods, state, "successors");
        PyObject *pointer = r == NULL ? NULL : PyLong_FromVoidPtr((void *)r);
        int is_added = pointer == NULL ? -1 : PySet_Contains(added, pointer);
        if (is_added < 0 || PySet_Add(added, pointer) != 0)
            status = OPAC_ERROR_SIMULATOR;
        else if (is_added == 0)
            status = add_draw(i, state, 1, "successors", draws, error);
        Py_XDECREF(pointer);
        Py_DECREF(state);
    }
    Py_XDECREF(added);
    Py_XDECREF(iterator);
    return status;
}

static opac_status draw(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    instance *i = context;
    PyObject *state = NULL, *number = NULL;
    GIL_HOLD g;
    opac_status status;
    if (begin_callback(i, &g, &status, error) &&
        find_pair(i, key, length, action, &state, &number)) {
        PyObject *many = PyLong_FromUnsignedLongLong(n),
                 *random = PyLong_FromUnsignedLongLong(seed);
        PyObject *counts =
            many == NULL || random == NULL
                ? NULL
                : PyObject_CallFunctionObjArgs(i->draw, state, number, many, random, NULL);
        if (counts != NULL)
            status = add_counts(i, counts, draws, error);
        Py_XDECREF(counts);
        Py_XDECREF(many);
        Py_XDECREF(random);
    }
    Py_XDECREF(state);
    Py_XDECREF(number);
    return end_callback(i, &g, status, error);
}

static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    instance *i = context;
    PyObject *state = NULL, *number = NULL;
    GIL_HOLD g;
    opac_status status;
    if (begin_callback(i, &g, &status, error) &&
        find_pair(i, key, length, action, &state, &number)) {
        PyObject *given = PyObject_CallFunctionObjArgs(i->successors, state, number, NULL);
        if (given != NULL)
            status = add_successors(i, given, draws, error);
        Py_XDECREF(given);
    }
    Py_XDECREF(state);
    Py_XDECREF(number);
    return end_callback(i, &g, status, error);
}

/* ---- names of actions ---- */

static const char *action_name(void *context, const void *key, size_t length, uint32_t action)
{
    const instance *i = context;
    GIL_HOLD g;
    gil_acquire(&g);
    const record *r = states_find_key(i->known, key, length);
    const char *name = NULL;
    if (r != NULL && r->names != NULL && action < r->actions)
        name = PyBytes_AsString(PyTuple_GetItem(r->names, (Py_ssize_t)action));
    gil_release(&g);
    return name;
}

/* ---- construction and release ---- */

void environment_release_object(instance *i)
{
    PyObject **members[] = {&i->env,         &i->reset,          &i->step,
                            &i->draw,        &i->successors,     &i->fork,
                            &i->step_many,   &i->methods.labels, &i->methods.actions,
                            &i->methods.key, &i->outcome,        &i->outcomes,
                            &i->pairs};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        Py_CLEAR(*members[k]);
}

static void release(void *context)
{
    instance *i = context;
    GIL_HOLD g;
    gil_acquire(&g);
    environment_release_object(i);
    for (int k = 0; k < CACHED_NUMBERS; k++)
        Py_XDECREF(i->numbers[k]);
    Py_XDECREF(i->request_names[0]);
    Py_XDECREF(i->request_names[1]);
    states_release(i->known);
    PyMem_Free(i);
    gil_release(&g);
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
           get_member(env, "labels", true, &i->methods.labels) &&
           get_member(env, "actions", true, &i->methods.actions) &&
           get_member(env, "key", false, &i->methods.key) &&
           get_member(env, "draw", false, &i->draw) &&
           get_member(env, "successors", false, &i->successors) &&
           get_member(env, "fork", false, &i->fork) &&
           get_member(env, "step_many", false, &i->step_many) &&
           get_member(env, "outcome", false, &i->outcome) &&
           get_member(env, "outcomes", false, &i->outcomes);
}

/* A place for the outcome of each lane. */
static bool make_pairs(instance *i)
{
    uint32_t lanes = i->calls.lanes > 1 ? i->calls.lanes : 1;
    if (i->outcome != NULL && i->step_many != NULL && i->outcomes == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "an environment with outcome and step_many must have a method outcomes");
        return false;
    }
    i->pairs = i->outcome == NULL ? NULL : PyList_New((Py_ssize_t)lanes);
    for (uint32_t k = 0; k < lanes && i->pairs != NULL; k++) {
        Py_INCREF(Py_None);
        PyList_SetItem(i->pairs, (Py_ssize_t)k, Py_None);
    }
    return PyErr_Occurred() == NULL;
}

static bool make_constants(instance *i)
{
    i->request_names[0] = PyUnicode_FromString("step");
    i->request_names[1] = PyUnicode_FromString("reset");
    for (long k = 0; k < CACHED_NUMBERS; k++)
        i->numbers[k] = PyLong_FromLong(k);
    return PyErr_Occurred() == NULL;
}

/* NULL with an exception. Takes one user of `known`. */
static instance *make(PyObject *env, saved_exception *exception, states *known)
{
    instance *i = PyMem_Calloc(1, sizeof *i);
    if (i == NULL) {
        PyErr_NoMemory();
        states_release(known);
        return NULL;
    }
    i->known = known;
    i->exception = exception;
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
    GIL_HOLD g;
    opac_status status;
    if (begin_callback(i, &g, &status, error)) {
        PyObject *env = PyObject_CallFunctionObjArgs(i->fork, NULL);
        if (env == i->env)
            PyErr_SetString(
                PyExc_TypeError,
                "fork returned the environment itself; it must return another instance");
        else if (env != NULL) {
            i->known->users++;
            made = make(env, i->exception, i->known);
        }
        if (made != NULL) {
            made->calls = i->calls;
            if ((made->step_many == NULL) != (i->step_many == NULL) ||
                (made->draw == NULL) != (i->draw == NULL) ||
                (made->outcome == NULL) != (i->outcome == NULL) ||
                (made->successors == NULL) != (i->successors == NULL)) {
                PyErr_SetString(PyExc_TypeError,
                                "fork returned an environment with other optional members; "
                                "step_many, draw, successors and outcome must be the same");
                release(made);
                made = NULL;
            } else if (!make_pairs(made)) {
                release(made);
                made = NULL;
            }
        }
        Py_XDECREF(env);
    }
    *other = made;
    return end_callback(i, &g, status, error);
}

/* ---- attributes of the environment ---- */

/* The propositions as a tuple of UTF-8 bytes, and in *names as a tuple of str. NULL with an exception. */
static PyObject *get_propositions(PyObject *env, PyObject **names)
{
    PyObject *given = PyObject_GetAttrString(env, "propositions");
    bool is_there = given != NULL;
    *names = !is_there || PyUnicode_Check(given) ? NULL : PySequence_Tuple(given);
    Py_XDECREF(given);
    if (*names == NULL) {
        bool is_replaceable = PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError) ||
                              PyErr_ExceptionMatches(PyExc_AttributeError);
        if (!is_replaceable)
            return NULL;
        PyErr_Clear();
        bool is_gym = !is_there && PyObject_HasAttrString(env, "observation_space");
        PyErr_Format(PyExc_TypeError,
                     is_gym ? "%R is a Gymnasium environment without propositions: wrap it with "
                              "omegapac.gym.wrap(env, labels)%s"
                            : "an environment must have an attribute propositions, a list or "
                              "tuple of str; %R has %s",
                     (PyObject *)Py_TYPE(env),
                     is_gym     ? ""
                     : is_there ? "one of another type"
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

/* The number of lanes; 0 if the environment has no method step_many. */
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
    if (number == NULL && !is_conversion_error() && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return false;
    if (number == NULL || count < 1 || count > 65536) {
        PyErr_SetString(PyExc_TypeError,
                        "an environment with step_many must have an attribute lanes, an int from 1 "
                        "to 65536");
        return false;
    }
    *lanes = (uint32_t)count;
    return true;
}

static bool set_callbacks(instance *i, PyObject *env)
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
    calls->tells_outcomes = i->outcome != NULL;
    return make_pairs(i);
}

/* Makes the library's environment, which owns the instance; on failure the instance is released. */
static opac_environment *open_environment(instance *i, PyObject *texts)
{
    const char *names[64];
    opac_error error;
    opac_environment *environment = NULL;
    opac_environment_callbacks calls = i->calls;
    Py_ssize_t count = PyTuple_Size(texts);
    if (count > 64) {
        PyErr_Format(PyExc_ValueError, "an environment can have at most 64 propositions, not %zd",
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

opac_environment *environment_new(PyObject *given, saved_exception *exception, instance **made)
{
    PyObject *names, *texts = get_propositions(given, &names);
    opac_environment *environment = NULL;
    *made = NULL;
    states *known = texts == NULL ? NULL : states_new(names);
    instance *i = known == NULL ? NULL : make(given, exception, known);
    if (i != NULL && set_callbacks(i, given)) {
        environment = open_environment(i, texts);
        *made = environment == NULL ? NULL : i;
    } else if (i != NULL) {
        release(i);
    }
    Py_XDECREF(names);
    Py_XDECREF(texts);
    return environment;
}
