/* SPDX-License-Identifier: MIT */
/* The type Model, from which the class omegapac.Model derives. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static core_model *as_model(PyObject *self)
{
    return (core_model *)self;
}

static const opac_model *model_of(PyObject *self)
{
    return as_model(self)->model;
}

/* ---- reading ---- */

typedef struct reading {
    const char *path, *text; /* one of them is not NULL */
    size_t length;
    opac_model_format format;
    opac_model_options options;
    opac_model *model;
} reading;

static opac_status read_model(void *context, const opac_cancel *cancel, opac_error *error)
{
    reading *r = context;
    r->options.cancel = cancel;
    return r->path != NULL
               ? opac_model_read(r->path, &r->options, &r->model, error)
               : opac_model_read_text(r->format, r->text, r->length, &r->options, &r->model, error);
}

/* An error if a constant was given that the model does not have. */
static opac_status check_constants(const opac_constants *constants, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], near[OPAC_SHOWN_SIZE];
    const char *unused = opac_constants_unused(constants);
    if (unused == NULL)
        return OPAC_OK;
    const char *meant = opac_constants_suggest(constants, unused);
    *error = (opac_error){.code = OPAC_ERROR_ARGUMENT};
    PyOS_snprintf(error->message, sizeof error->message,
                  "constants: the model has no constant '%s'%s%s%s",
                  opac_text_show(unused, strlen(unused), shown, sizeof shown),
                  meant != NULL ? " (did you mean " : "",
                  meant != NULL ? opac_text_show(meant, strlen(meant), near, sizeof near) : "",
                  meant != NULL ? "?)" : "");
    return error->code;
}

static opac_status add_constants(opac_constants **constants, const char *text, opac_error *error)
{
    opac_status status = opac_constants_new(constants, error);
    if (status == OPAC_OK && text != NULL)
        status = opac_constants_add(*constants, text, error);
    return status;
}

/* Makes a Model that owns the model and the constants; on failure it frees them. */
static PyObject *wrap(PyObject *cls, opac_model *model, opac_constants *constants)
{
    core_model *self = core_make_as(cls, CORE_MODEL);
    if (self == NULL) {
        opac_model_free(model);
        opac_constants_free(constants);
        return NULL;
    }
    self->model = model;
    self->constants = constants;
    return (PyObject *)self;
}

PyObject *core_model_wrap(PyObject *cls, opac_model *model)
{
    return wrap(cls != NULL ? cls : core_get()->classes[CORE_MODEL], model, NULL);
}

/* Stores the path, constants and exactness of a Model. Returns it; on failure NULL, and it is released. */
static PyObject *set_source(PyObject *self, const reading *r, const char *constants)
{
    if (self == NULL)
        return NULL;
    as_model(self)->name = r->path != NULL ? PyUnicode_DecodeFSDefault(r->path) : NULL;
    as_model(self)->is_exact = r->options.exact;
    as_model(self)->given = constants != NULL ? core_str(constants) : NULL;
    if (!PyErr_Occurred())
        return self;
    Py_DECREF(self);
    return NULL;
}

static PyObject *finish_reading(PyObject *cls, reading *r, const char *constants)
{
    core_notes notes = {0};
    core_source source = {.name = r->path != NULL ? r->path : "model",
                          .text = r->text,
                          .length = r->length,
                          .is_path = r->path != NULL};
    PyObject *made = NULL;
    opac_constants *values = NULL;
    opac_error error;
    opac_status status = add_constants(&values, constants, &error);
    if (status != OPAC_OK) {
        opac_constants_free(values);
        return core_raise(&error, &(core_source){.name = "constants",
                                                 .text = constants,
                                                 .length = constants ? strlen(constants) : 0});
    }
    r->options.constants = values;
    r->options.listener = core_notes_listen;
    r->options.listener_context = &notes;
    status = core_run(read_model, r, &error);
    if (status == OPAC_OK)
        status = check_constants(values, &error);
    if (status != OPAC_OK)
        core_notes_raise(&notes, &error, &source);
    else if (core_notes_warn(&notes)) {
        made = set_source(wrap(cls, r->model, values), r, constants);
        r->model = NULL;
        values = NULL;
    }
    opac_model_free(r->model);
    opac_constants_free(values);
    core_notes_fini(&notes);
    return made;
}

