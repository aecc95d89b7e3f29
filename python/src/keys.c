/* SPDX-License-Identifier: MIT */
/*
 * Keys of Python states. In Python 1, 1.0 and True are equal and have the same hash, and so have
 * tuples of them. Therefore they must have the same key here, whichever occurs first.
 */
#include "keys.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static PyObject *key_text(PyObject *value);

PyObject *keys_show(PyObject *value)
{
    PyObject *text = PyObject_Repr(value);
    if (text == NULL) {
        PyErr_Clear();
        return PyUnicode_FromString("a value whose repr raises an exception");
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

/* Instances of subclasses of int become plain integers, too. */
static PyObject *integer_text(PyObject *value)
{
    PyObject *index = PyNumber_Index(value);
    PyObject *plain =
        index == NULL ? NULL : PyObject_CallFunctionObjArgs((PyObject *)&PyLong_Type, index, NULL);
    Py_XDECREF(index);
    return repr_of_new(plain);
}

static PyObject *float_text(PyObject *value)
{
    double number = PyFloat_AsDouble(value);
    if (isfinite(number) && number == floor(number))
        return repr_of_new(PyLong_FromDouble(number));
    return repr_of_new(PyFloat_FromDouble(number));
}

/* ---- containers ---- */

static PyObject *item_texts(PyObject *items)
{
    Py_ssize_t count = PyObject_Length(items);
    PyObject *texts = count < 0 ? NULL : PyList_New(0);
    PyObject *iterator = texts == NULL ? NULL : PyObject_GetIter(items), *item;
    while (iterator != NULL && (item = PyIter_Next(iterator)) != NULL) {
        PyObject *text = key_text(item);
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

static PyObject *tuple_text(PyObject *value)
{
    PyObject *texts = item_texts(value);
    return texts == NULL ? NULL : join(texts, "(", PyList_Size(texts) == 1 ? ",)" : ")");
}

static PyObject *set_text(PyObject *value)
{
    PyObject *texts = item_texts(value);
    if (texts == NULL || PyList_Sort(texts) != 0) {
        Py_XDECREF(texts);
        return NULL;
    }
    bool is_empty = PyList_Size(texts) == 0;
    return join(texts, is_empty ? "frozenset(" : "frozenset({", is_empty ? ")" : "})");
}

/* ---- other values ---- */

/*
 * Compares a value with its conversion to another type, and takes the reference to `converted`.
 * Returns 1 if they are equal, with *made set to `converted`; 0 if not, or if the conversion
 * failed (converted is NULL); -1 with an exception.
 */
static int equals(PyObject *value, PyObject *converted, PyObject **made)
{
    *made = NULL;
    if (converted == NULL) {
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

/* The text of a number of another type (Fraction, numpy's) that equals an int or a float. NULL
 * without an exception if it equals none. */
static PyObject *number_text(PyObject *value)
{
    PyObject *made;
    int is_equal = equals(value, PyNumber_Long(value), &made);
    if (is_equal == 0) {
        is_equal = equals(value, PyNumber_Float(value), &made);
        if (is_equal == 1) {
            PyObject *text = float_text(made);
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

static PyObject *other_text(PyObject *value)
{
    PyObject *text = PyNumber_Check(value) ? number_text(value) : NULL;
    if (text != NULL || PyErr_Occurred() != NULL)
        return text;
    text = PyObject_Repr(value);
    PyObject *bytes =
        text == NULL ? NULL : PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (bytes != NULL && has_address(PyBytes_AsString(bytes))) {
        PyErr_Format(PyExc_TypeError,
                     "the repr of the state %U contains an address, which differs between runs: "
                     "return states with a repr that identifies them, such as tuples, or define "
                     "key(state) that returns such a value",
                     text);
        Py_CLEAR(bytes);
    }
    if (bytes == NULL)
        Py_CLEAR(text);
    Py_XDECREF(bytes);
    return text;
}

static PyObject *any_text(PyObject *value)
{
    if (PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyBytes_CheckExact(value))
        return PyObject_Repr(value);
    if (PyFloat_Check(value))
        return float_text(value);
    if (PyIndex_Check(value))
        return integer_text(value);
    if (PyUnicode_Check(value))
        return repr_of_new(PyUnicode_FromObject(value));
    if (PyTuple_Check(value))
        return tuple_text(value);
    return PyFrozenSet_Check(value) ? set_text(value) : other_text(value);
}

static PyObject *key_text(PyObject *value)
{
    if (Py_EnterRecursiveCall(" in the key of a state") != 0)
        return NULL;
    PyObject *text = any_text(value);
    Py_LeaveRecursiveCall();
    return text;
}

PyObject *keys_make(PyObject *state)
{
    PyObject *text = key_text(state);
    PyObject *key =
        text == NULL ? NULL : PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    Py_XDECREF(text);
    return key;
}
