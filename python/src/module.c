/* SPDX-License-Identifier: MIT */
/* The extension module omegapac._core: its initialisation, its parts and its state. */
#include "core.h"

#include <string.h>

static const core_part *const parts[] = {
    &core_automaton_part,
    &core_estimate_part,
    &core_learn_part,
    &core_model_part,
    &core_numbers_part,
    &core_policy_part,
    &core_questions_part,
    &core_report_part,
    &core_runs_part,
    &core_simulator_part,
    NULL,
};

/* ---- state ---- */

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = PyModule_GetState(module);
    for (int i = 0; i < CORE_TYPES; i++) {
        Py_VISIT(state->types[i]);
        Py_VISIT(state->classes[i]);
    }
    Py_VISIT(state->errors);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    for (int i = 0; i < CORE_TYPES; i++) {
        Py_CLEAR(state->types[i]);
        Py_CLEAR(state->classes[i]);
    }
    Py_CLEAR(state->errors);
    return 0;
}

static void release(void *module)
{
    clear(module);
}

/* adopt(cls): registers the class of new objects of the type from which it derives. Returns cls. */
static PyObject *adopt(PyObject *module, PyObject *cls)
{
    core_state *state = PyModule_GetState(module);
    for (int i = 0; i < CORE_TYPES; i++)
        if (state->types[i] != NULL && PyType_Check(cls) &&
            PyType_IsSubtype((PyTypeObject *)cls, (PyTypeObject *)state->types[i])) {
            Py_INCREF(cls);
            PyObject *old = state->classes[i];
            state->classes[i] = cls;
            Py_XDECREF(old);
            Py_INCREF(cls);
            return cls;
        }
    PyErr_SetString(PyExc_TypeError, "expected a class that derives from a type of this module");
    return NULL;
}

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return core_str(opac_version());
}

static PyMethodDef functions[] = {
    {"adopt", adopt, METH_O, NULL},
    {"version", version, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "omegapac._core",
    .m_doc = "The C extension of omegapac. It is private: use the package omegapac.",
    .m_size = sizeof(core_state),
    .m_methods = functions,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

core_state *core_get(void)
{
    return PyModule_GetState(PyState_FindModule(&definition));
}

/* ---- objects ---- */

void *core_make_as(PyObject *cls, core_type type)
{
    (void)type;
    allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_alloc);
    return allocate((PyTypeObject *)cls, 0);
}

void *core_make(core_type type)
{
    return core_make_as(core_get()->classes[type], type);
}

bool core_is(PyObject *object, core_type type)
{
    return PyObject_TypeCheck(object, (PyTypeObject *)core_get()->types[type]);
}

bool core_expect(PyObject *object, core_type type, const char *what)
{
    static const char *const names[CORE_TYPES] = {"a Model", "an Automaton", "a Policy",
                                                  "a Simulator", "a learning run"};
    if (core_is(object, type))
        return true;
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "%s must be %s, not %S", what, names[type], name);
    Py_XDECREF(name);
    return false;
}

PyObject *core_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args;
    (void)kwargs;
    PyObject *name = PyObject_GetAttrString((PyObject *)type, "__name__");
    if (name != NULL)
        PyErr_Format(PyExc_TypeError,
                     "%S objects cannot be created directly: use its class methods or results",
                     name);
    Py_XDECREF(name);
    return NULL;
}

void core_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release_memory = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release_memory(self);
    Py_DECREF(type);
}

/* ---- initialisation ---- */

static bool add_type(PyObject *module, core_state *state, const core_part_type *part)
{
    PyObject *type = PyType_FromSpec(part->spec);
    const char *dot = strrchr(part->spec->name, '.');
    if (type == NULL)
        return false;
    state->types[part->id] = type;
    Py_INCREF(type);
    state->classes[part->id] = type;
    Py_INCREF(type);
    if (PyModule_AddObject(module, dot + 1, type) == 0)
        return true;
    Py_DECREF(type);
    return false;
}

static bool add_part(PyObject *module, core_state *state, const core_part *part)
{
    for (size_t i = 0; i < part->type_count; i++)
        if (!add_type(module, state, &part->types[i]))
            return false;
    return part->functions == NULL || PyModule_AddFunctions(module, part->functions) == 0;
}

PyMODINIT_FUNC PyInit__core(void);

/* Callbacks run in threads that Python did not start, and PyGILState_Ensure attaches those to the
 * main interpreter. */
static bool is_main_interpreter(void)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0)
        return true;
    PyErr_SetString(
        PyExc_ImportError,
        "omegapac cannot be imported in a subinterpreter, only in the main interpreter");
    return false;
}

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = is_main_interpreter() ? PyModule_Create(&definition) : NULL;
    if (module == NULL)
        return NULL;
    core_state *state = PyModule_GetState(module);
    state->errors = PyImport_ImportModule("omegapac.errors");
    bool is_good = state->errors != NULL;
    for (size_t i = 0; parts[i] != NULL && is_good; i++)
        is_good = add_part(module, state, parts[i]);
    if (is_good)
        return module;
    Py_DECREF(module);
    return NULL;
}
