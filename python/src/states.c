/* SPDX-License-Identifier: MIT */
/*
 * The states of a Python environment. A dict maps a state to its record, so that labels and
 * actions are called once for each state, and a step costs one lookup. Another dict maps a key to
 * the record.
 *
 * A record is the content of a bytes object owned by the dicts. A list owns the objects to which
 * records refer.
 */
#include "states.h"

#include <stddef.h>
#include <string.h>

#include "keys.h"

/* ---- construction and release ---- */

static bool add_propositions(states *s, PyObject *names)
{
    Py_ssize_t count = PySequence_Size(names);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PySequence_GetItem(names, i);
        PyObject *bit = name == NULL ? NULL : PyLong_FromSsize_t(i);
        bool is_added = bit != NULL && PyDict_SetItem(s->propositions, name, bit) == 0;
        Py_XDECREF(name);
        Py_XDECREF(bit);
        if (!is_added)
            return false;
    }
    return count >= 0;
}

states *states_new(PyObject *names)
{
    states *s = PyMem_Calloc(1, sizeof *s);
    if (s == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    s->users = 1;
    s->found = PyDict_New();
    s->keys = PyDict_New();
    s->kept = PyList_New(0);
    s->propositions = PyDict_New();
    if (s->found != NULL && s->keys != NULL && s->kept != NULL && s->propositions != NULL &&
        add_propositions(s, names))
        return s;
    states_release(s);
    return NULL;
}

void states_release(states *s)
{
    if (s == NULL || --s->users > 0)
        return;
    Py_XDECREF(s->found);
    Py_XDECREF(s->keys);
    Py_XDECREF(s->kept);
    Py_XDECREF(s->propositions);
    PyMem_Free(s);
}

/* ---- labels and actions ---- */

/* Raises TypeError or ValueError: "labels((1, 2)) returned 3: …". */
static bool refuse(PyObject *type, const char *member, PyObject *state, const char *what,
                   PyObject *value)
{
    PyObject *where = keys_show(state), *shown = value == NULL ? NULL : keys_show(value);
    if (where != NULL && value == NULL)
        PyErr_Format(type, "%s(%U) %s", member, where, what);
    else if (where != NULL && shown != NULL)
        PyErr_Format(type, "%s(%U) returned %U: %s", member, where, shown, what);
    Py_XDECREF(where);
    Py_XDECREF(shown);
    return false;
}

static bool add_label(const states *s, PyObject *state, PyObject *label, uint64_t *letter)
{
    if (!PyUnicode_Check(label))
        return refuse(PyExc_TypeError, "labels", state, "a label must be a str", label);
    PyObject *bit = PyDict_GetItemWithError(s->propositions, label);
    if (bit == NULL)
        return PyErr_Occurred() == NULL && refuse(PyExc_ValueError, "labels", state,
                                                  "it is not one of the propositions", label);
    *letter |= UINT64_C(1) << (PyLong_AsUnsignedLong(bit) & 63);
    return true;
}

static bool call_labels(const states *s, const state_methods *methods, PyObject *state,
                        uint64_t *letter)
{
    PyObject *labels = PyObject_CallFunctionObjArgs(methods->labels, state, NULL), *label;
    *letter = 0;
    if (labels == NULL)
        return false;
    PyObject *iterator =
        PyUnicode_Check(labels) || PyBytes_Check(labels) ? NULL : PyObject_GetIter(labels);
    bool is_good = iterator != NULL;
    if (!is_good && (PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError))) {
        PyErr_Clear();
        refuse(PyExc_TypeError, "labels", state, "expected a list, set or tuple of str", labels);
    }
    while (is_good && (label = PyIter_Next(iterator)) != NULL) {
        is_good = add_label(s, state, label, letter);
        Py_DECREF(label);
    }
    Py_XDECREF(iterator);
    Py_DECREF(labels);
    return is_good && PyErr_Occurred() == NULL;
}

static bool refuse_many(PyObject *state)
{
    char what[64];
    snprintf(what, sizeof what, "has more than %d actions", (int)OPAC_MAX_ACTIONS);
    return refuse(PyExc_ValueError, "actions", state, what, NULL);
}

