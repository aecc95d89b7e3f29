/* SPDX-License-Identifier: MIT */
/*
 * Simplification of conditions. Terms are converted bottom up to hash-consed nodes with any number of
 * operands:
 *
 *     node   │ kind, operand, operand, … │      operands ascending; of Inf and Fin: the mark
 *
 * Nodes come after their operands, so converting them back in order gives terms whose operands come first.
 * The cost is linear, except that absorption compares the operands of a node pairwise; it is skipped for
 * nodes with more than MOST_TO_ABSORB operands.
 */
#include <stdlib.h>

#include "aut/condition.h"
#include "base/intern.h"

enum {
    FALSE_NODE = 0,
    TRUE_NODE = 1,
    MOST_TO_ABSORB = 400 /* operands of one node */
};

typedef struct simplifier {
    const aut_condition *from;
    uint64_t seen, unseen;
    base_intern nodes;
    uint8_t *is_node;   /* by term: it is the root, or an operand of a term of another kind */
    uint32_t *node;     /* by term with is_node: its node */
    uint32_t *visited;  /* by term: 1 + the last gate whose operands were gathered through it */
    base_u32_vec stack; /* of terms */
    base_u32_vec key;   /* the node being made: kind, operands */
} simplifier;

static bool is_gate(aut_term_kind kind)
{
    return kind == AUT_TERM_AND || kind == AUT_TERM_OR;
}

/* The kind and the operands of a node. The pointer is valid until the next node is created. */
static const uint32_t *node_at(const simplifier *work, uint32_t node, size_t *operands)
{
    size_t length;
    const unsigned char *key = base_intern_key(&work->nodes, node, &length);
    *operands = length / sizeof(uint32_t) - 1;
    return (const uint32_t *)(const void *)key;
}

static opac_status make_node(simplifier *work, const uint32_t *key, size_t operands, uint32_t *node,
                             opac_error *error)
{
    return base_intern_add(&work->nodes, key, (operands + 1) * sizeof *key, node, NULL, error);
}

static opac_status make_leaf(simplifier *work, aut_term term, uint32_t *node, opac_error *error)
{
    uint64_t bit = UINT64_C(1) << (term.left % 64);
    bool is_known = ((work->seen | work->unseen) & bit) != 0, is_seen = (work->seen & bit) != 0;
    if (term.kind == AUT_TERM_FALSE || term.kind == AUT_TERM_TRUE || is_known) {
        bool value = is_seen == (term.kind == AUT_TERM_INF);
        if (term.kind == AUT_TERM_FALSE || term.kind == AUT_TERM_TRUE)
            value = term.kind == AUT_TERM_TRUE;
        *node = value ? TRUE_NODE : FALSE_NODE;
        return OPAC_OK;
    }
    uint32_t key[2] = {term.kind, term.left};
    return make_node(work, key, 1, node, error);
}

/* ---- one gate ---- */

/* Adds an operand to the key, or the operand's operands if it is of the same kind. */
static opac_status add_operand(simplifier *work, uint32_t node, opac_error *error)
{
    size_t operands;
    const uint32_t *key = node_at(work, node, &operands);
    if (key[0] != work->key.items[0] || !is_gate(key[0]))
        return base_u32_vec_push(&work->key, node, error);
    for (size_t i = 1; i <= operands; i++)
        TRY(base_u32_vec_push(&work->key, key[i], error));
    return OPAC_OK;
}

/* Gathers all operands of a gate, descending through terms of the same kind. */
static opac_status gather(simplifier *work, uint32_t gate, opac_error *error)
{
    const aut_term *terms = work->from->terms.items;
    work->key.count = work->stack.count = 0;
    TRY(base_u32_vec_push(&work->key, terms[gate].kind, error));
    TRY(base_u32_vec_push(&work->stack, gate, error));
    while (work->stack.count > 0) {
        uint32_t at = work->stack.items[--work->stack.count];
        uint32_t children[2] = {terms[at].right, terms[at].left};
        for (int i = 0; i < 2; i++) {
            uint32_t child = children[i];
            if (terms[child].kind != terms[gate].kind)
                TRY(add_operand(work, work->node[child], error));
            else if (work->visited[child] != gate + 1)
                TRY(base_u32_vec_push(&work->stack, child, error));
            work->visited[child] = gate + 1;
        }
    }
    return OPAC_OK;
}

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/*
 * Sorts the operands, and removes repeated and neutral ones. Returns true if the operands determine the value
 * of the gate: a dominating constant, or a literal and its negation.
 */
