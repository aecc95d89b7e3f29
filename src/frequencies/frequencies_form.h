/* SPDX-License-Identifier: MIT */
/* The fields of the model of the frequencies, and functions shared by its source files. */
#ifndef FREQUENCIES_FREQUENCIES_FORM_H
#define FREQUENCIES_FREQUENCIES_FORM_H

#include "frequencies/frequencies.h"
#include "graph/workspace.h"
#include "sample/build_process.h"
#include "solve/solver.h"

BASE_VEC(frequencies_pair_vec, solve_rabin_pair);

/* Bounds of a product state in the model of the last call of frequencies_solve: guesses for the next one. */
typedef struct frequencies_bounds {
    double lower, upper;
} frequencies_bounds;
BASE_VEC(frequencies_bounds_vec, frequencies_bounds);

struct frequencies_model {
    sample_statistics *stats; /* borrowed */
    frequencies_options options;
    frequencies_pair_vec pairs; /* Rabin pairs of the condition that can accept */
    uint64_t named;             /* marks that these pairs name */
    solve_solver *solver;
    graph_workspace workspace;
    sample_process known; /* the known choices */
    sample_process chain; /* of a policy */
    frequencies_bounds_vec bounds;
    sample_positional best;
    double best_value;
};

/* Solves the model with other probabilities of its edges. The result belongs to the solver. */
opac_status frequencies_solve_with(frequencies_model *f, const double *probabilities,
                                   bool has_guesses, const opac_cancel *cancel,
                                   solve_interval_result *result, opac_error *error);
/* The policy of a result. */
opac_status frequencies_take_policy(const frequencies_model *f, const solve_interval_result *result,
                                    sample_positional *policy, opac_error *error);
/* Builds the process of known choices, or the chain of a policy. */
opac_status frequencies_build_process(frequencies_model *f, sample_process *process,
                                      const sample_process_options *options, opac_error *error);

#endif
