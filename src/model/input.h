/* SPDX-License-Identifier: MIT */
/*
 * Reads a file, or a text in memory, line by line. Explicit models have tens of millions of lines, so files
 * are not loaded into memory as a whole.
 */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <omegapac/cancel.h>

#include "base/error.h"

typedef struct model_input model_input;

/* Opens a file. If it cannot be opened, the result is OPAC_ERROR_IO. cancel may be NULL. */
opac_status model_input_open(const char *path, const opac_cancel *cancel, model_input **input,
                             opac_error *error);
/* Opens a text, which is borrowed. */
opac_status model_input_open_text(const char *text, size_t length, const opac_cancel *cancel,
                                  model_input **input, opac_error *error);
void model_input_close(model_input *input);

/* Returns to the first line. An input that cannot be read twice, such as a pipe, is OPAC_ERROR_IO. */
opac_status model_input_rewind(model_input *input, opac_error *error);
/*
 * The text of a line that was read before, for a message about it; NULL if the input cannot be read twice.
 * Reading cannot continue afterwards.
 */
const char *model_input_find(model_input *input, uint32_t number, size_t *length);

/*
 * The next line without its end (LF or CRLF), and the first one without a byte-order mark; NULL after the
 * last line. It is valid until the next call. A line of more than 2^26 bytes is OPAC_ERROR_LIMIT. Checks
 * for cancellation periodically.
 */
opac_status model_input_next(model_input *input, const char **line, size_t *length,
                             opac_error *error);
/* The number of the line that was read last, from 1. */
uint32_t model_input_number(const model_input *input);
/* The number of bytes read so far, and in total (0: unknown), for progress. */
uint64_t model_input_done(const model_input *input);
uint64_t model_input_total(const model_input *input);

#endif
