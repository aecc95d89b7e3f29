/* SPDX-License-Identifier: MIT */
/*
 * What a cycle is searched for: one operand of the Or at the root of a
 * condition, and which marks to avoid next. A cycle satisfies the condition when
 * it satisfies a goal, and goals are searched one by one, so that the pairs of a
 * Rabin condition do not multiply.
 */
#ifndef AUT_GOALS_H
#define AUT_GOALS_H

#include "aut/condition.h"
#include "base/bits.h"
#include "graph/workspace.h"

typedef struct aut_goal {
    aut_condition condition; /* borrowed: the first terms of the whole condition */
    uint64_t fin_marks;
} aut_goal;

typedef struct aut_goals {
    aut_goal *items;
    uint32_t count;
} aut_goals;

/* The goals live in the workspace, and die with the condition. */
opac_status aut_goals_of(const aut_condition *condition, graph_workspace *workspace,
                         aut_goals *goals, opac_error *error);

/*
 * Marks to be avoided next by cycles among edges that carry `marks` in all, if
 * those in `present` are not to be avoided; 0: no cycle reaches the goal, except
 * perhaps the one of all edges. *is_forced: every cycle that reaches the goal
 * avoids all of the marks returned. Otherwise it is one mark, and cycles that
 * carry it have to be searched as well.
 */
uint64_t aut_goal_avoid(const aut_goal *goal, uint64_t marks, uint64_t present, bool *is_forced);

/* Units of work of one look at the condition of a goal for each of its marks. */
static inline uint64_t aut_goal_cost(const aut_goal *goal)
{
    return 1 + goal->condition.terms.count * (1 + base_popcount(goal->fin_marks)) / 8;
}

#endif
