/* SPDX-License-Identifier: MIT */
/*
 * Traverses the nodes below a formula without recursion. Children have smaller numbers than their parents, so
 * one pass in descending order finds all nodes and one in ascending order copies them. Takes time linear in
 * the number of the formula.
 */
#include "ltl/copy.h"

#include <stdlib.h>

#include "base/bitset.h"

static opac_status mark(const ltl_store *store, ltl_formula formula, base_bitset *marked,
                        opac_error *error)
{
    TRY(base_bitset_init(marked, (size_t)formula + 1, error));
    base_bitset_add(marked, formula);
    for (ltl_formula at = formula; at > LTL_TRUE; at--)
        if (base_bitset_has(marked, at))
            for (uint32_t i = 0; i < ltl_arity(store, at); i++)
                base_bitset_add(marked, ltl_child(store, at, i));
    return OPAC_OK;
}

/* Nodes of propositions are in the order of the propositions' numbers. */
static opac_status collect(const ltl_store *store, const base_bitset *marked, base_u32_vec *numbers,
                           opac_error *error)
{
    for (size_t at = base_bitset_next(marked, 0); at < marked->size;
         at = base_bitset_next(marked, at + 1))
        if (ltl_op_of(store, (ltl_formula)at) == LTL_AP)
            TRY(base_u32_vec_push(numbers, ltl_ap_of(store, (ltl_formula)at), error));
    return OPAC_OK;
}

opac_status ltl_propositions(const ltl_store *store, ltl_formula formula, base_u32_vec *numbers,
                             opac_error *error)
{
    base_bitset marked = {0};
    opac_status status = mark(store, formula, &marked, error);
    if (status == OPAC_OK)
        status = collect(store, &marked, numbers, error);
    base_bitset_fini(&marked);
    return status;
}

static int compare_formulas(const void *a, const void *b)
{
    ltl_formula x = *(const ltl_formula *)a, y = *(const ltl_formula *)b;
    return (x > y) - (x < y);
}

static opac_status see(ltl_formula formula, base_map *seen, base_u32_vec *formulas,
                       opac_error *error)
{
    uint64_t *value;
    if (base_map_find(seen, formula) != NULL)
        return OPAC_OK;
    TRY(base_map_at(seen, formula, &value, error));
    return base_u32_vec_push(formulas, formula, error);
}

/* Breadth-first: the list of subformulas is also the queue. */
opac_status ltl_subformulas(const ltl_store *store, ltl_formula formula, base_map *seen,
                            base_u32_vec *formulas, opac_error *error)
{
    TRY(see(formula, seen, formulas, error));
    for (size_t next = 0; next < formulas->count; next++) {
        ltl_formula parent = formulas->items[next];
        uint32_t arity = ltl_arity(store, parent);
        for (uint32_t i = 0; i < arity; i++)
            TRY(see(ltl_child(store, parent, i), seen, formulas, error));
    }
    qsort(formulas->items, formulas->count, sizeof *formulas->items, compare_formulas);
    return OPAC_OK;
}

typedef struct copier {
    const ltl_store *from;
    ltl_store *to;
    base_bitset marked;
    base_u32_vec copies; /* by formula of the old store */
    base_u32_vec children;
} copier;

static opac_status copy_node(copier *run, ltl_formula at, opac_error *error)
{
    uint32_t arity = ltl_arity(run->from, at);
    ltl_op op = ltl_op_of(run->from, at);
    TRY(base_u32_vec_reserve(&run->children, arity, error));
    ltl_formula *children = run->children.items;
    for (uint32_t i = 0; i < arity; i++)
        children[i] = run->copies.items[ltl_child(run->from, at, i)];
    ltl_formula copy = at; /* a constant */
    if (op == LTL_AND || op == LTL_OR)
        copy = ltl_many(run->to, op, children, arity);
    else if (arity == 2)
        copy = ltl_binary(run->to, op, children[0], children[1]);
    else if (arity == 1)
        copy = ltl_unary(run->to, op, children[0]);
    else if (op == LTL_AP) {
        const char *name = ltl_ap_name(run->from, ltl_ap_of(run->from, at));
        size_t length = 0;
        while (name[length] != '\0')
            length++;
        copy = ltl_ap(run->to, name, length);
    }
    run->copies.items[at] = copy;
    return OPAC_OK;
}

opac_status ltl_copy(const ltl_store *from, ltl_formula formula, ltl_store *to, ltl_formula *copy,
                     opac_error *error)
{
    copier run = {.from = from, .to = to};
    opac_status status;
    TRY_OR(done, mark(from, formula, &run.marked, error));
    TRY_OR(done, base_u32_vec_reserve(&run.copies, (size_t)formula + 1, error));
    for (size_t at = 0; at < run.marked.size; at = base_bitset_next(&run.marked, at + 1))
        if (base_bitset_has(&run.marked, at))
            TRY_OR(done, copy_node(&run, (ltl_formula)at, error));
    TRY_OR(done, ltl_store_check(to, error));
    *copy = run.copies.items[formula];
done:
    base_bitset_fini(&run.marked);
    base_u32_vec_fini(&run.copies);
    base_u32_vec_fini(&run.children);
    return status;
}
