/* SPDX-License-Identifier: MIT */
/*
 * Finding universal states. Such a state nearly always has one edge, whose label is true. If only the
 * disjunction of several labels covers all letters, it is computed in a separate BDD store, because other
 * threads may read the automaton's store at the same time. If the disjunction exceeds MOST_NODES, the
 * state is not considered universal: the product gets larger, and stays correct.
 */
#include "product/universal_states.h"

enum {
    MOST_NODES = 1 << 16
};

typedef struct search {
    const opac_automaton *automaton;
    uint64_t used; /* marks that the condition mentions */
    aut_bdd_store *store;
} search;

static bool is_loop(const search *s, uint32_t state, uint32_t edge, uint64_t marks)
{
    const aut_edge *e = &s->automaton->edges[edge];
    return e->target == state && e->label != AUT_EPSILON && (e->marks & s->used) == marks;
}

/* Whether the disjunction of the labels of the loops with these marks, from `first` on, is true. */
static opac_status join_loops(search *s, uint32_t state, uint32_t first, uint64_t marks,
                              bool *covered, opac_error *error)
{
    const opac_automaton *a = s->automaton;
    aut_bdd label = AUT_BDD_FALSE;
    TRY(aut_bdd_store_new(&s->store, error));
    aut_bdd_store_limit(s->store, MOST_NODES);
    for (uint32_t e = first; e < a->edge_begin[state + 1] && label != AUT_BDD_TRUE; e++)
        if (is_loop(s, state, e, marks))
            label = aut_bdd_or(s->store, label,
                               aut_bdd_copy(a->labels, a->edges[e].label, s->store, NULL));
    opac_status status = aut_bdd_store_check(s->store, error);
    *covered = status == OPAC_OK && label == AUT_BDD_TRUE;
    aut_bdd_store_free(s->store);
    return status == OPAC_ERROR_LIMIT ? OPAC_OK : status;
}

/* Whether the loops with the same marks as edge `first`, which is the first of them, cover every letter. */
static opac_status covers(search *s, uint32_t state, uint32_t first, bool *covered,
                          opac_error *error)
{
    const opac_automaton *a = s->automaton;
    uint64_t marks = a->edges[first].marks & s->used;
    uint32_t loops = 0;
    *covered = false;
    for (uint32_t e = first; e < a->edge_begin[state + 1]; e++) {
        if (!is_loop(s, state, e, marks))
            continue;
        loops++;
        *covered = *covered || a->edges[e].label == AUT_BDD_TRUE;
    }
    return *covered || loops < 2 ? OPAC_OK : join_loops(s, state, first, marks, covered, error);
}

/* Whether the edge is the first loop of the state with its marks. */
static bool is_first(const search *s, uint32_t state, uint32_t edge)
{
    uint64_t marks = s->automaton->edges[edge].marks & s->used;
    for (uint32_t e = s->automaton->edge_begin[state]; e < edge; e++)
        if (is_loop(s, state, e, marks))
            return false;
    return is_loop(s, state, edge, marks);
}

static opac_status check_state(search *s, uint32_t state, bool *is_universal, uint64_t *marks,
                               opac_error *error)
{
    const opac_automaton *a = s->automaton;
    *is_universal = false;
    for (uint32_t e = a->edge_begin[state]; e < a->edge_begin[state + 1] && !*is_universal; e++) {
        *marks = a->edges[e].marks & s->used;
        if (a->edges[e].target == state && aut_condition_holds(&a->condition, *marks) &&
            is_first(s, state, e))
            TRY(covers(s, state, e, is_universal, error));
    }
    return OPAC_OK;
}

opac_status product_find_universal_states(const opac_automaton *automaton, base_bitset *states,
                                          uint64_t *marks, opac_error *error)
{
    search s = {.automaton = automaton, .used = aut_condition_marks(&automaton->condition)};
    for (uint32_t q = 0; q < automaton->state_count; q++) {
        bool is_universal;
        TRY(check_state(&s, q, &is_universal, &marks[q], error));
        if (is_universal)
            base_bitset_add(states, q);
    }
    return OPAC_OK;
}
