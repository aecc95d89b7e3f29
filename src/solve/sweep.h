/* SPDX-License-Identifier: MIT */
/*
 * Gauss-Seidel sweeps: set each node of a block in place to its best backup, rounded down or up.
 *
 * Let Φ be the right side of the equations (quotient.h), over the real numbers, for any probabilities within
 * SOLVE_PROBABILITY_MARGIN of the doubles. Under every policy a run leaves the quotient almost surely, so the
 * powers of the matrix of every policy tend to 0.
 *
 * Lemma (docs/theory.md, Theorem 2). l <= Φ(l) implies l <= solution, and u >= Φ(u) implies u >= solution.
 * Proof, for best = maximum. Let σ be the policy that attains Φ(l). Then l <= Φσ(l) <= Φσ²(l) <= …, and this
 * sequence tends to the value of σ, which is at most the solution. For every policy τ, u >= Φ(u) >= Φτ(u), so
 * u >= Φτ(u) >= Φτ²(u) >= …, which tends to the value of τ. For an optimal τ this is the solution. For best =
 * minimum, exchange the two arguments.
 *
 * Sweeps in place (docs/theory.md, Lemma 6). Let D be a monotone function with D <= Φ (the backup rounded
 * down), and let Ψ update the nodes in some order by D. Claim: if l' = Ψ(l) >= l, then l' <= D(l') <= Φ(l').
 * Proof: each node of l' was computed from a vector with some components of l and some of l'. This vector is
 * at most l', and D is monotone. It follows that every policy whose choices have a backup D of at least l'
 * attains l'. Likewise from above. Doubles satisfy the assumption, because rounded addition and
 * multiplication are monotone.
 *
 * The margin of a block is solve_outer_margin of its longest choice.
 *
 * With intervals, Φ also takes the maximum or minimum over models. For a pessimistic quantity only lower
 * bounds are proven, and for an optimistic quantity only upper bounds; backups are rounded to that side. The
 * vector on the other side only estimates the precision. In a pessimistic quotient the lemma holds as
 * follows: let x <= Φ(x), and fix the choices that attain Φ(x). In every model, x is at most its expected
 * value after a step, and a run almost surely leaves the nodes with x > 0, as shown in extract.h.
 */
#ifndef SOLVE_SWEEP_H
#define SOLVE_SWEEP_H

#include "solve/backup.h"

typedef struct solve_block {
    const solve_quotient *quotient;
    uint32_t begin, end; /* nodes */
    uint64_t cost;       /* cost of a sweep: number of nodes, choices and edges */
    double margin;
} solve_block;

typedef enum solve_sweep_kind {
    SOLVE_BELOW,       /* rounded down; a component of x never decreases */
    SOLVE_ABOVE,       /* rounded up; a component of x never increases */
    SOLVE_GUESS_BELOW, /* rounded down; x may change in both directions */
    SOLVE_GUESS_ABOVE  /* rounded up; x may change in both directions */
} solve_sweep_kind;

/* The largest increase and decrease of a node in a sweep: relative, or absolute with intervals. */
typedef struct solve_moves {
    double rise, fall;
} solve_moves;

void solve_block_init(const solve_quotient *quotient, uint32_t block, solve_block *result);

/*
 * Sweeps the nodes in ascending order. Quotients number the nodes from the last state to the first
 * (quotient.c), so most edges lead to nodes that were updated before. On models of protocols, alternating
 * directions took twice as many sweeps; a depth-first order took as many, and each was slower.
 */
solve_moves solve_sweep(const solve_block *block, solve_sweep_kind kind, double *x);

#endif
