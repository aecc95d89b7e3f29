/* SPDX-License-Identifier: MIT */
/*
 * Built term by term; children come first, so each list is made of finished
 * ones. Lists of terms that were used stay until the end: conditions are small.
 */
#include "aut/clauses.h"

#include "base/alloc.h"

/* Whether everything that a accepts is accepted by b. */
static bool implies(aut_clause a, aut_clause b)
{
    return (b.fin & ~a.fin) == 0 && (b.inf & ~a.inf) == 0;
}

/* The state of building a list of clauses. */
typedef struct making {
    size_t most;     /* clauses of a list */
    base_work *work; /* may be NULL */
} making;

/* Adds a clause unless it is impossible or implied, and drops those that it makes superfluous. */
static opac_status add(aut_clause_vec *list, aut_clause clause, const making *made,
                       opac_error *error)
{
    size_t kept = 0;
    if (base_work_spend(made->work, 1 + list->count / 4))
        return base_work_fail(made->work, "taking the acceptance condition apart", error);
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

static opac_status add_both(aut_clause_vec *list, const aut_clause_vec *left,
                            const aut_clause_vec *right, const making *made, opac_error *error)
{
    for (size_t i = 0; i < left->count; i++)
        for (size_t j = 0; j < right->count && list->count <= made->most; j++)
            TRY(add(list,
                    (aut_clause){left->items[i].fin | right->items[j].fin,
                                 left->items[i].inf | right->items[j].inf},
                    made, error));
    return OPAC_OK;
}

static opac_status add_either(aut_clause_vec *list, const aut_clause_vec *left,
                              const aut_clause_vec *right, const making *made, opac_error *error)
{
    for (size_t i = 0; i < left->count; i++)
        TRY(add(list, left->items[i], made, error));
    for (size_t i = 0; i < right->count; i++)
        TRY(add(list, right->items[i], made, error));
    return OPAC_OK;
}

static opac_status clauses_of(aut_term term, aut_clause_vec *lists, size_t at, const making *made,
                              opac_error *error)
{
    uint64_t mark = UINT64_C(1) << (term.left % 64);
    switch (term.kind) {
    case AUT_TERM_FALSE:
        return OPAC_OK;
    case AUT_TERM_TRUE:
        return add(&lists[at], (aut_clause){0, 0}, made, error);
    case AUT_TERM_INF:
        return add(&lists[at], (aut_clause){0, mark}, made, error);
    case AUT_TERM_FIN:
        return add(&lists[at], (aut_clause){mark, 0}, made, error);
    case AUT_TERM_AND:
        return add_both(&lists[at], &lists[term.left], &lists[term.right], made, error);
    default:
        return add_either(&lists[at], &lists[term.left], &lists[term.right], made, error);
    }
}

opac_status aut_condition_clauses(const aut_condition *condition, size_t most, base_work *work,
                                  aut_clause_vec *clauses, bool *fits, opac_error *error)
{
    const making made = {most, work};
    size_t count = condition->terms.count;
    aut_clause_vec *lists = base_alloc_zeroed(count, sizeof *lists);
    opac_status status = OPAC_OK;
    *fits = true;
    clauses->count = 0;
    if (lists == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count && *fits; i++) {
        TRY_OR(done, clauses_of(condition->terms.items[i], lists, i, &made, error));
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
