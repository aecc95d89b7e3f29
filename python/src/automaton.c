/* SPDX-License-Identifier: MIT */
/* The type Automaton: ω-automata. */
#include "core.h"

#include <string.h>

static const opac_automaton *automaton_of(PyObject *self)
{
    return ((core_automaton *)self)->automaton;
}

static PyObject *wrap(PyObject *cls, opac_automaton *automaton)
{
    core_automaton *self = core_make_as(cls, CORE_AUTOMATON);
    if (self == NULL) {
        opac_automaton_free(automaton);
        return NULL;
    }
    self->automaton = automaton;
    return (PyObject *)self;
}

PyObject *core_automaton_wrap(opac_automaton *automaton)
{
    return wrap(core_get()->classes[CORE_AUTOMATON], automaton);
}

static void dealloc(PyObject *self)
{
    opac_automaton_free(((core_automaton *)self)->automaton);
    core_free(self);
}

/* ---- from formulas ---- */

typedef struct translation {
    const opac_formula *formula;
    const opac_automaton *given; /* the automaton to convert, if formula is NULL */
    opac_automaton_options options;
    double max_seconds; /* 0: no limit */
    opac_automaton *automaton;
} translation;

static opac_status translate_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    translation *t = context;
    t->options.cancel = cancel;
    return t->formula != NULL
               ? opac_automaton_translate(t->formula, &t->options, &t->automaton, error)
               : opac_automaton_convert(t->given, &t->options, &t->automaton, error);
}

static int acceptance_of(PyObject *object, void *acceptance)
{
    PyObject *bytes = NULL;
    opac_error error;
    if (!core_text(object, &bytes))
        return 0;
    opac_status status = opac_acceptance_parse(core_chars(bytes), acceptance, &error);
    Py_DECREF(bytes);
    if (status != OPAC_OK)
        core_raise(&error, NULL);
    return status == OPAC_OK;
}

static PyObject *finish(PyObject *cls, translation *t, const core_source *source)
{
    opac_error error;
    opac_status status = core_run_for(translate_work, t, t->max_seconds, &error);
    if (status == OPAC_OK)
        return wrap(cls, t->automaton);
    opac_automaton_free(t->automaton);
    if (error.parameter != NULL && strcmp(error.parameter, "state_limit") == 0)
        error.parameter = "max_states"; /* the keyword of translate and convert */
    return core_raise(&error, source);
}

static PyObject *translate_text(PyObject *cls, translation *t, const char *text, bool is_prism)
{
    core_source source = {.name = "formula", .text = text, .length = strlen(text)};
    opac_formula *formula = NULL;
    opac_error error;
    opac_status status = is_prism ? opac_formula_parse_prism(text, NULL, &formula, &error)
                                  : opac_formula_parse(text, NULL, &formula, &error);
    if (status != OPAC_OK)
        return core_raise(&error, &source);
    t->formula = formula;
    PyObject *made = finish(cls, t, NULL);
    opac_formula_free(formula);
    return made;
}

/* _translate(formula, prism, kind, acceptance, state_based, complete, max_states, max_seconds) */
static PyObject *translate(PyObject *cls, PyObject *args)
{
    translation t = {0};
    PyObject *text = NULL;
    int prism, state_based, complete;
    if (!PyArg_ParseTuple(args, "O&pO&O&ppO&O&", core_text, &text, &prism, core_kind,
                          &t.options.kind, acceptance_of, &t.options.acceptance, &state_based,
                          &complete, core_positive_uint32, &t.options.state_limit,
                          core_positive_double, &t.max_seconds))
        return NULL;
    t.options.state_based = state_based != 0;
    t.options.complete = complete != 0;
    PyObject *made = translate_text(cls, &t, core_chars(text), prism != 0);
    Py_DECREF(text);
    return made;
}

/* _convert(kind, acceptance, state_based, complete, max_states, max_seconds) */
static PyObject *convert(PyObject *self, PyObject *args)
{
    translation t = {.given = automaton_of(self)};
    int state_based, complete;
    if (!PyArg_ParseTuple(args, "O&O&ppO&O&", core_kind, &t.options.kind, acceptance_of,
                          &t.options.acceptance, &state_based, &complete, core_positive_uint32,
                          &t.options.state_limit, core_positive_double, &t.max_seconds))
        return NULL;
    t.options.state_based = state_based != 0;
    t.options.complete = complete != 0;
    return finish((PyObject *)Py_TYPE(self), &t, NULL);
}

/* ---- from HOA ---- */

/* Reads all automata of a text into a list. */
static PyObject *read_all(PyObject *cls, opac_hoa_reader *reader, const core_source *source)
{
    PyObject *list = PyList_New(0);
    opac_automaton *automaton = NULL;
    opac_error error;
    while (list != NULL) {
        if (opac_hoa_reader_next(reader, &automaton, &error) != OPAC_OK) {
            Py_DECREF(list);
            return core_raise(&error, source);
        }
        if (automaton == NULL)
            return list;
        PyObject *made = wrap(cls, automaton);
        if (made == NULL || PyList_Append(list, made) != 0)
            Py_CLEAR(list);
        Py_XDECREF(made);
    }
    return NULL;
}

/* _parse(text, name) */
static PyObject *parse(PyObject *cls, PyObject *args)
{
    PyObject *text = NULL, *name = NULL, *list = NULL;
    core_notes notes = {0};
    opac_hoa_reader *reader;
    opac_error error;
    if (!PyArg_ParseTuple(args, "O&O&", core_text, &text, core_text, &name))
        return NULL;
    core_source source = {
        .name = core_chars(name), .text = core_chars(text), .length = core_length(text)};
    if (opac_hoa_reader_new(source.text, source.length, core_notes_notice, &notes, &reader,
                            &error) != OPAC_OK) {
        core_raise(&error, &source);
    } else {
        list = read_all(cls, reader, &source);
        opac_hoa_reader_free(reader);
    }
    if (list != NULL && !core_notes_warn(&notes))
        Py_CLEAR(list);
    core_notes_fini(&notes);
    Py_DECREF(text);
    Py_DECREF(name);
    return list;
}

