/* SPDX-License-Identifier: MIT */
/* Computes the initial states: that of the variables' initial values, or all that satisfy init … endinit. */
#ifndef PRISM_INITIAL_H
#define PRISM_INITIAL_H

#include "model/model_values.h"
#include "prism/prism_states.h"
#include "prism/program.h"

/*
 * Interns the initial states, in lexicographic order of the variables as declared. Fails at the place of
 * init … endinit if there are none. A single line may describe 2^1000 initial states, or make them hard to
 * find, so the number of values tried is bounded: OPAC_ERROR_LIMIT.
 */
opac_status prism_initial_states(const prism_program *program, const model_layout *layout,
                                 const opac_cancel *cancel, uint64_t max_memory,
                                 prism_states *states, opac_error *error);

#endif
