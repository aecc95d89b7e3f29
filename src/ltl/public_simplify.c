/* SPDX-License-Identifier: MIT */
/* The public simplification: in a new store, because a formula never changes. */
#include "ltl/copy.h"
#include "ltl/public.h"
#include "ltl/simplify.h"

opac_status opac_formula_simplify(const opac_formula *formula, opac_formula **simpler,
                                  opac_error *error)
{
    ltl_store *store;
    ltl_formula root = LTL_FALSE;
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = ltl_copy(formula->store, formula->root, store, &root, error);
    if (status != OPAC_OK) {
        ltl_store_free(store);
        return status;
    }
    return ltl_public_wrap(store, ltl_simplify(store, root), simpler, error);
}
