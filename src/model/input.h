/* SPDX-License-Identifier: MIT */
/*
 * A file, or a text in memory, read line by line: explicit models have tens of
 * millions of lines, and are not held in memory whole.
 */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <omegapac/cancel.h>

#include "base/error.h"

typedef struct model_input model_input;

/* A file; one that cannot be opened is OPAC_ERROR_IO with its name. cancel may be NULL. */
opac_status model_input_open(const char *path, const opac_cancel *cancel, model_input **input,
                             opac_error *error);
/* A text, borrowed. */
opac_status model_input_open_text(const char *text, size_t length, const opac_cancel *cancel,
                                  model_input **input, opac_error *error);
void model_input_close(model_input *input);

/* The first line is the next one again. What cannot be read twice, a pipe, is OPAC_ERROR_IO. */
opac_status model_input_rewind(model_input *input, opac_error *error);
/*
 * Goes to a line that was read before, for a message about it: NULL when there
 * is no way back. Reading is over then.
 */
const char *model_input_find(model_input *input, uint32_t number, size_t *length);

/*
 * The next line without its end (LF or CRLF), on the first one without a
 * byte-order mark; NULL behind the last. It lives until the next call. A line
 * of more than 2^26 bytes is OPAC_ERROR_LIMIT. Looks at cancel now and then.
 */
opac_status model_input_next(model_input *input, const char **line, size_t *length,
                             opac_error *error);
/* Of the line that was read last, from 1. */
uint32_t model_input_number(const model_input *input);
/* Bytes read so far, and in all (0: unknown), for a progress line. */
uint64_t model_input_done(const model_input *input);
uint64_t model_input_total(const model_input *input);

#endif
