/* SPDX-License-Identifier: MIT */
/*
 * Simplifies a formula under an assumption from its context: that another formula is false now, which
 * applies below And and Or, or that a literal is false at all times, which applies everywhere.
 */
#include "ltl/simplify_rules.h"

/* ---- assumptions about now ---- */

static ltl_formula list_where_false(view v, ltl_formula formula, ltl_formula given)
{
    ltl_op op = view_op_of(v, formula);
    size_t begin = list_begin(v.run);
    bool changed = false;
    for (uint32_t i = 0; i < view_arity(v, formula); i++) {
        ltl_formula item = simplify_where_false(v, view_child(v, formula, i), given);
        changed |= item != view_child(v, formula, i);
        list_push(v.run, item);
    }
    if (changed)
        return list_make(v, op, begin);
    list_drop(v.run, begin);
    return formula;
}

/* x U y and x W y are y where x is false; x R y and x M y are y where x is true. */
static bool ends_now(view v, ltl_formula formula, ltl_formula given)
{
    ltl_formula left = view_child(v, formula, 0);
    switch (view_op_of(v, formula)) {
    case LTL_U:
    case LTL_W:
        return view_implies(v, left, given);
    case LTL_R:
    case LTL_M:
        return view_covers(v, left, given);
    default:
        return false;
    }
}

ltl_formula simplify_where_false(view v, ltl_formula formula, ltl_formula given)
{
    if (ltl_store_spend(v.run->store, 1))
        return formula;
    if (view_implies(v, formula, given))
        return view_false(v);
    if (view_covers(v, formula, given))
        return view_true(v);
    if (view_arity(v, formula) < 2 || v.run->level + 4 >= SIMPLIFY_LEVEL_LIMIT)
        return formula;
    ltl_formula result = formula;
    ltl_op op = view_op_of(v, formula);
    v.run->level++;
    if (op != LTL_AND && op != LTL_OR) {
        if (ends_now(v, formula, given))
            result = simplify_where_false(v, view_child(v, formula, 1), given);
    } else if (view_arity(v, formula) <= SIMPLIFY_PAIRS_LIMIT) {
        result = list_where_false(v, formula, given);
    }
    v.run->level--;
    return result;
}

/* ---- assumptions about all times ---- */

enum {
    VISITS_LIMIT = 300 /* larger formulas are not changed */
};

typedef struct never_run {
    view v;
    ltl_formula literal, opposite;
    uint32_t visits;
} never_run;

static ltl_formula never_in(never_run *run, ltl_formula formula)
{
    view v = run->v;
    uint32_t arity = view_arity(v, formula);
    if (ltl_store_spend(v.run->store, 1))
        return formula;
    if (formula == run->literal)
        return view_false(v);
    if (formula == run->opposite)
        return view_true(v);
    if (arity == 0 || ltl_op_of(v.run->store, formula) == LTL_NOT || run->visits == 0 ||
        v.run->level + 2 >= SIMPLIFY_LEVEL_LIMIT)
        return formula;
    run->visits--;
    v.run->level++;
    ltl_op op = view_op_of(v, formula);
    bool changed = false;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < arity; i++) {
        ltl_formula child = never_in(run, view_child(v, formula, i));
        changed |= child != view_child(v, formula, i);
        list_push(v.run, child);
    }
    ltl_formula result = formula;
    if (changed && !ltl_store_failed(v.run->store)) {
        const ltl_formula *parts = v.run->stack.items + begin;
        if (op == LTL_AND || op == LTL_OR)
            result = list_make(v, op, begin);
        else
            result =
                arity == 1 ? view_unary(v, op, parts[0]) : view_binary(v, op, parts[0], parts[1]);
    }
    list_drop(v.run, begin);
    v.run->level--;
    return result;
}

static bool is_literal(view v, ltl_formula formula)
{
    ltl_op op = ltl_op_of(v.run->store, formula);
    return op == LTL_AP || op == LTL_NOT;
}

ltl_formula simplify_never(view v, ltl_formula formula, ltl_formula known)
{
    bool is_list = view_op_of(v, known) == LTL_OR;
    uint32_t count = is_list ? view_arity(v, known) : 1;
    if (count > SIMPLIFY_PAIRS_LIMIT)
        return formula;
    for (uint32_t i = 0; i < count; i++) {
        ltl_formula literal = is_list ? view_child(v, known, i) : known;
        if (!is_literal(v, literal) || literal == formula)
            continue;
        never_run run = {.v = v,
                         .literal = literal,
                         .opposite = ltl_not(v.run->store, literal),
                         .visits = VISITS_LIMIT};
        formula = never_in(&run, formula);
    }
    return formula;
}
