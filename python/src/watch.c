/* SPDX-License-Identifier: MIT */
/* Exceptions that go around the library: caught on one side, raised again on the other. */
#include "environment.h"

#include <stdio.h>

bool watch_has_caught(const watch *w)
{
    return w->type != NULL;
}

bool watch_is_interrupt(const watch *w)
{
    return w->type != NULL && PyErr_GivenExceptionMatches(w->type, PyExc_KeyboardInterrupt) != 0;
}

static opac_status tell(const watch *w, opac_error *error)
{
    bool is_interrupt = watch_is_interrupt(w);
    if (error != NULL)
        snprintf(error->message, sizeof error->message, "%s",
                 is_interrupt ? "stopped on request" : "the environment raised an exception");
    return is_interrupt ? OPAC_ERROR_CANCELLED : OPAC_ERROR_SIMULATOR;
}

opac_status watch_catch(watch *w, opac_error *error)
{
    if (w->type == NULL)
        PyErr_Fetch(&w->type, &w->value, &w->trace);
    else
        PyErr_Clear();
    if (w->cancel != NULL)
        opac_cancel_request(w->cancel);
    return tell(w, error);
}

bool watch_raise(watch *w)
{
    if (w->type == NULL)
        return false;
    PyErr_Restore(w->type, w->value, w->trace);
    w->type = w->value = w->trace = NULL;
    return true;
}

PyObject *watch_exception(watch *w)
{
    if (w->type == NULL)
        return Py_None;
    PyErr_NormalizeException(&w->type, &w->value, &w->trace);
    if (w->value != NULL && w->trace != NULL)
        PyException_SetTraceback(w->value, w->trace);
    return w->value == NULL ? Py_True : w->value;
}

void watch_fini(watch *w)
{
    Py_CLEAR(w->type);
    Py_CLEAR(w->value);
    Py_CLEAR(w->trace);
}
