/* SPDX-License-Identifier: MIT */
/*
 * Syntactic implication: f ⇒ g is proved by decomposing f or, dually (¬g ⇒ ¬f), by decomposing g. The rules
 * are written for the left side only, in terms of a view; in the flipped view the formula that is
 * decomposed is the right side.
 *
 * Each step decomposes one of the two formulas, so the recursive queries are smaller. Answers are cached, and
 * the number of steps of a query is limited.
 */
#include "ltl/simplify_rules.h"

bool view_implies(view v, ltl_formula f, ltl_formula g)
{
    return v.flipped ? simplify_implies(v.run, g, f) : simplify_implies(v.run, f, g);
}

/* A recursive query, which shares the limit on steps. */
static bool query(simplify_run *run, ltl_formula f, ltl_formula g);

static bool view_query(view v, ltl_formula f, ltl_formula g)
{
    return v.flipped ? query(v.run, g, f) : query(v.run, f, g);
}

/*
 * Whether f implies g, where f requires `way` to hold until `goal` holds, or forever if `may_hold_forever`:
 *
 *     g = x U y, x W y     if way implies x, and goal implies g
 *     g = x M y, x R y     if way implies y, and goal implies g (which x & y does)
 */
static bool by_until(view v, ltl_formula way, ltl_formula goal, bool may_hold_forever,
                     ltl_formula g)
{
    ltl_op op = view_op_of(v, g);
    switch (op) {
    case LTL_U:
    case LTL_W:
        return (op == LTL_W || !may_hold_forever) && view_query(v, way, view_child(v, g, 0)) &&
               view_query(v, goal, g);
    case LTL_M:
    case LTL_R:
        return (op == LTL_R || !may_hold_forever) && view_query(v, way, view_child(v, g, 1)) &&
               view_query(v, goal, g);
    default:
        return false;
    }
}

/* f = a R b or a M b: b holds until a does, and also at that time; for M, a holds at some time. */
static bool by_release(view v, ltl_formula f, ltl_formula g)
{
    ltl_formula a = view_child(v, f, 0), b = view_child(v, f, 1);
    bool may_hold_forever = view_op_of(v, f) == LTL_R;
    if (view_query(v, b, g) || by_until(v, b, a, may_hold_forever, g))
        return true;
    if (!may_hold_forever && view_is(v, g, LTL_EVENTUAL) && view_query(v, a, g))
        return true;
    ltl_op op = view_op_of(v, g);
    return (op == LTL_R || (op == LTL_M && !may_hold_forever)) &&
           view_query(v, b, view_child(v, g, 1)) && view_query(v, a, view_child(v, g, 0));
}

static bool any_child(view v, ltl_formula f, ltl_formula g)
{
    for (uint32_t i = 0; i < view_arity(v, f); i++)
        if (view_query(v, view_child(v, f, i), g))
            return true;
    return false;
}

/* f = … & X c & …: implies g if f implies what g requires now, and c implies g. */
static bool by_unfolding(view v, ltl_formula f, ltl_formula g)
{
    ltl_op op = view_op_of(v, g);
    uint32_t now = op == LTL_R || op == LTL_M;
    if (op != LTL_U && op != LTL_W && op != LTL_R && op != LTL_M && op != LTL_G)
        return false;
    for (uint32_t i = 0; i < view_arity(v, f); i++) {
        ltl_formula item = view_child(v, f, i);
        if (view_op_of(v, item) == LTL_X && view_query(v, view_child(v, item, 0), g))
            return view_query(v, f, view_child(v, g, now));
    }
    return false;
}

