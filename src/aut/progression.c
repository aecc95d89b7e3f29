/* SPDX-License-Identifier: MIT */
#include "aut/progression.h"

#include <assert.h>

#include "ltl/simplify.h"

enum {
    MOST_RELATED_ATOMS = 40 /* with more, no pairs of atoms are compared */
};

/* ---- cached results; if memory is exhausted, the formula store fails ---- */

static bool find_result(const base_map *map, uint32_t key, aut_bdd *result)
{
    const uint64_t *found = base_map_find(map, key);
    if (found != NULL)
        *result = (aut_bdd)*found;
    return found != NULL;
}

static aut_bdd store_result(aut_progression *progression, base_map *map, uint32_t key,
                            aut_bdd result)
{
    uint64_t *value;
    if (base_map_at(map, key, &value, NULL) == OPAC_OK)
        *value = result;
    else
        ltl_store_fail_memory(progression->formulas);
    return result;
}

static bool failed(const aut_progression *progression)
{
    return ltl_store_failed(progression->formulas) || aut_bdd_store_failed(progression->bdds);
}

/* ---- atoms ---- */

static aut_bdd atom_variable(aut_progression *progression, ltl_formula formula)
{
    aut_bdd variable;
    if (!find_result(&progression->variable_of, formula, &variable)) {
        variable = AUT_FIRST_ATOM + (uint32_t)progression->atoms.count;
        if (base_u32_vec_push(&progression->atoms, formula, NULL) != OPAC_OK)
            ltl_store_fail_memory(progression->formulas);
        store_result(progression, &progression->variable_of, formula, variable);
    }
    return failed(progression) ? AUT_BDD_FALSE : aut_bdd_variable(progression->bdds, variable);
}

static aut_bdd combine(aut_progression *progression, ltl_formula formula,
                       aut_bdd (*of)(aut_progression *, ltl_formula))
{
    bool is_and = ltl_op_of(progression->formulas, formula) == LTL_AND;
    aut_bdd result = is_and ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    uint32_t arity = ltl_arity(progression->formulas, formula);
    /* The first loop numbers atoms from the first child on. The second joins children from the last one on,
     * since decision diagrams are built bottom up. */
    for (uint32_t i = 0; i < arity; i++)
        of(progression, ltl_child(progression->formulas, formula, i));
    for (uint32_t i = arity; i-- > 0;) {
        aut_bdd child = of(progression, ltl_child(progression->formulas, formula, i));
        result = is_and ? aut_bdd_and(progression->bdds, result, child)
                        : aut_bdd_or(progression->bdds, result, child);
    }
    return result;
}

aut_bdd aut_progression_encode(aut_progression *progression, ltl_formula formula)
{
    aut_bdd result;
    if (failed(progression))
        return AUT_BDD_FALSE;
    if (find_result(&progression->encodings, formula, &result))
        return result;
    switch (ltl_op_of(progression->formulas, formula)) {
    case LTL_FALSE:
    case LTL_TRUE:
        return formula == LTL_TRUE ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    case LTL_NOT:
        result =
            aut_bdd_not(progression->bdds,
                        atom_variable(progression, ltl_child(progression->formulas, formula, 0)));
        break;
    case LTL_AND:
    case LTL_OR:
        result = combine(progression, formula, aut_progression_encode);
        break;
    default:
        result = atom_variable(progression, formula);
    }
    return store_result(progression, &progression->encodings, formula, result);
}

/* ---- unfolding ---- */

static aut_bdd unfold_formula(aut_progression *progression, ltl_formula formula);

static aut_bdd unfold_temporal(aut_progression *progression, ltl_formula formula)
{
    aut_bdd_store *bdds = progression->bdds;
    ltl_op op = ltl_op_of(progression->formulas, formula);
    ltl_formula first = ltl_child(progression->formulas, formula, 0);
    if (op == LTL_X)
        return aut_progression_encode(progression, first);
    aut_bdd left = unfold_formula(progression, first), next = atom_variable(progression, formula);
    if (op == LTL_F)
        return aut_bdd_or(bdds, left, next);
    if (op == LTL_G)
        return aut_bdd_and(bdds, left, next);
    aut_bdd right = unfold_formula(progression, ltl_child(progression->formulas, formula, 1));
    if (op == LTL_U || op == LTL_W)
        return aut_bdd_or(bdds, right, aut_bdd_and(bdds, left, next));
    assert(op == LTL_R || op == LTL_M);
    return aut_bdd_and(bdds, right, aut_bdd_or(bdds, left, next));
}

