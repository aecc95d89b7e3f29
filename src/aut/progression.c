/* SPDX-License-Identifier: MIT */
#include "aut/progression.h"

#include <assert.h>

#include "ltl/simplify.h"

enum {
    MOST_RELATED_ATOMS = 40 /* pairs of atoms are compared only up to here */
};

/* ---- memory of results; out of memory is remembered by the formulas ---- */

static bool recall(const base_map *map, uint32_t key, aut_bdd *result)
{
    const uint64_t *found = base_map_find(map, key);
    if (found != NULL)
        *result = (aut_bdd)*found;
    return found != NULL;
}

static aut_bdd remember(aut_progress *progress, base_map *map, uint32_t key, aut_bdd result)
{
    uint64_t *value;
    if (base_map_at(map, key, &value, NULL) == OPAC_OK)
        *value = result;
    else
        ltl_store_fail_memory(progress->formulas);
    return result;
}

static bool failed(const aut_progress *progress)
{
    return ltl_store_failed(progress->formulas) || aut_bdd_store_failed(progress->bdds);
}

/* ---- atoms ---- */

static aut_bdd atom(aut_progress *progress, ltl_formula formula)
{
    aut_bdd variable;
    if (!recall(&progress->variable_of, formula, &variable)) {
        variable = AUT_FIRST_ATOM + (uint32_t)progress->atoms.count;
        if (base_u32_vec_push(&progress->atoms, formula, NULL) != OPAC_OK)
            ltl_store_fail_memory(progress->formulas);
        remember(progress, &progress->variable_of, formula, variable);
    }
    return failed(progress) ? AUT_BDD_FALSE : aut_bdd_variable(progress->bdds, variable);
}

static aut_bdd combine(aut_progress *progress, ltl_formula formula,
                       aut_bdd (*of)(aut_progress *, ltl_formula))
{
    bool is_and = ltl_op_of(progress->formulas, formula) == LTL_AND;
    aut_bdd result = is_and ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    uint32_t arity = ltl_arity(progress->formulas, formula);
    /* Atoms are numbered from the first child on, but joined from the last: diagrams grow upwards. */
    for (uint32_t i = 0; i < arity; i++)
        of(progress, ltl_child(progress->formulas, formula, i));
    for (uint32_t i = arity; i-- > 0;) {
        aut_bdd child = of(progress, ltl_child(progress->formulas, formula, i));
        result = is_and ? aut_bdd_and(progress->bdds, result, child)
                        : aut_bdd_or(progress->bdds, result, child);
    }
    return result;
}

aut_bdd aut_progress_demand(aut_progress *progress, ltl_formula formula)
{
    aut_bdd result;
    if (failed(progress))
        return AUT_BDD_FALSE;
    if (recall(&progress->demands, formula, &result))
        return result;
    switch (ltl_op_of(progress->formulas, formula)) {
    case LTL_FALSE:
    case LTL_TRUE:
        return formula == LTL_TRUE ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    case LTL_NOT:
        result =
            aut_bdd_not(progress->bdds, atom(progress, ltl_child(progress->formulas, formula, 0)));
        break;
    case LTL_AND:
    case LTL_OR:
        result = combine(progress, formula, aut_progress_demand);
        break;
    default:
        result = atom(progress, formula);
    }
    return remember(progress, &progress->demands, formula, result);
}

/* ---- unfolding ---- */

static aut_bdd unfold(aut_progress *progress, ltl_formula formula);

static aut_bdd unfold_temporal(aut_progress *progress, ltl_formula formula)
{
    aut_bdd_store *bdds = progress->bdds;
    ltl_op op = ltl_op_of(progress->formulas, formula);
    ltl_formula first = ltl_child(progress->formulas, formula, 0);
    if (op == LTL_X)
        return aut_progress_demand(progress, first);
    aut_bdd left = unfold(progress, first), next = atom(progress, formula);
    if (op == LTL_F)
        return aut_bdd_or(bdds, left, next);
    if (op == LTL_G)
        return aut_bdd_and(bdds, left, next);
    aut_bdd right = unfold(progress, ltl_child(progress->formulas, formula, 1));
    if (op == LTL_U || op == LTL_W)
        return aut_bdd_or(bdds, right, aut_bdd_and(bdds, left, next));
    assert(op == LTL_R || op == LTL_M);
    return aut_bdd_and(bdds, right, aut_bdd_or(bdds, left, next));
}

