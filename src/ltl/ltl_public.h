/* SPDX-License-Identifier: MIT */
/* What an opac_formula is: a store of its own, and a formula in it. */
#ifndef LTL_PUBLIC_H
#define LTL_PUBLIC_H

#include <omegapac/formula.h>

#include "base/vec.h"
#include "ltl/formula.h"

struct opac_formula {
    ltl_store *store; /* not changed any more */
    ltl_formula root;
    base_u32_vec propositions; /* those that occur below the root, by number in the store */
};

/* Takes the store over, also when it fails. */
opac_status ltl_public_wrap(ltl_store *store, ltl_formula root, opac_formula **formula,
                            opac_error *error);

#endif
