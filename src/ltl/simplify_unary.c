/* SPDX-License-Identifier: MIT */
/*
 * Rules of X, and of F (in the flipped view: of G).
 *
 * X is moved outwards as far as possible, and removed from suspendable formulas, whose value is the same at
 * all times.
 *
 * F over Or: the co-safety items remain under one F (F a | F b = F(a | b) is also a rule of Or), each other
 * item gets its own F. Dually, G over And becomes one G over the safety items and one formula for each
 * other item, such as a recurrence. The latter become separate automata with one acceptance mark each,
 * which is smaller than one automaton that waits for them in turn.
 */
#include "ltl/simplify_rules.h"

/*
 * X(s & x) = s & X x, X(s | x) = s | X x, X s = s for suspendable s. X is distributed over a list that is in
 * neither Sigma2 nor Pi2, since its items may be.
 */
ltl_formula rules_of_next(view v, ltl_formula formula)
{
    ltl_formula child = view_child(v, formula, 0);
    ltl_op op = view_op_of(v, child);
    if (view_is(v, child, LTL_SUSPENDABLE))
        return child;
    if (op != LTL_AND && op != LTL_OR)
        return formula;
    ltl_formula taken, rest;
    if (list_split(v, child, LTL_SUSPENDABLE, &taken, &rest))
        return view_binary(v, op, taken, view_unary(v, LTL_X, rest));
    if ((view_classes(v, formula) & (LTL_SIGMA2 | LTL_PI2)) != 0)
        return formula;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, child); i++)
        list_push(v.run, view_unary(v, LTL_X, view_child(v, child, i)));
    return list_make(v, op, begin);
}

/* Replaces an item of the Or under F: F(a U b) = F b, F(a M b) = F(a & b). */
static ltl_formula weaken_under_eventually(view v, ltl_formula item)
{
    switch (view_op_of(v, item)) {
    case LTL_U:
        return view_child(v, item, 1);
    case LTL_M:
        return view_binary(v, LTL_AND, view_child(v, item, 0), view_child(v, item, 1));
    default:
        return item;
    }
}

/* Whether the item remains under the common F. */
static bool stays_together(view v, ltl_formula item)
{
    return view_is(v, item, LTL_SIGMA1) && !view_is(v, item, LTL_EVENTUAL);
}

static ltl_formula eventually_or(view v, ltl_formula formula, ltl_formula list)
{
    bool changes = false;
    for (uint32_t i = 0; i < view_arity(v, list) && view_arity(v, list) <= SIMPLIFY_PAIRS_LIMIT;
         i++) {
        ltl_formula item = view_child(v, list, i), simpler = simplify_never(v, item, list);
        if (simpler != item)
            return view_unary(v, LTL_F, list_replace(v, list, i, simpler));
    }
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_op op = view_op_of(v, view_child(v, list, i));
        changes |= op == LTL_U || op == LTL_M || !stays_together(v, view_child(v, list, i));
    }
    if (!changes)
        return formula;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (stays_together(v, view_child(v, list, i)))
            list_push(v.run, weaken_under_eventually(v, view_child(v, list, i)));
    ltl_formula together = view_unary(v, LTL_F, list_make(v, LTL_OR, begin));
    list_push(v.run, together);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (!stays_together(v, view_child(v, list, i)))
            list_push(v.run, view_unary(v, LTL_F, view_child(v, list, i)));
    return list_make(v, LTL_OR, begin);
}

/*
 * F(u & F q) = F(u & q) for universal u, since u still holds when q does. All items except the F must be
 * universal.
 */
static ltl_formula eventually_universal(view v, ltl_formula formula, ltl_formula list)
{
    ltl_formula eventual = LTL_FALSE;
    for (uint32_t i = 0; i < view_arity(v, list); i++) {
        ltl_formula item = view_child(v, list, i);
        if (view_is(v, item, LTL_UNIVERSAL))
            continue;
        if (eventual != LTL_FALSE || view_op_of(v, item) != LTL_F)
            return formula;
        eventual = item;
    }
    if (eventual == LTL_FALSE)
        return formula;
    ltl_formula rest = list_without(v, list, eventual);
    return view_unary(v, LTL_F, view_binary(v, LTL_AND, rest, view_child(v, eventual, 0)));
}

/* F(s & x) = s & F x. The And is brought into Sigma2, where F can keep it, if that is possible. */
static ltl_formula eventually_and(view v, ltl_formula formula, ltl_formula list)
{
    ltl_formula taken, rest;
    if (list_split(v, list, LTL_SUSPENDABLE, &taken, &rest))
        return view_binary(v, LTL_AND, taken, view_unary(v, LTL_F, rest));
    if (!view_is(v, formula, LTL_SIGMA2) && view_arity(v, list) <= SIMPLIFY_PAIRS_LIMIT) {
        ltl_formula lower = simplify_into_class(view_flip(v), list, LTL_PI2);
        if (lower != list)
            return view_unary(v, LTL_F, lower);
    }
    return eventually_universal(v, formula, list);
}

/*
 * FG(u | x) = F u | FG x for universal u. FG(e | x) = G e | FG x for eventual e: once e is false it remains
 * false, so x must hold from then on.
 */
static ltl_formula eventually_always(view v, ltl_formula formula, ltl_formula child)
{
    ltl_formula taken, rest;
    if (view_op_of(v, child) != LTL_OR)
        return formula;
    if (list_split(v, child, LTL_UNIVERSAL, &taken, &rest))
        taken = view_unary(v, LTL_F, taken);
    else if (list_split(v, child, LTL_EVENTUAL, &taken, &rest))
        taken = view_unary(v, LTL_G, taken);
    else
        return formula;
    return view_binary(v, LTL_OR, taken, view_unary(v, LTL_F, view_unary(v, LTL_G, rest)));
}

/* F(a U b) = F b, F(a M b) = F(a & b), F(a W b) = FG a | F b, F(a R b) = FG b | F(a & b). */
static ltl_formula eventually_binary(view v, ltl_formula child)
{
    ltl_formula a = view_child(v, child, 0), b = view_child(v, child, 1);
    ltl_op op = view_op_of(v, child);
    ltl_formula goal = op == LTL_U || op == LTL_W ? b : view_binary(v, LTL_AND, a, b);
    ltl_formula comes = view_unary(v, LTL_F, goal);
    if (op == LTL_U || op == LTL_M)
        return comes;
    ltl_formula stays = view_unary(v, LTL_G, op == LTL_W ? a : b);
    return view_binary(v, LTL_OR, comes, view_unary(v, LTL_F, stays));
}

ltl_formula rules_of_eventually(view v, ltl_formula formula)
{
    ltl_formula child = view_child(v, formula, 0);
    if (view_is(v, child, LTL_EVENTUAL))
        return child;
    switch (view_op_of(v, child)) {
    case LTL_X:
        return view_unary(v, LTL_X, view_unary(v, LTL_F, view_child(v, child, 0)));
    case LTL_U:
    case LTL_M:
    case LTL_W:
    case LTL_R:
        return eventually_binary(v, child);
    case LTL_OR:
        return eventually_or(v, formula, child);
    case LTL_AND:
        return eventually_and(v, formula, child);
    case LTL_G:
        return eventually_always(v, formula, view_child(v, child, 0));
    default:
        return formula;
    }
}