static aut_bdd unfold_formula(aut_progression *progression, ltl_formula formula)
{
    aut_bdd result;
    if (failed(progression))
        return AUT_BDD_FALSE;
    if (find_result(&progression->unfoldings, formula, &result))
        return result;
    switch (ltl_op_of(progression->formulas, formula)) {
    case LTL_FALSE:
    case LTL_TRUE:
        return formula == LTL_TRUE ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    case LTL_AP:
        result = aut_bdd_variable(progression->bdds, ltl_ap_of(progression->formulas, formula));
        break;
    case LTL_NOT:
        result =
            aut_bdd_not(progression->bdds,
                        unfold_formula(progression, ltl_child(progression->formulas, formula, 0)));
        break;
    case LTL_AND:
    case LTL_OR:
        result = combine(progression, formula, unfold_formula);
        break;
    default:
        result = unfold_temporal(progression, formula);
    }
    return store_result(progression, &progression->unfoldings, formula, result);
}

aut_bdd aut_progression_unfold(aut_progression *progression, aut_bdd residual)
{
    aut_bdd result;
    if (aut_bdd_is_constant(residual) || failed(progression))
        return residual;
    if (find_result(&progression->unfolded, residual, &result))
        return result;
    aut_bdd_node node = *aut_bdd_at(progression->bdds, residual);
    assert(node.variable >= AUT_FIRST_ATOM);
    aut_bdd condition =
        unfold_formula(progression, progression->atoms.items[node.variable - AUT_FIRST_ATOM]);
    aut_bdd low = aut_progression_unfold(progression, node.low);
    aut_bdd high = aut_progression_unfold(progression, node.high);
    result = aut_bdd_ite(progression->bdds, condition, high, low);
    return store_result(progression, &progression->unfolded, residual, result);
}

aut_bdd aut_progression_keep(aut_progression *progression, aut_bdd residual, uint32_t kinds)
{
    for (size_t i = 0; i < progression->atoms.count && !failed(progression); i++)
        if (!ltl_is(progression->formulas, progression->atoms.items[i], kinds))
            residual =
                aut_bdd_restrict(progression->bdds, residual, AUT_FIRST_ATOM + (uint32_t)i, true);
    return residual;
}

/* ---- relations between atoms ---- */

/* Creates the atoms of all residuals that can occur. */
static void collect_atoms(aut_progression *progression)
{
    /* Unfolding an atom can append further atoms to the list. */
    for (size_t i = 0; i < progression->atoms.count && !failed(progression); i++)
        unfold_formula(progression, progression->atoms.items[i]);
}

/* Adds the implications between two atoms and their negations to `consistent`. */
static void relate(aut_progression *progression, ltl_formula f, ltl_formula g,
                   const ltl_formula *negation)
{
    aut_bdd_store *bdds = progression->bdds;
    ltl_store *formulas = progression->formulas;
    aut_bdd a = atom_variable(progression, f), b = atom_variable(progression, g),
            known = AUT_BDD_TRUE;
    if (ltl_implies(formulas, f, g))
        known = aut_bdd_or(bdds, aut_bdd_not(bdds, a), b);
    if (ltl_implies(formulas, g, f))
        known = aut_bdd_and(bdds, known, aut_bdd_or(bdds, aut_bdd_not(bdds, b), a));
    if (ltl_implies(formulas, f, negation[1]))
        known = aut_bdd_and(bdds, known, aut_bdd_not(bdds, aut_bdd_and(bdds, a, b)));
    if (ltl_implies(formulas, negation[0], g))
        known = aut_bdd_and(bdds, known, aut_bdd_or(bdds, a, b));
    progression->consistent = aut_bdd_and(bdds, progression->consistent, known);
}

static void relate_atoms(aut_progression *progression)
{
    ltl_formula negations[MOST_RELATED_ATOMS];
    size_t count = progression->atoms.count;
    if (count > MOST_RELATED_ATOMS)
        return;
    for (size_t i = 0; i < count && !failed(progression); i++) {
        ltl_formula f = progression->atoms.items[i];
        negations[i] = ltl_nnf(progression->formulas, f, true);
        for (size_t j = 0; j < i && !failed(progression); j++)
            relate(progression, f, progression->atoms.items[j],
                   (const ltl_formula[]){negations[i], negations[j]});
    }
}

opac_status aut_progression_init(aut_progression *progression, ltl_store *formulas,
                                 aut_bdd_store *bdds, ltl_formula formula, opac_error *error)
{
    *progression =
        (aut_progression){.formulas = formulas, .bdds = bdds, .consistent = AUT_BDD_TRUE};
    progression->unfolded.slots.work = aut_bdd_store_work(bdds);
    aut_progression_encode(progression, formula);
    collect_atoms(progression);
    relate_atoms(progression);
    opac_status status = ltl_store_check(formulas, error);
    if (status == OPAC_OK)
        status = aut_bdd_store_check(bdds, error);
    if (status != OPAC_OK)
        aut_progression_fini(progression);
    return status;
}

void aut_progression_fini(aut_progression *progression)
{
    base_u32_vec_fini(&progression->atoms);
    base_map_fini(&progression->variable_of);
    base_map_fini(&progression->encodings);
    base_map_fini(&progression->unfoldings);
    base_map_fini(&progression->unfolded);
    *progression = (aut_progression){0};
}
