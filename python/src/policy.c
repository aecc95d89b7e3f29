/* SPDX-License-Identifier: MIT */
/* The type Policy. It is immutable: the derived class omegapac.Policy stores the memory of a run. */
#include "core.h"

#include "keys.h"

PyObject *core_policy_wrap(opac_policy *policy, PyObject *model)
{
    core_policy *self = core_make(CORE_POLICY);
    if (self == NULL) {
        opac_policy_free(policy);
        return NULL;
    }
    self->policy = policy;
    self->model = model;
    Py_XINCREF(model);
    return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
    core_policy *self = (core_policy *)(void *)object;
    opac_policy_free(self->policy);
    Py_XDECREF(self->model);
    core_free(object);
}

static opac_policy *policy_of(PyObject *object)
{
    return ((core_policy *)(void *)object)->policy;
}

/* ---- files ---- */

static bool model_of(PyObject *given, const opac_model **model)
{
    *model = NULL;
    if (given == Py_None)
        return true;
    if (!core_expect(given, CORE_MODEL, "model"))
        return false;
    *model = ((core_model *)(void *)given)->model;
    return true;
}

/* Policy._load(path, model) */
static PyObject *load(PyObject *cls, PyObject *args)
{
    PyObject *path = NULL, *model;
    const opac_model *over;
    opac_policy *policy = NULL;
    opac_error error;
    (void)cls;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &model))
        return NULL;
    if (!model_of(model, &over)) {
        Py_DECREF(path);
        return NULL;
    }
    const core_source source = {.name = core_chars(path), .is_path = true};
    opac_status status = opac_policy_read(core_chars(path), over, &policy, &error);
    if (status != OPAC_OK)
        core_raise(&error, &source);
    Py_DECREF(path);
    return status == OPAC_OK ? core_policy_wrap(policy, over == NULL ? NULL : model) : NULL;
}

/* Policy._parse(text, model) */
static PyObject *parse(PyObject *cls, PyObject *args)
{
    PyObject *text = NULL, *model, *made = NULL;
    const opac_model *over;
    opac_policy *policy = NULL;
    opac_error error;
    (void)cls;
    if (!PyArg_ParseTuple(args, "O&O", core_text, &text, &model))
        return NULL;
    if (model_of(model, &over)) {
        const core_source source = {
            .name = "policy", .text = core_chars(text), .length = core_length(text)};
        if (opac_policy_parse(core_chars(text), core_length(text), over, &policy, &error) ==
            OPAC_OK)
            made = core_policy_wrap(policy, over == NULL ? NULL : model);
        else
            core_raise(&error, &source);
    }
    Py_DECREF(text);
    return made;
}

static opac_status write_text(const void *policy, opac_output *out, opac_error *error)
{
    (void)error;
    opac_policy_write(policy, out);
    return OPAC_OK;
}

static PyObject *text(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_write_to_str(write_text, policy_of(self));
}

static PyObject *save(PyObject *self, PyObject *args)
{
    PyObject *path = NULL;
    opac_output *out = NULL;
    opac_error error;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
        return NULL;
    opac_status status = opac_output_open_file(core_chars(path), &out, &error);
    if (status == OPAC_OK) {
        opac_policy_write(policy_of(self), out);
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

/* ---- drawings ---- */

typedef struct drawing {
    const opac_policy *policy;
    uint32_t max_states;
    uint32_t columns;
} drawing;

static opac_status write_dot(const void *what, opac_output *out, opac_error *error)
{
    const drawing *p = what;
    return opac_policy_write_dot(p->policy, p->max_states, out, error);
}

static opac_status write_svg(const void *what, opac_output *out, opac_error *error)
{
    const drawing *p = what;
    return opac_policy_write_grid_svg(p->policy, p->columns, p->max_states, out, error);
}

static PyObject *svg(PyObject *self, PyObject *args)
{
    drawing p = {policy_of(self), 1000, 0};
    if (!PyArg_ParseTuple(args, "O&O&", core_uint32, &p.max_states, core_uint32, &p.columns))
        return NULL;
    return core_write_to_str(write_svg, &p);
}

static PyObject *dot(PyObject *self, PyObject *args)
{
    drawing p = {policy_of(self), 1000, 0};
    if (!PyArg_ParseTuple(args, "O&", core_uint32, &p.max_states))
        return NULL;
    return core_write_to_str(write_dot, &p);
}

/* ---- decisions ---- */

/* _start(state number) -> memory */
static PyObject *start(PyObject *self, PyObject *args)
{
    uint32_t state = 0;
    if (!PyArg_ParseTuple(args, "O&", core_uint32, &state))
        return NULL;
    if (state >= opac_policy_states(policy_of(self)))
        return PyErr_Format(PyExc_IndexError,
                            "the model has %lu states, numbered from 0, and no "
                            "state %lu",
                            (unsigned long)opac_policy_states(policy_of(self)),
                            (unsigned long)state);
    return PyLong_FromUnsignedLong(opac_policy_start(policy_of(self), state));
}

/* _act(state number, memory) -> (number of the choice in the state, memory); policies for models only */
static PyObject *act(PyObject *self, PyObject *args)
{
    uint32_t state = 0, memory = 0;
    if (!PyArg_ParseTuple(args, "O&O&", core_uint32, &state, core_uint32, &memory))
        return NULL;
    if (((core_policy *)(void *)self)->model == NULL)
        return PyErr_Format(PyExc_TypeError, "the policy is not for a model");
    if (state >= opac_policy_states(policy_of(self)))
        return PyErr_Format(PyExc_IndexError,
                            "the model has %lu states, numbered from 0, and no "
                            "state %lu",
                            (unsigned long)opac_policy_states(policy_of(self)),
                            (unsigned long)state);
    const opac_model *model = ((core_model *)(void *)((core_policy *)(void *)self)->model)->model;
    uint32_t choice = opac_policy_act(policy_of(self), state, &memory);
    choice -= opac_model_choice_begin(model, state);
    return Py_BuildValue("(kk)", (unsigned long)choice, (unsigned long)memory);
}

/* _start_at(key) -> memory */
static PyObject *start_at(PyObject *self, PyObject *args)
{
    const char *key;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "y#", &key, &length))
        return NULL;
    return PyLong_FromUnsignedLong(opac_policy_start_at(policy_of(self), key, (size_t)length));
}

