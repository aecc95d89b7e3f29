/* SPDX-License-Identifier: MIT */
/*
 * Normalisation into Delta2, after the rewrite system of Esparza, Rubio and Sickert, "Efficient
 * normalization of linear temporal logic" (2024). Strong operators are F, U, M; weak operators are G, W, R.
 * Below And and Or, a formula that is in neither Sigma2 nor Pi2 is replaced by a disjunction, step by step:
 *
 *   1. A suspendable subformula s has the same value at all times, so
 *          f[s] = (s & f[true]) | f[false].
 *      To obtain suspendable subformulas: for universal u, a U u = (a W u) & F u, where F u is
 *      suspendable; for eventual e, e W b = (e U b) | G e, where G e is suspendable.
 *
 *   2. Let w be a weak subformula with a strong subformula t. If t holds infinitely often, it is
 *      equivalent at all times to its weak version t' (W for U, R for M, true for F). Otherwise t is
 *      false from some time on, and w must hold up to that time:
 *          f[w] = (GF t & f[t := t']) | f[w := w'],
 *          w = G a      w' = a U G a[t := false]
 *          w = a W b    w' = a U (b | G a[t := false])
 *          w = a R b    w' = (a | G b[t := false]) M b.
 *      Call a (for G and W) or b (for R) the persistent operand of w. If it contains no such t,
 *      then w' alone is equivalent: a W b = (a U b) | G a and a R b = (a M b) | G b.
 *      w is chosen below no other weak subformula with a strong one, because w' has a strong
 *      operator on top.
 *
 *   3. f = FG a: FG a = (GF t & FG a[t := t']) | FG a[t := false].
 *
 * Rules 2 and 3 move strong operators out of weak ones, towards Sigma2. The dual rules move weak operators
 * out of strong ones, towards Pi2; they are the same code in the flipped view. GF always uses the dual of
 * rule 3.
 *
 * A formula with a weak operator on top may also become Pi2. Then only those t that are not in Sigma1 have to
 * be removed.
 *
 * Termination: each step leaves fewer strong subformulas below a weak one in each of the cases, and the
 * simplifier does not add any. The number of steps is limited nevertheless, because results can be
 * exponentially large.
 */
#include "ltl/normalize.h"

#include "ltl/simplify_rules.h"

enum {
    PARTS_LIMIT = 64,    /* rewritings that produce suspendable subformulas */
    STEPS_LIMIT = 20000, /* steps of one normalisation */
    NESTING_LIMIT = 400  /* depth of the recursion */
};

typedef struct normalization {
    simplify_run simplify;
    bool dual;
    base_map done; /* simplified formula ► normalised */
    uint32_t parts, steps, nesting;
} normalization;

/* ---- substitution ---- */

typedef struct substitution {
    view v;
    ltl_formula from, to;
    base_map memo;
} substitution;

/* Recursion is safe, since the depth of formulas is limited. */
static ltl_formula substitute_in(substitution *run, ltl_formula formula)
{
    view v = run->v;
    if (formula == run->from)
        return run->to;
    if (formula < run->from) /* children have smaller numbers than their parents */
        return formula;
    if (ltl_store_spend(v.run->store, 1))
        return LTL_FALSE;
    uint64_t *known = base_map_find(&run->memo, formula);
    if (known != NULL)
        return (ltl_formula)*known;
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, formula); i++)
        list_push(v.run, substitute_in(run, view_child(v, formula, i)));
    if (ltl_store_failed(v.run->store))
        return LTL_FALSE;
    ltl_formula result = ltl_rebuild(v.run->store, formula, v.run->stack.items + begin);
    list_drop(v.run, begin);
    if (base_map_at(&run->memo, formula, &known, NULL) == OPAC_OK)
        *known = result;
    else
        ltl_store_fail_memory(v.run->store);
    return result;
}

/* formula[from := to], not simplified. */
static ltl_formula substitute(view v, ltl_formula formula, ltl_formula from, ltl_formula to)
{
    substitution run = {.v = v, .from = from, .to = to};
    ltl_formula result = substitute_in(&run, formula);
    base_map_fini(&run.memo);
    return result;
}

/* ---- search for subformulas ---- */

static bool is_strong(ltl_op op)
{
    return op == LTL_F || op == LTL_U || op == LTL_M;
}

static bool is_weak(ltl_op op)
{
    return op == LTL_G || op == LTL_W || op == LTL_R;
}

static bool is_suspendable(view v, ltl_formula formula)
{
    return view_is(v, formula, LTL_SUSPENDABLE);
}

static bool is_strong_at_all(view v, ltl_formula formula)
{
    return is_strong(view_op_of(v, formula));
}

