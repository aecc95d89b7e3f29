/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "support/invariants.h"

/* Whether no node below tests a variable from `first` on; as deep as there are variables. */
static opac_status check_variables(const aut_bdd_store *store, aut_bdd f, uint32_t first,
                                   base_map *seen, bool *fits, opac_error *error)
{
    const aut_bdd_node *node = aut_bdd_at(store, f);
    uint64_t *mark;
    if (node->variable == AUT_BDD_LEAF) {
        *fits = *fits && aut_bdd_is_constant(f);
        return OPAC_OK;
    }
    *fits = *fits && node->variable < first;
    TRY(base_map_at(seen, f, &mark, error));
    if (*mark != 0 || !*fits)
        return OPAC_OK;
    *mark = 1;
    TRY(check_variables(store, node->low, first, seen, fits, error));
    return check_variables(store, node->high, first, seen, fits, error);
}

static opac_status check_edge(const opac_automaton *automaton, uint32_t state, const aut_edge *edge,
                              base_map *seen, opac_error *error)
{
    uint64_t marks = (UINT64_C(1) << automaton->mark_count) - 1;
    bool fits = true;
    if (edge->target >= automaton->state_count)
        return base_fail(error, OPAC_ERROR_INTERNAL, "an edge of state %u leads nowhere", state);
    if ((edge->marks & ~marks) != 0)
        return base_fail(error, OPAC_ERROR_INTERNAL, "an edge of state %u has an unknown mark",
                         state);
    if (edge->label == AUT_EPSILON)
        return OPAC_OK;
    if (edge->label == AUT_BDD_FALSE || edge->label >= aut_bdd_store_count(automaton->labels))
        return base_fail(error, OPAC_ERROR_INTERNAL, "an edge of state %u has no label", state);
    TRY(check_variables(automaton->labels, edge->label, automaton->proposition_count, seen, &fits,
                        error));
    if (!fits)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "an edge of state %u depends on an unknown proposition", state);
    return OPAC_OK;
}

static opac_status check_edges(const opac_automaton *automaton, opac_error *error)
{
    base_map seen = {0};
    opac_status status = OPAC_OK;
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        if (automaton->edge_begin[state] > automaton->edge_begin[state + 1])
            TRY_OR(done,
                   base_fail(error, OPAC_ERROR_INTERNAL, "the edges of state %u end early", state));
        for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++)
            TRY_OR(done, check_edge(automaton, state, &automaton->edges[i], &seen, error));
    }
done:
    base_map_fini(&seen);
    return status;
}

/* Compares the stored properties of letters with those that a copy computes. */
static opac_status check_flags(const opac_automaton *automaton, opac_error *error)
{
    opac_automaton *copy;
    TRY(aut_copy(automaton, &copy, error));
    opac_status status = OPAC_OK;
    if (copy->is_deterministic != automaton->is_deterministic)
        status = base_fail(error, OPAC_ERROR_INTERNAL, "deterministic or not: that is wrong");
    else if (copy->is_complete != automaton->is_complete)
        status = base_fail(error, OPAC_ERROR_INTERNAL, "complete or not: that is wrong");
    opac_automaton_free(copy);
    return status;
}

opac_status aut_check(const opac_automaton *automaton, opac_error *error)
{
    if (automaton->mark_count > AUT_MOST_MARKS ||
        automaton->proposition_count > AUT_MOST_PROPOSITIONS)
        return base_fail(error, OPAC_ERROR_INTERNAL, "too many marks or propositions");
    if (aut_condition_marks(&automaton->condition) >> automaton->mark_count != 0)
        return base_fail(error, OPAC_ERROR_INTERNAL, "the condition has an unknown mark");
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        if (automaton->initial[i] >= automaton->state_count ||
            (i > 0 && automaton->initial[i - 1] >= automaton->initial[i]))
            return base_fail(error, OPAC_ERROR_INTERNAL, "initial states out of order");
    if (automaton->edge_begin[0] != 0)
        return base_fail(error, OPAC_ERROR_INTERNAL, "the edges do not begin at 0");
    TRY(check_edges(automaton, error));
    return check_flags(automaton, error);
}
