/* SPDX-License-Identifier: MIT */
/*
 * Builds the arrays of a model, state by state. The choices of a batch are added once their successors have
 * numbers. Branches of a choice with the same target are merged into the first of them, and rows are divided
 * by their sums.
 */
#ifndef PRISM_BUILDER_H
#define PRISM_BUILDER_H

#include "prism/successors.h"

typedef struct prism_builder {
    base_u32_vec choice_begin, edge_begin, target;
    base_double_vec prob;
    prism_ratio_vec exact;
    base_u32_vec action; /* empty until a choice has a named action */
    base_intern actions; /* of the model, in the order of first use */
    /* Maps an action of the program to one of the model; UINT32_MAX if unused so far. */
    uint32_t *action_of;
    /* Scratch of merging: a hash table of branches; a branch plus 1, or 0 if empty. */
    uint32_t *slots;
    size_t slot_count;    /* allocated */
    size_t slot_mask;     /* number of slots in use minus 1 */
    base_double_vec lost; /* scratch of merging: rounding errors of merged sums (base/sum.h) */
    const prism_program *program;
    bool is_chain; /* a DTMC: the choices of a state are averaged */
    bool is_exact;
} prism_builder;

opac_status prism_builder_init(prism_builder *builder, const prism_program *program, bool exact,
                               opac_error *error);
void prism_builder_fini(prism_builder *builder);

/* Reserves memory for so many more, so that the calls for a batch need not check it. */
opac_status prism_builder_reserve(prism_builder *builder, size_t states, size_t choices,
                                  size_t branches, opac_error *error);

/*
 * Adds a choice of the current state, with `count` branches: numbers of states, probabilities and, if exact,
 * fractions.
 */
opac_status prism_builder_add_choice(prism_builder *builder, uint32_t action, size_t count,
                                     const uint32_t *numbers, const double *probabilities,
                                     const base_ratio *exact, opac_error *error);
/* Ends the current state. */
void prism_builder_end_state(prism_builder *builder);

/* Moves the arrays into the model. On failure the caller still has to release both. */
opac_status prism_builder_finish(prism_builder *builder, opac_model *model, opac_error *error);

/* Size of the elements in the arrays, in bytes. */
uint64_t prism_builder_memory(const prism_builder *builder);

#endif
