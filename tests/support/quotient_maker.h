/* SPDX-License-Identifier: MIT */
/*
 * Builds quotients by hand: nodes, their choices and edges in any order. Finishing sorts the strongly
 * connected components, renumbers the nodes, and removes loops as solve_quotient_of_components does.
 *
 *     quotient_maker maker = {0};
 *     maker_node(&maker);
 *     maker_choice(&maker, gain, loss);
 *     maker_edge(&maker, target, prob);
 *     …
 *     const solve_quotient *quotient = maker_finish(&maker, complement);
 *     … maker.number[node] is the node's number there …
 *     maker_fini(&maker);
 */
#ifndef SUPPORT_QUOTIENT_MAKER_H
#define SUPPORT_QUOTIENT_MAKER_H

#include "solve/quotient.h"

typedef struct quotient_maker {
    uint32_t nodes, choices, edges;
    uint32_t node_room, choice_room, edge_room;
    uint32_t *choice_begin, *edge_begin, *target; /* as added */
    double *prob, *gain, *loss;
    uint32_t *number, *origin; /* after finishing: number of a node; node of a number */
    graph_workspace workspace;
    solve_quotient quotient;
} quotient_maker;

void maker_node(quotient_maker *maker);
void maker_choice(quotient_maker *maker, double gain, double loss);
void maker_edge(quotient_maker *maker, uint32_t target, double prob);
const solve_quotient *maker_finish(quotient_maker *maker, bool complement);
void maker_fini(quotient_maker *maker);

/* solve_quotient_of_components with the components that it finds. */
opac_status quotient_build(const solve_problem *problem, const base_bitset *zero,
                           const base_bitset *one, bool complement, graph_workspace *workspace,
                           solve_quotient *quotient, opac_error *error);

#endif
