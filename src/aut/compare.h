/* SPDX-License-Identifier: MIT */
/*
 * Exact comparison of the languages of deterministic automata. Two states are not equivalent if some word is
 * accepted from one and not from the other. Then the product of the automata has a cycle, reachable from the
 * pair of states, that satisfies the condition on one side and not on the other; or one side rejects a letter
 * that the other can read.
 *
 * The latter requires that all states of the tables are live: the language of each state is not empty.
 */
#ifndef AUT_COMPARE_H
#define AUT_COMPARE_H

#include "aut/cycles.h"
#include "aut/table.h"

typedef struct aut_comparison {
    const aut_condition *condition; /* of both sides */
    uint32_t mark_count;
    /* Conditions over the marks of both sides: mark m of the left is m, of the right mark_count + m. */
    aut_condition left_only, right_only;
    graph_workspace workspace;
    uint32_t *node_of; /* by left · right_states + right: 1 + the node of the pair, or 0 */
    size_t node_of_size;
    uint32_t right_states;
    base_u64_vec pairs; /* by node: left << 32 | right */
    base_u32_vec begin, target;
    base_u64_vec marks;
    uint64_t edges_visited; /* in all comparisons; a measure of the cost */
} aut_comparison;

/* The condition is borrowed. Fails with OPAC_ERROR_LIMIT when it has more than 31 marks. */
opac_status aut_comparison_init(aut_comparison *comparison, const aut_condition *condition,
                                uint32_t mark_count, opac_error *error);
void aut_comparison_fini(aut_comparison *comparison);

/* Whether two tables over the same classes of letters have the same language. */
opac_status aut_comparison_equal(aut_comparison *comparison, const aut_table *left,
                                 const aut_table *right, bool *equal, opac_error *error);

/*
 * Finds the residual languages of a table: residual[state] is the least state with the same language.
 * Quadratic in the number of states with the same fingerprint. *known is false, and `residual` is undefined,
 * if more than most_pairs pairs would have to be compared.
 */
opac_status aut_comparison_residuals(aut_comparison *comparison, const aut_table *table,
                                     uint64_t most_pairs, uint32_t *residual, bool *known,
                                     opac_error *error);

#endif
