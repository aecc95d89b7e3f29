/* SPDX-License-Identifier: MIT */
/* Keys of Python states: texts that identify a state, the same in every process. */
#ifndef OMEGAPAC_PYTHON_KEYS_H
#define OMEGAPAC_PYTHON_KEYS_H

#include "core.h"

/*
 * Returns the key of a state as bytes: its repr in UTF-8, normalised so that equal values have
 * equal keys. Integers of any type, and numbers equal to one, are written as int writes them;
 * strings, numbers and tuples of subclasses are written as the built-in ones; frozen sets are
 * sorted. NULL with a TypeError for a value whose repr contains an address.
 */
PyObject *keys_make(PyObject *state);

/* The repr of a value for messages, shortened to 80 characters; NULL if out of memory. */
PyObject *keys_show(PyObject *value);

#endif
