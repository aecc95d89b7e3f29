/* SPDX-License-Identifier: MIT */
/* The initial states: the variables' own values, or all that satisfy init … endinit. */
#ifndef PRISM_INITIAL_H
#define PRISM_INITIAL_H

#include "model/model_values.h"
#include "prism/prism_states.h"
#include "prism/program.h"

/*
 * Interns them, in lexicographic order of the variables as they are declared.
 * None is an error with the place of init. Without a bound on what it takes to
 * find them a file of a line could ask for 2^1000 of them: OPAC_ERROR_LIMIT.
 */
opac_status prism_initial_states(const prism_program *program, const model_layout *layout,
                                 const opac_cancel *cancel, uint64_t max_memory,
                                 prism_states *states, opac_error *error);

#endif
