/* SPDX-License-Identifier: MIT */
/*
 * In a component of Rabin shape, the pair of an accepting node is: Fin of the edges outside the node, and Inf
 * of the edges of the node that are in none of its children.
 *
 * Claim: a cycle satisfies a pair if and only if it is accepting. Let n be the lowest node that contains the
 * cycle.
 *   - If n is accepting, some edge of the cycle is in no child of n, so the cycle satisfies the pair of n.
 *     Otherwise, as each state is in at most one child, all edges would be in the same child.
 *   - If n is rejecting, the cycle satisfies no pair: for an ancestor of n, all edges of the cycle are in a
 *     child; for any other node, some edge is outside the node.
 *
 * Nodes that share no state can share a pair, since a cycle that visits both has an edge outside of both.
 * Pairs are assigned greedily, with a 64-bit set of used pairs for each state.
 */
#include "aut/rabin_cycles.h"

#include "aut/unfold_cycles.h"
#include "base/alloc.h"
#include "base/bits.h"

enum {
    MOST_PAIRS = AUT_MOST_MARKS / 2
};

typedef struct rabin_work {
    const opac_automaton *automaton;
    const aut_acd *acd;
    uint32_t *source;  /* by edge */
    bool *is_unfolded; /* by node, of roots */
    uint8_t *pair;     /* by node: its pair, if it is accepting and its component is not unfolded */
    uint64_t *used;    /* by state: the pairs of the nodes that visit it */
    uint32_t *seen;    /* by state: the last node found to visit it */
    uint64_t *marks;   /* by edge, in components that are not unfolded */
    uint32_t pair_count;
} rabin_work;

/* ---- components of Rabin shape ---- */

/* Whether two children of the node share a state. */
static bool children_share_states(rabin_work *w, uint32_t node)
{
    const aut_acd_node *nodes = w->acd->nodes.items;
    for (uint32_t child = node + 1; child < nodes[node].end; child = nodes[child].end)
        for (uint32_t i = nodes[child].edge_begin; i < nodes[child].edge_end; i++) {
            uint32_t state = w->source[w->acd->edges.items[i]], last = w->seen[state];
            /* Only children of this node count. */
            if (last != AUT_ACD_NONE && last != child && nodes[last].parent == node)
                return true;
            w->seen[state] = child;
        }
    return false;
}

/* Assigns pairs to the accepting nodes of a tree. Returns false if there are not enough. */
static bool assign_pairs(rabin_work *w, uint32_t root, uint32_t *count)
{
    const aut_acd_node *nodes = w->acd->nodes.items;
    *count = 0;
    for (uint32_t node = root; node < nodes[root].end; node++) {
        uint64_t taken = 0;
        if (!nodes[node].is_accepting)
            continue;
        for (uint32_t i = nodes[node].edge_begin; i < nodes[node].edge_end; i++)
            taken |= w->used[w->source[w->acd->edges.items[i]]];
        uint32_t own = base_lowest_bit(~taken);
        if (own >= MOST_PAIRS)
            return false;
        for (uint32_t i = nodes[node].edge_begin; i < nodes[node].edge_end; i++)
            w->used[w->source[w->acd->edges.items[i]]] |= UINT64_C(1) << own;
        w->pair[node] = (uint8_t)own;
        *count = own + 1 > *count ? own + 1 : *count;
    }
    return true;
}

/* Sets the marks of the edges of a tree. Mark 2i is the Fin of pair i, and mark 2i+1 its Inf. */
static void mark_edges(rabin_work *w, uint32_t root, uint32_t count)
{
    const aut_acd_node *nodes = w->acd->nodes.items;
    const uint32_t *edges = w->acd->edges.items;
    uint64_t fins = 0;
    for (uint32_t i = 0; i < count; i++)
        fins |= UINT64_C(1) << (2 * i);
    for (uint32_t i = nodes[root].edge_begin; i < nodes[root].edge_end; i++)
        w->marks[edges[i]] = fins;
    for (uint32_t node = root; node < nodes[root].end; node++) {
        uint32_t parent = nodes[node].parent;
        uint64_t fin = UINT64_C(1) << (2 * w->pair[node]);
        uint64_t outer = parent != AUT_ACD_NONE ? UINT64_C(2) << (2 * w->pair[parent]) : 0;
        for (uint32_t i = nodes[node].edge_begin; i < nodes[node].edge_end; i++) {
            if (nodes[node].is_accepting)
                w->marks[edges[i]] = (w->marks[edges[i]] & ~fin) | fin << 1;
            else
                w->marks[edges[i]] &= ~outer;
        }
    }
}

/* ---- components that are unfolded ---- */

static uint32_t accepting_levels(const aut_acd *acd, uint32_t root)
{
    uint32_t levels = aut_acd_levels(acd, root);
    return acd->nodes.items[root].is_accepting ? (levels + 1) / 2 : levels / 2;
}

/* The marks of an edge that belongs to a node: Fin of the pairs of lower levels, and Inf of that of its own
 * level. */
static uint64_t level_marks(const rabin_work *w, uint32_t node)
{
    const aut_acd_node *item = &w->acd->nodes.items[node];
    bool root_accepts = item->is_accepting == (item->depth % 2 == 0);
    uint32_t first = root_accepts ? 0 : 1; /* the depth of pair 0 */
    uint64_t marks = 0;
    for (uint32_t i = 0; i < w->pair_count; i++) {
        uint32_t depth = first + 2 * i;
        if (item->depth < depth)
            marks |= UINT64_C(1) << (2 * i);
        if (item->depth == depth)
            marks |= UINT64_C(2) << (2 * i);
    }
    return marks;
}

