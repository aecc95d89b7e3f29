/* SPDX-License-Identifier: MIT */
/*
 * Languages of deterministic automata compared, exactly: two states differ when
 * some word is accepted from one and not from the other, and then there is one
 * that ends in a cycle of their product on which the conditions disagree.
 *
 * All states of the tables are live: from each of them something is accepted.
 * So a letter that is missing in one state and not in the other makes a
 * difference as well.
 */
#ifndef AUT_COMPARE_H
#define AUT_COMPARE_H

#include "aut/cycles.h"
#include "aut/table.h"

typedef struct aut_comparison {
    const aut_condition *condition; /* of both sides */
    uint32_t mark_count;
    /* Over marks of the left, and those of the right behind them. */
    aut_condition left_only, right_only;
    graph_workspace workspace;
    uint32_t *node_of; /* left · states of the right + right ► its node + 1, or 0 */
    size_t node_of_size;
    uint32_t right_states;
    base_u64_vec pairs; /* by node: left << 32 | right */
    base_u32_vec begin, target;
    base_u64_vec marks;
    uint64_t work; /* edges looked at, over all comparisons */
} aut_comparison;

/* The condition is borrowed. Fails with OPAC_ERROR_LIMIT when it has more than 31 marks. */
opac_status aut_comparison_init(aut_comparison *comparison, const aut_condition *condition,
                                uint32_t mark_count, opac_error *error);
void aut_comparison_fini(aut_comparison *comparison);

/* Do two tables over the same classes accept the same words? */
opac_status aut_comparison_equal(aut_comparison *comparison, const aut_table *left,
                                 const aut_table *right, bool *equal, opac_error *error);

/*
 * The states of a table by language: residual[state] is the least state that
 * accepts the same words. Quadratic in the number of states with the same
 * fingerprint. *known is false, and nothing is said, when more than most_pairs
 * pairs would have to be compared.
 */
opac_status aut_comparison_residuals(aut_comparison *comparison, const aut_table *table,
                                     uint64_t most_pairs, uint32_t *residual, bool *known,
                                     opac_error *error);

#endif
