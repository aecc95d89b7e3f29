/* SPDX-License-Identifier: MIT */
#include "ltl/formula.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/slots.h"
#include "base/vec.h"

typedef struct ltl_node {
    uint16_t op;
    uint16_t classes;
    uint32_t depth;
    uint32_t left;  /* And, Or: index of the list of children; AP: number; else the left child */
    uint32_t right; /* And, Or: length of the list; else the right child, or 0 */
} ltl_node;

enum {
    LITERAL_KINDS =
        LTL_NNF | LTL_BOOLEAN | LTL_SIGMA1 | LTL_PI1 | LTL_DELTA1 | LTL_SIGMA2 | LTL_PI2,
    ALL_KINDS = LITERAL_KINDS | LTL_SUSPENDABLE
};

BASE_VEC(node_vec, ltl_node);

struct ltl_store {
    node_vec nodes;
    base_slots slots; /* hash of a node ► number of the node */
    base_u32_vec lists;
    base_intern names; /* of propositions, including the NUL */
    base_u32_vec ap_formulas;
    base_u32_vec ap_positions; /* line and column of each proposition; may end early */
    base_u32_vec scratch;      /* stack of children that are being sorted */
    opac_error problem;        /* first error; code OPAC_OK if there is none */
    base_work *work;           /* borrowed; may be NULL */
    ltl_formula part;          /* subformula that is being rewritten */
};

/* Records an error, unless there is one already. */
static ltl_formula fail(ltl_store *store, const opac_error *error)
{
    if (store->problem.code == OPAC_OK)
        store->problem = *error;
    return LTL_FALSE;
}

bool ltl_store_failed(const ltl_store *store)
{
    return store->problem.code != OPAC_OK;
}

ltl_formula ltl_store_fail_memory(ltl_store *store)
{
    opac_error error;
    base_fail_memory(&error);
    return fail(store, &error);
}

ltl_formula ltl_store_fail_limit(ltl_store *store, const char *message)
{
    opac_error error;
    base_fail(&error, OPAC_ERROR_LIMIT, "%s", message);
    return fail(store, &error);
}

void ltl_store_set_work(ltl_store *store, base_work *work)
{
    store->work = store->slots.work = work;
}

bool ltl_store_spend(ltl_store *store, uint64_t units)
{
    opac_error error;
    if (ltl_store_failed(store))
        return true;
    if (!base_work_spend(store->work, units))
        return false;
    base_work_fail(store->work, "rewriting the formula", &error);
    fail(store, &error);
    return true;
}

void ltl_store_set_current(ltl_store *store, ltl_formula part)
{
    if (!ltl_store_failed(store))
        store->part = part;
}

ltl_formula ltl_store_current(const ltl_store *store)
{
    return store->part;
}

opac_status ltl_store_check(const ltl_store *store, opac_error *error)
{
    if (store->problem.code != OPAC_OK && error != NULL)
        *error = store->problem;
    return store->problem.code;
}

opac_status ltl_store_new(ltl_store **store, opac_error *error)
{
    ltl_store *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    base_intern_init(&made->names);
    opac_status status;
    const ltl_node no = {.op = LTL_FALSE, .classes = ALL_KINDS};
    const ltl_node yes = {.op = LTL_TRUE, .classes = ALL_KINDS};
    TRY_OR(done, node_vec_push(&made->nodes, no, error));
    TRY_OR(done, node_vec_push(&made->nodes, yes, error));
    *store = made;
    made = NULL;
done:
    ltl_store_free(made);
    return status;
}

void ltl_store_free(ltl_store *store)
{
    if (store == NULL)
        return;
    node_vec_fini(&store->nodes);
    base_slots_fini(&store->slots);
    base_u32_vec_fini(&store->lists);
    base_intern_fini(&store->names);
    base_u32_vec_fini(&store->ap_formulas);
    base_u32_vec_fini(&store->ap_positions);
    base_u32_vec_fini(&store->scratch);
    base_free(store);
}

static const ltl_node *node_at(const ltl_store *store, ltl_formula formula)
{
    assert(formula < store->nodes.count);
    return &store->nodes.items[formula];
}

ltl_op ltl_op_of(const ltl_store *store, ltl_formula formula)
{
    return (ltl_op)node_at(store, formula)->op;
}

