/* SPDX-License-Identifier: MIT */
/*
 * Formulas and words for property tests: random ones, and all of them up to a
 * size. The same seed gives the same ones. Propositions are p0, p1, … and get
 * these numbers in a store that has no others.
 */
#ifndef SUPPORT_RANDOM_FORMULA_H
#define SUPPORT_RANDOM_FORMULA_H

#include "base/vec.h"
#include "support/lasso.h"
#include "support/random.h"

#define OPERATOR(op) (UINT32_C(1) << (op))

/* Sets of operators, as bits. */
enum {
    OPERATORS_OF_NORMAL_FORM = 1 << LTL_NOT | 1 << LTL_AND | 1 << LTL_OR | 1 << LTL_X | 1 << LTL_F |
                               1 << LTL_G | 1 << LTL_U | 1 << LTL_R | 1 << LTL_W | 1 << LTL_M,
    OPERATORS_OF_LTL = OPERATORS_OF_NORMAL_FORM | 1 << LTL_IMPLIES | 1 << LTL_IFF | 1 << LTL_XOR
};

typedef struct random_formula_shape {
    uint32_t operators;    /* in the syntax tree, And and Or of two; folding may leave fewer */
    uint32_t propositions; /* at least 1 */
    uint32_t allowed;      /* bits OPERATOR(op); with LTL_FALSE or LTL_TRUE, leaves may be these */
} random_formula_shape;

ltl_formula random_formula(ltl_store *store, uint64_t *random, const random_formula_shape *shape);

/*
 * All formulas with at most so many operators, in order of size, each node
 * once. Failures of memory end the test.
 */
void all_formulas(ltl_store *store, const random_formula_shape *shape, base_u32_vec *formulas);

/* A word with its letters; `word` points into `letters`, so do not copy it. */
typedef struct lasso_letters {
    uint64_t letters[64];
    ltl_lasso word;
} lasso_letters;

/* At most so many letters, up to 64; letters repeat often, so that words have a shape. */
void random_lasso(uint64_t *random, uint32_t propositions, uint32_t longest, lasso_letters *lasso);

/*
 * The next word in an order that begins with the shortest; lasso of all zeros:
 * the first. False when all up to this length have been given.
 */
bool next_lasso(uint32_t propositions, uint32_t longest, lasso_letters *lasso);

#endif
