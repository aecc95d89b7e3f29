/* SPDX-License-Identifier: MIT */
#include "aut/compare.h"

#include <assert.h>

#include "aut/fingerprint.h"
#include "base/alloc.h"

/* ---- conditions ---- */

/* Adds the conjunction of `first` over the marks of the left and `second` over the marks of the right. */
static opac_status add_both(aut_condition *to, const aut_condition *first,
                            const aut_condition *second, uint32_t mark_count, opac_error *error)
{
    uint32_t left, right;
    TRY(aut_condition_append(to, first, 0, &left, error));
    TRY(aut_condition_append(to, second, mark_count, &right, error));
    return aut_condition_add(to, (aut_term){AUT_TERM_AND, left, right}, NULL, error);
}

opac_status aut_comparison_init(aut_comparison *comparison, const aut_condition *condition,
                                uint32_t mark_count, opac_error *error)
{
    aut_condition negation = {0};
    *comparison = (aut_comparison){.condition = condition, .mark_count = mark_count};
    if (2 * mark_count > AUT_MOST_MARKS)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "automata with more than %d marks cannot be compared", AUT_MOST_MARKS / 2);
    opac_status status;
    TRY_OR(done, aut_condition_negate(condition, &negation, error));
    TRY_OR(done, add_both(&comparison->left_only, condition, &negation, mark_count, error));
    status = add_both(&comparison->right_only, &negation, condition, mark_count, error);
done:
    aut_condition_fini(&negation);
    if (status != OPAC_OK)
        aut_comparison_fini(comparison);
    return status;
}

void aut_comparison_fini(aut_comparison *comparison)
{
    aut_condition_fini(&comparison->left_only);
    aut_condition_fini(&comparison->right_only);
    graph_workspace_fini(&comparison->workspace);
    base_free(comparison->node_of);
    base_u64_vec_fini(&comparison->pairs);
    base_u32_vec_fini(&comparison->begin);
    base_u32_vec_fini(&comparison->target);
    base_u64_vec_fini(&comparison->marks);
}

/* ---- the product, as a graph ---- */

/* Allocates the numbers of pairs of two tables. There are no pairs then. */
static opac_status reset_pairs(aut_comparison *comparison, const aut_table *left,
                               const aut_table *right, opac_error *error)
{
    size_t size = (size_t)left->states * right->states;
    comparison->pairs.count = comparison->begin.count = 0;
    comparison->target.count = comparison->marks.count = 0;
    if (size > comparison->node_of_size) {
        base_free(comparison->node_of);
        comparison->node_of = base_alloc_zeroed(size, sizeof *comparison->node_of);
        comparison->node_of_size = comparison->node_of != NULL ? size : 0;
        if (comparison->node_of == NULL)
            return base_fail_memory(error);
    }
    comparison->right_states = right->states;
    return OPAC_OK;
}

static uint32_t *node_slot(const aut_comparison *comparison, uint32_t left, uint32_t right)
{
    return &comparison->node_of[(size_t)left * comparison->right_states + right];
}

/* Resets the numbers of all pairs, at a cost proportional to the pairs that were used. */
static void clear_pairs(aut_comparison *comparison)
{
    for (size_t i = 0; i < comparison->pairs.count; i++)
        *node_slot(comparison, (uint32_t)(comparison->pairs.items[i] >> 32),
                   (uint32_t)comparison->pairs.items[i]) = 0;
}

static opac_status find_node(aut_comparison *comparison, uint32_t left, uint32_t right,
                             uint32_t *node, opac_error *error)
{
    uint32_t *slot = node_slot(comparison, left, right);
    if (*slot == 0) {
        TRY(base_u64_vec_push(&comparison->pairs, (uint64_t)left << 32 | right, error));
        *slot = (uint32_t)comparison->pairs.count;
    }
    *node = *slot - 1;
    return OPAC_OK;
}