uint32_t ltl_depth(const ltl_store *store, ltl_formula formula)
{
    return node_at(store, formula)->depth;
}

static bool is_list(uint32_t op)
{
    return op == LTL_AND || op == LTL_OR;
}

uint32_t ltl_arity(const ltl_store *store, ltl_formula formula)
{
    const ltl_node *node = node_at(store, formula);
    switch ((ltl_op)node->op) {
    case LTL_FALSE:
    case LTL_TRUE:
    case LTL_AP:
        return 0;
    case LTL_AND:
    case LTL_OR:
        return node->right;
    case LTL_NOT:
    case LTL_X:
    case LTL_F:
    case LTL_G:
        return 1;
    default:
        return 2;
    }
}

ltl_formula ltl_child(const ltl_store *store, ltl_formula formula, uint32_t index)
{
    const ltl_node *node = node_at(store, formula);
    assert(index < ltl_arity(store, formula));
    if (is_list(node->op))
        return store->lists.items[node->left + index];
    return index == 0 ? node->left : node->right;
}

uint32_t ltl_ap_of(const ltl_store *store, ltl_formula formula)
{
    assert(ltl_op_of(store, formula) == LTL_AP);
    return node_at(store, formula)->left;
}

uint32_t ltl_classes_of(const ltl_store *store, ltl_formula formula)
{
    return node_at(store, formula)->classes;
}

/* ---- syntactic classes ---- */

/* The classes of a formula with a strong operator (F, U, M) whose children have these common classes. */
static uint32_t strong_classes(uint32_t common)
{
    uint32_t classes = common & (LTL_NNF | LTL_SIGMA1 | LTL_SIGMA2 | LTL_SUSPENDABLE);
    return (common & LTL_SIGMA1) != 0 ? classes | LTL_DELTA1 | LTL_PI2 : classes;
}

/* The same for a weak operator (G, W, R). */
static uint32_t weak_classes(uint32_t common)
{
    uint32_t classes = common & (LTL_NNF | LTL_PI1 | LTL_PI2 | LTL_SUSPENDABLE);
    return (common & LTL_PI1) != 0 ? classes | LTL_DELTA1 | LTL_SIGMA2 : classes;
}

/* The classes of a formula; `common` are the classes that all children have. */
static uint32_t classes_over(const ltl_store *store, uint32_t op, uint32_t left, uint32_t common)
{
    switch ((ltl_op)op) {
    case LTL_AP:
        return LITERAL_KINDS;
    case LTL_NOT:
        return ltl_op_of(store, left) == LTL_AP ? LITERAL_KINDS : 0;
    case LTL_AND:
    case LTL_OR:
        return common;
    case LTL_X:
        return common & ~(uint32_t)LTL_BOOLEAN;
    case LTL_F:
        return strong_classes(common) | (common & LTL_NNF ? LTL_EVENTUAL : 0);
    case LTL_G:
        return weak_classes(common) | (common & LTL_NNF ? LTL_UNIVERSAL : 0);
    case LTL_U:
    case LTL_M:
        return strong_classes(common);
    case LTL_W:
    case LTL_R:
        return weak_classes(common);
    default:
        return 0;
    }
}

/* The classes of a new node. `items` are the children of a list, `right` of them. */
static uint32_t derive_classes(const ltl_store *store, uint32_t op, const uint32_t *items,
                               uint32_t left, uint32_t right)
{
    uint32_t common = ALL_KINDS;
    if (items != NULL)
        for (uint32_t i = 0; i < right; i++)
            common &= ltl_classes_of(store, items[i]);
    else if (op != LTL_AP)
        common = ltl_classes_of(store, left) & ltl_classes_of(store, right);
    return classes_over(store, op, left, common);
}

/* ---- nodes ---- */

static uint64_t hash_node(uint32_t op, uint32_t left, uint32_t right)
{
    return base_hash_word(base_hash_word((uint64_t)left << 32 | right) + op);
}

static uint64_t hash_list(uint32_t op, const uint32_t *items, size_t count)
{
    return base_hash_word(base_hash_bytes(items, count * sizeof *items) + op);
}

/* `items` is NULL for a node that is not a list. */
static bool same_node(const ltl_store *store, const ltl_node *node, uint32_t op,
                      const uint32_t *items, uint32_t left, uint32_t right)
{
    if (node->op != op || node->right != right)
        return false;
    if (items == NULL)
        return node->left == left;
    return memcmp(store->lists.items + node->left, items, right * sizeof *items) == 0;
}

