/* SPDX-License-Identifier: MIT */
/* Computations that need no model: sample sizes, the binomial distribution, speeds of sampling loops. */
#include "core.h"

/* ---- sample sizes ---- */

/* An int, or beyond 64 bits the nearest float. */
static PyObject *count(const opac_count *number)
{
    return number->value == UINT64_MAX ? PyFloat_FromDouble(number->approximate)
                                       : PyLong_FromUnsignedLongLong(number->value);
}

static bool read_params(PyObject *given, opac_bound_params *params)
{
    return PyArg_ParseTuple(given, "O&O&O&O&O&O&", core_uint64, &params->states, core_uint64,
                            &params->actions, core_uint64, &params->horizon, core_double,
                            &params->epsilon, core_double, &params->delta, core_uint64,
                            &params->branching) != 0;
}

/* sample_size((N, K, T, epsilon, delta, m), rule, accuracy) */
static PyObject *sample_size(PyObject *module, PyObject *args)
{
    PyObject *given, *rule_text = NULL;
    double accuracy = 0;
    opac_bound_params params = {.states = 0};
    opac_k_rule rule;
    opac_count k;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O&O&", &PyTuple_Type, &given, core_text, &rule_text, core_double,
                          &accuracy))
        return NULL;
    bool is_read = read_params(given, &params);
    opac_status status = OPAC_ERROR_ARGUMENT;
    if (is_read) {
        status = opac_k_rule_parse(core_chars(rule_text), &rule, &error);
        if (status == OPAC_OK && accuracy > 0)
            status = opac_bound_k_for_accuracy(&params, accuracy, &k, &error);
        else if (status == OPAC_OK)
            status = opac_bound_k(&params, rule, &k, &error);
    }
    Py_DECREF(rule_text);
    if (!is_read)
        return NULL;
    return status == OPAC_OK ? count(&k) : core_raise(&error, NULL);
}

/* bad_steps((N, K, T, epsilon, delta, m), k, distance) */
static PyObject *bad_steps(PyObject *module, PyObject *args)
{
    PyObject *given;
    uint64_t number = 0;
    double distance = 0;
    opac_bound_params params = {.states = 0};
    opac_bound_guarantee offer;
    opac_count steps;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O&O&", &PyTuple_Type, &given, core_uint64, &number, core_double,
                          &distance) ||
        !read_params(given, &params))
        return NULL;
    opac_count k = opac_count_of(number);
    opac_status status = opac_bound_guarantee_for(&params, &k, &offer, &error);
    if (status == OPAC_OK)
        status = opac_bound_bad_steps(&params, &offer, distance, &steps, &error);
    return status == OPAC_OK ? count(&steps) : core_raise(&error, NULL);
}

/* ---- the binomial distribution ---- */

typedef double (*binomial)(uint64_t trials, double p, uint64_t successes);

/* Returns function(trials, p, successes); NULL with an exception. */
static PyObject *call_binomial(binomial function, PyObject *args)
{
    uint64_t trials = 0, successes = 0;
    double p = 0;
    if (!PyArg_ParseTuple(args, "O&O&O&", core_uint64, &trials, core_double, &p, core_uint64,
                          &successes))
        return NULL;
    if (p >= 0 && p <= 1 && trials <= UINT64_C(1) << 53)
        return PyFloat_FromDouble(function(trials, p, successes));
    PyErr_SetString(PyExc_ValueError, "p must be between 0 and 1, and trials at most 2^53");
    return NULL;
}

static PyObject *binomial_log_probability(PyObject *module, PyObject *args)
{
    (void)module;
    return call_binomial(opac_binomial_log_probability, args);
}

static PyObject *binomial_above(PyObject *module, PyObject *args)
{
    (void)module;
    return call_binomial(opac_binomial_above, args);
}

static PyObject *binomial_at_most(PyObject *module, PyObject *args)
{
    (void)module;
    return call_binomial(opac_binomial_at_most, args);
}

/* clopper_pearson(successes, trials, alpha) -> (lower, upper) */
static PyObject *clopper_pearson(PyObject *module, PyObject *args)
{
    uint64_t successes = 0, trials = 0;
    double alpha = 0, lower, upper;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&", core_uint64, &successes, core_uint64, &trials,
                          core_double, &alpha))
        return NULL;
    if (trials == 0 || successes > trials || trials > UINT64_C(1) << 53 || !(alpha > 0) ||
        !(alpha < 1)) {
        PyErr_SetString(PyExc_ValueError, "successes must be at most trials, trials between 1 and "
                                          "2^53, and alpha between 0 and 1");
        return NULL;
    }
    opac_clopper_pearson(successes, trials, alpha, &lower, &upper);
    return Py_BuildValue("(dd)", lower, upper);
}

/* ---- speeds ---- */

typedef struct measurement {
    opac_walk_options options;
    double rate;
} measurement;

static opac_status measure(void *context, const opac_cancel *cancel, opac_error *error)
{
    measurement *c = context;
    (void)cancel;
    return opac_walk_rate(&c->options, &c->rate, error);
}

/* walk_rate(states, successors, walks, threads, steps) -> steps per second */
static PyObject *walk_rate(PyObject *module, PyObject *args)
{
    measurement c = {.rate = 0};
    opac_error error = {.code = OPAC_OK};
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&", core_uint32, &c.options.states, core_uint32,
                          &c.options.successors, core_uint32, &c.options.walks, core_uint32,
                          &c.options.threads, core_uint64, &c.options.steps))
        return NULL;
    if (core_run(measure, &c, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    return PyFloat_FromDouble(c.rate);
}

static PyObject *draw_rate(PyObject *module, PyObject *draws)
{
    uint64_t number = 0;
    (void)module;
    return core_uint64(draws, &number) ? PyFloat_FromDouble(opac_draw_rate(number)) : NULL;
}

static PyMethodDef functions[] = {
    {"bad_steps", bad_steps, METH_VARARGS, NULL},
    {"binomial_above", binomial_above, METH_VARARGS, NULL},
    {"binomial_at_most", binomial_at_most, METH_VARARGS, NULL},
    {"binomial_log_probability", binomial_log_probability, METH_VARARGS, NULL},
    {"clopper_pearson", clopper_pearson, METH_VARARGS, NULL},
    {"draw_rate", draw_rate, METH_O, NULL},
    {"sample_size", sample_size, METH_VARARGS, NULL},
    {"walk_rate", walk_rate, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_numbers_part = {NULL, 0, functions};
