/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the DRN reader share: the line in hand, the errors so far,
 * and what the header said.
 *
 * Mistakes are noted with their places, and reading goes on behind them; from
 * the first one on nothing is built any more. A status other than OPAC_OK is
 * what ends it at once: out of memory, a failing disk, a request to stop.
 */
#ifndef MODEL_DRN_READER_H
#define MODEL_DRN_READER_H

#include "base/intern.h"
#include "base/slice.h"
#include "model/builder.h"
#include "model/drn_values.h"
#include "model/input.h"
#include "model/model_report.h"

/* A probability as it was written. */
typedef struct drn_number {
    double value;
    base_ratio ratio; /* known when exact is asked for */
} drn_number;

BASE_VEC(drn_number_vec, drn_number);

typedef enum drn_item {
    DRN_TYPE,
    DRN_VALUE_TYPE,
    DRN_PARAMETERS,
    DRN_PLACEHOLDERS,
    DRN_REWARD_MODELS,
    DRN_NR_PLAYERS,
    DRN_NR_STATES,
    DRN_NR_CHOICES,
    DRN_MODEL,
    DRN_ITEM_COUNT
} drn_item;

typedef struct drn_header {
    uint32_t seen[DRN_ITEM_COUNT]; /* the line where it came; 0: not yet */
    opac_model_type type;
    uint64_t states, choices;
    uint32_t states_line, choices_line; /* of these numbers */
    base_intern labels;                 /* that the comments of our own files declare */
    base_intern placeholders;           /* names without the $ */
    drn_number_vec placeholder_values;
} drn_header;

typedef struct drn_reader {
    const opac_model_options *options;
    model_input *input;
    model_report report;
    const char *line, *at,
        *end;        /* the line in hand, and how far it is read; NULL behind the last */
    uint32_t number; /* of the line */
    bool held;       /* drn_next gives the same line once more */
    drn_header header;
    drn_values values;
    opac_builder *builder;
} drn_reader;

/* The next line, without blanks at its end; at is behind those at its beginning. */
opac_status drn_next(drn_reader *reader, opac_error *error);

/* ---- within a line ---- */

static inline void drn_skip_blanks(drn_reader *reader)
{
    while (reader->at < reader->end && base_is_blank(*reader->at))
        reader->at++;
}

static inline bool drn_at_comment(const drn_reader *reader)
{
    return reader->end - reader->at >= 2 && reader->at[0] == '/' && reader->at[1] == '/';
}

/* The word at hand, up to a blank or the end of the line; length 0: there is none. */
base_slice drn_take_word(drn_reader *reader);

/* Whether it can be a name: UTF-8 without control characters but tabs. */
bool drn_is_text(const char *name, size_t length);

/*
 * A probability, or the name of one ($p). What is none is noted as an error,
 * and then not found. Intervals are refused by name.
 */
opac_status drn_read_number(drn_reader *reader, base_slice word, drn_number *number, bool *found,
                            opac_error *error);

/* From 1, in characters; of the line in hand. */
uint32_t drn_column(const drn_reader *reader, const char *at);
/* Notes a mistake at a place of the line in hand. */
void drn_error(drn_reader *reader, opac_status code, const char *at, const char *format, ...)
    BASE_PRINTF(4, 5);

/* ---- header ---- */

/* Up to "@model", or to the end of the file; mistakes are noted. */
opac_status drn_read_header(drn_reader *reader, opac_error *error);

#endif
