/* SPDX-License-Identifier: MIT */
#include "aut/hoa_order.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

/* Limits on the rounds of colour refinement. States that only more rounds would distinguish are rare. */
enum {
    MOST_ROUNDS = 64,
    LEAST_ROUNDS = 8,
    MOST_WORK = 1 << 22 /* edges visited in all rounds, unless that allows less than LEAST_ROUNDS */
};

#define UNNUMBERED UINT32_MAX

/* ---- comparing ---- */

int hoa_compare_labels(const aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    if (f == g)
        return 0;
    if (f == AUT_EPSILON || g == AUT_EPSILON)
        return f == AUT_EPSILON ? 1 : -1;
    /* Descend to the first letter for which they differ. */
    while (!aut_bdd_is_constant(f) || !aut_bdd_is_constant(g)) {
        const aut_bdd_node *a = aut_bdd_at(store, f), *b = aut_bdd_at(store, g);
        uint32_t variable = a->variable < b->variable ? a->variable : b->variable;
        aut_bdd f0 = a->variable == variable ? a->low : f;
        aut_bdd g0 = b->variable == variable ? b->low : g;
        if (f0 != g0) {
            f = f0;
            g = g0;
        } else {
            f = a->variable == variable ? a->high : f;
            g = b->variable == variable ? b->high : g;
        }
    }
    return f == AUT_BDD_TRUE ? -1 : 1;
}

typedef struct ordering {
    const opac_automaton *automaton;
    hoa_order *order;
    uint64_t *colors; /* by state; NULL if not needed */
    aut_edge *scratch;
    aut_edge *keys; /* for sorting states: edges with equal labels and marks; NULL if not needed */
} ordering;

/* Orders targets: first those that have a number, then by colour, then as they are stored. */
static int compare_targets(const ordering *work, uint32_t a, uint32_t b)
{
    uint32_t first = work->order->number[a], second = work->order->number[b];
    if (first != second)
        return first < second ? -1 : 1;
    if (work->colors != NULL && work->colors[a] != work->colors[b])
        return work->colors[a] < work->colors[b] ? -1 : 1;
    return (a > b) - (a < b);
}

static int compare_edges(const ordering *work, const aut_edge *a, const aut_edge *b)
{
    int by_label = hoa_compare_labels(work->automaton->labels, a->label, b->label);
    if (by_label != 0)
        return by_label;
    if (a->marks != b->marks)
        return a->marks < b->marks ? -1 : 1;
    return compare_targets(work, a->target, b->target);
}

/* A bottom-up merge sort: the comparison needs a context, and the cost is O(n log n) in all cases. */
static void sort_edges(const ordering *work, aut_edge *edges, size_t count)
{
    aut_edge *from = edges, *to = work->scratch;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            size_t middle = begin + width < count ? begin + width : count;
            size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            size_t left = begin, right = middle;
            for (size_t i = begin; i < end; i++)
                if (right == end ||
                    (left < middle && compare_edges(work, &from[left], &from[right]) <= 0))
                    to[i] = from[left++];
                else
                    to[i] = from[right++];
        }
        aut_edge *swap = from;
        from = to;
        to = swap;
    }
    if (from != edges)
        memcpy(edges, from, count * sizeof *edges);
}

/* ---- colours ---- */

/* Hashes of all nodes that depend only on their functions, not on their numbers. */
static uint64_t *hash_labels(const aut_bdd_store *store)
{
    uint32_t count = aut_bdd_store_count(store);
    uint64_t *hashes = base_alloc(count, sizeof *hashes);
    for (uint32_t i = 0; hashes != NULL && i < count; i++) {
        const aut_bdd_node *node = aut_bdd_at(store, i);
        /* The children of a node have smaller numbers. */
        uint64_t low = node->variable == AUT_BDD_LEAF ? node->low : hashes[node->low];
        uint64_t high = node->variable == AUT_BDD_LEAF ? 0 : hashes[node->high];
        hashes[i] = base_hash_word(base_hash_word(base_hash_word(low) + high) + node->variable);
    }
    return hashes;
}

static uint64_t first_color(const opac_automaton *automaton, uint32_t state)
{
    const char *name = automaton->state_names != NULL ? automaton->state_names[state] : NULL;
    return name != NULL ? base_hash_bytes(name, strlen(name)) : 1;
}

/* One round of refinement: the new colour of a state depends on its edges in both directions, in any
 * order. */
static void refine(const opac_automaton *automaton, const uint64_t *labels, const uint64_t *old,
                   uint64_t *new)
{
    for (uint32_t state = 0; state < automaton->state_count; state++)
        new[state] = base_hash_word(old[state]);
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++) {
            const aut_edge *edge = &automaton->edges[i];
            uint64_t label = edge->label == AUT_EPSILON ? 0 : labels[edge->label];
            uint64_t kind = base_hash_word(base_hash_word(edge->marks) + label);
            new[state] += base_hash_word(kind + old[edge->target]);
            new[edge->target] += base_hash_word(~kind + old[state]);
        }
}

static uint32_t round_count(const opac_automaton *automaton)
{
    uint32_t count = MOST_WORK / (aut_edge_count(automaton) + 1);
    count = count < LEAST_ROUNDS ? LEAST_ROUNDS : count;
    count = count > MOST_ROUNDS ? MOST_ROUNDS : count;
    return count < automaton->state_count ? count : automaton->state_count;
}

