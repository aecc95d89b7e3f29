/* SPDX-License-Identifier: MIT */
/*
 * What the files of the extension module share. The module is thin: it turns
 * Python values into the library's and back, and knows no keyword arguments.
 * Those, the documentation and the shape of results are in Python
 * (python/omegapac), which derives its classes from the types here.
 *
 * A file of the module is a part: it has types and functions, and module.c
 * lists it. Only the limited API of Python 3.9 is used, so one binary serves
 * all later versions; what 3.10 added to it (PyUnicode_AsUTF8AndSize,
 * PyType_GetModule and others) is not there.
 *
 * All objects are immutable. What the library borrows, an object keeps alive
 * by a reference.
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
    CORE_TYPES /* how many */
} core_type;

typedef struct core_part_type {
    core_type id;
    PyType_Spec *spec;
} core_part_type;

typedef struct core_part {
    const core_part_type *types; /* count of them */
    size_t type_count;
    PyMethodDef *functions; /* of the module, up to one without a name; NULL: none */
} core_part;

extern const core_part core_automaton_part, core_estimate_part, core_learn_part, core_model_part,
    core_numbers_part, core_policy_part, core_questions_part, core_report_part, core_runs_part,
    core_simulator_part;

typedef struct core_state {
    PyObject *types[CORE_TYPES];   /* as defined here; NULL: there is no such type */
    PyObject *classes[CORE_TYPES]; /* what is made: the type, or the class that Python derives */
    PyObject *errors;              /* the Python module omegapac.errors */
} core_state;

/* Never NULL behind the initialisation. Needs the GIL. */
core_state *core_get(void);

/* A new object of the class for a type, zeroed behind its head. */
void *core_make(core_type type);
/* The same of a given class, for class methods; it must derive from the type. */
void *core_make_as(PyObject *cls, core_type type);
bool core_is(PyObject *object, core_type type);
/* False with a TypeError "model must be a Model, not int". */
bool core_expect(PyObject *object, core_type type, const char *what);

/* The tp_new of types that are made by functions only. */
PyObject *core_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
/* The end of each dealloc, behind the release of the members. */
void core_free(PyObject *self);

/* ---- convert.c: values ---- */

/*
 * For "O&": the argument's UTF-8 as a bytes object, which the caller releases
 * (PyArg_Parse does so when a later argument fails). A NUL in it is refused.
 * With _or_none, None gives NULL. For paths there is PyUnicode_FSConverter.
 */
int core_text(PyObject *object, void *bytes);
int core_text_or_none(PyObject *object, void *bytes);
int core_path_or_none(PyObject *object, void *bytes);
/* The characters of such an object; NULL for NULL. */
const char *core_chars(PyObject *bytes);
size_t core_length(PyObject *bytes);

/* For "O&", to a double: an int, a float, a Fraction, or a text such as "1/60". None: as it is. */
int core_number(PyObject *object, void *number);
/* The same, of a number above 0: there 0 stands for what is not given, which None says. */
int core_positive(PyObject *object, void *number);
/* For "O&", to a uint64_t: an int, a float without a fraction, or a text such as "1e9".
 * None: as it is. */
int core_whole(PyObject *object, void *whole);
/* For "O&", to an unsigned or a uint32_t. None: as it is. */
int core_small(PyObject *object, void *number);
/* The same two, of a number above 0. */
int core_above_zero(PyObject *object, void *whole);
int core_small_above_zero(PyObject *object, void *number);
int core_kind(PyObject *object, void *kind); /* to an opac_automaton_kind; None: as it is */

/* Text of the library, bytes that are no UTF-8 replaced. */
PyObject *core_str(const char *text);
PyObject *core_str_or_none(const char *text);
PyObject *core_str_of(const char *bytes, size_t length);
/* The JSON of a result, which is freed and set to NULL. */
PyObject *core_take_result(opac_result **result);
/* Sets a member of a dict and takes the reference; false when value is NULL or it fails. */
bool core_put(PyObject *dict, const char *key, PyObject *value);

/* What a function writes, as str. */
typedef opac_status (*core_writer)(const void *what, opac_output *out, opac_error *error);
PyObject *core_written(core_writer writer, const void *what);

/* ---- errors.c: errors and warnings ---- */

/*
 * Where a text came from: its name for messages ("formula", a path), and the
 * text itself for the line with the caret. is_path: an error of the operating
 * system is then told as Python does (FileNotFoundError and so on).
 */
