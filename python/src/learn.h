/* SPDX-License-Identifier: MIT */
/*
 * The common interface of the files for learning: learn.c runs the learner, learn_options.c reads
 * the options, learning_object.c has the methods of the type Learning.
 */
#ifndef OMEGAPAC_PYTHON_LEARN_H
#define OMEGAPAC_PYTHON_LEARN_H

#include "core.h"
#include "environment.h"

/* The type Learning: a finished run, and all objects from which it borrows. */
typedef struct learning_object {
    PyObject_HEAD opac_learning *learning;
    opac_environment *environment;
    bool is_borrowed;        /* the environment belongs to `owner`, a Simulator */
    instance *python;        /* the environment, if it is a Python object; otherwise NULL */
    PyObject *owner;         /* the Model, Simulator or Python object; NULL once released */
    opac_environment *graph; /* the environment of graph_model; NULL if none */
    PyObject *graph_model;
    core_objective objective;
    saved_exception exception;
} learning_object;

/* pmin as a function of state and action; its states are those of the environment. */
typedef struct learn_pmin {
    PyObject *function;         /* borrowed; NULL if pmin is a number or unknown */
    instance *python;           /* the environment, if it is a Python object; otherwise NULL */
    bool is_model;              /* the environment is a model; otherwise a simulator */
    saved_exception *exception; /* raised by the function */
} learn_pmin;

typedef struct learn_run {
    learning_object *self;
    opac_learn_options options;
    opac_status status;
    double began;               /* time of the start by opac_clock_seconds; 0 before it */
    PyObject *progress, *trace; /* callables, borrowed; NULL if none */
    PyObject *checkpoint;       /* the path as bytes, or NULL */
    learn_pmin pmin;
    bool wants_truth;
    opac_learn_truth truth;    /* its model is NULL if the truth is not computed */
    PyObject *policy;          /* NULL until it is made */
    opac_learn_sample *sample; /* a trajectory in a simulator; NULL if none */
    double lower, upper;       /* the bracket reported last */
    core_notes notes;
} learn_run;

/* Reads the dict of options; false with an exception. Of run->pmin, it sets the function only. */
bool learn_read_options(PyObject *options, learn_run *run);
/* Opens the environment of a Model, a Simulator or a Python object; false with an exception. */
bool learn_open(learning_object *self, PyObject *given, learn_run *run);
/* Releases a Simulator or a Python object after the run. */
void learn_close(learning_object *self);

/* Does the work: for a Python environment in this thread, otherwise with core_run. An exception
 * raised by a signal handler is saved in self->exception. */
void learn_work(learning_object *self, core_work work, void *context, opac_error *error);
/* Sets the deadline of a new phase to what is left of max_seconds, which limits all phases together. */
void learn_limit_time(learn_run *run);
/* Handles Python's signals and calls the callback for progress. Acquires the GIL. */
void learn_report_progress(learn_run *run, const opac_progress_report *report);

extern PyMethodDef learn_methods[];

/* A float; None for NaN. */
PyObject *learn_number(double value);
/* The entries of the trace as a list of tuples. */
PyObject *learn_trace(const opac_learning *learning);
/* (episodes, wins) of the trial of the policy; None if there is none. */
PyObject *learn_trial(const opac_learn_report *report);
/* "yes", "no" or "undecided"; None if nothing was asked. */
PyObject *learn_answer(const opac_learn_report *report);

/* ---- learn_pmin.c ---- */

/* opac_learn_pmin; the context is a learn_pmin. Acquires the GIL. */
opac_status learn_pmin_of(void *context, const void *key, size_t length, uint32_t action,
                          double *pmin, opac_error *error);

/* ---- simulator.c ---- */

/* Marks a simulator as in use and returns its environment. NULL with an exception if it is in use or
 * closed. */
opac_environment *simulator_acquire(PyObject *simulator);
void simulator_release(PyObject *simulator);
/* The handle that cancels waiting for the simulator. */
opac_cancel *simulator_cancel(PyObject *simulator);

#endif
