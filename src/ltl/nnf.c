/* SPDX-License-Identifier: MIT */
/*
 * Negation normal form. Results are cached, so each subformula is converted at most twice, once for each
 * sign. The cost is therefore linear in the number of distinct subformulas, even with nested Iff and Xor.
 */

#include "base/map.h"
#include "base/vec.h"
#include "ltl/formula.h"

typedef struct nnf_run {
    ltl_store *store;
    base_map memo; /* formula · 2 + negated ► result */
    base_u32_vec pending;
    bool failed; /* out of memory in the memo */
} nnf_run;

static ltl_formula convert(nnf_run *run, ltl_formula formula, bool negated);

static ltl_formula convert_list(nnf_run *run, ltl_formula formula, bool negated)
{
    ltl_op op = ltl_op_of(run->store, formula);
    size_t base = run->pending.count;
    uint32_t arity = ltl_arity(run->store, formula);
    for (uint32_t i = 0; i < arity; i++) {
        ltl_formula child = convert(run, ltl_child(run->store, formula, i), negated);
        if (base_u32_vec_push(&run->pending, child, NULL) != OPAC_OK)
            run->failed = true;
    }
    ltl_formula result = LTL_FALSE;
    if (!run->failed)
        result =
            ltl_many(run->store, negated ? ltl_dual(op) : op, run->pending.items + base, arity);
    run->pending.count = run->failed ? run->pending.count : base;
    return result;
}

/* a <-> b is (a & b) | (!a & !b), its negation (a & !b) | (!a & b). */
static ltl_formula convert_iff(nnf_run *run, ltl_formula formula, bool differ)
{
    ltl_formula left = ltl_child(run->store, formula, 0), right = ltl_child(run->store, formula, 1);
    ltl_formula both = ltl_and(run->store, convert(run, left, false), convert(run, right, differ));
    ltl_formula neither =
        ltl_and(run->store, convert(run, left, true), convert(run, right, !differ));
    return ltl_or(run->store, both, neither);
}

static ltl_formula convert_node(nnf_run *run, ltl_formula formula, bool negated)
{
    ltl_store *store = run->store;
    ltl_op op = ltl_op_of(store, formula);
    switch (op) {
    case LTL_FALSE:
    case LTL_TRUE:
    case LTL_AP:
        return negated ? ltl_not(store, formula) : formula;
    case LTL_NOT:
        return convert(run, ltl_child(store, formula, 0), !negated);
    case LTL_AND:
    case LTL_OR:
        return convert_list(run, formula, negated);
    case LTL_IMPLIES: {
        ltl_formula left = convert(run, ltl_child(store, formula, 0), !negated);
        ltl_formula right = convert(run, ltl_child(store, formula, 1), negated);
        return ltl_binary(store, negated ? LTL_AND : LTL_OR, left, right);
    }
    case LTL_IFF:
    case LTL_XOR:
        return convert_iff(run, formula, (op == LTL_XOR) != negated);
    case LTL_X:
    case LTL_F:
    case LTL_G: {
        ltl_formula child = convert(run, ltl_child(store, formula, 0), negated);
        return ltl_unary(store, negated ? ltl_dual(op) : op, child);
    }
    default: {
        ltl_formula left = convert(run, ltl_child(store, formula, 0), negated);
        ltl_formula right = convert(run, ltl_child(store, formula, 1), negated);
        return ltl_binary(store, negated ? ltl_dual(op) : op, left, right);
    }
    }
}

static ltl_formula convert(nnf_run *run, ltl_formula formula, bool negated)
{
    if (run->failed || ltl_store_failed(run->store))
        return LTL_FALSE;
    uint64_t key = (uint64_t)formula * 2 + negated, *found = base_map_find(&run->memo, key);
    if (found != NULL)
        return (ltl_formula)*found;
    ltl_formula result = convert_node(run, formula, negated);
    if (base_map_at(&run->memo, key, &found, NULL) == OPAC_OK)
        *found = result;
    else
        run->failed = true;
    return result;
}

ltl_formula ltl_nnf(ltl_store *store, ltl_formula formula, bool negated)
{
    nnf_run run = {.store = store};
    ltl_formula result = convert(&run, formula, negated);
    base_map_fini(&run.memo);
    base_u32_vec_fini(&run.pending);
    if (run.failed)
        result = ltl_store_fail_memory(store);
    return result;
}
