/* SPDX-License-Identifier: MIT */
/*
 * The quotient: the equations of the values that the graph does not decide. The states whose maximal
 * probability of winning is neither 0 nor 1 become nodes, and each of their maximal end components is
 * contracted to one node, because all its states have the same value and only choices that can leave it
 * matter. The quotient has no end component. Therefore
 *
 *     x(node) = best over its choices of   gain(choice) + Σ prob(edge) · x(target(edge))
 *
 * has exactly one solution. With Φ(x) the right side, x <= Φ(x) implies x <= solution, and x >= Φ(x)
 * implies x >= solution (docs/theory.md, Theorem 2; de Alfaro 1997; Haddad and Monmege, "Interval iteration
 * algorithm for MDPs and IMDPs", 2018).
 *
 * Two quantities have such equations:
 *
 *     greatest     p: gain is the probability of states of value 1; best is the maximum
 *     complement   1 - p: gain is the probability of states of value 0; best is the minimum
 *
 * The complement has its own relative precision: a small 1 - p is not computed by subtraction.
 *
 * Edges from a node to itself are removed, and the other probabilities of the choice are divided by their
 * sum. This sum is computed by addition, not as 1 - loop, so a choice that leaves its node with probability
 * 1e-300 is known with the same relative precision as any other.
 *
 * With intervals there are two other quantities:
 *
 *     pessimistic  the maximum over choices of the minimum over models
 *     optimistic   the maximum over both
 *
 *     x(node) = best over its choices of the robust backup (robust.h) of x
 *
 * Here the states of value 1 are node 0, and those of value 0 are node 1; these have no choices. Edges to the
 * same node are merged by adding their ends, which changes no backup; edges from a node to itself remain. A
 * choice that can stay in its component (optimistic_mec.h), with edges out of it whose lower ends are 0,
 * becomes one choice for each of these edges, because a model may leave by this edge only.
 *
 * Nodes are numbered so that strongly connected components (blocks) are contiguous, and edges lead to the
 * same block or to earlier ones:
 *
 *     block_begin   0     3  4 …          nodes of block b
 *     choice_begin  0  2  3 …             choices of node n
 *     edge_begin    0  2  …               edges of choice c, without those to states of value 0 or 1,
 *     target, prob                        and with one edge for each target
 */
#ifndef SOLVE_QUOTIENT_H
#define SOLVE_QUOTIENT_H

#include "base/bitset.h"
#include "graph/mec.h"
#include "solve/problem.h"

typedef enum solve_quantity {
    SOLVE_GREATEST,
    SOLVE_COMPLEMENT,
    SOLVE_PESSIMISTIC,
    SOLVE_OPTIMISTIC
} solve_quantity;

enum {
    SOLVE_ONE,    /* with intervals, the node of states of value 1 */
    SOLVE_ZERO,   /* the node of states of value 0 */
    SOLVE_SETTLED /* number of these nodes */
};

typedef struct solve_quotient {
    bool complement;
    bool robust;   /* intervals */
    bool greatest; /* with intervals: the quantity is the optimistic one */
    uint32_t node_count, choice_count, edge_count, block_count;
    const uint32_t
        *node; /* by state of the process; without intervals, GRAPH_NONE for values 0 and 1 */
    const uint32_t *block_begin; /* with intervals, block 0 begins after the settled nodes */
    const uint32_t *level; /* by block: 0 if no edge leads to an earlier block, else 1 more than the
                              largest level of the blocks that its edges lead to */
    uint32_t level_count;
    const uint32_t *choice_begin, *edge_begin, *target;
    const double *prob, *gain;
    const double
        *loss; /* by choice: probability of states of value 0 (complement: of value 1); computed
                           by addition, so its relative error is small. NULL in some tests */
    const double *low, *high; /* by edge, with intervals; prob, gain and loss are then NULL */
    uint32_t *order; /* by edge: positions within the choice, sorted by value after first use */
    double *scratch; /* one item for each edge of the longest choice; for one thread at a time */
    const uint32_t *choice; /* by choice: its number in the process */
    base_bitset inside;     /* choices of the process inside contracted end components; taking one
                               changes no value */
} solve_quotient;

/* The row of one choice, modified in place. */
typedef struct solve_row {
    double *gain, *loss;
    uint32_t *target;
    double *prob;
    uint32_t edges;
} solve_row;

/* Removes the edge to the node itself, if there is one, and divides the rest by its sum; returns the number
 * of remaining edges. Two roundings for each number. */
uint32_t solve_row_remove_loop(const solve_row *row, uint32_t node);

/*
 * Builds the quotient. zero and one: the states whose maximal probability of winning is 0 and 1. mec: the
 * maximal end components among the other states; for the optimistic quantity, the optimistic ones if some
 * lower end is 0. Merged probabilities, gain and loss are sums that are rounded only once, whatever the
 * number of edges.
 */
opac_status solve_quotient_of_components(const solve_problem *problem, const base_bitset *zero,
                                         const base_bitset *one, solve_quantity quantity,
                                         const graph_mec *mec, graph_workspace *workspace,
                                         solve_quotient *quotient, opac_error *error);

#endif
