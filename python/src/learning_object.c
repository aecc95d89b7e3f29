/* SPDX-License-Identifier: MIT */
/* The methods of the type Learning: parts of a finished run that its JSON does not contain. */
#include <math.h>

#include "learn.h"

static learning_object *as_learning(PyObject *object)
{
    return (learning_object *)(void *)object;
}

PyObject *learn_number(double value)
{
    if (isnan(value))
        Py_RETURN_NONE;
    return PyFloat_FromDouble(value);
}

/* (solves, resumed, seconds, sampling seconds, solving seconds): they may differ for the same seed */
static PyObject *times(PyObject *self, PyObject *unused)
{
    const opac_learn_report *r = opac_learning_report(as_learning(self)->learning);
    (void)unused;
    return Py_BuildValue("(KNddd)", (unsigned long long)r->solves, PyBool_FromLong(r->resumed),
                         r->seconds, r->sampling_seconds, r->solving_seconds);
}

static PyObject *automaton(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_automaton_copy(opac_learning_automaton(as_learning(self)->learning));
}

PyObject *learn_trace(const opac_learning *learning)
{
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(learning, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; i < count && list != NULL; i++) {
        const opac_trace_entry *e = &entries[i];
        PyObject *entry = Py_BuildValue(
            "(KKKKNNNN)", (unsigned long long)e->episode, (unsigned long long)e->step,
            (unsigned long long)e->known, (unsigned long long)e->horizon, learn_number(e->value),
            learn_number(e->lower), learn_number(e->upper), learn_number(e->truth));
        if (entry == NULL || PyList_SetItem(list, (Py_ssize_t)i, entry) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *trace(PyObject *self, PyObject *unused)
{
    (void)unused;
    return learn_trace(as_learning(self)->learning);
}

/* ---- the certificate ---- */

/* _certificate(path, model, constants) */
static PyObject *certificate(PyObject *self, PyObject *args)
{
    PyObject *path = NULL, *model = NULL, *constants = NULL;
    char digest[OPAC_DIGEST_SIZE] = "";
    opac_output *out = NULL;
    opac_error error;
    if (!PyArg_ParseTuple(args, "O&O&O&", PyUnicode_FSConverter, &path, core_path_or_none, &model,
                          core_text_or_none, &constants))
        return NULL;
    opac_status status = OPAC_OK;
    if (model != NULL)
        status = opac_digest_file(core_chars(model), digest, &error);
    const opac_certificate_inputs inputs = {.model = core_chars(model),
                                            .model_digest = model == NULL ? NULL : digest,
                                            .constants = core_chars(constants)};
    if (status == OPAC_OK)
        status = opac_output_open_file(core_chars(path), &out, &error);
    if (status == OPAC_OK) {
        status = opac_learning_write_certificate(as_learning(self)->learning, &inputs, out, &error);
        if (status == OPAC_OK)
            status = opac_output_commit(out, &error);
        opac_output_free(out);
    }
    const core_source source = {.name = core_chars(path), .is_path = true};
    if (status != OPAC_OK)
        core_raise(&error, status == OPAC_ERROR_IO ? &source : NULL);
    Py_XDECREF(path);
    Py_XDECREF(model);
    Py_XDECREF(constants);
    if (status != OPAC_OK)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef learn_methods[] = {
    {"_automaton", automaton, METH_NOARGS, NULL},
    {"_certificate", certificate, METH_VARARGS, NULL},
    {"_times", times, METH_NOARGS, NULL},
    {"_trace", trace, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
