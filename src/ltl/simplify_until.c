/* SPDX-License-Identifier: MIT */
/*
 * Rules of U (in the flipped view: of R) and of W (in the flipped view: of M). In the comments s is
 * suspendable, e eventual and u universal; a W b is (a U b) | G a.
 */
#include "ltl/simplify_rules.h"

/* The formula and its children: left U right, or left W right. */
typedef struct until_parts {
    ltl_op op;
    ltl_formula formula, left, right;
} until_parts;

static ltl_formula rebuild(view v, const until_parts *f, ltl_formula left, ltl_formula right)
{
    return view_binary(v, f->op, left, right);
}

/*
 * a U (e | y) = e | (a U y)        a W (e | y) = e | (a W y)
 * a U (s & y) = s & (a U y)        a W (s & y) = G a | (s & (a W y))
 */
static ltl_formula split_right(view v, const until_parts *f)
{
    ltl_formula taken, rest;
    ltl_op op = view_op_of(v, f->right);
    if (op == LTL_OR && list_split(v, f->right, LTL_EVENTUAL, &taken, &rest))
        return view_binary(v, LTL_OR, taken, rebuild(v, f, f->left, rest));
    if (op == LTL_AND && list_split(v, f->right, LTL_SUSPENDABLE, &taken, &rest)) {
        ltl_formula both = view_binary(v, LTL_AND, taken, rebuild(v, f, f->left, rest));
        if (f->op == LTL_U)
            return both;
        return view_binary(v, LTL_OR, view_unary(v, LTL_G, f->left), both);
    }
    return f->formula;
}

/*
 * (s | x) U y = (s & F y) | (x U y)        (s | x) W y = s | (x W y)
 * (s & x) U y = y | (s & (x U y))          (s & x) W y = y | (s & (x W y))
 */
static ltl_formula split_left(view v, const until_parts *f)
{
    ltl_formula taken, rest;
    ltl_op op = view_op_of(v, f->left);
    if ((op != LTL_OR && op != LTL_AND) || !list_split(v, f->left, LTL_SUSPENDABLE, &taken, &rest))
        return f->formula;
    ltl_formula rest_until = rebuild(v, f, rest, f->right);
    if (op == LTL_AND)
        return view_binary(v, LTL_OR, f->right, view_binary(v, LTL_AND, taken, rest_until));
    if (f->op == LTL_U)
        taken = view_binary(v, LTL_AND, taken, view_unary(v, LTL_F, f->right));
    return view_binary(v, LTL_OR, taken, rest_until);
}

/* a U (x U y) = x U y if a implies x, and similar rules: whether the right side includes the left one. */
static bool right_absorbs_left(view v, const until_parts *f)
{
    ltl_op op = view_op_of(v, f->right);
    bool strong = op == LTL_U || op == LTL_M;
    if (strong && f->op != LTL_U)
        return false; /* a W (x U y) also holds if a holds forever */
    switch (op) {
    case LTL_U:
    case LTL_W:
    case LTL_G:
        return view_implies(v, f->left, view_child(v, f->right, 0));
    case LTL_M:
    case LTL_R:
        return view_implies(v, f->left, view_child(v, f->right, 1));
    default:
        return false;
    }
}

/* Whether a holds on the way to the goal: way & !goal implies a, where a is the left side. */
static bool is_bridged(view v, const until_parts *f, ltl_formula way, ltl_formula goal)
{
    return view_implies(v, way, view_raw(v, LTL_OR, f->left, goal));
}

/*
 * Simplifies an item in a U (… | item) or a W (… | item): x U z becomes z if x implies a | z, since a then
 * holds until z; z M x becomes z & x. Under W also the weak operators: x W z and z R x likewise, and G x
 * becomes false if x implies a.
 */
static ltl_formula shorten_goal(view v, const until_parts *f, ltl_formula item)
{
    ltl_op op = view_op_of(v, item);
    bool weak = op == LTL_W || op == LTL_R || op == LTL_G;
    if (weak && f->op != LTL_W)
        return item;
    switch (op) {
    case LTL_U:
    case LTL_W:
        return is_bridged(v, f, view_child(v, item, 0), view_child(v, item, 1))
                   ? view_child(v, item, 1)
                   : item;
    case LTL_M:
    case LTL_R:
        if (!is_bridged(v, f, view_child(v, item, 1), view_child(v, item, 0)))
            return item;
        return view_binary(v, LTL_AND, view_child(v, item, 0), view_child(v, item, 1));
    case LTL_G:
        return view_implies(v, view_child(v, item, 0), f->left) ? view_false(v) : item;
    default:
        return item;
    }
}

/* Applies `change` to each item of a side, which is a list of `op`. Returns whether an item changed. */
static bool change_items(view v, const until_parts *f, ltl_op op, ltl_formula *side,
                         ltl_formula (*change)(view v, const until_parts *f, ltl_formula item))
{
    bool is_list = view_op_of(v, *side) == op, changed = false;
    uint32_t count = is_list ? view_arity(v, *side) : 1;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < count; i++) {
        ltl_formula item = is_list ? view_child(v, *side, i) : *side, other = change(v, f, item);
        changed |= other != item;
        list_push(v.run, other);
    }
    if (changed)
        *side = list_make(v, op, begin);
    else
        list_drop(v.run, begin);
    return changed;
}

