/* SPDX-License-Identifier: MIT */
/*
 * The children of a node are searched like accepting cycles in cycles.c, except that the search continues
 * until all sets of marks to avoid have been tried. Each maximal cycle is then among the candidates, and
 * comparing them by inclusion finds the maximal ones.
 *
 * The cost of a node is its number of edges times the number of sets of marks to avoid in it. Candidates are
 * compared only with candidates that share an edge.
 */
#include "aut/acd.h"

#include <stdlib.h>

#include "aut/disjuncts.h"
#include "base/alloc.h"

/* A cycle that may be a child. Its edges are numbers in the parent's subgraph. */
typedef struct candidate {
    uint32_t begin, count;
    bool is_maximal;
} candidate;

BASE_VEC(candidate_vec, candidate);

typedef struct candidates {
    candidate_vec items;
    base_u32_vec edges;
} candidates;

typedef struct decomposition {
    aut_acd *acd;
    graph_workspace *workspace;
    aut_disjuncts disjuncts[2]; /* of the negated condition, of the condition */
    uint32_t *own_number;       /* by edge of the automaton: its number in the current subgraph */
} decomposition;

static void candidates_fini(candidates *found)
{
    candidate_vec_fini(&found->items);
    base_u32_vec_fini(&found->edges);
}

static opac_status fail_size(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_LIMIT,
                     "the cycles of the automaton alternate between accepting and rejecting in "
                     "too many ways");
}

/* ---- finding the children ---- */

static opac_status add_candidate(const decomposition *work, const aut_subgraph *subgraph,
                                 candidates *found, opac_error *error)
{
    if (found->edges.count + subgraph->edge_count > AUT_ACD_EDGE_LIMIT ||
        found->items.count >= AUT_ACD_NODE_LIMIT)
        return fail_size(error);
    candidate item = {(uint32_t)found->edges.count, subgraph->edge_count, true};
    TRY(base_u32_vec_reserve(&found->edges, found->edges.count + (size_t)subgraph->edge_count,
                             error));
    for (uint32_t i = 0; i < subgraph->edge_count; i++)
        found->edges.items[found->edges.count++] = work->own_number[subgraph->edge[i]];
    return candidate_vec_push(&found->items, item, error);
}

/*
 * Collects the cycles of the subgraph that satisfy the disjunct and carry all marks of `present`. The depth
 * of the recursion is at most the number of marks.
 */
static opac_status collect_candidates(const decomposition *work, const aut_subgraph *subgraph,
                                      const aut_disjunct *disjunct, uint64_t present,
                                      candidates *found, opac_error *error)
{
    uint64_t marks = subgraph->all_marks, avoided;
    bool is_forced = false;
    if ((present & ~marks) != 0)
        return OPAC_OK;
    if (graph_spend(work->workspace, aut_disjunct_cost(disjunct)))
        return graph_workspace_check(work->workspace, error);
    if (aut_condition_holds(&disjunct->condition, marks))
        return add_candidate(work, subgraph, found, error);
    while (!is_forced) {
        avoided = aut_disjunct_avoid(disjunct, marks, present, &is_forced);
        if (avoided == 0)
            break;
        aut_subgraphs parts;
        graph_place place = graph_workspace_mark(work->workspace);
        TRY(aut_subgraph_split(subgraph, avoided, work->workspace, &parts, error));
        for (uint32_t i = 0; i < parts.count; i++)
            TRY(collect_candidates(work, &parts.items[i], disjunct, present, found, error));
        graph_workspace_release(work->workspace, place);
        present |= avoided;
    }
    return OPAC_OK;
}

/* Orders by descending size, and candidates of equal size as they were found. */
static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static bool is_subset(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    uint32_t i = 0;
    for (uint32_t j = 0; i < a_count && j < b_count; j++) {
        if (a[i] < b[j])
            return false;
        i += a[i] == b[j];
    }
    return i == a_count;
}

/* A linked list, for each edge, of the larger candidates that contain it. */
typedef struct membership {
    uint32_t candidate, next;
} membership;