static opac_status append(ltl_store *store, ltl_node node, const uint32_t *items, uint64_t at,
                          uint64_t hash, opac_error *error)
{
    if (store->nodes.count >= LTL_NODE_LIMIT)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the formula grows beyond %d subformulas while it is rewritten",
                         LTL_NODE_LIMIT);
    if (node.depth > LTL_DEPTH_LIMIT)
        return base_fail(error, OPAC_ERROR_LIMIT, "the formula is nested deeper than %d operators",
                         LTL_DEPTH_LIMIT);
    TRY(node_vec_reserve(&store->nodes, store->nodes.count + 1, error));
    if (items != NULL) {
        if (store->lists.count + node.right > UINT32_MAX)
            return base_fail(error, OPAC_ERROR_LIMIT, "the formula is too large");
        TRY(base_u32_vec_reserve(&store->lists, store->lists.count + node.right, error));
        node.left = (uint32_t)store->lists.count;
        memcpy(store->lists.items + store->lists.count, items, node.right * sizeof *items);
        store->lists.count += node.right;
    }
    base_slots_fill(&store->slots, at, hash, store->nodes.count);
    store->nodes.items[store->nodes.count++] = node;
    return OPAC_OK;
}

/* The existing or new node. `items` are the children of a list, `right` of them. */
static ltl_formula intern(ltl_store *store, uint32_t op, const uint32_t *items, uint32_t left,
                          uint32_t right, uint32_t depth)
{
    opac_error error;
    if (ltl_store_spend(store, 1 + (items != NULL ? right : 0)))
        return LTL_FALSE;
    if (!base_slots_fit(&store->slots, store->nodes.count + 1) &&
        base_slots_grow(&store->slots, store->nodes.count + 1, &error) != OPAC_OK)
        return fail(store, &error);
    uint64_t hash = items != NULL ? hash_list(op, items, right) : hash_node(op, left, right);
    uint64_t at = base_slots_first(&store->slots, hash);
    for (; !base_slots_is_empty(&store->slots, at); at = base_slots_next(&store->slots, at)) {
        if (!base_slots_may_hold(&store->slots, at, hash))
            continue;
        uint64_t position = base_slots_position(&store->slots, at);
        if (same_node(store, &store->nodes.items[position], op, items, left, right))
            return (ltl_formula)position;
    }
    ltl_node node = {.op = (uint16_t)op,
                     .classes = (uint16_t)derive_classes(store, op, items, left, right),
                     .depth = depth,
                     .left = left,
                     .right = right};
    if (append(store, node, items, at, hash, &error) != OPAC_OK)
        return fail(store, &error);
    return (ltl_formula)(store->nodes.count - 1);
}

ltl_formula ltl_ap(ltl_store *store, const char *name, size_t length)
{
    opac_error error;
    uint32_t ap = 0;
    bool is_new = false;
    if (ltl_store_failed(store))
        return LTL_FALSE;
    /* The NUL is part of the key, so that the key is a C string. */
    char *key = base_copy_text(name, length);
    opac_status status =
        key == NULL ? base_fail_memory(&error)
                    : base_intern_add(&store->names, key, length + 1, &ap, &is_new, &error);
    base_free(key);
    if (status == OPAC_OK && (is_new || ap >= store->ap_formulas.count)) {
        ltl_formula formula = intern(store, LTL_AP, NULL, ap, 0, 0);
        status = base_u32_vec_push(&store->ap_formulas, formula, &error);
    }
    return status == OPAC_OK ? store->ap_formulas.items[ap] : fail(store, &error);
}

ltl_formula ltl_ap_at(ltl_store *store, const char *name, size_t length, uint32_t line,
                      uint32_t column)
{
    opac_error error;
    uint32_t known = ltl_ap_count(store);
    ltl_formula formula = ltl_ap(store, name, length);
    if (ltl_ap_count(store) == known)
        return formula;
    opac_status status;
    while (store->ap_positions.count < 2 * (size_t)known)
        TRY_OR(done, base_u32_vec_push(&store->ap_positions, 0, &error));
    TRY_OR(done, base_u32_vec_push(&store->ap_positions, line, &error));
    status = base_u32_vec_push(&store->ap_positions, column, &error);
done:
    return status == OPAC_OK ? formula : fail(store, &error);
}

