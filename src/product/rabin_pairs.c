/* SPDX-License-Identifier: MIT */
#include "product/rabin_pairs.h"

#include "aut/clauses.h"

enum {
    MOST_PAIRS = 1 << 16
};

static opac_status add_pair(aut_clause clause, product_rabin_pair_vec *pairs, bool *needs_always,
                            opac_error *error)
{
    if ((clause.inf & (clause.inf - 1)) != 0)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "an acceptance condition is not a disjunction of Rabin pairs");
    *needs_always |= clause.inf == 0;
    solve_rabin_pair pair = {.fin = clause.fin,
                             .inf = clause.inf != 0 ? clause.inf : PRODUCT_MARK_ALWAYS};
    return product_rabin_pair_vec_push(pairs, pair, error);
}

opac_status product_rabin_pairs(const aut_condition *condition, product_rabin_pair_vec *pairs,
                                bool *needs_always, opac_error *error)
{
    aut_clause_vec clauses = {0};
    bool fits = true;
    *needs_always = false;
    opac_status status;
    TRY_OR(done, aut_condition_clauses(condition, MOST_PAIRS, NULL, &clauses, &fits, error));
    if (!fits)
        status = base_fail(error, OPAC_ERROR_LIMIT,
                           "the acceptance condition has more than %d Rabin pairs", MOST_PAIRS);
    for (size_t i = 0; fits && i < clauses.count; i++)
        TRY_OR(done, add_pair(clauses.items[i], pairs, needs_always, error));
done:
    aut_clause_vec_fini(&clauses);
    return status;
}