/* _load(path, constants, exact, commands, max_states, max_memory) */
static PyObject *load(PyObject *cls, PyObject *args)
{
    PyObject *path = NULL, *constants = NULL, *made;
    reading r = {0};
    int exact = 0, commands = 0;
    if (!PyArg_ParseTuple(args, "O&O&ppO&O&", PyUnicode_FSConverter, &path, core_text_or_none,
                          &constants, &exact, &commands, core_positive_uint64,
                          &r.options.max_states, core_positive_uint64, &r.options.max_memory))
        return NULL;
    r.path = core_chars(path);
    r.options.exact = exact != 0;
    r.options.commands = commands != 0;
    made = finish_reading(cls, &r, core_chars(constants));
    Py_XDECREF(path);
    Py_XDECREF(constants);
    return made;
}

static bool find_format(const char *name, const char *text, size_t length,
                        opac_model_format *format)
{
    static const char *const names[] = {"prism", "tra", "drn"};
    if (name == NULL) {
        *format = opac_model_format_guess(text, length);
        return true;
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (opac_model_format)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "format must be 'prism', 'tra' or 'drn', not '%s'", name);
    return false;
}

/* _parse(text, format, constants, exact, commands, max_states, max_memory) */
static PyObject *parse(PyObject *cls, PyObject *args)
{
    PyObject *text = NULL, *format = NULL, *constants = NULL, *made = NULL;
    reading r = {0};
    int exact = 0, commands = 0;
    if (!PyArg_ParseTuple(args, "O&O&O&ppO&O&", core_text, &text, core_text_or_none, &format,
                          core_text_or_none, &constants, &exact, &commands, core_positive_uint64,
                          &r.options.max_states, core_positive_uint64, &r.options.max_memory))
        return NULL;
    r.text = core_chars(text);
    r.length = core_length(text);
    r.options.exact = exact != 0;
    r.options.commands = commands != 0;
    if (find_format(core_chars(format), r.text, r.length, &r.format))
        made = finish_reading(cls, &r, core_chars(constants));
    Py_XDECREF(text);
    Py_XDECREF(format);
    Py_XDECREF(constants);
    return made;
}

static void dealloc(PyObject *self)
{
    opac_model_free(as_model(self)->model);
    opac_constants_free(as_model(self)->constants);
    Py_XDECREF(as_model(self)->name);
    Py_XDECREF(as_model(self)->given);
    core_free(self);
}

/* ---- attributes ---- */

static PyObject *get_type(PyObject *self, void *unused)
{
    (void)unused;
    return core_str(opac_model_type_name(opac_model_get_type(model_of(self))));
}

static PyObject *get_states(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(opac_model_states(model_of(self)));
}

static PyObject *get_choices(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(opac_model_choices(model_of(self)));
}

static PyObject *get_transitions(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(opac_model_transitions(model_of(self)));
}

static PyObject *or_none(PyObject *object)
{
    if (object == NULL)
        Py_RETURN_NONE;
    Py_INCREF(object);
    return object;
}

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused;
    return or_none(as_model(self)->name);
}

static PyObject *get_constants(PyObject *self, void *unused)
{
    (void)unused;
    return or_none(as_model(self)->given);
}

static PyObject *get_exact(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(as_model(self)->is_exact);
}

/* A tuple of names; `name` returns the name with an index. */
static PyObject *names(const opac_model *model, uint32_t count,
                       const char *(*name)(const opac_model *model, uint32_t index))
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *text = core_str(name(model, i));
        if (text == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, text) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_labels(PyObject *self, void *unused)
{
    (void)unused;
    const opac_model *model = model_of(self);
    return names(model, opac_model_label_count(model), opac_model_label);
}

static PyObject *get_actions(PyObject *self, void *unused)
{
    (void)unused;
    const opac_model *model = model_of(self);
    return names(model, opac_model_action_count(model), opac_model_action);
}

