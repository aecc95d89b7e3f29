/* SPDX-License-Identifier: MIT */
/*
 * What can be said of a Boolean expression before it is evaluated: the parts
 * that are joined by & at its top, the variables of each, and whether
 * evaluating it can fail.
 *
 * A part that cannot fail may be evaluated at any time, before its turn and
 * where an earlier part is false already; one that can fail may not.
 */
#ifndef PRISM_CONJUNCTS_H
#define PRISM_CONJUNCTS_H

#include "prism/program.h"

#define PRISM_NO_VARIABLE UINT32_MAX

typedef struct prism_conjunct {
    prism_expression expression; /* part of the whole */
    bool can_fail;
    uint32_t only;    /* its variable, when it has just one; else PRISM_NO_VARIABLE */
    uint32_t largest; /* the largest of its variables; PRISM_NO_VARIABLE: it has none */
} prism_conjunct;

BASE_VEC(prism_conjunct_vec, prism_conjunct);

/* Appends the parts in order; a literal true has none. No expression: none. Linear. */
opac_status prism_conjuncts_find(const prism_program *program, const prism_expression *expression,
                                 prism_conjunct_vec *parts, opac_error *error);

/* Where the expression of each node begins; one number a node. Linear. */
void prism_find_begins(const prism_expression *expression, uint32_t *begin);

#endif
