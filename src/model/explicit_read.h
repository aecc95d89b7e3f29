/* SPDX-License-Identifier: MIT */
/* The readers of PRISM's three explicit files, and the line reader that they share. */
#ifndef MODEL_EXPLICIT_READ_H
#define MODEL_EXPLICIT_READ_H

#include "model/explicit.h"
#include "model/line_scanner.h"
#include "model/model_report.h"

/* A file or a text, which may be read twice. All members are borrowed. */
typedef struct model_source {
    const char *path; /* NULL: the text is read */
    const char *text;
    size_t length;
    const opac_model_options *options; /* never NULL */
} model_source;

/* Reads a source line by line. */
typedef struct model_reader {
    model_source source;
    model_input *input;
    model_report report;
    model_scanner line; /* the current line */
    bool at_end;        /* there is no current line: all have been read */
    const char *what;   /* the task, for progress */
} model_reader;

/* Opens the source. model_reader_close must be called also if this fails. */
opac_status model_reader_open(model_reader *reader, const model_source *source, const char *what,
                              opac_error *error);
/* Starts again from the first line. */
opac_status model_reader_rewind(model_reader *reader, opac_error *error);
/* Goes to the next line that is neither blank nor a comment. */
opac_status model_reader_next(model_reader *reader, opac_error *error);
/* Goes to the next line. */
opac_status model_reader_next_raw(model_reader *reader, opac_error *error);
/* Whether the current line is blank or a comment, which begins with '#' after optional blanks. */
bool model_reader_is_comment(const model_reader *reader);

/*
 * Closes the source and returns `status`, the result of reading it. If it is an error with a position in the
 * file, the error is reported to the listener.
 */
opac_status model_reader_close(model_reader *reader, opac_status status, opac_error *error);

/* ---- the three files ---- */

/* *has_initial is set if the .tra file names the initial states; otherwise state 0 is initial. */
opac_status model_tra_read(const model_source *source, opac_model **model, bool *has_initial,
                           opac_error *error);
/* Adds the labels to the model. The label "init", if the file has it, determines the initial states. */
opac_status model_lab_read(const model_source *source, bool has_initial, opac_model *model,
                           opac_error *error);
/* Adds the variables and their values to the model. */
opac_status model_sta_read(const model_source *source, opac_model *model, opac_error *error);

#endif
