/* SPDX-License-Identifier: MIT */
/*
 * p_min as a Python function of state and action. It is called with the states that the environment gives:
 * those of a Python environment, the numbers of a model's states, the str or bytes of a simulator.
 *
 * learn calls it in one thread, learn_runs in several, one at a time. An exception ends the run, and is raised
 * again after it. After a Ctrl-C it is still called, so that the run has a result.
 */
#include "learn.h"

#include <stdio.h>
#include <string.h>

#include "gil.h"
#include "keys.h"

/* A new reference; NULL with an exception. */
static PyObject *make_state(const learn_pmin *p, const void *key, size_t length)
{
    uint32_t number;
    if (p->python != NULL)
        return environment_state(p->python, key, length);
    if (p->is_model) {
        memcpy(&number, key, sizeof number);
        return PyLong_FromUnsignedLong(number);
    }
    PyObject *text = PyUnicode_DecodeUTF8(key, (Py_ssize_t)length, NULL);
    if (text != NULL || PyErr_ExceptionMatches(PyExc_UnicodeDecodeError) == 0)
        return text;
    PyErr_Clear();
    return PyBytes_FromStringAndSize(key, (Py_ssize_t)length);
}

static void refuse(PyObject *type, PyObject *state, uint32_t action, PyObject *found)
{
    PyObject *where = keys_show(state), *shown = where == NULL ? NULL : keys_show(found);
    if (shown != NULL)
        PyErr_Format(type,
                     "pmin returned %U for action %u of state %U; it must return a number above 0 "
                     "and at most 1",
                     shown, (unsigned)action, where);
    Py_XDECREF(where);
    Py_XDECREF(shown);
}

static void call(const learn_pmin *p, PyObject *state, uint32_t action, double *pmin)
{
    double value = 0;
    PyObject *number = PyLong_FromUnsignedLong(action);
    PyObject *found =
        number == NULL ? NULL : PyObject_CallFunctionObjArgs(p->function, state, number, NULL);
    Py_XDECREF(number);
    if (found == NULL)
        return;
    if (core_double(found, &value)) {
        if (!(value > 0 && value <= 1))
            refuse(found == Py_None ? PyExc_TypeError : PyExc_ValueError, state, action, found);
    } else if (PyErr_ExceptionMatches(PyExc_TypeError) ||
               PyErr_ExceptionMatches(PyExc_ValueError)) {
        bool is_type = PyErr_ExceptionMatches(PyExc_TypeError) != 0;
        PyErr_Clear();
        refuse(is_type ? PyExc_TypeError : PyExc_ValueError, state, action, found);
    }
    Py_DECREF(found);
    *pmin = value;
}

opac_status learn_pmin_of(void *context, const void *key, size_t length, uint32_t action,
                          double *pmin, opac_error *error)
{
    learn_pmin *p = context;
    opac_status status = OPAC_OK;
    GIL_HOLD gate;
    gil_acquire(&gate);
    if (exception_is_saved(p->exception) && !exception_is_interrupt(p->exception)) {
        snprintf(error->message, sizeof error->message, "another call raised an exception");
        status = OPAC_ERROR_SIMULATOR;
    } else {
        bool was_interrupted = exception_is_saved(p->exception);
        PyObject *state = make_state(p, key, length);
        if (state != NULL)
            call(p, state, action, pmin);
        if (state != NULL && !was_interrupted && PyErr_Occurred() != NULL &&
            PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
            (void)exception_save(p->exception, NULL);
            call(p, state, action, pmin);
        }
        Py_XDECREF(state);
    }
    if (PyErr_Occurred() != NULL)
        status = exception_save(p->exception, error);
    gil_release(&gate);
    return status;
}