/* Copies by writing and reading HOA, which preserves the automaton. */
PyObject *core_automaton_copy(const opac_automaton *automaton)
{
    opac_output *out;
    opac_hoa_reader *reader;
    opac_automaton *made = NULL;
    opac_error error;
    size_t length;
    opac_status status = opac_output_open_memory(&out, &error);
    if (status != OPAC_OK)
        return core_raise(&error, NULL);
    opac_automaton_write_hoa(automaton, out);
    const char *text = opac_output_bytes(out, &length);
    status = text != NULL ? opac_hoa_reader_new(text, length, NULL, NULL, &reader, &error)
                          : opac_output_commit(out, &error);
    if (text != NULL && status == OPAC_OK) {
        status = opac_hoa_reader_next(reader, &made, &error);
        opac_hoa_reader_free(reader);
    }
    opac_output_free(out);
    return status == OPAC_OK ? core_automaton_wrap(made) : core_raise(&error, NULL);
}

/* ---- writing ---- */

static opac_status write_hoa(const void *what, opac_output *out, opac_error *error)
{
    (void)error;
    opac_automaton_write_hoa(what, out);
    return OPAC_OK;
}

static opac_status write_dot(const void *what, opac_output *out, opac_error *error)
{
    (void)error;
    opac_automaton_write_dot(what, out);
    return OPAC_OK;
}

static opac_status write_svg(const void *what, opac_output *out, opac_error *error)
{
    opac_status status = opac_automaton_write_svg(what, 0, NULL, out, error);
    if (status == OPAC_ERROR_LIMIT)
        error->parameter = NULL; /* to_svg has no keyword for this limit */
    return status;
}

static opac_status write_acceptance(const void *what, opac_output *out, opac_error *error)
{
    (void)error;
    opac_automaton_write_acceptance(what, out);
    return OPAC_OK;
}

static opac_status write_acceptance_name(const void *what, opac_output *out, opac_error *error)
{
    (void)error;
    opac_automaton_write_acceptance_name(what, out);
    return OPAC_OK;
}

static PyObject *to_hoa(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_write_to_str(write_hoa, automaton_of(self));
}

static PyObject *to_dot(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_write_to_str(write_dot, automaton_of(self));
}

static PyObject *to_svg(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_write_to_str(write_svg, automaton_of(self));
}

/* ---- attributes ---- */

static PyObject *get_states(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(opac_automaton_states(automaton_of(self)));
}

static PyObject *get_edges(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(opac_automaton_edges(automaton_of(self)));
}

static PyObject *get_marks(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(opac_automaton_marks(automaton_of(self)));
}

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused;
    return core_str_or_none(opac_automaton_name(automaton_of(self)));
}

static PyObject *get_propositions(PyObject *self, void *unused)
{
    (void)unused;
    const opac_automaton *automaton = automaton_of(self);
    size_t count = opac_automaton_proposition_count(automaton);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *name = core_str(opac_automaton_proposition(automaton, i));
        if (name == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_acceptance(PyObject *self, void *unused)
{
    (void)unused;
    return core_write_to_str(write_acceptance, automaton_of(self));
}

static PyObject *get_acceptance_name(PyObject *self, void *unused)
{
    (void)unused;
    return core_write_to_str(write_acceptance_name, automaton_of(self));
}

static PyObject *get_deterministic(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(opac_automaton_is_deterministic(automaton_of(self)));
}

static PyObject *get_complete(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(opac_automaton_is_complete(automaton_of(self)));
}

static PyGetSetDef members[] = {
    {"states", get_states, NULL, "The number of states.", NULL},
    {"edges", get_edges, NULL, "The number of edges.", NULL},
    {"marks", get_marks, NULL, "The number of marks (acceptance sets).", NULL},
    {"name", get_name, NULL, "The formula, or the name in the HOA file; may be None.", NULL},
    {"propositions", get_propositions, NULL, "The names of the propositions, a tuple of str.",
     NULL},
    {"acceptance", get_acceptance, NULL,
     "The acceptance condition in HOA's syntax: \"Inf(0) & Fin(1)\".", NULL},
    {"acceptance_name", get_acceptance_name, NULL,
     "The name of the acceptance condition: \"Buchi\", \"Rabin 1\", \"Emerson-Lei\" and so on.",
     NULL},
    {"deterministic", get_deterministic, NULL,
     "Whether it has one initial state, and in each state at most one edge for each letter.", NULL},
    {"complete", get_complete, NULL, "Whether each state has an edge for each letter.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"_translate", translate, METH_VARARGS | METH_CLASS, NULL},
    {"_parse", parse, METH_VARARGS | METH_CLASS, NULL},
    {"_convert", convert, METH_VARARGS, NULL},
    {"to_hoa", to_hoa, METH_NOARGS,
     "to_hoa($self, /)\n--\n\nReturns the automaton in the Hanoi omega-automata format."},
    {"to_dot", to_dot, METH_NOARGS, "to_dot($self, /)\n--\n\nReturns a drawing for Graphviz."},
    {"to_svg", to_svg, METH_NOARGS,
     "to_svg($self, /)\n--\n\n"
     "Returns a drawing as SVG; more than 100 states raise LimitError."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, core_refuse_new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "omegapac._core.Automaton",
    .basicsize = sizeof(core_automaton),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static const core_part_type types[] = {{CORE_AUTOMATON, &spec}};

const core_part core_automaton_part = {types, 1, NULL};
