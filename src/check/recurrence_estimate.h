/* SPDX-License-Identifier: MIT */
/*
 * Estimates the recurrence time of a chain from simulated runs: the (1 - epsilon) quantile of their
 * times, with a distribution-free interval. Let K(t) be the number of the n runs that have ended by t. T
 * <= t if the lower end of the Clopper-Pearson interval of K(t) out of n is at least 1 - epsilon, and T >
 * t if its upper end is below 1 - epsilon; each is wrong with probability at most delta/2. Both
 * conditions are about order statistics.
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
    uint64_t max_steps; /* of a run; longer runs count as not ended */
    unsigned threads;
    const opac_cancel *cancel;
    opac_progress *progress;
} check_estimate_options;

typedef struct check_estimate {
    bool is_known;         /* the quantile is among the runs that have ended */
    uint64_t steps, lower; /* the quantile, and the lower end of its interval */
    uint64_t upper;        /* upper end of the interval; 0 if there is none */
} check_estimate;

/* choice: by state, a choice of the process; GRAPH_NONE for an absorbing or unreachable state. */
opac_status check_estimate_chain(const graph_process *process, const uint32_t *choice,
                                 uint32_t start, const check_estimate_options *options,
                                 check_estimate *estimate, opac_error *error);

#endif
