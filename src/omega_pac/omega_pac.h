/* SPDX-License-Identifier: MIT */
/* The learner for a known recurrence time T: ω-PAC, Algorithm 2 of the paper (sample/strategy.h). See
 * omega_pac.c. */
#ifndef OMEGA_PAC_OMEGA_PAC_H
#define OMEGA_PAC_OMEGA_PAC_H

#include "omega_pac/optimistic_model.h"
#include "sample/strategy.h"

extern const sample_strategy omega_pac_strategy;

/* The strategy's sample_run.own. */
typedef struct omega_pac_state {
    omega_pac_optimistic_model *model;
    base_u32_vec changed; /* counters that became known at the last refresh */
    double patience;      /* sample_tuning.patience */
} omega_pac_state;

/* Makes this the strategy of a run whose statistics are initialised. */
opac_status omega_pac_attach(sample_run *run, const omega_pac_optimistic_model_options *options,
                             opac_error *error);

static inline omega_pac_optimistic_model *omega_pac_optimistic_model_of(const sample_run *run)
{
    return ((const omega_pac_state *)run->own)->model;
}

/* ---- sample_size.c ---- */

/* Sets learning->params: N, K and m of docs/theory.md, Theorem 5, and epsilon and delta. */
opac_status omega_pac_measure_product(opac_learning *learning, opac_error *error);
/* Sets report.k, report.k_wanted and report.accuracy for a horizon. */
opac_status omega_pac_choose_sample_size(opac_learning *learning, uint64_t horizon,
                                         opac_error *error);
/* Whether k is as large as the guarantee requires. */
bool omega_pac_has_enough_samples(const opac_learning *learning);

/* ---- omega_pac_horizon.c ---- */

/* Tests T with the current policy: sets report.horizon_check and horizon_found. After OPAC_ERROR_CANCELLED,
 * T is unchecked. */
opac_status omega_pac_check_horizon(opac_learning *learning, opac_error *error);

/* ---- guarantee.c ---- */

opac_status omega_pac_report(opac_learning *learning, opac_error *error);

#endif