/* _act_at(key, memory) -> (action, memory) */
static PyObject *act_at(PyObject *self, PyObject *args)
{
    const char *key;
    Py_ssize_t length;
    uint32_t memory = 0;
    if (!PyArg_ParseTuple(args, "y#O&", &key, &length, core_uint32, &memory))
        return NULL;
    uint32_t action = opac_policy_act_at(policy_of(self), key, (size_t)length, &memory);
    return Py_BuildValue("(kk)", (unsigned long)action, (unsigned long)memory);
}

/* ---- attributes ---- */

/* _keys() -> list of bytes; None for a policy for a model */
static PyObject *keys(PyObject *self, PyObject *unused)
{
    const opac_policy *policy = policy_of(self);
    (void)unused;
    if (!opac_policy_has_keys(policy))
        Py_RETURN_NONE;
    PyObject *list = PyList_New(opac_policy_states(policy));
    for (uint32_t i = 0; i < opac_policy_states(policy) && list != NULL; i++) {
        size_t length;
        const void *key = opac_policy_key(policy, i, &length);
        PyObject *bytes = PyBytes_FromStringAndSize(key, (Py_ssize_t)length);
        if (bytes == NULL || PyList_SetItem(list, i, bytes) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* _action_name(state number, action) -> str; "" if the action has no name */
static PyObject *action_name(PyObject *self, PyObject *args)
{
    uint32_t state = 0, action = 0;
    if (!PyArg_ParseTuple(args, "O&O&", core_uint32, &state, core_uint32, &action))
        return NULL;
    if (state >= opac_policy_states(policy_of(self)))
        return PyErr_Format(PyExc_IndexError, "no state %lu", (unsigned long)state);
    const char *name = opac_policy_action_name(policy_of(self), state, action);
    return core_str(name == NULL ? "" : name);
}

static PyObject *get_memory(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(opac_policy_memory(policy_of(self)));
}

static PyObject *get_decisions(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(opac_policy_decisions(policy_of(self)));
}

static PyObject *get_objective(PyObject *self, void *closure)
{
    (void)closure;
    return core_str(opac_policy_objective(policy_of(self)));
}

static PyObject *get_automaton(PyObject *self, void *closure)
{
    const opac_automaton *automaton = opac_policy_automaton(policy_of(self));
    (void)closure;
    if (automaton == NULL)
        Py_RETURN_NONE;
    return core_automaton_copy(automaton);
}

static PyObject *get_model(PyObject *self, void *closure)
{
    PyObject *model = ((core_policy *)(void *)self)->model;
    (void)closure;
    if (model == NULL)
        Py_RETURN_NONE;
    Py_INCREF(model);
    return model;
}

/* ---- the part ---- */

static PyMethodDef methods[] = {
    {"_load", load, METH_VARARGS | METH_CLASS, NULL},
    {"_parse", parse, METH_VARARGS | METH_CLASS, NULL},
    {"_text", text, METH_NOARGS, NULL},
    {"_save", save, METH_VARARGS, NULL},
    {"_dot", dot, METH_VARARGS, NULL},
    {"_svg", svg, METH_VARARGS, NULL},
    {"_start", start, METH_VARARGS, NULL},
    {"_act", act, METH_VARARGS, NULL},
    {"_start_at", start_at, METH_VARARGS, NULL},
    {"_act_at", act_at, METH_VARARGS, NULL},
    {"_keys", keys, METH_NOARGS, NULL},
    {"_action_name", action_name, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"memory", get_memory, NULL, "The number of memory values.", NULL},
    {"decisions", get_decisions, NULL, "The number of decisions.", NULL},
    {"objective", get_objective, NULL, "The objective of the policy, a str.", NULL},
    {"automaton", get_automaton, NULL, "The automaton of the objective; None if unknown.", NULL},
    {"model", get_model, NULL, "The model of the policy; None for a policy for an environment.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_new, (void *)core_refuse_new},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "omegapac._core.Policy",
    .basicsize = sizeof(core_policy),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static PyObject *make_key(PyObject *module, PyObject *state)
{
    (void)module;
    return keys_make(state);
}

static const core_part_type types[] = {{CORE_POLICY, &spec}};

static PyMethodDef functions[] = {
    {"key", make_key, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_policy_part = {types, 1, functions};