static bool is_strong_over_weak(view v, ltl_formula formula)
{
    return is_strong_at_all(v, formula) && !view_is(v, formula, LTL_SIGMA1);
}

static bool is_weak_over_strong(view v, ltl_formula formula)
{
    return is_weak(view_op_of(v, formula)) && !view_is(v, formula, LTL_PI1);
}

typedef bool (*condition)(view, ltl_formula);

/*
 * A subformula that satisfies the condition and is below no other such one: the one with the largest number,
 * since children have smaller numbers than their parents. LTL_FALSE if there is none.
 */
static ltl_formula find_below(view v, ltl_formula formula, condition holds)
{
    base_map seen = {0};
    ltl_formula found = LTL_FALSE;
    uint64_t *value;
    opac_status status;
    TRY_OR(done, base_map_at(&seen, formula, &value, NULL));
    for (size_t next = 0; next < seen.count; next++) {
        ltl_formula item = (ltl_formula)seen.entries[next].key;
        if (ltl_store_spend(v.run->store, 1))
            break;
        if (item > LTL_TRUE && item > found && holds(v, item))
            found = item;
        for (uint32_t i = 0; item > found && i < view_arity(v, item); i++)
            TRY_OR(done, base_map_at(&seen, view_child(v, item, i), &value, NULL));
    }
done:
    base_map_fini(&seen);
    if (status != OPAC_OK)
        ltl_store_fail_memory(v.run->store);
    return found;
}

/* ---- the rules ---- */

static ltl_formula weak_version(view v, ltl_formula strong)
{
    switch (view_op_of(v, strong)) {
    case LTL_F:
        return view_true(v);
    case LTL_U:
        return view_raw(v, LTL_W, view_child(v, strong, 0), view_child(v, strong, 1));
    default:
        return view_raw(v, LTL_R, view_child(v, strong, 0), view_child(v, strong, 1));
    }
}

static ltl_formula infinitely_often(view v, ltl_formula formula)
{
    ltl_formula eventually = view_raw(v, LTL_F, formula, formula);
    return view_raw(v, LTL_G, eventually, eventually);
}

/* The formula as (premise & first) | second; the parts are not simplified. */
typedef struct case_split {
    ltl_formula premise, first, second;
} case_split;

/* Rule 1. */
static case_split pull_out(view v, ltl_formula formula, ltl_formula suspendable)
{
    return (case_split){suspendable, substitute(v, formula, suspendable, view_true(v)),
                        substitute(v, formula, suspendable, view_false(v))};
}

/* The result after an error of the store, which the caller reports. */
static case_split no_split(view v)
{
    return (case_split){view_false(v), view_false(v), view_false(v)};
}

/* Rule 3, for the formula FG a. */
static case_split split_limit(view v, ltl_formula formula)
{
    ltl_formula strong = find_below(v, view_child(v, formula, 0), is_strong_at_all);
    if (ltl_store_failed(v.run->store))
        return no_split(v);
    return (case_split){infinitely_often(v, strong),
                        substitute(v, formula, strong, weak_version(v, strong)),
                        substitute(v, formula, strong, view_false(v))};
}

/* The persistent operand of a weak formula: a of G a and a W b, b of a R b. */
static ltl_formula persistent_operand(view v, ltl_formula weak)
{
    return view_child(v, weak, view_op_of(v, weak) == LTL_R ? 1 : 0);
}

/* w' of rule 2. */
static ltl_formula until_false(view v, ltl_formula weak, ltl_formula strong)
{
    ltl_formula persistent = persistent_operand(v, weak);
    ltl_formula without = substitute(v, persistent, strong, view_false(v));
    ltl_formula always = view_raw(v, LTL_G, without, without);
    switch (view_op_of(v, weak)) {
    case LTL_G:
        return view_raw(v, LTL_U, persistent, always);
    case LTL_W: {
        ltl_formula goal = view_raw(v, LTL_OR, view_child(v, weak, 1), always);
        return view_raw(v, LTL_U, persistent, goal);
    }
    default: {
        ltl_formula goal = view_raw(v, LTL_OR, view_child(v, weak, 0), always);
        return view_raw(v, LTL_M, goal, persistent);
    }
    }
}

/* a W b = (a U b) | G a, a R b = (a M b) | G b. */
static ltl_formula strong_or_always(view v, ltl_formula weak)
{
    ltl_formula persistent = persistent_operand(v, weak);
    ltl_op op = view_op_of(v, weak) == LTL_W ? LTL_U : LTL_M;
    return view_raw(v, LTL_OR, view_raw(v, op, view_child(v, weak, 0), view_child(v, weak, 1)),
                    view_raw(v, LTL_G, persistent, persistent));
}

