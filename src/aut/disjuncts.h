/* SPDX-License-Identifier: MIT */
/*
 * The disjuncts of an acceptance condition (the operands of the Or at its root), and which marks a search for
 * a cycle that satisfies a disjunct has to avoid next.
 *
 * A cycle satisfies the condition if it satisfies a disjunct. Cycles are searched for each disjunct on its
 * own, so the cost is the sum over the pairs of a Rabin condition, not the product.
 */
#ifndef AUT_DISJUNCTS_H
#define AUT_DISJUNCTS_H

#include "aut/condition.h"
#include "base/bits.h"
#include "graph/workspace.h"

typedef struct aut_disjunct {
    aut_condition condition; /* borrowed: a prefix of the terms of the whole condition */
    uint64_t fin_marks;
} aut_disjunct;

typedef struct aut_disjuncts {
    aut_disjunct *items;
    uint32_t count;
} aut_disjuncts;

/* The disjuncts are allocated in the workspace, and refer to the terms of the condition. */
opac_status aut_disjuncts_of(const aut_condition *condition, graph_workspace *workspace,
                             aut_disjuncts *disjuncts, opac_error *error);

/*
 * The marks that a search for a cycle that satisfies the disjunct has to avoid next. `marks` is the union of
 * the marks of all edges, and the marks in `present` must not be avoided. Returns 0 if no cycle satisfies the
 * disjunct, except possibly the cycle of all edges. If *is_forced is set, every cycle that satisfies the
 * disjunct avoids all returned marks. Otherwise one mark is returned, and the cycles that carry it have to be
 * searched as well.
 */
uint64_t aut_disjunct_avoid(const aut_disjunct *disjunct, uint64_t marks, uint64_t present,
                            bool *is_forced);

/* Units of work of evaluating the condition of a disjunct once for each of its marks. */
static inline uint64_t aut_disjunct_cost(const aut_disjunct *disjunct)
{
    return 1 + disjunct->condition.terms.count * (1 + base_popcount(disjunct->fin_marks)) / 8;
}

#endif
