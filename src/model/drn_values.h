/* SPDX-License-Identifier: MIT */
/*
 * The values of variables that DRN has in comments, "//[x=1	& !done]", one
 * behind each state. Nothing says before the last state how far a variable
 * ranges (unless the file is our own, and even then it is but a comment), so
 * states are packed (model_values.h) in chunks, each by its own ranges, and all of
 * them again at the end:
 *
 *     pending   │ some thousand states, a number a value │
 *                    ▼ full
 *     chunks    │ packed │ packed │ …      ── the end ──►   rows of the model
 *
 * Linear, and no more memory than the model's rows and one chunk need, whatever
 * the values are.
 *
 * They are comments, and so never wrong: one that is not understood, or a state
 * without one, ends it, and the model has no variables.
 */
#ifndef MODEL_DRN_VALUES_H
#define MODEL_DRN_VALUES_H

#include "base/vec.h"
#include "model/model.h"

typedef struct drn_variable {
    char *name;
    size_t length;
    opac_value_type type;
    int64_t least, most;           /* seen or declared; least > most: nothing yet */
    int64_t least_here, most_here; /* in the pending states */
    int64_t value;                 /* of the state in hand */
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
    int64_t *pending; /* a value for each variable of each state */
    uint32_t pending_states, most_pending;
    uint32_t states; /* that have values */
    bool declared;   /* the file named its variables first */
    bool ended;      /* no more, and none at all */
} drn_values;

void drn_values_init(drn_values *values);
void drn_values_fini(drn_values *values);

/* A variable, before the first state; if it cannot be one, there are none. */
opac_status drn_values_declare(drn_values *values, const char *name, size_t length,
                               opac_value_type type, int64_t low, int64_t high, opac_error *error);

/*
 * A comment behind the state, without its "//". Ends it unless the comment has
 * a value for each variable, in their order; the first state says which.
 */
opac_status drn_values_read(drn_values *values, uint32_t state, const char *text, size_t length,
                            opac_error *error);

/* Gives a model its variables, if each state had values; values is then empty. */
opac_status drn_values_move(drn_values *values, opac_model *model, opac_error *error);

#endif
