/* SPDX-License-Identifier: MIT */
/*
 * The states of a Python environment that have occurred, with their labels and actions, which are
 * computed once for each state. All functions need the GIL.
 */
#ifndef OMEGAPAC_PYTHON_STATES_H
#define OMEGAPAC_PYTHON_STATES_H

#include "core.h"

/* A state; valid as long as the container. */
typedef struct record {
    uint64_t letter;
    size_t length;   /* of key */
    PyObject *state; /* the object that was returned first for this state */
    PyObject *names; /* the names of its actions, a tuple of UTF-8 bytes; NULL if they have none */
    uint32_t actions;
    char key[];
} record;

/* Bound methods of the environment that take a state. key may be NULL. */
typedef struct state_methods {
    PyObject *labels, *actions, *key;
} state_methods;

typedef struct states {
    size_t users;    /* number of instances of the environment that use it */
    PyObject *found; /* dict: state, or the value of the method key -> bytes with the record */
    PyObject *keys;  /* dict: key -> the same bytes */
    PyObject *kept;  /* list of the objects to which records refer */
    PyObject *propositions; /* dict: name -> bit */
} states;

/* names: the propositions, a sequence of str. NULL with an exception. */
states *states_new(PyObject *names);
/* Removes one user, and frees the states with the last one. */
void states_release(states *s);

/* The record of a state that the environment returned, added if it is new. NULL with an exception;
 * `member` is the name of the method that returned the state, for messages. */
const record *states_find_or_add(states *s, const state_methods *methods, PyObject *state,
                                 const char *member);
/* The record with a key; NULL without an exception if there is none. */
const record *states_find_key(const states *s, const void *key, size_t length);

#endif
