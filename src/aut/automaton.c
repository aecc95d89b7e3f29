/* SPDX-License-Identifier: MIT */
#include "aut/automaton.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

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

uint32_t aut_successor(const opac_automaton *automaton, uint32_t state, uint64_t letter)
{
    if (state >= automaton->state_count)
        return state;
    uint32_t first = UINT32_MAX;
    for (uint32_t e = automaton->edge_begin[state]; e < automaton->edge_begin[state + 1]; e++) {
        const aut_edge *edge = &automaton->edges[e];
        if ((first != UINT32_MAX && edge->target != state) || edge->label == AUT_EPSILON ||
            aut_bdd_evaluate(automaton->labels, edge->label, letter) != AUT_BDD_TRUE)
            continue;
        if (edge->target == state)
            return state;
        first = edge->target;
    }
    return first != UINT32_MAX ? first : state;
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