void ltl_ap_position(const ltl_store *store, uint32_t ap, uint32_t *line, uint32_t *column)
{
    bool is_known = 2 * (size_t)ap + 1 < store->ap_positions.count;
    *line = is_known ? store->ap_positions.items[2 * (size_t)ap] : 0;
    *column = is_known ? store->ap_positions.items[2 * (size_t)ap + 1] : 0;
}

uint32_t ltl_ap_count(const ltl_store *store)
{
    return (uint32_t)store->ap_formulas.count;
}

const char *ltl_ap_name(const ltl_store *store, uint32_t ap)
{
    size_t length;
    return (const char *)base_intern_key(&store->names, ap, &length);
}

/* ---- constructors ---- */

static ltl_formula make_one(ltl_store *store, ltl_op op, ltl_formula child)
{
    return intern(store, op, NULL, child, 0, ltl_depth(store, child) + 1);
}

static ltl_formula make_two(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right)
{
    uint32_t a = ltl_depth(store, left), b = ltl_depth(store, right);
    return intern(store, op, NULL, left, right, (a > b ? a : b) + 1);
}

ltl_formula ltl_unary(ltl_store *store, ltl_op op, ltl_formula child)
{
    assert(op == LTL_NOT || op == LTL_X || op == LTL_F || op == LTL_G);
    if (op == LTL_NOT && child <= LTL_TRUE)
        return LTL_TRUE - child;
    if (child <= LTL_TRUE)
        return child;
    ltl_op inner = ltl_op_of(store, child);
    if (op == LTL_NOT && inner == LTL_NOT)
        return ltl_child(store, child, 0);
    if (op == inner && (op == LTL_F || op == LTL_G))
        return child;
    return make_one(store, op, child);
}

static bool are_opposite(const ltl_store *store, ltl_formula a, ltl_formula b)
{
    return (ltl_op_of(store, a) == LTL_NOT && ltl_child(store, a, 0) == b) ||
           (ltl_op_of(store, b) == LTL_NOT && ltl_child(store, b, 0) == a);
}

static ltl_formula make_implies(ltl_store *store, ltl_formula left, ltl_formula right)
{
    if (left == LTL_FALSE || right == LTL_TRUE || left == right)
        return LTL_TRUE;
    if (left == LTL_TRUE)
        return right;
    if (right == LTL_FALSE)
        return ltl_not(store, left);
    return make_two(store, LTL_IMPLIES, left, right);
}

/* Iff and Xor are commutative, so their children are put in ascending order. */
static ltl_formula make_iff(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right)
{
    bool is_xor = op == LTL_XOR;
    if (left > right) {
        ltl_formula swap = left;
        left = right;
        right = swap;
    }
    if (left == right)
        return is_xor ? LTL_FALSE : LTL_TRUE;
    if (are_opposite(store, left, right))
        return is_xor ? LTL_TRUE : LTL_FALSE;
    if (left <= LTL_TRUE)
        return (left == LTL_TRUE) == is_xor ? ltl_not(store, right) : right;
    return make_two(store, op, left, right);
}

static ltl_formula make_until(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right)
{
    if (left == right)
        return left;
    switch (op) {
    case LTL_U:
        if (left == LTL_FALSE || right <= LTL_TRUE)
            return right;
        return left == LTL_TRUE ? ltl_f(store, right) : make_two(store, op, left, right);
    case LTL_R:
        if (left == LTL_TRUE || right <= LTL_TRUE)
            return right;
        return left == LTL_FALSE ? ltl_g(store, right) : make_two(store, op, left, right);
    case LTL_W:
        if (left == LTL_FALSE || right == LTL_TRUE)
            return right;
        if (left == LTL_TRUE)
            return LTL_TRUE;
        return right == LTL_FALSE ? ltl_g(store, left) : make_two(store, op, left, right);
    default:
        assert(op == LTL_M);
        if (left == LTL_TRUE || right == LTL_FALSE)
            return right;
        if (left == LTL_FALSE)
            return LTL_FALSE;
        return right == LTL_TRUE ? ltl_f(store, left) : make_two(store, op, left, right);
    }
}

