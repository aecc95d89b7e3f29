/* SPDX-License-Identifier: MIT */
/*
 * A page of HTML about results: question, answer, how it came about, policy, a trajectory to step
 * through, and the command that reproduces it.
 *
 *     const char text[] = "{\"schema\": \"omegapac.result/1\", \"command\": \"check\"}";
 *     opac_report_input input = {.name = "result.json", .text = text, .length = sizeof text - 1};
 *     opac_report_options options = opac_report_defaults();
 *     opac_output *out;
 *     opac_output_open_file("report.html", &out, &error);
 *     if (opac_report_write(&input, 1, &options, out, &error) == OPAC_OK)
 *         opac_output_commit(out, &error);
 *     opac_output_free(out);
 *
 * The page is one file that needs no network and no other file. The same inputs give the same
 * bytes. Names in the inputs are shown as text and never run. Without scripts the page has the text
 * of each result.
 *
 * All is borrowed for the time of the call. Any number of threads may write reports at a time, each
 * to an output of its own.
 */
#ifndef OMEGAPAC_REPORT_H
#define OMEGAPAC_REPORT_H

#include <omegapac/output.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results in JSON (docs/formats/result.md): one, or several, a line each. */
typedef struct opac_report_input {
    const char *name; /* of the file, for the page and for messages */
    const char *text; /* JSON */
    size_t length;    /* of the text */
} opac_report_input;

/* As opac_report_defaults gives it; all zeros mean the same. */
typedef struct opac_report_options {
    const char *title; /* NULL: from the first result */
} opac_report_options;

OPAC_API opac_report_options opac_report_defaults(void);

/*
 * What is no result is OPAC_ERROR_SYNTAX, or, if it is of another schema, OPAC_ERROR_ARGUMENT, with
 * the name of the input and the line in the message; a string that begins with the character U+0001
 * is OPAC_ERROR_UNSUPPORTED, and too many or too large results are OPAC_ERROR_LIMIT. The output is
 * not committed.
 */
OPAC_API opac_status opac_report_write(const opac_report_input *inputs, size_t count,
                                       const opac_report_options *options, opac_output *out,
                                       opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
