/* SPDX-License-Identifier: MIT */
/*
 * The arrays of a model as they grow, state after state: choices of a batch go
 * in once their successors have numbers. Branches of a choice with the same
 * target become one, in the place of the first, and rows are divided by their sums.
 */
#ifndef PRISM_ASSEMBLE_H
#define PRISM_ASSEMBLE_H

#include "prism/successors.h"

typedef struct prism_assembly {
    base_u32_vec choice_begin, edge_begin, target;
    base_double_vec prob;
    prism_ratio_vec exact;
    base_u32_vec action;         /* empty until a choice has a name */
    base_intern actions;         /* of the model, in the order of first use */
    uint32_t *action_of;         /* an action of the program; UINT32_MAX: not used yet */
    uint32_t *seen;              /* scratch of merging: an open table of branches, each from 1 */
    size_t seen_size, seen_mask; /* there is; in use, less one */
    base_double_vec rest; /* scratch of joining, by branch: what rounding took from its sum */
    const prism_program *program;
    bool is_chain; /* a DTMC: the choices of a state are averaged */
    bool is_exact;
} prism_assembly;

opac_status prism_assembly_init(prism_assembly *assembly, const prism_program *program, bool exact,
                                opac_error *error);
void prism_assembly_fini(prism_assembly *assembly);

/* Room for so many more, so that what follows a batch pushes without asking. */
opac_status prism_assembly_reserve(prism_assembly *assembly, size_t states, size_t choices,
                                   size_t branches, opac_error *error);

/* A choice of the state at hand; branches: numbers of states, probabilities and, if exact, fractions. */
opac_status prism_assembly_choice(prism_assembly *assembly, uint32_t action, size_t count,
                                  const uint32_t *numbers, const double *probabilities,
                                  const base_ratio *exact, opac_error *error);
/* The state at hand is complete. */
void prism_assembly_state(prism_assembly *assembly);

/* Hands the arrays over to the model; on failure both are to be released as before. */
opac_status prism_assembly_finish(prism_assembly *assembly, opac_model *model, opac_error *error);

/* What the arrays hold, in bytes. */
uint64_t prism_assembly_memory(const prism_assembly *assembly);

#endif
