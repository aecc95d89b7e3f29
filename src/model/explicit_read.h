/* SPDX-License-Identifier: MIT */
/* The readers of PRISM's three explicit files, and what they share. */
#ifndef MODEL_EXPLICIT_READ_H
#define MODEL_EXPLICIT_READ_H

#include "model/explicit.h"
#include "model/line_scanner.h"
#include "model/model_report.h"

/*
 * A file or a text; a reader may go through it twice. All is borrowed.
 */
typedef struct model_source {
    const char *path; /* NULL: the text */
    const char *text;
    size_t length;
    const opac_model_options *options; /* never NULL */
} model_source;

/* A source being read, and the report about it. */
typedef struct model_reading {
    model_source source;
    model_input *input;
    model_report report;
    model_scan line;  /* the current one */
    bool is_over;     /* there is no current line: all were read */
    const char *what; /* for the progress line */
} model_reading;

/* Opens the source. End what was opened, also if this fails. */
opac_status model_reading_begin(model_reading *reading, const model_source *source,
                                const char *what, opac_error *error);
/* Once more from the first line. */
opac_status model_reading_rewind(model_reading *reading, opac_error *error);
/* The next line that is neither blank nor a comment; comments go to the function, if any. */
opac_status model_reading_next(model_reading *reading, opac_error *error);
opac_status model_reading_next_raw(model_reading *reading, opac_error *error);
/* Whether the current line is a comment, '#' behind blanks, or blank. */
bool model_reading_is_comment(const model_reading *reading);

/*
 * Closes all. status is how the reading went: an error at a place in the file
 * goes to the listener. Returns it.
 */
opac_status model_reading_end(model_reading *reading, opac_status status, opac_error *error);

/* ---- the three files ---- */

/* *has_initial: the .tra itself names the initial states; otherwise it is state 0. */
opac_status model_tra_read(const model_source *source, opac_model **model, bool *has_initial,
                           opac_error *error);
/* Adds the labels to the model; "init", if it is there, says what is initial. */
opac_status model_lab_read(const model_source *source, bool has_initial, opac_model *model,
                           opac_error *error);
/* Adds variables and values. */
opac_status model_sta_read(const model_source *source, opac_model *model, opac_error *error);

#endif
