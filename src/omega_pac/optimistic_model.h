/* SPDX-License-Identifier: MIT */
/*
 * The optimistic model M̂ and its optimal policy (docs/theory.md, "The learner"). In M̂ unknown choices
 * lead to an accepting sink, and known choices have the observed frequencies. The sink's loop has a mark
 * and a Rabin pair of its own.
 *
 * The policy has a choice for each product state, numbered as in the statistics. Ties prefer unknown
 * choices; where numbers decide them, product states are numbered breadth first from the start, choices in
 * their order, and successors in the order of their keys (bytes, then length). So the same system has the
 * same policy in every kind of environment, in whatever order states were observed, as long as they have
 * the same keys. Product states that M̂ does not reach, and those added since the last update, take their
 * lowest unknown choice, or else their first (omega_pac_optimistic_model_choice).
 *
 * In a large model most updates need no solver: see optimistic_model_repair.c. A small one is solved at
 * each update for better ties: a repaired policy is optimal too, but may reach unknown choices by long
 * paths. The solver starts from the previous values, which can only decrease.
 */
#ifndef OMEGA_PAC_OPTIMISTIC_MODEL_H
#define OMEGA_PAC_OPTIMISTIC_MODEL_H

#include <omegapac/cancel.h>

#include "base/pool.h"
#include "graph/process.h"
#include "product/rabin_pairs.h"
#include "sample/run.h"
#include "solve/solver.h"

typedef struct omega_pac_optimistic_model omega_pac_optimistic_model;

typedef struct omega_pac_optimistic_model_options {
    const solve_rabin_pair *pairs; /* of the automaton's condition; copied */
    uint32_t pair_count;
    double precision;  /* of the solver; 0: 1e-9 */
    bool never_repair; /* solve at each update, for tests */
    bool solve_small;  /* solve at each update if that costs little compared with sampling */
    const opac_cancel *cancel;
} omega_pac_optimistic_model_options;

/* The statistics are borrowed. */
opac_status omega_pac_optimistic_model_new(sample_statistics *stats,
                                           const omega_pac_optimistic_model_options *options,
                                           omega_pac_optimistic_model **model, opac_error *error);
void omega_pac_optimistic_model_free(omega_pac_optimistic_model *model);

/*
 * Updates the policy after sample_statistics_refresh. changed: the counters that became known since the
 * last call, or NULL to solve from scratch. Does nothing before the first reset.
 */
opac_status omega_pac_optimistic_model_update(omega_pac_optimistic_model *model,
                                              const base_u32_vec *changed, opac_error *error);
/* Solves without using earlier values and policies. The result is the canonical policy, which is returned
 * at the end of a run. */
opac_status omega_pac_optimistic_model_solve_canonical(omega_pac_optimistic_model *model,
                                                       opac_error *error);

/* The policy's choice in a product state, also in one that was added since the last update. */
uint32_t omega_pac_optimistic_model_choice(const omega_pac_optimistic_model *model,
                                           uint32_t product_state);
/* The product states whose choice the last update changed; false if any may have changed. */
bool omega_pac_optimistic_model_changes(const omega_pac_optimistic_model *model,
                                        const uint32_t **product_states, size_t *count);

/* Encloses the greatest value of the start in the optimistic model; the policy attains the lower end. */
typedef struct omega_pac_value {
    double lower, upper;
} omega_pac_value;
omega_pac_value omega_pac_optimistic_model_value(const omega_pac_optimistic_model *model);
uint64_t omega_pac_optimistic_model_solves(
    const omega_pac_optimistic_model *model); /* number of solver runs */

/*
 * The stopping condition: whether the policy takes known choices only, in all product states that it
 * reaches in at most T-1 steps of the optimistic model; with all_actions, whether all their choices are
 * known.
 */
opac_status omega_pac_optimistic_model_is_done(omega_pac_optimistic_model *model, uint64_t horizon,
                                               bool all_actions, bool *done, opac_error *error);
/* The probability, in the optimistic model, that the policy takes an unknown choice within T steps; rounded
 * up. */
opac_status omega_pac_optimistic_model_risk(omega_pac_optimistic_model *model, uint64_t horizon,
                                            double *risk, opac_error *error);

/* See sample_run_chain. */
opac_status omega_pac_optimistic_model_chain(omega_pac_optimistic_model *model, sample_chain *chain,
                                             opac_error *error);

/*
 * For checkpoints: everything that later updates depend on, as words. Restoring validates them:
 * OPAC_ERROR_ARGUMENT if they do not match the statistics.
 */
opac_status omega_pac_optimistic_model_save(const omega_pac_optimistic_model *model,
                                            base_u64_vec *words, opac_error *error);
opac_status omega_pac_optimistic_model_restore(omega_pac_optimistic_model *model,
                                               const uint64_t *words, size_t count,
                                               opac_error *error);

#endif
