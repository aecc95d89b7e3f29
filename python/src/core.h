/* SPDX-License-Identifier: MIT */
/*
 * The common interface of the files of the extension module omegapac._core. The module
 * converts between Python values and the library's; its functions take positional arguments
 * only. Keyword arguments, documentation and result classes are in Python
 * (python/omegapac), whose classes derive from the types defined here.
 *
 * Each file is a part with types and functions, listed in module.c. The module uses the
 * limited API of Python 3.9 only, so that one binary works with all later versions;
 * additions of 3.10 to this API (PyUnicode_AsUTF8AndSize, PyType_GetModule and others)
 * must not be used.
 *
 * All objects are immutable. An object holds a reference to each object from which the
 * library borrows memory.
 */
#ifndef CORE_H
#define CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#include <omegapac/omegapac.h>

/* ---- module.c: parts and state ---- */

typedef enum core_type {
    CORE_MODEL,
    CORE_AUTOMATON,
    CORE_POLICY,
    CORE_SIMULATOR,
    CORE_LEARNING,
    CORE_TYPES /* number of types */
} core_type;

typedef struct core_part_type {
    core_type id;
    PyType_Spec *spec;
} core_part_type;

typedef struct core_part {
    const core_part_type *types; /* type_count of them */
    size_t type_count;
    PyMethodDef
        *functions; /* functions of the module, ended by an entry without a name; may be NULL */
} core_part;

extern const core_part core_automaton_part, core_estimate_part, core_learn_part, core_model_part,
    core_numbers_part, core_policy_part, core_questions_part, core_report_part, core_runs_part,
    core_simulator_part;

typedef struct core_state {
    PyObject *types[CORE_TYPES]; /* the types defined by the extension */
    PyObject *classes
        [CORE_TYPES]; /* the class of new objects: the type, or the class derived in Python */
    PyObject *errors; /* the Python module omegapac.errors */
} core_state;

/* The module's state; not NULL after initialisation. The caller must hold the GIL. */
core_state *core_get(void);

/* Allocates an object of the class for a type. Members after PyObject_HEAD are zero. */
void *core_make(core_type type);
/* Allocates an object of class cls, which must derive from the type; for class methods. */
void *core_make_as(PyObject *cls, core_type type);
bool core_is(PyObject *object, core_type type);
/* False with a TypeError such as "model must be a Model, not int" if the type differs. */
bool core_expect(PyObject *object, core_type type, const char *what);

/* The tp_new of types whose objects are created by functions only: raises TypeError. */
PyObject *core_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
/* Frees an object; called at the end of each dealloc, after the members are released. */
void core_free(PyObject *self);

/* ---- convert.c: conversion of values ---- */

/*
 * Converter for "O&": a str as UTF-8 in a bytes object, which the caller releases
 * (PyArg_Parse does so if a later argument fails). A text with a NUL raises ValueError.
 * The variants _or_none convert None to NULL. PyUnicode_FSConverter converts paths.
 */
int core_text(PyObject *object, void *bytes);
int core_text_or_none(PyObject *object, void *bytes);
int core_path_or_none(PyObject *object, void *bytes);
/* The characters of a bytes object; NULL for NULL. */
const char *core_chars(PyObject *bytes);
size_t core_length(PyObject *bytes);

/*
 * Converters for "O&" to numbers. None leaves the variable unchanged. The variants _positive_
 * raise ValueError for 0, because 0 in the library's options means "not given", which in Python
 * is None.
 */

/* To a double: an int, a float, a Fraction, or a text such as "1/60". */
int core_double(PyObject *object, void *number);
int core_positive_double(PyObject *object, void *number);
/* To a uint64_t: an int, a float without a fractional part, or a text such as "1e9". */
int core_uint64(PyObject *object, void *number);
int core_positive_uint64(PyObject *object, void *number);
/* To an unsigned or a uint32_t. */
int core_uint32(PyObject *object, void *number);
int core_positive_uint32(PyObject *object, void *number);
/* To an opac_automaton_kind. */
int core_kind(PyObject *object, void *kind);

/* Converts a text of the library to a str; bytes that are not UTF-8 are replaced. */
PyObject *core_str(const char *text);
PyObject *core_str_or_none(const char *text);
PyObject *core_str_of(const char *bytes, size_t length);
/* Returns the JSON of a result as a str, frees the result and sets it to NULL. */
PyObject *core_consume_result(opac_result **result);
/* Sets a member of a dict and takes the reference to the value. False with an exception, also if
 * the value is NULL. */
bool core_put(PyObject *dict, const char *key, PyObject *value);

/* Returns the output of a function as a str. */
typedef opac_status (*core_writer)(const void *what, opac_output *out, opac_error *error);
PyObject *core_write_to_str(core_writer writer, const void *what);

/* ---- errors.c: errors and warnings ---- */

