/* SPDX-License-Identifier: MIT */
/* The data structure of an opac_formula: a store of its own and a formula in it. */
#ifndef LTL_PUBLIC_H
#define LTL_PUBLIC_H

#include <omegapac/formula.h>

#include "base/vec.h"
#include "ltl/formula.h"

struct opac_formula {
    ltl_store *store; /* immutable */
    ltl_formula root;
    base_u32_vec propositions; /* numbers of the propositions that occur in the root */
};

/* Makes an opac_formula. It takes ownership of the store, also after a failure. */
opac_status ltl_public_wrap(ltl_store *store, ltl_formula root, opac_formula **formula,
                            opac_error *error);

#endif
