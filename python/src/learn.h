/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files about learning: learn.c runs it, learn_options.c reads the options, learned.c has
 * the methods of the type Learning.
 */
#ifndef OMEGAPAC_PYTHON_LEARN_H
#define OMEGAPAC_PYTHON_LEARN_H

#include "core.h"
#include "environment.h"

/* The type Learning: a run that has ended, and all that it borrows. */
typedef struct learned {
    PyObject_HEAD opac_learning *learning;
    opac_environment *environment;
    bool is_borrowed;        /* the environment is a simulator's, which is the owner */
    instance *python;        /* of a Python object; NULL: of something else */
    PyObject *owner;         /* a Model or a Simulator; NULL: it is let go */
    opac_environment *graph; /* of a model that is read as a graph; NULL: none */
    PyObject *graph_model;
    core_objective objective;
    watch w;
} learned;

typedef struct learn_run {
    learned *self;
    opac_learn_options options;
    opac_status status;
    double began;               /* by opac_clock_seconds; 0: not yet */
    PyObject *progress, *trace; /* callables; NULL: none. Borrowed */
    PyObject *checkpoint;       /* bytes, or NULL */
    bool wants_truth;
    opac_learn_truth truth;    /* of the model; there is none: its model is NULL */
    PyObject *policy;          /* NULL: it is not made yet */
    opac_learn_sample *sample; /* of a simulator; NULL: none */
    double lower, upper;       /* as they were last told */
    core_notes notes;
} learn_run;

/* False with an exception. */
bool learn_read_options(PyObject *options, learn_run *run);
/* The environment of what is given: a Model, a Simulator or a Python object. */
bool learn_open(learned *self, PyObject *given, learn_run *run);
void learn_close(learned *self);

/* Does the work: of a Python object in this thread, else by core_run. An exception that a handler of
 * a signal raised is with the watch then. */
void learn_work(learned *self, core_work work, void *context, opac_error *error);
/* Gives the handle of the phase that begins what is left of max_seconds, which is for all phases. */
void learn_limit_time(learn_run *run);
/* Looks after signals, and tells the callback. Takes the GIL. */
void learn_tell_progress(learn_run *run, const opac_progress_report *report);

extern PyMethodDef learn_methods[];

/* A float; NAN is None. */
PyObject *learn_number(double value);
/* The entries of the trace as a list of tuples. */
PyObject *learn_trace(const opac_learning *learning);

/* ---- simulator.c ---- */

/* Its environment, for a run alone; NULL with an exception: it is in use. */
opac_environment *simulator_take(PyObject *simulator);
void simulator_give_back(PyObject *simulator);
/* What ends its waiting. */
opac_cancel *simulator_cancel(PyObject *simulator);

#endif