static ltl_formula shorten_goals(view v, const until_parts *f)
{
    ltl_formula right = f->right;
    return change_items(v, f, LTL_OR, &right, shorten_goal) ? rebuild(v, f, f->left, right)
                                                            : f->formula;
}

/* a U (b | G a) = a W b, unless that leaves a class; a U (a & b) = b M a; a W (a & b) = b R a. */
static ltl_formula change_operator(view v, const until_parts *f)
{
    ltl_op op = view_op_of(v, f->right);
    if (op == LTL_OR && f->op == LTL_U && !v.run->keep_strength) {
        ltl_formula always = view_raw(v, LTL_G, f->left, f->left);
        if (list_has(v, LTL_OR, f->right, always)) {
            ltl_formula rest = list_minus(v, LTL_OR, f->right, always);
            ltl_formula weak = view_raw(v, LTL_W, f->left, rest);
            if (simplify_keeps_class(view_classes(v, weak), view_classes(v, f->formula)))
                return view_binary(v, LTL_W, f->left, rest);
        }
    }
    if (op == LTL_AND && list_has_all(v, LTL_AND, f->right, f->left)) {
        ltl_formula rest = list_minus(v, LTL_AND, f->right, f->left);
        return view_binary(v, f->op == LTL_U ? LTL_M : LTL_R, rest, f->left);
    }
    return f->formula;
}

/*
 * Simplifies a conjunct of the left side: (x U y) U b = (x | y) U b if b implies y; (x R y) U b = y U b if
 * b implies x and y; under W only the weak operators x W y and x R y. e U b = F b if b implies e.
 */
static ltl_formula loosen_item(view v, const until_parts *f, ltl_formula item)
{
    ltl_op op = view_op_of(v, item);
    bool strong = op == LTL_U || op == LTL_M;
    if (f->op == LTL_U && view_is(v, item, LTL_EVENTUAL) && view_implies(v, f->right, item))
        return view_true(v);
    if (strong && f->op != LTL_U)
        return item;
    switch (op) {
    case LTL_U:
    case LTL_W:
        if (!view_implies(v, f->right, view_child(v, item, 1)))
            return item;
        return view_binary(v, LTL_OR, view_child(v, item, 0), view_child(v, item, 1));
    case LTL_R:
    case LTL_M:
        if (!view_implies(v, f->right, view_child(v, item, 0)) ||
            !view_implies(v, f->right, view_child(v, item, 1)))
            return item;
        return view_child(v, item, 1);
    default:
        return item;
    }
}

static ltl_formula loosen_left(view v, const until_parts *f)
{
    ltl_formula left = f->left;
    return change_items(v, f, LTL_AND, &left, loosen_item) ? rebuild(v, f, left, f->right)
                                                           : f->formula;
}

/* Whether the formula, once it holds, holds until the right side does. Then a U b (or a W b) is a | b. */
static bool persists(view v, const until_parts *f, ltl_formula formula)
{
    ltl_op op = view_op_of(v, formula);
    bool weak = op == LTL_W || op == LTL_R;
    if (weak && f->op != LTL_W)
        return false;
    switch (op) {
    case LTL_F:
    case LTL_M:
    case LTL_R:
        return view_implies(v, view_child(v, formula, 0), f->right);
    case LTL_U:
    case LTL_W:
        return view_implies(v, view_child(v, formula, 1), f->right);
    case LTL_G:
        return f->op == LTL_W;
    case LTL_AND:
    case LTL_OR:
        for (uint32_t i = 0; i < view_arity(v, formula); i++) {
            ltl_op inner = view_op_of(v, view_child(v, formula, i));
            if (inner == LTL_AND || inner == LTL_OR || !persists(v, f, view_child(v, formula, i)))
                return false;
        }
        return true;
    default:
        return false;
    }
}

/* a U b = a | b and a W b = a | b, if a persists or implies X b. */
static ltl_formula left_suffices(view v, const until_parts *f)
{
    ltl_formula next = view_raw(v, LTL_X, f->right, f->right);
    if (persists(v, f, f->left) || view_implies(v, f->left, next))
        return view_binary(v, LTL_OR, f->left, f->right);
    return f->formula;
}

/* Simplifies the left side under the assumption that the right side is false. */
static ltl_formula left_in_context(view v, const until_parts *f)
{
    ltl_formula left = f->left;
    if (view_op_of(v, f->right) == LTL_OR && view_arity(v, f->right) <= SIMPLIFY_PAIRS_LIMIT)
        for (uint32_t i = 0; i < view_arity(v, f->right); i++)
            left = simplify_where_false(v, left, view_child(v, f->right, i));
    else
        left = simplify_where_false(v, left, f->right);
    return left == f->left ? f->formula : rebuild(v, f, left, f->right);
}