ltl_formula ltl_binary(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right)
{
    switch (op) {
    case LTL_AND:
    case LTL_OR:
        return ltl_many(store, op, (ltl_formula[]){left, right}, 2);
    case LTL_IMPLIES:
        return make_implies(store, left, right);
    case LTL_IFF:
    case LTL_XOR:
        return make_iff(store, op, left, right);
    default:
        return make_until(store, op, left, right);
    }
}

static int compare_formulas(const void *a, const void *b)
{
    ltl_formula x = *(const ltl_formula *)a, y = *(const ltl_formula *)b;
    return (x > y) - (x < y);
}

/* Sorts the items and removes duplicates. Returns whether they include a formula and its negation. */
static bool put_in_order(const ltl_store *store, ltl_formula *items, size_t *count)
{
    size_t kept = 0;
    qsort(items, *count, sizeof *items, compare_formulas);
    for (size_t i = 0; i < *count; i++)
        if (kept == 0 || items[kept - 1] != items[i])
            items[kept++] = items[i];
    *count = kept;
    for (size_t i = 0; i < kept; i++) {
        if (ltl_op_of(store, items[i]) != LTL_NOT)
            continue;
        ltl_formula positive = ltl_child(store, items[i], 0);
        if (bsearch(&positive, items, kept, sizeof *items, compare_formulas) != NULL)
            return true;
    }
    return false;
}

/* Pushes the items without neutral elements; items with the same operator are replaced by their children. */
static opac_status flatten(ltl_store *store, ltl_op op, const ltl_formula *items, size_t count,
                           opac_error *error)
{
    ltl_formula neutral = op == LTL_AND ? LTL_TRUE : LTL_FALSE;
    for (size_t i = 0; i < count; i++) {
        if (items[i] == neutral)
            continue;
        bool nested = ltl_op_of(store, items[i]) == op;
        uint32_t inner = nested ? ltl_arity(store, items[i]) : 1;
        for (uint32_t j = 0; j < inner; j++) {
            ltl_formula child = nested ? ltl_child(store, items[i], j) : items[i];
            TRY(base_u32_vec_push(&store->scratch, child, error));
        }
    }
    return OPAC_OK;
}

ltl_formula ltl_many(ltl_store *store, ltl_op op, const ltl_formula *items, size_t count)
{
    assert(is_list(op));
    ltl_formula neutral = op == LTL_AND ? LTL_TRUE : LTL_FALSE, absorbing = LTL_TRUE - neutral;
    opac_error error;
    if (ltl_store_failed(store))
        return LTL_FALSE;
    store->scratch.count = 0;
    if (flatten(store, op, items, count, &error) != OPAC_OK)
        return fail(store, &error);
    ltl_formula *flat = store->scratch.items;
    size_t kept = store->scratch.count;
    if (kept == 0)
        return neutral;
    bool contradicts = put_in_order(store, flat, &kept);
    if (contradicts || flat[0] == absorbing || (kept > 1 && flat[1] == absorbing))
        return absorbing;
    if (kept == 1)
        return flat[0];
    uint32_t depth = 0;
    for (size_t i = 0; i < kept; i++)
        if (ltl_depth(store, flat[i]) > depth)
            depth = ltl_depth(store, flat[i]);
    return intern(store, op, flat, 0, (uint32_t)kept, depth + 1);
}

ltl_formula ltl_rebuild(ltl_store *store, ltl_formula formula, const ltl_formula *children)
{
    ltl_op op = ltl_op_of(store, formula);
    switch (ltl_arity(store, formula)) {
    case 0:
        return formula;
    case 1:
        return ltl_unary(store, op, children[0]);
    default:
        if (is_list(op))
            return ltl_many(store, op, children, ltl_arity(store, formula));
        return ltl_binary(store, op, children[0], children[1]);
    }
}

ltl_op ltl_dual(ltl_op op)
{
    switch (op) {
    case LTL_FALSE:
        return LTL_TRUE;
    case LTL_TRUE:
        return LTL_FALSE;
    case LTL_AND:
        return LTL_OR;
    case LTL_OR:
        return LTL_AND;
    case LTL_F:
        return LTL_G;
    case LTL_G:
        return LTL_F;
    case LTL_U:
        return LTL_R;
    case LTL_R:
        return LTL_U;
    case LTL_W:
        return LTL_M;
    case LTL_M:
        return LTL_W;
    default:
        return op;
    }
}
