/* SPDX-License-Identifier: MIT */
/*
 * Copies are numbered by state, then by leaf. Nodes are numbered in preorder, so the first leaf of a state
 * below a node, from a given child on, is the first leaf whose number is at least that of the child: a
 * binary search.
 */
#include "aut/unfold_cycles.h"

typedef struct work {
    const opac_automaton *automaton;
    const aut_acd *acd;
    const bool *unfolded;
    graph_workspace *workspace;
    uint32_t *root;       /* by node: the root of its tree */
    uint32_t *first_copy; /* by state, and one more */
    uint32_t *leaf;       /* by copy; AUT_ACD_NONE if not unfolded */
    uint32_t *state;      /* by copy */
    uint32_t *edge_begin; /* by copy, and one more */
    uint32_t *successor, *via;
} work;

static bool is_unfolded(const work *w, uint32_t state)
{
    const aut_acd *acd = w->acd;
    if (acd->leaf_begin[state] == acd->leaf_begin[state + 1])
        return false;
    return w->unfolded == NULL || w->unfolded[w->root[acd->leaves[acd->leaf_begin[state]]]];
}

/* ---- creating all copies ---- */

static opac_status number_copies(work *w, opac_error *error)
{
    const opac_automaton *automaton = w->automaton;
    const aut_acd *acd = w->acd;
    uint64_t copies = 0, edges = 0;
    w->root = graph_take_u32(w->workspace, acd->nodes.count);
    w->first_copy = graph_take_u32(w->workspace, (size_t)automaton->state_count + 1);
    if (w->root == NULL || w->first_copy == NULL)
        return base_fail_memory(error);
    for (uint32_t node = 0; node < acd->nodes.count; node++) {
        uint32_t parent = acd->nodes.items[node].parent;
        w->root[node] = parent != AUT_ACD_NONE ? w->root[parent] : node;
    }
    for (uint32_t s = 0; s < automaton->state_count; s++) {
        uint32_t own = is_unfolded(w, s) ? acd->leaf_begin[s + 1] - acd->leaf_begin[s] : 1;
        w->first_copy[s] = (uint32_t)copies;
        copies += own;
        edges += (uint64_t)own * (automaton->edge_begin[s + 1] - automaton->edge_begin[s]);
        if (copies > AUT_EDGE_LIMIT || edges > AUT_EDGE_LIMIT) {
            base_fail(error, OPAC_ERROR_LIMIT, "the automaton has more than %d edges",
                      AUT_EDGE_LIMIT);
            return OPAC_ERROR_LIMIT; /* static analysis does not see what base_fail returns */
        }
    }
    w->first_copy[automaton->state_count] = (uint32_t)copies;
    w->leaf = graph_take_u32(w->workspace, copies);
    w->state = graph_take_u32(w->workspace, copies);
    w->edge_begin = graph_take_u32(w->workspace, copies + 1);
    w->successor = graph_take_u32(w->workspace, edges);
    w->via = graph_take_u32(w->workspace, edges);
    if (w->leaf == NULL || w->state == NULL || w->edge_begin == NULL || w->successor == NULL ||
        w->via == NULL)
        return base_fail_memory(error);
    uint32_t next = 0;
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t p = w->first_copy[s]; p < w->first_copy[s + 1]; p++) {
            w->state[p] = s;
            w->leaf[p] = is_unfolded(w, s) ? acd->leaves[acd->leaf_begin[s] + p - w->first_copy[s]]
                                           : AUT_ACD_NONE;
            w->edge_begin[p] = next;
            next += automaton->edge_begin[s + 1] - automaton->edge_begin[s];
        }
    w->edge_begin[copies] = next;
    return OPAC_OK;
}

