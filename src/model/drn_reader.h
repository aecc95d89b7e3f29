/* SPDX-License-Identifier: MIT */
/*
 * State that the parts of the DRN reader share: the current line, the errors so far and the header.
 *
 * Errors in the file are collected in the report with their positions, and reading continues after them;
 * after the first one nothing is added to the builder. Functions return a status other than OPAC_OK only if
 * reading must end at once: out of memory, an input error or cancellation.
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
    base_ratio ratio; /* known if the model is read exactly */
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
    uint32_t seen[DRN_ITEM_COUNT]; /* line of the item; 0: not yet seen */
    opac_model_type type;
    uint64_t states, choices;
    uint32_t states_line, choices_line; /* lines of these numbers */
    base_intern labels;                 /* declared by comments in files written by omegapac */
    base_intern placeholders;           /* names without the $ */
    drn_number_vec placeholder_values;
} drn_header;

typedef struct drn_reader {
    const opac_model_options *options;
    model_input *input;
    model_report report;
    const char *line, *at,
        *end;            /* the current line and the position in it; NULL after the last line */
    uint32_t number;     /* of the line */
    bool is_pushed_back; /* whether drn_next returns the same line again */
    drn_header header;
    drn_values values;
    opac_builder *builder;
} drn_reader;

/* Goes to the next line. Blanks at its end are removed; `at` is the first character that is not a blank. */
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

/* The word at `at`, up to a blank or the end of the line; length 0 at the end of the line. */
base_slice drn_read_word(drn_reader *reader);

/* Whether the bytes are UTF-8 without control characters other than tabs. */
bool drn_is_text(const char *name, size_t length);

/* Reads a number, or a placeholder such as $p. If the word is neither, reports it and clears *found. */
opac_status drn_read_number(drn_reader *reader, base_slice word, drn_number *number, bool *found,
                            opac_error *error);

/* The column of a position in the current line, in characters, from 1. */
uint32_t drn_column(const drn_reader *reader, const char *at);
/* Reports an error at a position in the current line. */
void drn_error(drn_reader *reader, opac_status code, const char *at, const char *format, ...)
    BASE_PRINTF(4, 5);

/* ---- header ---- */

/* Reads to "@model", or to the end of the file. Errors in the file go to the report. */
opac_status drn_read_header(drn_reader *reader, opac_error *error);

#endif
