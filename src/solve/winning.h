/* SPDX-License-Identifier: MIT */
/*
 * Winning end components: those in which a policy is accepted almost surely.
 * For each pair, the choices with a mark of fin are taken away, what is left is
 * decomposed into maximal end components, and one with a choice that has a mark
 * of inf wins: reach such a choice, take it, again and again (Baier and Katoen,
 * Principles of Model Checking, 2008, section 10.6.4, with marks on choices).
 *
 * An end component of a pair lies in a maximal end component of the process. In
 * that one, every state reaches every other almost surely: once a pair has won a
 * part of it, its other states reach that part, and later pairs need not look at
 * it. So components that are found are disjoint, whatever their pairs, and their
 * strategies cannot get into each other's way. States of value 1 that are in
 * none are found by reachability (graph_max_reach).
 *
 * At most one decomposition of the process and one for each pair; a pair that
 * no component needs to lose choices for (Büchi) costs none.
 */
#ifndef SOLVE_WINNING_H
#define SOLVE_WINNING_H

#include "base/bitset.h"
#include "graph/mec.h"
#include "graph/reverse.h"
#include "graph/workspace.h"
#include "solve/problem.h"

typedef struct solve_winning {
    base_bitset states;     /* of winning end components */
    const uint32_t *choice; /* by such state: the choice that wins; others GRAPH_NONE */
    uint32_t count;         /* components that were found */
    graph_mec mec;          /* the maximal end components of the process */
} solve_winning;

/* The reverse is that of the process. */
opac_status solve_winning_find(const solve_problem *problem, const graph_reverse *reverse,
                               graph_workspace *workspace, solve_winning *winning,
                               opac_error *error);

#endif
