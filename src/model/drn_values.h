/* SPDX-License-Identifier: MIT */
/*
 * The values of variables in a DRN file, which are in comments such as "//[x=1	& !done]", one after each
 * state. The range of a variable is known only after the last state (the comments at the beginning of
 * files written by omegapac are no guarantee). States are therefore packed (model_values.h) in chunks,
 * each with its own ranges, and packed again with the final ranges at the end:
 *
 *     pending   │ some thousand states, one number for each value │
 *                    ▼ full
 *     chunks    │ packed │ packed │ …      ── at the end ──►   rows of the model
 *
 * Time is linear. Memory is at most that of the model's rows and one chunk.
 *
 * Comments cause no errors: if one cannot be parsed, or a state has none, the model has no variables.
 */
#ifndef MODEL_DRN_VALUES_H
#define MODEL_DRN_VALUES_H

#include "base/vec.h"
#include "model/model.h"

typedef struct drn_variable {
    char *name;
    size_t length;
    opac_value_type type;
    int64_t least, most;           /* values seen or declared; least > most: none so far */
    int64_t least_here, most_here; /* values in the pending states */
    int64_t value;                 /* in the current state */
} drn_variable;

typedef struct drn_chunk {
    model_layout layout; /* without names */
    uint64_t *rows;
    uint32_t states;
} drn_chunk;

BASE_VEC(drn_variable_vec, drn_variable);
BASE_VEC(drn_chunk_vec, drn_chunk);

typedef struct drn_values {
    drn_variable_vec variables;
    base_intern names; /* of the variables */
    drn_chunk_vec chunks;
    int64_t *pending; /* by state and variable */
    uint32_t pending_states, most_pending;
    uint32_t states; /* number of states with values */
    bool declared;   /* the file declares its variables before the states */
    bool ended;      /* values are ignored, and the model gets no variables */
} drn_values;

void drn_values_init(drn_values *values);
void drn_values_fini(drn_values *values);

/* Declares a variable, before the first state. If it is not valid, all values are ignored. */
opac_status drn_values_declare(drn_values *values, const char *name, size_t length,
                               opac_value_type type, int64_t low, int64_t high, opac_error *error);

/*
 * Reads a comment that follows a state, without its "//". Unless it has a value for each variable, in order,
 * all values are ignored. Without declarations, the first state determines the variables.
 */
opac_status drn_values_read(drn_values *values, uint32_t state, const char *text, size_t length,
                            opac_error *error);

/* Moves the variables and values to the model, if every state had values. */
opac_status drn_values_move(drn_values *values, opac_model *model, opac_error *error);

#endif
