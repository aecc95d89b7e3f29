/* SPDX-License-Identifier: MIT */
/*
 * The keys of Python's states: the text that says which state one is, the same in every process.
 */
#ifndef OMEGAPAC_PYTHON_KEYS_H
#define OMEGAPAC_PYTHON_KEYS_H

#include "core.h"

/*
 * The key as bytes, UTF-8 of repr, for values that are equal the same: integers of any kind, and
 * numbers that equal one, are written as int writes them; strings, numbers and tuples of any kind as
 * the built-in ones; frozen sets in order. NULL: TypeError, for a value whose repr has an address.
 */
PyObject *keys_make(PyObject *state);

/* A value for messages, cut to a line; NULL: no memory. */
PyObject *keys_show(PyObject *value);

#endif