/* Adds an edge, unless one of the last few edges of this node is the same. */
static opac_status add_edge(aut_comparison *comparison, uint32_t target, uint64_t marks,
                            opac_error *error)
{
    size_t count = comparison->target.count;
    size_t first = comparison->begin.items[comparison->begin.count - 1];
    for (size_t i = count; i > first && i + 8 > count; i--)
        if (comparison->target.items[i - 1] == target && comparison->marks.items[i - 1] == marks)
            return OPAC_OK;
    TRY(base_u32_vec_push(&comparison->target, target, error));
    return base_u64_vec_push(&comparison->marks, marks, error);
}

/*
 * Adds the edges of a pair. Sets *differ if one side rejects a letter that the other does not. If
 * fingerprints are given (they may be NULL), it also sets *differ if a successor pair has different ones, and
 * adds no node for pairs of equal states.
 */
static opac_status expand(aut_comparison *comparison, const aut_table *left, const aut_table *right,
                          uint64_t pair, const uint64_t *fingerprint, bool *differ,
                          opac_error *error)
{
    size_t a = (size_t)(pair >> 32) * left->classes, b = (size_t)(uint32_t)pair * right->classes;
    if (graph_spend(&comparison->workspace, left->classes))
        return graph_workspace_check(&comparison->workspace, error);
    comparison->edges_visited += left->classes;
    for (uint32_t class = 0; class < left->classes && !*differ; class ++) {
        uint32_t x = left->target[a + class], y = right->target[b + class], node;
        if (x == AUT_NO_STATE || y == AUT_NO_STATE ||
            (fingerprint != NULL && fingerprint[x] != fingerprint[y])) {
            *differ = x != y;
            continue;
        }
        if (fingerprint != NULL && x == y)
            continue;
        TRY(find_node(comparison, x, y, &node, error));
        TRY(add_edge(comparison, node,
                     left->marks[a + class] | right->marks[b + class] << comparison->mark_count,
                     error));
    }
    return OPAC_OK;
}

static opac_status end_node(aut_comparison *comparison, opac_error *error)
{
    return base_u32_vec_push(&comparison->begin, (uint32_t)comparison->target.count, error);
}

static opac_status find_accepting(aut_comparison *comparison, const aut_condition *condition,
                                  aut_graph *graph, aut_scc_info *result, opac_error *error)
{
    TRY(aut_graph_borrow((uint32_t)comparison->pairs.count, comparison->begin.items,
                         comparison->target.items, comparison->marks.items, &comparison->workspace,
                         graph, error));
    TRY(aut_find_accepting_sccs(graph, (graph_part){0}, condition, &comparison->workspace, result,
                                error));
    comparison->edges_visited += result->edges_visited;
    return OPAC_OK;
}

/* Explores the pairs that are reachable from the pair of initial states, until one sets *differ. */
static opac_status explore(aut_comparison *comparison, const aut_table *left,
                           const aut_table *right, bool *differ, opac_error *error)
{
    uint32_t node;
    TRY(reset_pairs(comparison, left, right, error));
    TRY(find_node(comparison, left->initial, right->initial, &node, error));
    TRY(end_node(comparison, error));
    for (size_t i = 0; i < comparison->pairs.count && !*differ; i++) {
        TRY(expand(comparison, left, right, comparison->pairs.items[i], NULL, differ, error));
        TRY(end_node(comparison, error));
    }
    return OPAC_OK;
}

opac_status aut_comparison_equal(aut_comparison *comparison, const aut_table *left,
                                 const aut_table *right, bool *equal, opac_error *error)
{
    bool differ = (left->initial == AUT_NO_STATE) != (right->initial == AUT_NO_STATE);
    assert(left->classes == right->classes);
    *equal = !differ;
    if (differ || left->initial == AUT_NO_STATE)
        return OPAC_OK;
    opac_status status = explore(comparison, left, right, &differ, error);
    clear_pairs(comparison);
    *equal = !differ;
    if (differ || status != OPAC_OK)
        return status;
    graph_place place = graph_workspace_mark(&comparison->workspace);
    aut_graph graph;
    aut_scc_info found;
    TRY_OR(done, find_accepting(comparison, &comparison->left_only, &graph, &found, error));
    *equal = base_bitset_count(&found.accepting) == 0;
    if (*equal) {
        TRY_OR(done, find_accepting(comparison, &comparison->right_only, &graph, &found, error));
        *equal = base_bitset_count(&found.accepting) == 0;
    }
done:
    graph_workspace_release(&comparison->workspace, place);
    return status;
}

