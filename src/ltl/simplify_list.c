/* SPDX-License-Identifier: MIT */
/*
 * Rules of Or (in the flipped view: of And).
 *
 * Rules that join two items examine all pairs. For more than SIMPLIFY_PAIRS_LIMIT items, only the rules
 * apply that do not examine pairs: items with X, with F and with GF are each gathered under one operator.
 */
#include "ltl/simplify_rules.h"

/* ---- gathering items under one operator ---- */

/*
 * X a | X b = X(a | b) within Sigma2 and within Pi2; F a | F b = F(a | b) and GF a | GF b = GF(a | b) for
 * co-safety a and b.
 */
typedef enum gathered {
    GATHER_NEXT_SIGMA,
    GATHER_NEXT_PI,
    GATHER_EVENTUALLY,
    GATHER_INFINITELY_OFTEN,
    GATHER_KINDS
} gathered;

/* Whether the item is gathered in this way. *below is its operand below the operators. */
static bool is_gathered(view v, ltl_formula item, gathered kind, ltl_formula *below)
{
    ltl_op op = view_op_of(v, item);
    if (op != LTL_X && op != LTL_F && op != LTL_G)
        return false;
    *below = view_child(v, item, 0);
    switch (kind) {
    case GATHER_NEXT_SIGMA:
        return op == LTL_X && view_is(v, *below, LTL_SIGMA2);
    case GATHER_NEXT_PI:
        return op == LTL_X && view_is(v, *below, LTL_PI2);
    case GATHER_EVENTUALLY:
        return op == LTL_F && view_is(v, *below, LTL_SIGMA1);
    default:
        if (op != LTL_G || view_op_of(v, *below) != LTL_F)
            return false;
        *below = view_child(v, *below, 0);
        return view_is(v, *below, LTL_SIGMA1);
    }
}

static ltl_formula put_back(view v, gathered kind, ltl_formula below)
{
    switch (kind) {
    case GATHER_NEXT_SIGMA:
    case GATHER_NEXT_PI:
        return view_unary(v, LTL_X, below);
    case GATHER_EVENTUALLY:
        return view_unary(v, LTL_F, below);
    default:
        return view_unary(v, LTL_G, view_unary(v, LTL_F, below));
    }
}

static ltl_formula gather_kind(view v, ltl_formula list, gathered kind)
{
    ltl_formula below;
    uint32_t count = 0;
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        count += is_gathered(v, view_child(v, list, i), kind, &below);
    if (count < 2)
        return list;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (is_gathered(v, view_child(v, list, i), kind, &below))
            list_push(v.run, below);
    ltl_formula together = put_back(v, kind, list_make(v, LTL_OR, begin));
    list_push(v.run, together);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (!is_gathered(v, view_child(v, list, i), kind, &below))
            list_push(v.run, view_child(v, list, i));
    return list_make(v, LTL_OR, begin);
}

static ltl_formula gather(view v, ltl_formula list)
{
    for (int kind = 0; kind < GATHER_KINDS; kind++) {
        ltl_formula result = gather_kind(v, list, (gathered)kind);
        if (result != list)
            return result;
    }
    return list;
}

/* ---- pairs ---- */

/* The list with two items replaced by one. */
static ltl_formula replace_two(view v, ltl_formula list, uint32_t i, uint32_t j, ltl_formula by)
{
    size_t begin = list_begin(v.run);
    for (uint32_t k = 0; k < view_arity(v, list); k++)
        if (k != i && k != j)
            list_push(v.run, view_child(v, list, k));
    list_push(v.run, by);
    return list_make(v, LTL_OR, begin);
}

/* Drops items that imply another item. Returns true if the disjunction of two items is true. */
static ltl_formula absorb(view v, ltl_formula list)
{
    uint32_t arity = view_arity(v, list);
    for (uint32_t i = 0; i < arity; i++)
        for (uint32_t j = 0; j < arity; j++)
            if (i != j && view_implies(v, view_child(v, list, i), view_child(v, list, j)))
                return list_without(v, list, view_child(v, list, i));
    for (uint32_t i = 0; i < arity; i++)
        for (uint32_t j = i + 1; j < arity; j++)
            if (view_covers(v, view_child(v, list, i), view_child(v, list, j)))
                return view_true(v);
    return list;
}

