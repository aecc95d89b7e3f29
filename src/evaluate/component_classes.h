/* SPDX-License-Identifier: MIT */
/*
 * Classifies the strongly connected components of a chain: which bottom components accept, and where the
 * probability of acceptance is 0 or 1.
 *
 * A run almost surely ends in a bottom component and takes each of its edges infinitely often, so the
 * marks seen infinitely often are those of all its edges. The acceptance condition is evaluated on them.
 */
#ifndef EVALUATE_COMPONENT_CLASSES_H
#define EVALUATE_COMPONENT_CLASSES_H

#include "evaluate/chain.h"
#include "graph/scc.h"

/* Which bottom components a component leads to, as bits. */
enum {
    EVALUATE_REJECTS = 1,
    EVALUATE_ACCEPTS = 2,
    EVALUATE_BOTH = 3
};

typedef struct evaluate_classes {
    graph_workspace workspace; /* of all arrays */
    graph_scc scc;             /* edges lead to components of smaller or equal numbers */
    graph_groups groups;       /* the states of each component */
    uint8_t *class;            /* by component */
    uint32_t bottoms;
    uint32_t largest; /* size of the largest component that leads to both */
} evaluate_classes;

/* Linear. evaluate_classes_fini must be called even if it fails. */
opac_status evaluate_classes_init(evaluate_classes *classes, const evaluate_chain *chain,
                                  const aut_condition *condition, const opac_cancel *cancel,
                                  opac_error *error);
void evaluate_classes_fini(evaluate_classes *classes);

#endif
