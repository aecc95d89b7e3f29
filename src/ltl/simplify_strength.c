/* SPDX-License-Identifier: MIT */
/*
 * Rules of Or (in the flipped view: of And) that exchange a strong operator and the corresponding weak one,
 * if the other items cover the difference:
 *
 *     (a W b) & !(a U b) = G(a & !b)        (a R b) & !(a M b) = G(b & !a)
 *
 * If this difference implies another item, the Or is equivalent with either operator. The rule chooses the
 * operator that puts the Or into more classes of the hierarchy or, if both give the same classes, the weak
 * one. For example, F b -> (a U b), which is G !b | (a U b), becomes a safety formula for Boolean a and b.
 * Suspendable items are ignored when classes are compared, because they are kept separate from the other
 * items.
 *
 * If the Or has an item G !d, the other items may also be weakened below their top operator. Claim: each
 * item f may be replaced by a formula w(f) such that f implies w(f), and w(f) & F d implies f. Indeed, if F
 * d is false, the item G !d is true with either formula; if F d is true, f and w(f) are equivalent. The
 * formulas w(f) are:
 *
 *     w(x U y), w(x W y) = w(x) W w(y)   if d implies y: F d holds at each position up to the first d,
 *                                        and d satisfies y
 *                        = x W w(y)      if x implies !d: x fails at the first d, so y holds at or
 *                                        before it
 *     w(p M z), w(p R z)                 the same for z U (z & p)
 *     w(F y)             = true          if d implies y
 *     w(X y)             = X w(y)        if d is false now
 */
#include "ltl/simplify_rules.h"

/* ---- one operator ---- */

static bool has_strength(ltl_op op)
{
    return op == LTL_U || op == LTL_W || op == LTL_R || op == LTL_M;
}

static ltl_op other_strength(ltl_op op)
{
    return op == LTL_W ? LTL_U : op == LTL_U ? LTL_W : op == LTL_R ? LTL_M : LTL_R;
}

static bool is_gap_covered(view v, ltl_formula list, uint32_t index)
{
    ltl_store *store = v.run->store;
    ltl_formula item = view_child(v, list, index);
    ltl_op op = view_op_of(v, item);
    bool until = op == LTL_U || op == LTL_W;
    ltl_formula stays = view_child(v, item, until ? 0 : 1);
    ltl_formula comes = view_child(v, item, until ? 1 : 0);
    if (ltl_depth(store, comes) > SIMPLIFY_NEGATE_DEPTH)
        return false;
    ltl_formula gap = view_raw(v, LTL_AND, stays, simplify_negation(v.run, comes));
    gap = view_raw(v, LTL_G, gap, gap);
    for (uint32_t j = 0; j < view_arity(v, list); j++)
        if (j != index && !view_is(v, view_child(v, list, j), LTL_SUSPENDABLE) &&
            view_implies(v, gap, view_child(v, list, j)))
            return true;
    return false;
}

/* ---- weakening below the top operator ---- */

typedef struct weakening {
    view v;
    ltl_formula comes, is_not; /* d and !d */
} weakening;

/* w(f). later: d is known to be false now, so F d implies X F d. */
static ltl_formula weaken(const weakening *w, ltl_formula formula, bool later);

/*
 * Whether the other items of the list affect it only if d is false: in an And, the item implies !d; in an Or,
 * d implies the item.
 */
static bool excludes_now(const weakening *w, ltl_op op, ltl_formula item)
{
    return op == LTL_AND ? view_implies(w->v, item, w->is_not) : view_implies(w->v, w->comes, item);
}

static ltl_formula weaken_list(const weakening *w, ltl_formula formula, bool later)
{
    view v = w->v;
    ltl_op op = view_op_of(v, formula);
    uint32_t arity = view_arity(v, formula), excluding = arity;
    for (uint32_t i = 0; i < arity && !later && excluding == arity; i++)
        if (excludes_now(w, op, view_child(v, formula, i)))
            excluding = i;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < arity; i++)
        list_push(v.run, weaken(w, view_child(v, formula, i),
                                later || (excluding < arity && i != excluding)));
    return list_make(v, op, begin);
}

/* w of x U y or x W y, or of p M z or p R z with x = z and y = z & p. */
static ltl_formula weaken_until(const weakening *w, ltl_formula formula)
{
    view v = w->v;
    ltl_op op = view_op_of(v, formula);
    ltl_formula a = view_child(v, formula, 0), b = view_child(v, formula, 1);
    bool until = op == LTL_U || op == LTL_W;
    ltl_formula way = until ? a : b, goal = until ? b : a;
    if (view_implies(v, w->comes, goal) && (until || view_implies(v, w->comes, way)))
        way = weaken(w, way, true);
    else if (!view_implies(v, way, w->is_not))
        return formula;
    goal = weaken(w, goal, !until && view_implies(v, way, w->is_not));
    return until ? view_binary(v, LTL_W, way, goal) : view_binary(v, LTL_R, goal, way);
}

