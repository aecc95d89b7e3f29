/* SPDX-License-Identifier: MIT */
#include "aut/automaton.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

void opac_automaton_free(opac_automaton *automaton)
{
    if (automaton == NULL)
        return;
    for (uint32_t i = 0; automaton->propositions != NULL && i < automaton->proposition_count; i++)
        base_free(automaton->propositions[i]);
    for (uint32_t i = 0; automaton->state_names != NULL && i < automaton->state_count; i++)
        base_free(automaton->state_names[i]);
    base_free(automaton->propositions);
    base_free(automaton->state_names);
    base_free(automaton->edge_begin);
    base_free(automaton->edges);
    base_free(automaton->initial);
    base_free(automaton->name);
    aut_condition_fini(&automaton->condition);
    aut_bdd_store_free(automaton->labels);
    base_free(automaton);
}

uint32_t opac_automaton_states(const opac_automaton *automaton)
{
    return automaton->state_count;
}

uint64_t opac_automaton_edges(const opac_automaton *automaton)
{
    return aut_edge_count(automaton);
}

uint32_t opac_automaton_marks(const opac_automaton *automaton)
{
    return automaton->mark_count;
}

size_t opac_automaton_proposition_count(const opac_automaton *automaton)
{
    return automaton->proposition_count;
}

const char *opac_automaton_proposition(const opac_automaton *automaton, size_t index)
{
    assert(index < automaton->proposition_count);
    return automaton->propositions[index];
}

const char *opac_automaton_name(const opac_automaton *automaton)
{
    return automaton->name;
}

bool opac_automaton_is_deterministic(const opac_automaton *automaton)
{
    return automaton->is_deterministic;
}

bool opac_automaton_is_complete(const opac_automaton *automaton)
{
    return automaton->is_complete;
}

/* ---- copying ---- */

static void copy_content(const opac_automaton *automaton, aut_builder *builder)
{
    aut_builder_add_states(builder, automaton->state_count);
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++) {
            aut_edge edge = automaton->edges[i];
            if (edge.label != AUT_EPSILON)
                edge.label = aut_bdd_copy(automaton->labels, edge.label, builder->labels, NULL);
            aut_builder_edge(builder, state, edge);
        }
        if (automaton->state_names != NULL && automaton->state_names[state] != NULL)
            aut_builder_state_name(builder, state, automaton->state_names[state],
                                   strlen(automaton->state_names[state]));
    }
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        aut_builder_initial(builder, automaton->initial[i]);
}

opac_status aut_copy(const opac_automaton *automaton, opac_automaton **copy, opac_error *error)
{
    return aut_copy_counted(automaton, NULL, copy, error);
}

opac_status aut_copy_counted(const opac_automaton *automaton, base_work *work,
                             opac_automaton **copy, opac_error *error)
{
    aut_bdd_store *labels;
    aut_builder *builder;
    TRY(aut_bdd_store_new(&labels, error));
    aut_bdd_store_set_work(labels, work);
    opac_status status = aut_builder_new(labels, &builder, error);
    aut_bdd_store_free(labels);
    TRY(status);
    builder->state_limit = UINT32_MAX;
    aut_builder_propositions(builder, (const char *const *)automaton->propositions,
                             automaton->proposition_count);
    if (automaton->name != NULL)
        aut_builder_name(builder, automaton->name);
    copy_content(automaton, builder);
    aut_builder_copy_condition(builder, &automaton->condition, automaton->mark_count);
    return aut_builder_finish(builder, copy, error);
}

/* ---- checks ---- */

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

/* What is said of letters, against what a copy finds out by itself. */
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
