/* SPDX-License-Identifier: MIT */
/* Saves an exception raised in a callback of the library, to raise it again after the run. */
#include "environment.h"

#include <stdio.h>

bool exception_is_saved(const saved_exception *exception)
{
    return exception->type != NULL;
}

bool exception_is_interrupt(const saved_exception *exception)
{
    return exception->type != NULL &&
           PyErr_GivenExceptionMatches(exception->type, PyExc_KeyboardInterrupt) != 0;
}

static opac_status set_error(const saved_exception *exception, opac_error *error)
{
    bool is_interrupt = exception_is_interrupt(exception);
    if (error != NULL)
        snprintf(error->message, sizeof error->message, "%s",
                 is_interrupt ? "stopped" : "the environment raised an exception");
    return is_interrupt ? OPAC_ERROR_CANCELLED : OPAC_ERROR_SIMULATOR;
}

opac_status exception_save(saved_exception *exception, opac_error *error)
{
    if (exception->type == NULL)
        PyErr_Fetch(&exception->type, &exception->value, &exception->trace);
    else
        PyErr_Clear();
    if (exception->cancel != NULL)
        opac_cancel_request(exception->cancel);
    return set_error(exception, error);
}

bool exception_restore(saved_exception *exception)
{
    if (exception->type == NULL)
        return false;
    PyErr_Restore(exception->type, exception->value, exception->trace);
    exception->type = exception->value = exception->trace = NULL;
    return true;
}

PyObject *exception_get(saved_exception *exception)
{
    if (exception->type == NULL)
        return Py_None;
    PyErr_NormalizeException(&exception->type, &exception->value, &exception->trace);
    if (exception->value != NULL && exception->trace != NULL)
        PyException_SetTraceback(exception->value, exception->trace);
    return exception->value == NULL ? Py_True : exception->value;
}

void exception_fini(saved_exception *exception)
{
    Py_CLEAR(exception->type);
    Py_CLEAR(exception->value);
    Py_CLEAR(exception->trace);
}
