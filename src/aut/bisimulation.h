/* SPDX-License-Identifier: MIT */
/*
 * Merging states that behave alike: the coarsest bisimulation in which equal
 * letters lead, with equal marks, to equal classes.
 */
#ifndef AUT_BISIMULATION_H
#define AUT_BISIMULATION_H

#include "aut/automaton.h"

/*
 * One state a class, numbered by their first members, whose names they keep.
 * The condition stays. The cost is that of sorting the edges of a state whenever
 * a class that it leads to was divided: in all about m log n for states of few
 * edges.
 */
opac_status aut_merge_bisimilar(const opac_automaton *given, opac_automaton **made,
                                opac_error *error);

#endif
