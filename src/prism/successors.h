/* SPDX-License-Identifier: MIT */
/*
 * The choices of states, with successors as packed rows that have no state numbers yet.
 *
 *     choices        ├──┤──┼──┤     each has the branches up to its end
 *     rows           │  │  │  │     `words` words for each branch, with its probability
 *
 * A batch holds the choices of several consecutive states. The explorer looks up all their successors at
 * once (prism_states.h).
 */
#ifndef PRISM_SUCCESSORS_H
#define PRISM_SUCCESSORS_H

#include "prism/compiled_program.h"
#include "prism/instructions.h"

typedef struct prism_choice {
    uint32_t action;  /* of the program */
    uint32_t command; /* of the first part; an index of compiled->commands */
    size_t end;       /* of its branches */
    size_t parts_end; /* of its commands in batch->parts, if they are kept */
} prism_choice;

BASE_VEC(prism_choice_vec, prism_choice);

typedef struct prism_batch {
    base_u64_vec rows;
    base_double_vec probabilities;
    /* Low parts of the probabilities, as double-doubles; only where context->is_precise. */
    base_double_vec low;
    prism_ratio_vec exact; /* only with options->exact */
    prism_choice_vec choices;
    base_u32_vec
        parts;    /* with context->keeps_commands: those of each choice, by number in the program */
    size_t count; /* number of branches */
} prism_batch;

void prism_batch_fini(prism_batch *batch);

typedef struct prism_state {
    uint64_t visit; /* different for each call of prism_successors */
    const int64_t *values;
    const uint64_t *row; /* must not point into the batch */
} prism_state;

typedef struct prism_successor_context {
    prism_compiled_program *compiled;
    model_report *report;
    const opac_cancel *cancel;
    bool keeps_commands;
    bool is_precise; /* compute all probabilities as double-doubles, for an average; not if exact */
    base_u32_vec odometer; /* for each part of a step: an index of its enabled commands */
} prism_successor_context;

/* Appends the choices of a state; none if it is a deadlock. */
opac_status prism_successors(prism_successor_context *context, const prism_state *state,
                             prism_batch *batch, opac_error *error);

/* Appends a self-loop, for a deadlock. */
opac_status prism_successors_loop(prism_successor_context *context, const prism_state *state,
                                  prism_batch *batch, opac_error *error);

#endif
