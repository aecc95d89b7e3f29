/* SPDX-License-Identifier: MIT */
/*
 * The product of deterministic Büchi automata (leaves), accepting as a Boolean
 * combination of them says: Inf(i) in the condition stands for "leaf i
 * accepts", Fin(i) for "leaf i rejects".
 *
 * What keeps it small:
 *   - A leaf that accepts or rejects for certain is taken out, and the
 *     combination simplified; leaves on which it then no longer depends are
 *     taken out as well. Where nothing is left, the run is decided.
 *   - A leaf whose language does not depend on any finite prefix (GF, FG) waits
 *     in its initial state as long as another leaf is in a state that is visited
 *     at most once.
 */
#ifndef AUT_COMPOSE_H
#define AUT_COMPOSE_H

#include "aut/leaf.h"

typedef struct aut_member {
    const opac_automaton *automaton; /* deterministic, Inf(0); all share one label store */
    bool suspendable;
} aut_member;

/* At most 63 members. The condition is copied. */
opac_status aut_compose(const aut_member *members, uint32_t count, const aut_condition *condition,
                        const aut_limits *limits, opac_automaton **automaton, opac_error *error);

#endif
