/* SPDX-License-Identifier: MIT */
/*
 * Python objects as environments of the library, and the exceptions that their methods raise.
 */
#ifndef OMEGAPAC_PYTHON_ENVIRONMENT_H
#define OMEGAPAC_PYTHON_ENVIRONMENT_H

#include "core.h"

/*
 * The first exception that a callback of a run raised. It is saved while control returns through
 * the library, and raised again after the run. While an exception is saved, all further callbacks
 * fail, and the run ends. It must outlive the run. The functions need the GIL.
 */
typedef struct saved_exception {
    PyObject *type, *value, *trace; /* the exception; type is NULL if there is none */
    opac_cancel *cancel;            /* the handle of the current run; NULL if none */
} saved_exception;

/* Saves the exception that is set (unless there is one already) and cancels the run. Returns the
 * status for the library, with a message: OPAC_ERROR_CANCELLED after KeyboardInterrupt, otherwise
 * OPAC_ERROR_SIMULATOR. error may be NULL. */
opac_status exception_save(saved_exception *exception, opac_error *error);
bool exception_is_saved(const saved_exception *exception);
/* Whether the saved exception is KeyboardInterrupt. */
bool exception_is_interrupt(const saved_exception *exception);
/* Raises the saved exception again, with its traceback; false if there is none. */
bool exception_restore(saved_exception *exception);
/* The saved exception as an object, borrowed; None if there is none. */
PyObject *exception_get(saved_exception *exception);
void exception_fini(saved_exception *exception);

/*
 * Makes the environment of a Python object with the members described in docs/python.md. NULL with
 * an exception. `exception` must outlive the environment; the callbacks of forks use it, too.
 */
typedef struct instance instance;
opac_environment *environment_new(PyObject *given, saved_exception *exception, instance **made);
/* The state with a key, a new reference; NULL with an exception. Needs the GIL. */
PyObject *environment_state(instance *i, const void *key, size_t length);
/* Releases the Python object, so that a result does not keep it alive. The records of its states
 * remain. The environment cannot be run afterwards. */
void environment_release_object(instance *i);

#endif
