/* SPDX-License-Identifier: MIT */
/*
 * The first step finds the states to keep and the kinds of their components. The second works on a copy of
 * the marks of all edges, and removes marks until none can be removed.
 */
#include "aut/trim.h"

#include <string.h>

#include "aut/checks.h"
#include "aut/cycles.h"
#include "base/bits.h"
#include "graph/reach.h"

typedef struct trimming {
    const opac_automaton *automaton;
    graph_workspace *workspace;
    base_bitset kept;          /* by state */
    const uint32_t *component; /* by state */
    const uint8_t *kind;       /* by component: aut_component_kind */
    uint64_t *marks;           /* by edge */
    base_bitset inside;        /* by edge: between kept states of the same component */
    aut_condition condition;
    uint32_t mark_count;
} trimming;

/* ---- states ---- */

static opac_status find_states(trimming *t, opac_error *error)
{
    const opac_automaton *automaton = t->automaton;
    aut_graph graph;
    base_bitset initial, live;
    graph_reached reached;
    aut_scc_info info;
    aut_component_kinds kinds;
    TRY(aut_graph_of(automaton, t->workspace, &graph, error));
    TRY(graph_take_set(t->workspace, automaton->state_count, &initial, error));
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        base_bitset_add(&initial, automaton->initial[i]);
    TRY(graph_reach_forward(&graph.process, (graph_part){0}, &initial, GRAPH_NONE, t->workspace,
                            &reached, error));
    graph_part part = {.states = &reached.states};
    TRY(aut_classify_components(&graph, part, &automaton->condition, t->workspace, &info, &kinds,
                                error));
    TRY(aut_find_live_states(&graph, part, &info, t->workspace, &live, error));
    t->kept = live;
    t->component = info.scc.component;
    t->kind = kinds.kind;
    return OPAC_OK;
}

static opac_status find_edges(trimming *t, opac_error *error)
{
    const opac_automaton *automaton = t->automaton;
    uint32_t edges = aut_edge_count(automaton);
    t->marks = graph_take(t->workspace, edges, sizeof *t->marks);
    if (t->marks == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(t->workspace, edges, &t->inside, error));
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t e = automaton->edge_begin[s]; e < automaton->edge_begin[s + 1]; e++) {
            uint32_t target = automaton->edges[e].target;
            bool is_inside = base_bitset_has(&t->kept, s) && base_bitset_has(&t->kept, target) &&
                             t->component[s] == t->component[target];
            t->marks[e] = is_inside ? automaton->edges[e].marks : 0;
            if (is_inside)
                base_bitset_add(&t->inside, e);
        }
    return OPAC_OK;
}

/* ---- components in which all edges can have the same marks ---- */

/* Returns the set of kinds of components, and sets example[kind] to the union of the marks of one component
 * of the kind. */
static unsigned find_kinds(const trimming *t, uint64_t example[4])
{
    unsigned kinds = 0;
    uint32_t chosen[4] = {GRAPH_NONE, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE};
    for (uint32_t s = 0; s < t->automaton->state_count; s++) {
        if (!base_bitset_has(&t->kept, s))
            continue;
        uint32_t own = t->component[s], kind = t->kind[own];
        for (uint32_t e = t->automaton->edge_begin[s]; e < t->automaton->edge_begin[s + 1]; e++) {
            if (!base_bitset_has(&t->inside, e))
                continue;
            kinds |= 1U << kind;
            if (chosen[kind] == GRAPH_NONE)
                chosen[kind] = own;
            if (chosen[kind] == own)
                example[kind] |= t->marks[e];
        }
    }
    return kinds;
}

static void mark_components(const trimming *t, aut_component_kind kind, uint64_t marks)
{
    for (uint32_t s = 0; s < t->automaton->state_count; s++) {
        if (!base_bitset_has(&t->kept, s) || t->kind[t->component[s]] != kind)
            continue;
        for (uint32_t e = t->automaton->edge_begin[s]; e < t->automaton->edge_begin[s + 1]; e++)
            if (base_bitset_has(&t->inside, e))
                t->marks[e] = marks;
    }
}