static bool decompose(view v, ltl_formula f, ltl_formula g)
{
    ltl_formula a = view_arity(v, f) > 0 ? view_child(v, f, 0) : f;
    switch (view_op_of(v, f)) {
    case LTL_OR:
        for (uint32_t i = 0; i < view_arity(v, f); i++)
            if (!view_query(v, view_child(v, f, i), g))
                return false;
        return true;
    case LTL_AND:
        return any_child(v, f, g) || by_unfolding(v, f, g);
    case LTL_X:
        if (view_op_of(v, g) == LTL_X)
            return view_query(v, a, view_child(v, g, 0));
        return view_is(v, g, LTL_EVENTUAL) && view_query(v, a, g);
    case LTL_F:
        return view_is(v, g, LTL_EVENTUAL) && view_query(v, a, g);
    case LTL_G:
        return view_query(v, a, g) ||
               (view_op_of(v, g) == LTL_W && view_query(v, a, view_child(v, g, 0)));
    case LTL_U:
    case LTL_W: {
        ltl_formula b = view_child(v, f, 1);
        bool may_hold_forever = view_op_of(v, f) == LTL_W;
        if (view_query(v, b, g))
            return (!may_hold_forever && view_is(v, g, LTL_EVENTUAL)) || view_query(v, a, g) ||
                   by_until(v, a, b, may_hold_forever, g);
        return false;
    }
    case LTL_R:
    case LTL_M:
        return by_release(v, f, g);
    default:
        return false;
    }
}

static bool answer(simplify_run *run, ltl_formula f, ltl_formula g)
{
    view plain = {.run = run}, flipped = {.run = run, .flipped = true};
    /* The next two decompositions are equivalences, so no other one needs to be tried. */
    if (ltl_op_of(run->store, f) == LTL_OR)
        return decompose(plain, f, g);
    if (ltl_op_of(run->store, g) == LTL_AND)
        return decompose(flipped, g, f);
    return decompose(plain, f, g) || decompose(flipped, g, f);
}

static bool query(simplify_run *run, ltl_formula f, ltl_formula g)
{
    if (f == g || f == LTL_FALSE || g == LTL_TRUE)
        return true;
    if (f == LTL_TRUE || g == LTL_FALSE || run->steps == 0 || ltl_store_spend(run->store, 1))
        return false;
    if (ltl_arity(run->store, f) == 0 && ltl_arity(run->store, g) == 0)
        return false;
    uint64_t key = (uint64_t)f << 32 | g, *known = base_map_find(&run->implied, key);
    if (known != NULL)
        return *known == 2;
    run->steps--;
    bool result = answer(run, f, g);
    if (run->steps == 0 && !result)
        return false; /* not cached, since the limit on steps may be the reason */
    if (base_map_at(&run->implied, key, &known, NULL) == OPAC_OK)
        *known = result ? 2 : 1;
    else
        ltl_store_fail_memory(run->store);
    return result;
}

bool simplify_implies(simplify_run *run, ltl_formula f, ltl_formula g)
{
    run->steps = SIMPLIFY_IMPLIES_STEPS;
    return query(run, f, g);
}

/* ---- negation ---- */

/* The callers limit the depth. */
ltl_formula simplify_negation(simplify_run *run, ltl_formula formula)
{
    ltl_store *store = run->store;
    uint32_t arity = ltl_arity(store, formula);
    ltl_op op = ltl_op_of(store, formula);
    if (arity == 0 || op == LTL_NOT)
        return ltl_not(store, formula);
    if (ltl_store_failed(store))
        return LTL_FALSE;
    uint64_t *known = base_map_find(&run->negations, formula);
    if (known != NULL)
        return (ltl_formula)*known;
    size_t begin = list_begin(run);
    for (uint32_t i = 0; i < arity; i++)
        list_push(run, simplify_negation(run, ltl_child(store, formula, i)));
    if (ltl_store_failed(store))
        return LTL_FALSE;
    const ltl_formula *parts = run->stack.items + begin;
    ltl_op dual = ltl_dual(op);
    ltl_formula result = dual == LTL_AND || dual == LTL_OR ? ltl_many(store, dual, parts, arity)
                         : arity == 1                      ? ltl_unary(store, dual, parts[0])
                                      : ltl_binary(store, dual, parts[0], parts[1]);
    list_drop(run, begin);
    if (base_map_at(&run->negations, formula, &known, NULL) == OPAC_OK)
        *known = result;
    else
        ltl_store_fail_memory(store);
    return result;
}

bool view_covers(view v, ltl_formula f, ltl_formula g)
{
    ltl_store *store = v.run->store;
    ltl_formula smaller = ltl_depth(store, f) <= ltl_depth(store, g) ? f : g;
    ltl_formula other = smaller == f ? g : f;
    if (ltl_depth(store, smaller) > SIMPLIFY_NEGATE_DEPTH)
        return false;
    ltl_formula negation = simplify_negation(v.run, smaller);
    return view_implies(v, negation, other);
}
