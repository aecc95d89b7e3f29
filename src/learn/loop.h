/* SPDX-License-Identifier: MIT */
/* The strategy that knows T: Algorithm 2 of the paper. See loop.c. */
#ifndef LEARN_LOOP_H
#define LEARN_LOOP_H

#include "learn/optimist.h"
#include "learn/strategy.h"

extern const learn_strategy learn_with_horizon;

/* Its learn_run.own. */
typedef struct learn_horizon_state {
    learn_optimist *optimist;
    base_u32_vec changed; /* counters that became known */
    double patience;      /* learn_tuning.patience */
} learn_horizon_state;

/* Makes it the strategy of a run whose world is there. */
opac_status learn_attach_horizon(learn_run *run, const learn_optimist_options *options,
                                 opac_error *error);

static inline learn_optimist *learn_run_optimist(const learn_run *run)
{
    return ((const learn_horizon_state *)run->own)->optimist;
}

/* ---- theory.c ---- */

/* N, K, m of the theorem; the rest of `params` follows from the options. */
opac_status learn_theory_measure(opac_learning *learning, opac_error *error);
/* For a horizon: report.k, report.k_wanted, report.accuracy. */
opac_status learn_theory_of_horizon(opac_learning *learning, uint64_t horizon, opac_error *error);
/* Whether k is as large as the theorem asks for. */
bool learn_theory_is_met(const opac_learning *learning);

/* ---- horizon.c ---- */

/* report.horizon_check and horizon_found, for the policy of the moment. OPAC_ERROR_CANCELLED: it was
 * not looked at to the end, and is unchecked. */
opac_status learn_horizon_check(opac_learning *learning, opac_error *error);

/* ---- guarantee.c ---- */

opac_status learn_horizon_report(opac_learning *learning, opac_error *error);

#endif