/* A small set of marks for which the condition has the same value as for the given set. */
static uint64_t shrink(const aut_condition *condition, uint64_t marks)
{
    bool value = aut_condition_holds(condition, marks);
    if (aut_condition_holds(condition, 0) == value)
        return 0;
    for (uint32_t mark = 0; mark < AUT_MOST_MARKS; mark++)
        if (aut_condition_holds(condition, UINT64_C(1) << mark) == value)
            return UINT64_C(1) << mark;
    for (uint32_t mark = 0; mark < AUT_MOST_MARKS; mark++)
        if (aut_condition_holds(condition, marks & ~(UINT64_C(1) << mark)) == value)
            marks &= ~(UINT64_C(1) << mark);
    return marks;
}

static opac_status unify_marks(trimming *t, opac_error *error)
{
    uint64_t example[4] = {0};
    unsigned kinds = find_kinds(t, example);
    if ((kinds & 1U << AUT_COMPONENT_MIXED) == 0) {
        bool rejects = (kinds & 1U << AUT_COMPONENT_REJECTING) != 0;
        aut_condition_fini(&t->condition);
        mark_components(t, AUT_COMPONENT_ACCEPTING, rejects ? 1 : 0);
        mark_components(t, AUT_COMPONENT_REJECTING, 0);
        t->mark_count = rejects ? 1 : 0;
        return rejects ? aut_condition_buchi(&t->condition, error)
                       : aut_condition_true(&t->condition, error);
    }
    for (int kind = AUT_COMPONENT_REJECTING; kind <= AUT_COMPONENT_ACCEPTING; kind++)
        if ((kinds & 1U << kind) != 0)
            mark_components(t, (aut_component_kind)kind, shrink(&t->condition, example[kind]));
    return OPAC_OK;
}

/* ---- redundant marks ---- */

typedef struct mark_use {
    uint64_t somewhere, everywhere;    /* marks on some edge, and on all edges, of `inside` */
    uint64_t together[AUT_MOST_MARKS]; /* by mark: the marks that are on the same edges */
} mark_use;

static mark_use find_mark_use(const trimming *t)
{
    uint64_t all = (UINT64_C(1) << t->mark_count) - 1;
    mark_use use = {.everywhere = all};
    for (uint32_t i = 0; i < t->mark_count; i++)
        use.together[i] = all;
    for (size_t e = base_bitset_next(&t->inside, 0); e < t->inside.size;
         e = base_bitset_next(&t->inside, e + 1)) {
        use.somewhere |= t->marks[e];
        use.everywhere &= t->marks[e];
        for (uint32_t i = 0; i < t->mark_count; i++)
            use.together[i] &= (t->marks[e] >> i) & 1 ? t->marks[e] : ~t->marks[e];
    }
    return use;
}

/* Simplifies the condition by the use of marks. *changed tells whether it has fewer marks then. */
static opac_status simplify_condition(trimming *t, const mark_use *use, bool *changed,
                                      opac_error *error)
{
    aut_condition simpler;
    uint8_t map[AUT_MOST_MARKS];
    uint64_t before = aut_condition_marks(&t->condition);
    for (uint32_t i = 0; i < AUT_MOST_MARKS; i++)
        map[i] = (uint8_t)(i < t->mark_count ? base_lowest_bit(use->together[i]) : i);
    aut_condition_rename(&t->condition, map);
    TRY(aut_condition_assume(&t->condition, use->everywhere, ~use->somewhere, &simpler, error));
    aut_condition_fini(&t->condition);
    t->condition = simpler;
    *changed = aut_condition_marks(&simpler) != before;
    return OPAC_OK;
}

/* Removes the marks that do not occur in the condition, and renumbers the others. */
static void remove_unused_marks(trimming *t)
{
    uint64_t named = aut_condition_marks(&t->condition);
    uint8_t map[AUT_MOST_MARKS] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < AUT_MOST_MARKS; i++)
        if ((named >> i) & 1)
            map[i] = (uint8_t)count++;
    for (size_t e = 0; e < t->inside.size; e++) {
        uint64_t marks = 0;
        for (uint64_t rest = t->marks[e] & named; rest != 0; rest &= rest - 1)
            marks |= UINT64_C(1) << map[base_lowest_bit(rest)];
        t->marks[e] = marks;
    }
    aut_condition_rename(&t->condition, map);
    t->mark_count = count;
}

