/* SPDX-License-Identifier: MIT */
/* The fields of a horizon_model and functions shared by its source files. */
#ifndef HORIZON_HORIZON_MODEL_FORM_H
#define HORIZON_HORIZON_MODEL_FORM_H

#include "graph/workspace.h"
#include "horizon/horizon_model.h"
#include "sample/build_process.h"
#include "solve/unfold_chain.h"

BASE_VEC(horizon_pair_vec, solve_rabin_pair);

/* Bounds on the best value by the frequencies. */
typedef struct horizon_value {
    double lower, upper;
} horizon_value;
BASE_VEC(horizon_value_vec, horizon_value);

struct horizon_model {
    sample_statistics *stats; /* borrowed */
    sample_row_sets *sets;    /* borrowed */
    horizon_model_options options;
    horizon_pair_vec pairs; /* Rabin pairs of the condition that can accept */
    uint64_t named;         /* marks that these pairs name */
    solve_solver *solver;
    graph_workspace workspace;
    sample_process process; /* all choices; those that were never tried are all unseen */
    sample_process known;   /* the choices tried: Ĝ. Nodes are numbered as in `process` */
    sample_process chain;   /* of a policy */
    solve_unfold unfold;
    horizon_bound upper;
    horizon_timed_policy timed;
    horizon_policy best;
    double best_value;
    horizon_value_vec values; /* of the last update, by product state */
};

/* Most edges that the sweeps of one bound visit: a few tenths of a second. */
#define HORIZON_MOST_WORK 40000000.0

/* The row sets of a process as intervals by edge and unseen mass by choice, in arrays of the workspace. */
typedef struct horizon_rows {
    double *lower, *upper, *unseen;
} horizon_rows;
opac_status horizon_fill_rows(horizon_model *m, const sample_process *process, horizon_rows *rows,
                              opac_error *error);
/* Builds a process. If only runs that reach the sink win, the sink's loop alone has a mark. */
opac_status horizon_build(horizon_model *m, sample_process *process,
                          const sample_process_options *options, opac_error *error);
/* Builds m->chain: with the choices that were never tried, which are all unseen, or without them. */
opac_status horizon_build_chain(horizon_model *m, const horizon_policy *policy, bool known_only,
                                const opac_cancel *cancel, opac_error *error);
/* The bound of a finite horizon for state 0, with the rate for the steps that were not swept. */
horizon_bound horizon_conclude(const solve_horizon_result *result, uint64_t horizon);
/* Number of sweeps that HORIZON_MOST_WORK allows; at least some. */
uint64_t horizon_most_sweeps(const graph_process *process);

#endif
