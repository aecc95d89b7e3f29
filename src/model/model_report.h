/* SPDX-License-Identifier: MIT */
/*
 * Collects errors in a text or file and reports them, and warnings, to a listener.
 *
 * A text may have several independent errors. A reader adds each of them to the report and continues where
 * it can; at the end all are reported in the order of their positions. Warnings are reported immediately.
 *
 *     model_report report;
 *     model_report_init(&report, options, path, text, length);
 *     model_report_error(&report, OPAC_ERROR_SYNTAX, line, column, "expected %s", what);
 *     …
 *     status = model_report_end(&report, error);     the first error, or OPAC_OK
 *     model_report_fini(&report);
 */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include <omegapac/model.h>

#include "base/vec.h"
#include "model/input.h"

enum {
    MODEL_MOST_ERRORS = 20 /* errors that are reported; of the others only the number is */
};

BASE_VEC(model_error_vec, opac_error);

/* A copy of a line with an error; the reader overwrites the line itself. */
typedef struct model_line {
    uint32_t number;
    char *text;
    size_t length;
} model_line;

BASE_VEC(model_line_vec, model_line);

typedef struct model_report {
    opac_listener listener; /* may be NULL */
    void *context;
    const char *path; /* NULL: a text without a name */
    const char *text; /* for excerpts; NULL if the text is read line by line */
    size_t length;
    /* The next members are for texts that are read line by line (text is NULL). */
    const char *excerpt; /* the current line */
    size_t excerpt_length;
    uint32_t excerpt_line;  /* its number; if set, errors in this line keep a copy of it */
    model_input *input;     /* set after the last line, to find other lines again */
    model_line_vec lines;   /* the copies */
    model_error_vec errors; /* collected, not yet reported */
    uint64_t error_count;   /* of all errors, including those beyond MODEL_MOST_ERRORS */
    bool is_reported;       /* whether an error was reported, even if there is no listener */
    bool failed;            /* out of memory while an error was added */
} model_report;

/* All arguments are borrowed; path, text and listener may be NULL. */
void model_report_init(model_report *report, opac_listener listener, void *context,
                       const char *path, const char *text, size_t length);
void model_report_fini(model_report *report);

/* Adds an error. A second one at the same position is dropped: it usually follows from the first. */
void model_report_error(model_report *report, opac_status code, uint32_t line, uint32_t column,
                        const char *format, ...) BASE_PRINTF(5, 6);
/* The same for an error that a function returned. */
void model_report_add(model_report *report, const opac_error *error);

/* Reports a warning immediately. */
void model_report_warning(model_report *report, uint32_t line, uint32_t column, const char *format,
                          ...) BASE_PRINTF(4, 5);

/* Whether there are errors that have not been reported yet. */
bool model_report_has_errors(const model_report *report);

/*
 * Reports the collected errors to the listener, in the order of their positions, and removes them. Returns
 * the first one, or OPAC_OK if there was none.
 */
opac_status model_report_end(model_report *report, opac_error *error);

#endif
