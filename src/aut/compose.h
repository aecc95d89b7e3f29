/* SPDX-License-Identifier: MIT */
/*
 * The product of deterministic Büchi automata, the factors, whose language is a Boolean combination of
 * theirs. The combination is given as an acceptance condition, in which Inf(i) means that factor i accepts,
 * and Fin(i) that it rejects.
 *
 * Two rules keep the product small:
 *   - A factor that accepts or rejects every continuation is removed, and the combination is simplified.
 *     Factors on which it then no longer depends are removed too.
 *   - A factor is suspendable if its language does not depend on any finite prefix (GF, FG). It stays in its
 *     initial state while a factor that is not suspendable is in a transient state, which is visited at most
 *     once.
 */
#ifndef AUT_COMPOSE_H
#define AUT_COMPOSE_H

#include "aut/breakpoint.h"

typedef struct aut_factor {
    const opac_automaton *automaton; /* deterministic, Inf(0); all share one label store */
    bool suspendable;
} aut_factor;

/* At most 63 factors. The condition is copied. */
opac_status aut_compose(const aut_factor *factors, uint32_t count, const aut_condition *condition,
                        const aut_limits *limits, opac_automaton **automaton, opac_error *error);

#endif
