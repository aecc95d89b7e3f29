/* SPDX-License-Identifier: MIT */
/* Raises errors of the library as Python exceptions, and issues its notices as warnings. */
#include "core.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- errors ---- */

static const char *class_name(opac_status code)
{
    switch (code) {
    case OPAC_ERROR_ARGUMENT:
    case OPAC_ERROR_SYNTAX:
        return "InputError";
    case OPAC_ERROR_UNSUPPORTED:
        return "UnsupportedError";
    case OPAC_ERROR_LIMIT:
        return "LimitError";
    case OPAC_ERROR_SIMULATOR:
        return "SimulatorError";
    default:
        return "Error";
    }
}

static PyObject *number_or_none(uint64_t number)
{
    if (number == 0)
        Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(number);
}

/* The line of the text and the line with the caret; None if the text or the position is unknown. */
static PyObject *make_excerpt(const opac_error *error, const core_source *source)
{
    char shown[OPAC_CARET_SIZE];
    if (source == NULL || source->text == NULL || source->length == 0 || error->line == 0 ||
        error->column == 0)
        Py_RETURN_NONE;
    opac_text_caret(source->text, source->length, error->line, error->column, 76, shown,
                    sizeof shown);
    return core_str(shown);
}

/*
 * Raises the subclass of OSError that Python would raise. The library does not report errno, so
 * this repeats the access. False without an exception if the access succeeds now.
 */
static bool raise_os_error(const core_source *source)
{
    struct stat status;
    if (source == NULL || !source->is_path)
        return false;
    errno = 0;
    if (stat(source->name, &status) == 0 && S_ISDIR(status.st_mode))
        errno = EISDIR;
    else if (errno == 0 && access(source->name, R_OK) == 0)
        return false;
    PyObject *path = PyUnicode_DecodeFSDefault(source->name);
    if (path != NULL)
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    Py_XDECREF(path);
    return true;
}

/* The Python keyword for a parameter of the library; NULL if there is none. */
static const char *keyword_of(const char *parameter)
{
    static const struct {
        const char *parameter, *keyword;
    } table[] = {{"horizon", "T"},   {"count_pairs", "counts"}, {"least", "pmin"},
                 {"k_rule", "k"},    {"state_limit", NULL},     {"work_limit", NULL},
                 {"episodes", NULL}, {"pmin_of", "pmin"}};
    for (size_t i = 0; parameter != NULL && i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].parameter, parameter) == 0)
            return table[i].keyword;
    return parameter;
}

/* Text to append to a message about a keyword; NULL if none. */
static const char *advice_on(const char *parameter)
{
    static const struct {
        const char *parameter, *text;
    } table[] = {{"exact", "; load it with exact=True"},
                 {"timeout", "; if the simulator is only slow, increase timeout="},
                 {"k", ": give a number for k="},
                 {"nothing_known", ": give T=, pmin= or graph="},
                 {"trial_steps", "; a larger trial_steps= makes the trial longer"},
                 {"states k", ": give states=, or a number for k="},
                 {"actions k", ": give actions=, or a number for k="},
                 {"states actions k", ": give states= and actions=, or a number for k="},
                 {"trial_steps deterministic", " (trial_steps=N, deterministic=True)"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].parameter, parameter) == 0)
            return table[i].text;
    return NULL;
}

/* "give it with p=..." becomes "give it with constants="p=..."". */
static void write_constants(const char *message, char *text, size_t size)
{
    const char *found = strstr(message, ": give ");
    found = found != NULL ? strstr(found, " with ") : NULL;
    size_t before = found != NULL ? (size_t)(found - message) + strlen(" with ") : 0;
    if (found == NULL)
        PyOS_snprintf(text, size, "%s", message);
    else
        PyOS_snprintf(text, size, "%.*sconstants=\"%s\"", (int)before, message, message + before);
}

/* "horizon must be ..." becomes "T must be ..."; likewise "count_pairs belongs to ...". */
static bool write_keyword(const opac_error *error, const char *keyword, char *text, size_t size)
{
    size_t length = keyword != NULL ? strlen(error->parameter) : 0;
    if (keyword == NULL || strncmp(error->message, error->parameter, length) != 0 ||
        (strncmp(error->message + length, " must ", strlen(" must ")) != 0 &&
         strncmp(error->message + length, " belongs ", strlen(" belongs ")) != 0))
        return false;
    PyOS_snprintf(text, size, "%s%s", keyword, error->message + length);
    return true;
}

/* The message with advice on the keyword that it is about. */
static PyObject *make_message(const opac_error *error)
{
    char text[OPAC_MESSAGE_SIZE + 96];
    const char *keyword = keyword_of(error->parameter);
    const char *advice = keyword != NULL ? advice_on(keyword) : NULL;
    if (write_keyword(error, keyword, text, sizeof text))
        return core_str(text);
    if (keyword != NULL && strcmp(keyword, "constants") == 0)
        write_constants(error->message, text, sizeof text);
    else if (keyword != NULL && advice == NULL && error->code == OPAC_ERROR_LIMIT)
        PyOS_snprintf(text, sizeof text, "%s; %s= allows more", error->message, keyword);
    else
        PyOS_snprintf(text, sizeof text, "%s%s", error->message, advice != NULL ? advice : "");
    return core_str(text);
}

