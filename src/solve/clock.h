/* SPDX-License-Identifier: MIT */
/*
 * What finds the recurrence times of many chains of one process: it reads the
 * process once, and keeps its memory from chain to chain.
 *
 *     solve_clock clock = {0};
 *     solve_clock_read(&clock, process, error);
 *     for each policy: solve_clock_run(&clock, &chain, options, &result, error);
 *     solve_clock_fini(&clock);
 */
#ifndef SOLVE_CLOCK_H
#define SOLVE_CLOCK_H

#include "solve/march.h"

typedef struct solve_clock {
    solve_unfold unfold;
    solve_march march;
} solve_clock;

void solve_clock_fini(solve_clock *clock);
/* Whether the question makes sense. */
opac_status solve_clock_check(const graph_process *process, uint32_t start,
                              const solve_recurrence_options *options, opac_error *error);
opac_status solve_clock_read(solve_clock *clock, const graph_process *process, opac_error *error);
opac_status solve_clock_run(solve_clock *clock, const solve_chain *chain,
                            const solve_recurrence_options *options, solve_recurrence *result,
                            opac_error *error);

#endif
