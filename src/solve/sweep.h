/* SPDX-License-Identifier: MIT */
/*
 * Sweeps: each node of a block is set to what its best choice is worth, in
 * place (Gauss-Seidel), rounded down or up.
 *
 * Let Φ be the right side of the equations (quotient.h), over the numbers, for
 * any probabilities that the doubles stand for. Under every policy a run leaves
 * the quotient almost surely, so the powers of a policy's matrix tend to 0.
 *
 * Lemma. l <= Φ(l) implies l <= solution. u >= Φ(u) implies u >= solution.
 * Proof, best = greatest. Let σ be the policy that Φ takes for l. Then
 * l <= Φσ(l) <= Φσ²(l) <= … tends to the value of σ, which is at most the
 * solution. For every policy τ, u >= Φ(u) >= Φτ(u), so u >= Φτ²(u) >= … tends
 * to the value of τ, and for the best τ that is the solution. For best = least
 * exchange the two arguments.
 *
 * In place. Let Ψ update the nodes in some order, with some monotone function D
 * below Φ (rounded down). If Ψ(l) >= l then l' = Ψ(l) has l' <= D(l'): a node
 * was computed from a mixture of l and l', which is at most l', and D is
 * monotone; so l' <= Φ(l'). This is also what a policy needs in order to attain
 * l': any choice that D values at l' or more will do. Likewise from above.
 * Doubles keep this: rounded addition and multiplication are monotone.
 *
 * The margin m of a block is the wide one of its longest choice.
 *
 * With intervals, Φ takes the greatest or the least over models as well. Of a pessimistic quantity
 * only bounds from below are proven, of an optimistic one only bounds from above, and backups are
 * rounded to that side. A vector on the other side tells how near the bound is. Let x <= Φ(x) in a
 * pessimistic quotient, and fix the choices that attain it: x is at most its expectation after a step in
 * every model, and a run leaves the nodes with x > 0 almost surely, as extract.h shows.
 */
#ifndef SOLVE_SWEEP_H
#define SOLVE_SWEEP_H

#include "solve/backup.h"

typedef struct solve_block {
    const solve_quotient *quotient;
    uint32_t begin, end; /* nodes */
    uint64_t cost;       /* of a sweep: nodes, choices and edges */
    double margin;
} solve_block;

typedef enum solve_sweep_kind {
    SOLVE_BELOW,       /* rounded down; x only rises */
    SOLVE_ABOVE,       /* rounded up; x only falls */
    SOLVE_GUESS_BELOW, /* rounded down; x becomes what comes out */
    SOLVE_GUESS_ABOVE  /* rounded up, likewise */
} solve_sweep_kind;

/* How far nodes moved in a sweep: the largest steps up and down, relative; absolute with intervals. */
typedef struct solve_moves {
    double rise, fall;
} solve_moves;

void solve_block_init(const solve_quotient *quotient, uint32_t block, solve_block *result);

/*
 * Nodes ascending: where numbers follow an exploration from the last to the
 * first, most edges lead to nodes visited before. There and back took twice as many
 * sweeps on models of protocols, the order of a depth-first search as many, each slower.
 */
solve_moves solve_sweep(const solve_block *block, solve_sweep_kind kind, double *x);

#endif