/* A name as UTF-8 bytes; NULL with an exception. seen: the set of the names before it. */
static PyObject *name_action(PyObject *state, PyObject *name, PyObject *seen)
{
    if (!PyUnicode_Check(name)) {
        refuse(PyExc_TypeError, "actions", state, "the name of an action must be a str", name);
        return NULL;
    }
    PyObject *bytes = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
    int is_old = bytes == NULL ? -1 : PySet_Contains(seen, bytes);
    if (is_old == 1)
        refuse(PyExc_ValueError, "actions", state, "two actions of a state have the same name",
               name);
    if (is_old != 0 || PySet_Add(seen, bytes) != 0)
        Py_CLEAR(bytes);
    return bytes;
}

static bool name_actions(PyObject *state, PyObject *given, uint32_t *actions, PyObject **names)
{
    Py_ssize_t count = PySequence_Size(given);
    if (count > OPAC_MAX_ACTIONS)
        return refuse_many(state);
    PyObject *list = count < 0 ? NULL : PySequence_Tuple(given), *seen = PySet_New(NULL);
    count = list == NULL ? 0 : PyTuple_Size(list);
    *names = list == NULL || seen == NULL ? NULL : PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count && *names != NULL; i++) {
        PyObject *bytes = name_action(state, PyTuple_GetItem(list, i), seen);
        if (bytes == NULL || PyTuple_SetItem(*names, i, bytes) != 0)
            Py_CLEAR(*names);
    }
    Py_XDECREF(list);
    Py_XDECREF(seen);
    *actions = (uint32_t)count;
    return *names != NULL;
}

static bool count_actions(PyObject *state, PyObject *given, uint32_t *actions, PyObject **names)
{
    PyObject *number = PyNumber_Index(given);
    if (number == NULL && PyErr_ExceptionMatches(PyExc_TypeError) && PySequence_Check(given)) {
        PyErr_Clear(); /* an array of names: numpy's arrays define __index__ */
        return name_actions(state, given, actions, names);
    }
    long long count = number == NULL ? -1 : PyLong_AsLongLong(number);
    Py_XDECREF(number);
    if (PyErr_Occurred() != NULL && !PyErr_ExceptionMatches(PyExc_OverflowError))
        return false;
    PyErr_Clear();
    *actions = (uint32_t)count;
    return (count >= 0 && count <= OPAC_MAX_ACTIONS) ||
           refuse(PyExc_ValueError, "actions", state, "expected a number from 0 to 1048576", given);
}

static bool call_actions(const state_methods *methods, PyObject *state, uint32_t *actions,
                         PyObject **names)
{
    PyObject *given = PyObject_CallFunctionObjArgs(methods->actions, state, NULL);
    bool is_good;
    *names = NULL;
    if (given == NULL)
        return false;
    if (PyIndex_Check(given))
        is_good = count_actions(state, given, actions, names);
    else if (PySequence_Check(given) && !PyUnicode_Check(given) && !PyBytes_Check(given))
        is_good = name_actions(state, given, actions, names);
    else
        is_good = refuse(PyExc_TypeError, "actions", state,
                         "expected the number of actions, or a list of their names", given);
    Py_DECREF(given);
    return is_good;
}

/* ---- records ---- */

static const record *read_record(PyObject *bytes)
{
    return (const record *)(const void *)PyBytes_AsString(bytes);
}

const record *states_find_key(const states *s, const void *key, size_t length)
{
    PyObject *bytes = PyBytes_FromStringAndSize(key, (Py_ssize_t)length);
    PyObject *found = bytes == NULL ? NULL : PyDict_GetItemWithError(s->keys, bytes);
    Py_XDECREF(bytes);
    if (found == NULL)
        PyErr_Clear();
    return found == NULL ? NULL : read_record(found);
}

static PyObject *make_record(const states *s, const state_methods *methods, PyObject *state,
                             PyObject *key)
{
    record r = {.state = state, .length = (size_t)PyBytes_Size(key)};
    if (!call_labels(s, methods, state, &r.letter) ||
        !call_actions(methods, state, &r.actions, &r.names))
        return NULL;
    size_t head = offsetof(record, key);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(head + r.length));
    bool is_kept = bytes != NULL && PyList_Append(s->kept, state) == 0 &&
                   (r.names == NULL || PyList_Append(s->kept, r.names) == 0);
    Py_XDECREF(r.names);
    if (!is_kept) {
        Py_XDECREF(bytes);
        return NULL;
    }
    memcpy(PyBytes_AsString(bytes), &r, head);
    memcpy(PyBytes_AsString(bytes) + head, PyBytes_AsString(key), r.length);
    return bytes;
}