static aut_bdd unfold(aut_progress *progress, ltl_formula formula)
{
    aut_bdd result;
    if (failed(progress))
        return AUT_BDD_FALSE;
    if (recall(&progress->unfoldings, formula, &result))
        return result;
    switch (ltl_op_of(progress->formulas, formula)) {
    case LTL_FALSE:
    case LTL_TRUE:
        return formula == LTL_TRUE ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    case LTL_AP:
        result = aut_bdd_variable(progress->bdds, ltl_ap_of(progress->formulas, formula));
        break;
    case LTL_NOT:
        result = aut_bdd_not(progress->bdds,
                             unfold(progress, ltl_child(progress->formulas, formula, 0)));
        break;
    case LTL_AND:
    case LTL_OR:
        result = combine(progress, formula, unfold);
        break;
    default:
        result = unfold_temporal(progress, formula);
    }
    return remember(progress, &progress->unfoldings, formula, result);
}

aut_bdd aut_progress_step(aut_progress *progress, aut_bdd demand)
{
    aut_bdd result;
    if (aut_bdd_is_constant(demand) || failed(progress))
        return demand;
    if (recall(&progress->steps, demand, &result))
        return result;
    aut_bdd_node node = *aut_bdd_at(progress->bdds, demand);
    assert(node.variable >= AUT_FIRST_ATOM);
    aut_bdd condition = unfold(progress, progress->atoms.items[node.variable - AUT_FIRST_ATOM]);
    aut_bdd low = aut_progress_step(progress, node.low);
    aut_bdd high = aut_progress_step(progress, node.high);
    result = aut_bdd_ite(progress->bdds, condition, high, low);
    return remember(progress, &progress->steps, demand, result);
}

aut_bdd aut_progress_keep(aut_progress *progress, aut_bdd demand, uint32_t kinds)
{
    for (size_t i = 0; i < progress->atoms.count && !failed(progress); i++)
        if (!ltl_is(progress->formulas, progress->atoms.items[i], kinds))
            demand = aut_bdd_restrict(progress->bdds, demand, AUT_FIRST_ATOM + (uint32_t)i, true);
    return demand;
}

/* ---- relations between atoms ---- */

/* Makes the atoms of everything that can be demanded, so that their set is known. */
static void collect_atoms(aut_progress *progress)
{
    /* Unfolding an atom may make further atoms at the end of the list. */
    for (size_t i = 0; i < progress->atoms.count && !failed(progress); i++)
        unfold(progress, progress->atoms.items[i]);
}

static void relate(aut_progress *progress, ltl_formula f, ltl_formula g,
                   const ltl_formula *negation)
{
    aut_bdd_store *bdds = progress->bdds;
    ltl_store *formulas = progress->formulas;
    aut_bdd a = atom(progress, f), b = atom(progress, g), known = AUT_BDD_TRUE;
    if (ltl_implies(formulas, f, g))
        known = aut_bdd_or(bdds, aut_bdd_not(bdds, a), b);
    if (ltl_implies(formulas, g, f))
        known = aut_bdd_and(bdds, known, aut_bdd_or(bdds, aut_bdd_not(bdds, b), a));
    if (ltl_implies(formulas, f, negation[1]))
        known = aut_bdd_and(bdds, known, aut_bdd_not(bdds, aut_bdd_and(bdds, a, b)));
    if (ltl_implies(formulas, negation[0], g))
        known = aut_bdd_and(bdds, known, aut_bdd_or(bdds, a, b));
    progress->consistent = aut_bdd_and(bdds, progress->consistent, known);
}

static void relate_atoms(aut_progress *progress)
{
    ltl_formula negations[MOST_RELATED_ATOMS];
    size_t count = progress->atoms.count;
    if (count > MOST_RELATED_ATOMS)
        return;
    for (size_t i = 0; i < count && !failed(progress); i++) {
        ltl_formula f = progress->atoms.items[i];
        negations[i] = ltl_nnf(progress->formulas, f, true);
        for (size_t j = 0; j < i && !failed(progress); j++)
            relate(progress, f, progress->atoms.items[j],
                   (const ltl_formula[]){negations[i], negations[j]});
    }
}

opac_status aut_progress_init(aut_progress *progress, ltl_store *formulas, aut_bdd_store *bdds,
                              ltl_formula formula, opac_error *error)
{
    *progress = (aut_progress){.formulas = formulas, .bdds = bdds, .consistent = AUT_BDD_TRUE};
    progress->steps.slots.work = aut_bdd_store_work(bdds);
    aut_progress_demand(progress, formula);
    collect_atoms(progress);
    relate_atoms(progress);
    opac_status status = ltl_store_check(formulas, error);
    if (status == OPAC_OK)
        status = aut_bdd_store_check(bdds, error);
    if (status != OPAC_OK)
        aut_progress_fini(progress);
    return status;
}

void aut_progress_fini(aut_progress *progress)
{
    base_u32_vec_fini(&progress->atoms);
    base_map_fini(&progress->variable_of);
    base_map_fini(&progress->demands);
    base_map_fini(&progress->unfoldings);
    base_map_fini(&progress->steps);
    *progress = (aut_progress){0};
}