/* Rule 2. */
static case_split push_out(view v, ltl_formula formula)
{
    bool weak_on_top = is_weak(view_op_of(v, formula));
    ltl_formula weak = weak_on_top ? formula : find_below(v, formula, is_weak_over_strong);
    condition obstacle = weak_on_top ? is_strong_over_weak : is_strong_at_all;
    if (ltl_store_failed(v.run->store))
        return no_split(v);
    ltl_formula strong = find_below(v, persistent_operand(v, weak), obstacle);
    if (ltl_store_failed(v.run->store))
        return no_split(v);
    if (strong == LTL_FALSE)
        return (case_split){view_false(v), view_false(v),
                            substitute(v, formula, weak, strong_or_always(v, weak))};
    return (case_split){infinitely_often(v, strong),
                        substitute(v, formula, strong, weak_version(v, strong)),
                        substitute(v, formula, weak, until_false(v, weak, strong))};
}

static ltl_formula find_suspendable_below(view v, ltl_formula formula)
{
    ltl_formula found = LTL_FALSE;
    for (uint32_t i = 0; i < view_arity(v, formula) && found == LTL_FALSE; i++)
        found = find_below(v, view_child(v, formula, i), is_suspendable);
    return found;
}

/*
 * One step for a formula with a temporal operator on top that is in neither Sigma2 nor Pi2. *used is the
 * view of the step, in which the result must be interpreted.
 */
static case_split step(normalization *run, ltl_formula formula, view *used)
{
    view v = {.run = &run->simplify, .flipped = run->dual}, plain = {.run = &run->simplify};
    ltl_op op = view_op_of(plain, formula);
    ltl_formula child = view_child(plain, formula, 0);
    ltl_formula suspendable = find_suspendable_below(v, formula);
    bool is_limit = view_is(v, formula, LTL_SUSPENDABLE);
    *used = v;
    if (suspendable != LTL_FALSE)
        return pull_out(v, formula, suspendable);
    if (is_limit && op == LTL_F && view_op_of(plain, child) == LTL_G)
        return split_limit(*used = plain, formula);
    if (is_limit && op == LTL_G && view_op_of(plain, child) == LTL_F)
        return split_limit(*used = view_flip(plain), formula);
    return push_out(v, formula);
}

/* ---- the whole formula ---- */

static ltl_formula normalize(normalization *run, ltl_formula formula);

/* The formula with each child replaced by `change` of it. */
static ltl_formula rebuild_with(normalization *run, ltl_formula formula,
                                ltl_formula (*change)(normalization *, ltl_formula))
{
    simplify_run *simplify = &run->simplify;
    size_t begin = list_begin(simplify);
    for (uint32_t i = 0; i < ltl_arity(simplify->store, formula); i++)
        list_push(simplify, change(run, ltl_child(simplify->store, formula, i)));
    if (ltl_store_failed(simplify->store))
        return LTL_FALSE;
    ltl_formula result = ltl_rebuild(simplify->store, formula, simplify->stack.items + begin);
    list_drop(simplify, begin);
    return result;
}

/* X of the normalised child; the simplifier distributes X over And and Or. */
static ltl_formula normalize_next(normalization *run, ltl_formula formula)
{
    ltl_store *store = run->simplify.store;
    ltl_formula below = normalize(run, ltl_child(store, formula, 0));
    return simplify_normal_form(&run->simplify, ltl_x(store, below));
}

/* Whether rule 1 can split off a suspendable part: a U u and e W b, and dually a R e and u M b. */
static bool has_suspendable_part(view v, ltl_formula formula)
{
    ltl_op op = view_op_of(v, formula);
    if (op == LTL_U || op == LTL_R)
        return view_is(v, view_child(v, formula, 1), op == LTL_U ? LTL_UNIVERSAL : LTL_EVENTUAL);
    if (op == LTL_W || op == LTL_M)
        return view_is(v, view_child(v, formula, 0), op == LTL_W ? LTL_EVENTUAL : LTL_UNIVERSAL);
    return false;
}

/* a U u = (a W u) & F u, e W b = (e U b) | G e. */
static ltl_formula with_suspendable_part(view v, ltl_formula formula)
{
    ltl_op op = view_op_of(v, formula);
    if (op == LTL_R || op == LTL_M)
        return with_suspendable_part(view_flip(v), formula);
    ltl_formula a = view_child(v, formula, 0), b = view_child(v, formula, 1);
    if (op == LTL_U)
        return view_raw(v, LTL_AND, view_raw(v, LTL_W, a, b), view_raw(v, LTL_F, b, b));
    return view_raw(v, LTL_OR, view_raw(v, LTL_U, a, b), view_raw(v, LTL_G, a, a));
}

