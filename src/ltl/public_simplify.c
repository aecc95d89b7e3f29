/* SPDX-License-Identifier: MIT */
/* The public simplification. It works in a new store, because an opac_formula is immutable. */
#include "ltl/copy.h"
#include "ltl/ltl_public.h"
#include "ltl/simplify.h"

/* If the work was stopped, the error names the subformula that was being simplified. */
static opac_status simplify(ltl_store *store, ltl_formula *root, base_work *work, opac_error *error)
{
    ltl_store_set_work(store, work);
    *root = ltl_simplify(store, *root);
    ltl_store_set_work(store, NULL);
    return base_work_is_stopped(work)
               ? ltl_fail_stopped(store, work, "simplifying", ltl_store_current(store), error)
               : OPAC_OK;
}

opac_status opac_formula_simplify(const opac_formula *formula, const opac_cancel *cancel,
                                  uint64_t work_limit, opac_formula **simpler, opac_error *error)
{
    base_work work;
    ltl_store *store;
    ltl_formula root = LTL_FALSE;
    base_work_init(&work, cancel, ltl_work_limit(work_limit));
    TRY(ltl_store_new(&store, error));
    opac_status status;
    TRY_OR(done, ltl_copy(formula->store, formula->root, store, &root, error));
    TRY_OR(done, simplify(store, &root, &work, error));
    return ltl_public_wrap(store, root, simpler, error);
done:
    ltl_store_free(store);
    return status;
}