static bool sort_operands(simplifier *work)
{
    uint32_t *items = work->key.items, kept = 1;
    bool is_and = items[0] == AUT_TERM_AND;
    uint64_t inf = 0, fin = 0;
    qsort(items + 1, work->key.count - 1, sizeof *items, compare_u32);
    for (size_t i = 1; i < work->key.count; i++) {
        uint32_t operand = items[i];
        size_t operands;
        if (operand == (is_and ? FALSE_NODE : TRUE_NODE))
            return true;
        if (operand == (is_and ? TRUE_NODE : FALSE_NODE) ||
            (kept > 1 && items[kept - 1] == operand))
            continue;
        const uint32_t *key = node_at(work, operand, &operands);
        if (key[0] == AUT_TERM_INF)
            inf |= UINT64_C(1) << key[1];
        if (key[0] == AUT_TERM_FIN)
            fin |= UINT64_C(1) << key[1];
        items[kept++] = operand;
    }
    work->key.count = kept;
    return (inf & fin) != 0;
}

/* The operands of an operand, or the operand itself if it is a literal. */
static const uint32_t *inner_operands(const simplifier *work, const uint32_t *operand,
                                      size_t *count)
{
    const uint32_t *key = node_at(work, *operand, count);
    if (is_gate(key[0]))
        return key + 1;
    *count = 1;
    return operand;
}

static bool is_subset(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    size_t i = 0;
    for (size_t j = 0; i < a_count && j < b_count; j++) {
        if (a[i] < b[j])
            return false;
        i += a[i] == b[j];
    }
    return i == a_count;
}

/* Absorption, a & (a | b) = a and its dual: removes operands whose inner operands include those of
 * another. */
static void absorb(simplifier *work)
{
    uint32_t *items = work->key.items;
    size_t count = work->key.count, kept = 1;
    if (count > MOST_TO_ABSORB)
        return;
    for (size_t i = 1; i < count; i++) {
        size_t own, other;
        const uint32_t *parts = inner_operands(work, &items[i], &own);
        bool absorbed = false;
        for (size_t j = 1; own > 1 && j < count && !absorbed; j++) {
            if (j == i || items[j] == UINT32_MAX)
                continue;
            const uint32_t *others = inner_operands(work, &items[j], &other);
            absorbed = other <= own && is_subset(others, other, parts, own);
        }
        if (absorbed)
            items[i] = UINT32_MAX;
    }
    for (size_t i = 1; i < count; i++)
        if (items[i] != UINT32_MAX)
            items[kept++] = items[i];
    work->key.count = kept;
}

static opac_status make_gate(simplifier *work, uint32_t gate, opac_error *error)
{
    TRY(gather(work, gate, error));
    bool is_and = work->key.items[0] == AUT_TERM_AND;
    if (sort_operands(work)) {
        work->node[gate] = is_and ? FALSE_NODE : TRUE_NODE;
        return OPAC_OK;
    }
    absorb(work);
    if (work->key.count == 1)
        work->node[gate] = is_and ? TRUE_NODE : FALSE_NODE;
    else if (work->key.count == 2)
        work->node[gate] = work->key.items[1];
    else
        TRY(make_node(work, work->key.items, work->key.count - 1, &work->node[gate], error));
    return OPAC_OK;
}

/* ---- all terms ---- */

/* Sets is_node: the root, and the operands of reachable gates that are of another kind than the gate. */
static void find_nodes(simplifier *work)
{
    enum {
        REACHED = 1,
        NODE = 2
    };
    const aut_term *terms = work->from->terms.items;
    size_t count = work->from->terms.count;
    work->is_node[count - 1] = REACHED | NODE;
    for (size_t i = count; i-- > 0;) {
        if (work->is_node[i] == 0 || !is_gate(terms[i].kind))
            continue;
        uint32_t children[2] = {terms[i].left, terms[i].right};
        for (int j = 0; j < 2; j++)
            work->is_node[children[j]] |=
                REACHED | (terms[children[j]].kind != terms[i].kind ? NODE : 0);
    }
    for (size_t i = 0; i < count; i++)
        work->is_node[i] = (work->is_node[i] & NODE) != 0;
}