/* ---- residuals ---- */

/* The number of ordered pairs of different states with the same fingerprint. */
static uint64_t count_pairs(const aut_table *table, const uint64_t *fingerprint)
{
    uint64_t pairs = 0;
    for (uint32_t p = 0; p < table->states; p++)
        for (uint32_t q = 0; q < table->states; q++)
            pairs += p != q && fingerprint[p] == fingerprint[q];
    return pairs;
}

/* Adds these pairs as nodes, with their edges. differ: by node. */
static opac_status all_pairs(aut_comparison *comparison, const aut_table *table,
                             const uint64_t *fingerprint, base_bitset *differ, opac_error *error)
{
    uint32_t node;
    TRY(reset_pairs(comparison, table, table, error));
    for (uint32_t p = 0; p < table->states; p++)
        for (uint32_t q = 0; q < table->states; q++)
            if (p != q && fingerprint[p] == fingerprint[q])
                TRY(find_node(comparison, p, q, &node, error));
    TRY(graph_take_set(&comparison->workspace, comparison->pairs.count, differ, error));
    TRY(end_node(comparison, error));
    for (size_t i = 0; i < comparison->pairs.count; i++) {
        bool differs = false;
        TRY(expand(comparison, table, table, comparison->pairs.items[i], fingerprint, &differs,
                   error));
        if (differs)
            base_bitset_add(differ, i);
        TRY(end_node(comparison, error));
    }
    return OPAC_OK;
}

/* Whether two states have the same language: neither accepts a word that the other rejects. */
static bool is_equivalent(const aut_comparison *comparison, const base_bitset *differs, uint32_t p,
                          uint32_t q)
{
    uint32_t forth = *node_slot(comparison, p, q), back = *node_slot(comparison, q, p);
    return forth != 0 && !base_bitset_has(differs, forth - 1) &&
           !base_bitset_has(differs, back - 1);
}

static opac_status compare_all(aut_comparison *comparison, const aut_table *table,
                               const uint64_t *fingerprint, uint32_t *residual, opac_error *error)
{
    base_bitset differ, differs;
    aut_graph graph;
    aut_scc_info found;
    TRY(all_pairs(comparison, table, fingerprint, &differ, error));
    TRY(find_accepting(comparison, &comparison->left_only, &graph, &found, error));
    for (size_t i = base_bitset_next(&differ, 0); i < differ.size;
         i = base_bitset_next(&differ, i + 1))
        base_bitset_add(&found.accepting, found.scc.component[i]);
    TRY(aut_find_live_states(&graph, (graph_part){0}, &found, &comparison->workspace, &differs,
                             error));
    for (uint32_t q = 0; q < table->states; q++) {
        residual[q] = q;
        for (uint32_t p = 0; p < q && residual[q] == q; p++)
            if (residual[p] == p && is_equivalent(comparison, &differs, p, q))
                residual[q] = p;
    }
    return OPAC_OK;
}

opac_status aut_comparison_residuals(aut_comparison *comparison, const aut_table *table,
                                     uint64_t most_pairs, uint32_t *residual, bool *known,
                                     opac_error *error)
{
    graph_place place = graph_workspace_mark(&comparison->workspace);
    uint64_t *fingerprint = graph_take(&comparison->workspace, table->states, sizeof *fingerprint);
    *known = false;
    if (fingerprint == NULL)
        return base_fail_memory(error);
    opac_status status = aut_fingerprints(table, comparison->condition, fingerprint, error);
    if (status == OPAC_OK && count_pairs(table, fingerprint) <= most_pairs) {
        *known = true;
        status = compare_all(comparison, table, fingerprint, residual, error);
        clear_pairs(comparison);
    }
    graph_workspace_release(&comparison->workspace, place);
    return status;
}