static opac_status find_colors(ordering *work, opac_error *error)
{
    const opac_automaton *automaton = work->automaton;
    uint32_t count = automaton->state_count;
    uint64_t *labels = hash_labels(automaton->labels);
    uint64_t *old = base_alloc(count, sizeof *old), *new = base_alloc(count, sizeof *new);
    if (labels == NULL || old == NULL || new == NULL) {
        base_free(labels);
        base_free(old);
        base_free(new);
        return base_fail_memory(error);
    }
    for (uint32_t state = 0; state < count; state++)
        old[state] = first_color(automaton, state);
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        old[automaton->initial[i]] = base_hash_word(~old[automaton->initial[i]]);
    uint32_t rounds = round_count(automaton);
    for (uint32_t round = 0; round < rounds; round++) {
        refine(automaton, labels, old, new);
        uint64_t *swap = old;
        old = new;
        new = swap;
    }
    base_free(labels);
    base_free(new);
    work->colors = old;
    return OPAC_OK;
}

/* ---- numbering ---- */

static void sort_states(const ordering *work, uint32_t *states, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        work->keys[i] = (aut_edge){.label = AUT_BDD_TRUE, .target = states[i]};
    sort_edges(work, work->keys, count);
    for (uint32_t i = 0; i < count; i++)
        states[i] = work->keys[i].target;
}

static void assign_number(hoa_order *order, uint32_t state, uint32_t *count)
{
    if (order->number[state] != UNNUMBERED)
        return;
    order->number[state] = *count;
    order->state[(*count)++] = state;
}

/* Numbers the states that are reachable from states with the numbers from `from` on. */
static void number_from(const ordering *work, uint32_t from, uint32_t *count)
{
    const opac_automaton *automaton = work->automaton;
    hoa_order *order = work->order;
    for (uint32_t i = from; i < *count; i++) {
        uint32_t state = order->state[i];
        uint32_t begin = automaton->edge_begin[state], end = automaton->edge_begin[state + 1];
        memcpy(order->edges + begin, automaton->edges + begin, (end - begin) * sizeof(aut_edge));
        sort_edges(work, order->edges + begin, end - begin);
        for (uint32_t e = begin; e < end; e++)
            assign_number(order, order->edges[e].target, count);
    }
}

/* Numbers the reachable states, and returns their number. */
static uint32_t number_reachable(const ordering *work, uint32_t *roots)
{
    const opac_automaton *automaton = work->automaton;
    uint32_t count = 0;
    for (uint32_t state = 0; state < automaton->state_count; state++)
        work->order->number[state] = UNNUMBERED;
    memcpy(roots, automaton->initial, automaton->initial_count * sizeof *roots);
    if (work->keys != NULL) /* not in the first attempt, with at most one initial state */
        sort_states(work, roots, automaton->initial_count);
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        assign_number(work->order, roots[i], &count);
    number_from(work, 0, &count);
    return count;
}

static void number_rest(const ordering *work, uint32_t *roots, uint32_t count)
{
    uint32_t root_count = 0;
    for (uint32_t state = 0; state < work->automaton->state_count; state++)
        if (work->order->number[state] == UNNUMBERED)
            roots[root_count++] = state;
    sort_states(work, roots, root_count);
    for (uint32_t i = 0; i < root_count; i++) {
        uint32_t from = count;
        assign_number(work->order, roots[i], &count);
        number_from(work, from, &count);
    }
}

static opac_status number_states(ordering *work, uint32_t *roots, opac_error *error)
{
    const opac_automaton *automaton = work->automaton;
    if (automaton->is_deterministic && number_reachable(work, roots) == automaton->state_count)
        return OPAC_OK;
    TRY(find_colors(work, error));
    work->keys = base_alloc(automaton->state_count, sizeof *work->keys);
    if (work->keys == NULL)
        return base_fail_memory(error);
    number_rest(work, roots, number_reachable(work, roots));
    return OPAC_OK;
}

void hoa_order_fini(hoa_order *order)
{
    base_free(order->state);
    base_free(order->number);
    base_free(order->edges);
    *order = (hoa_order){0};
}

opac_status hoa_order_init(hoa_order *order, const opac_automaton *automaton, opac_error *error)
{
    size_t states = automaton->state_count, edges = aut_edge_count(automaton);
    size_t capacity = edges > states ? edges : states; /* states are sorted as edges too */
    ordering work = {.automaton = automaton, .order = order};
    uint32_t *roots = base_alloc(states, sizeof *roots);
    *order = (hoa_order){.state = base_alloc(states, sizeof *order->state),
                         .number = base_alloc(states, sizeof *order->number),
                         .edges = base_alloc(capacity, sizeof *order->edges)};
    work.scratch = base_alloc(capacity, sizeof *work.scratch);
    bool is_ready = roots != NULL && order->state != NULL && order->number != NULL &&
                    order->edges != NULL && work.scratch != NULL;
    opac_status status;
    TRY_OR(done, is_ready ? number_states(&work, roots, error) : base_fail_memory(error));
    for (size_t i = 0; i < edges; i++)
        order->edges[i].target = order->number[order->edges[i].target];
done:
    base_free(roots);
    base_free(work.scratch);
    base_free(work.colors);
    base_free(work.keys);
    if (status != OPAC_OK)
        hoa_order_fini(order);
    return status;
}
