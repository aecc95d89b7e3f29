/* SPDX-License-Identifier: MIT */
/*
 * Static analysis of Boolean expressions: their conjuncts, the variables of each conjunct, and whether its
 * evaluation can fail.
 *
 * A conjunct that cannot fail may be evaluated at any time, also before the conjuncts to its left and when
 * one of them is false. A conjunct that can fail must only be evaluated when those to its left are true.
 */
#ifndef PRISM_CONJUNCTS_H
#define PRISM_CONJUNCTS_H

#include "prism/program.h"

#define PRISM_NO_VARIABLE UINT32_MAX

typedef struct prism_conjunct {
    prism_expression expression; /* a subexpression of the whole */
    bool can_fail;
    uint32_t single_variable;  /* its variable if it has exactly one; else PRISM_NO_VARIABLE */
    uint32_t largest_variable; /* the largest index; PRISM_NO_VARIABLE if it has no variables */
} prism_conjunct;

BASE_VEC(prism_conjunct_vec, prism_conjunct);

/* Appends the conjuncts in order, without literals true. An empty expression has none. Linear. */
opac_status prism_conjuncts_find(const prism_program *program, const prism_expression *expression,
                                 prism_conjunct_vec *conjuncts, opac_error *error);

/* first[i]: the first node of the subexpression whose root is node i. Linear. */
void prism_find_first_nodes(const prism_expression *expression, uint32_t *first);

#endif
