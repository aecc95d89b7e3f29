/* SPDX-License-Identifier: MIT */
/* Explores a program: builds the model of its reachable states, numbered in breadth-first order, as CSR. */
#ifndef PRISM_EXPLORE_H
#define PRISM_EXPLORE_H

#include "model/model.h"
#include "prism/program.h"

/*
 * Uses options->max_states, max_memory, exact, progress and cancel. An error in a state (a value out of
 * range, probabilities that do not sum to 1, …) names the state and has the place of the command. Warnings
 * go to the report, one for each place. The model does not have a vocabulary yet.
 */
opac_status prism_explore(const prism_program *program, const opac_model_options *options,
                          model_report *report, opac_model **model, opac_error *error);

#endif
