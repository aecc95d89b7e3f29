/* SPDX-License-Identifier: MIT */
/*
 * Since the operands of a term come before it, each prefix of the terms is a condition of its own, whose root
 * is the last term of the prefix.
 */
#include "aut/disjuncts.h"

#include <string.h>

enum {
    /* With more, the whole condition is taken as one disjunct, since each costs a pass over the terms. */
    MOST_DISJUNCTS = 64
};

/* The marks under a Fin in the disjunct. Terms of the prefix that its root does not refer to do not count. */
static uint64_t find_fins(const aut_condition *disjunct, uint8_t *reached)
{
    uint64_t fins = 0;
    memset(reached, 0, disjunct->terms.count);
    reached[disjunct->terms.count - 1] = 1;
    for (size_t i = disjunct->terms.count; i-- > 0;) {
        const aut_term *term = &disjunct->terms.items[i];
        if (!reached[i])
            continue;
        if (term->kind == AUT_TERM_FIN)
            fins |= UINT64_C(1) << term->left;
        if (term->kind == AUT_TERM_AND || term->kind == AUT_TERM_OR)
            reached[term->left] = reached[term->right] = 1;
    }
    return fins;
}

/* Sets is_disjunct of the operands of the Or at the root, and returns their number. */
static uint32_t find_disjuncts(const aut_condition *condition, uint8_t *is_disjunct)
{
    uint32_t count = 0;
    memset(is_disjunct, 0, condition->terms.count);
    is_disjunct[condition->terms.count - 1] = 1;
    for (size_t i = condition->terms.count; i-- > 0;) {
        const aut_term *term = &condition->terms.items[i];
        if (!is_disjunct[i])
            continue;
        if (term->kind == AUT_TERM_OR) {
            is_disjunct[i] = 0;
            is_disjunct[term->left] = is_disjunct[term->right] = 1;
        } else {
            count++;
        }
    }
    return count;
}

opac_status aut_disjuncts_of(const aut_condition *condition, graph_workspace *workspace,
                             aut_disjuncts *disjuncts, opac_error *error)
{
    size_t terms = condition->terms.count;
    *disjuncts = (aut_disjuncts){0};
    if (terms == 0)
        return OPAC_OK;
    disjuncts->items = graph_take(workspace, MOST_DISJUNCTS, sizeof *disjuncts->items);
    uint8_t *is_disjunct = graph_take(workspace, terms, 1),
            *reached = graph_take(workspace, terms, 1);
    if (disjuncts->items == NULL || is_disjunct == NULL || reached == NULL)
        return base_fail_memory(error);
    if (find_disjuncts(condition, is_disjunct) > MOST_DISJUNCTS) {
        memset(is_disjunct, 0, terms);
        is_disjunct[terms - 1] = 1;
    }
    for (size_t i = 0; i < terms; i++) {
        if (!is_disjunct[i])
            continue;
        aut_disjunct *disjunct = &disjuncts->items[disjuncts->count++];
        disjunct->condition = *condition;
        disjunct->condition.terms.count = i + 1;
        disjunct->fin_marks = find_fins(&disjunct->condition, reached);
    }
    return OPAC_OK;
}

uint64_t aut_disjunct_avoid(const aut_disjunct *disjunct, uint64_t marks, uint64_t present,
                            bool *is_forced)
{
    uint64_t avoidable = disjunct->fin_marks & marks & ~present, forced = 0;
    *is_forced = false;
    if (avoidable == 0 || !aut_condition_evaluate(&disjunct->condition, marks, ~present))
        return 0;
    for (uint64_t rest = avoidable; rest != 0; rest &= rest - 1) {
        uint64_t bit = rest & (~rest + 1);
        if (!aut_condition_evaluate(&disjunct->condition, marks, ~(present | bit)))
            forced |= bit;
    }
    *is_forced = forced != 0;
    return forced != 0 ? forced : avoidable & (~avoidable + 1);
}
