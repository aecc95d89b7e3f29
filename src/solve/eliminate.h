/* SPDX-License-Identifier: MIT */
/*
 * Computes the values of one policy in a block by elimination without subtraction (Grassmann, Taksar and
 * Heyman, "Regenerative analysis and steady state distributions for Markov chains", 1985), for blocks in
 * which sweeps converge slowly. Eliminating a node k redirects the paths through it:
 *
 *     rate(i,j) += rate(i,k) · rate(k,j) / s(k),    s(k) = exit(k) + Σ over j ≠ k of rate(k,j)
 *
 * and likewise exit(i), the total rate that leaves the block, and reward(i), which is the gain plus the
 * weighted values of earlier blocks. Loops are never read, because s replaces 1 - loop. Back substitution
 * computes x(k) = (reward(k) + Σ rate(k,j) x(j)) / s(k), in reverse order. Nodes are eliminated in
 * ascending order of predecessors × successors (Markowitz 1957), approximately. Once most of the
 * remaining nodes lead to most others, the rest is stored as a dense matrix. Memory: 24 bytes for each of
 * at most 128 entries per node and 2^24 in total, and 128 MiB for the matrix.
 *
 * Lemma (docs/theory.md, Lemma 8). If each rate, exit and reward of a chain of n nodes changes by a factor
 * within [1/f, f], then each x changes by a factor within [f^-2n, f^2n], however slowly the chain mixes.
 * Proof: by the matrix tree theorem, x(i) = Σ_j reward(j) · W(i,j) / W. Here W is the sum over all
 * spanning forests in which every node has a path out of the block, of the product of the rates of their
 * edges, and W(i,j) is the sum over the forests in which j has no edge and i leads to j. Each product has
 * at most n factors, including the reward, and none is negative. So the numerator and the denominator
 * each change by a factor within [f^-n, f^n].
 *
 * Error of the result, by the argument of O'Cinneide ("Entrywise perturbation theory and error analysis
 * for Markov chains", 1993): eliminating a node exactly changes no x. Doing it in doubles changes each
 * entry of the remaining chain, with N - 1 nodes, by d + 2 roundings, where d is the number of terms of
 * s. By the lemma, (2N + 4)(d + 6) roundings for each node cover this and the back substitution. The
 * margin of the block perturbs the chain initially, which adds 2n margins. The elimination gives up if a
 * product is close to underflow, in either direction: divided by a small s, it would yield a value
 * without any error bound.
 */
#ifndef SOLVE_ELIMINATE_H
#define SOLVE_ELIMINATE_H

#include "solve/sweep.h"

typedef struct solve_evaluation {
    double *low, *high; /* by node of the block, from its first: values given `lower` and `upper` */
    double error;       /* relative error of each value, below 0.011; HUGE_VAL if unknown */
    uint64_t work;      /* the cost */
    bool done; /* false if there was too much work, too many entries, or a risk of underflow */
} solve_evaluation;

typedef struct solve_elimination {
    const solve_block *block;    /* `loss` of its quotient must not be NULL */
    const uint32_t *policy;      /* by node of the block, from its first: a choice */
    const double *lower, *upper; /* by node; only those of earlier blocks are used */
    /*
     * Rewards for each visit of a node, including visits by loops: low and high of this. If it is NULL, or
     * for low if that is NULL, the reward of a node is the gain of its choice plus the weighted values of
     * earlier blocks.
     */
    const solve_evaluation *visits;
    bool
        closed_is_lost; /* a node that runs never leave has value 0; otherwise the elimination fails */
    bool allow_underflow; /* products may underflow, and `error` is invalid; otherwise it fails */
    uint64_t work_limit;
    const opac_cancel *cancel; /* once requested, the elimination fails */
} solve_elimination;

/* The caller provides low and high of the evaluation; all other memory is scratch. */
opac_status solve_eliminate(const solve_elimination *elimination, graph_workspace *workspace,
                            solve_evaluation *evaluation, opac_error *error);

#endif
