/* SPDX-License-Identifier: MIT */
/*
 * Marks that do not matter on an edge because of another mark there.
 *
 * In Fin(0) | Inf(1), an edge with mark 1 that is taken for ever makes the whole
 * disjunction true, so on it mark 0 says nothing, if it occurs nowhere else:
 * mark 1 shadows mark 0. Dually, Fin(1) in a conjunction shadows what occurs
 * there alone. Without the shadowed marks fewer edges are different.
 */
#ifndef AUT_SHADOWS_H
#define AUT_SHADOWS_H

#include "aut/condition.h"

/* shadows[m], of AUT_MOST_MARKS entries: the marks that m shadows. */
opac_status aut_shadows(const aut_condition *condition, uint64_t *shadows, opac_error *error);

/*
 * The marks that are left, of two that shadow each other the lower one. What
 * shadows a mark also shadows all that this mark does, so the order is safe.
 */
static inline uint64_t aut_shadows_clear(const uint64_t *shadows, uint64_t marks)
{
    uint64_t left = marks;
    for (uint32_t m = 0; m < AUT_MOST_MARKS; m++)
        if ((left >> m) & 1)
            left &= ~shadows[m];
    return left;
}

#endif
