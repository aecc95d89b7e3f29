/* SPDX-License-Identifier: MIT */
/* The strategy that knows T: Algorithm 2 of the paper. See omega_pac.c. */
#ifndef OMEGA_PAC_OMEGA_PAC_H
#define OMEGA_PAC_OMEGA_PAC_H

#include "omega_pac/optimistic_model.h"
#include "sample/strategy.h"

extern const sample_strategy omega_pac_strategy;

/* Its sample_run.own. */
typedef struct omega_pac_state {
    omega_pac_optimistic_model *model;
    base_u32_vec changed; /* counters that became known */
    double patience;      /* sample_tuning.patience */
} omega_pac_state;

/* Makes it the strategy of a run whose world is there. */
opac_status omega_pac_attach(sample_run *run, const omega_pac_optimistic_model_options *options,
                             opac_error *error);

static inline omega_pac_optimistic_model *omega_pac_optimistic_model_of(const sample_run *run)
{
    return ((const omega_pac_state *)run->own)->model;
}

/* ---- sample_size.c ---- */

/* N, K, m of the theorem; the rest of `params` follows from the options. */
opac_status omega_pac_measure_product(opac_learning *learning, opac_error *error);
/* For a horizon: report.k, report.k_wanted, report.accuracy. */
opac_status omega_pac_choose_sample_size(opac_learning *learning, uint64_t horizon,
                                         opac_error *error);
/* Whether k is as large as the theorem asks for. */
bool omega_pac_has_enough_samples(const opac_learning *learning);

/* ---- omega_pac_horizon.c ---- */

/* report.horizon_check and horizon_found, for the policy of the moment. OPAC_ERROR_CANCELLED: it was
 * not looked at to the end, and is unchecked. */
opac_status omega_pac_check_horizon(opac_learning *learning, opac_error *error);

/* ---- guarantee.c ---- */

opac_status omega_pac_report(opac_learning *learning, opac_error *error);

#endif
