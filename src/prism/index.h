/* SPDX-License-Identifier: MIT */
/*
 * Which commands of a module may be enabled, without looking at most of them.
 * Guards mostly begin with "s=3 & …": a tree asks for the values of such
 * variables, and its leaves list the commands that are left, each with what is
 * left of its guard.
 *
 *                    s ?
 *          0 ╱    1 │    2 ╲
 *      leaf: 4, 5  bc ?     leaf: 6 if x<3
 *                 0╱ ╲1
 *               …     …
 *
 * Only parts of a guard that cannot fail are decided by the tree (conjuncts.h),
 * and only if no part before them can: so what fails in a state fails with the
 * tree as it does without.
 */
#ifndef PRISM_INDEX_H
#define PRISM_INDEX_H

#include "prism/code.h"

#define PRISM_NO_ENTRY UINT32_MAX

typedef struct prism_candidate {
    uint32_t command; /* of the module */
    uint32_t guard;   /* what is left of it; PRISM_NO_ENTRY: nothing */
} prism_candidate;

typedef struct prism_index_node {
    uint32_t variable; /* PRISM_NO_ENTRY: a leaf */
    uint32_t begin;    /* of its children, or of its candidates */
    uint32_t count;
    int64_t low; /* of the variable */
} prism_index_node;

BASE_VEC(prism_candidate_vec, prism_candidate);
BASE_VEC(prism_index_node_vec, prism_index_node);

typedef struct prism_index {
    prism_index_node_vec nodes;     /* 0 is the root; the children of one lie side by side */
    prism_candidate_vec candidates; /* of the leaves, in the order of the file */
} prism_index;

/*
 * Of the commands of a module for which `wanted` is set. What is left of the
 * guards goes into the code. values, uses: room for a number a variable; uses is
 * zero before and after.
 */
opac_status prism_index_make(const prism_program *program, uint32_t module, const bool *wanted,
                             prism_code *code, int64_t *values, uint32_t *uses, prism_index *index,
                             opac_error *error);
void prism_index_fini(prism_index *index);

/* The candidates in a state. */
static inline const prism_index_node *prism_index_find(const prism_index *index,
                                                       const int64_t *values)
{
    const prism_index_node *node = index->nodes.items;
    while (node->variable != PRISM_NO_ENTRY)
        node = index->nodes.items + node->begin + (values[node->variable] - node->low);
    return node;
}

#endif
