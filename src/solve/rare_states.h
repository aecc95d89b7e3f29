/* SPDX-License-Identifier: MIT */
/*
 * Selects the rarest states of a bottom component that is too large to track all its states.
 *
 * Claim (docs/theory.md, Lemma 10): the time until a subset K of a component B is covered twice is a lower
 * bound on the time for B. Proof: let B be covered for the first time at t1, and for the second time at t2,
 * so that B ⊆ {X_t1, …, X_t2}. All states of K were visited by some time t ≤ t1, and K ⊆ B ⊆ {X_t1, …, X_t2}
 * ⊆ {X_t, …, X_t2}. So K is covered twice by t2. (Under the literal definition, the condition on fewer states
 * is weaker anyway.)
 *
 * Any subset is sound. The bound is best for the states that runs visit last. As an estimate, the function
 * selects the states with the least probability after a few steps from the uniform distribution.
 *
 * Linear in the edges of B.
 */
#ifndef SOLVE_RARE_STATES_H
#define SOLVE_RARE_STATES_H

#include "graph/workspace.h"
#include "solve/unfold_chain.h"

/*
 * The number of states to select: as many as keep states · 2^(number + 1) small, but at least two, and at
 * most all.
 */
uint32_t solve_rare_states_count(uint32_t states);

/*
 * Sets rank[s], for the states of a bottom component, to 0, 1, … for the selected ones and to
 * SOLVE_UNFOLD_UNTRACKED for the others. share: scratch, with an item for each state of the process.
 */
void solve_rare_states_find(const solve_chain *chain, const double *prob, const uint32_t *states,
                            uint32_t count, double *share[2], uint32_t *rank, base_work *work);

#endif