static PyObject *get_initial(PyObject *self, void *unused)
{
    (void)unused;
    const opac_model *model = model_of(self);
    uint32_t count = opac_model_initial_count(model);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *state = PyLong_FromUnsignedLong(opac_model_initial(model, i));
        if (state == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, state) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *value_of(const opac_model *model, uint32_t variable, int64_t value)
{
    return opac_model_variable_type(model, variable) == OPAC_VALUE_BOOL
               ? PyBool_FromLong(value != 0)
               : PyLong_FromLongLong(value);
}

static PyObject *range_of(const opac_model *model, uint32_t variable)
{
    int64_t low, high;
    opac_model_variable_range(model, variable, &low, &high);
    PyObject *first = value_of(model, variable, low), *last = value_of(model, variable, high);
    PyObject *pair = first != NULL && last != NULL ? PyTuple_Pack(2, first, last) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(last);
    return pair;
}

static PyObject *get_variables(PyObject *self, void *unused)
{
    (void)unused;
    const opac_model *model = model_of(self);
    PyObject *dict = PyDict_New();
    for (uint32_t i = 0; dict != NULL && i < opac_model_variable_count(model); i++)
        if (!core_put(dict, opac_model_variable(model, i), range_of(model, i)))
            Py_CLEAR(dict);
    return dict;
}

/* ---- one state ---- */

/* For the converter state_of; the caller sets the model. */
typedef struct state_argument {
    const opac_model *model;
    uint32_t state;
} state_argument;

static int state_of(PyObject *object, void *argument)
{
    state_argument *a = argument;
    PyObject *number = PyNumber_Index(object);
    if (number == NULL)
        return 0;
    long long state = PyLong_AsLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred())
        PyErr_Clear(); /* too large for a long long: state is -1, which the check below reports */
    if (state < 0 || state >= (long long)opac_model_states(a->model)) {
        PyErr_Format(PyExc_IndexError, "no state %R: the model has %lu states, numbered from 0",
                     object, (unsigned long)opac_model_states(a->model));
        return 0;
    }
    a->state = (uint32_t)state;
    return 1;
}

static PyObject *values(PyObject *self, PyObject *object)
{
    const opac_model *model = model_of(self);
    state_argument a = {.model = model};
    if (!state_of(object, &a))
        return NULL;
    PyObject *dict = PyDict_New();
    for (uint32_t i = 0; dict != NULL && i < opac_model_variable_count(model); i++)
        if (!core_put(dict, opac_model_variable(model, i),
                      value_of(model, i, opac_model_value(model, a.state, i))))
            Py_CLEAR(dict);
    return dict;
}

