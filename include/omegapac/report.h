/* SPDX-License-Identifier: MIT */
/*
 * Makes an HTML page from results: the inputs, the result with its guarantee, the progress of the learner,
 * the policy, a sample run, and the command that reproduces it.
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
 * The page is one file that needs no network and no other file. The same inputs give the same bytes. Names
 * in the inputs are shown as text and never executed. Without JavaScript, the page shows the text of each
 * result.
 *
 * Inputs are borrowed during the call. Several threads may write reports at the same time, each to its own
 * output.
 */
#ifndef OMEGAPAC_REPORT_H
#define OMEGAPAC_REPORT_H

#include <omegapac/output.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results in JSON (docs/formats/result.md): one, or several, one per line. */
typedef struct opac_report_input {
    const char *name; /* of the file, shown on the page and in messages */
    const char *text; /* JSON */
    size_t length;    /* of the text */
} opac_report_input;

/* Options of opac_report_write. All zeros are the defaults (opac_report_defaults). */
typedef struct opac_report_options {
    const char *title; /* NULL to use the first result */
} opac_report_options;

OPAC_API opac_report_options opac_report_defaults(void);

/*
 * Writes the page; does not commit the output. Errors name the input and the line: OPAC_ERROR_SYNTAX for
 * invalid JSON, OPAC_ERROR_ARGUMENT for another schema, OPAC_ERROR_UNSUPPORTED for a string that begins
 * with the character U+0001, and OPAC_ERROR_LIMIT for too many or too large results.
 */
OPAC_API opac_status opac_report_write(const opac_report_input *inputs, size_t count,
                                       const opac_report_options *options, opac_output *out,
                                       opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