/* An item as left op right. G a is a W false, and also false R a. */
typedef struct until_parts {
    ltl_op op; /* LTL_FALSE: the item has no such form */
    ltl_formula left, right;
} until_parts;

static until_parts as_until(view v, ltl_formula item, bool always_as_weak_until)
{
    ltl_op op = view_op_of(v, item);
    until_parts result = {.op = LTL_FALSE, .left = LTL_FALSE, .right = LTL_FALSE};
    if (op == LTL_U || op == LTL_W || op == LTL_R || op == LTL_M) {
        result = (until_parts){op, view_child(v, item, 0), view_child(v, item, 1)};
    } else if (op == LTL_G) {
        ltl_formula below = view_child(v, item, 0);
        result = always_as_weak_until ? (until_parts){LTL_W, below, view_false(v)}
                                      : (until_parts){LTL_R, view_false(v), below};
    }
    return result;
}

/*
 * (a U b) | (a U c) = a U (b | c); if one or both are W, the result is W;
 * (a M c) | (b M c) = (a | b) M c; if one or both are R, the result is R.
 */
static bool may_join(view v, ltl_formula first, ltl_formula second, ltl_formula joined)
{
    uint32_t f = view_classes(v, first), g = view_classes(v, second);
    bool both_low = (f & (LTL_SIGMA2 | LTL_PI2)) != 0 && (g & (LTL_SIGMA2 | LTL_PI2)) != 0;
    bool is_low = (view_classes(v, joined) & (LTL_SIGMA2 | LTL_PI2)) != 0;
    bool differ = view_op_of(v, first) != view_op_of(v, second);
    if (differ && (v.run->keep_strength || view_is(v, first, LTL_SUSPENDABLE) ||
                   view_is(v, second, LTL_SUSPENDABLE)))
        return false;
    return simplify_keeps_class(view_classes(v, joined), f & g) && (is_low || !both_low);
}

static bool join_until(view v, ltl_formula first, ltl_formula second, ltl_formula *joined)
{
    until_parts f = as_until(v, first, true), g = as_until(v, second, true);
    bool until = (f.op == LTL_U || f.op == LTL_W) && (g.op == LTL_U || g.op == LTL_W);
    if (until && f.left == g.left) {
        ltl_op op = f.op == LTL_U && g.op == LTL_U ? LTL_U : LTL_W;
        ltl_formula right = view_binary(v, LTL_OR, f.right, g.right);
        if (!may_join(v, first, second, view_raw(v, op, f.left, right)))
            return false;
        *joined = view_binary(v, op, f.left, right);
        return true;
    }
    f = as_until(v, first, false);
    g = as_until(v, second, false);
    bool release = (f.op == LTL_R || f.op == LTL_M) && (g.op == LTL_R || g.op == LTL_M);
    if (release && f.right == g.right) {
        ltl_op op = f.op == LTL_M && g.op == LTL_M ? LTL_M : LTL_R;
        ltl_formula left = view_binary(v, LTL_OR, f.left, g.left);
        if (!may_join(v, first, second, view_raw(v, op, left, f.right)))
            return false;
        *joined = view_binary(v, op, left, f.right);
        return true;
    }
    return false;
}

static ltl_formula join_pairs(view v, ltl_formula list)
{
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        for (uint32_t j = i + 1; j < view_arity(v, list); j++) {
            ltl_formula joined;
            if (join_until(v, view_child(v, list, i), view_child(v, list, j), &joined))
                return replace_two(v, list, i, j, joined);
        }
    return list;
}

/* ---- an item in the context of the others ---- */

/* a | (!a & b) = a | b for any formula a, also with !a deeper inside And and Or. */
static ltl_formula in_context(view v, ltl_formula list)
{
    uint32_t arity = view_arity(v, list);
    for (uint32_t i = 0; i < arity; i++) {
        ltl_formula item = view_child(v, list, i);
        if (view_arity(v, item) < 2)
            continue;
        for (uint32_t j = 0; j < arity; j++) {
            ltl_formula simpler =
                i == j ? item : simplify_where_false(v, item, view_child(v, list, j));
            if (simpler != item)
                return list_replace(v, list, i, simpler);
        }
    }
    return list;
}

