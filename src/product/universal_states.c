/* SPDX-License-Identifier: MIT */
/*
 * Universal states. Nearly always such a state has one edge, whose label is
 * true. Labels that cover all letters only together are joined in a store of
 * our own: the automaton's may be read by other threads meanwhile. A join that
 * becomes too large is given up: the state is then not taken for universal,
 * which costs states of the product and nothing else.
 */
#include "product/universal_states.h"

enum {
    MOST_NODES = 1 << 16
};

typedef struct search {
    const opac_automaton *automaton;
    uint64_t named; /* marks of the condition */
    aut_bdd_store *store;
} search;

static bool is_loop(const search *s, uint32_t state, uint32_t edge, uint64_t marks)
{
    const aut_edge *e = &s->automaton->edges[edge];
    return e->target == state && e->label != AUT_EPSILON && (e->marks & s->named) == marks;
}

/* Joins the labels of the loops from `first` on that have these marks. */
static opac_status join_loops(search *s, uint32_t state, uint32_t first, uint64_t marks,
                              bool *covered, opac_error *error)
{
    const opac_automaton *a = s->automaton;
    aut_bdd join = AUT_BDD_FALSE;
    TRY(aut_bdd_store_new(&s->store, error));
    aut_bdd_store_limit(s->store, MOST_NODES);
    for (uint32_t e = first; e < a->edge_begin[state + 1] && join != AUT_BDD_TRUE; e++)
        if (is_loop(s, state, e, marks))
            join = aut_bdd_or(s->store, join,
                              aut_bdd_copy(a->labels, a->edges[e].label, s->store, NULL));
    opac_status status = aut_bdd_store_check(s->store, error);
    *covered = status == OPAC_OK && join == AUT_BDD_TRUE;
    aut_bdd_store_free(s->store);
    return status == OPAC_ERROR_LIMIT ? OPAC_OK : status;
}

/* Whether the loops with the marks of edge `first`, the first of them, cover every letter. */
static opac_status covers(search *s, uint32_t state, uint32_t first, bool *covered,
                          opac_error *error)
{
    const opac_automaton *a = s->automaton;
    uint64_t marks = a->edges[first].marks & s->named;
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

/* The first loop with its marks. */
static bool is_first(const search *s, uint32_t state, uint32_t edge)
{
    uint64_t marks = s->automaton->edges[edge].marks & s->named;
    for (uint32_t e = s->automaton->edge_begin[state]; e < edge; e++)
        if (is_loop(s, state, e, marks))
            return false;
    return is_loop(s, state, edge, marks);
}

static opac_status look_at(search *s, uint32_t state, bool *found, uint64_t *marks,
                           opac_error *error)
{
    const opac_automaton *a = s->automaton;
    *found = false;
    for (uint32_t e = a->edge_begin[state]; e < a->edge_begin[state + 1] && !*found; e++) {
        *marks = a->edges[e].marks & s->named;
        if (a->edges[e].target == state && aut_condition_holds(&a->condition, *marks) &&
            is_first(s, state, e))
            TRY(covers(s, state, e, found, error));
    }
    return OPAC_OK;
}

opac_status product_find_universal_states(const opac_automaton *automaton, base_bitset *states,
                                          uint64_t *marks, opac_error *error)
{
    search s = {.automaton = automaton, .named = aut_condition_marks(&automaton->condition)};
    for (uint32_t q = 0; q < automaton->state_count; q++) {
        bool found;
        TRY(look_at(&s, q, &found, &marks[q], error));
        if (found)
            base_bitset_add(states, q);
    }
    return OPAC_OK;
}
