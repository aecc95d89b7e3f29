/* SPDX-License-Identifier: MIT */
/*
 * Python objects as environments, and what goes on between them and a run.
 */
#ifndef OMEGAPAC_PYTHON_ENVIRONMENT_H
#define OMEGAPAC_PYTHON_ENVIRONMENT_H

#include "core.h"

/*
 * What callbacks of a run share: the first exception that one of them raised. With an exception all
 * later callbacks fail, and the run ends. Lives longer than the run; needs the GIL.
 */
typedef struct watch {
    PyObject *type, *value, *trace; /* the exception; type NULL: none */
    opac_cancel *cancel;            /* of the run under way; NULL: none */
} watch;

/* Keeps the exception that is set, and asks the run to stop. The status for the library, with a
 * message: OPAC_ERROR_CANCELLED after KeyboardInterrupt, else OPAC_ERROR_SIMULATOR. */
opac_status watch_catch(watch *w, opac_error *error);
bool watch_has_caught(const watch *w);
/* Whether it is KeyboardInterrupt. */
bool watch_is_interrupt(const watch *w);
/* Raises it again, as it was; false: there was none. */
bool watch_raise(watch *w);
/* The exception as an object; borrowed. None: there is none. */
PyObject *watch_exception(watch *w);
void watch_fini(watch *w);

/*
 * The environment of a Python object with the members of the contract (docs/python.md). NULL with an
 * exception. The watch must live as long; callbacks of forks tell it, too.
 */
typedef struct instance instance;
opac_environment *environment_new(PyObject *given, watch *w, instance **made);
/* The Python object is let go, so that what was learned does not hold it; what was asked of its
 * states stays. Behind that it cannot be run any more. */
void environment_retire(instance *i);

#endif
