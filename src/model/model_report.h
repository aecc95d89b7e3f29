/* SPDX-License-Identifier: MIT */
/*
 * Errors and warnings about places in a text, on their way to a listener.
 *
 * A text may have several mistakes that have nothing to do with one another:
 * a reader notes each, goes on where it can, and in the end tells them all, in
 * the order of their places.
 *
 *     model_report report;
 *     model_report_init(&report, options, path, text, length);
 *     model_report_error(&report, OPAC_ERROR_SYNTAX, line, column, "expected %s", what);
 *     …
 *     status = model_report_end(&report, error);     the first error; OPAC_OK: there was none
 *     model_report_fini(&report);
 */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include <omegapac/model.h>

#include "base/vec.h"
#include "model/input.h"

enum {
    MODEL_MOST_ERRORS = 20 /* that are told; of more only the number */
};

BASE_VEC(model_error_vec, opac_error);

/* A line that an error is about, kept because its reader goes on. */
typedef struct model_line {
    uint32_t number;
    char *text;
    size_t length;
} model_line;

BASE_VEC(model_line_vec, model_line);

typedef struct model_report {
    opac_listener listener; /* NULL: nobody listens */
    void *context;
    const char *path; /* NULL: a text without a name */
    const char *text; /* for excerpts; NULL: none (a reader of lines sets excerpt instead) */
    size_t length;
    const char *excerpt; /* when text is NULL: the current line, for what is told at once */
    size_t excerpt_length;
    uint32_t excerpt_line;  /* its number; with one, errors about it keep a copy of it */
    model_input *input;     /* when text is NULL and reading is over: where other lines are found */
    model_line_vec lines;   /* these copies */
    model_error_vec errors; /* noted and not yet told */
    uint64_t error_count;   /* of all, also of those not kept */
    bool told;              /* an error reached the listener, or would have if there were one */
    bool failed;            /* out of memory while one was noted */
} model_report;

/* All is borrowed; path, text and listener may be NULL. */
void model_report_init(model_report *report, opac_listener listener, void *context,
                       const char *path, const char *text, size_t length);
void model_report_fini(model_report *report);

/* Notes an error. A second one at the same place is dropped: it usually follows from the first. */
void model_report_error(model_report *report, opac_status code, uint32_t line, uint32_t column,
                        const char *format, ...) BASE_PRINTF(5, 6);
/* The same for one that a function returned. */
void model_report_add(model_report *report, const opac_error *error);

/* Told at once. */
void model_report_warning(model_report *report, uint32_t line, uint32_t column, const char *format,
                          ...) BASE_PRINTF(4, 5);

/* Whether an error was noted and not told. */
bool model_report_has_errors(const model_report *report);

/*
 * Tells the listener what was noted, in the order of the places, and forgets
 * it. Returns the first, or OPAC_OK when there was none.
 */
opac_status model_report_end(model_report *report, opac_error *error);

#endif
