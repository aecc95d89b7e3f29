/* SPDX-License-Identifier: MIT */
/*
 * Computes winning end components: those in which some policy is accepted almost surely. For each Rabin
 * pair, the choices with a mark of fin are removed, and the rest is decomposed into maximal end components.
 * One that contains a choice with a mark of inf is winning: the policy reaches such a choice and takes it,
 * again and again (Baier and Katoen, Principles of Model Checking, 2008, section 10.6.4, with marks on
 * choices; docs/theory.md, Lemma 3 and Theorem 1).
 *
 * An end component of a pair lies in a maximal end component of the process, whose states reach each other
 * almost surely. Once a pair has a winning component in it, its other states reach that component, and
 * later pairs skip it. So the winning components are disjoint, and so are their policies. The other states
 * of value 1 are found by reachability (graph_max_reach).
 *
 * Cost: one decomposition of the process, and at most one for each pair; a pair for which no component loses
 * choices, such as a Büchi condition, needs none.
 */
#ifndef SOLVE_WINNING_H
#define SOLVE_WINNING_H

#include "base/bitset.h"
#include "graph/mec.h"
#include "graph/reverse.h"
#include "graph/workspace.h"
#include "solve/problem.h"

typedef struct solve_winning {
    base_bitset states; /* states of winning end components */
    const uint32_t
        *choice;    /* by state: the choice of the winning policy; GRAPH_NONE in other states */
    uint32_t count; /* number of winning end components */
    graph_mec mec;  /* the maximal end components of the process */
} solve_winning;

/* `reverse` is that of the process. */
opac_status solve_winning_find(const solve_problem *problem, const graph_reverse *reverse,
                               graph_workspace *workspace, solve_winning *winning,
                               opac_error *error);

#endif
