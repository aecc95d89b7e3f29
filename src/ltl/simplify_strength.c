/* SPDX-License-Identifier: MIT */
/*
 * Rules of Or (in the flipped view: of And) that exchange a strong operator and
 * its weak brother where the other items make up for the difference:
 *
 *     a W b without a U b is G(a & !b), a R b without a M b is G(b & !a).
 *
 * If that implies another item, either may stand in the Or. We take the one
 * that puts the Or into more classes of the hierarchy, or, if it makes no
 * difference, the weak one. So F b -> (a U b), which is G !b | (a U b), is a
 * safety formula for Boolean a and b. Suspendable items do not count: they are
 * kept apart from what they could be joined with.
 *
 * Beside an item G !d the others may be weakened deep inside: one may assume
 * that d comes, and whatever waits for d, or cannot outlast d, may as well be
 * weak. For w(f), the weakened f, it holds that f implies w(f), and that w(f)
 * and F d imply f:
 *
 *     w(x U y), w(x W y) = w(x) W w(y)   if d implies y: until d comes, each position has
 *                                        F d ahead of it, and d itself is the goal
 *                        = x W w(y)      if x implies !d: y comes before d or with it
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

/* ---- deep inside ---- */

typedef struct weakening {
    view v;
    ltl_formula comes, is_not; /* d and !d */
} weakening;

/* later: d is known to be false now, so that it comes later. */
static ltl_formula weaken(const weakening *w, ltl_formula formula, bool later);

/* Where the item matters in its list, d is false: it is in an And, or d makes the Or true. */
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

/* x until y, which may be p M z with x = z and y = z & p. */
static ltl_formula weaken_stretch(const weakening *w, ltl_formula formula)
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
        result = weaken_stretch(w, formula);
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

/* The kinds of the list with `changed` at an index. */
static uint32_t kinds_with(view v, ltl_formula list, uint32_t index, ltl_formula changed)
{
    uint32_t kinds = view_kinds(v, changed);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (i != index)
            kinds &= view_kinds(v, view_child(v, list, i));
    return kinds;
}

/* Whether the list is better with `changed`, of another strength, at an index. */
static bool is_better(view v, ltl_formula list, uint32_t index, ltl_formula changed, bool is_weaker)
{
    uint32_t list_now = view_kinds(v, list), list_then = kinds_with(v, list, index, changed);
    uint32_t now = view_kinds(v, view_child(v, list, index)), then = view_kinds(v, changed);
    if (!simplify_keeps_class(list_then, list_now) || simplify_gains_class(list_then, list_now))
        return simplify_keeps_class(list_then, list_now);
    if (!simplify_keeps_class(then, now) || simplify_gains_class(then, now))
        return simplify_keeps_class(then, now);
    return is_weaker;
}

/* What may stand at an index instead: the other strength, or the weakened item; itself: nothing. */
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

/* Simplified, if it is not: the alternatives are made both ways. */
static ltl_formula take(view v, ltl_formula list, uint32_t index, ltl_formula changed)
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
            return take(v, list, i, changed);
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
        /* One at a time: the others are looked at with it in place. */
        return take(v, list, i, changed);
    }
    return list;
}
