/* SPDX-License-Identifier: MIT */
/* The fields of a horizon_model and functions shared by its source files. */
#ifndef HORIZON_HORIZON_MODEL_FORM_H
#define HORIZON_HORIZON_MODEL_FORM_H

#include "graph/workspace.h"
#include "horizon/horizon_model.h"
#include "sample/build_process.h"
#include "solve/solver.h"
#include "solve/unfold_chain.h"

struct horizon_model {
    sample_statistics *stats; /* borrowed */
    sample_row_sets *sets;    /* borrowed */
    horizon_model_options options;
    frequencies_model
        *frequencies; /* borrowed; its process is Ĝ. Nodes are numbered as in `process` */
    solve_solver *solver;
    graph_workspace workspace;
    sample_process process; /* all choices; those that were never tried are all unseen */
    sample_process chain;   /* of a policy */
    solve_unfold unfold;
    horizon_bound upper;
    horizon_timed_policy timed;
};

/* The row sets of a process as intervals by edge and unseen mass by choice, in arrays of the workspace. */
typedef struct horizon_rows {
    double *lower, *upper, *unseen;
} horizon_rows;
opac_status horizon_fill_rows(horizon_model *m, const sample_process *process, horizon_rows *rows,
                              opac_error *error);
/* The bound of a finite horizon for state 0, with the rate for the steps that were not swept. */
horizon_bound horizon_conclude(const solve_horizon_result *result, uint64_t horizon);

#endif