static opac_status read_terms(simplifier *work, uint32_t *root, opac_error *error)
{
    static const uint32_t constants[2] = {AUT_TERM_FALSE, AUT_TERM_TRUE};
    size_t count = work->from->terms.count;
    uint32_t node;
    for (int i = 0; i < 2; i++)
        TRY(make_node(work, &constants[i], 0, &node, error));
    *root = FALSE_NODE;
    if (count == 0)
        return OPAC_OK;
    find_nodes(work);
    for (uint32_t i = 0; i < count; i++) {
        if (!work->is_node[i])
            continue;
        if (is_gate(work->from->terms.items[i].kind))
            TRY(make_gate(work, i, error));
        else
            TRY(make_leaf(work, work->from->terms.items[i], &work->node[i], error));
    }
    *root = work->node[count - 1];
    return OPAC_OK;
}

/* ---- conversion back to terms ---- */

/* Adds the terms of one node. term_of[n] is the term of node n. */
static opac_status write_node(const simplifier *work, uint32_t node, uint32_t *term_of,
                              aut_condition *to, opac_error *error)
{
    size_t operands;
    const uint32_t *key = node_at(work, node, &operands);
    if (!is_gate(key[0])) {
        aut_term leaf = {.kind = key[0], .left = operands > 0 ? key[1] : 0};
        return aut_condition_add(to, leaf, &term_of[node], error);
    }
    term_of[node] = term_of[key[1]];
    for (size_t i = 2; i <= operands; i++) {
        aut_term gate = {.kind = key[0], .left = term_of[node], .right = term_of[key[i]]};
        TRY(aut_condition_add(to, gate, &term_of[node], error));
    }
    return OPAC_OK;
}

static opac_status write_nodes(const simplifier *work, uint32_t root, aut_condition *to,
                               opac_error *error)
{
    uint32_t *term_of = base_alloc_zeroed((size_t)root + 1, sizeof *term_of);
    uint8_t *needed = base_alloc_zeroed((size_t)root + 1, 1);
    opac_status status;
    TRY_OR(done, term_of != NULL && needed != NULL ? OPAC_OK : base_fail_memory(error));
    needed[root] = 1;
    for (uint32_t node = root + 1; node-- > 0;) {
        size_t operands;
        const uint32_t *key = node_at(work, node, &operands);
        for (size_t i = 1; needed[node] && is_gate(key[0]) && i <= operands; i++)
            needed[key[i]] = 1;
    }
    for (uint32_t node = 0; node <= root; node++)
        if (needed[node])
            TRY_OR(done, write_node(work, node, term_of, to, error));
done:
    base_free(term_of);
    base_free(needed);
    return status;
}

opac_status aut_condition_assume(const aut_condition *from, uint64_t seen, uint64_t unseen,
                                 aut_condition *to, opac_error *error)
{
    simplifier work = {.from = from, .seen = seen, .unseen = unseen & ~seen};
    size_t count = from->terms.count;
    uint32_t root;
    *to = (aut_condition){0};
    base_intern_init(&work.nodes);
    work.is_node = base_alloc_zeroed(count, 1);
    work.node = base_alloc_zeroed(count, sizeof *work.node);
    work.visited = base_alloc_zeroed(count, sizeof *work.visited);
    bool is_ready = work.is_node != NULL && work.node != NULL && work.visited != NULL;
    opac_status status;
    TRY_OR(done, is_ready ? read_terms(&work, &root, error) : base_fail_memory(error));
    status = write_nodes(&work, root, to, error);
done:
    if (status != OPAC_OK)
        aut_condition_fini(to);
    base_free(work.is_node);
    base_free(work.node);
    base_free(work.visited);
    base_u32_vec_fini(&work.stack);
    base_u32_vec_fini(&work.key);
    base_intern_fini(&work.nodes);
    return status;
}

opac_status aut_condition_simplify(const aut_condition *from, aut_condition *to, opac_error *error)
{
    return aut_condition_assume(from, 0, 0, to, error);
}
