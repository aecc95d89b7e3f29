/* SPDX-License-Identifier: MIT */
/*
 * The equations of the values that the graph does not decide. The states whose
 * greatest probability of winning is neither 0 nor 1 become nodes, each of their
 * maximal end components one node: inside, all values are the same, and only
 * choices that can leave count. What is left has no end component, so that
 *
 *     x(node) = best over its choices of   gain(choice) + Σ prob(edge) · x(target(edge))
 *
 * has one solution, a vector that the right side does not exceed is below it,
 * and one that the right side does not fall below is above it (de Alfaro 1997;
 * Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018).
 *
 * Two quantities have such equations:
 *
 *     greatest     p: gain is what goes to states of value 1; best is the greatest
 *     complement   1 - p: gain is what goes to states of value 0; best is the least
 *
 * A row is what a choice does when it leaves its node: an edge from a node to itself is left out,
 * and the others are divided by their sum, which is added up and not taken from 1. So a choice
 * that leaves with probability 1e-300 is known as precisely as any other.
 *
 * A complement that is small is thus computed to a relative precision of its
 * own, and not by subtracting.
 *
 * Intervals have two more:
 *
 *     pessimistic  the greatest, over choices, of the least, over models
 *     optimistic   the greatest over both
 *
 *     x(node) = best over its choices of the robust backup (robust.h) of x
 *
 * There the states of value 1 are node 0 and those of value 0 node 1, which have no choices. Edges to
 * one node are joined by adding their ends, which changes no backup; an edge to the node itself stays.
 * A choice that can stay in its component (optimistic_mec.h) and has edges out of it, whose lower ends are 0,
 * becomes one choice for each of these, because a model may leave by it alone.
 *
 * Nodes are numbered so that strongly connected components (blocks) are
 * contiguous and edges lead to the same block or an earlier one:
 *
 *     block_begin   0     3  4 …          nodes of block b
 *     choice_begin  0  2  3 …             choices of node n
 *     edge_begin    0  2  …               edges of choice c; those to states of value
 *     target, prob                        0 or 1 are gone, the edges to one node joined
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
    SOLVE_ZERO,   /* of value 0 */
    SOLVE_SETTLED /* how many such nodes there are */
};

typedef struct solve_quotient {
    bool complement;
    bool robust;   /* intervals */
    bool greatest; /* with them: the quantity is the optimistic one */
    uint32_t node_count, choice_count, edge_count, block_count;
    const uint32_t *node; /* by state of the process; GRAPH_NONE: its value is 0 or 1, numbers */
    const uint32_t *block_begin; /* with intervals, block 0 begins behind the settled nodes */
    const uint32_t *level; /* by block: 0 when no edge leads to an earlier block, else 1 more than
                              the largest level among those */
    uint32_t level_count;
    const uint32_t *choice_begin, *edge_begin, *target;
    const double *prob, *gain;
    const double *loss; /* by choice: what goes to the states that `gain` leaves out, those of value
                           0 or, in a complement, 1; added up, not subtracted from 1, so that it is
                           right to a relative margin. NULL: not known, for tests */
    /* By edge, with intervals, where prob, gain and loss are NULL. */
    const double *low, *high;
    uint32_t *order;        /* positions in the choice, sorted by value once used */
    double *scratch;        /* as many as the longest choice has edges: one thread at a time */
    const uint32_t *choice; /* by choice: its number in the process */
    base_bitset inside;     /* choices of the process that stay inside an end component that
                               became a node: taking one changes no value */
} solve_quotient;

/* The row of one choice, in place. */
typedef struct solve_row {
    double *gain, *loss;
    uint32_t *target;
    double *prob;
    uint32_t edges;
} solve_row;

/* Drops the edge to the node itself, if there is one, and divides the rest by its sum; returns how
 * many edges are left. Two roundings for each number. */
uint32_t solve_row_leave_loop_out(const solve_row *row, uint32_t node);

/*
 * zero and one: the states whose greatest probability of winning is 0 and 1.
 * What a choice has for a node, or for its gain, is added up exactly and rounded
 * once, however many edges it comes from. mec: the maximal end components among the other states;
 * for the optimistic quantity, the loose ones if some lower end is 0.
 */
opac_status solve_quotient_of_components(const solve_problem *problem, const base_bitset *zero,
                                         const base_bitset *one, solve_quantity quantity,
                                         const graph_mec *mec, graph_workspace *workspace,
                                         solve_quotient *quotient, opac_error *error);

#endif
