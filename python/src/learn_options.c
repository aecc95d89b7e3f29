/* SPDX-License-Identifier: MIT */
/* What is wanted of a run: a dict of all options, None for those that were not given. */
#include <string.h>

#include "learn.h"

typedef int (*converter)(PyObject *object, void *value);

static PyObject *get(PyObject *options, const char *name)
{
    PyObject *value = PyDict_GetItemString(options, name);
    return value == NULL ? Py_None : value;
}

/* Says of a problem which option it is about. */
static bool take(PyObject *options, const char *name, converter convert, void *value)
{
    PyObject *type, *problem, *trace;
    if (convert(get(options, name), value))
        return true;
    PyErr_Fetch(&type, &problem, &trace);
    PyErr_NormalizeException(&type, &problem, &trace);
    if (problem != NULL && (PyErr_GivenExceptionMatches(type, PyExc_TypeError) ||
                            PyErr_GivenExceptionMatches(type, PyExc_ValueError)))
        PyErr_Format(PyErr_GivenExceptionMatches(type, PyExc_TypeError) ? PyExc_TypeError
                                                                        : PyExc_ValueError,
                     "%s: %S", name, problem);
    else {
        PyErr_Restore(type, problem, trace);
        return false;
    }
    Py_XDECREF(type);
    Py_XDECREF(problem);
    Py_XDECREF(trace);
    return false;
}

/* One of the words for an enumeration; not given: the first. */
static bool take_word(PyObject *options, const char *name, opac_learn_enum words, unsigned *value)
{
    PyObject *given = get(options, name), *text = NULL;
    *value = 0;
    if (given == Py_None)
        return true;
    if (!take(options, name, core_text, &text))
        return false;
    bool is_known = opac_learn_enum_find(words, core_chars(text), value);
    Py_DECREF(text);
    if (is_known)
        return true;
    const char *third = opac_learn_enum_name(words, 2);
    PyErr_Format(PyExc_ValueError, "%s is \"%s\" or \"%s\"%s%s%s, not %R", name,
                 opac_learn_enum_name(words, 0), opac_learn_enum_name(words, 1),
                 third != NULL ? " or \"" : "", third != NULL ? third : "",
                 third != NULL ? "\"" : "", given);
    return false;
}

/* A number, or the name of a rule. */
static bool take_k(PyObject *options, opac_learn_options *o)
{
    PyObject *given = get(options, "k"), *text = NULL;
    opac_error error;
    if (!PyUnicode_Check(given))
        return take(options, "k", core_whole, &o->k);
    if (!core_text(given, &text))
        return false;
    opac_status status = opac_k_rule_parse(core_chars(text), &o->k_rule, &error);
    Py_DECREF(text);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

/* A number, or "auto", which is 0. */
static bool take_horizon(PyObject *options, opac_learn_options *o)
{
    PyObject *given = get(options, "T");
    if (PyUnicode_Check(given) && PyUnicode_CompareWithASCIIString(given, "auto") == 0) {
        o->horizon = 0;
        return true;
    }
    if (!take(options, "T", core_whole, &o->horizon))
        return false;
    if (given != Py_None && o->horizon == 0) {
        PyErr_SetString(PyExc_ValueError, "T must be at least 1, not 0");
        return false;
    }
    return true;
}

static bool take_words(PyObject *options, opac_learn_options *o)
{
    unsigned explore, stop, sampler, counts;
    if (!take_word(options, "explore", OPAC_ENUM_EXPLORE, &explore) ||
        !take_word(options, "stop", OPAC_ENUM_STOP, &stop) ||
        !take_word(options, "sampler", OPAC_ENUM_SAMPLER, &sampler) ||
        !take_word(options, "counts", OPAC_ENUM_COUNTS, &counts))
        return false;
    o->explore = (opac_learn_explore)explore;
    o->stop = (opac_learn_stop)stop;
    o->sampler = (opac_learn_sampler)sampler;
    o->count_pairs = counts == 1;
    return true;
}

static bool take_numbers(PyObject *options, opac_learn_options *o)
{
    return take(options, "epsilon", core_number, &o->epsilon) &&
           take(options, "delta", core_number, &o->delta) &&
           take(options, "pmin", core_number, &o->pmin) &&
           take(options, "pmin_start", core_number, &o->pmin_start) &&
           take(options, "target", core_number, &o->target) &&
           take(options, "slack", core_number, &o->slack) &&
           take(options, "states", core_above_zero, &o->states) &&
           take(options, "actions", core_above_zero, &o->actions) &&
           take(options, "branching", core_above_zero, &o->branching) &&
           take(options, "trial_steps", core_whole, &o->trial_steps) &&
           take(options, "seed", core_whole, &o->seed) &&
           take(options, "threads", core_small_above_zero, &o->threads) &&
           take(options, "max_steps", core_above_zero, &o->max_steps) &&
           take(options, "max_memory", core_above_zero, &o->max_memory) &&
           take(options, "max_seconds", core_positive, &o->max_seconds) &&
           take(options, "checkpoint_seconds", core_number, &o->checkpoint_seconds) &&
           take(options, "kind", core_kind, &o->kind);
}

bool learn_read_options(PyObject *options, learn_run *run)
{
    opac_learn_options *o = &run->options;
    *o = opac_learn_defaults();
    if (!take_numbers(options, o) || !take_words(options, o) || !take_k(options, o) ||
        !take_horizon(options, o) ||
        !take(options, "checkpoint", core_path_or_none, &run->checkpoint))
        return false;
    o->checkpoint = core_chars(run->checkpoint);
    int resume = PyObject_IsTrue(get(options, "resume"));
    int force = resume >= 0 ? PyObject_IsTrue(get(options, "force")) : -1;
    int deterministic = force >= 0 ? PyObject_IsTrue(get(options, "deterministic")) : -1;
    o->resume = resume == 1;
    o->replace_checkpoint = force == 1;
    o->deterministic = deterministic == 1;
    o->untested = get(options, "trial_steps") != Py_None && o->trial_steps == 0;
    return deterministic >= 0;
}
