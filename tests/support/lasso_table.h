/* SPDX-License-Identifier: MIT */
/*
 * Evaluates formulas on all lassos up to a length at once: the suffixes of such a word are again such
 * words, so a formula is a row with one bit per word, and X is a permuted copy. This is a second oracle
 * besides support/lasso.h, for comparing very many formulas; tests compare the two.
 */
#ifndef SUPPORT_LASSO_TABLE_H
#define SUPPORT_LASSO_TABLE_H

#include "support/lasso.h"

typedef struct lasso_table lasso_table;

/* Of a store whose first propositions are p0, p1, … At most 4 letters. Failures end the test. */
lasso_table *lasso_table_new(const ltl_store *store, uint32_t propositions, uint32_t longest);
void lasso_table_free(lasso_table *table);

size_t lasso_table_words(const lasso_table *table);
/* The word of a bit. */
ltl_lasso lasso_table_word(const lasso_table *table, size_t index);

/* The row of a formula, with lasso_table_row_size uint64_t; valid until the next call. */
const uint64_t *lasso_table_row(lasso_table *table, ltl_formula formula);
size_t lasso_table_row_size(const lasso_table *table);

/* The first word on which they differ, or lasso_table_words. */
size_t lasso_table_difference(lasso_table *table, ltl_formula f, ltl_formula g);
/* The first word on which f holds and g does not, or lasso_table_words. */
size_t lasso_table_counterexample(lasso_table *table, ltl_formula f, ltl_formula g);

#endif
