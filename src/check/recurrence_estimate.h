/* SPDX-License-Identifier: MIT */
/*
 * The recurrence time of a chain from simulated runs: the (1 - epsilon)
 * quantile of their times, and an interval for it that assumes nothing about
 * their distribution. Of n runs let K(t) be those done by t. T <= t where the
 * lower end of Clopper and Pearson's interval for K(t) of n is at least
 * 1 - epsilon, and T > t where the upper end is below it, each wrong with
 * probability at most delta/2; both are statements about order statistics.
 */
#ifndef CHECK_RECURRENCE_ESTIMATE_H
#define CHECK_RECURRENCE_ESTIMATE_H

#include <omegapac/cancel.h>
#include <omegapac/progress.h>

#include "graph/process.h"

typedef struct check_estimate_options {
    double epsilon, delta;
    bool literal;
    uint64_t samples, seed;
    uint64_t max_steps; /* of a run: those that are not done by then are left alone */
    unsigned threads;
    const opac_cancel *cancel;
    opac_progress *progress;
} check_estimate_options;

typedef struct check_estimate {
    bool is_known;         /* the quantile is among the runs that were done */
    uint64_t steps, lower; /* the quantile, and the lower end of its interval */
    uint64_t upper;        /* 0: there is none */
} check_estimate;

/* choice: by state, a choice of the process; GRAPH_NONE: runs stay there, or never come. */
opac_status check_estimate_chain(const graph_process *process, const uint32_t *choice,
                                 uint32_t start, const check_estimate_options *options,
                                 check_estimate *estimate, opac_error *error);

#endif
