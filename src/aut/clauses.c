/* SPDX-License-Identifier: MIT */
/*
 * The clauses are built term by term. Operands come before their term, so each list is made from finished
 * lists. All lists are kept until the end, since conditions are small.
 */
#include "aut/clauses.h"

#include "base/alloc.h"

/* Whether clause a implies clause b. */
static bool implies(aut_clause a, aut_clause b)
{
    return (b.fin & ~a.fin) == 0 && (b.inf & ~a.inf) == 0;
}

typedef struct clause_limits {
    size_t most;     /* clauses of a list */
    base_work *work; /* may be NULL */
} clause_limits;

/* Adds a clause, unless it is unsatisfiable or implies another one, and removes those that imply it. */
static opac_status add(aut_clause_vec *list, aut_clause clause, const clause_limits *limits,
                       opac_error *error)
{
    size_t kept = 0;
    if (base_work_spend(limits->work, 1 + list->count / 4))
        return base_work_fail(limits->work, "expanding the acceptance condition", error);
    if ((clause.fin & clause.inf) != 0)
        return OPAC_OK;
    for (size_t i = 0; i < list->count; i++)
        if (implies(clause, list->items[i]))
            return OPAC_OK;
    for (size_t i = 0; i < list->count; i++)
        if (!implies(list->items[i], clause))
            list->items[kept++] = list->items[i];
    list->count = kept;
    return aut_clause_vec_push(list, clause, error);
}

static opac_status add_conjunction(aut_clause_vec *list, const aut_clause_vec *left,
                                   const aut_clause_vec *right, const clause_limits *limits,
                                   opac_error *error)
{
    for (size_t i = 0; i < left->count; i++)
        for (size_t j = 0; j < right->count && list->count <= limits->most; j++)
            TRY(add(list,
                    (aut_clause){left->items[i].fin | right->items[j].fin,
                                 left->items[i].inf | right->items[j].inf},
                    limits, error));
    return OPAC_OK;
}

static opac_status add_disjunction(aut_clause_vec *list, const aut_clause_vec *left,
                                   const aut_clause_vec *right, const clause_limits *limits,
                                   opac_error *error)
{
    for (size_t i = 0; i < left->count; i++)
        TRY(add(list, left->items[i], limits, error));
    for (size_t i = 0; i < right->count; i++)
        TRY(add(list, right->items[i], limits, error));
    return OPAC_OK;
}

static opac_status add_term(aut_term term, aut_clause_vec *lists, size_t at,
                            const clause_limits *limits, opac_error *error)
{
    uint64_t mark = UINT64_C(1) << (term.left % 64);
    switch (term.kind) {
    case AUT_TERM_FALSE:
        return OPAC_OK;
    case AUT_TERM_TRUE:
        return add(&lists[at], (aut_clause){0, 0}, limits, error);
    case AUT_TERM_INF:
        return add(&lists[at], (aut_clause){0, mark}, limits, error);
    case AUT_TERM_FIN:
        return add(&lists[at], (aut_clause){mark, 0}, limits, error);
    case AUT_TERM_AND:
        return add_conjunction(&lists[at], &lists[term.left], &lists[term.right], limits, error);
    default:
        return add_disjunction(&lists[at], &lists[term.left], &lists[term.right], limits, error);
    }
}

opac_status aut_condition_clauses(const aut_condition *condition, size_t most, base_work *work,
                                  aut_clause_vec *clauses, bool *fits, opac_error *error)
{
    const clause_limits limits = {most, work};
    size_t count = condition->terms.count;
    aut_clause_vec *lists = base_alloc_zeroed(count, sizeof *lists);
    opac_status status = OPAC_OK;
    *fits = true;
    clauses->count = 0;
    if (lists == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count && *fits; i++) {
        TRY_OR(done, add_term(condition->terms.items[i], lists, i, &limits, error));
        *fits = lists[i].count <= most;
    }
    for (size_t i = 0; count > 0 && *fits && i < lists[count - 1].count; i++)
        TRY_OR(done, aut_clause_vec_push(clauses, lists[count - 1].items[i], error));
done:
    for (size_t i = 0; i < count; i++)
        aut_clause_vec_fini(&lists[i]);
    base_free(lists);
    return status;
}