typedef struct core_source {
    const char *name;
    const char *text; /* NULL: unknown */
    size_t length;
    bool is_path;
} core_source;

/* Raises; returns NULL. source may be NULL. Cancelled: keeps what is raised already. */
PyObject *core_raise(const opac_error *error, const core_source *source);

/*
 * What the library says on the way, gathered without the GIL: the first error
 * with a place, and all warnings. All zeros is empty.
 */
typedef struct core_notes {
    char **texts; /* count of them */
    size_t count;
    char *path, *excerpt; /* of the first error; NULL: unknown */
    size_t excerpt_length;
    uint32_t line, column; /* line 0: there was none */
    bool is_full;          /* out of memory, or too many: later ones are dropped */
} core_notes;

void core_notes_listen(void *notes, const opac_message *message);
void core_notes_notice(void *notes, uint32_t line, uint32_t column, const char *text);
/* Raises the error, with the place of the first error that was heard. Returns NULL. */
PyObject *core_notes_raise(const core_notes *notes, const opac_error *error,
                           const core_source *source);
/* Issues the warnings; false when one of them was made an exception. */
bool core_notes_warn(const core_notes *notes);
void core_notes_fini(core_notes *notes);

/* ---- run.c: long computations ---- */

/* Works without the GIL, and without touching Python. */
typedef opac_status (*core_work)(void *context, const opac_cancel *cancel, opac_error *error);

/*
 * Does the work in a thread of its own. The calling thread waits without the
 * GIL, and looks after Python's signals twenty times a second: when a handler
 * raises (Ctrl-C: KeyboardInterrupt), the work is asked to stop, waited for,
 * and OPAC_ERROR_CANCELLED is returned with the exception set (also when the
 * work was done just then, so that no exception is lost: look at the status
 * alone, and release what there is).
 */
opac_status core_run(core_work work, void *context, opac_error *error);
/* The same for at most so many seconds (0: any number): beyond them OPAC_ERROR_LIMIT. */
opac_status core_run_for(core_work work, void *context, double seconds, opac_error *error);
/* OPAC_ERROR_LIMIT for a status that is OPAC_ERROR_CANCELLED because of the handle's deadline. */
opac_status core_name_late(opac_status status, const opac_cancel *cancel, opac_error *error);
/* The same with a handle of the caller's, which others may have, too. */
opac_status core_run_with(core_work work, void *context, opac_cancel *cancel, opac_error *error);

/* ---- objects ---- */

typedef struct core_model {
    PyObject_HEAD opac_model *model;
    opac_constants *constants; /* what it was read with, for properties; used with the GIL only */
    PyObject *name, *given;    /* its path and the text of its constants, as str; NULL: none */
    bool is_exact;             /* read with exact=True */
} core_model;

typedef struct core_automaton {
    PyObject_HEAD opac_automaton *automaton;
} core_automaton;

typedef struct core_policy {
    PyObject_HEAD opac_policy *policy;
    PyObject *model; /* whom it borrows from; NULL: it is of a simulator */
} core_policy;

/* New objects that own what is given, also when they fail. */
/* cls: as for core_make_as; NULL: the usual one. */
PyObject *core_model_wrap(PyObject *cls, opac_model *model);
PyObject *core_automaton_wrap(opac_automaton *automaton);
/* A copy of an automaton that something else owns. */
PyObject *core_automaton_copy(const opac_automaton *automaton);
/* model: a core_model, or NULL. */
PyObject *core_policy_wrap(opac_policy *policy, PyObject *model);

/* ---- build.c ---- */

/* The class method _build of models. */
PyObject *core_model_build(PyObject *cls, PyObject *args);

/* ---- objective.c: what is asked for ---- */

/*
 * An objective with all that it borrows. given: a str (LTL), an Automaton, or
 * with is_property a str (a PRISM property). model: a core_model, whose labels
 * and variables are known; NULL: none.
 */
typedef struct core_objective {
    opac_objective objective;
    opac_formula *formula;
    opac_properties *properties;
    PyObject *text; /* bytes: how people call it */
    PyObject *name; /* bytes, of a property; NULL: none */
    PyObject *given;
    core_notes notes;
} core_objective;

/* False with an exception. What was made is to be released in any case. */
bool core_objective_init(core_objective *objective, PyObject *given, bool is_property,
                         bool minimize, PyObject *model);
void core_objective_fini(core_objective *objective);

#endif