/* Clears is_maximal of candidates that are a subset of another one. Such a superset contains the candidate's
 * first edge, so only the candidates in the list of that edge are compared. */
static opac_status keep_maximal(const decomposition *work, uint32_t edge_count, candidates *found,
                                opac_error *error)
{
    graph_place place = graph_workspace_mark(work->workspace);
    uint32_t *head = graph_take_u32(work->workspace, edge_count);
    membership *members = graph_take(work->workspace, found->edges.count, sizeof *members);
    if (head == NULL || members == NULL)
        return base_fail_memory(error);
    uint32_t used = 0;
    candidate *items = found->items.items;
    const uint32_t *edges = found->edges.items;
    for (uint32_t i = 0; i < edge_count; i++)
        head[i] = AUT_ACD_NONE;
    if (found->items.count > 1)
        qsort(items, found->items.count, sizeof *items, compare_candidates);
    for (uint32_t i = 0; i < found->items.count; i++) {
        candidate *item = &items[i];
        const uint32_t *own = edges + item->begin;
        for (uint32_t j = head[own[0]]; j != AUT_ACD_NONE && item->is_maximal;
             j = members[j].next) {
            const candidate *larger = &items[members[j].candidate];
            if (graph_spend(work->workspace, larger->count))
                return graph_workspace_check(work->workspace, error);
            if (is_subset(own, item->count, edges + larger->begin, larger->count))
                item->is_maximal = false;
        }
        for (uint32_t j = 0; item->is_maximal && j < item->count; j++) {
            members[used] = (membership){i, head[own[j]]};
            head[own[j]] = used++;
        }
    }
    graph_workspace_release(work->workspace, place);
    return OPAC_OK;
}

/* ---- the tree ---- */

/* Extracts the subgraph of a child, at a cost proportional to the child's size. */
static opac_status cut_child(const decomposition *work, const aut_subgraph *parent,
                             const uint32_t *source, uint32_t *number, const uint32_t *edges,
                             uint32_t count, aut_subgraph *child, opac_error *error)
{
    uint32_t *state = graph_take_u32(work->workspace, count);
    uint32_t *begin = graph_take_u32(work->workspace, (size_t)count + 1);
    uint32_t *target = graph_take_u32(work->workspace, count);
    uint32_t *edge = graph_take_u32(work->workspace, count);
    uint64_t *marks = graph_take(work->workspace, count, sizeof *marks);
    if (state == NULL || begin == NULL || target == NULL || edge == NULL || marks == NULL)
        return base_fail_memory(error);
    if (graph_spend(work->workspace, count))
        return graph_workspace_check(work->workspace, error);
    *child = (aut_subgraph){.edge_count = count,
                            .state = state,
                            .begin = begin,
                            .target = target,
                            .edge = edge,
                            .marks = marks};
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || source[edges[i]] != source[edges[i - 1]]) {
            number[source[edges[i]]] = child->state_count;
            state[child->state_count] = parent->state[source[edges[i]]];
            begin[child->state_count++] = i;
        }
        edge[i] = parent->edge[edges[i]];
        marks[i] = parent->marks[edges[i]];
        child->all_marks |= marks[i];
    }
    begin[child->state_count] = count;
    for (uint32_t i = 0; i < count; i++)
        target[i] = number[parent->target[edges[i]]];
    return OPAC_OK;
}

static opac_status find_children(const decomposition *work, const aut_subgraph *subgraph,
                                 bool wanted, candidates *found, opac_error *error)
{
    for (uint32_t i = 0; i < subgraph->edge_count; i++)
        work->own_number[subgraph->edge[i]] = i;
    const aut_disjuncts *disjuncts = &work->disjuncts[wanted];
    for (uint32_t i = 0; i < disjuncts->count; i++)
        TRY(collect_candidates(work, subgraph, &disjuncts->items[i], 0, found, error));
    return keep_maximal(work, subgraph->edge_count, found, error);
}

