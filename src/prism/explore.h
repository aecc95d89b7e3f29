/* SPDX-License-Identifier: MIT */
/*
 * From a program to the model of its reachable states, in the order of first
 * sight (breadth first), straight into CSR.
 */
#ifndef PRISM_EXPLORE_H
#define PRISM_EXPLORE_H

#include "model/model.h"
#include "prism/program.h"

/*
 * Takes options->max_states, max_memory, exact, progress and cancel into
 * account. Errors of a state (a value out of range, probabilities that do not
 * sum to 1, …) name the state and have the place of the command; warnings go
 * to the report, one a place. The model has no vocabulary yet.
 */
opac_status prism_explore(const prism_program *program, const opac_model_options *options,
                          model_report *report, opac_model **model, opac_error *error);

#endif
