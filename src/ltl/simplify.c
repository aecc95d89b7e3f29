/* SPDX-License-Identifier: MIT */
/*
 * The driver of the simplifier. A formula in negation normal form is rebuilt from the leaves upwards. The
 * rules (simplify_*.c) are applied to each new node, and also to the nodes that they make. This terminates
 * because
 *
 *   - a formula whose simplification is in progress counts as simplified if it occurs again, so rules
 *     that undo each other do not alternate;
 *   - the number of rule applications and their nesting are limited; beyond a limit, formulas are
 *     constructed without rules.
 *
 * Cost: the rules examine a bounded neighbourhood of each node, and pairs in lists of up to
 * SIMPLIFY_PAIRS_LIMIT items. The time is therefore linear for large formulas, with a large constant.
 *
 * The rules come from the literature: Etessami and Holzmann 2000, Somenzi and
 * Bloem 2000 (pure eventualities and universalities, implication), Babiak,
 * Křetínský, Řehák and Strejček 2012 (suspendable formulas). Each rule preserves the language; tests compare
 * formulas before and after on random ultimately periodic words.
 */
#include "ltl/simplify.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "ltl/copy.h"
#include "ltl/print.h"
#include "ltl/simplify_rules.h"

uint32_t simplify_dual_classes(uint32_t classes)
{
    const uint32_t first = LTL_SIGMA1 | LTL_SIGMA2 | LTL_EVENTUAL;
    const uint32_t second = LTL_PI1 | LTL_PI2 | LTL_UNIVERSAL;
    uint32_t dual = classes & ~(first | second);
    dual |= classes & LTL_SIGMA1 ? LTL_PI1 : 0U;
    dual |= classes & LTL_PI1 ? LTL_SIGMA1 : 0U;
    dual |= classes & LTL_SIGMA2 ? LTL_PI2 : 0U;
    dual |= classes & LTL_PI2 ? LTL_SIGMA2 : 0U;
    dual |= classes & LTL_EVENTUAL ? LTL_UNIVERSAL : 0U;
    dual |= classes & LTL_UNIVERSAL ? LTL_EVENTUAL : 0U;
    return dual;
}

enum {
    CLASSES = LTL_BOOLEAN | LTL_SIGMA1 | LTL_PI1 | LTL_DELTA1 | LTL_SIGMA2 | LTL_PI2
};

bool simplify_keeps_class(uint32_t classes, uint32_t before)
{
    return (before & ~classes & CLASSES) == 0;
}

bool simplify_gains_class(uint32_t classes, uint32_t before)
{
    return simplify_keeps_class(classes, before) && !simplify_keeps_class(before, classes);
}

/* ---- one node ---- */

static ltl_formula apply_rules(simplify_run *run, ltl_formula formula)
{
    view plain = {.run = run}, flipped = {.run = run, .flipped = true};
    switch (ltl_op_of(run->store, formula)) {
    case LTL_X:
        return rules_of_next(plain, formula);
    case LTL_F:
        return rules_of_eventually(plain, formula);
    case LTL_G:
        return rules_of_eventually(flipped, formula);
    case LTL_U:
        return rules_of_until(plain, formula);
    case LTL_R:
        return rules_of_until(flipped, formula);
    case LTL_W:
        return rules_of_weak_until(plain, formula);
    case LTL_M:
        return rules_of_weak_until(flipped, formula);
    case LTL_OR:
        return rules_of_or(plain, formula);
    case LTL_AND:
        return rules_of_or(flipped, formula);
    default:
        return formula;
    }
}

static void remember(simplify_run *run, ltl_formula formula, ltl_formula result)
{
    uint64_t *value;
    if (base_map_at(&run->done, formula, &value, NULL) == OPAC_OK)
        *value = result;
    else
        ltl_store_fail_memory(run->store);
}

/* Simplifies a formula whose children are simplified. */
static ltl_formula simplify_node(simplify_run *run, ltl_formula formula)
{
    const uint64_t *known = base_map_find(&run->done, formula);
    if (known != NULL)
        return (ltl_formula)*known;
    if (run->work == 0 || run->level >= SIMPLIFY_LEVEL_LIMIT || ltl_store_spend(run->store, 1))
        return formula;
    remember(run, formula, formula);
    run->work--;
    run->level++;
    ltl_formula result = apply_rules(run, formula);
    run->level--;
    remember(run, formula, result);
    return result;
}

ltl_formula view_raw(view v, ltl_op op, ltl_formula left, ltl_formula right)
{
    if (op == LTL_X || op == LTL_F || op == LTL_G)
        return ltl_unary(v.run->store, view_op(v, op), left);
    return ltl_binary(v.run->store, view_op(v, op), left, right);
}

ltl_formula view_unary(view v, ltl_op op, ltl_formula child)
{
    return simplify_node(v.run, ltl_unary(v.run->store, view_op(v, op), child));
}

ltl_formula view_binary(view v, ltl_op op, ltl_formula left, ltl_formula right)
{
    return simplify_node(v.run, ltl_binary(v.run->store, view_op(v, op), left, right));
}

/* ---- lists ---- */

void list_push(simplify_run *run, ltl_formula item)
{
    if (base_u32_vec_push(&run->stack, item, NULL) != OPAC_OK)
        ltl_store_fail_memory(run->store);
}

ltl_formula list_make(view v, ltl_op op, size_t begin)
{
    simplify_run *run = v.run;
    size_t count = list_length(run, begin);
    ltl_formula list = ltl_many(run->store, view_op(v, op), run->stack.items + begin, count);
    list_drop(run, begin);
    return simplify_node(run, list);
}

ltl_formula list_without(view v, ltl_formula list, ltl_formula item)
{
    ltl_op op = view_op_of(v, list);
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        if (view_child(v, list, i) != item)
            list_push(v.run, view_child(v, list, i));
    return list_make(v, op, begin);
}