static opac_status add_node(const decomposition *work, const aut_subgraph *subgraph,
                            bool is_accepting, uint32_t parent, uint32_t *node, opac_error *error)
{
    aut_acd *acd = work->acd;
    if (acd->nodes.count >= AUT_ACD_NODE_LIMIT ||
        acd->edges.count + subgraph->edge_count > AUT_ACD_EDGE_LIMIT)
        return fail_size(error);
    aut_acd_node made = {.parent = parent,
                         .depth = parent != AUT_ACD_NONE ? acd->nodes.items[parent].depth + 1 : 0,
                         .is_accepting = is_accepting,
                         .edge_begin = (uint32_t)acd->edges.count,
                         .edge_end = (uint32_t)acd->edges.count + subgraph->edge_count};
    *node = (uint32_t)acd->nodes.count;
    TRY(aut_acd_nodes_push(&acd->nodes, made, error));
    TRY(base_u32_vec_reserve(&acd->edges, made.edge_end, error));
    for (uint32_t i = 0; i < subgraph->edge_count; i++)
        acd->edges.items[acd->edges.count++] = subgraph->edge[i];
    return OPAC_OK;
}

/* Adds the states of the node that no child visits. */
static opac_status add_leaf_states(const decomposition *work, const aut_subgraph *subgraph,
                                   const uint32_t *source, const candidates *children,
                                   uint32_t node, opac_error *error)
{
    base_bitset visited;
    graph_place place = graph_workspace_mark(work->workspace);
    TRY(graph_take_set(work->workspace, subgraph->state_count, &visited, error));
    for (size_t i = 0; i < children->items.count; i++) {
        const candidate *child = &children->items.items[i];
        for (uint32_t j = 0; child->is_maximal && j < child->count; j++)
            base_bitset_add(&visited, source[children->edges.items[child->begin + j]]);
    }
    work->acd->nodes.items[node].leaf_state_begin = (uint32_t)work->acd->leaf_states.count;
    for (uint32_t i = 0; i < subgraph->state_count; i++)
        if (!base_bitset_has(&visited, i))
            TRY(base_u32_vec_push(&work->acd->leaf_states, subgraph->state[i], error));
    work->acd->nodes.items[node].leaf_state_end = (uint32_t)work->acd->leaf_states.count;
    graph_workspace_release(work->workspace, place);
    return OPAC_OK;
}

static void find_sources(const aut_subgraph *subgraph, uint32_t *source)
{
    for (uint32_t state = 0; state < subgraph->state_count; state++)
        for (uint32_t i = subgraph->begin[state]; i < subgraph->begin[state + 1]; i++)
            source[i] = state;
}

/* Adds a node and its descendants. The depth of the recursion is at most the number of marks plus one. */
static opac_status build_subtree(const decomposition *work, const aut_subgraph *subgraph,
                                 bool is_accepting, uint32_t parent, opac_error *error)
{
    candidates children = {0};
    uint32_t node = 0;
    graph_place place = graph_workspace_mark(work->workspace);
    uint32_t *source = graph_take_u32(work->workspace, subgraph->edge_count);
    uint32_t *number = graph_take_u32(work->workspace, subgraph->state_count);
    opac_status status;
    TRY_OR(done, source != NULL && number != NULL ? OPAC_OK : base_fail_memory(error));
    TRY_OR(done, add_node(work, subgraph, is_accepting, parent, &node, error));
    TRY_OR(done, find_children(work, subgraph, !is_accepting, &children, error));
    find_sources(subgraph, source);
    TRY_OR(done, add_leaf_states(work, subgraph, source, &children, node, error));
    for (size_t i = 0; i < children.items.count; i++) {
        const candidate *item = &children.items.items[i];
        aut_subgraph child = {0};
        if (!item->is_maximal)
            continue;
        graph_place inner = graph_workspace_mark(work->workspace);
        TRY_OR(done, cut_child(work, subgraph, source, number, children.edges.items + item->begin,
                               item->count, &child, error));
        TRY_OR(done, build_subtree(work, &child, !is_accepting, node, error));
        graph_workspace_release(work->workspace, inner);
    }
    work->acd->nodes.items[node].end = (uint32_t)work->acd->nodes.count;
done:
    candidates_fini(&children);
    graph_workspace_release(work->workspace, place);
    return status;
}