/* Raises ValueError for two states that are not equal, but have the same key. */
static void refuse_equal_key(PyObject *state)
{
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(state), "__name__");
    PyObject *shown = keys_show(state);
    if (type != NULL && shown != NULL)
        PyErr_Format(PyExc_ValueError,
                     "two different states have the same repr %U (of type %S): return states with "
                     "a repr that identifies them, or define key(state) that returns such a value",
                     shown, type);
    Py_XDECREF(type);
    Py_XDECREF(shown);
}

/* Inserts a new record. If labels or actions have added the same state meanwhile, returns that one. */
static PyObject *insert(states *s, PyObject *identity, PyObject *key, PyObject *made)
{
    PyObject *before = PyDict_GetItemWithError(s->found, identity);
    if (before != NULL)
        return before;
    if (PyErr_Occurred() == NULL && PyDict_GetItemWithError(s->keys, key) != NULL)
        refuse_equal_key(identity);
    if (PyErr_Occurred() != NULL || PyDict_SetItem(s->keys, key, made) != 0 ||
        PyDict_SetItem(s->found, identity, made) != 0)
        return NULL;
    return made;
}

static const record *add(states *s, const state_methods *methods, PyObject *state,
                         PyObject *identity)
{
    PyObject *key = keys_make(identity), *made = NULL, *kept = NULL;
    if (key == NULL)
        return NULL;
    PyObject *twin = PyDict_GetItemWithError(s->keys, key);
    if (twin != NULL)
        refuse_equal_key(identity);
    else if (PyErr_Occurred() == NULL)
        made = make_record(s, methods, state, key);
    if (made != NULL)
        kept = insert(s, identity, key, made);
    Py_DECREF(key);
    Py_XDECREF(made); /* the dicts own it */
    return kept == NULL ? NULL : read_record(kept);
}

static void refuse_unhashable(PyObject *state, const char *member)
{
    PyObject *shown = keys_show(state);
    if (shown != NULL)
        PyErr_Format(
            PyExc_TypeError,
            "%s returned the state %U, which is not hashable: return a tuple (of a list or an "
            "array: tuple(state)), or define key(state) that returns a hashable value",
            member, shown);
    Py_XDECREF(shown);
}

/* Replaces the exception of a failed lookup by a clearer one if the state is not hashable. */
static void explain_unhashable(PyObject *state, PyObject *identity, const char *member)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    bool is_type_error = PyErr_GivenExceptionMatches(type, PyExc_TypeError) != 0;
    PyObject *hash = PyObject_GetAttrString((PyObject *)Py_TYPE(identity), "__hash__");
    bool is_unhashable =
        hash == Py_None || PyTuple_CheckExact(identity) || PyFrozenSet_CheckExact(identity);
    PyErr_Clear();
    Py_XDECREF(hash);
    if (!is_type_error || !is_unhashable) {
        PyErr_Restore(type, value, trace);
        return;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    refuse_unhashable(state, member);
}

static const record *find_or_add(states *s, const state_methods *methods, PyObject *state,
                                 PyObject *identity, const char *member)
{
    PyObject *found = PyDict_GetItemWithError(s->found, identity);
    if (found != NULL)
        return read_record(found);
    if (PyErr_Occurred() == NULL)
        return add(s, methods, state, identity);
    explain_unhashable(state, identity, member);
    return NULL;
}

const record *states_find_or_add(states *s, const state_methods *methods, PyObject *state,
                                 const char *member)
{
    if (state == Py_None) {
        PyErr_Format(PyExc_TypeError,
                     "%s returned None, not a state: is a return statement missing?", member);
        return NULL;
    }
    if (methods->key == NULL)
        return find_or_add(s, methods, state, state, member);
    PyObject *identity = PyObject_CallFunctionObjArgs(methods->key, state, NULL);
    const record *found = identity == NULL ? NULL : find_or_add(s, methods, state, identity, "key");
    Py_XDECREF(identity);
    return found;
}