static ltl_formula common_rules(view v, const until_parts *f)
{
    static ltl_formula (*const rules[])(view, const until_parts *) = {
        left_suffices,   split_right, split_left,     shorten_goals,
        change_operator, loosen_left, left_in_context};
    if (view_op_of(v, f->left) == LTL_X && view_op_of(v, f->right) == LTL_X)
        return view_unary(v, LTL_X,
                          rebuild(v, f, view_child(v, f->left, 0), view_child(v, f->right, 0)));
    if (right_absorbs_left(v, f))
        return f->right;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        ltl_formula result = rules[i](v, f);
        if (result != f->formula)
            return result;
    }
    return f->formula;
}

/* Whether replacing the formula by both others lowers its class in the hierarchy. */
static bool is_lower(view v, ltl_formula first, ltl_formula second, ltl_formula formula)
{
    const uint32_t low = LTL_SIGMA2 | LTL_PI2;
    uint32_t f = view_classes(v, first), g = view_classes(v, second),
             before = view_classes(v, formula);
    if (v.run->keep_strength)
        return false;
    return simplify_gains_class(f & g, before) ||
           ((before & low) == 0 && (f & low) != 0 && (g & low) != 0);
}

/*
 * Whether to replace a U b by a W b or vice versa: they are equal if G a implies F b, and the class is
 * lower.
 */
static bool may_change_strength(view v, ltl_op op, ltl_formula formula, ltl_formula a,
                                ltl_formula b)
{
    ltl_formula changed = view_raw(v, op, a, b);
    return !v.run->keep_strength &&
           simplify_gains_class(view_classes(v, changed), view_classes(v, formula)) &&
           view_implies(v, view_raw(v, LTL_G, a, a), view_raw(v, LTL_F, b, b));
}

/*
 * a U e = e; a U b = b if a implies b; a U b = F b if a | b is true; u U b = b | (u & F b);
 * a U b = (a W b) & F b if that is lower in the hierarchy.
 */
ltl_formula rules_of_until(view v, ltl_formula formula)
{
    ltl_formula a = view_child(v, formula, 0), b = view_child(v, formula, 1);
    if (view_is(v, b, LTL_EVENTUAL) || view_implies(v, a, b))
        return b;
    if (view_covers(v, a, b))
        return view_unary(v, LTL_F, b);
    if (view_is(v, a, LTL_UNIVERSAL))
        return view_binary(v, LTL_OR, b, view_binary(v, LTL_AND, a, view_unary(v, LTL_F, b)));
    if (may_change_strength(v, LTL_W, formula, a, b))
        return view_binary(v, LTL_W, a, b);
    ltl_formula result =
        common_rules(v, &(until_parts){.op = LTL_U, .formula = formula, .left = a, .right = b});
    if (result == formula &&
        is_lower(v, view_raw(v, LTL_W, a, b), view_raw(v, LTL_F, b, b), formula))
        return view_binary(v, LTL_AND, view_binary(v, LTL_W, a, b), view_unary(v, LTL_F, b));
    return result;
}

/*
 * a W e = G a | e; a W b = b if a implies b; a W b = true if a | b is true; u W b = u | b;
 * e W b = F b | G e if b implies e; a W u = G(a | u) if a is eventual or u implies a;
 * a W b = G a | (a U b) if that is lower in the hierarchy.
 */
ltl_formula rules_of_weak_until(view v, ltl_formula formula)
{
    ltl_formula a = view_child(v, formula, 0), b = view_child(v, formula, 1);
    if (view_implies(v, a, b))
        return b;
    if (view_covers(v, a, b))
        return view_true(v);
    if (view_is(v, b, LTL_EVENTUAL))
        return view_binary(v, LTL_OR, view_unary(v, LTL_G, a), b);
    if (view_is(v, a, LTL_UNIVERSAL))
        return view_binary(v, LTL_OR, a, b);
    if (view_is(v, a, LTL_EVENTUAL) && view_implies(v, b, a) &&
        simplify_keeps_class(view_classes(v, view_raw(v, LTL_F, b, b)) &
                                 view_classes(v, view_raw(v, LTL_G, a, a)),
                             view_classes(v, formula)))
        return view_binary(v, LTL_OR, view_unary(v, LTL_F, b), view_unary(v, LTL_G, a));
    if (view_is(v, b, LTL_UNIVERSAL) && (view_is(v, a, LTL_EVENTUAL) || view_implies(v, b, a)))
        return view_unary(v, LTL_G, view_binary(v, LTL_OR, a, b));
    if (may_change_strength(v, LTL_U, formula, a, b))
        return view_binary(v, LTL_U, a, b);
    ltl_formula result =
        common_rules(v, &(until_parts){.op = LTL_W, .formula = formula, .left = a, .right = b});
    if (result == formula &&
        is_lower(v, view_raw(v, LTL_G, a, a), view_raw(v, LTL_U, a, b), formula))
        return view_binary(v, LTL_OR, view_unary(v, LTL_G, a), view_binary(v, LTL_U, a, b));
    return result;
}
