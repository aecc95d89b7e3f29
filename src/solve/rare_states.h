/* SPDX-License-Identifier: MIT */
/*
 * A few states of a bottom component that is too large to be followed as a whole.
 *
 * If B is covered twice at t2, so is every part K of it, at t2 or before: K was all
 * seen at some time t ≤ t1, and K ⊆ B ⊆ {X_t1, …, X_t2} ⊆ {X_t, …, X_t2}. (The literal
 * definition asks less of fewer states anyway.) So the time until K is covered is a lower
 * bound on that of B. It is best for the states that runs see last: the rarest ones,
 * as far as a few steps of the chain from everywhere tell. Any would be sound.
 *
 * Linear in the edges of B.
 */
#ifndef SOLVE_RARE_STATES_H
#define SOLVE_RARE_STATES_H

#include "graph/workspace.h"
#include "solve/unfold_chain.h"

/* At least two, so that states · 2^(landmarks + 1) stays small; never more than there are. */
uint32_t solve_rare_states_count(uint32_t states);

/*
 * Of a bottom component: rank[s] is set to 0, 1, … for as many states as are wanted, and
 * to SOLVE_UNFOLD_UNTRACKED for the others. share: a number for each state of the process; scratch.
 */
void solve_rare_states_find(const solve_chain *chain, const double *prob, const uint32_t *states,
                            uint32_t count, double *share[2], uint32_t *rank, base_work *work);

#endif
