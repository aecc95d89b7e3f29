/* SPDX-License-Identifier: MIT */
/*
 * Marks that can be removed from an edge because another mark of the edge dominates them.
 *
 * In Fin(0) | Inf(1), taking an edge with mark 1 infinitely often makes the disjunction true, whether or not
 * the edge carries mark 0. If mark 0 occurs nowhere else in the condition, it can be removed from edges with
 * mark 1: mark 1 dominates mark 0. Dually, in a conjunction with Fin(1), mark 1 dominates the marks that
 * occur in the conjunction alone. Removing dominated marks leaves fewer different sets of marks on edges.
 */
#ifndef AUT_DOMINATED_MARKS_H
#define AUT_DOMINATED_MARKS_H

#include "aut/condition.h"

/* Sets dominated[m], for all AUT_MOST_MARKS marks m, to the marks that m dominates. */
opac_status aut_dominated_marks(const aut_condition *condition, uint64_t *dominated,
                                opac_error *error);

/*
 * Removes the dominated marks; of two marks that dominate each other the lower one stays. Domination is
 * transitive, so a mark that is removed can no longer be needed to remove another one.
 */
static inline uint64_t aut_drop_dominated(const uint64_t *dominated, uint64_t marks)
{
    uint64_t left = marks;
    for (uint32_t m = 0; m < AUT_MOST_MARKS; m++)
        if ((left >> m) & 1)
            left &= ~dominated[m];
    return left;
}

#endif
