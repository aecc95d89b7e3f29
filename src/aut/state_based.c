/* SPDX-License-Identifier: MIT */
/*
 * A copy of a state is a pair of the state and the set of marks that it carries for the edges that lead to
 * it. The marks of an edge from s to t are carried by s if the edges of s are uniform (all have the same
 * marks), and by a copy of t otherwise. So a run that takes the edge infinitely often sees its marks
 * infinitely often, at most one step later. The marks of edges between components do not matter, so such
 * edges lead to any copy of their target.
 */
#include "aut/state_based.h"

#include "aut/bisimulation.h"
#include "aut/cycles.h"
#include "base/intern.h"

typedef struct copy_key {
    uint64_t carried; /* marks of the edges that lead to the copy */
    uint32_t state, unused;
} copy_key;

typedef struct splitting {
    const opac_automaton *automaton;
    const uint32_t *component; /* by state */
    bool *is_uniform;          /* by state: all edges within the component have the same marks */
    uint64_t *own;             /* by uniform state: these marks; 0 for others */
    uint64_t *entry; /* by state: the marks of the copy that edges from other components lead to */
    base_intern copies;
} splitting;

static bool is_inside(const splitting *w, uint32_t state, uint32_t edge)
{
    return w->component[state] == w->component[w->automaton->edges[edge].target];
}

static void find_uniform(splitting *w)
{
    const opac_automaton *automaton = w->automaton;
    for (uint32_t s = 0; s < automaton->state_count; s++) {
        bool first = true;
        w->is_uniform[s] = true;
        w->own[s] = 0;
        for (uint32_t e = automaton->edge_begin[s]; e < automaton->edge_begin[s + 1]; e++) {
            if (!is_inside(w, s, e))
                continue;
            if (!first && automaton->edges[e].marks != w->own[s])
                w->is_uniform[s] = false;
            w->own[s] = automaton->edges[e].marks;
            first = false;
        }
        if (!w->is_uniform[s])
            w->own[s] = 0;
    }
}

/* The marks of an edge that are carried by its target. */
static uint64_t carried_by_target(const splitting *w, uint32_t state, uint32_t edge)
{
    if (!is_inside(w, state, edge))
        return w->entry[w->automaton->edges[edge].target];
    return w->is_uniform[state] ? 0 : w->automaton->edges[edge].marks;
}

/* Sets entry: the least set of marks of a copy that is also the target of an edge within the component. */
static void find_entries(splitting *w)
{
    const opac_automaton *automaton = w->automaton;
    for (uint32_t s = 0; s < automaton->state_count; s++)
        w->entry[s] = UINT64_MAX;
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t e = automaton->edge_begin[s]; e < automaton->edge_begin[s + 1]; e++) {
            uint32_t target = automaton->edges[e].target;
            if (is_inside(w, s, e) && carried_by_target(w, s, e) < w->entry[target])
                w->entry[target] = carried_by_target(w, s, e);
        }
    for (uint32_t s = 0; s < automaton->state_count; s++)
        if (w->entry[s] == UINT64_MAX)
            w->entry[s] = 0;
}

static opac_status find_copy(splitting *w, uint32_t state, uint64_t carried, aut_builder *builder,
                             uint32_t *number, opac_error *error)
{
    copy_key key = {.carried = carried, .state = state};
    bool is_new;
    TRY(base_intern_add(&w->copies, &key, sizeof key, number, &is_new, error));
    if (is_new)
        aut_builder_add_state(builder);
    return OPAC_OK;
}

static opac_status add_edges(splitting *w, uint32_t number, aut_builder *builder, opac_error *error)
{
    const opac_automaton *automaton = w->automaton;
    size_t length;
    copy_key key = *(const copy_key *)(const void *)base_intern_key(&w->copies, number, &length);
    for (uint32_t e = automaton->edge_begin[key.state]; e < automaton->edge_begin[key.state + 1];
         e++) {
        uint32_t target;
        TRY(find_copy(w, automaton->edges[e].target, carried_by_target(w, key.state, e), builder,
                      &target, error));
        aut_builder_edge(
            builder, number,
            (aut_edge){automaton->edges[e].label, target, key.carried | w->own[key.state]});
    }
    return OPAC_OK;
}

/* Builds all reachable copies. */
static opac_status build(splitting *w, uint32_t state_limit, opac_automaton **made,
                         opac_error *error)
{
    const opac_automaton *automaton = w->automaton;
    aut_builder *builder;
    opac_status status;
    TRY(aut_builder_like(automaton, &builder, error));
    builder->state_limit = state_limit != 0 ? state_limit : AUT_STATE_LIMIT;
    for (uint32_t i = 0; i < automaton->initial_count; i++) {
        uint32_t number, state = automaton->initial[i];
        TRY_OR(done, find_copy(w, state, w->entry[state], builder, &number, error));
        aut_builder_initial(builder, number);
    }
    for (uint32_t number = 0; number < w->copies.count && builder->problem.code == OPAC_OK;
         number++)
        TRY_OR(done, add_edges(w, number, builder, error));
    aut_builder_copy_condition(builder, &automaton->condition, automaton->mark_count);
    return aut_builder_finish(builder, made, error);
done:
    aut_builder_free(builder);
    return status;
}

static opac_status prepare(splitting *w, graph_workspace *workspace, opac_error *error)
{
    uint32_t states = w->automaton->state_count;
    aut_graph graph;
    graph_scc scc;
    TRY(aut_graph_of(w->automaton, workspace, &graph, error));
    TRY(graph_scc_find(&graph.process, (graph_part){0}, workspace, &scc, error));
    w->component = scc.component;
    w->is_uniform = graph_take(workspace, states, sizeof *w->is_uniform);
    w->own = graph_take(workspace, states, sizeof *w->own);
    w->entry = graph_take(workspace, states, sizeof *w->entry);
    if (w->is_uniform == NULL || w->own == NULL || w->entry == NULL)
        return base_fail_memory(error);
    find_uniform(w);
    find_entries(w);
    return OPAC_OK;
}

opac_status aut_to_state_based(const opac_automaton *given, uint32_t state_limit,
                               opac_automaton **made, opac_error *error)
{
    graph_workspace workspace = {.work = aut_work(given)};
    splitting w = {.automaton = given};
    opac_automaton *split = NULL;
    base_intern_init_fixed(&w.copies, sizeof(copy_key));
    opac_status status;
    TRY_OR(done, prepare(&w, &workspace, error));
    TRY_OR(done, build(&w, state_limit, &split, error));
    status = aut_merge_bisimilar(split, made, error);
done:
    opac_automaton_free(split);
    base_intern_fini(&w.copies);
    graph_workspace_fini(&workspace);
    return status;
}
