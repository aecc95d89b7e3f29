/* SPDX-License-Identifier: MIT */
/*
 * Rewriting into Delta2: a Boolean combination of formulas in Sigma2 or Pi2.
 */
#ifndef LTL_NORMALIZE_H
#define LTL_NORMALIZE_H

#include "ltl/formula.h"

/*
 * An equivalent, simplified formula whose maximal temporal subformulas (those below And and Or only) are in
 * LTL_SIGMA2 or LTL_PI2. The argument must be in negation normal form. `dual` normalises via the negation,
 * which often gives another result; callers try both.
 */
ltl_formula ltl_normalize(ltl_store *store, ltl_formula formula, bool dual);

/* Whether a formula in negation normal form has this form. */
bool ltl_is_normal(ltl_store *store, ltl_formula formula);

#endif
