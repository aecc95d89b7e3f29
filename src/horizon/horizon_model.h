/* SPDX-License-Identifier: MIT */
/*
 * The model of a bracket from T, and what follows from it (docs/theory.md, Theorem 17; all numbers refer to
 * that page).
 *
 *     row sets ──► seen graph Ĝ ─┬─► Ŵ ──► U_T, and the policy that attains it by the number of steps left
 *                                └─► of any positional policy: R_T
 *
 * Ĝ is the product of the automaton with the rows tried so far and the successors seen, as far as it is
 * reached from the start. Ŵ is the union of its winning end components (Definition 6).
 *
 *     U_T     greatest probability, over policies and models in the row sets, of being in Ŵ or having taken an
 *             unseen outcome within T steps. With probability at least 1 - δ, p* ≤ U_T + ε.
 *     R_T(π)  greatest probability, over models, of an unseen outcome or a losing bottom component of Ĝ under
 *             π within T steps. Then p_π ≥ 1 - ε - R_T(π).
 *
 * Both are computed by sweeps, which end early where the rest is bounded by a rate (Lemma 25).
 */
#ifndef HORIZON_HORIZON_MODEL_H
#define HORIZON_HORIZON_MODEL_H

#include <omegapac/cancel.h>

#include "frequencies/frequencies.h"
#include "horizon/timed_policy.h"
#include "sample/row_sets.h"
#include "sample/run.h"
#include "solve/problem.h"

typedef struct horizon_model horizon_model;

typedef struct horizon_model_options {
    double slack;      /* sweeps end early if all remaining ones change a bound by at most this */
    double negligible; /* exploration ends where the value of U_T is at most this */
} horizon_model_options;

/* Statistics, row sets and the model of the frequencies are borrowed. */
opac_status horizon_model_new(sample_statistics *stats, sample_row_sets *sets,
                              frequencies_model *frequencies, const horizon_model_options *options,
                              horizon_model **model, opac_error *error);
void horizon_model_free(horizon_model *model);

/* A bound on a probability within T steps, rounded up, and the number of sweeps that prove it. */
typedef struct horizon_bound {
    double value; /* at most 1 */
    uint64_t sweeps;
} horizon_bound;

/* Recomputes Ĝ, Ŵ, U_T and the best policy of the frequencies from the current counts, after
 * sample_statistics_refresh. */
opac_status horizon_model_update(horizon_model *model, uint64_t horizon, const opac_cancel *cancel,
                                 opac_error *error);

/* ---- of the last update ---- */

horizon_bound horizon_model_upper(const horizon_model *model); /* U_T */
/* Number of edges that the sweeps for U_T visited. */
double horizon_model_work(const horizon_model *model);
/* The policy that attains U_T. It ends in Ŵ, and where no more than `negligible` can be gained. */
const horizon_timed_policy *horizon_model_timed(const horizon_model *model);
/* Number of product states of Ĝ, and each of them, the start first. */
uint32_t horizon_model_size(const horizon_model *model);
uint32_t horizon_model_product_state(const horizon_model *model, uint32_t node);

/* ---- of a positional policy, with the counts of the last update ---- */

opac_status horizon_model_risk(horizon_model *model, const sample_positional *policy,
                               uint64_t horizon, const opac_cancel *cancel, horizon_bound *risk,
                               opac_error *error);
typedef enum horizon_cover_outcome {
    HORIZON_COVER_UNKNOWN, /* a component, or the work, is too large */
    HORIZON_COVER_BOUND
} horizon_cover_outcome;
/*
 * An upper bound, over all models in the row sets, on the probability that a run of the policy takes an unseen
 * outcome, or covers a bottom component of Ĝ under the policy twice, within T steps (Theorem 18).
 */
opac_status horizon_model_cover(horizon_model *model, const sample_positional *policy,
                                uint64_t horizon, uint64_t most_work, const opac_cancel *cancel,
                                horizon_cover_outcome *outcome, double *bound, opac_error *error);

#endif