static PyObject *actions_in(PyObject *self, PyObject *object)
{
    const opac_model *model = model_of(self);
    state_argument a = {.model = model};
    if (!state_of(object, &a))
        return NULL;
    uint32_t first = opac_model_choice_begin(model, a.state);
    uint32_t count = opac_model_choice_count(model, a.state);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *name = core_str(opac_model_choice_action(model, first + i));
        if (name == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Finds the model's choice for a choice of a state, given by its number in the state or the name of
 * its action. */
static bool find_choice(const opac_model *model, uint32_t state, PyObject *object, uint32_t *choice)
{
    uint32_t first = opac_model_choice_begin(model, state);
    uint32_t count = opac_model_choice_count(model, state);
    uint32_t number = 0;
    if (PyUnicode_Check(object)) {
        PyObject *name = NULL;
        if (!core_text(object, &name))
            return false;
        while (number < count &&
               strcmp(opac_model_choice_action(model, first + number), core_chars(name)) != 0)
            number++;
        Py_DECREF(name);
    } else if (!core_uint32(object, &number)) {
        return false;
    }
    *choice = first + number;
    if (number < count)
        return true;
    PyErr_Format(PyExc_IndexError, "state %lu has no choice %R: it has %lu choices",
                 (unsigned long)state, object, (unsigned long)count);
    return false;
}

static PyObject *branches(const opac_model *model, uint32_t choice)
{
    PyObject *dict = PyDict_New();
    uint32_t first = opac_model_branch_begin(model, choice);
    for (uint32_t i = 0; dict != NULL && i < opac_model_branch_count(model, choice); i++) {
        PyObject *target = PyLong_FromUnsignedLong(opac_model_branch_target(model, first + i));
        PyObject *share = PyFloat_FromDouble(opac_model_branch_probability(model, first + i));
        if (target == NULL || share == NULL || PyDict_SetItem(dict, target, share) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(target);
        Py_XDECREF(share);
    }
    return dict;
}

static PyObject *successors(PyObject *self, PyObject *args)
{
    const opac_model *model = model_of(self);
    state_argument a = {.model = model};
    PyObject *given = NULL;
    uint32_t choice = 0;
    if (!PyArg_ParseTuple(args, "O&O:successors", state_of, &a, &given) ||
        !find_choice(model, a.state, given, &choice))
        return NULL;
    return branches(model, choice);
}

/* ---- propositions ---- */

/* A bit for each state, set if a proposition holds; the caller frees them. NULL with an exception. */
static uint64_t *evaluate(const opac_model *model, const char *text)
{
    opac_error error;
    uint64_t *bits = calloc(((size_t)opac_model_states(model) + 63) / 64, sizeof *bits);
    if (bits == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (opac_model_evaluate(model, text, bits, &error) == OPAC_OK)
        return bits;
    free(bits);
    core_raise(&error, &(core_source){.name = "proposition", .text = text, .length = strlen(text)});
    return NULL;
}

static PyObject *holds_at(const opac_model *model, const char *text, uint32_t state)
{
    for (uint32_t i = 0; i < opac_model_label_count(model); i++)
        if (strcmp(opac_model_label(model, i), text) == 0)
            return PyBool_FromLong(opac_model_has_label(model, state, i));
    uint64_t *bits = evaluate(model, text);
    if (bits == NULL)
        return NULL;
    bool holds_there = (bits[state / 64] >> (state % 64) & 1) != 0;
    free(bits);
    return PyBool_FromLong(holds_there);
}

static PyObject *holds(PyObject *self, PyObject *args)
{
    state_argument a = {.model = model_of(self)};
    PyObject *text = NULL;
    if (!PyArg_ParseTuple(args, "O&O&:holds", core_text, &text, state_of, &a))
        return NULL;
    PyObject *answer = holds_at(a.model, core_chars(text), a.state);
    Py_DECREF(text);
    return answer;
}

static PyObject *where(PyObject *self, PyObject *object)
{
    const opac_model *model = model_of(self);
    PyObject *text = NULL;
    if (!core_text(object, &text))
        return NULL;
    uint64_t *bits = evaluate(model, core_chars(text));
    Py_DECREF(text);
    if (bits == NULL)
        return NULL;
    PyObject *list = PyList_New(0);
    for (uint32_t s = 0; list != NULL && s < opac_model_states(model); s++) {
        if ((bits[s / 64] >> (s % 64) & 1) == 0)
            continue;
        PyObject *state = PyLong_FromUnsignedLong(s);
        if (state == NULL || PyList_Append(list, state) != 0)
            Py_CLEAR(list);
        Py_XDECREF(state);
    }
    free(bits);
    return list;
}

/* ---- the summary ---- */

typedef struct summary_work {
    const opac_model *model;
    opac_model_summary summary;
} summary_work;

static opac_status summarize(void *context, const opac_cancel *cancel, opac_error *error)
{
    summary_work *s = context;
    return opac_model_summarize(s->model, cancel, &s->summary, error);
}

/* _info() -> the JSON of the command info */
static PyObject *info(PyObject *self, PyObject *unused)
{
    (void)unused;
    summary_work s = {.model = model_of(self)};
    const opac_info_answer answer = {.model = s.model, .summary = &s.summary};
    opac_result *result;
    opac_error error;
    if (core_run(summarize, &s, &error) != OPAC_OK ||
        opac_result_of_info(&answer, NULL, &result, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    return core_consume_result(&result);
}

/* ---- writing ---- */

typedef void (*writer)(const opac_model *model, opac_output *out);

static writer find_writer(const char *kind)
{
    static const struct {
        const char *name;
        writer write;
    } all[] = {{"drn", opac_model_write_drn},
               {"tra", opac_model_write_tra},
               {"lab", opac_model_write_lab},
               {"sta", opac_model_write_sta}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, kind) == 0)
            return all[i].write;
    PyErr_Format(PyExc_ValueError, "unknown format '%s'", kind);
    return NULL;
}

typedef struct writing {
    const opac_model *model;
    writer write;
    const char *path;
} writing;

static opac_status write_file(void *context, const opac_cancel *cancel, opac_error *error)
{
    writing *w = context;
    opac_output *out;
    (void)cancel;
    opac_status status = opac_output_open_file(w->path, &out, error);
    if (status != OPAC_OK)
        return status;
    w->write(w->model, out);
    status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

/* _save(path, kind): writes a file atomically. */
static PyObject *save(PyObject *self, PyObject *args)
{
    PyObject *path = NULL, *kind = NULL, *done = NULL;
    opac_error error;
    if (!PyArg_ParseTuple(args, "O&O&", PyUnicode_FSConverter, &path, core_text, &kind))
        return NULL;
    writing w = {model_of(self), find_writer(core_chars(kind)), core_chars(path)};
    if (w.write != NULL && core_run(write_file, &w, &error) != OPAC_OK)
        core_raise(&error, NULL);
    else if (w.write != NULL)
        done = Py_None;
    Py_DECREF(path);
    Py_DECREF(kind);
    Py_XINCREF(done);
    return done;
}

static opac_status write_dot(const void *what, opac_output *out, opac_error *error)
{
    opac_status status = opac_model_write_dot(what, 1000, out, error);
    if (status == OPAC_ERROR_LIMIT)
        error->parameter = NULL; /* to_dot has no keyword for this limit */
    return status;
}

static PyObject *to_dot(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_write_to_str(write_dot, model_of(self));
}

static PyGetSetDef members[] = {
    {"type", get_type, NULL, "``\"mdp\"`` or ``\"dtmc\"``.", NULL},
    {"states", get_states, NULL, "The number of states.", NULL},
    {"choices", get_choices, NULL, "The number of choices of all states.", NULL},
    {"transitions", get_transitions, NULL, "The number of branches of all choices.", NULL},
    {"labels", get_labels, NULL, "The names of the labels, a tuple.", NULL},
    {"actions", get_actions, NULL, "The names of all actions, a tuple.", NULL},
    {"initial", get_initial, NULL, "The initial states, a tuple.", NULL},
    {"variables", get_variables, NULL,
     "The variables of the states, a dict from names to pairs (lowest, highest).", NULL},
    {"name", get_name, NULL, "The path of the file; None if the model was not read from a file.",
     NULL},
    {"constants", get_constants, NULL,
     "The given values of constants, ``\"N=3,p=0.2\"``; None if none were given.", NULL},
    {"exact", get_exact, NULL, "Whether the model was read with ``exact=True``.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(values_doc, "values($self, state, /)\n--\n\n"
                         "Returns the values of the variables in a state, a dict.");
PyDoc_STRVAR(actions_doc, "actions_in($self, state, /)\n--\n\n"
                          "Returns the names of the choices of a state, a tuple; \"\" for a choice "
                          "without a name.");
PyDoc_STRVAR(successors_doc, "successors($self, state, choice, /)\n--\n\n"
                             "Returns the successors of a choice with their probabilities, a "
                             "dict.\n\n"
                             "choice: its number in the state, from 0, or the name of its action.");
PyDoc_STRVAR(holds_doc, "holds($self, proposition, state, /)\n--\n\n"
                        "Returns whether a label, or an expression over the variables, holds in a "
                        "state.");
PyDoc_STRVAR(where_doc, "where($self, proposition, /)\n--\n\n"
                        "Returns the list of states in which a label, or an expression over the "
                        "variables, holds.");
PyDoc_STRVAR(dot_doc, "to_dot($self, /)\n--\n\n"
                      "Returns a drawing for Graphviz; more than 1000 states raise LimitError.");

static PyMethodDef methods[] = {
    {"_build", core_model_build, METH_VARARGS | METH_CLASS, NULL},
    {"_load", load, METH_VARARGS | METH_CLASS, NULL},
    {"_info", info, METH_NOARGS, NULL},
    {"_parse", parse, METH_VARARGS | METH_CLASS, NULL},
    {"_save", save, METH_VARARGS, NULL},
    {"actions_in", actions_in, METH_O, actions_doc},
    {"holds", holds, METH_VARARGS, holds_doc},
    {"successors", successors, METH_VARARGS, successors_doc},
    {"to_dot", to_dot, METH_NOARGS, dot_doc},
    {"values", values, METH_O, values_doc},
    {"where", where, METH_O, where_doc},
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
    .name = "omegapac._core.Model",
    .basicsize = sizeof(core_model),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static const core_part_type types[] = {{CORE_MODEL, &spec}};

const core_part core_model_part = {types, 1, NULL};
