/* SPDX-License-Identifier: MIT */
/*
 * The keys of Python's states. To Python 1, 1.0 and True are the same key of a dict, and so are
 * tuples of them; so they must have the same text here, whichever of them came first.
 */
#include "keys.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static PyObject *spell(PyObject *value);

PyObject *keys_show(PyObject *value)
{
    PyObject *text = PyObject_Repr(value);
    if (text == NULL) {
        PyErr_Clear();
        return PyUnicode_FromString("a value that has no repr");
    }
    if (PyUnicode_GetLength(text) > 80) {
        PyObject *head = PyUnicode_Substring(text, 0, 77), *cut = NULL;
        if (head != NULL)
            cut = PyUnicode_FromFormat("%U...", head);
        Py_XDECREF(head);
        Py_DECREF(text);
        return cut;
    }
    return text;
}

/* ---- numbers ---- */

static PyObject *repr_of_new(PyObject *value)
{
    PyObject *text = value == NULL ? NULL : PyObject_Repr(value);
    Py_XDECREF(value);
    return text;
}

/* Subclasses, too, become plain integers. */
static PyObject *spell_integer(PyObject *value)
{
    PyObject *index = PyNumber_Index(value);
    PyObject *plain =
        index == NULL ? NULL : PyObject_CallFunctionObjArgs((PyObject *)&PyLong_Type, index, NULL);
    Py_XDECREF(index);
    return repr_of_new(plain);
}

static PyObject *spell_float(PyObject *value)
{
    double number = PyFloat_AsDouble(value);
    if (isfinite(number) && number == floor(number))
        return repr_of_new(PyLong_FromDouble(number));
    return repr_of_new(PyFloat_FromDouble(number));
}

/* ---- containers ---- */

static PyObject *spell_items(PyObject *items)
{
    Py_ssize_t count = PyObject_Length(items);
    PyObject *texts = count < 0 ? NULL : PyList_New(0);
    PyObject *iterator = texts == NULL ? NULL : PyObject_GetIter(items), *item;
    while (iterator != NULL && (item = PyIter_Next(iterator)) != NULL) {
        PyObject *text = spell(item);
        Py_DECREF(item);
        if (text == NULL || PyList_Append(texts, text) != 0) {
            Py_XDECREF(text);
            break;
        }
        Py_DECREF(text);
    }
    bool failed = iterator == NULL || PyErr_Occurred() != NULL;
    Py_XDECREF(iterator);
    if (failed)
        Py_CLEAR(texts);
    return texts;
}

static PyObject *join(PyObject *texts, const char *before, const char *behind)
{
    PyObject *comma = PyUnicode_FromString(", ");
    PyObject *all = comma == NULL ? NULL : PyUnicode_Join(comma, texts);
    PyObject *text = all == NULL ? NULL : PyUnicode_FromFormat("%s%U%s", before, all, behind);
    Py_XDECREF(comma);
    Py_XDECREF(all);
    Py_DECREF(texts);
    return text;
}

static PyObject *spell_tuple(PyObject *value)
{
    PyObject *texts = spell_items(value);
    return texts == NULL ? NULL : join(texts, "(", PyList_Size(texts) == 1 ? ",)" : ")");
}

static PyObject *spell_set(PyObject *value)
{
    PyObject *texts = spell_items(value);
    if (texts == NULL || PyList_Sort(texts) != 0) {
        Py_XDECREF(texts);
        return NULL;
    }
    bool is_empty = PyList_Size(texts) == 0;
    return join(texts, is_empty ? "frozenset(" : "frozenset({", is_empty ? ")" : "})");
}

/* ---- all others ---- */

/* Whether what conversion makes of a value equals it; 1: *made is that. -1: an exception. */
static int equals(PyObject *value, PyObject *converted, PyObject **made)
{
    *made = NULL;
    if (converted == NULL) { /* it has no such conversion, or none for this value */
        if (!PyErr_ExceptionMatches(PyExc_Exception))
            return -1;
        PyErr_Clear();
        return 0;
    }
    int is_equal = PyObject_RichCompareBool(converted, value, Py_EQ);
    if (is_equal == 1)
        *made = converted;
    else
        Py_DECREF(converted);
    return is_equal;
}

/* Numbers of other kinds (Fraction, numpy's) that equal an int or a float. NULL without an
 * exception: it is none. */
static PyObject *spell_number(PyObject *value)
{
    PyObject *made;
    int is_equal = equals(value, PyNumber_Long(value), &made);
    if (is_equal == 0) {
        is_equal = equals(value, PyNumber_Float(value), &made);
        if (is_equal == 1) {
            PyObject *text = spell_float(made);
            Py_DECREF(made);
            return text;
        }
    }
    return is_equal == 1 ? repr_of_new(made) : NULL;
}

static bool has_address(const char *text)
{
    for (const char *at = text; (at = strstr(at, " at 0x")) != NULL; at++)
        if (isxdigit((unsigned char)at[6]))
            return true;
    return false;
}

static PyObject *spell_other(PyObject *value)
{
    PyObject *text = PyNumber_Check(value) ? spell_number(value) : NULL;
    if (text != NULL || PyErr_Occurred() != NULL)
        return text;
    text = PyObject_Repr(value);
    PyObject *bytes =
        text == NULL ? NULL : PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (bytes != NULL && has_address(PyBytes_AsString(bytes))) {
        PyErr_Format(PyExc_TypeError,
                     "the state %U is known by its address alone, which is another one each time: "
                     "give a value whose repr tells states apart, such as a tuple, or the member "
                     "key(state) that makes one of it",
                     text);
        Py_CLEAR(bytes);
    }
    if (bytes == NULL)
        Py_CLEAR(text);
    Py_XDECREF(bytes);
    return text;
}

static PyObject *spell_any(PyObject *value)
{
    if (PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyBytes_CheckExact(value))
        return PyObject_Repr(value);
    if (PyFloat_Check(value))
        return spell_float(value);
    if (PyIndex_Check(value))
        return spell_integer(value);
    if (PyUnicode_Check(value))
        return repr_of_new(PyUnicode_FromObject(value));
    if (PyTuple_Check(value))
        return spell_tuple(value);
    return PyFrozenSet_Check(value) ? spell_set(value) : spell_other(value);
}

static PyObject *spell(PyObject *value)
{
    if (Py_EnterRecursiveCall(" in the key of a state") != 0)
        return NULL;
    PyObject *text = spell_any(value);
    Py_LeaveRecursiveCall();
    return text;
}

PyObject *keys_make(PyObject *state)
{
    PyObject *text = spell(state);
    PyObject *key =
        text == NULL ? NULL : PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    Py_XDECREF(text);
    return key;
}