/*
 * The origin of a text: its name for messages ("formula", a path), and the
 * text itself for the excerpt with the caret.
 */
typedef struct core_source {
    const char *name;
    const char *text; /* NULL if unknown */
    size_t length;
    bool is_path; /* name is a path: I/O errors raise FileNotFoundError and so on */
} core_source;

/* Raises an error as an exception and returns NULL. source may be NULL. For OPAC_ERROR_CANCELLED an
 * exception that is already set is kept. */
PyObject *core_raise(const opac_error *error, const core_source *source);

/*
 * Messages that the library reports during a computation, collected without the GIL: the
 * position of the first error, and all warnings. All zeros is the empty collection.
 */
typedef struct core_notes {
    char **texts; /* count of them */
    size_t count;
    char *path, *excerpt; /* of the first error; NULL if unknown */
    size_t excerpt_length;
    uint32_t line, column; /* of the first error; line is 0 if there was none */
    bool is_full;          /* out of memory, or too many: further messages are dropped */
} core_notes;

void core_notes_listen(void *notes, const opac_message *message);
void core_notes_notice(void *notes, uint32_t line, uint32_t column, const char *text);
/* Raises the error with the position of the first collected error. Returns NULL. */
PyObject *core_notes_raise(const core_notes *notes, const opac_error *error,
                           const core_source *source);
/* Issues the warnings; false if a warning filter turned one into an exception. */
bool core_notes_warn(const core_notes *notes);
void core_notes_fini(core_notes *notes);

/* ---- run.c: long computations ---- */

/* A computation that runs without the GIL and must not call Python. */
typedef opac_status (*core_work)(void *context, const opac_cancel *cancel, opac_error *error);

/*
 * Runs the work in a new thread. The calling thread waits without the GIL and handles
 * Python's signals twenty times a second. If a handler raises (KeyboardInterrupt on Ctrl-C),
 * the work is cancelled and awaited, and OPAC_ERROR_CANCELLED is returned with the exception
 * set. This is so even if the work has just succeeded, so that no exception is lost; the
 * caller then releases the work's results.
 */
opac_status core_run(core_work work, void *context, opac_error *error);
/* As core_run, with OPAC_ERROR_LIMIT after this many seconds (0: no limit). */
opac_status core_run_for(core_work work, void *context, double seconds, opac_error *error);
/* As core_run, with the caller's cancellation handle, which other threads may use. */
opac_status core_run_with(core_work work, void *context, opac_cancel *cancel, opac_error *error);
/* Turns OPAC_ERROR_CANCELLED into OPAC_ERROR_LIMIT if the reason is the handle's deadline. */
opac_status core_report_deadline(opac_status status, const opac_cancel *cancel, opac_error *error);

/* ---- objects ---- */

typedef struct core_model {
    PyObject_HEAD opac_model *model;
    opac_constants *constants; /* the constants it was read with, for properties; needs the GIL */
    PyObject *name, *given;    /* its path and the text of its constants, as str; NULL if none */
    bool is_exact;             /* read with exact=True */
} core_model;

typedef struct core_automaton {
    PyObject_HEAD opac_automaton *automaton;
} core_automaton;

typedef struct core_policy {
    PyObject_HEAD opac_policy *policy;
    PyObject *model; /* the Model from which it borrows; NULL for a policy of an environment */
} core_policy;

/* The functions _wrap make a Python object that owns the library's object; on failure they free it. */
/* cls: as for core_make_as; NULL: the class registered for models. */
PyObject *core_model_wrap(PyObject *cls, opac_model *model);
PyObject *core_automaton_wrap(opac_automaton *automaton);
/* Makes a Python object from a copy of an automaton. */
PyObject *core_automaton_copy(const opac_automaton *automaton);
/* model: a core_model, or NULL. */
PyObject *core_policy_wrap(opac_policy *policy, PyObject *model);

/* ---- build.c ---- */

/* The class method Model._build. */
PyObject *core_model_build(PyObject *cls, PyObject *args);

/* ---- objective.c: objectives ---- */

/* An objective with all objects from which it borrows. */
typedef struct core_objective {
    opac_objective objective;
    opac_formula *formula;
    opac_properties *properties;
    PyObject *text; /* bytes: the objective for messages and results */
    PyObject *name; /* bytes: the name of a property; NULL if none */
    PyObject *given;
    core_notes notes;
} core_objective;

/*
 * Reads an objective. given: a str (LTL) or an Automaton, or with is_property a str (a PRISM
 * property). model: a core_model, whose labels and variables the objective may use; or NULL.
 * False with an exception. The caller calls core_objective_fini in any case.
 */
bool core_objective_init(core_objective *objective, PyObject *given, bool is_property,
                         bool minimize, PyObject *model);
void core_objective_fini(core_objective *objective);

#endif
