/* SPDX-License-Identifier: MIT */
/*
 * The states of a Python environment that were met, each with what was asked about it once. All
 * functions need the GIL.
 */
#ifndef OMEGAPAC_PYTHON_STATES_H
#define OMEGAPAC_PYTHON_STATES_H

#include "core.h"

/* What is known of a state; all lives as long as the states. */
typedef struct record {
    uint64_t letter;
    size_t length;
    PyObject *state; /* as it was first given */
    PyObject *names; /* of its actions, a tuple of str as UTF-8 bytes; NULL: they have none */
    uint32_t actions;
    char key[];
} record;

/* Whom states are asked about: bound methods. key may be NULL. */
typedef struct asking {
    PyObject *labels, *actions, *key;
} asking;

typedef struct states {
    size_t users;           /* instances of the environment */
    PyObject *found;        /* state, or what key makes of it -> record in bytes */
    PyObject *keys;         /* key -> the same */
    PyObject *kept;         /* a list of what records refer to */
    PyObject *propositions; /* name -> bit */
} states;

/* NULL with an exception. names: a sequence of str. */
states *states_new(PyObject *names);
void states_release(states *s);

/* Of a value that the environment gave; NULL with an exception, which names the member. */
const record *states_meet(states *s, const asking *whom, PyObject *state, const char *member);
/* By its key; NULL: there is none (no exception). */
const record *states_find(const states *s, const void *key, size_t length);

#endif
