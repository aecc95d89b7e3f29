/* SPDX-License-Identifier: MIT */
/* Reads the options of a run from a dict; options that were not given are None. */
#include <string.h>

#include "learn.h"

typedef int (*converter)(PyObject *object, void *value);

static PyObject *get(PyObject *options, const char *name)
{
    PyObject *value = PyDict_GetItemString(options, name);
    return value == NULL ? Py_None : value;
}

/* Converts one option. A TypeError or ValueError is prefixed with the option's name. */
static bool read_option(PyObject *options, const char *name, converter convert, void *value)
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

/* Reads an enumerator by its name; the default is the first one. */
static bool read_enum(PyObject *options, const char *name, opac_learn_enum words, unsigned *value)
{
    PyObject *given = get(options, name), *text = NULL;
    *value = 0;
    if (given == Py_None)
        return true;
    if (!read_option(options, name, core_text, &text))
        return false;
    bool is_known = opac_learn_enum_find(words, core_chars(text), value);
    Py_DECREF(text);
    if (is_known)
        return true;
    const char *third = opac_learn_enum_name(words, 2);
    PyErr_Format(PyExc_ValueError, "%s must be \"%s\" or \"%s\"%s%s%s, not %R", name,
                 opac_learn_enum_name(words, 0), opac_learn_enum_name(words, 1),
                 third != NULL ? " or \"" : "", third != NULL ? third : "",
                 third != NULL ? "\"" : "", given);
    return false;
}

/* k is a number or the name of a rule; None leaves both unset, which selects a bracket. */
static bool read_k(PyObject *options, opac_learn_options *o)
{
    PyObject *given = get(options, "k"), *text = NULL;
    opac_error error;
    if (!PyUnicode_Check(given))
        return read_option(options, "k", core_positive_uint64, &o->k);
    if (!core_text(given, &text))
        return false;
    opac_status status = opac_k_rule_parse(core_chars(text), &o->k_rule, &error);
    Py_DECREF(text);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

/* pmin is a number or a function of state and action. */
static bool read_pmin(PyObject *options, learn_run *run)
{
    PyObject *given = get(options, "pmin");
    if (PyCallable_Check(given) == 0)
        return read_option(options, "pmin", core_double, &run->options.pmin);
    run->pmin.function = given;
    run->options.pmin_of = learn_pmin_of;
    run->options.pmin_context = &run->pmin;
    return true;
}

/* T is a number or "auto", which is 0 in the library's options. */
static bool read_horizon(PyObject *options, opac_learn_options *o)
{
    PyObject *given = get(options, "T");
    if (PyUnicode_Check(given) && PyUnicode_CompareWithASCIIString(given, "auto") == 0) {
        o->horizon = 0;
        return true;
    }
    if (!read_option(options, "T", core_uint64, &o->horizon))
        return false;
    if (given != Py_None && o->horizon == 0) {
        PyErr_SetString(PyExc_ValueError, "T must be at least 1, not 0");
        return false;
    }
    return true;
}

/* A str is not rounded: 1/3 is no double. */
static bool read_at_least(PyObject *options, opac_learn_options *o)
{
    PyObject *given = get(options, "at_least"), *text = NULL;
    opac_error error;
    if (!read_option(options, "at_least", core_double, &o->at_least))
        return false;
    if (!PyUnicode_Check(given))
        return true;
    if (!core_text(given, &text))
        return false;
    opac_status status = opac_number_parse_up(core_chars(text), &o->at_least_up, &error);
    Py_DECREF(text);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

static bool read_enums(PyObject *options, opac_learn_options *o)
{
    unsigned explore, stop, sampler, counts;
    if (!read_enum(options, "explore", OPAC_ENUM_EXPLORE, &explore) ||
        !read_enum(options, "stop", OPAC_ENUM_STOP, &stop) ||
        !read_enum(options, "sampler", OPAC_ENUM_SAMPLER, &sampler) ||
        !read_enum(options, "counts", OPAC_ENUM_COUNTS, &counts))
        return false;
    o->explore = (opac_learn_explore)explore;
    o->stop = (opac_learn_stop)stop;
    o->sampler = (opac_learn_sampler)sampler;
    o->count_pairs = counts == 1;
    return true;
}

static bool read_numbers(PyObject *options, opac_learn_options *o)
{
    return read_option(options, "epsilon", core_double, &o->epsilon) &&
           read_option(options, "delta", core_double, &o->delta) &&
           read_option(options, "pmin_start", core_double, &o->pmin_start) &&
           read_option(options, "pmin_outcome", core_double, &o->pmin_outcome) &&
           read_option(options, "target", core_positive_double, &o->target) &&
           read_option(options, "slack", core_double, &o->slack) &&
           read_option(options, "states", core_positive_uint64, &o->states) &&
           read_option(options, "actions", core_positive_uint64, &o->actions) &&
           read_option(options, "branching", core_positive_uint64, &o->branching) &&
           read_option(options, "trial_steps", core_uint64, &o->trial_steps) &&
           read_option(options, "seed", core_uint64, &o->seed) &&
           read_option(options, "threads", core_positive_uint32, &o->threads) &&
           read_option(options, "max_steps", core_positive_uint64, &o->max_steps) &&
           read_option(options, "max_memory", core_positive_uint64, &o->max_memory) &&
           read_option(options, "max_seconds", core_positive_double, &o->max_seconds) &&
           read_option(options, "checkpoint_seconds", core_double, &o->checkpoint_seconds) &&
           read_option(options, "kind", core_kind, &o->kind);
}

static bool is_given(PyObject *options, const char *name)
{
    PyObject *value = PyDict_GetItemString(options, name);
    return value != NULL && value != Py_None;
}

bool learn_read_options(PyObject *options, learn_run *run)
{
    opac_learn_options *o = &run->options;
    *o = opac_learn_defaults();
    if (!read_numbers(options, o) || !read_pmin(options, run) || !read_enums(options, o) ||
        !read_k(options, o) || !read_at_least(options, o) || !read_horizon(options, o) ||
        !read_option(options, "checkpoint", core_path_or_none, &run->checkpoint))
        return false;
    o->checkpoint = core_chars(run->checkpoint);
    int resume = PyObject_IsTrue(get(options, "resume"));
    int force = resume >= 0 ? PyObject_IsTrue(get(options, "force")) : -1;
    int deterministic = force >= 0 ? PyObject_IsTrue(get(options, "deterministic")) : -1;
    int alike = deterministic >= 0 ? PyObject_IsTrue(get(options, "alike")) : -1;
    o->alike = alike == 1;
    o->resume = resume == 1;
    o->nothing_known =
        !is_given(options, "T") && !is_given(options, "pmin") && !is_given(options, "graph");
    o->replace_checkpoint = force == 1;
    o->deterministic = deterministic == 1;
    o->untested = get(options, "trial_steps") != Py_None && o->trial_steps == 0;
    return deterministic >= 0;
}
