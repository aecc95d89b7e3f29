/* SPDX-License-Identifier: MIT */
/*
 * Decision trees for guards, which find the commands of a module that may be enabled in a state without
 * evaluating most guards. Guards often begin with "s=3 & …". An inner node of the tree branches on the value
 * of such a variable; a leaf lists the commands that may still be enabled, each with the conjuncts of its
 * guard that the path has not decided.
 *
 *                    s ?
 *          0 ╱    1 │    2 ╲
 *      leaf: 4, 5  bc ?     leaf: 6 if x<3
 *                 0╱ ╲1
 *               …     …
 *
 * Invariant: the tree does not change which evaluations fail. It decides a conjunct only if neither the
 * conjunct nor any conjunct before it can fail (conjuncts.h).
 */
#ifndef PRISM_GUARD_TREE_H
#define PRISM_GUARD_TREE_H

#include "prism/code.h"

#define PRISM_NO_ENTRY UINT32_MAX

typedef struct prism_candidate {
    uint32_t command; /* of the module */
    uint32_t guard;   /* code of the undecided conjuncts; PRISM_NO_ENTRY if there are none */
} prism_candidate;

typedef struct prism_guard_tree_node {
    uint32_t variable; /* that the node branches on; PRISM_NO_ENTRY for a leaf */
    uint32_t begin;    /* of its children, or of its candidates */
    uint32_t count;
    int64_t low; /* lower bound of the variable */
} prism_guard_tree_node;

BASE_VEC(prism_candidate_vec, prism_candidate);
BASE_VEC(prism_guard_tree_node_vec, prism_guard_tree_node);

typedef struct prism_guard_tree {
    /* nodes[0] is the root; the children of a node are consecutive. */
    prism_guard_tree_node_vec nodes;
    prism_candidate_vec candidates; /* of the leaves; those of a leaf in the order of the file */
} prism_guard_tree;

/*
 * Builds the tree for those commands of a module for which is_used is set. Adds the code of undecided
 * conjuncts to `code`. values and uses are scratch arrays with an element for each variable of the program;
 * uses must be zero, and is zero afterwards. The tree must be zero; prism_guard_tree_fini is required also
 * on failure.
 */
opac_status prism_guard_tree_build(const prism_program *program, uint32_t module,
                                   const bool *is_used, prism_code *code, int64_t *values,
                                   uint32_t *uses, prism_guard_tree *tree, opac_error *error);
void prism_guard_tree_fini(prism_guard_tree *tree);

/* The leaf for a state. */
static inline const prism_guard_tree_node *prism_guard_tree_find(const prism_guard_tree *tree,
                                                                 const int64_t *values)
{
    const prism_guard_tree_node *node = tree->nodes.items;
    while (node->variable != PRISM_NO_ENTRY)
        node = tree->nodes.items + node->begin + (values[node->variable] - node->low);
    return node;
}

#endif
