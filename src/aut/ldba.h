/* SPDX-License-Identifier: MIT */
/*
 * Conversion to limit-deterministic Büchi automata that are good for MDPs: a run makes one nondeterministic
 * choice, and is deterministic after it.
 *
 *     ┌──────────────┐  a   ┌────────────────────────────────┐
 *     │ first part:  │ ───► │ one copy for each clause:      │
 *     │ the automaton│ ───► │ no edge with its Fin marks,    │
 *     │ as it is     │      │ its Inf marks in turn          │
 *     └──────────────┘      └────────────────────────────────┘
 *
 * The first part is the given deterministic automaton without its condition. A jump takes one of its edges,
 * consuming the letter, but leads into a copy for a clause of the condition (aut/clauses.h). The copy omits
 * edges with marks of `fin`, and its Büchi condition uses a counter that waits for each mark of `inf` in
 * turn.
 *
 * The result is good for MDPs (Hahn et al. 2020; after Sickert et al. 2016): under a policy that is optimal
 * for the deterministic automaton, almost every accepting run ends in an end component of the product whose
 * marks satisfy a clause. There a policy can jump into the copy of the clause, and the probability of
 * acceptance stays the same.
 *
 * Two kinds of jumps are omitted. A jump to a state from which the copy cannot stay in one component forever
 * is not needed, since a run may jump later. If the condition of a component, and of all components that are
 * reachable from it, is a Büchi condition already, it needs neither copies nor jumps.
 */
#ifndef AUT_LDBA_H
#define AUT_LDBA_H

#include "aut/breakpoint.h"

/* The automaton must be deterministic. The condition of the result is Inf(0). */
opac_status aut_to_ldba(const opac_automaton *automaton, const aut_limits *limits,
                        opac_automaton **ldba, opac_error *error);

#endif
