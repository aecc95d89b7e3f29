/* SPDX-License-Identifier: MIT */
/*
 * The values of one policy in a block, by elimination without subtraction
 * (Grassmann, Taksar and Heyman, "Regenerative analysis and steady state
 * distributions for Markov chains", 1985), for blocks in which sweeps hardly
 * move: a node k is taken out, and what went through it goes on directly,
 *
 *     rate(i,j) += rate(i,k) · rate(k,j) / s(k),    s(k) = exit(k) + Σ over j ≠ k of rate(k,j)
 *
 * and likewise exit(i), all that leaves the block, and reward(i), which is the gain and
 * what earlier blocks are worth. Loops are never looked at: 1 - loop is s. In
 * the end x(k) = (reward(k) + Σ rate(k,j) x(j)) / s(k), in reverse order. Nodes
 * are taken out by the least product of predecessors and successors
 * (Markowitz 1957), as far as that is known; when most of the nodes that are left lead
 * to most others, these are a matrix. Memory: 24 bytes for each of at most 128 entries a
 * node and 2^24 in all, and 128 MiB for the matrix.
 *
 * Lemma. If each rate, exit and reward of a chain of n nodes is changed by a
 * factor within 1/f … f, then each x by one within f^-2n … f^2n, however slow the
 * chain. Proof: x(i) is Σ_j reward(j) · W(i,j) / W, with W the sum over all
 * forests of edges in which every node has a path out, of the product of their
 * rates, and W(i,j) the same where j has no edge and i leads to j (the matrix
 * tree theorem). Each product has at most n factors, the reward included, none is
 * negative, and the sums are in the numerator and in the denominator.
 *
 * So O'Cinneide's argument ("Entrywise perturbation theory and error analysis
 * for Markov chains", 1993) gives the error of the whole: taking out a node
 * exactly changes no x; doing it in doubles changes what is left, N - 1 nodes, by d + 2
 * roundings an entry, d being the number of terms of s. Together with those of
 * the last step, (2N + 4)(d + 6) for each node cover it. What the block's margin stands for
 * changes the chain at first: 2n margins more. Where a product comes near to
 * underflow, on the way out or back, the elimination gives up: divided by a small s it
 * would be a value that is not right to any such error.
 */
#ifndef SOLVE_ELIMINATE_H
#define SOLVE_ELIMINATE_H

#include "solve/sweep.h"

typedef struct solve_evaluation {
    double *low, *high; /* by node of the block, from its first: values with `lower` and `upper` */
    double error;       /* of each, relative, below 0.011; HUGE_VAL: nothing is proven */
    uint64_t work;      /* that was spent */
    bool done;          /* false: too much work, too many new entries, or too small numbers */
} solve_evaluation;

typedef struct solve_elimination {
    const solve_block *block;    /* of a quotient whose loss is known */
    const uint32_t *policy;      /* by node of the block, from its first: a choice */
    const double *lower, *upper; /* by node; those of earlier blocks count */
    /*
     * NULL: the reward of a node is what its choice gains at once, and in earlier blocks. Else
     * low and high of this are the rewards, one for each visit, loops included; low may be NULL:
     * then it is as above.
     */
    const solve_evaluation *visits;
    bool closed_is_lost;  /* a node that no run leaves is worth 0; else the elimination gives up */
    bool allow_underflow; /* nor does it because of products that underflow: error means nothing */
    uint64_t work_limit;
    const opac_cancel *cancel; /* then it is not done */
} solve_elimination;

/* low and high of the evaluation are the caller's; all else is scratch. */
opac_status solve_eliminate(const solve_elimination *elimination, graph_workspace *workspace,
                            solve_evaluation *evaluation, opac_error *error);

#endif