static void raise_class(const char *name, const opac_error *error, const core_source *source)
{
    PyObject *cls = PyObject_GetAttrString(core_get()->errors, name);
    PyObject *message = make_message(error);
    PyObject *where = core_str_or_none(source != NULL ? source->name : NULL);
    PyObject *line = number_or_none(error->line), *column = number_or_none(error->column);
    PyObject *excerpt = make_excerpt(error, source), *limit = number_or_none(error->limit);
    PyObject *exception = NULL;
    if (cls != NULL && message != NULL && where != NULL && line != NULL && column != NULL &&
        excerpt != NULL && limit != NULL)
        exception =
            PyObject_CallFunction(cls, "OsOOOOzO", message, opac_status_name(error->code), line,
                                  column, where, excerpt, keyword_of(error->parameter), limit);
    if (exception != NULL)
        PyErr_SetObject(cls, exception);
    Py_XDECREF(exception);
    Py_XDECREF(limit);
    Py_XDECREF(excerpt);
    Py_XDECREF(column);
    Py_XDECREF(line);
    Py_XDECREF(where);
    Py_XDECREF(message);
    Py_XDECREF(cls);
}

PyObject *core_raise(const opac_error *error, const core_source *source)
{
    if (error->code == OPAC_ERROR_CANCELLED) {
        if (!PyErr_Occurred())
            PyErr_SetNone(PyExc_KeyboardInterrupt);
    } else if (error->code == OPAC_ERROR_MEMORY) {
        PyErr_NoMemory();
    } else if (error->code == OPAC_ERROR_IO) {
        if (!raise_os_error(source))
            PyErr_SetString(PyExc_OSError, error->message);
    } else {
        raise_class(class_name(error->code), error, source);
    }
    return NULL;
}

/* ---- notices ---- */

enum {
    MAX_NOTES = 100
};

static char *copy(const char *text, size_t length)
{
    char *made = malloc(length + 1);
    if (made == NULL)
        return NULL;
    memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

static void add(core_notes *notes, const char *text)
{
    if (notes->is_full)
        return;
    char **texts = realloc(notes->texts, (notes->count + 1) * sizeof *texts);
    char *made = copy(text, strlen(text));
    if (texts != NULL)
        notes->texts = texts;
    if (texts == NULL || made == NULL) {
        free(made);
        notes->is_full = true;
        return;
    }
    notes->texts[notes->count++] = made;
    notes->is_full = notes->count == MAX_NOTES;
}

void core_notes_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    char placed[OPAC_MESSAGE_SIZE + 64];
    if (line > 0)
        snprintf(placed, sizeof placed, "%lu:%lu: %s", (unsigned long)line, (unsigned long)column,
                 text);
    else
        snprintf(placed, sizeof placed, "%s", text);
    add(context, placed);
}

void core_notes_listen(void *context, const opac_message *message)
{
    core_notes *notes = context;
    if (message->code == OPAC_OK) {
        core_notes_notice(notes, message->line, message->column, message->text);
        return;
    }
    if (notes->line > 0 || message->line == 0)
        return;
    notes->line = message->line;
    notes->column = message->column;
    if (message->path != NULL)
        notes->path = copy(message->path, strlen(message->path));
    if (message->excerpt != NULL)
        notes->excerpt = copy(message->excerpt, message->excerpt_length);
    notes->excerpt_length = notes->excerpt != NULL ? message->excerpt_length : 0;
}

/* The collected excerpt is a single line. Empty lines are put before it, so that the position refers
 * to it. */
PyObject *core_notes_raise(const core_notes *notes, const opac_error *error,
                           const core_source *source)
{
    core_source located = source != NULL ? *source : (core_source){0};
    if (notes->line == 0 || error->line != notes->line)
        return core_raise(error, source);
    if (notes->path != NULL)
        located.name = notes->path;
    if (notes->excerpt == NULL)
        return core_raise(error, &located);
    char *text = calloc(error->line + notes->excerpt_length, 1);
    if (text != NULL) {
        memset(text, '\n', error->line - 1);
        memcpy(text + error->line - 1, notes->excerpt, notes->excerpt_length);
        located.text = text;
        located.length = error->line - 1 + notes->excerpt_length;
    }
    core_raise(error, &located);
    free(text);
    return NULL;
}

bool core_notes_warn(const core_notes *notes)
{
    if (notes->count == 0)
        return true;
    PyObject *category = PyObject_GetAttrString(core_get()->errors, "InputWarning");
    bool is_good = category != NULL;
    for (size_t i = 0; i < notes->count && is_good; i++) {
        PyObject *text = core_str(notes->texts[i]);
        is_good = text != NULL && PyErr_WarnFormat(category, 2, "%U", text) == 0;
        Py_XDECREF(text);
    }
    Py_XDECREF(category);
    return is_good;
}

void core_notes_fini(core_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    free(notes->path);
    free(notes->excerpt);
    *notes = (core_notes){0};
}
