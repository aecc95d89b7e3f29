/* SPDX-License-Identifier: MIT */
/* Pages from results: report(text, title). */
#include "core.h"

#include <omegapac/report.h>

typedef struct question {
    opac_report_input input;
    opac_report_options options;
} question;

static opac_status write_page(const void *what, opac_output *out, opac_error *error)
{
    const question *q = what;
    return opac_report_write(&q->input, 1, &q->options, out, error);
}

/* report(text, title): results, a line each; title None: that of the first. */
static PyObject *report(PyObject *module, PyObject *args)
{
    question q = {.input = {.name = "result"}, .options = opac_report_defaults()};
    Py_ssize_t length;
    (void)module;
    if (!PyArg_ParseTuple(args, "s#z", &q.input.text, &length, &q.options.title))
        return NULL;
    q.input.length = (size_t)length;
    return core_written(write_page, &q);
}

static PyMethodDef functions[] = {{"report", report, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

const core_part core_report_part = {.functions = functions};
