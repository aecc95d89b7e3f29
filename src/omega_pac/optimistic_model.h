/* SPDX-License-Identifier: MIT */
/*
 * The optimistic model and its policy (steps 1 to 3 of the loop). Choices that
 * are not known lead to an accepting sink; those that are known have the
 * frequencies that were observed. The sink's loop has a mark of its own,
 * with a Rabin pair of its own.
 *
 * The policy is by pair: a choice, numbered as in the world. It is optimal in the
 * optimistic model. Ties: see theory.md, "the loop"; where they are decided by
 * numbers, pairs are numbered breadth first from the start, choices in their order, and
 * what a choice led to in the order of the keys' bytes (the shorter first, if one begins with the
 * other). So the same system has the same policy in every kind of environment, whatever was
 * seen first, as long as its states have the same keys. Pairs that the
 * optimistic model cannot reach, and those met since, take their lowest choice
 * that is not known, or their first (omega_pac_optimistic_model_choice).
 *
 * In a large model most changes need no solving: see optimistic_model_repair.c. A small one is solved at
 * each change, for the sake of its ties: a repaired policy is optimal, too, but may go a long way
 * round to what is unknown. The solver begins from the values before, which can only have fallen.
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
    bool never_repair; /* always solve: for tests */
    bool solve_small;  /* always solve models whose solving costs little beside the sampling */
    const opac_cancel *cancel;
} omega_pac_optimistic_model_options;

/* The world is borrowed for as long as the optimist lives. */
opac_status omega_pac_optimistic_model_new(sample_statistics *stats,
                                           const omega_pac_optimistic_model_options *options,
                                           omega_pac_optimistic_model **model, opac_error *error);
void omega_pac_optimistic_model_free(omega_pac_optimistic_model *model);

/*
 * After sample_statistics_refresh: the policy for what is known now. changed: the counters
 * that became known since the last call, or NULL: solve from scratch. Before
 * the first reset was seen there is nothing to solve.
 */
opac_status omega_pac_optimistic_model_update(omega_pac_optimistic_model *model,
                                              const base_u32_vec *changed, opac_error *error);
/* Solves again without regard to values and policy before: the canonical policy, as at the end. */
opac_status omega_pac_optimistic_model_solve_canonical(omega_pac_optimistic_model *model,
                                                       opac_error *error);

/* The policy's choice in a pair, also one that was met since. */
uint32_t omega_pac_optimistic_model_choice(const omega_pac_optimistic_model *model,
                                           uint32_t product_state);
/* Pairs whose choice the last update changed, and that the policy had before (for maps of it);
 * false: too many, look at all. */
bool omega_pac_optimistic_model_changes(const omega_pac_optimistic_model *model,
                                        const uint32_t **product_states, size_t *count);

/* The policy's value in the optimistic model, from the start: an enclosure of the optimum, whose
 * lower end the policy attains. */
typedef struct omega_pac_value {
    double lower, upper;
} omega_pac_value;
omega_pac_value omega_pac_optimistic_model_value(const omega_pac_optimistic_model *model);
uint64_t
omega_pac_optimistic_model_solves(const omega_pac_optimistic_model *model); /* by the solver */

/*
 * Step 3: whether each pair that the policy reaches in at most T-1 steps of the
 * optimistic model has a known choice there; with all_actions: only known choices.
 */
opac_status omega_pac_optimistic_model_is_done(omega_pac_optimistic_model *model, uint64_t horizon,
                                               bool all_actions, bool *done, opac_error *error);
/* The probability, in the optimistic model, that the policy takes a choice that is not known
 * within T steps; rounded up. */
opac_status omega_pac_optimistic_model_risk(omega_pac_optimistic_model *model, uint64_t horizon,
                                            double *risk, opac_error *error);

/* See sample_run_chain. */
opac_status omega_pac_optimistic_model_chain(omega_pac_optimistic_model *model, sample_chain *chain,
                                             opac_error *error);

/*
 * For checkpoints: all that later updates depend on, as words. Restoring checks
 * them: what does not fit the world is OPAC_ERROR_ARGUMENT.
 */
opac_status omega_pac_optimistic_model_save(const omega_pac_optimistic_model *model,
                                            base_u64_vec *words, opac_error *error);
opac_status omega_pac_optimistic_model_restore(omega_pac_optimistic_model *model,
                                               const uint64_t *words, size_t count,
                                               opac_error *error);

#endif
