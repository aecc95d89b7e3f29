/* SPDX-License-Identifier: MIT */
/* The methods of the type Learning: parts of a finished run that its JSON may lack. */
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

PyObject *learn_trial(const opac_learn_report *r)
{
    if (r->trial_episodes == 0)
        Py_RETURN_NONE;
    return Py_BuildValue("(KK)", (unsigned long long)r->trial_episodes,
                         (unsigned long long)r->trial_wins);
}

PyObject *learn_answer(const opac_learn_report *r)
{
    return core_str_or_none(
        r->answer == OPAC_ANSWER_NONE ? NULL : opac_learn_enum_name(OPAC_ENUM_ANSWER, r->answer));
}

/* (gap, refutation, T, T_check, candidates, trial); what does not apply is None. */
static PyObject *bracket(PyObject *self, PyObject *unused)
{
    const opac_learn_report *r = opac_learning_report(as_learning(self)->learning);
    const char *refutation = r->refutation == OPAC_REFUTED_NONE
                                 ? NULL
                                 : opac_learn_enum_name(OPAC_ENUM_REFUTATION, r->refutation);
    (void)unused;
    if (r->horizon == 0)
        return Py_BuildValue("(NNOOKN)", learn_number(r->is_bracket ? r->gap : NAN),
                             core_str_or_none(refutation), Py_None, Py_None,
                             (unsigned long long)r->candidates, learn_trial(r));
    return Py_BuildValue("(NNKsKN)", learn_number(r->is_bracket ? r->gap : NAN),
                         core_str_or_none(refutation), (unsigned long long)r->horizon,
                         opac_learn_enum_name(OPAC_ENUM_CHECK, r->horizon_check),
                         (unsigned long long)r->candidates, learn_trial(r));
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
        PyObject *entry = Py_BuildValue("(KKKKNNNNK)", (unsigned long long)e->episode,
                                        (unsigned long long)e->step, (unsigned long long)e->known,
                                        (unsigned long long)e->horizon, learn_number(e->value),
                                        learn_number(e->lower), learn_number(e->upper),
                                        learn_number(e->truth), (unsigned long long)e->candidates);
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
    {"_bracket", bracket, METH_NOARGS, NULL},
    {"_certificate", certificate, METH_VARARGS, NULL},
    {"_times", times, METH_NOARGS, NULL},
    {"_trace", trace, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
