/* SPDX-License-Identifier: MIT */
#include "aut/dominated_marks.h"

#include <string.h>

#include "base/alloc.h"

#define NO_PARENT UINT32_MAX

typedef struct term_facts {
    uint32_t parent;  /* NO_PARENT for the root */
    uint64_t below;   /* marks that occur in it */
    uint64_t outside; /* marks that occur elsewhere as well */
} term_facts;

static bool is_gate(const aut_term *term)
{
    return term->kind == AUT_TERM_AND || term->kind == AUT_TERM_OR;
}

/* Finds parents and marks below. Returns false if the condition is not a tree: some term is used more than once
 * or not at all. */
static bool find_parents(const aut_condition *condition, term_facts *facts)
{
    size_t count = condition->terms.count;
    for (size_t i = 0; i < count; i++) {
        const aut_term *term = &condition->terms.items[i];
        facts[i] = (term_facts){.parent = NO_PARENT};
        if (!is_gate(term)) {
            if (term->kind == AUT_TERM_INF || term->kind == AUT_TERM_FIN)
                facts[i].below = UINT64_C(1) << term->left;
            continue;
        }
        if (facts[term->left].parent != NO_PARENT || facts[term->right].parent != NO_PARENT ||
            term->left == term->right)
            return false;
        facts[term->left].parent = facts[term->right].parent = (uint32_t)i;
        facts[i].below = facts[term->left].below | facts[term->right].below;
    }
    for (size_t i = 0; i + 1 < count; i++)
        if (facts[i].parent == NO_PARENT)
            return false;
    return true;
}

/* Finds the marks outside each term, from the root down. */
static void find_outside(const aut_condition *condition, term_facts *facts)
{
    for (size_t i = condition->terms.count; i-- > 0;) {
        const aut_term *term = &condition->terms.items[i];
        if (!is_gate(term))
            continue;
        facts[term->left].outside = facts[i].outside | facts[term->right].below;
        facts[term->right].outside = facts[i].outside | facts[term->left].below;
    }
}

opac_status aut_dominated_marks(const aut_condition *condition, uint64_t *dominated,
                                opac_error *error)
{
    size_t count = condition->terms.count;
    term_facts *facts = base_alloc(count, sizeof *facts);
    memset(dominated, 0, AUT_MOST_MARKS * sizeof *dominated);
    if (facts == NULL)
        return base_fail_memory(error);
    bool is_tree = find_parents(condition, facts);
    if (is_tree)
        find_outside(condition, facts);
    for (size_t i = 0; i < count && is_tree; i++) {
        const aut_term *term = &condition->terms.items[i];
        aut_term_kind deciding_kind = term->kind == AUT_TERM_INF ? AUT_TERM_OR : AUT_TERM_AND;
        uint32_t top = (uint32_t)i;
        if (term->kind != AUT_TERM_INF && term->kind != AUT_TERM_FIN)
            continue;
        while (facts[top].parent != NO_PARENT &&
               condition->terms.items[facts[top].parent].kind == deciding_kind)
            top = facts[top].parent;
        dominated[term->left] |=
            facts[top].below & ~facts[top].outside & ~(UINT64_C(1) << term->left);
    }
    base_free(facts);
    return OPAC_OK;
}