/* b | (a & X(a U b)) = a U b, and the same for W; b | X F b = F b. */
static bool is_unfolding(view v, ltl_formula list, ltl_formula item, ltl_formula *folded)
{
    bool is_list = view_op_of(v, item) == LTL_AND;
    for (uint32_t i = 0; i < (is_list ? view_arity(v, item) : 1); i++) {
        ltl_formula next = is_list ? view_child(v, item, i) : item;
        if (view_op_of(v, next) != LTL_X)
            continue;
        ltl_formula f = view_child(v, next, 0);
        ltl_op op = view_op_of(v, f);
        *folded = f;
        if (!is_list && op == LTL_F)
            return list_has_all(v, LTL_OR, list, view_child(v, f, 0));
        if (!is_list || (op != LTL_U && op != LTL_W))
            continue;
        ltl_formula left = view_child(v, f, 0);
        uint32_t parts = view_op_of(v, left) == LTL_AND ? view_arity(v, left) : 1;
        if (view_arity(v, item) == parts + 1 && list_has_all(v, LTL_AND, item, left) &&
            list_has_all(v, LTL_OR, list, view_child(v, f, 1)))
            return true;
    }
    return false;
}

static ltl_formula fold(view v, ltl_formula list)
{
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_formula folded;
        if (is_unfolding(v, list, view_child(v, list, i), &folded))
            return list_replace(v, list, i, folded); /* which absorbs the rest */
    }
    return list;
}

/*
 * F k | f = F k | f[k := false] for a literal k: if F k is false, k is false at all times. The same holds for
 * F(k | …).
 */
static ltl_formula known_everywhere(view v, ltl_formula list)
{
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_formula known = view_child(v, list, i);
        if (view_op_of(v, known) != LTL_F)
            continue;
        for (uint32_t j = 0; j < view_arity(v, list); j++) {
            ltl_formula item = view_child(v, list, j);
            ltl_formula simpler = item;
            if (i != j)
                simpler = simplify_never(v, item, view_child(v, known, 0));
            if (simpler != item)
                return list_replace(v, list, j, simpler);
        }
    }
    return list;
}

/* ---- common factors ---- */

/* The conjunct that occurs in the most items, if it occurs in at least two. */
static ltl_formula most_frequent(view v, ltl_formula list)
{
    ltl_formula best = LTL_FALSE;
    uint32_t best_count = 1;
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_formula item = view_child(v, list, i);
        if (view_op_of(v, item) != LTL_AND)
            continue;
        for (uint32_t k = 0; k < view_arity(v, item); k++) {
            uint32_t count = 1;
            if (ltl_store_spend(v.run->store, view_arity(v, list)))
                return LTL_FALSE;
            for (uint32_t j = i + 1; j < view_arity(v, list); j++)
                count += view_op_of(v, view_child(v, list, j)) == LTL_AND &&
                         list_has(v, LTL_AND, view_child(v, list, j), view_child(v, item, k));
            if (count > best_count) {
                best_count = count;
                best = view_child(v, item, k);
            }
        }
    }
    return best;
}

/* (a & b) | (a & c) = a & (b | c). */
static ltl_formula factor(view v, ltl_formula list)
{
    ltl_formula common = most_frequent(v, list);
    if (common == LTL_FALSE)
        return list;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_formula item = view_child(v, list, i);
        if (view_op_of(v, item) == LTL_AND && list_has(v, LTL_AND, item, common))
            list_push(v.run, list_without(v, item, common));
    }
    ltl_formula rest = list_make(v, LTL_OR, begin);
    list_push(v.run, view_binary(v, LTL_AND, common, rest));
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_formula item = view_child(v, list, i);
        if (view_op_of(v, item) != LTL_AND || !list_has(v, LTL_AND, item, common))
            list_push(v.run, item);
    }
    return list_make(v, LTL_OR, begin);
}

ltl_formula rules_of_or(view v, ltl_formula formula)
{
    static ltl_formula (*const rules[])(view, ltl_formula) = {
        absorb, fold, join_pairs, simplify_strength, in_context, known_everywhere, factor};
    ltl_formula result = gather(v, formula);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && result == formula; i++)
        if (view_arity(v, formula) <= SIMPLIFY_PAIRS_LIMIT)
            result = rules[i](v, formula);
    return result;
}
