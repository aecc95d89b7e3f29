/* SPDX-License-Identifier: MIT */
#include "aut/checks.h"

#include "base/map.h"
#include "graph/reach.h"

/* ---- components ---- */

opac_status aut_classify_components(const aut_graph *graph, graph_part part,
                                    const aut_condition *condition, graph_workspace *workspace,
                                    aut_scc_info *info, aut_component_kinds *kinds,
                                    opac_error *error)
{
    aut_condition negated = {0};
    aut_scc_info dual;
    base_bitset bottom, trivial;
    uint8_t *kind = NULL;
    opac_status status;
    TRY_OR(done, aut_find_accepting_sccs(graph, part, condition, workspace, info, error));
    TRY_OR(done, aut_condition_negate(condition, &negated, error));
    TRY_OR(done, aut_find_accepting_sccs(graph, part, &negated, workspace, &dual, error));
    TRY_OR(done, graph_scc_classify(&graph->process, part, &info->scc, workspace, &bottom, &trivial,
                                    error));
    kind = graph_take(workspace, info->scc.count, 1);
    TRY_OR(done, kind != NULL ? OPAC_OK : base_fail_memory(error));
    /* Both searches are on the same part, so they number the components alike. */
    for (uint32_t i = 0; i < info->scc.count; i++) {
        bool accepts = base_bitset_has(&info->accepting, i);
        bool rejects = base_bitset_has(&dual.accepting, i);
        kind[i] = accepts && rejects             ? AUT_COMPONENT_MIXED
                  : accepts                      ? AUT_COMPONENT_ACCEPTING
                  : base_bitset_has(&trivial, i) ? AUT_COMPONENT_TRIVIAL
                                                 : AUT_COMPONENT_REJECTING;
    }
done:
    kinds->kind = kind;
    aut_condition_fini(&negated);
    return status;
}

/* ---- limit-determinism ---- */

/*
 * Sets *found if some letter satisfies both labels. It creates no nodes, because several threads may read an
 * automaton at once. The depth of the recursion is the number of propositions.
 */
static opac_status find_overlap(const aut_bdd_store *labels, aut_bdd f, aut_bdd g, base_map *seen,
                                bool *found, opac_error *error)
{
    uint64_t *mark;
    if (*found || f == AUT_BDD_FALSE || g == AUT_BDD_FALSE)
        return OPAC_OK;
    if (f == AUT_BDD_TRUE || g == AUT_BDD_TRUE || f == g) {
        *found = true;
        return OPAC_OK;
    }
    TRY(base_map_at(seen, (uint64_t)f << 32 | g, &mark, error));
    if (*mark != 0)
        return OPAC_OK;
    *mark = 1;
    aut_bdd_node a = *aut_bdd_at(labels, f), b = *aut_bdd_at(labels, g);
    bool first = a.variable <= b.variable, second = b.variable <= a.variable;
    TRY(find_overlap(labels, first ? a.low : f, second ? b.low : g, seen, found, error));
    return find_overlap(labels, first ? a.high : f, second ? b.high : g, seen, found, error);
}

static opac_status is_deterministic_at(const opac_automaton *automaton, uint32_t state,
                                       base_map *seen, bool *is_so, opac_error *error)
{
    uint32_t begin = automaton->edge_begin[state], end = automaton->edge_begin[state + 1];
    bool overlap = false;
    for (uint32_t i = begin; i < end && !overlap; i++) {
        overlap = automaton->edges[i].label == AUT_EPSILON;
        for (uint32_t j = begin; j < i && !overlap; j++) {
            base_map_clear(seen);
            TRY(find_overlap(automaton->labels, automaton->edges[i].label,
                             automaton->edges[j].label, seen, &overlap, error));
        }
    }
    *is_so = !overlap;
    return OPAC_OK;
}

/* Whether a condition, as written, is t or a conjunction of Infs. */
static bool is_generalized_buchi(const aut_condition *condition)
{
    for (size_t i = 0; i < condition->terms.count; i++) {
        aut_term_kind kind = condition->terms.items[i].kind;
        if (kind != AUT_TERM_TRUE && kind != AUT_TERM_INF && kind != AUT_TERM_AND)
            return false;
    }
    return condition->terms.count > 0;
}

opac_status opac_automaton_is_limit_deterministic(const opac_automaton *automaton, bool *is_so,
                                                  opac_error *error)
{
    graph_workspace workspace = {0};
    base_map seen = {0};
    aut_graph graph;
    aut_scc_info info;
    base_bitset from;
    graph_reached reached = {.count = 0};
    /* With the condition f no component is accepting, so the automaton is limit-deterministic. */
    bool is_false = automaton->condition.terms.count == 1 &&
                    automaton->condition.terms.items[0].kind == AUT_TERM_FALSE;
    *is_so = is_false || is_generalized_buchi(&automaton->condition);
    if (automaton->is_deterministic || is_false || !*is_so)
        return OPAC_OK;
    opac_status status;
    TRY_OR(done, aut_graph_of(automaton, &workspace, &graph, error));
    TRY_OR(done, aut_find_accepting_sccs(&graph, (graph_part){0}, &automaton->condition, &workspace,
                                         &info, error));
    TRY_OR(done, graph_take_set(&workspace, automaton->state_count, &from, error));
    for (uint32_t s = 0; s < automaton->state_count; s++)
        if (base_bitset_has(&info.accepting, info.scc.component[s]))
            base_bitset_add(&from, s);
    TRY_OR(done, graph_reach_forward(&graph.process, (graph_part){0}, &from, GRAPH_NONE, &workspace,
                                     &reached, error));
    for (uint32_t i = 0; i < reached.count && *is_so; i++)
        TRY_OR(done, is_deterministic_at(automaton, reached.order[i], &seen, is_so, error));
done:
    base_map_fini(&seen);
    graph_workspace_fini(&workspace);
    return status;
}
