/* SPDX-License-Identifier: MIT */
/*
 * Limit-deterministic Büchi automata that are good for MDPs: a run guesses once,
 * and deterministically accepts or not from then on.
 *
 *     ┌──────────────┐  a   ┌────────────────────────────────┐
 *     │ first part:  │ ───► │ one copy for each alternative: │
 *     │ the automaton│ ───► │ no edge with its Fin marks,    │
 *     │ as it is     │      │ its Inf marks one by one       │
 *     └──────────────┘      └────────────────────────────────┘
 *
 * The first part is a deterministic automaton without its condition. A jump
 * goes along an edge of it, consuming the letter, into a copy for one
 * alternative of the condition (aut/clauses.h): fin and inf become "no edge" and
 * one Büchi condition with a counter.
 *
 * Good for MDPs (Hahn et al. 2020; after Sickert et al. 2016): under a policy
 * that is optimal for the deterministic automaton, almost every accepted run
 * ends in an end component of the product whose marks satisfy an alternative;
 * there the policy jumps into its copy and loses nothing.
 *
 * What is left out: jumps to states from which the copy cannot go on for ever
 * within one component, since a run may jump later; and, where the condition of
 * a component and of all behind it is plain Büchi, copies and jumps altogether.
 */
#ifndef AUT_LDBA_H
#define AUT_LDBA_H

#include "aut/leaf.h"

/* The automaton is deterministic. The result has the condition Inf(0). */
opac_status aut_to_ldba(const opac_automaton *automaton, const aut_limits *limits,
                        opac_automaton **ldba, opac_error *error);

#endif
