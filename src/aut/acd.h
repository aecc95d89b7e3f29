/* SPDX-License-Identifier: MIT */
/*
 * The alternating cycle decomposition, ACD (Casares, Colcombet, Fijalkow 2021; Casares, Duret-Lutz, Meyer,
 * Renkin, Sickert, TACAS 2022). A cycle is the set of edges of a closed walk. For each strongly connected
 * component with an edge, the ACD has a tree of cycles: the root is the set of all edges of the component,
 * the children of an accepting cycle are its maximal rejecting subcycles, and the children of a rejecting
 * cycle are its maximal accepting subcycles.
 *
 *           {a b c d} accepting                Nodes are stored in preorder, so that the
 *           /              \                   descendants of a node follow it:
 *     {a b} rejecting   {b c} rejecting        node + 1 … end - 1
 *          |
 *     {a} accepting
 *
 * A node is a *leaf of a state* if it visits the state and none of its children does. The leaves of a state
 * are the memory that a parity automaton needs in that state (parity.h). The shape of the trees determines
 * which acceptance conditions are possible on the same states (checks.h, rabin.h).
 *
 * The trees can be exponential in the number of marks, so the number of nodes is limited. A tree has at most
 * one level more than there are marks, since each child lacks a mark of its parent.
 */
#ifndef AUT_ACD_H
#define AUT_ACD_H

#include "aut/cycles.h"

#define AUT_ACD_NONE UINT32_MAX

enum {
    AUT_ACD_NODE_LIMIT = 1000000,
    AUT_ACD_EDGE_LIMIT = 1 << 27 /* sum over all nodes */
};

typedef struct aut_acd_node {
    uint32_t parent; /* AUT_ACD_NONE for a root */
    uint32_t end;    /* 1 + its last descendant */
    uint32_t depth;  /* 0 for a root */
    bool is_accepting;
    uint32_t edge_begin, edge_end;             /* its edges, ascending */
    uint32_t leaf_state_begin, leaf_state_end; /* the states that it is a leaf of, ascending */
} aut_acd_node;

BASE_VEC(aut_acd_nodes, aut_acd_node);

typedef struct aut_acd {
    aut_acd_nodes nodes;
    base_u32_vec edges;       /* numbers of edges of the automaton, by node */
    base_u32_vec leaf_states; /* states of the automaton, by node */
    uint32_t *leaf_begin;     /* by state, and one more: index into leaves */
    uint32_t *leaves;         /* nodes, ascending; a state on no cycle has none */
} aut_acd;

/* Builds the trees of all components, reachable or not. */
opac_status aut_acd_build(const opac_automaton *automaton, aut_acd *acd, opac_error *error);
void aut_acd_fini(aut_acd *acd);

/* The number of levels of the tree with this root. */
uint32_t aut_acd_levels(const aut_acd *acd, uint32_t root);

#endif
