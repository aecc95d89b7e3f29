/* SPDX-License-Identifier: MIT */
/*
 * Builds models from Python values. models.py converts the forms that users may pass to one
 * form; the functions here pass it to the model builder, state by state.
 */
#include "core.h"

typedef struct building {
    opac_builder *builder;
    core_notes notes;
} building;

static bool check(opac_status status, const opac_error *error)
{
    if (status != OPAC_OK)
        core_raise(error, NULL);
    return status == OPAC_OK;
}

/* ---- probabilities ---- */

/* Reads the numerator or denominator; false without an exception if it is absent or too large. */
static bool read_fraction_part(PyObject *object, const char *name, int64_t *part)
{
    PyObject *value = PyObject_GetAttrString(object, name);
    PyObject *number = value != NULL ? PyNumber_Index(value) : NULL;
    long long found = number != NULL ? PyLong_AsLongLong(number) : -1;
    Py_XDECREF(value);
    Py_XDECREF(number);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    *part = found;
    return true;
}

/* Raises the error for a positive Fraction or Decimal whose nearest double is 0. */
static bool refuse_small(uint32_t target)
{
    opac_error error = {.code = OPAC_ERROR_ARGUMENT};
    snprintf(error.message, sizeof error.message,
             "the probability of the transition to state %u is too small for a double, and not 0",
             (unsigned)target);
    core_raise(&error, NULL);
    return false;
}

/* Ints and Fractions are passed on exactly. */
static bool add_branch(building *b, uint32_t target, PyObject *probability)
{
    opac_error error;
    int64_t numerator, denominator;
    double value;
    if (!PyFloat_Check(probability) && read_fraction_part(probability, "numerator", &numerator) &&
        read_fraction_part(probability, "denominator", &denominator))
        return check(opac_builder_branch_ratio(b->builder, target, numerator, denominator, &error),
                     &error);
    if (probability == Py_None) {
        PyErr_SetString(PyExc_TypeError, "a probability must be a number, not None");
        return false;
    }
    if (core_double(probability, &value) == 0)
        return false;
    if (value == 0 && !PyUnicode_Check(probability) && PyObject_IsTrue(probability) == 1)
        return refuse_small(target);
    return check(opac_builder_branch(b->builder, target, value, &error), &error);
}

/* ---- lists ---- */

/* Called with each item of an iterable. */
typedef bool (*visitor)(building *b, PyObject *item, const char *name);

static bool visit_all(building *b, PyObject *iterable, visitor visit, const char *name)
{
    PyObject *iterator = PyObject_GetIter(iterable), *item;
    bool is_good = iterator != NULL;
    while (is_good && (item = PyIter_Next(iterator)) != NULL) {
        is_good = visit(b, item, name);
        Py_DECREF(item);
    }
    Py_XDECREF(iterator);
    return is_good && !PyErr_Occurred();
}

static bool visit_branch(building *b, PyObject *pair, const char *name)
{
    uint32_t target = 0;
    PyObject *probability;
    (void)name;
    return PyArg_ParseTuple(pair, "O&O", core_uint32, &target, &probability) &&
           add_branch(b, target, probability);
}

static bool visit_choice(building *b, PyObject *choice, const char *unused)
{
    PyObject *name = NULL, *branches;
    opac_error error;
    (void)unused;
    if (!PyArg_ParseTuple(choice, "O&O", core_text, &name, &branches))
        return false;
    bool is_good = check(opac_builder_choice(b->builder, core_chars(name), &error), &error) &&
                   visit_all(b, branches, visit_branch, NULL);
    Py_DECREF(name);
    return is_good;
}

static bool set_values(building *b, PyObject *values)
{
    opac_error error;
    Py_ssize_t count = PyTuple_Size(values);
    for (Py_ssize_t i = 0; i < count; i++) {
        long long value = PyLong_AsLongLong(PyTuple_GetItem(values, i));
        if (PyErr_Occurred() ||
            !check(opac_builder_value(b->builder, (uint32_t)i, value, &error), &error))
            return false;
    }
    return count >= 0;
}

/* (values, choices) */
static bool visit_state(building *b, PyObject *state, const char *name)
{
    PyObject *values, *choices;
    opac_error error;
    (void)name;
    return PyArg_ParseTuple(state, "O!O", &PyTuple_Type, &values, &choices) &&
           check(opac_builder_state(b->builder, &error), &error) && set_values(b, values) &&
           visit_all(b, choices, visit_choice, NULL);
}

static bool visit_initial(building *b, PyObject *state, const char *name)
{
    uint32_t number = 0;
    opac_error error;
    (void)name;
    return core_uint32(state, &number) &&
           check(opac_builder_initial(b->builder, number, &error), &error);
}

static bool visit_labelled(building *b, PyObject *state, const char *name)
{
    uint32_t number = 0;
    opac_error error;
    return core_uint32(state, &number) &&
           check(opac_builder_label(b->builder, name, number, &error), &error);
}

/* (name, states) */
static bool visit_label(building *b, PyObject *label, const char *unused)
{
    PyObject *name = NULL, *states;
    opac_error error;
    (void)unused;
    if (!PyArg_ParseTuple(label, "O&O", core_text, &name, &states))
        return false;
    bool is_good =
        check(opac_builder_declare_label(b->builder, core_chars(name), &error), &error) &&
        visit_all(b, states, visit_labelled, core_chars(name));
    Py_DECREF(name);
    return is_good;
}

/* (name, is_bool, low, high) */
static bool visit_variable(building *b, PyObject *variable, const char *unused)
{
    PyObject *name = NULL;
    int is_bool;
    long long low, high;
    opac_error error;
    (void)unused;
    if (!PyArg_ParseTuple(variable, "O&pLL", core_text, &name, &is_bool, &low, &high))
        return false;
    opac_status status =
        opac_builder_variable(b->builder, core_chars(name),
                              is_bool ? OPAC_VALUE_BOOL : OPAC_VALUE_INT, low, high, &error);
    Py_DECREF(name);
    return check(status, &error);
}

/* ---- the model ---- */

static PyObject *finish(building *b, PyObject *cls, bool exact)
{
    opac_model_options options = {
        .exact = exact, .listener = core_notes_listen, .listener_context = &b->notes};
    opac_model *model = NULL;
    opac_error error;
    opac_status status = opac_builder_finish(b->builder, &options, &model, &error);
    if (status != OPAC_OK)
        return core_raise(&error, NULL);
    if (core_notes_warn(&b->notes))
        return core_model_wrap(cls, model);
    opac_model_free(model);
    return NULL;
}

/* _build(is_mdp, variables, states, initial, labels, exact) */
PyObject *core_model_build(PyObject *cls, PyObject *args)
{
    building b = {0};
    PyObject *variables, *states, *initial, *labels, *made = NULL;
    int is_mdp, exact;
    opac_error error;
    if (!PyArg_ParseTuple(args, "pOOOOp", &is_mdp, &variables, &states, &initial, &labels, &exact))
        return NULL;
    if (check(opac_builder_new(is_mdp ? OPAC_MODEL_MDP : OPAC_MODEL_DTMC, &b.builder, &error),
              &error) &&
        visit_all(&b, variables, visit_variable, NULL) &&
        visit_all(&b, states, visit_state, NULL) && visit_all(&b, initial, visit_initial, NULL) &&
        visit_all(&b, labels, visit_label, NULL))
        made = finish(&b, cls, exact != 0);
    opac_builder_free(b.builder);
    core_notes_fini(&b.notes);
    return made;
}