static opac_status remove_redundant_marks(trimming *t, opac_error *error)
{
    for (bool changed = true; changed;) {
        mark_use use = find_mark_use(t);
        TRY(simplify_condition(t, &use, &changed, error));
        remove_unused_marks(t);
    }
    return OPAC_OK;
}

/* ---- the result ---- */

static void add_states(const trimming *t, const uint32_t *number, aut_builder *builder)
{
    const opac_automaton *automaton = t->automaton;
    for (uint32_t s = 0; s < automaton->state_count; s++) {
        if (!base_bitset_has(&t->kept, s))
            continue;
        for (uint32_t e = automaton->edge_begin[s]; e < automaton->edge_begin[s + 1]; e++) {
            aut_edge edge = automaton->edges[e];
            if (!base_bitset_has(&t->kept, edge.target))
                continue;
            aut_builder_edge(builder, number[s],
                             (aut_edge){edge.label, number[edge.target], t->marks[e]});
        }
        if (automaton->state_names != NULL && automaton->state_names[s] != NULL)
            aut_builder_state_name(builder, number[s], automaton->state_names[s],
                                   strlen(automaton->state_names[s]));
    }
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        if (base_bitset_has(&t->kept, automaton->initial[i]))
            aut_builder_initial(builder, number[automaton->initial[i]]);
}

static opac_status build(trimming *t, opac_automaton **made, opac_error *error)
{
    aut_builder *builder;
    uint32_t count = 0;
    uint32_t *number = graph_take_u32(t->workspace, t->automaton->state_count);
    if (number == NULL)
        return base_fail_memory(error);
    TRY(aut_builder_like(t->automaton, &builder, error));
    for (uint32_t s = 0; s < t->automaton->state_count; s++)
        if (base_bitset_has(&t->kept, s))
            number[s] = count++;
    builder->state_limit = UINT32_MAX;
    aut_builder_add_states(builder, count > 0 ? count : 1);
    if (count > 0)
        add_states(t, number, builder);
    else
        aut_builder_initial(builder, 0);
    aut_builder_condition(builder, &t->condition, t->mark_count);
    return aut_builder_finish(builder, made, error);
}

/* Finds the marks of the kept edges and the condition. If no state is kept, the condition is f. */
static opac_status find_marks(trimming *t, opac_error *error)
{
    if (base_bitset_next(&t->kept, 0) == t->kept.size) {
        t->mark_count = 0;
        return aut_condition_false(&t->condition, error);
    }
    t->mark_count = t->automaton->mark_count;
    TRY(aut_condition_copy(&t->automaton->condition, &t->condition, error));
    TRY(unify_marks(t, error));
    return remove_redundant_marks(t, error);
}

opac_status aut_trim(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    graph_workspace workspace = {.work = aut_work(given)};
    trimming t = {.automaton = given, .workspace = &workspace};
    opac_status status;
    TRY_OR(done, find_states(&t, error));
    TRY_OR(done, find_edges(&t, error));
    TRY_OR(done, find_marks(&t, error));
    status = build(&t, made, error);
done:
    aut_condition_fini(&t.condition);
    graph_workspace_fini(&workspace);
    return status;
}

opac_status opac_automaton_live_states(const opac_automaton *automaton, uint32_t *count,
                                       opac_error *error)
{
    graph_workspace workspace = {0};
    aut_graph graph;
    aut_scc_info info;
    base_bitset live;
    opac_status status;
    TRY_OR(done, aut_graph_of(automaton, &workspace, &graph, error));
    TRY_OR(done, aut_find_accepting_sccs(&graph, (graph_part){0}, &automaton->condition, &workspace,
                                         &info, error));
    TRY_OR(done, aut_find_live_states(&graph, (graph_part){0}, &info, &workspace, &live, error));
    *count = (uint32_t)base_bitset_count(&live);
done:
    graph_workspace_fini(&workspace);
    return status;
}
