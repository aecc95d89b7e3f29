/* SPDX-License-Identifier: MIT */
/* HTML reports, and writing of files. */
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

/* report(text, title) -> HTML. text: the JSON of each result on a line; title: may be None. */
static PyObject *report(PyObject *module, PyObject *args)
{
    question q = {.input = {.name = "result"}, .options = opac_report_defaults()};
    Py_ssize_t length;
    (void)module;
    if (!PyArg_ParseTuple(args, "s#z", &q.input.text, &length, &q.options.title))
        return NULL;
    q.input.length = (size_t)length;
    return core_write_to_str(write_page, &q);
}

/* write_file(path, text): writes a file atomically. */
static PyObject *write_file(PyObject *module, PyObject *args)
{
    PyObject *path = NULL;
    const char *text;
    Py_ssize_t length;
    opac_output *out = NULL;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&s#", PyUnicode_FSConverter, &path, &text, &length))
        return NULL;
    opac_status status = opac_output_open_file(core_chars(path), &out, &error);
    if (status == OPAC_OK) {
        opac_output_write(out, text, (size_t)length);
        status = opac_output_commit(out, &error);
        opac_output_free(out);
    }
    const core_source source = {.name = core_chars(path), .is_path = true};
    if (status != OPAC_OK)
        core_raise(&error, &source);
    Py_DECREF(path);
    if (status != OPAC_OK)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {{"report", report, METH_VARARGS, NULL},
                                  {"write_file", write_file, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

const core_part core_report_part = {.functions = functions};
