/* SPDX-License-Identifier: MIT */
#include "aut/compare.h"

#include <assert.h>

#include "aut/fingerprint.h"
#include "base/alloc.h"

/* ---- conditions ---- */

/* Adds `first` of the left marks and `second` of the right marks, joined by And. */
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

/* Room to number pairs of that many states; forgets all pairs. */
static opac_status restart(aut_comparison *comparison, const aut_table *left,
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

static uint32_t *place_of(const aut_comparison *comparison, uint32_t left, uint32_t right)
{
    return &comparison->node_of[(size_t)left * comparison->right_states + right];
}

/* Gives the numbers back, at the cost of those that were used. */
static void forget_pairs(aut_comparison *comparison)
{
    for (size_t i = 0; i < comparison->pairs.count; i++)
        *place_of(comparison, (uint32_t)(comparison->pairs.items[i] >> 32),
                  (uint32_t)comparison->pairs.items[i]) = 0;
}

static opac_status find_node(aut_comparison *comparison, uint32_t left, uint32_t right,
                             uint32_t *node, opac_error *error)
{
    uint32_t *place = place_of(comparison, left, right);
    if (*place == 0) {
        TRY(base_u64_vec_push(&comparison->pairs, (uint64_t)left << 32 | right, error));
        *place = (uint32_t)comparison->pairs.count;
    }
    *node = *place - 1;
    return OPAC_OK;
}

/* Adds an edge unless one of the last few of this node is the same. */
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
 * The edges of a pair. *apart: one side rejects a letter that the other does
 * not. fingerprint (NULL: none): pairs with different ones are apart, and a pair
 * of a state with itself needs no node.
 */
static opac_status expand(aut_comparison *comparison, const aut_table *left, const aut_table *right,
                          uint64_t pair, const uint64_t *fingerprint, bool *apart,
                          opac_error *error)
{
    size_t a = (size_t)(pair >> 32) * left->classes, b = (size_t)(uint32_t)pair * right->classes;
    if (graph_spend(&comparison->workspace, left->classes))
        return graph_workspace_check(&comparison->workspace, error);
    comparison->work += left->classes;
    for (uint32_t class = 0; class < left->classes && !*apart; class ++) {
        uint32_t x = left->target[a + class], y = right->target[b + class], node;
        if (x == AUT_NOWHERE || y == AUT_NOWHERE ||
            (fingerprint != NULL && fingerprint[x] != fingerprint[y])) {
            *apart = x != y;
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

static opac_status scan(aut_comparison *comparison, const aut_condition *condition,
                        aut_graph *graph, aut_scan *result, opac_error *error)
{
    TRY(aut_graph_borrow((uint32_t)comparison->pairs.count, comparison->begin.items,
                         comparison->target.items, comparison->marks.items, &comparison->workspace,
                         graph, error));
    TRY(aut_cycles_scan(graph, (graph_part){0}, condition, &comparison->workspace, result, error));
    comparison->work += result->work;
    return OPAC_OK;
}

/* Explores what can be reached from the pair of initial states; stops when a pair is apart. */
static opac_status explore(aut_comparison *comparison, const aut_table *left,
                           const aut_table *right, bool *apart, opac_error *error)
{
    uint32_t node;
    TRY(restart(comparison, left, right, error));
    TRY(find_node(comparison, left->initial, right->initial, &node, error));
    TRY(end_node(comparison, error));
    for (size_t i = 0; i < comparison->pairs.count && !*apart; i++) {
        TRY(expand(comparison, left, right, comparison->pairs.items[i], NULL, apart, error));
        TRY(end_node(comparison, error));
    }
    return OPAC_OK;
}

opac_status aut_comparison_equal(aut_comparison *comparison, const aut_table *left,
                                 const aut_table *right, bool *equal, opac_error *error)
{
    bool apart = (left->initial == AUT_NOWHERE) != (right->initial == AUT_NOWHERE);
    assert(left->classes == right->classes);
    *equal = !apart;
    if (apart || left->initial == AUT_NOWHERE)
        return OPAC_OK;
    opac_status status = explore(comparison, left, right, &apart, error);
    forget_pairs(comparison);
    *equal = !apart;
    if (apart || status != OPAC_OK)
        return status;
    graph_place place = graph_workspace_mark(&comparison->workspace);
    aut_graph graph;
    aut_scan found;
    TRY_OR(done, scan(comparison, &comparison->left_only, &graph, &found, error));
    *equal = base_bitset_count(&found.accepting) == 0;
    if (*equal) {
        TRY_OR(done, scan(comparison, &comparison->right_only, &graph, &found, error));
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

/* Those pairs as nodes, with their edges; apart: by node. */
static opac_status all_pairs(aut_comparison *comparison, const aut_table *table,
                             const uint64_t *fingerprint, base_bitset *apart, opac_error *error)
{
    uint32_t node;
    TRY(restart(comparison, table, table, error));
    for (uint32_t p = 0; p < table->states; p++)
        for (uint32_t q = 0; q < table->states; q++)
            if (p != q && fingerprint[p] == fingerprint[q])
                TRY(find_node(comparison, p, q, &node, error));
    TRY(graph_take_set(&comparison->workspace, comparison->pairs.count, apart, error));
    TRY(end_node(comparison, error));
    for (size_t i = 0; i < comparison->pairs.count; i++) {
        bool differs = false;
        TRY(expand(comparison, table, table, comparison->pairs.items[i], fingerprint, &differs,
                   error));
        if (differs)
            base_bitset_add(apart, i);
        TRY(end_node(comparison, error));
    }
    return OPAC_OK;
}

/* Whether no word is accepted from the one state and not from the other. */
static bool is_equivalent(const aut_comparison *comparison, const base_bitset *differs, uint32_t p,
                          uint32_t q)
{
    uint32_t forth = *place_of(comparison, p, q), back = *place_of(comparison, q, p);
    return forth != 0 && !base_bitset_has(differs, forth - 1) &&
           !base_bitset_has(differs, back - 1);
}

static opac_status compare_all(aut_comparison *comparison, const aut_table *table,
                               const uint64_t *fingerprint, uint32_t *residual, opac_error *error)
{
    base_bitset apart, differs;
    aut_graph graph;
    aut_scan found;
    TRY(all_pairs(comparison, table, fingerprint, &apart, error));
    TRY(scan(comparison, &comparison->left_only, &graph, &found, error));
    for (size_t i = base_bitset_next(&apart, 0); i < apart.size;
         i = base_bitset_next(&apart, i + 1))
        base_bitset_add(&found.accepting, found.scc.component[i]);
    TRY(aut_cycles_live(&graph, (graph_part){0}, &found, &comparison->workspace, &differs, error));
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
        forget_pairs(comparison);
    }
    graph_workspace_release(&comparison->workspace, place);
    return status;
}
