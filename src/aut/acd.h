/* SPDX-License-Identifier: MIT */
/*
 * The alternating cycle decomposition (Casares, Colcombet, Fijalkow 2021;
 * Casares, Duret-Lutz, Meyer, Renkin, Sickert, TACAS 2022). Each component with
 * an edge becomes a tree of cycles (sets of edges of a closed walk): the root
 * is the component, the children of an accepting cycle are its maximal
 * rejecting cycles, those of a rejecting one its maximal accepting ones.
 *
 *           {a b c d} accepting                nodes in preorder, so that the
 *           /              \                   descendants of a node follow it:
 *     {a b} rejecting   {b c} rejecting        node + 1 … end - 1
 *          |
 *     {a} accepting
 *
 * A state is *at home* in a node that visits it while none of its children
 * does. The homes of a state are the memory that a parity automaton needs
 * there (parity.h); how the trees branch says what conditions the language
 * allows (checks.h, rabin.h).
 *
 * Trees can be exponential in the number of marks; nodes are limited. Levels
 * are at most one more than marks, since a child misses a mark of its parent.
 */
#ifndef AUT_ACD_H
#define AUT_ACD_H

#include "aut/cycles.h"

#define AUT_ACD_NONE UINT32_MAX

enum {
    AUT_ACD_NODE_LIMIT = 1000000,
    AUT_ACD_EDGE_LIMIT = 1 << 27 /* of all nodes together */
};

typedef struct aut_acd_node {
    uint32_t parent; /* AUT_ACD_NONE: a root */
    uint32_t end;    /* one behind its last descendant */
    uint32_t depth;  /* 0: a root */
    bool is_accepting;
    uint32_t edge_begin, edge_end; /* its edges, ascending */
    uint32_t home_begin, home_end; /* the states at home in it, ascending */
} aut_acd_node;

BASE_VEC(aut_acd_nodes, aut_acd_node);

typedef struct aut_acd {
    aut_acd_nodes nodes;
    base_u32_vec edges;   /* numbers of edges of the automaton, by node */
    base_u32_vec at_home; /* states of the automaton, by node */
    uint32_t *begin;      /* by state, and one more: where its homes begin */
    uint32_t *home;       /* nodes, ascending; a state on no cycle has none */
} aut_acd;

/* Of all states, reachable or not. */
opac_status aut_acd_build(const opac_automaton *automaton, aut_acd *acd, opac_error *error);
void aut_acd_fini(aut_acd *acd);

/* The levels below and including a root: 1 + the depth of its deepest descendant. */
uint32_t aut_acd_levels(const aut_acd *acd, uint32_t root);

#endif