bool list_has(view v, ltl_op op, ltl_formula list, ltl_formula item)
{
    if (list == item)
        return true;
    if (view_op_of(v, list) != op)
        return false;
    uint32_t low = 0, high = view_arity(v, list);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view_child(v, list, middle) < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < view_arity(v, list) && view_child(v, list, low) == item;
}

bool list_has_all(view v, ltl_op op, ltl_formula list, ltl_formula items)
{
    if (view_op_of(v, items) != op)
        return list_has(v, op, list, items);
    for (uint32_t i = 0; i < view_arity(v, items); i++)
        if (!list_has(v, op, list, view_child(v, items, i)))
            return false;
    return true;
}

ltl_formula list_minus(view v, ltl_op op, ltl_formula list, ltl_formula items)
{
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; view_op_of(v, list) == op && i < view_arity(v, list); i++)
        if (!list_has(v, op, items, view_child(v, list, i)))
            list_push(v.run, view_child(v, list, i));
    return list_make(v, op, begin);
}

ltl_formula list_replace(view v, ltl_formula list, uint32_t index, ltl_formula by)
{
    ltl_op op = view_op_of(v, list);
    size_t begin = list_begin(v.run);
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        list_push(v.run, i == index ? by : view_child(v, list, i));
    return list_make(v, op, begin);
}

bool list_split(view v, ltl_formula list, uint32_t classes, ltl_formula *taken, ltl_formula *rest)
{
    bool any = false;
    for (uint32_t i = 0; i < view_arity(v, list); i++)
        any |= view_is(v, view_child(v, list, i), classes);
    for (int wanted = 0; any && wanted <= 1; wanted++) {
        size_t begin = list_begin(v.run);
        for (uint32_t i = 0; i < view_arity(v, list); i++)
            if (view_is(v, view_child(v, list, i), classes) == (wanted == 1))
                list_push(v.run, view_child(v, list, i));
        *(wanted == 1 ? taken : rest) = list_make(v, view_op_of(v, list), begin);
    }
    return any;
}

/* ---- the whole formula ---- */

/* Simplifies a formula, given the results for its children. */
static ltl_formula simplify_above(simplify_run *run, ltl_formula formula, const base_map *results)
{
    size_t begin = list_begin(run);
    uint32_t arity = ltl_arity(run->store, formula);
    if (arity == 0) /* the stack may be unallocated */
        return simplify_node(run, formula);
    for (uint32_t i = 0; i < arity; i++)
        list_push(run, (ltl_formula)*base_map_find(results, ltl_child(run->store, formula, i)));
    if (ltl_store_failed(run->store))
        return LTL_FALSE;
    ltl_formula above = ltl_rebuild(run->store, formula, run->stack.items + begin);
    list_drop(run, begin);
    return simplify_node(run, above);
}

static ltl_formula simplify_all(simplify_run *run, ltl_formula formula)
{
    base_map results = {0};
    base_u32_vec formulas = {0};
    ltl_formula result = LTL_FALSE;
    opac_status status;
    TRY_OR(done, ltl_subformulas(run->store, formula, &results, &formulas, NULL));
    run->work = (uint64_t)SIMPLIFY_WORK_PER_NODE * (formulas.count + 16);
    for (size_t i = 0; i < formulas.count; i++) {
        ltl_store_set_current(run->store, formulas.items[i]);
        result = simplify_above(run, formulas.items[i], &results);
        *base_map_find(&results, formulas.items[i]) = result;
    }
done:
    base_map_fini(&results);
    base_u32_vec_fini(&formulas);
    return status == OPAC_OK ? result : ltl_store_fail_memory(run->store);
}

void simplify_run_fini(simplify_run *run)
{
    base_map_fini(&run->done);
    base_map_fini(&run->negations);
    base_map_fini(&run->implied);
    base_u32_vec_fini(&run->stack);
}

ltl_formula simplify_normal_form(simplify_run *run, ltl_formula formula)
{
    enum {
        ROUNDS = 4
    };
    ltl_formula result = formula, before = LTL_FALSE;
    for (int i = 0; i < ROUNDS && result != before; i++) {
        /* A rule may have seen a formula whose simplification was in progress; repeat with an empty cache. */
        base_map_clear(&run->done);
        before = result;
        result = simplify_all(run, before);
    }
    return result;
}

uint64_t ltl_work_limit(uint64_t given)
{
    const uint64_t by_default = UINT64_C(1) << 28;
    return given != 0 ? given : by_default;
}

void ltl_append_subformula(const ltl_store *store, ltl_formula part, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t length = error != NULL ? strlen(error->message) : 0;
    if (error != NULL)
        snprintf(error->message + length, sizeof error->message - length, ", for '%s'",
                 ltl_print_short(store, part, shown, sizeof shown));
}

opac_status ltl_fail_stopped(const ltl_store *store, const base_work *work, const char *doing,
                             ltl_formula part, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], text[OPAC_SHOWN_SIZE + 64];
    snprintf(text, sizeof text, "%s '%s'", doing,
             ltl_print_short(store, part, shown, sizeof shown));
    return base_work_fail(work, text, error);
}

ltl_formula ltl_simplify(ltl_store *store, ltl_formula formula)
{
    simplify_run run = {.store = store};
    ltl_store_set_current(store, formula);
    ltl_formula result = simplify_normal_form(&run, ltl_nnf(store, formula, false));
    simplify_run_fini(&run);
    return result;
}

bool ltl_implies(ltl_store *store, ltl_formula f, ltl_formula g)
{
    simplify_run run = {.store = store};
    bool answer = simplify_implies(&run, f, g);
    simplify_run_fini(&run);
    return answer;
}