/* ---- the forest ---- */

/* Lists the leaves of each state, by a counting sort. */
static opac_status sort_leaves(aut_acd *acd, uint32_t states, opac_error *error)
{
    acd->leaf_begin = base_alloc_zeroed((size_t)states + 2, sizeof *acd->leaf_begin);
    acd->leaves = base_alloc(acd->leaf_states.count, sizeof *acd->leaves);
    if (acd->leaf_begin == NULL || acd->leaves == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < acd->leaf_states.count; i++)
        acd->leaf_begin[acd->leaf_states.items[i] + 2]++;
    for (size_t i = 2; i < (size_t)states + 2; i++)
        acd->leaf_begin[i] += acd->leaf_begin[i - 1];
    for (uint32_t node = 0; node < acd->nodes.count; node++)
        for (uint32_t i = acd->nodes.items[node].leaf_state_begin;
             i < acd->nodes.items[node].leaf_state_end; i++)
            acd->leaves[acd->leaf_begin[acd->leaf_states.items[i] + 1]++] = node;
    return OPAC_OK;
}

static opac_status build_forest(const opac_automaton *automaton, decomposition *work,
                                opac_error *error)
{
    aut_graph graph;
    graph_scc scc;
    aut_subgraphs subgraphs = {0};
    work->own_number = graph_take_u32(work->workspace, aut_edge_count(automaton));
    if (work->own_number == NULL)
        return base_fail_memory(error);
    TRY(aut_graph_of(automaton, work->workspace, &graph, error));
    TRY(graph_scc_find(&graph.process, (graph_part){0}, work->workspace, &scc, error));
    TRY(aut_graph_subgraphs(&graph, (graph_part){0}, &scc, work->workspace, &subgraphs, error));
    for (uint32_t i = 0; i < subgraphs.count; i++) {
        bool is_accepting =
            aut_condition_holds(&automaton->condition, subgraphs.items[i].all_marks);
        TRY(build_subtree(work, &subgraphs.items[i], is_accepting, AUT_ACD_NONE, error));
    }
    return sort_leaves(work->acd, automaton->state_count, error);
}

opac_status aut_acd_build(const opac_automaton *automaton, aut_acd *acd, opac_error *error)
{
    aut_condition negated = {0};
    graph_workspace workspace = {.work = aut_work(automaton)};
    decomposition work = {.acd = acd, .workspace = &workspace};
    *acd = (aut_acd){0};
    opac_status status;
    TRY_OR(done, aut_condition_negate(&automaton->condition, &negated, error));
    TRY_OR(done, aut_disjuncts_of(&negated, &workspace, &work.disjuncts[false], error));
    TRY_OR(done, aut_disjuncts_of(&automaton->condition, &workspace, &work.disjuncts[true], error));
    status = build_forest(automaton, &work, error);
done:
    if (status != OPAC_OK)
        aut_acd_fini(acd);
    aut_condition_fini(&negated);
    graph_workspace_fini(&workspace);
    return status;
}

void aut_acd_fini(aut_acd *acd)
{
    aut_acd_nodes_fini(&acd->nodes);
    base_u32_vec_fini(&acd->edges);
    base_u32_vec_fini(&acd->leaf_states);
    base_free(acd->leaf_begin);
    base_free(acd->leaves);
    *acd = (aut_acd){0};
}

uint32_t aut_acd_levels(const aut_acd *acd, uint32_t root)
{
    uint32_t deepest = 0;
    for (uint32_t node = root; node < acd->nodes.items[root].end; node++)
        if (acd->nodes.items[node].depth > deepest)
            deepest = acd->nodes.items[node].depth;
    return deepest + 1;
}