/*
 * Splits off suspendable parts (rule 1) in subformulas that are in neither Sigma2 nor Pi2. This is done once,
 * before all steps, because rule 2 produces formulas of the same form.
 */
static ltl_formula split_parts(normalization *run, ltl_formula formula)
{
    view v = {.run = &run->simplify};
    ltl_store *store = run->simplify.store;
    ltl_op op = ltl_op_of(store, formula);
    if (run->parts == 0 || (view_classes(v, formula) & (LTL_SIGMA2 | LTL_PI2)) != 0 ||
        ltl_store_spend(store, 1))
        return formula;
    if (op == LTL_AND || op == LTL_OR || op == LTL_X)
        return rebuild_with(run, formula, split_parts);
    ltl_formula partly = find_below(v, formula, has_suspendable_part);
    if (partly == LTL_FALSE)
        return formula;
    run->parts--;
    ltl_formula parts = substitute(v, formula, partly, with_suspendable_part(v, partly));
    return split_parts(run, simplify_normal_form(&run->simplify, parts));
}

static ltl_formula normalize_part(normalization *run, ltl_formula formula)
{
    return normalize(run, simplify_normal_form(&run->simplify, formula));
}

static ltl_formula normalize_node(normalization *run, ltl_formula formula)
{
    ltl_store *store = run->simplify.store;
    ltl_op op = ltl_op_of(store, formula);
    if ((ltl_classes_of(store, formula) & (LTL_SIGMA2 | LTL_PI2)) != 0)
        return formula;
    if (op == LTL_AND || op == LTL_OR)
        return rebuild_with(run, formula, normalize);
    if (op == LTL_X)
        return normalize_next(run, formula);
    if (run->steps == 0 || run->nesting >= NESTING_LIMIT)
        return ltl_store_fail_limit(store, "the normal form of the formula is too large");
    run->steps--;
    view v;
    case_split cases = step(run, formula, &v);
    /* The parts are simplified separately: on the whole disjunction the simplifier would undo the split. */
    ltl_formula premise = normalize_part(run, cases.premise);
    ltl_formula first = normalize_part(run, cases.first);
    ltl_formula second = normalize_part(run, cases.second);
    return view_raw(v, LTL_OR, view_raw(v, LTL_AND, premise, first), second);
}

static ltl_formula normalize(normalization *run, ltl_formula formula)
{
    ltl_store *store = run->simplify.store;
    if (ltl_store_failed(store))
        return LTL_FALSE;
    uint64_t *known = base_map_find(&run->done, formula);
    if (known != NULL)
        return (ltl_formula)*known;
    run->nesting++;
    ltl_formula result = normalize_node(run, formula);
    run->nesting--;
    if (base_map_at(&run->done, formula, &known, NULL) == OPAC_OK)
        *known = result;
    else
        ltl_store_fail_memory(store);
    return result;
}

/* Nodes are shared, and there may be exponentially many paths to a node, so each is visited only once. */
bool ltl_is_normal(ltl_store *store, ltl_formula formula)
{
    base_map seen = {0};
    uint64_t *value;
    bool is_normal = true;
    opac_status status;
    TRY_OR(done, base_map_at(&seen, formula, &value, NULL));
    for (size_t next = 0; is_normal && next < seen.count; next++) {
        ltl_formula item = (ltl_formula)seen.entries[next].key;
        ltl_op op = ltl_op_of(store, item);
        if ((ltl_classes_of(store, item) & (LTL_SIGMA2 | LTL_PI2)) != 0)
            continue;
        is_normal = (op == LTL_AND || op == LTL_OR) && !ltl_store_spend(store, 1);
        for (uint32_t i = 0; is_normal && i < ltl_arity(store, item); i++)
            TRY_OR(done, base_map_at(&seen, ltl_child(store, item, i), &value, NULL));
    }
done:
    base_map_fini(&seen);
    if (status != OPAC_OK)
        ltl_store_fail_memory(store);
    return is_normal;
}

ltl_formula ltl_normalize(ltl_store *store, ltl_formula formula, bool dual)
{
    normalization run = {
        .simplify = {.store = store}, .dual = dual, .parts = PARTS_LIMIT, .steps = STEPS_LIMIT};
    ltl_formula result = simplify_normal_form(&run.simplify, formula);
    if (!ltl_is_normal(store, result)) {
        run.simplify.keep_strength = true;
        result = split_parts(&run, result);
        result = normalize_part(&run, result);
        run.simplify.keep_strength = false;
        ltl_formula simpler = simplify_normal_form(&run.simplify, result);
        if (ltl_is_normal(store, simpler))
            result = simpler;
    }
    simplify_run_fini(&run.simplify);
    base_map_fini(&run.done);
    return result;
}
