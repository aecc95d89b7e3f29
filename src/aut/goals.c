/* SPDX-License-Identifier: MIT */
/*
 * Because children come before their parents, the terms up to some term are a
 * condition of their own, with that term as the root.
 */
#include "aut/goals.h"

#include <string.h>

enum {
    MOST_GOALS = 64 /* with more, the whole condition is one goal: finding them takes a pass each */
};

/* The marks under a Fin below the root of the goal. */
static uint64_t find_fins(const aut_condition *goal, uint8_t *reached)
{
    uint64_t fins = 0;
    memset(reached, 0, goal->terms.count);
    reached[goal->terms.count - 1] = 1;
    for (size_t i = goal->terms.count; i-- > 0;) {
        const aut_term *term = &goal->terms.items[i];
        if (!reached[i])
            continue;
        if (term->kind == AUT_TERM_FIN)
            fins |= UINT64_C(1) << term->left;
        if (term->kind == AUT_TERM_AND || term->kind == AUT_TERM_OR)
            reached[term->left] = reached[term->right] = 1;
    }
    return fins;
}

/* Sets is_goal of the operands of the Or at the root; returns how many there are. */
static uint32_t find_goals(const aut_condition *condition, uint8_t *is_goal)
{
    uint32_t count = 0;
    memset(is_goal, 0, condition->terms.count);
    is_goal[condition->terms.count - 1] = 1;
    for (size_t i = condition->terms.count; i-- > 0;) {
        const aut_term *term = &condition->terms.items[i];
        if (!is_goal[i])
            continue;
        if (term->kind == AUT_TERM_OR) {
            is_goal[i] = 0;
            is_goal[term->left] = is_goal[term->right] = 1;
        } else {
            count++;
        }
    }
    return count;
}

opac_status aut_goals_of(const aut_condition *condition, graph_workspace *workspace,
                         aut_goals *goals, opac_error *error)
{
    size_t terms = condition->terms.count;
    *goals = (aut_goals){0};
    if (terms == 0)
        return OPAC_OK;
    goals->items = graph_take(workspace, MOST_GOALS, sizeof *goals->items);
    uint8_t *is_goal = graph_take(workspace, terms, 1), *reached = graph_take(workspace, terms, 1);
    if (goals->items == NULL || is_goal == NULL || reached == NULL)
        return base_fail_memory(error);
    if (find_goals(condition, is_goal) > MOST_GOALS) {
        memset(is_goal, 0, terms);
        is_goal[terms - 1] = 1;
    }
    for (size_t i = 0; i < terms; i++) {
        if (!is_goal[i])
            continue;
        aut_goal *goal = &goals->items[goals->count++];
        goal->condition = *condition;
        goal->condition.terms.count = i + 1;
        goal->fin_marks = find_fins(&goal->condition, reached);
    }
    return OPAC_OK;
}

uint64_t aut_goal_avoid(const aut_goal *goal, uint64_t marks, uint64_t present, bool *is_forced)
{
    uint64_t open = goal->fin_marks & marks & ~present, forced = 0;
    *is_forced = false;
    if (open == 0 || !aut_condition_evaluate(&goal->condition, marks, ~present))
        return 0;
    for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
        uint64_t bit = rest & (~rest + 1);
        if (!aut_condition_evaluate(&goal->condition, marks, ~(present | bit)))
            forced |= bit;
    }
    *is_forced = forced != 0;
    return forced != 0 ? forced : open & (~open + 1);
}