/* ---- the whole automaton ---- */

/* Counts the edges of all nodes of a tree as work. Returns true if the work is stopped. */
static bool spend_tree(const rabin_work *w, uint32_t root)
{
    const aut_acd_node *nodes = w->acd->nodes.items;
    uint64_t edges = nodes[nodes[root].end - 1].edge_end - nodes[root].edge_begin;
    return aut_bdd_store_spend(w->automaton->labels, edges);
}

static opac_status assign_marks(rabin_work *w, opac_error *error)
{
    const aut_acd_node *nodes = w->acd->nodes.items;
    for (uint32_t root = 0; root < w->acd->nodes.count; root = nodes[root].end) {
        if (spend_tree(w, root))
            break;
        bool has_shape = true;
        uint32_t count = 0;
        for (uint32_t node = root; node < nodes[root].end && has_shape; node++)
            has_shape = !nodes[node].is_accepting || !children_share_states(w, node);
        w->is_unfolded[root] = !has_shape || !assign_pairs(w, root, &count);
        if (w->is_unfolded[root])
            count = accepting_levels(w->acd, root);
        else
            mark_edges(w, root, count);
        w->pair_count = count > w->pair_count ? count : w->pair_count;
    }
    return aut_bdd_store_check(w->automaton->labels, error);
}

static opac_status prepare(rabin_work *w, opac_error *error)
{
    uint32_t states = w->automaton->state_count, edges = aut_edge_count(w->automaton);
    size_t nodes = w->acd->nodes.count;
    w->source = base_alloc(edges, sizeof *w->source);
    w->is_unfolded = base_alloc_zeroed(nodes, sizeof *w->is_unfolded);
    w->pair = base_alloc_zeroed(nodes, sizeof *w->pair);
    w->used = base_alloc_zeroed(states, sizeof *w->used);
    w->seen = base_alloc(states, sizeof *w->seen);
    w->marks = base_alloc_zeroed(edges, sizeof *w->marks);
    if (w->source == NULL || w->is_unfolded == NULL || w->pair == NULL || w->used == NULL ||
        w->seen == NULL || w->marks == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < states; s++) {
        w->seen[s] = AUT_ACD_NONE;
        for (uint32_t i = w->automaton->edge_begin[s]; i < w->automaton->edge_begin[s + 1]; i++)
            w->source[i] = s;
    }
    return OPAC_OK;
}

static void add_copies(const rabin_work *w, const aut_unfolding *unfolding, aut_builder *builder)
{
    const opac_automaton *automaton = w->automaton;
    aut_builder_add_states(builder, unfolding->copy_count);
    for (uint32_t p = 0; builder->problem.code == OPAC_OK && p < unfolding->copy_count; p++) {
        uint32_t first = automaton->edge_begin[unfolding->state[p]];
        uint32_t begin = unfolding->edge_begin[p];
        for (uint32_t i = begin; i < unfolding->edge_begin[p + 1]; i++) {
            uint32_t e = first + i - begin, via = unfolding->via[i];
            aut_edge edge = {.label = automaton->edges[e].label,
                             .target = unfolding->successor[i],
                             .marks = via != AUT_ACD_NONE ? level_marks(w, via) : w->marks[e]};
            aut_builder_edge(builder, p, edge);
        }
    }
    for (uint32_t i = 0; builder->problem.code == OPAC_OK && i < automaton->initial_count; i++)
        aut_builder_initial(builder, unfolding->entry[automaton->initial[i]]);
}

static opac_status build(const rabin_work *w, uint32_t state_limit, opac_automaton **made,
                         opac_error *error)
{
    graph_workspace workspace = {.work = aut_work(w->automaton)};
    aut_unfolding unfolding;
    aut_condition condition = {0};
    aut_builder *builder;
    opac_status status;
    TRY_OR(done, aut_unfold(w->automaton, w->acd, w->is_unfolded, &workspace, &unfolding, error));
    TRY_OR(done, aut_condition_rabin(&condition, w->pair_count, error));
    TRY_OR(done, aut_builder_like(w->automaton, &builder, error));
    builder->state_limit = state_limit != 0 ? state_limit : AUT_STATE_LIMIT;
    add_copies(w, &unfolding, builder);
    aut_builder_condition(builder, &condition, 2 * w->pair_count);
    status = aut_builder_finish(builder, made, error);
done:
    aut_condition_fini(&condition);
    graph_workspace_fini(&workspace);
    return status;
}

opac_status aut_rabin_by_cycles(const opac_automaton *trimmed, uint32_t state_limit,
                                opac_automaton **made, opac_error *error)
{
    aut_acd acd;
    TRY(aut_acd_build(trimmed, &acd, error));
    rabin_work w = {.automaton = trimmed, .acd = &acd};
    opac_status status;
    TRY_OR(done, prepare(&w, error));
    TRY_OR(done, assign_marks(&w, error));
    status = build(&w, state_limit, made, error);
done:
    base_free(w.source);
    base_free(w.is_unfolded);
    base_free(w.pair);
    base_free(w.used);
    base_free(w.seen);
    base_free(w.marks);
    aut_acd_fini(&acd);
    return status;
}