/* The first copy of a state whose leaf is at least `node`. */
static uint32_t find_copy(const work *w, uint32_t state, uint32_t node)
{
    uint32_t low = w->first_copy[state], high = w->first_copy[state + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->leaf[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * The copy of `state` that an edge leads to, which is taken in `leaf` and whose lowest node is the leaf's
 * ancestor `via`. It is the first leaf of the state below `via` that comes after the child of `via` that
 * contains `leaf`; if there is none, the first one below `via`.
 */
static uint32_t successor_copy(const work *w, uint32_t leaf, uint32_t via, uint32_t state)
{
    const aut_acd_node *nodes = w->acd->nodes.items;
    if (leaf != via) {
        uint32_t child = leaf;
        while (nodes[child].parent != via)
            child = nodes[child].parent;
        uint32_t next = find_copy(w, state, nodes[child].end);
        if (next < w->first_copy[state + 1] && w->leaf[next] < nodes[via].end)
            return next;
    }
    return find_copy(w, state, via);
}

/* Sets the edges of the copy of a state in a leaf. lowest[e] is the leaf's lowest ancestor that contains
 * e. */
static void connect_copy(work *w, uint32_t state, uint32_t leaf, const uint32_t *lowest)
{
    uint32_t at = w->edge_begin[find_copy(w, state, leaf)];
    if (graph_spend(w->workspace, (uint64_t)4 * (w->automaton->edge_begin[state + 1] -
                                                 w->automaton->edge_begin[state])))
        return; /* connect_copies stops at the next node */
    for (uint32_t e = w->automaton->edge_begin[state]; e < w->automaton->edge_begin[state + 1];
         e++, at++) {
        w->via[at] = lowest[e];
        w->successor[at] = lowest[e] != AUT_ACD_NONE
                               ? successor_copy(w, leaf, lowest[e], w->automaton->edges[e].target)
                               : AUT_ACD_NONE;
    }
}

static void set_lowest(const work *w, uint32_t node, uint32_t *lowest, uint32_t value)
{
    const aut_acd_node *item = &w->acd->nodes.items[node];
    if (graph_spend(w->workspace, item->edge_end - item->edge_begin))
        return;
    for (uint32_t i = item->edge_begin; i < item->edge_end; i++)
        lowest[w->acd->edges.items[i]] = value;
}

/* Visits all nodes in preorder. lowest[e] is the lowest node with edge e among the current node and its
 * ancestors. */
static opac_status connect_copies(work *w, opac_error *error)
{
    const aut_acd *acd = w->acd;
    uint32_t edges = aut_edge_count(w->automaton), above = AUT_ACD_NONE;
    uint32_t *lowest = graph_take_u32(w->workspace, edges);
    if (lowest == NULL)
        return base_fail_memory(error);
    for (uint32_t e = 0; e < edges; e++)
        lowest[e] = AUT_ACD_NONE;
    for (uint32_t i = 0; i < w->edge_begin[w->first_copy[w->automaton->state_count]]; i++)
        w->via[i] = w->successor[i] = AUT_ACD_NONE;
    for (uint32_t node = 0; node < acd->nodes.count; node++) {
        if (graph_spend(w->workspace, 1))
            return graph_workspace_check(w->workspace, error);
        const aut_acd_node *item = &acd->nodes.items[node];
        for (; above != item->parent; above = acd->nodes.items[above].parent)
            set_lowest(w, above, lowest, acd->nodes.items[above].parent);
        above = node;
        set_lowest(w, node, lowest, node);
        for (uint32_t i = item->leaf_state_begin; i < item->leaf_state_end; i++)
            if (is_unfolded(w, acd->leaf_states.items[i]))
                connect_copy(w, acd->leaf_states.items[i], node, lowest);
    }
    return graph_workspace_check(w->workspace, error);
}

/* ---- choosing copies ---- */

/* Keeps, of each unfolded component, the smallest bottom strongly connected component of its copies; and all
 * states of other components. */
static opac_status choose_copies(const work *w, base_bitset *kept, opac_error *error)
{
    uint32_t copies = w->first_copy[w->automaton->state_count], edges = w->edge_begin[copies];
    graph_process process;
    graph_scc scc;
    graph_groups groups;
    base_bitset inside, bottom, trivial;
    uint32_t *edge_begin = graph_take_u32(w->workspace, (size_t)edges + 1);
    uint32_t *best = graph_take_u32(w->workspace, w->acd->nodes.count);
    if (edge_begin == NULL || best == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(w->workspace, edges, &inside, error));
    for (uint32_t i = 0; i <= edges; i++)
        edge_begin[i] = i;
    for (uint32_t i = 0; i < edges; i++)
        if (w->via[i] != AUT_ACD_NONE)
            base_bitset_add(&inside, i);
    graph_part part = {.choices = &inside};
    TRY(graph_process_borrow(copies, edges, edges, w->edge_begin, edge_begin, w->successor, NULL,
                             &process, error));
    TRY(graph_scc_find(&process, part, w->workspace, &scc, error));
    TRY(graph_scc_classify(&process, part, &scc, w->workspace, &bottom, &trivial, error));
    TRY(graph_group_states(scc.component, copies, scc.count, w->workspace, &groups, error));
    for (size_t i = 0; i < w->acd->nodes.count; i++)
        best[i] = AUT_ACD_NONE;
    for (uint32_t c = 0; c < scc.count; c++) {
        uint32_t leaf = w->leaf[groups.state[groups.begin[c]]];
        uint32_t size = groups.begin[c + 1] - groups.begin[c];
        if (leaf == AUT_ACD_NONE || !base_bitset_has(&bottom, c))
            continue;
        uint32_t *own = &best[w->root[leaf]];
        if (*own == AUT_ACD_NONE || size < groups.begin[*own + 1] - groups.begin[*own])
            *own = c;
    }
    for (uint32_t p = 0; p < copies; p++)
        if (w->leaf[p] == AUT_ACD_NONE || best[w->root[w->leaf[p]]] == scc.component[p])
            base_bitset_add(kept, p);
    return OPAC_OK;
}

/* Removes the copies that are not kept from all arrays, and renumbers the others. */
static void remove_dropped(work *w, const base_bitset *kept, uint32_t *new_number, uint32_t *entry,
                           aut_unfolding *made)
{
    uint32_t count = 0, edges = 0;
    for (uint32_t s = 0; s < w->automaton->state_count; s++) {
        entry[s] = AUT_ACD_NONE;
        for (uint32_t p = w->first_copy[s]; p < w->first_copy[s + 1]; p++)
            if (base_bitset_has(kept, p)) {
                entry[s] = entry[s] == AUT_ACD_NONE ? count : entry[s];
                new_number[p] = count++;
            }
    }
    made->copy_count = count;
    count = 0;
    for (uint32_t p = 0; p < w->first_copy[w->automaton->state_count]; p++) {
        if (!base_bitset_has(kept, p))
            continue;
        uint32_t first = w->automaton->edge_begin[w->state[p]];
        uint32_t begin = w->edge_begin[p], end = w->edge_begin[p + 1];
        w->state[count] = w->state[p];
        w->edge_begin[count++] = edges;
        for (uint32_t i = begin; i < end; i++, edges++) {
            w->via[edges] = w->via[i];
            w->successor[edges] = w->via[i] != AUT_ACD_NONE
                                      ? new_number[w->successor[i]]
                                      : entry[w->automaton->edges[first + i - begin].target];
        }
    }
    w->edge_begin[count] = edges;
}

opac_status aut_unfold(const opac_automaton *automaton, const aut_acd *acd, const bool *unfolded,
                       graph_workspace *workspace, aut_unfolding *made, opac_error *error)
{
    work w = {.automaton = automaton, .acd = acd, .unfolded = unfolded, .workspace = workspace};
    base_bitset kept;
    uint32_t *entry = graph_take_u32(workspace, automaton->state_count);
    if (entry == NULL)
        return base_fail_memory(error);
    TRY(number_copies(&w, error));
    TRY(connect_copies(&w, error));
    uint32_t copies = w.first_copy[automaton->state_count];
    uint32_t *new_number = graph_take_u32(workspace, copies);
    if (new_number == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(workspace, copies, &kept, error));
    TRY(choose_copies(&w, &kept, error));
    remove_dropped(&w, &kept, new_number, entry, made);
    made->state = w.state;
    made->entry = entry;
    made->edge_begin = w.edge_begin;
    made->successor = w.successor;
    made->via = w.via;
    return OPAC_OK;
}