static ltl_formula weaken(const weakening *w, ltl_formula formula, bool later)
{
    view v = w->v;
    ltl_formula result = formula;
    if (v.run->level + 2 >= SIMPLIFY_LEVEL_LIMIT || ltl_store_spend(v.run->store, 1))
        return formula;
    v.run->level++;
    switch (view_op_of(v, formula)) {
    case LTL_OR:
    case LTL_AND:
        if (view_arity(v, formula) <= SIMPLIFY_PAIRS_LIMIT)
            result = weaken_list(w, formula, later);
        break;
    case LTL_F:
        if (view_implies(v, w->comes, view_child(v, formula, 0)))
            result = view_true(v);
        break;
    case LTL_U:
    case LTL_W:
    case LTL_M:
    case LTL_R:
        result = weaken_until(w, formula);
        break;
    case LTL_X:
        if (later)
            result = view_unary(v, LTL_X, weaken(w, view_child(v, formula, 0), false));
        break;
    default:
        break;
    }
    v.run->level--;
    return result;
}

/* ---- the list ---- */

/* The classes of the list with `changed` at an index. */
static uint32_t classes_with(view v, ltl_formula list, uint32_t index, ltl_formula changed)
{
    uint32_t classes = view_classes(v, changed);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (i != index)
            classes &= view_classes(v, view_child(v, list, i));
    return classes;
}

/* Whether `changed`, the item with the other strength, improves the list. */
static bool is_better(view v, ltl_formula list, uint32_t index, ltl_formula changed, bool is_weaker)
{
    uint32_t list_now = view_classes(v, list), list_then = classes_with(v, list, index, changed);
    uint32_t now = view_classes(v, view_child(v, list, index)), then = view_classes(v, changed);
    if (!simplify_keeps_class(list_then, list_now) || simplify_gains_class(list_then, list_now))
        return simplify_keeps_class(list_then, list_now);
    if (!simplify_keeps_class(then, now) || simplify_gains_class(then, now))
        return simplify_keeps_class(then, now);
    return is_weaker;
}

/* The alternative to the item at an index: the other strength, or w of the item; itself if there is none. */
static ltl_formula alternative(view v, ltl_formula list, uint32_t index, bool *is_weaker)
{
    ltl_formula item = view_child(v, list, index);
    ltl_op op = view_op_of(v, item);
    *is_weaker = true;
    for (uint32_t j = 0; j < view_arity(v, list); j++) {
        ltl_formula always = view_child(v, list, j);
        if (j == index || view_op_of(v, always) != LTL_G || view_is(v, always, LTL_SUSPENDABLE) ||
            ltl_depth(v.run->store, always) > SIMPLIFY_NEGATE_DEPTH)
            continue;
        ltl_formula never = view_child(v, always, 0);
        weakening w = {.v = v, .comes = simplify_negation(v.run, never), .is_not = never};
        ltl_formula weaker = weaken(&w, item, false);
        if (weaker != item)
            return weaker;
    }
    if (!has_strength(op) || !is_gap_covered(v, list, index))
        return item;
    *is_weaker = op == LTL_U || op == LTL_M;
    return view_raw(v, other_strength(op), view_child(v, item, 0), view_child(v, item, 1));
}

/* The list with `changed` at an index. Alternatives are made without rules, so it is simplified first. */
static ltl_formula replace_item(view v, ltl_formula list, uint32_t index, ltl_formula changed)
{
    ltl_op op = view_op_of(v, changed);
    if (has_strength(op))
        changed = view_binary(v, op, view_child(v, changed, 0), view_child(v, changed, 1));
    return list_replace(v, list, index, changed);
}

ltl_formula simplify_strength(view v, ltl_formula list)
{
    for (uint32_t i = 0; i < view_arity(v, list) && !v.run->keep_strength; i++) {
        bool is_weaker;
        ltl_formula changed = alternative(v, list, i, &is_weaker);
        if (changed != view_child(v, list, i) && is_better(v, list, i, changed, is_weaker))
            return replace_item(v, list, i, changed);
    }
    return list;
}

ltl_formula simplify_into_class(view v, ltl_formula list, uint32_t classes)
{
    for (uint32_t i = 0; i < view_arity(v, list) && !v.run->keep_strength; i++) {
        bool is_weaker;
        if (view_is(v, view_child(v, list, i), classes))
            continue;
        ltl_formula changed = alternative(v, list, i, &is_weaker);
        if (!view_is(v, changed, classes))
            return list;
        /* One item at a time: the others are compared with the new list. */
        return replace_item(v, list, i, changed);
    }
    return list;
}
