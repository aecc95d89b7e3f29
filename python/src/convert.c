/* SPDX-License-Identifier: MIT */
/* Conversions between Python values and the library's. */
#include "core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- texts ---- */

static int refuse_type(PyObject *object, const char *wanted)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "expected %s, not %S", wanted, name);
    Py_XDECREF(name);
    return 0;
}

int core_text(PyObject *object, void *bytes)
{
    PyObject **made = bytes;
    if (object == NULL) { /* a later argument failed */
        Py_CLEAR(*made);
        return 1;
    }
    if (!PyUnicode_Check(object))
        return refuse_type(object, "a str");
    *made = PyUnicode_AsUTF8String(object);
    if (*made == NULL)
        return 0;
    if (strlen(core_chars(*made)) != core_length(*made)) {
        PyErr_SetString(PyExc_ValueError, "the text contains a NUL character");
        Py_CLEAR(*made);
        return 0;
    }
    return Py_CLEANUP_SUPPORTED;
}

int core_text_or_none(PyObject *object, void *bytes)
{
    if (object != Py_None)
        return core_text(object, bytes);
    *(PyObject **)bytes = NULL;
    return Py_CLEANUP_SUPPORTED;
}

int core_path_or_none(PyObject *object, void *bytes)
{
    if (object != Py_None)
        return PyUnicode_FSConverter(object, bytes);
    *(PyObject **)bytes = NULL;
    return Py_CLEANUP_SUPPORTED;
}

const char *core_chars(PyObject *bytes)
{
    return bytes != NULL ? PyBytes_AsString(bytes) : NULL;
}

size_t core_length(PyObject *bytes)
{
    return bytes != NULL ? (size_t)PyBytes_Size(bytes) : 0;
}

PyObject *core_str_of(const char *bytes, size_t length)
{
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace");
}

PyObject *core_str(const char *text)
{
    return core_str_of(text, strlen(text));
}

PyObject *core_str_or_none(const char *text)
{
    if (text == NULL)
        Py_RETURN_NONE;
    return core_str(text);
}

/* ---- numbers ---- */

static int parse_number(PyObject *text, double *number)
{
    PyObject *bytes = NULL;
    opac_error error;
    if (!core_text(text, &bytes))
        return 0;
    opac_status status = opac_number_parse(core_chars(bytes), number, &error);
    Py_DECREF(bytes);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

int core_double(PyObject *object, void *number)
{
    if (object == Py_None)
        return 1;
    if (PyUnicode_Check(object))
        return parse_number(object, number);
    double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred())
        return 0;
    *(double *)number = value;
    return 1;
}

int core_positive_double(PyObject *object, void *number)
{
    double value = 1;
    opac_error error = {.code = OPAC_ERROR_ARGUMENT};
    if (!core_double(object, &value))
        return 0;
    if (!(value > 0)) {
        snprintf(error.message, sizeof error.message, "expected a number above 0, not %g", value);
        core_raise(&error, NULL);
        return 0;
    }
    if (object != Py_None)
        *(double *)number = value;
    return 1;
}

static int parse_whole(PyObject *text, uint64_t *whole)
{
    PyObject *bytes = NULL;
    opac_error error;
    if (!core_text(text, &bytes))
        return 0;
    opac_status status = opac_number_parse_whole(core_chars(bytes), whole, &error);
    Py_XDECREF(bytes);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

/* Floats are accepted because 1e6 is a float in Python. */
static int uint64_from_float(PyObject *object, uint64_t *whole)
{
    double value = PyFloat_AsDouble(object);
    if (!(value >= 0 && value < 18446744073709551616.0) || value != floor(value)) {
        PyErr_Format(PyExc_ValueError, "expected a whole number from 0 to 2^64-1, not %R", object);
        return 0;
    }
    *whole = (uint64_t)value;
    return 1;
}

int core_uint64(PyObject *object, void *whole)
{
    if (object == Py_None)
        return 1;
    if (PyUnicode_Check(object))
        return parse_whole(object, whole);
    if (PyFloat_Check(object))
        return uint64_from_float(object, whole);
    PyObject *number = PyNumber_Index(object);
    if (number == NULL)
        return 0;
    unsigned long long value = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "expected a whole number from 0 to 2^64-1, not %R",
                         object);
        }
        return 0;
    }
    *(uint64_t *)whole = value;
    return 1;
}

int core_uint32(PyObject *object, void *number)
{
    uint64_t value = *(uint32_t *)number;
    if (!core_uint64(object, &value))
        return 0;
    if (value > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%R is too large: at most 2^32-1 is allowed", object);
        return 0;
    }
    *(uint32_t *)number = (uint32_t)value;
    return 1;
}

/* For counts where 0 means "not given" in the library; Python uses None for that. */
static int refuse_zero(PyObject *object, uint64_t value)
{
    if (object == Py_None || value > 0)
        return 1;
    PyErr_SetString(PyExc_ValueError, "expected a whole number above 0, not 0");
    return 0;
}

int core_positive_uint64(PyObject *object, void *whole)
{
    return core_uint64(object, whole) && refuse_zero(object, *(uint64_t *)whole);
}

int core_positive_uint32(PyObject *object, void *number)
{
    return core_uint32(object, number) && refuse_zero(object, *(uint32_t *)number);
}

int core_kind(PyObject *object, void *kind)
{
    PyObject *bytes = NULL;
    opac_error error;
    if (object == Py_None)
        return 1;
    if (!core_text(object, &bytes))
        return 0;
    opac_status status = opac_automaton_kind_parse(core_chars(bytes), kind, &error);
    Py_XDECREF(bytes);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

PyObject *core_consume_result(opac_result **result)
{
    size_t length;
    const char *json = opac_result_json(*result, &length);
    PyObject *text = core_str_of(json, length);
    opac_result_free(*result);
    *result = NULL;
    return text;
}

/* ---- containers ---- */

bool core_put(PyObject *dict, const char *key, PyObject *value)
{
    bool is_good = value != NULL && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return is_good;
}

PyObject *core_write_to_str(core_writer writer, const void *what)
{
    opac_output *out;
    opac_error error;
    size_t length;
    PyObject *text = NULL;
    opac_status status = opac_output_open_memory(&out, &error);
    if (status != OPAC_OK)
        return core_raise(&error, NULL);
    status = writer(what, out, &error);
    if (status == OPAC_OK) {
        const char *bytes = opac_output_bytes(out, &length);
        if (bytes != NULL)
            text = core_str_of(bytes, length);
        else
            status = opac_output_commit(out, &error);
    }
    opac_output_free(out);
    return status == OPAC_OK ? text : core_raise(&error, NULL);
}
